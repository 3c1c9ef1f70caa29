//! What subgroups execute between barriers.
//!
//! A subgroup that has come to a barrier waits there for all others, so from the start of the kernel and from each barrier on, all subgroups execute what leads to the next
//! barriers or to the end, one after the other: a *region*. Where each has code of its own, a subgroup is followed by the next one without asking where they are.

use super::flow::Flow;
use super::shape::Shapes;
use crate::native::switches::{Switch, Switches};
use crate::program::{Block, Program, Terminator};

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

/// Whether no subgroup stops in a region elsewhere than the others do: the branches from which there are ways to several barriers, or to one and the end, are
/// on what they agree on.
pub(in crate::native) fn stops_alike(program: &Program, region: &Region, agreed: &[bool]) -> bool {
    let mut stop: Vec<Stop> =
        program.blocks.iter().enumerate().map(|(place, block)| own_stop(place, block)).collect();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (place, block) in program.blocks.iter().enumerate().rev().filter(|(place, _)| region.has[*place])
        {
            if matches!(block.terminator, Terminator::Jump(_) | Terminator::Branch { .. }) {
                let ways = block.terminator.edges().map(|edge| stop[edge.target.0 as usize]);
                let new = ways.fold(Stop::None, Stop::join);
                changed |= std::mem::replace(&mut stop[place], new) != new;
            }
        }
    }
    let mut blocks = program.blocks.iter().enumerate().filter(|(place, _)| region.has[*place]);
    blocks.all(|(place, block)| match block.terminator {
        Terminator::Branch { condition, .. } => stop[place] != Stop::Several || agreed[condition.0 as usize],
        _ => true,
    })
}

/// Where control may stop that is at a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// It comes to no place where it would.
    None,
    /// At the end, or else the barrier at the end of a block.
    One(Option<usize>),
    Several,
}

impl Stop {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, stop) | (stop, Self::None) => stop,
            (one, other) if one == other => one,
            _ => Self::Several,
        }
    }
}

fn own_stop(place: usize, block: &Block) -> Stop {
    match block.terminator {
        Terminator::Return => Stop::One(None),
        Terminator::Barrier { .. } => Stop::One(Some(place)),
        _ => Stop::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::drafts::{edge, program};
    use crate::program::{Kind, Site, Value};

    #[test]
    fn subgroups_stop_alike_where_they_agree_on_the_way() {
        let branch = |condition, then, otherwise| Terminator::Branch {
            condition: Value(condition),
            then: edge(then, &[]),
            otherwise: edge(otherwise, &[]),
        };
        // The first condition leads to the barrier or to the end, the second one only to the barrier.
        let terminators = [
            branch(0, 1, 4),
            branch(1, 2, 3),
            Terminator::Jump(edge(3, &[])),
            Terminator::Barrier { site: Site(1), next: edge(4, &[]) },
            Terminator::Return,
        ];
        let blocks = terminators.map(|terminator| Block { insts: vec![], terminator }).to_vec();
        let program = program(&[Kind::Bool; 2], &[], blocks);
        let region = Region { barrier: None, start: 0, has: vec![true; 5] };
        assert!(stops_alike(&program, &region, &[true, false]));
        assert!(!stops_alike(&program, &region, &[false, true]));
    }
}
