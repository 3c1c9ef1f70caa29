//! Private memory in lines: what the lanes have at one place of a variable is side by side, so that an access at the same place in all lanes is one of a whole line.
//!
//! The interpreter has the memory of a lane in one piece. So it is in lines only if the interpreter never accesses it: if all of it is accessed by loads and stores of
//! scalars, each variable by such of one size. Addresses are what they are for the interpreter, and become places in lines at each access. One that is outside of its
//! variable is left to the interpreter as everywhere, which finds the fault.

use super::memory::{Access, Addresses, Ways};
use super::values::Vector;
use super::{Selector, rows};
use crate::native::encode::Condition;
use crate::native::hashing::Map;
use crate::native::lir::Inst as Machine;
use crate::native::switches::Switch;
use crate::program::{Inst, Kind, LANES, Preset, Space, Value};

/// A variable: where in the memory of its lane it is, and its bytes.
#[derive(Clone, Copy)]
struct Variable {
    start: u32,
    size: u32,
}

/// How a variable is accessed.
#[derive(Default)]
struct Uses {
    /// The bytes of a scalar.
    scalar: u32,
    /// All steps of addresses together: a bit that is set in any of them.
    steps: i64,
}

impl Selector<'_> {
    /// Whether all private memory can be in lines.
    pub(super) fn can_be_in_lines(&self) -> bool {
        let needed = [Switch::Lines, Switch::Memory, Switch::Private, Switch::PrivateIndices];
        let is_on = needed.into_iter().all(|switch| self.switches.has(switch));
        is_on && self.program.private_bytes > 0 && self.find_uses().is_some()
    }

    /// How all variables are accessed, if that allows for lines.
    fn find_uses(&self) -> Option<()> {
        let mut variable_of: Map<Value, Value> = Map::default();
        let mut uses: Map<Value, Uses> = Map::default();
        for &(value, preset) in &self.program.presets {
            if let Preset::Private { start, .. } = preset {
                variable_of.insert(value, value);
                uses.insert(value, Uses { scalar: 0, steps: start.into() });
            }
        }
        for (number, block) in self.program.blocks.iter().enumerate() {
            for (place, inst) in block.insts.iter().enumerate() {
                match *inst {
                    Inst::Address { result, base, index, scale, offset }
                        if variable_of.contains_key(&base) =>
                    {
                        if variable_of.contains_key(&index) {
                            return None;
                        }
                        let variable = variable_of[&base];
                        let steps = match self.shapes.constant(index) {
                            Some(index) => (index as i64).checked_mul(scale)?.checked_add(offset)?,
                            None => scale | offset,
                        };
                        uses.get_mut(&variable)?.steps |= steps;
                        variable_of.insert(result, variable);
                    }
                    Inst::Load { kind, space: Space::Private, address, .. }
                    | Inst::Store { kind, space: Space::Private, address, .. } => {
                        let own = uses.get_mut(variable_of.get(&address)?)?;
                        let is_lacking = self.lacking.known.contains(&(number, place));
                        let is_first = own.scalar == 0;
                        if kind.size() < 4 || is_lacking || !is_first && own.scalar != kind.size() {
                            return None;
                        }
                        own.scalar = kind.size();
                        if let Inst::Store { value, .. } = *inst
                            && variable_of.contains_key(&value)
                        {
                            return None;
                        }
                    }
                    mut inst => {
                        let mut is_kept = false;
                        inst.visit_operands(|operand| is_kept |= variable_of.contains_key(operand));
                        if is_kept {
                            return None;
                        }
                    }
                }
            }
            let mut moves = block.terminator.edges().flat_map(|edge| &edge.moves);
            if moves.any(|step| variable_of.contains_key(&step.from)) {
                return None;
            }
        }
        let is_even = |uses: &Uses| uses.scalar == 0 || uses.steps % i64::from(uses.scalar) == 0;
        uses.values().all(is_even).then_some(())
    }

    /// The variable that an address is counted from, and how far it is from its start if that is known.
    fn variable_of(&self, address: Value) -> Option<(Variable, Option<i64>)> {
        let (mut at, mut distance) = (address, Some(0_i64));
        loop {
            if let Some(Preset::Private { start, size }) = self.preset[at.0 as usize] {
                return Some((Variable { start, size }, distance));
            }
            let Some(Inst::Address { base, index, scale, offset, .. }) = self.defined[at.0 as usize] else {
                return None;
            };
            distance = distance.and_then(|distance| {
                let index = self.shapes.constant(index)? as i64;
                index.checked_mul(scale)?.checked_add(offset)?.checked_add(distance)
            });
            at = base;
        }
    }

    /// Checks an access of memory in lines.
    pub(super) fn checked_in_lines(&mut self, kind: Kind, address: Value) -> Option<Access> {
        let (variable, distance) = self.variable_of(address)?;
        let last = i64::from(variable.size) - i64::from(kind.size());
        let start = self.field(context!(private));
        let lines = self.plus(start, self.private_of_strip() + LANES as i64 * i64::from(variable.start));
        if let Some(distance) = distance.filter(|distance| (0..=last).contains(distance)) {
            let line = Addresses::Apart(lines, kind.size().into(), (LANES as i64 * distance) as i32);
            return Some(Access { addresses: line, ways: None });
        }
        let last = i32::try_from(last).ok().filter(|&last| last >= 0)?;
        let cold_here = self.function.blocks[self.at.0 as usize].cold;
        let ways = Ways::new(self.function.block(true), self.function.block(cold_here));
        let own = i64::from(self.program.private_stride());
        let is_even = self.stride(address) == Some(own)
            && !self.shapes.fragile[address.0 as usize]
            && !self.reads_shadow(address);
        let addresses = if is_even {
            let (first, distance) = (self.s(address), self.general());
            self.push(Machine::row(rows::SUB64).update(distance, first).at(context!(private)));
            let distance = self.plus(distance, -self.private_of_strip() - i64::from(variable.start));
            let test = Machine::row(rows::CMP64_IMMEDIATE).last(distance).imm(last);
            self.continue_unless(test, Condition::Above, ways.cold);
            let distance = self.times(distance, LANES as i64);
            Addresses::Apart(self.sum(lines, distance), kind.size().into(), 0)
        } else {
            let x = self.vector_here(address);
            let places = self.places_in_lines(kind, x, variable, last as u64, &ways);
            Addresses::Any(lines, places)
        };
        Some(Access { addresses, ways: Some(ways) })
    }

    /// How far the places of these addresses are from the first line of a variable; leaves where one is outside of it.
    fn places_in_lines(
        &mut self,
        kind: Kind,
        x: Vector,
        variable: Variable,
        last: u64,
        ways: &Ways,
    ) -> Vector {
        let mut distances = self.past_private(x);
        let inside = [self.mask_var(), self.mask_var()];
        for (part, &inside) in inside.iter().enumerate() {
            let own = i64::from(self.program.private_stride());
            let starts = self.lanes_times(own, true, 8 * part as i64);
            let from_lane = self.vector();
            self.push(Machine::row(rows::PSUBQ).def(from_lane).second(distances.0[part]).at(starts));
            distances.0[part] = from_lane;
            if variable.start > 0 {
                let (from_start, place) = (self.vector(), self.constant64(variable.start.into()));
                let subtract = Machine::row(rows::PSUBQ).def(from_start).second(from_lane);
                self.push(subtract.at(place.broadcast()));
                distances.0[part] = from_start;
            }
            let place = self.constant64(last).broadcast();
            self.push(Machine::row(rows::PCMPUQ).def(inside).second(distances.0[part]).at(place).imm(2));
        }
        let inside = self.join_masks(inside);
        self.leave_unless_all(inside, ways.cold);
        let mut places = self.shift(rows::PSLLQ, Kind::I64, distances, LANES.trailing_zeros() as i32);
        for part in 0..2 {
            let (lanes, place) = (self.lanes_times(kind.size().into(), true, 8 * part as i64), self.vector());
            self.push(Machine::row(rows::PADDQ).def(place).second(places.0[part]).at(lanes));
            places.0[part] = place;
        }
        places
    }
}
