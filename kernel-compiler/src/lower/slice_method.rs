//! The methods of slices and arrays.
//!
//! Those that go over the elements are loops of one work-item. Positions in these loops are in bounds by themselves; what the user
//! gives is checked once, before anything is changed.

use super::FunctionLowering;
use super::control::empty;
use super::memory::{Memory, Operand};
use super::requirement::Failure;
use super::slice::Part;
use crate::ir::{Block, Check, End, Handle, Index, Statement, Value, Variable};
use crate::typed::{Expr, RangeForm, SliceMethod, Ty};
use kernel_core::semantics::{BinaryOp, UnaryOp};
use kernel_core::{FaultKind, Scalar};

impl FunctionLowering<'_, '_, '_, '_> {
    pub(super) fn slice_method(&mut self, expr: &Expr, method: SliceMethod, operands: &[Expr]) -> Operand {
        let Some((receiver, arguments)) = operands.split_first() else { return Operand::UNIT };
        let memory = match method {
            // It takes the array itself.
            SliceMethod::Map => self.moved_array(receiver),
            _ => self.checked_elements(receiver),
        };
        let arguments: Vec<_> = arguments.iter().map(|argument| self.expr(argument)).collect();
        let number = |lowering: &mut Self, position: usize| match arguments.get(position) {
            Some(Operand::Value(value)) => *value,
            _ => lowering.builder.constant(Scalar::Usize, 0),
        };
        match (method, arguments.first()) {
            (SliceMethod::SplitAt, _) => {
                let middle = number(self, 0);
                self.split_at(&memory, middle)
            }
            (SliceMethod::AsSlice, _) => Operand::Reference(Box::new(memory)),
            (SliceMethod::AsFlattened, _) => self.flattened(receiver, &memory),
            (SliceMethod::Fill, Some(value)) => {
                let len = self.len_of(&memory);
                self.counted_loop(len, |lowering, position| lowering.store_at(&memory, position, value));
                Operand::UNIT
            }
            (SliceMethod::CopyFromSlice, Some(Operand::Reference(source))) => {
                self.copy_from_slice(&memory, source);
                Operand::UNIT
            }
            (SliceMethod::Swap, _) => {
                let (one, other) = (number(self, 0), number(self, 1));
                self.checked_swap(&memory, [one, other]);
                Operand::UNIT
            }
            (SliceMethod::Reverse, _) => {
                let start = self.builder.constant(Scalar::Usize, 0);
                let len = self.len_of(&memory);
                self.reverse(&memory, Part { start, len });
                Operand::UNIT
            }
            (SliceMethod::RotateLeft | SliceMethod::RotateRight, _) => {
                let by = number(self, 0);
                self.rotate(&memory, by, method == SliceMethod::RotateLeft);
                Operand::UNIT
            }
            (SliceMethod::IsSorted, _) => Operand::Value(self.is_sorted(&memory)),
            (SliceMethod::Contains, Some(Operand::Reference(wanted))) => {
                let ty = self.element_type(receiver);
                Operand::Value(self.has_element(&memory, wanted, &ty))
            }
            (SliceMethod::StartsWith | SliceMethod::EndsWith, Some(Operand::Reference(other))) => {
                let ty = self.element_type(receiver);
                Operand::Value(self.has_end(&memory, other, &ty, method == SliceMethod::EndsWith))
            }
            (SliceMethod::First, _) => {
                let index = self.builder.constant(Scalar::Usize, 0);
                self.get(&memory, index)
            }
            (SliceMethod::Last, _) => {
                let index = self.last_index(&memory);
                self.get(&memory, index)
            }
            (SliceMethod::Get, _) => {
                let index = number(self, 0);
                self.get(&memory, index)
            }
            (SliceMethod::GetUnchecked, _) => {
                let index = number(self, 0);
                let element = self.at(&memory, Index { index, check: Check::Proved });
                Operand::Reference(Box::new(element))
            }
            (SliceMethod::GetPart, Some(ends)) => {
                let form = match operands.get(1).map(|range| self.table.resolve(&range.ty)) {
                    Some(Ty::Range(_, form)) => form,
                    _ => RangeForm::Full,
                };
                self.get_part(&memory, form, ends.clone())
            }
            (SliceMethod::SplitFirst | SliceMethod::SplitLast, _) => {
                self.split_off(&memory, method == SliceMethod::SplitLast)
            }
            (SliceMethod::PartitionPoint, Some(by)) => Operand::Value(self.partition_point(&memory, by)),
            (SliceMethod::Map, Some(by)) => self.map_array(expr, &memory, by),
            // Code that is never reached, or that rustc refuses.
            _ => Operand::UNIT,
        }
    }

