//! Parts of slices and arrays.
//!
//! A part is a slice value, made once where it is written, with one check. Where that fails, the part is empty.

use super::FunctionLowering;
use super::builder::Builder;
use super::list::List;
use super::memory::{Memory, Operand, Shape};
use super::requirement::Failure;
use crate::ir::{Base, Check, Handle, Index, Op, Place, Space, Type, Value};
use crate::typed::{Expr, RangeForm, Ty};
use kernel_core::semantics::BinaryOp;
use kernel_core::{FaultKind, Scalar};

/// The part of a slice that a range names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) start: Handle<Value>,
    pub(super) len: Handle<Value>,
}

/// The part of a slice that a range names, if it is in bounds.
pub(super) struct Bounds {
    /// Whether it is.
    pub(super) hold: Handle<Value>,
    pub(super) part: Part,
    /// What is wrong otherwise.
    failures: Vec<Failure>,
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// `base[range]`.
    pub(super) fn sub_slice(&mut self, whole: &Expr, base: &Expr, range: &Expr) -> Memory {
        let memory = self.indexed(base);
        let ends = self.expr(range);
        let Ty::Range(_, form) = self.table.resolve(&range.ty) else { return memory };
        self.builder.span = whole.span;
        let slices = self.slices(&memory);
        let len = self.len_of(&slices);
        let part = self.checked_part(form, ends, len);
        self.part_of(&slices, part)
    }

    /// `&[]`.
    pub(super) fn empty_slice(&mut self, expr: &Expr) -> Operand {
        let ty = self.table.resolve(&expr.ty);
        let Some(shape) = ty.element().and_then(|element| self.shape(element)) else { return Operand::UNIT };
        Operand::Reference(Box::new(self.no_elements(&shape)))
    }

    fn no_elements(&mut self, shape: &Shape) -> Memory {
        match shape {
            Shape::Leaf(element) => self.builder.no_elements(*element),
            Shape::Tuple(parts) => Memory::Tuple(parts.iter().map(|part| self.no_elements(part)).collect()),
            Shape::BorrowedCopy(to) => Memory::BorrowedCopy(Box::new(self.no_elements(to))),
            Shape::Varying | Shape::Iterator | Shape::List(..) => Memory::List(List::new([])),
        }
    }

    /// The elements of an array or slice as slice values.
    pub(super) fn slices(&mut self, memory: &Memory) -> Memory {
        match memory {
            Memory::Place(Place { base: Base::Slice(_), path }) if path.is_empty() => memory.clone(),
            Memory::Place(place) => {
                self.builder.slice_of(place).map_or_else(|| memory.clone(), Memory::slice)
            }
            Memory::Tuple(arrays) => Memory::Tuple(arrays.iter().map(|array| self.slices(array)).collect()),
            Memory::BorrowedCopy(copies) => Memory::BorrowedCopy(Box::new(self.slices(copies))),
            Memory::Value(Operand::Reference(array)) => {
                Memory::Value(Operand::Reference(Box::new(self.slices(array))))
            }
            Memory::Choice { which, choices } => {
                self.each_choice(*which, choices, |lowering, choice| lowering.slices(choice))
            }
            Memory::List(_) | Memory::Flattened(_) => memory.clone(),
            Memory::Value(operand) => match self.spill(operand.clone()) {
                // Code that is never reached, or that rustc refuses.
                value @ Memory::Value(_) => value,
                spilled => self.slices(&spilled),
            },
            // Code that is never reached, or that rustc refuses.
            Memory::Varying(_) | Memory::Iterator(_) => memory.clone(),
        }
    }

    /// The array or slice that an expression stands for, once the indices on the way to it have been checked.
    pub(super) fn checked_elements(&mut self, expr: &Expr) -> Memory {
        let memory = self.indexed(expr);
        if is_checked(&memory) { self.slices(&memory) } else { memory }
    }

    /// The array that the elements of a slice are, where a pattern has taken part of an array for one.
    pub(super) fn load_array(&mut self, memory: &Memory, slice: Handle<Value>) -> Operand {
        let Some(ty) = self.builder.array_of_slice(slice) else { return Operand::UNIT };
        self.copied(memory, ty)
    }

    /// Stores an array to the elements of a slice of the same length.
    pub(super) fn store_array(&mut self, memory: &Memory, operand: &Operand) {
        let array = self.spill(operand.clone());
        self.copy_elements(&array, memory);
    }

    /// Copies as many elements as an array has.
    pub(super) fn copy_elements(&mut self, from: &Memory, to: &Memory) {
        let len = self.len_of(to);
        self.counted_loop(len, |lowering, index| {
            let index = Index { index, check: Check::Proved };
            let element = lowering.at(from, index);
            let operand = lowering.load(&element);
            let element = lowering.at(to, index);
            lowering.store(&element, &operand);
        });
    }

    /// A part of slice values that is known to be in them.
    pub(super) fn part_of(&mut self, slices: &Memory, part: Part) -> Memory {
        match slices {
            Memory::Place(Place { base: Base::Slice(slice), path }) if path.is_empty() => {
                let ty = self.builder.type_of(*slice);
                let Part { start, len } = part;
                Memory::slice(self.builder.evaluate(ty, Op::SubSlice { slice: *slice, start, len }))
            }
            Memory::Tuple(slices) => {
                Memory::Tuple(slices.iter().map(|slice| self.part_of(slice, part)).collect())
            }
            Memory::Choice { which, choices } => {
                self.each_choice(*which, choices, |lowering, choice| lowering.part_of(choice, part))
            }
            Memory::List(list) => Memory::List(self.part_of_list(list, part)),
            Memory::Flattened(flattened) => Memory::Flattened(self.part_of_flattened(flattened, part)),
            Memory::BorrowedCopy(copies) => Memory::BorrowedCopy(Box::new(self.part_of(copies, part))),
            Memory::Value(Operand::Reference(slice)) => {
                Memory::Value(Operand::Reference(Box::new(self.part_of(slice, part))))
            }
            // Code that is never reached, or that rustc refuses.
            other => other.clone(),
        }
    }

