//! Addresses by indices of 32 bits that wrap where no lanes are: `if lane >= d { x[lane - d] }`.
//!
//! What the general register of such a value has is that of the first lane of all, which is not here. So the first and the last of those that are here are asked: where the
//! index goes up from the one to the other, or down as its stride says, nothing wraps between them.

use super::ends::wrapped;
use super::{Selector, rows};
use crate::native::lir::{Block, Inst as Machine, Var};
use crate::program::{ConvertOp, Inst, Kind, Value};

/// The addresses of the lanes that are here.
pub(super) struct Ends {
    /// That of the first lane of all, if nothing wrapped.
    pub(super) base: Var,
    pub(super) stride: i64,
    /// Those of the first and of the last one that are here.
    pub(super) own: [Var; 2],
    /// Where it wraps between these.
    pub(super) wrapped: Block,
}

impl Selector<'_> {
    /// Where an address is a base and an index that is extended from 32 bits. What follows is where the index does not wrap between lanes that are here.
    pub(super) fn unwrapped(&mut self, address: Value) -> Option<Ends> {
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
        let [first, last] = self.first_and_last(mask);
        let start = self.s(x);
        let [low, high] = [first, last].map(|lane| {
            let distance = self.times(lane, of_x);
            let number = self.general();
            self.push(Machine::row(rows::ADD32).update(number, start).last(distance));
            number
        });
        let (is_signed, each) = (op == ConvertOp::Sext, self.function.block(true));
        let test = Machine::row(rows::CMP32).register(high).last(low);
        self.continue_unless(test, wrapped(is_signed, of_x), each);
        let index = if is_signed { self.sign_extended(Kind::I32, low) } else { low };
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
        Some(Ends { base, stride, own: [at_first, at_last], wrapped: each })
    }
}