    fn element_type(&self, slice: &Expr) -> Ty {
        self.table.resolve(&slice.ty).element().cloned().unwrap_or(Ty::Error)
    }

    /// An element at a position that is known to be in bounds.
    fn element_at(&mut self, memory: &Memory, position: Handle<Value>) -> Memory {
        self.at(memory, Index { index: position, check: Check::Proved })
    }

    fn load_at(&mut self, memory: &Memory, position: Handle<Value>) -> Operand {
        let element = self.element_at(memory, position);
        self.load(&element)
    }

    fn store_at(&mut self, memory: &Memory, position: Handle<Value>, value: &Operand) {
        let element = self.element_at(memory, position);
        self.store(&element, value);
    }

    /// The two parts; where there is no such place, which is a fault, both are empty.
    fn split_at(&mut self, memory: &Memory, middle: Handle<Value>) -> Operand {
        let slices = self.slices(memory);
        let len = self.len_of(&slices);
        let holds = self.builder.binary(BinaryOp::Le, middle, len);
        let holds = self.builder.require(holds, [Failure::new(FaultKind::Split, &[])]);
        let zero = self.builder.constant(Scalar::Usize, 0);
        let middle = self.builder.select(holds, middle, zero);
        let rest = self.builder.binary(BinaryOp::Sub, len, middle);
        let rest = self.builder.select(holds, rest, zero);
        let parts = [Part { start: zero, len: middle }, Part { start: middle, len: rest }];
        Operand::Tuple(parts.map(|part| Operand::Reference(Box::new(self.part_of(&slices, part)))).to_vec())
    }

    fn copy_from_slice(&mut self, memory: &Memory, source: &Memory) {
        let [len, of_source] = [memory, source].map(|memory| self.len_of(memory));
        let holds = self.builder.binary(BinaryOp::Eq, len, of_source);
        let fault = Failure::new(FaultKind::CopyLengths, &[of_source, len]);
        let holds = self.builder.require(holds, [fault]);
        let zero = self.builder.constant(Scalar::Usize, 0);
        let count = self.builder.select(holds, len, zero);
        self.counted_loop(count, |lowering, position| {
            let element = lowering.load_at(source, position);
            lowering.store_at(memory, position, &element);
        });
    }

    /// Exchanges two elements, unless one of them is not there, which is a fault.
    fn checked_swap(&mut self, memory: &Memory, [one, other]: [Handle<Value>; 2]) {
        let len = self.len_of(memory);
        let [first, second] = [one, other].map(|index| self.builder.binary(BinaryOp::Lt, index, len));
        let both = self.builder.binary(BinaryOp::And, first, second);
        let failures = [
            Failure::new(FaultKind::IndexOutOfBounds, &[one, len]).unless(first),
            Failure::new(FaultKind::IndexOutOfBounds, &[other, len]),
        ];
        let condition = self.builder.require(both, failures);
        self.builder.open();
        self.swap(memory, [one, other]);
        let accept = self.builder.close();
        self.builder.push(Statement::If { condition, accept, reject: empty() });
    }

    fn swap(&mut self, memory: &Memory, [one, other]: [Handle<Value>; 2]) {
        let [first, second] = [one, other].map(|position| self.load_at(memory, position));
        self.store_at(memory, one, &second);
        self.store_at(memory, other, &first);
    }

    /// Puts the elements of a part into the opposite order.
    fn reverse(&mut self, memory: &Memory, Part { start, len }: Part) {
        let [one, two] = [1, 2].map(|bits| self.builder.constant(Scalar::Usize, bits));
        let half = self.builder.defined_quotient(len, two);
        let end = self.builder.binary(BinaryOp::Add, start, len);
        let last = self.builder.binary(BinaryOp::Sub, end, one);
        self.counted_loop(half, |lowering, distance| {
            let from_start = lowering.builder.binary(BinaryOp::Add, start, distance);
            let from_end = lowering.builder.binary(BinaryOp::Sub, last, distance);
            lowering.swap(memory, [from_start, from_end]);
        });
    }

