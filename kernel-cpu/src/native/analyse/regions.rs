//! What subgroups execute between barriers.
//!
//! A subgroup that has come to a barrier waits there for all others, so from the start of the kernel and from each barrier on, all subgroups execute what leads to the next
//! barriers or to the end, one after the other: a *region*. Where each has code of its own, a subgroup is followed by the next one without asking where they are.

use super::flow::Flow;
use super::shape::Shapes;
use crate::native::switches::{Switch, Switches};
use crate::program::{Program, Terminator};

/// What is executed from the start or a barrier to the next barriers or the end.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::native) struct Region {
    /// The block that ends with the barrier before it; none at the start of the kernel.
    pub(in crate::native) barrier: Option<usize>,
    /// Its first block.
    pub(in crate::native) start: usize,
    /// Whether it has each block; it shares those that are executed after several barriers.
    pub(in crate::native) has: Vec<bool>,
}

/// Regions have so many instructions together at most, and so many times those of the program.
const MAX_INSTRUCTIONS: usize = 512;
const MAX_TIMES: usize = 4;

/// The regions of a program: that of the start, and those of the barriers in their order. There are none if lanes of a subgroup may wait for each other at a
/// barrier, or if the regions share too much.
pub(in crate::native) fn regions(
    program: &Program,
    flow: &Flow,
    shapes: &Shapes,
    switches: Switches,
) -> Option<Vec<Region>> {
    let mut left = MAX_INSTRUCTIONS + MAX_TIMES * length(program, |_| true);
    let mut regions = vec![Region { barrier: None, start: 0, has: flow.reached(0) }];
    for (place, block) in program.blocks.iter().enumerate() {
        let Terminator::Barrier { next, .. } = &block.terminator else { continue };
        if shapes.masked[place] || !switches.has(Switch::Regions) {
            return None;
        }
        let start = next.target.0 as usize;
        let has = flow.reached(start);
        left = left.checked_sub(length(program, |block| has[block]))?;
        regions.push(Region { barrier: Some(place), start, has });
    }
    Some(regions)
}

/// How many instructions there are in some of the blocks, and how many edges.
fn length(program: &Program, mut has: impl FnMut(usize) -> bool) -> usize {
    let blocks = program.blocks.iter().enumerate().filter(|(place, _)| has(*place));
    blocks.map(|(_, block)| block.insts.len() + 2).sum()
}
