//! Reverse post-order of the draft's blocks, with the blocks of a loop before those that follow it.
//!
//! Any reverse post-order is correct. Where lanes leave a loop at different times it decides who waits for
//! whom: the code after the loop must come later than its body, so that lanes that left wait for those that
//! have not.

use super::draft::{DraftBlock, DraftId};

/// The blocks that control can reach, in the order in which executors number them.
pub(crate) fn reverse_post_order(blocks: &[DraftBlock]) -> Vec<DraftId> {
    // The first walk finds the loops, the second goes down the ways out of a loop before the ways that stay
    // in it.
    let first = post_order(blocks, |_| {});
    let depth = loop_depths(blocks, &first);
    let mut order = post_order(blocks, |targets| targets.sort_by_key(|target| depth[target.0 as usize]));
    order.reverse();
    order
}

/// Depth-first post-order; `arrange` may change the order in which the targets of a block are visited.
///
/// What is visited last comes first in reverse post-order: unless told otherwise, the first target.
fn post_order(blocks: &[DraftBlock], arrange: impl Fn(&mut Vec<DraftId>)) -> Vec<DraftId> {
    let mut seen = vec![false; blocks.len()];
    let mut order = Vec::with_capacity(blocks.len());
    let targets = |id: DraftId| {
        let mut targets: Vec<_> = blocks[id.0 as usize].exit.targets().rev().collect();
        arrange(&mut targets);
        targets.reverse();
        targets
    };
    let entry = DraftId(0);
    seen[0] = true;
    let mut stack = vec![(entry, targets(entry))];
    while let Some((id, waiting)) = stack.last_mut() {
        match waiting.pop() {
            Some(target) if seen[target.0 as usize] => {}
            Some(target) => {
                seen[target.0 as usize] = true;
                stack.push((target, targets(target)));
            }
            None => {
                order.push(*id);
                stack.pop();
            }
        }
    }
    order
}

/// How many loops each block is in, counting a loop for every retreating edge.
fn loop_depths(blocks: &[DraftBlock], post_order: &[DraftId]) -> Vec<u32> {
    let mut position = vec![usize::MAX; blocks.len()];
    for (index, id) in post_order.iter().rev().enumerate() {
        position[id.0 as usize] = index;
    }
    let predecessors = predecessors(blocks, post_order);
    let mut loops = Loops {
        predecessors,
        position,
        depth: vec![0; blocks.len()],
        last: vec![0; blocks.len()],
        count: 0,
        budget: MAX_LOOP_WORK,
    };
    for &latch in post_order {
        for header in blocks[latch.0 as usize].exit.targets() {
            if loops.position[header.0 as usize] <= loops.position[latch.0 as usize] {
                loops.mark(header, latch);
            }
        }
    }
    loops.depth
}

/// How many block visits finding the loops may take, so that hostile graphs cannot make it quadratic.
///
/// What is left uncounted only makes the order worse, never wrong.
const MAX_LOOP_WORK: usize = 1 << 22;

struct Loops {
    predecessors: Vec<Vec<DraftId>>,
    position: Vec<usize>,
    depth: Vec<u32>,
    /// The last loop that each block was found to be in, counted from one.
    last: Vec<u32>,
    count: u32,
    budget: usize,
}

impl Loops {
    /// Adds one to the depth of every block that reaches `latch` without passing `header`.
    fn mark(&mut self, header: DraftId, latch: DraftId) {
        self.count += 1;
        self.add(header);
        let mut work = Vec::new();
        if self.add(latch) {
            work.push(latch);
        }
        while let Some(block) = work.pop() {
            for index in 0..self.predecessors[block.0 as usize].len() {
                let from = self.predecessors[block.0 as usize][index];
                // A block ahead of the header is no part of the loop; only an irreducible graph has such a way
                // in.
                if self.position[from.0 as usize] > self.position[header.0 as usize] && self.add(from) {
                    work.push(from);
                }
            }
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
        }
    }

    /// Whether the block was not known to be in this loop.
    fn add(&mut self, block: DraftId) -> bool {
        let is_new = std::mem::replace(&mut self.last[block.0 as usize], self.count) != self.count;
        self.depth[block.0 as usize] += u32::from(is_new);
        is_new
    }
}

/// The blocks from which control can come to each block, each as often as it has edges to it.
pub(crate) fn predecessors(blocks: &[DraftBlock], reachable: &[DraftId]) -> Vec<Vec<DraftId>> {
    let mut result = vec![Vec::new(); blocks.len()];
    for &id in reachable {
        for target in blocks[id.0 as usize].exit.targets() {
            result[target.0 as usize].push(id);
        }
    }
    result
}
