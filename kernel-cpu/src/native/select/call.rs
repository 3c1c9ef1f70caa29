//! Instructions that the interpreter executes: their operands go to their places in its register file, and the result comes from there.

use super::values::{Vector, parts};
use super::{EVENTS, Event, Mask, Selector, rows};
use crate::native::context::TOGETHER;
use crate::native::encode::Condition;
use crate::native::lir::{Anchor, Code, How, Inst as Machine, Place, Role, Var};
use crate::program::{Inst, Kind, LANES, Value};

impl Selector<'_> {
    /// Has the interpreter execute the instruction.
    pub(super) fn call(&mut self, inst: &Inst) {
        self.call_without_result(inst);
        if let Some(result) = inst.result() {
            self.fetch(inst, result);
            self.complete(result);
        }
    }

    /// Makes the other forms of a value whose own ones are set.
    pub(super) fn complete(&mut self, value: Value) {
        if self.is_scalar(value) {
            self.widen(value);
        }
        self.keep(value);
    }

    pub(super) fn call_without_result(&mut self, inst: &Inst) {
        self.put_operands(inst);
        // What is the same in all lanes must be there in all of them.
        let all = inst.is_pure() && inst.result().is_some_and(|result| self.is_uniform(result));
        let all = all || inst.is_pure() && self.is_shared;
        let number = self.code.places(self.block, self.place).number;
        if !self.is_shared || inst.is_pure() {
            let mask = if all { None } else { self.mask };
            return self.call_strip(number, self.strip, mask, !inst.is_pure());
        }
        // The lanes of each strip, but in the registers of the first one.
        for strip in 0..self.strips {
            self.call_strip(number, strip, self.here[strip], true);
        }
    }

    /// Has the interpreter execute an instruction that the lanes of all strips do together.
    pub(super) fn call_together(&mut self, inst: &Inst) {
        for strip in 0..self.strips {
            self.enter(strip);
            self.put_operands(inst);
        }
        self.call_all(self.code.places(self.block, self.place).number);
        let Some(result) = inst.result() else { return };
        self.in_strips_of(result, |this| {
            this.fetch(inst, result);
            this.complete(result);
        });
    }

    /// Puts the operands of the instruction where the interpreter looks for them.
    pub(super) fn put_operands(&mut self, inst: &Inst) {
        let places = self.code.places(self.block, self.place);
        let mut operands = Vec::new();
        let mut copy = *inst;
        copy.visit_operands(&mut |operand| operands.push(*operand));
        if matches!(inst, Inst::Store { .. }) {
            operands.swap(0, 1);
        }
        for (operand, slot) in operands.into_iter().zip(places.operands) {
            self.put(operand, slot);
        }
    }

    fn is_uniform(&self, value: Value) -> bool {
        !matches!(self.shapes.shape(value), crate::native::analyse::shape::Shape::Varying)
    }

    /// Calls for lanes of a strip, with the registers of the strip for which code is.
    fn call_strip(&mut self, number: u32, strip: usize, mask: Mask, may_fault: bool) {
        self.pass_mask(strip, mask);
        let strips = (strip + 256 * self.strip) as i32;
        self.push(Machine::row(rows::MOV32_IMMEDIATE).at(context!(call_strip)).imm(strips).effect());
        self.call_number(number, may_fault);
    }

    /// Calls for the lanes of all strips.
    fn call_all(&mut self, number: u32) {
        for strip in 0..self.strips {
            self.pass_mask(strip, self.here[strip]);
        }
        self.push(Machine::row(rows::MOV32_IMMEDIATE).at(context!(call_strip)).imm(TOGETHER as i32).effect());
        self.call_number(number, true);
    }

    fn pass_mask(&mut self, strip: usize, mask: Mask) {
        let place = context!(call_masks + 4 * strip as i32);
        match mask {
            Some(mask) => self.push(Machine::row(rows::KMOV_STORE).register(mask).at(place).effect()),
            None => self.push(Machine::row(rows::MOV32_IMMEDIATE).at(place).imm(0xffff).effect()),
        }
    }

    fn call_number(&mut self, number: u32, may_fault: bool) {
        self.push(Machine::new(Code::Call(number)).effect());
        if may_fault {
            let cold = self.function.blocks[self.at.0 as usize].cold;
            let next = self.function.block(cold);
            let test = Machine::row(rows::CMP32_IMMEDIATE).at(context!(fault)).imm(0);
            let leave = self.leave;
            self.branch(test, Condition::NotEqual, leave, next);
            self.go(next);
        }
    }

    /// Tells the interpreter that something has happened to the lanes that are here.
    pub(super) fn event(&mut self, event: Event) {
        let number = EVENTS | self.events.len() as u32;
        self.events.push(event);
        self.call_all(number);
    }

    /// A place in the register file of the strip.
    pub(super) fn slot(&self, offset: u32) -> Place {
        let file = self.strip as u32 * self.code.frame_bytes();
        Place::at(Anchor::Registers, (file + offset) as i32)
    }

    /// Puts all lanes of a value where the interpreter looks for them.
    pub(super) fn put(&mut self, value: Value, slot: u32) {
        let kind = self.kind(value);
        let place = self.slot(slot);
        if kind == Kind::Bool {
            let mask = self.bool_here(value);
            let (bytes, ones) = (self.vector(), self.line(&[1; 64]));
            self.push(Machine::row(rows::MOVDQU8).def(bytes).at(ones).zero(Some(mask)));
            return self.push(Machine::row(rows::MOVDQU8_STORE).register(bytes).at(place).effect());
        }
        let vector = self.vector_here(value);
        self.put_vector(kind, vector, place, None);
    }

    /// The mask of a `Bool`, made here if it can be.
    fn bool_here(&mut self, value: Value) -> Var {
        let shadow = self.shapes.left_loop(self.flow, value, self.block).is_some();
        if !shadow && self.is_scalar(value) && self.shapes.constant(value).is_none() {
            let scalar = self.s(value);
            return self.scalar_to_mask(scalar);
        }
        self.k(value)
    }

    /// Writes the lanes of a mask as they are in memory.
    pub(super) fn put_vector(&mut self, kind: Kind, vector: Vector, place: Place, mask: Mask) {
        let row = match kind.size() {
            1 => rows::PMOVDB,
            2 => rows::PMOVDW,
            4 => rows::MOVDQU32_STORE,
            _ => rows::MOVDQU64_STORE,
        };
        for part in 0..parts(kind) {
            let place = Place { displacement: place.displacement + 64 * part as i32, ..place };
            let half = self.half(mask, part);
            self.push(Machine::row(row).register(vector.0[part]).at(place).merge(half).effect());
        }
    }

    /// Reads all lanes as they are in memory.
    pub(super) fn get_vector(&mut self, kind: Kind, place: Place) -> Vector {
        let row = match kind.size() {
            1 => rows::PMOVZXBD,
            2 => rows::PMOVZXWD,
            4 => rows::MOVDQU32,
            _ => rows::MOVDQU64,
        };
        let result = self.new_vector(kind);
        for part in 0..parts(kind) {
            let place = Place { displacement: place.displacement + 64 * part as i32, ..place };
            self.push(Machine::row(row).def(result.0[part]).at(place));
        }
        result
    }

    /// Sets the own form of a value to what the interpreter left.
    pub(super) fn fetch(&mut self, inst: &Inst, result: Value) {
        let kind = self.kind(result);
        let place = self.slot(self.code.places(self.block, self.place).result);
        if self.is_uniform(result) && !inst.is_pure() {
            return self.fetch_lane(result, place);
        }
        if kind == Kind::Bool {
            let (bytes, mask, ones) = (self.vector(), self.mask_var(), self.line(&[1; 64]));
            self.push(Machine::row(rows::MOVDQU8).def(bytes).at(place));
            self.push(Machine::row(rows::PTESTMB).def(mask).second(bytes).at(ones));
            if self.is_scalar(result) {
                let first = self.mask_to_scalar(mask);
                let own = self.scalar_var(result);
                return self.copy(own, first);
            }
            let own = self.mask_of(result);
            return self.copy(own, mask);
        }
        let vector = self.get_vector(kind, place);
        if self.is_scalar(result) {
            let first = self.first_lane(kind, vector);
            let own = self.scalar_var(result);
            return self.copy(own, first);
        }
        let own = self.vector_of(result);
        self.copy_vector(own, vector);
    }

    /// The same of a value that is the same in all lanes, but is there only in those that were here.
    fn fetch_lane(&mut self, result: Value, place: Place) {
        let lane = match self.mask {
            None => self.number(0),
            Some(mask) => {
                let (bits, lane) = (self.general(), self.general());
                self.push(Machine::row(rows::KMOV_TO_GENERAL).def(bits).last(mask));
                self.push(Machine::row(rows::TZCNT).def(lane).last(bits));
                if self.strips == 1 {
                    return self.fetch_from(result, place, lane);
                }
                // Of a strip without lanes, it does not matter which.
                let some = self.general();
                self.push(Machine::row(rows::AND32_IMMEDIATE).update_last(some, lane).imm(LANES as i32 - 1));
                some
            }
        };
        self.fetch_from(result, place, lane);
    }

    fn fetch_from(&mut self, result: Value, place: Place, lane: Var) {
        let kind = self.kind(result);
        let place = Place { scale: kind.size() as u8, ..place };
        let (row, class_is_vector) = match (kind, kind.size()) {
            (Kind::F32, _) => (rows::BROADCASTSS, true),
            (Kind::F64, _) => (rows::BROADCASTSD, true),
            (_, 1) => (rows::MOVZX8, false),
            (_, 2) => (rows::MOVZX16, false),
            (_, 4) => (rows::MOV32, false),
            _ => (rows::MOV64, false),
        };
        if class_is_vector {
            let own = self.vector_of(result);
            self.push(Machine::row(row).def(own.0[0]).at(place).index(lane));
            return self.copy(own.0[1], own.0[0]);
        }
        let var = self.general();
        self.push(Machine::row(row).def(var).at(place).index(lane));
        if self.is_scalar(result) {
            let own = self.scalar_var(result);
            self.copy(own, var);
        } else {
            // A half, which is kept in lanes of 32 bits.
            let own = self.vector_of(result);
            self.push(Machine::row(rows::BROADCASTD).op(own.0[0], How::Def, Role::Register).last(var));
        }
    }
}
