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
    let mut depth = vec![0_u32; blocks.len()];
    let mut budget = MAX_LOOP_WORK;
    for &latch in post_order {
        for header in blocks[latch.0 as usize].exit.targets() {
            if position[header.0 as usize] <= position[latch.0 as usize] {
                mark_loop(header, latch, &predecessors, &position, &mut depth, &mut budget);
            }
        }
    }
    depth
}

/// How many block visits finding the loops may take, so that hostile graphs cannot make it quadratic.
///
/// What is left uncounted only makes the order worse, never wrong.
const MAX_LOOP_WORK: usize = 1 << 22;

/// Adds one to the depth of every block that reaches `latch` without passing `header`.
fn mark_loop(
    header: DraftId,
    latch: DraftId,
    predecessors: &[Vec<DraftId>],
    position: &[usize],
    depth: &mut [u32],
    budget: &mut usize,
) {
    let mut inside = std::collections::HashSet::from([header, latch]);
    let mut work = if header == latch { vec![] } else { vec![latch] };
    while let Some(block) = work.pop() {
        for &from in &predecessors[block.0 as usize] {
            // A block ahead of the header is no part of the loop; only an irreducible graph has such a way
            // in.
            if position[from.0 as usize] > position[header.0 as usize] && inside.insert(from) {
                work.push(from);
            }
        }
        if *budget == 0 {
            return;
        }
        *budget -= 1;
    }
    for block in inside {
        depth[block.0 as usize] += 1;
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
