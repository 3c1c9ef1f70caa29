//! Where a value may be used instead of one that is computed anew.

use super::flow::Flow;
use crate::program::{Program, Terminator};

/// The dominators and the loops of blocks, in which a question takes no time.
#[derive(Debug)]
pub(in crate::native) struct Tree {
    flow: Flow,
    /// What each block belongs to: values that are made in one part need not be kept at the barriers between it and another one.
    part: Vec<usize>,
    /// For each loop, how many are around it and which.
    around: Vec<Vec<usize>>,
}

impl Tree {
    pub(in crate::native) fn new(program: &Program, flow: Flow) -> Self {
        let around = (0..flow.loops.len()).map(|index| {
            let mut result = Vec::new();
            let mut own = Some(index);
            while let Some(index) = own {
                result.push(index);
                own = flow.loops[index].parent;
            }
            result
        });
        let around = around.collect();
        Self { part: parts(program, &flow), around, flow }
    }

    /// Whether what one block computes may, and should, be used in another one: it is there, and in no loop that the other one is not in.
    pub(in crate::native) fn may_use(&self, from: usize, at: usize) -> bool {
        let is_within = match (self.flow.innermost[from], self.flow.innermost[at]) {
            (None, _) => true,
            (Some(own), Some(other)) => self.around[other].contains(&own),
            (Some(_), None) => false,
        };
        self.flow.dominates(from, at) && is_within && self.part[from] == self.part[at]
    }
}

/// What is between barriers: the first block of each part.
fn parts(program: &Program, flow: &Flow) -> Vec<usize> {
    let mut starts = vec![false; flow.blocks];
    for (place, block) in program.blocks.iter().enumerate() {
        let Terminator::Barrier { next, .. } = &block.terminator else { continue };
        starts[next.target.0 as usize] = true;
        // Around the loop, control comes from behind the barrier.
        let mut own = flow.innermost[place];
        while let Some(index) = own {
            starts[flow.loops[index].header] = true;
            own = flow.loops[index].parent;
        }
    }
    let mut part = vec![0; flow.blocks];
    for block in 1..flow.blocks {
        // Where parts meet, another one starts.
        let first = flow.preds[block].iter().filter(|&&from| from < block).map(|&from| part[from]).next();
        let meets = flow.preds[block].iter().any(|&from| from < block && Some(part[from]) != first);
        part[block] = if starts[block] || meets { block } else { first.unwrap_or(block) };
    }
    part
}