    /// The part that a range names of so many elements, or an empty one where it is not in bounds.
    fn checked_part(&mut self, form: RangeForm, ends: Operand, len: Handle<Value>) -> Part {
        let Bounds { hold, part, failures } = self.bounds(form, ends, len);
        if failures.is_empty() {
            return part;
        }
        let holds = self.builder.require(hold, failures);
        self.part_if(holds, part)
    }

    /// The part that a range names of so many elements, and when it is one.
    pub(super) fn bounds(&mut self, form: RangeForm, ends: Operand, len: Handle<Value>) -> Bounds {
        let ends = match ends {
            Operand::Tuple(ends) => ends.into_iter().map(|end| self.scalar_operand(end)).collect(),
            _ => Vec::new(),
        };
        let zero = self.builder.constant(Scalar::Usize, 0);
        match (form, &ends[..]) {
            (RangeForm::From, &[start]) => {
                let hold = self.builder.binary(BinaryOp::Le, start, len);
                let part = Part { start, len: self.builder.binary(BinaryOp::Sub, len, start) };
                Bounds { hold, part, failures: vec![Failure::new(FaultKind::RangeStart, &[start, len])] }
            }
            (RangeForm::To | RangeForm::ToInclusive, &[end]) => {
                let (hold, exclusive) = self.upper_end(end, len, form == RangeForm::ToInclusive);
                let part = Part { start: zero, len: exclusive };
                Bounds { hold, part, failures: vec![Failure::new(FaultKind::RangeEnd, &[end, len])] }
            }
            (_, &[start, end]) => {
                let (is_inside, exclusive) = self.upper_end(end, len, form == RangeForm::Closed);
                self.bounds_between([start, exclusive], is_inside, [end, len])
            }
            _ => {
                let hold = self.builder.constant(Scalar::Bool, 1);
                Bounds { hold, part: Part { start: zero, len }, failures: Vec::new() }
            }
        }
    }

    /// Returns whether the end of a range is in bounds, and the first index that is no longer in the range.
    fn upper_end(
        &mut self,
        end: Handle<Value>,
        len: Handle<Value>,
        inclusive: bool,
    ) -> (Handle<Value>, Handle<Value>) {
        if !inclusive {
            return (self.builder.binary(BinaryOp::Le, end, len), end);
        }
        let one = self.builder.integer_like(end, 1);
        let is_inside = self.builder.binary(BinaryOp::Lt, end, len);
        (is_inside, self.builder.binary(BinaryOp::Add, end, one))
    }

    /// The elements between two ends, of which the second is in bounds if `is_inside`. That the first one is, is tested only to
    /// tell what went wrong; `outside` goes with the fault that the second is not.
    fn bounds_between(
        &mut self,
        [start, end]: [Handle<Value>; 2],
        is_inside: Handle<Value>,
        outside: [Handle<Value>; 2],
    ) -> Bounds {
        let in_order = self.builder.binary(BinaryOp::Le, start, end);
        let starts_inside = self.builder.binary(BinaryOp::Le, start, outside[1]);
        let hold = self.builder.binary(BinaryOp::And, in_order, is_inside);
        let failures = vec![
            Failure::new(FaultKind::RangeStart, &[start, outside[1]]).unless(starts_inside),
            Failure::new(FaultKind::RangeEnd, &outside).unless(is_inside),
            Failure::new(FaultKind::RangeOrder, &[start, end]),
        ];
        let part = Part { start, len: self.builder.binary(BinaryOp::Sub, end, start) };
        Bounds { hold, part, failures }
    }

    /// A part, or an empty one.
    pub(super) fn part_if(&mut self, holds: Handle<Value>, part: Part) -> Part {
        let zero = self.builder.integer_like(part.start, 0);
        let start = self.builder.select(holds, part.start, zero);
        Part { start, len: self.builder.select(holds, part.len, zero) }
    }
}

impl Builder<'_, '_> {
    /// The elements of the array at a place as a slice value; none if there is no array.
    pub(super) fn slice_of(&mut self, place: &Place) -> Option<Handle<Value>> {
        let Type::Array { element, .. } = self.module.types[self.place_type(place)] else { return None };
        let (space, mutable) = match place.base {
            Base::Variable(_) => (Space::Private, true),
            Base::Parameter(_) => (Space::Private, false),
            Base::Pointer(pointer) => match self.module.types[self.type_of(pointer)] {
                Type::Pointer { mutable, .. } => (Space::Global, mutable),
                _ => (Space::Private, true),
            },
            Base::Local(_) => (Space::Local, true),
            Base::Table(_) => (Space::Constant, false),
            Base::Slice(slice) => match self.module.types[self.type_of(slice)] {
                Type::Slice { space, mutable, .. } => (space, mutable),
                _ => (Space::Private, true),
            },
        };
        let ty = self.module.types.intern(Type::Slice { element, space, mutable });
        Some(self.evaluate(ty, Op::SliceOf(place.clone())))
    }
}

/// Returns whether each access to memory checks an index.
fn is_checked(memory: &Memory) -> bool {
    match memory {
        Memory::Place(place) => place.is_checked(),
        Memory::Tuple(elements) | Memory::Choice { choices: elements, .. } => elements.iter().any(is_checked),
        Memory::BorrowedCopy(copies) => is_checked(copies),
        Memory::Value(_)
        | Memory::Varying(_)
        | Memory::Iterator(_)
        | Memory::List(_)
        | Memory::Flattened(_) => false,
    }
}
