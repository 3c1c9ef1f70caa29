//! Private memory in lines: what the lanes have at one place of a variable is side by side, so that an access at the same place in all lanes is one of a whole line.
//!
//! The interpreter has the memory of a lane in one piece. So a variable is in lines only if the interpreter never accesses it: if all of it is accessed by loads and
//! stores of scalars of one size. Numbers of 8 and 16 bits take 32 there, by which processors gather and scatter. Addresses are what they are for the interpreter, and
//! become places in lines at each access. One that is outside of its variable is left to the interpreter as everywhere, which finds the fault.

use super::memory::{Access, Addresses, Ways};
use super::values::{Vector, parts};
use super::{Selector, rows};
use crate::exec::strip_private_bytes;
use crate::native::encode::Condition;
use crate::native::hashing::Map;
use crate::native::lir::{Block, Inst as Machine, Var};
use crate::native::switches::Switch;
use crate::program::{ConvertOp, Inst, Kind, LANES, Preset, Space, Value};

/// Variables in lines.
#[derive(Default)]
pub(super) struct Lines {
    variables: Map<Value, Variable>,
    /// How many bytes of lines there are for each byte of a lane.
    width: u32,
    /// Where the lines of the first strip start, from the private memory of the subgroup on.
    start: u64,
    /// The bytes of the lines of a strip.
    bytes: u64,
}

impl Lines {
    /// The bytes of private memory that a subgroup needs besides the interpreter's.
    pub(super) fn more_bytes(&self, strips: usize, own: u64) -> u64 {
        (self.start + strips as u64 * self.bytes).saturating_sub(own)
    }
}

/// A variable: where in the memory of its lane it is, its bytes, and those of its scalars.
#[derive(Clone, Copy)]
pub(super) struct Variable {
    start: u32,
    size: u32,
    scalar: u32,
}

impl Variable {
    /// How many bytes a lane has in lines for each of its bytes.
    fn width(self) -> u32 {
        if self.scalar < 4 { 4 / self.scalar } else { 1 }
    }
}

/// How a variable is accessed.
#[derive(Default)]
struct Uses {
    /// The bytes of a scalar.
    scalar: u32,
    /// All steps of addresses together: a bit that is set in any of them.
    steps: i64,
    /// Whether it cannot be in lines.
    is_kept: bool,
}

/// How the place of an access is counted within a variable.
#[derive(Clone, Copy)]
struct Counted {
    index: Value,
    /// The number that the index is of, if it was one of fewer bits without a sign.
    narrow: Option<Value>,
    scale: u32,
    offset: u32,
    /// The last index that is within the variable.
    last: u64,
}

