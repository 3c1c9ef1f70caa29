//! What is done with loops.

use super::new_value;
use crate::native::analyse::flow::{Flow, Loop};
use crate::native::hashing::Map;
use crate::program::{Block, Inst, Kind, MathOp, Move, Program, Terminator, Value};
use std::collections::HashSet;

/// The blocks of a loop; none if it stops at barriers or ends the kernel.
pub(super) fn body(program: &Program, flow: &Flow, own: Loop) -> Option<Vec<usize>> {
    let mut inside = vec![false; own.latch - own.header + 1];
    let mut work = vec![own.latch];
    inside[0] = true;
    while let Some(block) = work.pop() {
        let place = block.checked_sub(own.header)?;
        if !std::mem::replace(inside.get_mut(place)?, true) {
            work.extend(flow.preds[block].iter().copied());
        }
    }
    let body: Vec<usize> = (own.header..=own.latch).filter(|block| inside[block - own.header]).collect();
    let ends = |&block: &usize| {
        matches!(
            program.blocks[block].terminator,
            Terminator::Barrier { .. } | Terminator::Return | Terminator::Unreachable(_)
        )
    };
    (!body.iter().any(ends)).then_some(body)
}

/// The values on which a condition in a loop may depend.
pub(super) fn needed(program: &Program, body: &[usize], condition: Value) -> HashSet<Value> {
    let mut needed = HashSet::from([condition]);
    let back =
        body.iter().flat_map(|&block| program.blocks[block].terminator.edges()).flat_map(|edge| &edge.moves);
    let moves: Vec<&Move> = back.collect();
    // What one pass needs the one before has made: until there is no more of it.
    loop {
        let before = needed.len();
        for inst in body.iter().rev().flat_map(|&block| program.blocks[block].insts.iter().rev()) {
            if inst.result().is_some_and(|result| needed.contains(&result)) {
                let mut copy = *inst;
                copy.visit_operands(&mut |operand| {
                    needed.insert(*operand);
                });
            }
        }
        for step in &moves {
            if needed.contains(&step.to) {
                needed.insert(step.from);
            }
        }
        if needed.len() == before {
            return needed;
        }
    }
}

/// A new value of the kind of another one.
pub(super) fn another(program: &mut Program, value: Value) -> Value {
    new_value(program, program.kinds[value.0 as usize])
}

/// Replaces what a block reads and what it defines.
pub(super) fn rename(block: &mut Block, names: &Map<Value, Value>) {
    let mut name = |value: &mut Value| {
        if let Some(new) = names.get(value) {
            *value = *new;
        }
    };
    for inst in &mut block.insts {
        inst.visit_operands(&mut name);
        inst.result_mut().into_iter().for_each(name);
    }
    if let Terminator::Branch { condition, .. } = &mut block.terminator {
        name(condition);
    }
    for step in block.terminator.edges_mut().flat_map(|edge| &mut edge.moves) {
        name(&mut step.from);
        name(&mut step.to);
    }
}

/// How many instructions one of the program counts for: functions become many, of which a kernel can have so many only.
pub(super) fn weight(inst: &Inst) -> usize {
    use MathOp as M;
    match *inst {
        Inst::Math(
            M::Neg
            | M::Abs
            | M::Sqrt
            | M::Recip
            | M::Rint
            | M::Floor
            | M::Ceil
            | M::Trunc
            | M::Copysign
            | M::Fma
            | M::Mix
            | M::Fmin
            | M::Fmax
            | M::Clamp,
            ..,
        ) => 1,
        Inst::Math(_, Kind::F64, ..) | Inst::Pown(Kind::F64, ..) | Inst::Rootn(Kind::F64, ..) => 200,
        Inst::Math(..) | Inst::Pown(..) | Inst::Rootn(..) => 50,
        _ => 1,
    }
}
