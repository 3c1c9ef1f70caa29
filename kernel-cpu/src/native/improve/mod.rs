//! The program made shorter before code is made of it: what is constant is computed, what is computed twice is computed once, and short loops are
//! unrolled; where lanes would gather memory in a loop, they take turns.
//!
//! The interpreter executes the improved program too where native code calls it. Results are the same, bit by bit, and so are the accesses of memory and
//! their order for each work-item.

mod flatten;
mod fold;
mod loops;
mod near;
mod order;
mod promote;
mod roll;
mod serial;
mod straighten;
#[cfg(test)]
mod tests;
mod unroll;

use super::ids::Ids;
use super::lir::Refused;
use super::switches::{Switch, Switches};
use crate::native::hashing::Map;
use crate::program::constants;
use crate::program::{Inst, Kind, Preset, Program, Value, dce, uniform};

/// So often loops are looked for that have become short since the ones around them are unrolled.
const MAX_UNROLLED: usize = 4;

/// A program that means the same, for work-groups with these ids.
pub(super) fn improve(program: &Program, ids: &Ids, switches: Switches) -> Result<Program, Refused> {
    let mut program = program.clone();
    let tidy = |program: &mut Program| {
        if switches.has(Switch::Straighten) {
            straighten::straighten(program)?;
        }
        if switches.has(Switch::Flatten) {
            flatten::flatten(program)?;
        }
        if switches.has(Switch::Fold) {
            fold::fold(program)?;
            if switches.has(Switch::Straighten) {
                straighten::straighten(program)?;
            }
        }
        Ok(())
    };
    if switches.has(Switch::Roll) {
        roll::roll(&mut program, roll::LARGE);
    }
    tidy(&mut program)?;
    for _ in 0..MAX_UNROLLED {
        if !switches.has(Switch::Unroll) || !unroll::unroll(&mut program) {
            break;
        }
        tidy(&mut program)?;
    }
    if switches.has(Switch::Promote) && promote::promote(&mut program) {
        tidy(&mut program)?;
    }
    serial::serialise(&mut program, ids, switches)?;
    let count = program.kinds.len();
    program.uniform = uniform::uniform_values(&mut program.blocks, &program.presets, count);
    if switches.has(Switch::Indices) {
        near::near(&mut program);
    }
    let count = program.kinds.len();
    // A load whose result is not needed any more may fault all the same, as it does for the interpreter.
    let stays = |inst: &Inst| inst.has_effect() || matches!(inst, Inst::Load { .. });
    dce::remove_dead(&mut program.blocks, &mut program.presets, count, stays);
    if switches.has(Switch::Together) {
        order::order(&mut program);
    }
    Ok(program)
}

/// A value that may differ between lanes, for an instruction to come.
fn new_value(program: &mut Program, kind: Kind) -> Value {
    let value = Value(program.kinds.len() as u32);
    program.kinds.push(kind);
    program.uniform.push(false);
    value
}

/// The constants of a program, of which more can be made.
struct Constants {
    bits: Vec<Option<u64>>,
    values: Map<(Kind, u64), Value>,
}

impl Constants {
    fn new(program: &Program) -> Self {
        let mut this = Self { bits: vec![None; program.kinds.len()], values: Map::default() };
        for &(value, preset) in &program.presets {
            if let Preset::Constant(bits) = preset {
                let kind = program.kinds[value.0 as usize];
                this.bits[value.0 as usize] = Some(constants::cut(kind, bits));
                this.values.entry((kind, constants::cut(kind, bits))).or_insert(value);
            }
        }
        this
    }

    fn get(&self, value: Value) -> Option<u64> {
        self.bits.get(value.0 as usize).copied().flatten()
    }

    fn value(&mut self, program: &mut Program, kind: Kind, bits: u64) -> Value {
        let bits = constants::cut(kind, bits);
        *self.values.entry((kind, bits)).or_insert_with(|| {
            let value = Value(program.kinds.len() as u32);
            program.kinds.push(kind);
            program.presets.push((value, Preset::Constant(bits)));
            self.bits.resize(program.kinds.len(), None);
            self.bits[value.0 as usize] = Some(bits);
            value
        })
    }
}