impl Selector<'_> {
    /// The variables that can be in lines.
    pub(super) fn find_lines(&self) -> Lines {
        let needed = [Switch::Lines, Switch::Memory, Switch::Private, Switch::PrivateIndices];
        let is_on = needed.into_iter().all(|switch| self.switches.has(switch));
        if !is_on || self.program.private_bytes == 0 {
            return Lines::default();
        }
        let uses = self.find_uses();
        let own = strip_private_bytes(self.program);
        let mut lines = Lines { width: 1, ..Lines::default() };
        let mut all = true;
        for &(value, preset) in &self.program.presets {
            let Preset::Private { start, size } = preset else { continue };
            let of = &uses[&value];
            let is_even = of.scalar > 0 && of.steps % i64::from(of.scalar) == 0;
            let variable = Variable { start, size, scalar: of.scalar };
            let is_small = of.scalar > 0 && variable.width() > 1;
            let is_wanted = !is_small || self.switches.has(Switch::SmallLines);
            if of.is_kept || !is_even || !is_wanted || size < of.scalar {
                all &= of.scalar == 0 && !of.is_kept;
                continue;
            }
            lines.width = lines.width.max(variable.width());
            lines.variables.insert(value, variable);
        }
        if lines.variables.is_empty() {
            return Lines::default();
        }
        // Where nothing is left of it, lines take the place of the interpreter's.
        lines.start = if all { 0 } else { self.strips as u64 * own };
        lines.bytes = own * u64::from(lines.width);
        lines
    }

    /// How all variables are accessed.
    fn find_uses(&self) -> Map<Value, Uses> {
        let mut variable_of: Map<Value, Value> = Map::default();
        let mut uses: Map<Value, Uses> = Map::default();
        for &(value, preset) in &self.program.presets {
            if let Preset::Private { .. } = preset {
                variable_of.insert(value, value);
                uses.insert(value, Uses::default());
            }
        }
        let keep = |uses: &mut Map<Value, Uses>, variable: Option<&Value>| {
            if let Some(own) = variable.and_then(|variable| uses.get_mut(variable)) {
                own.is_kept = true;
            }
        };
        for (number, block) in self.program.blocks.iter().enumerate() {
            for (place, inst) in block.insts.iter().enumerate() {
                match *inst {
                    Inst::Address { result, base, index, scale, offset }
                        if variable_of.contains_key(&base) =>
                    {
                        keep(&mut uses, variable_of.get(&index));
                        let variable = variable_of[&base];
                        let steps = match self.shapes.constant(index) {
                            Some(index) => (index as i64)
                                .checked_mul(scale)
                                .and_then(|distance| distance.checked_add(offset)),
                            None => Some(scale | offset),
                        };
                        match (steps, uses.get_mut(&variable)) {
                            (Some(steps), Some(own)) => own.steps |= steps,
                            _ => keep(&mut uses, Some(&variable)),
                        }
                        variable_of.insert(result, variable);
                    }
                    Inst::Load { kind, space: Space::Private, address, .. }
                    | Inst::Store { kind, space: Space::Private, address, .. } => {
                        if let Inst::Store { value, .. } = *inst {
                            keep(&mut uses, variable_of.get(&value));
                        }
                        let variable = variable_of.get(&address);
                        let Some(own) = variable.and_then(|variable| uses.get_mut(variable)) else {
                            continue;
                        };
                        let is_lacking = self.lacking.known.contains(&(number, place));
                        let is_first = own.scalar == 0;
                        own.is_kept |=
                            kind == Kind::Bool || is_lacking || !is_first && own.scalar != kind.size();
                        own.scalar = kind.size();
                    }
                    mut inst => inst.visit_operands(&mut |operand| keep(&mut uses, variable_of.get(operand))),
                }
            }
            for step in block.terminator.edges().flat_map(|edge| &edge.moves) {
                keep(&mut uses, variable_of.get(&step.from));
            }
        }
        uses
    }

    /// Whether an access is to memory in lines.
    pub(super) fn is_in_lines(&self, space: Space, address: Value) -> bool {
        space == Space::Private && !self.lines.variables.is_empty() && self.variable_of(address).is_some()
    }

    /// The kind of what a scalar is in memory.
    pub(super) fn kind_in_memory(&self, kind: Kind, space: Space, address: Value) -> Kind {
        if kind.size() < 4 && self.is_in_lines(space, address) { Kind::I32 } else { kind }
    }

    /// The variable in lines that an address is counted from, and how far it is from its start if that is known.
    fn variable_of(&self, address: Value) -> Option<(Variable, Option<i64>)> {
        let (mut at, mut distance) = (address, Some(0_i64));
        loop {
            if let Some(Preset::Private { .. }) = self.preset[at.0 as usize] {
                return Some((*self.lines.variables.get(&at)?, distance));
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
        let last = i64::from(variable.size) - i64::from(variable.scalar);
        let start = self.field(context!(private));
        let strip = self.lines.start + self.strip as u64 * self.lines.bytes;
        let before = LANES as i64 * i64::from(self.lines.width) * i64::from(variable.start);
        let lines = self.plus(start, strip as i64 + before);
        let line = LANES as i64 * i64::from(variable.width());
        if let Some(distance) = distance.filter(|distance| (0..=last).contains(distance)) {
            // Private memory is so small that all its lines have places of 32 bits.
            let line = (line * distance) as i32;
            return Some(Access { addresses: Addresses::Apart(lines, kind.size().into(), line), ways: None });
        }
        let cold_here = self.function.blocks[self.at.0 as usize].cold;
        let own = i64::from(self.program.private_stride());
        let is_even = self.stride(address) == Some(own)
            && !self.shapes.fragile[address.0 as usize]
            && !self.reads_shadow(address);
        let counted = if is_even { None } else { self.counted(address, variable) };
        if let Some(counted) = counted.filter(|&counted| self.never_leaves(counted)) {
            let places = self.places_of(kind, counted, line);
            return Some(Access { addresses: Addresses::Indexed(lines, places, 1), ways: None });
        }
        let ways = Ways::new(self.function.block(true), self.function.block(cold_here));
        let addresses = if is_even {
            let (first, distance) = (self.s(address), self.general());
            self.push(Machine::row(rows::SUB64).update(distance, first).at(context!(private)));
            let distance = self.plus(distance, -self.private_of_strip() - i64::from(variable.start));
            let test = Machine::row(rows::CMP64_IMMEDIATE).last(distance).imm(last as i32);
            self.continue_unless(test, Condition::Above, ways.cold);
            let distance = self.times(distance, line);
            Addresses::Apart(self.sum(lines, distance), kind.size().into(), 0)
        } else if let Some(counted) = counted {
            self.check_counted(counted, ways.cold);
            Addresses::Indexed(lines, self.places_of(kind, counted, line), 1)
        } else {
            let x = self.vector_here(address);
            let distances = self.distances_in(x, variable, last as u64, ways.cold);
            let distances = self.resize(false, Kind::I64, Kind::I32, distances);
            Addresses::Indexed(lines, self.places_at(kind, distances.0[0], line), 1)
        };
        Some(Access { addresses, ways: Some(ways) })
    }

    /// How an address is counted from a known place in a variable, if it is so.
    fn counted(&self, address: Value, variable: Variable) -> Option<Counted> {
        if !self.switches.has(Switch::Indices) || self.reads_shadow(address) {
            return None;
        }
        let Some(Inst::Address { base, index, scale, offset, .. }) = self.defined[address.0 as usize] else {
            return None;
        };
        let (_, distance) = self.variable_of(base)?;
        if self.stride(index).is_some() || !self.is_at_hand(index) {
            return None;
        }
        let offset = u32::try_from(distance?.checked_add(offset)?).ok()?;
        let scale = u32::try_from(scale).ok().filter(|&scale| scale > 0)?;
        let last = variable.size.checked_sub(variable.scalar)?.checked_sub(offset)? / scale;
        let narrow = match self.defined[index.0 as usize] {
            Some(Inst::Convert(ConvertOp::Zext, from, Kind::I64, _, x)) if from != Kind::Bool => {
                Some(x).filter(|&x| from.size() <= 4 && self.stride(x).is_none() && self.is_at_hand(x))
            }
            _ => None,
        };
        Some(Counted { index, narrow, scale, offset, last: last.into() })
    }

    /// Whether no lane that is here can have an index outside of the variable.
    fn never_leaves(&self, counted: Counted) -> bool {
        let of = |value: Value| self.facts.ranges.at(value, self.block);
        [Some(counted.index), counted.narrow]
            .into_iter()
            .flatten()
            .any(|index| of(index).is_some_and(|range| range.high <= counted.last))
    }

    /// Leaves if one of the lanes that are here has an index outside of the variable.
    fn check_counted(&mut self, counted: Counted, cold: Block) {
        let inside = match counted.narrow {
            Some(index) => {
                let (x, inside) = (self.x(index).0[0], self.mask_var());
                let last = self.constant32(counted.last as u32).broadcast();
                self.push(Machine::row(rows::PCMPUD).def(inside).second(x).at(last).imm(2));
                inside
            }
            None => {
                let (x, inside) = (self.x(counted.index), [self.mask_var(), self.mask_var()]);
                for (part, &inside) in inside.iter().enumerate() {
                    let last = self.constant64(counted.last).broadcast();
                    self.push(Machine::row(rows::PCMPUQ).def(inside).second(x.0[part]).at(last).imm(2));
                }
                self.join_masks(inside)
            }
        };
        self.leave_unless_all(inside, cold);
    }

    /// How far the places of the lanes are from the first line of the variable, for indices within it.
    fn places_of(&mut self, kind: Kind, counted: Counted, line: i64) -> Var {
        let index = match counted.narrow {
            Some(index) => self.x(index),
            None => {
                let x = self.x(counted.index);
                self.resize(false, Kind::I64, Kind::I32, x)
            }
        };
        let scale = i64::from(counted.scale) * line;
        let lines = if scale & (scale - 1) == 0 {
            self.shift(rows::PSLLD, Kind::I32, index, scale.trailing_zeros() as i32)
        } else {
            self.with_constant(rows::PMULLD, Kind::I32, index, scale as u64)
        };
        self.beside(kind, lines.0[0], i64::from(counted.offset) * line)
    }

    /// The same for distances in the memory of a lane.
    fn places_at(&mut self, kind: Kind, distances: Var, line: i64) -> Var {
        let count = line.trailing_zeros() as i32;
        let lines = self.shift(rows::PSLLD, Kind::I32, Vector([distances; 2]), count);
        self.beside(kind, lines.0[0], 0)
    }

    /// The places of the lanes in lines that start there and so far behind.
    fn beside(&mut self, kind: Kind, lines: Var, behind: i64) -> Var {
        let size = i64::from(kind.size());
        let bytes = (0..LANES as i64).flat_map(|lane| ((size * lane + behind) as i32).to_le_bytes());
        let lanes = self.line(&bytes.collect::<Vec<u8>>());
        let places = self.vector();
        self.push(Machine::row(rows::PADDD).def(places).second(lines).at(lanes));
        places
    }

    /// How far these addresses are from the start of a variable; leaves where one is outside of it.
    fn distances_in(&mut self, x: Vector, variable: Variable, last: u64, cold: Block) -> Vector {
        let mut distances = self.past_private(x);
        let inside = [self.mask_var(), self.mask_var()];
        for (part, &inside) in inside.iter().enumerate().take(parts(Kind::I64)) {
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
        self.leave_unless_all(inside, cold);
        distances
    }
}
