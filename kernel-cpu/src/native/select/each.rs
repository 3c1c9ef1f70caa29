//! Accesses of 8 or 16 bits at any addresses, for which processors have no gathers: one lane after the other.

use super::{Selector, rows};
use crate::native::encode::{Condition, Row};
use crate::native::lir::{Anchor, How, Inst as Machine, Place, Role, Var};
use crate::native::switches::Switch;
use crate::program::{Inst, Kind, Space, Value};

impl Selector<'_> {
    /// A load of small numbers.
    pub(super) fn load_each(
        &mut self,
        inst: &Inst,
        kind: Kind,
        space: Space,
        result: Value,
        address: Value,
    ) -> Option<()> {
        let ways = self.start_each(inst, kind, space, address)?;
        let places = self.code.places(self.block, self.place);
        let load = if kind.size() == 1 { rows::MOVZX8 } else { rows::MOVZX16 };
        self.lane_loop(|this, lane| {
            let (from, number) = (this.operand_of(places.operands[0], rows::MOV64, 8, lane), this.general());
            this.push(Machine::row(load).def(number).at(Place::at(Anchor::Var, 0)).base(from));
            let to = this.of_lane(places.result, kind.size());
            this.push(Machine::row(store_of(kind)).register(number).at(to).index(lane).effect());
        });
        self.fetch(inst, result);
        self.jump(ways.after);
        self.go(ways.cold);
        self.call_without_result(inst);
        self.fetch(inst, result);
        self.jump(ways.after);
        self.go(ways.after);
        self.complete(result);
        Some(())
    }

    /// A store of small numbers.
    pub(super) fn store_each(&mut self, inst: &Inst, kind: Kind, space: Space, address: Value) -> Option<()> {
        let ways = self.start_each(inst, kind, space, address)?;
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

    /// Checks the access of each lane, and puts operands where the loop finds them.
    fn start_each(
        &mut self,
        inst: &Inst,
        kind: Kind,
        space: Space,
        address: Value,
    ) -> Option<super::memory::Ways> {
        if !self.switches.has(Switch::Small) || !matches!(kind.size(), 1 | 2) || kind == Kind::Bool {
            return None;
        }
        let cold_here = self.function.blocks[self.at.0 as usize].cold;
        let ways = super::memory::Ways::new(self.function.block(true), self.function.block(cold_here));
        let x = self.vector_here(address);
        match space {
            Space::Private => self.check_own(kind, x, ways.cold)?,
            _ => {
                self.check_each(kind, space, address, x, ways.cold);
            }
        }
        self.put_operands(inst);
        Some(ways)
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
