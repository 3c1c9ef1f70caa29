//! The control flow of a program: who dominates whom, and its loops.
//!
//! Blocks are in reverse post-order, and a loop is all blocks from its header to its last way back, by their places: what stands between
//! is executed between, whether it belongs to the loop or not.

use super::sets::Sets;
use crate::native::lir::Refused;
use crate::program::dominators::{DominatorTree, immediate_dominators};
use crate::program::{Program, Terminator};

/// More than these are left to the interpreter, so that the sets of blocks stay small.
const MAX_BLOCKS: usize = 20_000;
const MAX_INSTRUCTIONS: usize = 1 << 17;

/// A loop: the places of its header and of its only way back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) struct Loop {
    pub(in crate::native) header: usize,
    pub(in crate::native) latch: usize,
    /// The loop around it.
    pub(in crate::native) parent: Option<usize>,
}

impl Loop {
    pub(in crate::native) fn contains(&self, block: usize) -> bool {
        (self.header..=self.latch).contains(&block)
    }
}

/// What is known about control flow.
#[derive(Debug)]
pub(in crate::native) struct Flow {
    pub(in crate::native) blocks: usize,
    /// Where control goes from each block; a barrier goes nowhere, since what follows it starts anew.
    pub(in crate::native) succs: Vec<Vec<usize>>,
    /// Where it comes from, over barriers too.
    pub(in crate::native) preds: Vec<Vec<usize>>,
    idom: Vec<usize>,
    tree: DominatorTree,
    /// The block that comes after each on every way; that with the number of blocks is the end.
    pub(in crate::native) ipdom: Vec<usize>,
    pub(in crate::native) loops: Vec<Loop>,
    /// The innermost loop of each block.
    pub(in crate::native) innermost: Vec<Option<usize>>,
}

impl Flow {
    pub(in crate::native) fn new(program: &Program) -> Result<Self, Refused> {
        let blocks = program.blocks.len();
        if blocks > MAX_BLOCKS {
            return Err(Refused("too many blocks"));
        }
        let instructions: usize = program.blocks.iter().map(|block| block.insts.len()).sum();
        if instructions > MAX_INSTRUCTIONS {
            return Err(Refused("too many instructions"));
        }
        let mut succs = vec![Vec::new(); blocks];
        let mut preds = vec![Vec::new(); blocks];
        // Over barriers too.
        let mut all_succs = vec![Vec::new(); blocks];
        for (from, block) in program.blocks.iter().enumerate() {
            for edge in block.terminator.edges() {
                let to = edge.target.0 as usize;
                preds[to].push(from);
                all_succs[from].push(to);
                if !matches!(block.terminator, Terminator::Barrier { .. }) {
                    succs[from].push(to);
                }
            }
        }
        if !preds[0].is_empty() {
            return Err(Refused("a loop around the whole kernel"));
        }
        let idom = immediate_dominators(0, &all_succs, &preds);
        let ipdom = post_dominators(&succs);
        let tree = DominatorTree::new(&idom);
        let mut flow = Self { blocks, succs, preds, idom, tree, ipdom, loops: vec![], innermost: vec![] };
        flow.find_loops()?;
        Ok(flow)
    }

    pub(in crate::native) fn idom(&self, block: usize) -> usize {
        self.idom[block]
    }

    /// Whether every way to `block` goes over `by`.
    pub(in crate::native) fn dominates(&self, by: usize, block: usize) -> bool {
        self.tree.dominates(by, block)
    }

    /// Whether all loops around `outer` are around `inner` too.
    pub(in crate::native) fn within(&self, outer: usize, inner: usize) -> bool {
        self.innermost[outer].is_none_or(|index| self.loops[index].contains(inner))
    }

