//! Accesses of 8 or 16 bits at any addresses. Processors gather no such numbers, but the words in which they are, which are where memory can be read since they are no
//! further than that. They scatter none either: a store is one lane after the other.

use super::memory::{Addresses, Ways};
use super::values::Vector;
use super::{Selector, rows};
use crate::native::encode::{Condition, Row};
use crate::native::lir::{Anchor, Block, How, Inst as Machine, Place, Role, Var};
use crate::native::switches::Switch;
use crate::program::{Inst, Kind, Space, Value};

impl Selector<'_> {
    /// A load of small numbers: the 32 bits are gathered in which they are.
    pub(super) fn load_each(
        &mut self,
        inst: &Inst,
        kind: Kind,
        space: Space,
        result: Value,
        address: Value,
    ) -> Option<()> {
        let ways = self.ways_of_each(kind)?;
        let indexed = self.indexed(address).filter(|_| space != Space::Private);
        match indexed {
            Some(indexed) => {
                let (each, next) = (self.function.block(true), self.at);
                self.go(each);
                let x = self.remade(address, indexed);
                self.check_each(kind, space, address, x, ways.cold);
                self.gather_small(kind, result, x, ways.cold);
                self.jump(ways.after);
                // What follows is the way by indices.
                self.go_on(next);
                let addresses = self.check_indices(kind, space, address, indexed, each);
                self.gather_small_by(kind, result, addresses, ways.cold)?;
            }
            None => {
                let x = self.check_lanes(kind, space, address, ways.cold)?;
                self.gather_small(kind, result, x, ways.cold);
            }
        }
        self.jump(ways.after);
        self.go(ways.cold);
        if let Some(indexed) = indexed {
            self.remake_addresses(address, indexed);
        }
        self.call_without_result(inst);
        self.fetch(inst, result);
        self.jump(ways.after);
        self.go(ways.after);
        self.complete(result);
        Some(())
    }

    /// Loads small numbers at addresses.
    fn gather_small(&mut self, kind: Kind, result: Value, x: Vector, cold: Block) {
        let low = self.resize(false, Kind::I64, Kind::I32, x).0[0];
        self.leave_if_odd(kind, low, cold);
        let whole = self.with_constant(rows::PANDQ, Kind::I64, x, !3);
        let (base, halves) = (self.number(0), [self.vector(), self.vector()]);
        for (part, &half) in halves.iter().enumerate() {
            self.gather(rows::GATHERQD, half, base, whole.0[part], 0, part);
        }
        let words = self.vector();
        self.push(Machine::row(rows::INSERT_HIGH).def(words).second(halves[0]).last(halves[1]).imm(1));
        self.take_small(kind, result, words, low);
    }

    /// Loads small numbers at indices.
    fn gather_small_by(
        &mut self,
        kind: Kind,
        result: Value,
        addresses: Addresses,
        cold: Block,
    ) -> Option<()> {
        let Addresses::Indexed(first, index, scale) = addresses else { return None };
        let (aside, base, beside) = (self.general(), self.general(), self.vector());
        self.push(Machine::row(rows::AND32_IMMEDIATE).update_last(aside, first).imm(3));
        self.push(Machine::row(rows::SUB64).update(base, first).last(aside));
        self.push(Machine::row(rows::BROADCASTD).def(beside).last(aside));
        let shift = scale.trailing_zeros() as i32;
        let bytes = match shift {
            0 => index,
            shift => self.shift(rows::PSLLD, Kind::I32, Vector([index; 2]), shift).0[0],
        };
        let distance = self.two(rows::PADDD, Kind::I32, Vector([bytes; 2]), Vector([beside; 2])).0[0];
        self.leave_if_odd(kind, distance, cold);
        let whole = self.with_constant(rows::PANDD, Kind::I32, Vector([distance; 2]), u64::from(!3_u32)).0[0];
        let words = self.vector();
        self.gather(rows::GATHERDD, words, base, whole, 0, 0);
        self.take_small(kind, result, words, distance);
        Some(())
    }

    /// Leaves if a number of 16 bits of a lane that is here may be in two words of 32.
    fn leave_if_odd(&mut self, kind: Kind, low: Var, cold: Block) {
        if kind.size() == 2 {
            let (odd, one) = (self.mask_var(), self.constant32(1).broadcast());
            self.push(Machine::row(rows::PTESTMD).def(odd).second(low).at(one));
            let even = self.negate_mask(odd);
            self.leave_unless_all(even, cold);
        }
    }

    /// Takes small numbers out of the words in which they are, by their distance from some word.
    fn take_small(&mut self, kind: Kind, result: Value, words: Var, distance: Var) {
        let within = self.with_constant(rows::PANDD, Kind::I32, Vector([distance; 2]), 3);
        let bits = self.shift(rows::PSLLD, Kind::I32, within, 3);
        let low = self.two(rows::PSRLVD, Kind::I32, Vector([words; 2]), bits);
        self.cut_small(kind, result, low);
    }

    /// A store of small numbers.
    pub(super) fn store_each(&mut self, inst: &Inst, kind: Kind, space: Space, address: Value) -> Option<()> {
        let ways = self.ways_of_each(kind)?;
        self.check_lanes(kind, space, address, ways.cold)?;
        self.put_operands(inst);
        let places = self.code.places(self.block, self.place);
        let load = if kind.size() == 1 { rows::MOVZX8 } else { rows::MOVZX16 };
        self.lane_loop(|this, lane| {
            let to = this.operand_of(places.operands[0], rows::MOV64, 8, lane);
            let number = this.operand_of(places.operands[1], load, kind.size(), lane);
            let there = Place::at(Anchor::Var, 0);
            this.push(Machine::row(store_of(kind)).register(number).at(there).base(to).effect());
        });
        self.jump(ways.after);
        self.go(ways.cold);
        self.call_without_result(inst);
        self.jump(ways.after);
        self.go(ways.after);
        Some(())
    }

    /// The ways of an access of small numbers, if there are instructions for it.
    fn ways_of_each(&mut self, kind: Kind) -> Option<Ways> {
        if !self.switches.has(Switch::Small) || !matches!(kind.size(), 1 | 2) || kind == Kind::Bool {
            return None;
        }
        let cold_here = self.function.blocks[self.at.0 as usize].cold;
        Some(Ways::new(self.function.block(true), self.function.block(cold_here)))
    }

    /// Checks the access of each lane; the result is their addresses.
    fn check_lanes(&mut self, kind: Kind, space: Space, address: Value, cold: Block) -> Option<Vector> {
        let x = self.vector_here(address);
        match space {
            Space::Private => self.check_own(kind, x, cold)?,
            _ => {
                self.check_each(kind, space, address, x, cold);
            }
        }
        Some(x)
    }

    /// Does something for each of the lanes that are here, of which there is one.
    pub(super) fn lane_loop(&mut self, body: impl FnOnce(&mut Self, Var)) {
        let (left, first) = (self.general(), self.mask_bits());
        self.copy(left, first);
        let cold = self.function.blocks[self.at.0 as usize].cold;
        let (each, done) = (self.function.block(cold), self.function.block(cold));
        self.jump(each);
        self.go(each);
        let lane = self.general();
        self.push(Machine::row(rows::TZCNT).def(lane).last(left));
        body(self, lane);
        let rest = self.general();
        self.push(Machine::row(rows::BLSR32).op(rest, How::Def, Role::Second).last(left));
        self.copy(left, rest);
        let test = Machine::row(rows::TEST32).register(left).last(left);
        self.branch(test, Condition::NotEqual, each, done);
        self.go(done);
    }

    /// The place of a lane in a register of the interpreter.
    fn of_lane(&self, place: u32, size: u32) -> Place {
        Place { scale: size as u8, ..self.slot(place) }
    }

    /// What a lane has in a place of the register file.
    fn operand_of(&mut self, place: u32, load: Row, size: u32, lane: Var) -> Var {
        let var = self.general();
        self.push(Machine::row(load).def(var).at(self.of_lane(place, size)).index(lane));
        var
    }
}

fn store_of(kind: Kind) -> Row {
    if kind.size() == 1 { rows::MOV8_STORE } else { rows::MOV16_STORE }
}
