//! Addresses by indices of 32 bits that wrap where no lanes are: `if lane >= d { x[lane - d] }`.
//!
//! What the general register of such a value has is that of the first lane of all, which is not here. So the first and the last of those that are here are asked: where the
//! index goes up from the one to the other, or down as its stride says, nothing wraps between them.

use super::{Selector, rows};
use crate::native::encode::Condition;
use crate::native::lir::{Block, Inst as Machine, Var};
use crate::program::{ConvertOp, Inst, Kind, Value};

/// The addresses of the lanes that are here.
pub(super) struct Ends {
    /// That of the first lane of all, if nothing wrapped.
    pub(super) base: Var,
    pub(super) stride: i64,
    /// Those of the first and of the last one that are here.
    pub(super) each: [Var; 2],
}

impl Selector<'_> {
    /// Where an address is a base and an index that is extended from 32 bits. Goes to `each` where the index wraps between lanes that are here.
    pub(super) fn unwrapped(&mut self, address: Value, each: Block) -> Option<Ends> {
        let mask = self.mask?;
        let stride = self.stride(address)?;
        let Some(Inst::Address { base, index, scale, offset, .. }) = self.defined[address.0 as usize] else {
            return None;
        };
        let Some(Inst::Convert(op, Kind::I32, Kind::I64, _, x)) = self.defined[index.0 as usize] else {
            return None;
        };
        let is_right = |value: Value| !self.shapes.fragile[value.0 as usize] && !self.reads_shadow(value);
        if ![base, x].into_iter().all(|value| self.is_scalar(value) && is_right(value)) {
            return None;
        }
        let (of_base, of_x) = (self.stride(base)?, self.stride(x)?);
        let lanes = self.general();
        self.push(Machine::row(rows::KMOV_TO_GENERAL).def(lanes).last(mask));
        let [first, last] = [rows::TZCNT, rows::BSR].map(|row| {
            let lane = self.general();
            self.push(Machine::row(row).def(lane).last(lanes));
            lane
        });
        let start = self.s(x);
        let [low, high] = [first, last].map(|lane| {
            let distance = self.times(lane, of_x);
            let number = self.general();
            self.push(Machine::row(rows::ADD32).update(number, start).last(distance));
            number
        });
        let wrapped = match (op == ConvertOp::Sext, of_x > 0) {
            (false, true) => Condition::Below,
            (false, false) => Condition::Above,
            (true, true) => Condition::Less,
            (true, false) => Condition::Greater,
        };
        self.continue_unless(Machine::row(rows::CMP32).register(high).last(low), wrapped, each);
        let index = if op == ConvertOp::Sext { self.sign_extended(Kind::I32, low) } else { low };
        let mut at_first = self.s(base);
        if of_base != 0 {
            let distance = self.times(first, of_base);
            at_first = self.sum(at_first, distance);
        }
        let distance = self.times(index, scale);
        let at_first = self.sum(at_first, distance);
        let at_first = self.plus(at_first, offset);
        let (back, reach) = (self.times(first, -stride), self.times(last, stride));
        let base = self.sum(at_first, back);
        let at_last = self.sum(base, reach);
        Some(Ends { base, stride, each: [at_first, at_last] })
    }
}
