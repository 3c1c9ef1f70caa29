//! The control flow of a draft by the places of its blocks in the order, and what dominates what.

use super::draft::{Draft, DraftId};
use super::order::predecessors;

/// Blocks by their places; the first is the entry, to which no edge leads.
pub(super) struct Graph {
    pub(super) successors: Vec<Vec<usize>>,
    /// Each as often as it has edges to the block.
    pub(super) predecessors: Vec<Vec<usize>>,
}

impl Graph {
    /// Of the blocks of a draft in this order, which are all that the entry reaches; `position` says where each is.
    pub(super) fn new(draft: &Draft, order: &[DraftId], position: &[usize]) -> Self {
        let place = |id: DraftId| position[id.0 as usize];
        let by_draft = predecessors(&draft.blocks, order);
        let from = |id: &DraftId| by_draft[id.0 as usize].iter().map(|&from| place(from)).collect();
        let to = |id: &DraftId| draft.blocks[id.0 as usize].exit.targets().map(place).collect();
        Self { predecessors: order.iter().map(from).collect(), successors: order.iter().map(to).collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.successors.len()
    }

    /// The block that each is immediately dominated by; the entry is by itself.
    ///
    /// This is the algorithm of Lengauer and Tarjan with path compression, which is all but linear for every graph.
    pub(super) fn immediate_dominators(&self) -> Vec<usize> {
        let tree = self.spanning_tree();
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
            for &from in &self.predecessors[tree.blocks[block]] {
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

    fn spanning_tree(&self) -> SpanningTree {
        let count = self.len();
        let mut tree =
            SpanningTree { blocks: Vec::with_capacity(count), number: vec![NONE; count], parent: Vec::new() };
        let mut work = vec![(0, 0)];
        while let Some((block, parent)) = work.pop() {
            if tree.number[block] != NONE {
                continue;
            }
            let number = tree.blocks.len();
            tree.number[block] = number;
            tree.blocks.push(block);
            tree.parent.push(parent);
            work.extend(self.successors[block].iter().map(|&next| (next, number)));
        }
        tree
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

#[cfg(test)]
mod tests {
    use super::Graph;

    fn graph(successors: &[&[usize]]) -> Graph {
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (from, targets) in successors.iter().enumerate() {
            targets.iter().for_each(|&to| predecessors[to].push(from));
        }
        Graph { successors: successors.iter().map(|targets| targets.to_vec()).collect(), predecessors }
    }

    /// The dominators by their definition: what cannot be reached when a block is taken away.
    fn by_definition(graph: &Graph) -> Vec<usize> {
        let reached_without = |absent: usize| {
            let mut seen = vec![false; graph.len()];
            let mut work = if absent == 0 { vec![] } else { vec![0] };
            while let Some(block) = work.pop() {
                if block != absent && !std::mem::replace(&mut seen[block], true) {
                    work.extend(&graph.successors[block]);
                }
            }
            seen
        };
        let reached: Vec<_> = (0..graph.len()).map(reached_without).collect();
        let dominates = |a: usize, b: usize| !reached[a][b];
        let immediate = |block: usize| {
            let strict = (0..graph.len()).filter(|&other| other != block && dominates(other, block));
            strict.max_by_key(|&other| (0..graph.len()).filter(|&above| dominates(above, other)).count())
        };
        (0..graph.len()).map(|block| immediate(block).unwrap_or(0)).collect()
    }

    #[test]
    fn dominators_are_what_their_definition_says() {
        let check = |graph: &Graph| assert_eq!(graph.immediate_dominators(), by_definition(graph));
        check(&graph(&[&[]]));
        check(&graph(&[&[1, 2], &[3], &[3], &[]]));
        // A loop with two heads.
        check(&graph(&[&[1, 2], &[2, 3], &[1, 3], &[]]));
        let mut state = 12345_u64;
        for count in [5, 9, 14, 20, 30] {
            for _ in 0..60 {
                let mut below = |bound: usize| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state >> 33) as usize % bound
                };
                // Each block comes from an earlier one, so that all are reached; other edges go anywhere but to the entry.
                let mut successors = vec![Vec::new(); count];
                for to in 1..count {
                    successors[below(to)].push(to);
                }
                for _ in 0..count {
                    let (from, to) = (below(count), 1 + below(count - 1));
                    successors[from].push(to);
                }
                check(&graph(&successors.iter().map(Vec::as_slice).collect::<Vec<_>>()));
            }
        }
    }
}
