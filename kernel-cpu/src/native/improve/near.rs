//! Indices of 32 bits are made 64 where the addresses are computed, so that only they themselves are kept until then, and memory can be gathered by them.
//!
//! A guard of an index is in another block than the access that it guards: `if k < x.len() { sum += x[k]; }`.

use super::new_value;
use crate::native::hashing::Map;
use crate::program::{Inst, Kind, Program, Value};

pub(super) fn near(program: &mut Program) {
    let mut converts: Vec<Option<(Inst, usize)>> = vec![None; program.kinds.len()];
    for (place, block) in program.blocks.iter().enumerate() {
        for inst in &block.insts {
            if let Inst::Convert(_, _, Kind::I64, result, _) = *inst {
                converts[result.0 as usize] = Some((*inst, place));
            }
        }
    }
    let mut accessed = vec![false; program.kinds.len()];
    for place in 0..program.blocks.len() {
        for inst in &program.blocks[place].insts {
            match *inst {
                Inst::Load { address, .. } => accessed[address.0 as usize] = true,
                Inst::Store { kind, address, .. } => accessed[address.0 as usize] |= kind.size() >= 4,
                _ => {}
            }
        }
        let mut copies: Map<Value, Value> = Map::default();
        let insts = std::mem::take(&mut program.blocks[place].insts);
        let mut result = Vec::with_capacity(insts.len());
        for mut inst in insts {
            if let Inst::Address { result: address, base, index, .. } = &mut inst
                && accessed[address.0 as usize]
                && program.uniform[base.0 as usize]
                && !program.uniform[index.0 as usize]
                && let Some((Inst::Convert(op, from, to, _, x), home)) = converts[index.0 as usize]
                && home != place
            {
                *index = *copies.entry(*index).or_insert_with(|| {
                    let copy = new_value(program, to);
                    result.push(Inst::Convert(op, from, to, copy, x));
                    copy
                });
            }
            result.push(inst);
        }
        program.blocks[place].insts = result;
    }
}