    fn find_loops(&mut self) -> Result<(), Refused> {
        let mut loops: Vec<Loop> = Vec::new();
        for header in 0..self.blocks {
            let mut latches = self.preds[header].iter().copied().filter(|&from| from >= header);
            let Some(latch) = latches.next() else { continue };
            if latches.next().is_some() {
                return Err(Refused("a loop with several ways back"));
            }
            if !self.dominates(header, latch) {
                return Err(Refused("irreducible control flow"));
            }
            loops.push(Loop { header, latch, parent: None });
        }
        // A later header is inside of the loops before it, or behind them.
        let mut open: Vec<usize> = Vec::new();
        for index in 0..loops.len() {
            let own = loops[index];
            while open.last().is_some_and(|&outer| loops[outer].latch < own.header) {
                open.pop();
            }
            if let Some(&outer) = open.last() {
                if loops[outer].latch < own.latch {
                    return Err(Refused("loops that overlap"));
                }
                loops[index].parent = Some(outer);
            }
            open.push(index);
        }
        self.innermost = vec![None; self.blocks];
        for (index, own) in loops.iter().enumerate() {
            self.innermost[own.header..=own.latch].fill(Some(index));
        }
        self.loops = loops;
        Ok(())
    }

    /// Whether control can come to each block from one of them without a barrier between.
    pub(in crate::native) fn reached(&self, start: usize) -> Vec<bool> {
        let mut reached = vec![false; self.blocks];
        let mut work = vec![start];
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut reached[block], true) {
                work.extend(self.succs[block].iter().copied());
            }
        }
        reached
    }

    /// The blocks that control can come to from here before it comes to `stop`, which is among them if it is reached.
    pub(in crate::native) fn reach(&self, start: usize, stop: usize, into: &mut Sets, set: usize) {
        let mut work = vec![start];
        while let Some(block) = work.pop() {
            if into.insert(set, block) && block != stop {
                work.extend(self.succs[block].iter().copied());
            }
        }
    }

    /// The same without another pass of a loop: who goes back to the head of one is behind it next.
    pub(in crate::native) fn reach_ahead(
        &self,
        from: usize,
        start: usize,
        stop: usize,
        into: &mut Sets,
        set: usize,
    ) {
        let mut left = vec![false; self.loops.len()];
        let mut edges = vec![(from, start)];
        while let Some((from, to)) = edges.pop() {
            if to > from {
                if into.insert(set, to) && to != stop {
                    edges.extend(self.succs[to].iter().map(|&next| (to, next)));
                }
                continue;
            }
            let Some(index) = self.innermost[to] else { continue };
            if !std::mem::replace(&mut left[index], true) {
                let own = self.loops[index];
                for inside in own.header..=own.latch {
                    let exits = self.succs[inside].iter().filter(|&&exit| exit > own.latch);
                    edges.extend(exits.map(|&exit| (inside, exit)));
                }
            }
        }
    }
}

/// The immediate post-dominator of each block; the end comes after all of them.
fn post_dominators(succs: &[Vec<usize>]) -> Vec<usize> {
    let end = succs.len();
    let mut preds = vec![Vec::new(); end + 1];
    let mut ends: Vec<bool> = succs.iter().map(Vec::is_empty).collect();
    for (from, targets) in succs.iter().enumerate() {
        for &to in targets {
            preds[to].push(from);
        }
    }
    // What never ends is taken to end anywhere.
    let mut reaches = ends.clone();
    let mut work: Vec<usize> = (0..end).filter(|&block| ends[block]).collect();
    while let Some(block) = work.pop() {
        for &from in &preds[block] {
            if !std::mem::replace(&mut reaches[from], true) {
                work.push(from);
            }
        }
    }
    for block in 0..end {
        if !reaches[block] {
            ends[block] = true;
        }
        if ends[block] {
            preds[end].push(block);
        }
    }
    let mut succs = succs.to_vec();
    for (block, targets) in succs.iter_mut().enumerate() {
        targets.extend(ends[block].then_some(end));
    }
    succs.push(Vec::new());
    let mut ipdom = immediate_dominators(end, &preds, &succs);
    ipdom.truncate(end);
    ipdom
}
