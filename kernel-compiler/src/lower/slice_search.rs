//! Elements and parts of slices that may not be there.
//!
//! A reference to an element is the place of the element, and looking at it checks the index once more: where there is none, nobody should look,
//! and where somebody has made sure of that with a condition, the check is found to be needless.

use super::FunctionLowering;
use super::memory::{Memory, Operand};
use super::slice::{Bounds, Part};
use crate::ir::{Check, Handle, Index, Value};
use crate::typed::{Expr, RangeForm};
use kernel_core::semantics::BinaryOp;
use kernel_core::{FaultKind, Scalar};

impl FunctionLowering<'_, '_, '_, '_> {
    /// The last index; of an empty slice, one that is out of bounds.
    pub(super) fn last_index(&mut self, memory: &Memory) -> Handle<Value> {
        let len = self.len_of(memory);
        let one = self.builder.integer_like(len, 1);
        self.builder.binary(BinaryOp::Sub, len, one)
    }

    /// The element at an index, as an `Option` of a reference.
    pub(super) fn get(&mut self, memory: &Memory, index: Handle<Value>) -> Operand {
        let len = self.len_of(memory);
        let is_there = self.builder.binary(BinaryOp::Lt, index, len);
        let element = self.checked_element(memory, index, is_there);
        Self::option(is_there, element)
    }

    /// A reference to an element that is there if a condition holds.
    fn checked_element(&mut self, memory: &Memory, index: Handle<Value>, is_there: Handle<Value>) -> Operand {
        let check = match self.builder.constant_of(is_there) {
            Some(1) => Check::Proved,
            _ => self.builder.check(FaultKind::IndexOutOfBounds),
        };
        Operand::Reference(Box::new(self.at(memory, Index { index, check })))
    }

    /// The elements in a range, as an `Option` of a slice.
    pub(super) fn get_part(&mut self, memory: &Memory, form: RangeForm, ends: Operand) -> Operand {
        let slices = self.slices(memory);
        let len = self.len_of(&slices);
        let Bounds { hold, part, .. } = self.bounds(form, ends, len);
        let part = self.part_if(hold, part);
        let part = self.part_of(&slices, part);
        Self::option(hold, Operand::Reference(Box::new(part)))
    }

    /// `split_first` and `split_last`: an element at one end, and the others.
    pub(super) fn split_off(&mut self, memory: &Memory, at_the_end: bool) -> Operand {
        let slices = self.slices(memory);
        let len = self.len_of(&slices);
        let [zero, one] = [0, 1].map(|bits| self.builder.constant(Scalar::Usize, bits));
        let is_there = self.builder.binary(BinaryOp::Lt, zero, len);
        let rest = self.builder.binary(BinaryOp::Sub, len, one);
        let (index, start) = if at_the_end { (rest, zero) } else { (zero, one) };
        let element = self.checked_element(&slices, index, is_there);
        let others = self.part_if(is_there, Part { start, len: rest });
        let others = self.part_of(&slices, others);
        Self::option(is_there, Operand::Tuple(vec![element, Operand::Reference(Box::new(others))]))
    }

    /// The least position from which on a closure holds no more, found by halving.
    pub(super) fn partition_point(&mut self, memory: &Memory, by: &Operand) -> Handle<Value> {
        let [zero, one] = [0, 1].map(|bits| self.builder.constant(Scalar::Usize, bits));
        let len = self.len_of(memory);
        let (low, high) = (self.counter(zero), self.counter(len));
        let label = self.builder.fresh_label();
        self.repeated(label, |lowering| {
            let [start, end] = [low, high].map(|end| lowering.builder.load_variable(end));
            let more = lowering.builder.binary(BinaryOp::Lt, start, end);
            lowering.break_unless(label, more);
            let distance = lowering.builder.binary(BinaryOp::Sub, end, start);
            let half = lowering.builder.binary(BinaryOp::Shr, distance, one);
            let middle = lowering.builder.binary(BinaryOp::Add, start, half);
            let element = lowering.at(memory, Index { index: middle, check: Check::Proved });
            let holds = lowering.called(by, vec![Operand::Reference(Box::new(element))]);
            let holds = lowering.scalar_operand(holds);
            let above = lowering.builder.binary(BinaryOp::Add, middle, one);
            let start = lowering.builder.select(holds, above, start);
            let end = lowering.builder.select(holds, end, middle);
            lowering.builder.store_variable(low, start);
            lowering.builder.store_variable(high, end);
        });
        self.builder.load_variable(low)
    }

    /// `array.map(closure)`.
    pub(super) fn map_array(&mut self, expr: &Expr, array: &Memory, by: &Operand) -> Operand {
        self.filled_array(expr, |lowering, index| {
            let element = lowering.at(array, Index { index, check: Check::Proved });
            let element = lowering.load(&element);
            lowering.called(by, vec![element])
        })
    }

    /// `std::array::from_fn(closure)`.
    pub(super) fn array_from_fn(&mut self, expr: &Expr, by: &Expr) -> Operand {
        let by = self.expr(by);
        self.filled_array(expr, |lowering, index| lowering.called(&by, vec![Operand::Value(index)]))
    }

    /// An array whose elements are computed from their indices, from the first on.
    fn filled_array(
        &mut self,
        expr: &Expr,
        element: impl FnOnce(&mut Self, Handle<Value>) -> Operand,
    ) -> Operand {
        let ty = self.table.resolve(&expr.ty);
        let Some(memory) = self.allocate(&ty, "") else { return Operand::UNIT };
        let len = self.builder.constant(Scalar::Usize, ty.array_len().unwrap_or(0).into());
        self.counted_loop(len, |lowering, index| {
            let element = element(lowering, index);
            let place = lowering.at(&memory, Index { index, check: Check::Proved });
            lowering.store(&place, &element);
        });
        self.load(&memory)
    }

    /// `std::mem::swap`.
    pub(super) fn swap_places(&mut self, one: &Expr, other: &Expr) {
        let (one, other) = (self.pointee(one), self.pointee(other));
        let (first, second) = (self.load(&one), self.load(&other));
        self.store(&one, &second);
        self.store(&other, &first);
    }

    /// `std::mem::replace`.
    pub(super) fn replace(&mut self, place: &Expr, value: &Expr) -> Operand {
        let memory = self.pointee(place);
        let value = self.expr(value);
        let old = self.load(&memory);
        self.store(&memory, &value);
        old
    }
}