    /// Both parts are put into the opposite order, and then the whole. By too many elements, which is a fault, nothing is rotated.
    fn rotate(&mut self, memory: &Memory, by: Handle<Value>, to_the_left: bool) {
        let len = self.len_of(memory);
        let holds = self.builder.binary(BinaryOp::Le, by, len);
        let kind = if to_the_left { FaultKind::RotateLeft } else { FaultKind::RotateRight };
        let holds = self.builder.require(holds, [Failure::new(kind, &[])]);
        let start = self.builder.constant(Scalar::Usize, 0);
        let len = self.builder.select(holds, len, start);
        let by = self.builder.select(holds, by, start);
        let rest = self.builder.binary(BinaryOp::Sub, len, by);
        let [first, second] = if to_the_left { [by, rest] } else { [rest, by] };
        self.reverse(memory, Part { start, len: first });
        self.reverse(memory, Part { start: first, len: second });
        self.reverse(memory, Part { start, len });
    }

    fn is_sorted(&mut self, memory: &Memory) -> Handle<Value> {
        let len = self.len_of(memory);
        let one = self.builder.constant(Scalar::Usize, 1);
        self.all_hold(one, len, |lowering, position| {
            let before = lowering.builder.binary(BinaryOp::Sub, position, one);
            let [before, current] = [before, position].map(|position| {
                let element = lowering.load_at(memory, position);
                lowering.scalar_operand(element)
            });
            lowering.builder.binary(BinaryOp::Le, before, current)
        })
    }

    fn has_element(&mut self, memory: &Memory, wanted: &Memory, ty: &Ty) -> Handle<Value> {
        let len = self.len_of(memory);
        let start = self.builder.constant(Scalar::Usize, 0);
        let none = self.all_hold(start, len, |lowering, position| {
            let element = lowering.element_at(memory, position);
            let equal = lowering.equal_memory(&element, wanted, ty);
            lowering.builder.unary(UnaryOp::Not, equal)
        });
        self.builder.unary(UnaryOp::Not, none)
    }

    /// Returns whether a slice starts, or ends, with the elements of another one.
    fn has_end(&mut self, memory: &Memory, other: &Memory, ty: &Ty, at_the_end: bool) -> Handle<Value> {
        let [len, of_other] = [memory, other].map(|memory| self.len_of(memory));
        let fits = self.builder.binary(BinaryOp::Le, of_other, len);
        let zero = self.builder.constant(Scalar::Usize, 0);
        let count = self.builder.select(fits, of_other, zero);
        let start = if at_the_end { self.builder.binary(BinaryOp::Sub, len, of_other) } else { zero };
        let same = self.all_hold(zero, count, |lowering, position| {
            let wanted = lowering.element_at(other, position);
            let position = lowering.builder.binary(BinaryOp::Add, start, position);
            let element = lowering.element_at(memory, position);
            lowering.equal_memory(&element, &wanted, ty)
        });
        self.builder.binary(BinaryOp::And, fits, same)
    }

    /// Returns whether something holds at all positions from one up to another; after the first where it does not, no other is looked at.
    pub(super) fn all_hold(
        &mut self,
        start: Handle<Value>,
        end: Handle<Value>,
        test: impl FnOnce(&mut Self, Handle<Value>) -> Handle<Value>,
    ) -> Handle<Value> {
        let result = self.flag(true);
        let label = self.builder.fresh_label();
        self.count_up(label, start, Some(end), |lowering, position| {
            let holds = test(lowering, position);
            lowering.builder.open();
            let no = lowering.builder.constant(Scalar::Bool, 0);
            lowering.builder.store_variable(result, no);
            let Block { statements, .. } = lowering.builder.close();
            let reject = Block { statements, end: End::Break(label) };
            lowering.builder.push(Statement::If { condition: holds, accept: empty(), reject });
        });
        self.builder.load_variable(result)
    }

    /// A variable of the compiler's own that is `true` or `false` at first.
    pub(super) fn flag(&mut self, first: bool) -> Handle<Variable> {
        let first = self.builder.constant(Scalar::Bool, first.into());
        let ty = self.builder.type_of(first);
        let flag = self.builder.variable("", ty);
        self.builder.store_variable(flag, first);
        flag
    }
}
