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
    let first = post_order(blocks, |_, _| {});
    let forward: Vec<DraftId> = first.iter().rev().copied().collect();
    let depth = loop_depths(blocks, &forward);
    let by_depth = |targets: &mut Vec<DraftId>| {
        if let [first, second] = &mut targets[..]
            && depth[second.0 as usize] < depth[first.0 as usize]
        {
            std::mem::swap(first, second);
        }
    };
    let mut order = post_order(blocks, |_, targets| by_depth(targets));
    order.reverse();
    if let Some(exits) = overlapping_exits(blocks, &order) {
        // All ways out of a loop are gone down before any block of it, from its header.
        order = post_order(blocks, |block, targets| {
            by_depth(targets);
            targets.splice(..0, exits[block.0 as usize].iter().copied());
        });
        order.reverse();
    }
    order
}

/// The blocks to which each loop is left, by its header, if loops overlap in this order; loops in each other are none that do.
fn overlapping_exits(blocks: &[DraftBlock], order: &[DraftId]) -> Option<Vec<Vec<DraftId>>> {
    let mut position = vec![usize::MAX; blocks.len()];
    for (place, id) in order.iter().enumerate() {
        position[id.0 as usize] = place;
    }
    let predecessors = predecessors(blocks, order);
    // The places of each header and its last way back; each loop must end where it starts, or be within another one.
    let mut loops: Vec<(usize, usize)> = Vec::new();
    for (place, id) in order.iter().enumerate() {
        let back = predecessors[id.0 as usize].iter().map(|from| position[from.0 as usize]);
        loops.extend(back.filter(|&from| from >= place).max().map(|latch| (place, latch)));
    }
    let (mut open, mut overlap): (Vec<usize>, bool) = (Vec::new(), false);
    for &(header, latch) in &loops {
        while open.last().is_some_and(|&end| end < header) {
            open.pop();
        }
        overlap |= open.last().is_some_and(|&end| end < latch);
        open.push(latch);
    }
    if !overlap {
        return None;
    }
    let mut exits = vec![Vec::new(); blocks.len()];
    let mut is_inside = vec![0; blocks.len()];
    let mut budget = MAX_LOOP_WORK;
    for (number, &(header, _)) in loops.iter().enumerate() {
        let header_id = order[header];
        let is_back = |from: &&DraftId| position[from.0 as usize] >= header;
        let mut work: Vec<DraftId> =
            predecessors[header_id.0 as usize].iter().filter(is_back).copied().collect();
        let mut inside = vec![header_id];
        is_inside[header_id.0 as usize] = number + 1;
        while let Some(block) = work.pop() {
            if std::mem::replace(&mut is_inside[block.0 as usize], number + 1) == number + 1 {
                continue;
            }
            inside.push(block);
            let from = &predecessors[block.0 as usize];
            budget = budget.checked_sub(from.len())?;
            work.extend(from.iter().filter(|from| position[from.0 as usize] > header));
        }
        for block in inside {
            let targets = blocks[block.0 as usize].exit.targets();
            exits[header_id.0 as usize].extend(targets.filter(|to| is_inside[to.0 as usize] != number + 1));
        }
    }
    Some(exits)
}

/// Depth-first post-order; `arrange` may change the order in which the targets of a block are visited, and name blocks that can be
/// reached from there to be visited as if they were targets.
///
/// What is visited last comes first in reverse post-order: unless told otherwise, the first target.
fn post_order(blocks: &[DraftBlock], arrange: impl Fn(DraftId, &mut Vec<DraftId>)) -> Vec<DraftId> {
    let mut seen = vec![false; blocks.len()];
    let mut order = Vec::with_capacity(blocks.len());
    let targets = |id: DraftId| {
        let mut targets: Vec<_> = blocks[id.0 as usize].exit.targets().rev().collect();
        arrange(id, &mut targets);
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

/// How many loops each block is in, counting a loop for every retreating edge of a reverse post-order.
pub(crate) fn loop_depths(blocks: &[DraftBlock], order: &[DraftId]) -> Vec<u32> {
    let mut position = vec![usize::MAX; blocks.len()];
    for (index, id) in order.iter().enumerate() {
        position[id.0 as usize] = index;
    }
    let predecessors = predecessors(blocks, order);
    let mut loops = Loops {
        predecessors,
        position,
        depth: vec![0; blocks.len()],
        last: vec![0; blocks.len()],
        count: 0,
        budget: MAX_LOOP_WORK,
    };
    for &latch in order.iter().rev() {
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

#[cfg(test)]
mod tests {
    use super::super::draft::Exit;
    use super::super::{Value, loops};
    use super::*;
    use crate::program::draft::Draft;
    use crate::program::{Kind, Preset};

    #[test]
    fn loops_are_in_each_other_or_apart() {
        let mut state = 77_u64;
        let mut overlaps = 0;
        for round in 0..2000 {
            let mut below = |bound: u32| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 33) as u32 % bound
            };
            let count = 4 + round % 12;
            let blocks = (0..count).map(|_| {
                let mut to = || DraftId(1 + below(count - 1));
                let exit = match to().0 % 4 {
                    0 => Exit::Return,
                    1 => Exit::Jump(to()),
                    _ => Exit::Branch(Value(0), to(), to()),
                };
                DraftBlock { steps: Vec::new(), exit }
            });
            let blocks = blocks.collect();
            let mut draft = Draft { blocks, kinds: vec![Kind::Bool], variables: Vec::new() };
            loops::simplify(&mut draft, &mut vec![(Value(0), Preset::Constant(0))]);
            let order = reverse_post_order(&draft.blocks);
            overlaps += usize::from(overlapping_exits(&draft.blocks, &order).is_some());
        }
        assert_eq!(overlaps, 0);
    }
}
