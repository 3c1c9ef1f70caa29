//! How many work-items the subgroups of a kernel have that cannot see it.
//!
//! A subgroup of several strips does once for all of them what is the same for all work-items: it counts loops, and loads and checks what all of them load. Nor do strips wait for each other, so that
//! one computes while the other waits for its results. What such a subgroup costs is registers, lines of the cache where each work-item walks through memory of its own, and iterations that only few of its
//! work-items need. So it is for kernels that spend their time in loops where work-items load the same, or neighbours from each other, and which keep few values.
//!
//! This looks at the program as the module has it, not at what is made of it for some size of work-groups: so the interpreter and native code have the same subgroups, which decide which of
//! several faults comes first.

mod pressure;
mod strides;
#[cfg(test)]
mod tests;

use super::{BuiltIn, Inst, LANES, MAX_STRIPS, Preset, Program, Terminator};
use crate::elementary::is_elementary;
use pressure::pressure;
use std::ops::RangeInclusive;
use strides::Strides;

/// The most registers of a strip that values may take at once where there are several strips. Registers are fewer than 32 for both, and what is computed needs some.
const MAX_PRESSURE: usize = 12;

/// The most loops that are looked at, so that the time for it is in proportion to the program.
const MAX_LOOPS: usize = 64;

/// So many elementary functions are worth it without a loop: each is a long chain of operations.
const MIN_FUNCTIONS: usize = 3;

/// Returns the number of work-items that the subgroups of a program should have, which does not ask for one.
pub(crate) fn best(program: &Program) -> u32 {
    let wide = (MAX_STRIPS * LANES) as u32;
    let fits = program.group_size.is_none_or(|size| size.iter().product::<u32>().is_multiple_of(wide));
    if fits && !shows_subgroups(program) && gains(program) { wide } else { LANES as u32 }
}

/// Whether work-items can tell who is in their subgroup. Images count too: all strips would share the parts of an image operation.
fn shows_subgroups(program: &Program) -> bool {
    let shows = |preset: &Preset| {
        use BuiltIn::*;
        matches!(
            preset,
            Preset::BuiltIn(SubgroupSize | SubgroupMaxSize | SubgroupCount | SubgroupId | SubgroupLane)
        )
    };
    program.presets.iter().any(|(_, preset)| shows(preset))
        || program.insts().any(Inst::is_together)
        || program.has_images()
}

/// Whether two strips are likely to be faster together than one after the other.
fn gains(program: &Program) -> bool {
    let loops = loops(program);
    let is_looped = |number: usize| loops.iter().any(|blocks| blocks.contains(&number));
    let functions = || program.insts().filter(|inst| is_function(inst)).count();
    if loops.len() > MAX_LOOPS || loops.is_empty() && functions() < MIN_FUNCTIONS {
        return false;
    }
    let Some(strides) = Strides::of(program) else { return false };
    let mut looped = (program.blocks.iter().enumerate()).filter(|&(number, _)| is_looped(number));
    let are_together = looped.all(|(_, block)| block.insts.iter().all(|inst| strides.are_together(inst)));
    let array = program.private_bytes.div_ceil(4) as usize;
    are_together
        && (loops.is_empty() || loops.iter().any(|blocks| computes(program, blocks.clone(), &strides)))
        && pressure(program, &loops, &strides) + array <= MAX_PRESSURE
}

/// The blocks of each loop: from its header to the last block that goes back there, in reverse post-order. What lies between and is not in the loop counts as if it were.
fn loops(program: &Program) -> Vec<RangeInclusive<usize>> {
    let mut last = vec![None; program.blocks.len()];
    for (number, block) in program.blocks.iter().enumerate() {
        for edge in block.terminator.edges().filter(|edge| edge.target.0 as usize <= number) {
            last[edge.target.0 as usize] = Some(number);
        }
    }
    let ends = last.into_iter().enumerate();
    ends.filter_map(|(header, last)| Some(header..=last?)).collect()
}

/// Whether a loop does more than to pass over memory, or to go from barrier to barrier: all work-items load the same in it, or nothing at all.
fn computes(program: &Program, blocks: RangeInclusive<usize>, strides: &Strides) -> bool {
    let blocks = &program.blocks[blocks];
    let mut accesses = blocks.iter().flat_map(|block| &block.insts).filter_map(strides::accessed).peekable();
    !blocks.iter().any(|block| matches!(block.terminator, Terminator::Barrier { .. }))
        && (accesses.peek().is_none() || accesses.any(|(address, _)| strides.is_same(address)))
}

/// Whether an instruction is a function of many instructions of the processor.
fn is_function(inst: &Inst) -> bool {
    match *inst {
        Inst::Math(op, ..) => is_elementary(op),
        Inst::Pown(..) | Inst::Rootn(..) => true,
        _ => false,
    }
}
