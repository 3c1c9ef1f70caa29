//! What dominates what.

/// The block that each is immediately dominated by, where the entry, to which no edge leads, reaches all of them; the entry is by itself.
///
/// This is the algorithm of Lengauer and Tarjan with path compression, which is all but linear for every graph.
pub(crate) fn immediate_dominators(
    entry: usize,
    successors: &[Vec<usize>],
    predecessors: &[Vec<usize>],
) -> Vec<usize> {
    let tree = SpanningTree::new(entry, successors);
    let count = tree.blocks.len();
    // From here on blocks are meant by their numbers in the tree.
    let mut forest = Forest {
        semi: (0..count).collect(),
        label: (0..count).collect(),
        ancestor: vec![NONE; count],
        path: Vec::new(),
    };
    let mut dominator = vec![0; count];
    let mut bucket = vec![Vec::new(); count];
    for block in (1..count).rev() {
        for &from in &predecessors[tree.blocks[block]] {
            let best = forest.evaluate(tree.number[from]);
            forest.semi[block] = forest.semi[block].min(forest.semi[best]);
        }
        bucket[forest.semi[block]].push(block);
        let parent = tree.parent[block];
        forest.ancestor[block] = parent;
        for below in std::mem::take(&mut bucket[parent]) {
            let best = forest.evaluate(below);
            dominator[below] = if forest.semi[best] < forest.semi[below] { best } else { parent };
        }
    }
    for block in 1..count {
        if dominator[block] != forest.semi[block] {
            dominator[block] = dominator[dominator[block]];
        }
    }
    (0..count).map(|place| tree.blocks[dominator[tree.number[place]]]).collect()
}

/// Who dominates whom, by the times at which a walk over the tree of dominators comes to each block and has left it.
#[derive(Debug)]
pub(crate) struct DominatorTree(Vec<(u32, u32)>);

impl DominatorTree {
    /// Of the immediate dominators of all blocks, of which the first is the entry.
    pub(crate) fn new(dominators: &[usize]) -> Self {
        let mut children = vec![Vec::new(); dominators.len()];
        for (block, &dominator) in dominators.iter().enumerate().skip(1) {
            children[dominator].push(block);
        }
        let (mut times, mut time, mut work) = (vec![(0, 0); dominators.len()], 0, vec![(0, 0)]);
        while let Some((block, next)) = work.last_mut() {
            if *next == 0 {
                times[*block].0 = time;
                time += 1;
            }
            match children[*block].get(*next) {
                Some(&child) => {
                    *next += 1;
                    work.push((child, 0));
                }
                None => {
                    times[*block].1 = time;
                    work.pop();
                }
            }
        }
        Self(times)
    }

    /// Whether every way to `block` goes over `by`.
    pub(crate) fn dominates(&self, by: usize, block: usize) -> bool {
        let (come, left) = self.0[by];
        (come..left).contains(&self.0[block].0)
    }
}

const NONE: usize = usize::MAX;

/// A depth-first walk from the entry.
struct SpanningTree {
    /// The blocks as the walk comes to them.
    blocks: Vec<usize>,
    /// When the walk comes to each block.
    number: Vec<usize>,
    /// The number of the block from which it comes, by number.
    parent: Vec<usize>,
}

impl SpanningTree {
    fn new(entry: usize, successors: &[Vec<usize>]) -> Self {
        let count = successors.len();
        let mut tree =
            Self { blocks: Vec::with_capacity(count), number: vec![NONE; count], parent: Vec::new() };
        let mut work = vec![(entry, 0)];
        while let Some((block, parent)) = work.pop() {
            if tree.number[block] != NONE {
                continue;
            }
            let number = tree.blocks.len();
            tree.number[block] = number;
            tree.blocks.push(block);
            tree.parent.push(parent);
            work.extend(successors[block].iter().map(|&next| (next, number)));
        }
        tree
    }
}

/// The part of the tree that has been looked at.
struct Forest {
    semi: Vec<usize>,
    label: Vec<usize>,
    ancestor: Vec<usize>,
    path: Vec<usize>,
}

impl Forest {
    /// The block with the least semidominator on the way from a root to this one.
    fn evaluate(&mut self, block: usize) -> usize {
        if self.ancestor[block] == NONE {
            return self.label[block];
        }
        let mut at = block;
        while self.ancestor[self.ancestor[at]] != NONE {
            self.path.push(at);
            at = self.ancestor[at];
        }
        while let Some(at) = self.path.pop() {
            let above = self.ancestor[at];
            if self.semi[self.label[above]] < self.semi[self.label[at]] {
                self.label[at] = self.label[above];
            }
            self.ancestor[at] = self.ancestor[above];
        }
        self.label[block]
    }
}
