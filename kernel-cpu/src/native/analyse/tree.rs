//! Where a value may be used instead of one that is computed anew.

use super::flow::Flow;
use crate::program::{Program, Terminator};

/// The tree of dominators, in which a question takes no time.
#[derive(Debug)]
pub(in crate::native) struct Tree {
    /// When a walk over the tree comes to each block, and when it has left it.
    span: Vec<(u32, u32)>,
    /// What each block belongs to: values that are made in one part need not be kept at the barriers between it and another one.
    part: Vec<usize>,
    innermost: Vec<Option<usize>>,
    /// For each loop, how many are around it and which.
    around: Vec<Vec<usize>>,
}

impl Tree {
    pub(in crate::native) fn new(program: &Program, flow: &Flow) -> Self {
        let mut children = vec![Vec::new(); flow.blocks];
        for block in 1..flow.blocks {
            children[flow.idom(block)].push(block);
        }
        let mut span = vec![(0, 0); flow.blocks];
        let mut time = 0;
        let mut stack = vec![(0, 0)];
        while let Some((block, next)) = stack.last_mut() {
            if *next == 0 {
                span[*block].0 = time;
                time += 1;
            }
            match children[*block].get(*next) {
                Some(&child) => {
                    *next += 1;
                    stack.push((child, 0));
                }
                None => {
                    span[*block].1 = time;
                    stack.pop();
                }
            }
        }
        let around = (0..flow.loops.len()).map(|index| {
            let mut result = Vec::new();
            let mut own = Some(index);
            while let Some(index) = own {
                result.push(index);
                own = flow.loops[index].parent;
            }
            result
        });
        Self { span, part: parts(program, flow), innermost: flow.innermost.clone(), around: around.collect() }
    }

    /// Whether what one block computes may, and should, be used in another one: it is there, and in no loop that the other one is not in.
    pub(in crate::native) fn may_use(&self, from: usize, at: usize) -> bool {
        let (start, end) = self.span[from];
        let dominates = (start..end).contains(&self.span[at].0);
        let is_within = match (self.innermost[from], self.innermost[at]) {
            (None, _) => true,
            (Some(own), Some(other)) => self.around[other].contains(&own),
            (Some(_), None) => false,
        };
        dominates && is_within && self.part[from] == self.part[at]
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
