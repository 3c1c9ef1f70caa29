//! Unroll-and-jam of the loop over subgroups: two of them go through the code together, as the strips of one subgroup do, so that they share loads of
//! the same addresses and what follows from these, and one computes while the other waits for a result.
//!
//! What a kernel does must not depend on that. So nothing in it may ask for subgroups, and of atomic operations there may be none whose order shows, but
//! for one outside of loops: that is executed once for all work-items that come to it, in their order, either way.

use super::analyse::flow::Flow;
use super::analyse::liveness;
use super::switches::{Switch, Switches};
use super::target::Target;
use crate::program::{AtomicOp, BuiltIn, Inst, Kind, LANES, MAX_STRIPS, Preset, Program, Terminator, Value};

/// More instructions than these are not selected twice.
const MAX_INSTRUCTIONS: usize = 1 << 10;

/// So many vectors of one subgroup may be needed at a time: half of the registers, but for some that are for a while.
const MAX_LIVE: usize = 13;

/// Whether two subgroups are to be executed together.
pub(super) fn is_worth_it(
    program: &Program,
    group_size: [u32; 3],
    target: Target,
    switches: Switches,
) -> bool {
    let items = group_size.iter().try_fold(1_usize, |items, &size| items.checked_mul(size as usize));
    let is_even = items.is_some_and(|items| items.is_multiple_of(MAX_STRIPS * LANES));
    let is_small = program.blocks.iter().map(|block| block.insts.len()).sum::<usize>() <= MAX_INSTRUCTIONS;
    // Vectors of AVX2 are two of its registers already.
    let may = switches.has(Switch::Jam) && target == Target::Avx512;
    if !may || !is_even || !is_small || program.subgroup_size as usize != LANES || !is_indifferent(program) {
        return false;
    }
    let Ok(flow) = Flow::new(program) else { return false };
    !flow.loops.is_empty() && !shows_order(program, &flow) && most_live(program, &flow) <= MAX_LIVE
}

/// Whether a program asks nothing of its subgroups.
fn is_indifferent(program: &Program) -> bool {
    let asks = |preset: Preset| {
        matches!(
            preset,
            Preset::BuiltIn(
                BuiltIn::SubgroupSize
                    | BuiltIn::SubgroupMaxSize
                    | BuiltIn::SubgroupCount
                    | BuiltIn::SubgroupId
                    | BuiltIn::SubgroupLane
            )
        )
    };
    !program.presets.iter().any(|&(_, preset)| asks(preset))
        && program.blocks.iter().all(|block| {
            !matches!(block.terminator, Terminator::Unreachable(_))
                && !block.insts.iter().any(Inst::is_together)
        })
}

/// Whether it may show in which order subgroups do atomic operations.
fn shows_order(program: &Program, flow: &Flow) -> bool {
    let mut used = vec![false; program.kinds.len()];
    let mut read = |value: Value| used[value.0 as usize] = true;
    for block in &program.blocks {
        for inst in &block.insts {
            let mut inst = *inst;
            inst.visit_operands(|operand| read(*operand));
        }
        if let Terminator::Branch { condition, .. } = block.terminator {
            read(condition);
        }
        block.terminator.edges().flat_map(|edge| &edge.moves).for_each(|step| read(step.from));
    }
    let mut count = 0;
    for (place, block) in program.blocks.iter().enumerate() {
        for inst in &block.insts {
            let Inst::Atomic { op, result, .. } = *inst else { continue };
            if !used[result.0 as usize] && commutes(op) {
                continue;
            }
            count += 1;
            if flow.innermost[place].is_some() {
                return true;
            }
        }
    }
    count > 1
}

/// Whether the order of such operations does not show in memory.
const fn commutes(op: AtomicOp) -> bool {
    matches!(
        op,
        AtomicOp::Add
            | AtomicOp::Sub
            | AtomicOp::And
            | AtomicOp::Or
            | AtomicOp::Xor
            | AtomicOp::UMin
            | AtomicOp::UMax
            | AtomicOp::SMin
            | AtomicOp::SMax
    )
}

/// The most vectors of floats that are needed at a time in a loop.
fn most_live(program: &Program, flow: &Flow) -> usize {
    let live = liveness::live_at_start(program, flow);
    let mut constant = vec![false; program.kinds.len()];
    for &(value, _) in &program.presets {
        constant[value.0 as usize] = true;
    }
    let registers = |value: usize| match program.kinds[value] {
        _ if constant[value] => 0,
        Kind::F32 | Kind::F16 => 1,
        Kind::F64 => 2,
        _ => 0,
    };
    let mut most = 0;
    for (place, block) in program.blocks.iter().enumerate() {
        if flow.innermost[place].is_none() {
            continue;
        }
        let mut here = vec![false; program.kinds.len()];
        let mut count = 0;
        let add = |here: &mut Vec<bool>, count: &mut usize, value: usize| {
            if !std::mem::replace(&mut here[value], true) {
                *count += registers(value);
            }
        };
        for edge in block.terminator.edges() {
            for value in live.from(edge.target.0 as usize, 0) {
                add(&mut here, &mut count, value);
            }
        }
        most = most.max(count);
        for inst in block.insts.iter().rev() {
            if let Some(result) = inst.result()
                && std::mem::replace(&mut here[result.0 as usize], false)
            {
                count -= registers(result.0 as usize);
            }
            let mut inst = *inst;
            inst.visit_operands(|operand| add(&mut here, &mut count, operand.0 as usize));
            most = most.max(count);
        }
    }
    most
}
