//! Place expressions: what can be indexed, stored to and referred to.

use super::FunctionLowering;
use super::list::has_list;
use super::memory::{Memory, Operand};
use super::requirement::Failure;
use crate::ir::{Check, Handle, Index, Op, Place, Step, Value};
use crate::typed::{Binding, Expr, ExprKind, Ty};
use kernel_core::semantics::BinaryOp;
use kernel_core::{FaultKind, Scalar};

impl FunctionLowering<'_, '_, '_, '_> {
    /// The memory that an expression names; a value without any is put into some.
    pub(super) fn place(&mut self, expr: &Expr) -> Memory {
        let outer = std::mem::replace(&mut self.builder.span, expr.span);
        let around = self.builder.module.identities.enter(expr.into());
        let memory = match &expr.kind {
            ExprKind::Binding(binding) => match self.slots.get(binding) {
                Some(memory) => memory.clone(),
                None => Memory::Value(Operand::UNIT),
            },
            ExprKind::Index(base, index) => self.element(expr, base, index),
            ExprKind::Field(base, position) => self.place(base).element(*position),
            ExprKind::Payload(base, variant) => {
                let memory = self.place(base);
                self.payload(&memory, Some(*variant)).element(0)
            }
            ExprKind::Dereference(reference) => self.pointee(reference),
            ExprKind::Array(_) | ExprKind::Repeat(_) => self.new_array(expr, ""),
            ExprKind::Constant(value) => self.constant(value),
            _ => {
                let operand = self.expr(expr);
                self.spill(operand)
            }
        };
        self.builder.module.identities.leave(around);
        self.builder.span = outer;
        memory
    }

    /// The memory that patterns are matched against. What is indexed on the way is checked, as in Rust, even if no pattern looks at it.
    pub(super) fn scrutinee(&mut self, expr: &Expr) -> Memory {
        let memory = self.place(expr);
        self.check_now(&memory);
        memory
    }

    /// What a reference refers to.
    pub(super) fn pointee(&mut self, reference: &Expr) -> Memory {
        match self.expr(reference) {
            Operand::Reference(memory) => *memory,
            Operand::Value(value) => match self.builder.pointed_to(value) {
                Some(memory) => memory,
                None => Memory::Value(Operand::Value(value)),
            },
            // Local memory names what it holds.
            other => Memory::Value(other),
        }
    }

    /// The array or elements that an expression to be indexed stands for.
    pub(super) fn indexed(&mut self, base: &Expr) -> Memory {
        match self.table.resolve(&base.ty) {
            Ty::Slice { .. } | Ty::Reference { .. } => self.pointee(base),
            _ => self.place(base),
        }
    }

    /// Returns whether a variable may change after it has got its value.
    pub(super) fn may_change(&self, binding: Handle<Binding>) -> bool {
        let declared = &self.function.bindings[binding];
        declared.assignable || self.builder.module.program.has_cell(&self.table.resolve(&declared.ty))
    }

    /// Returns whether a place is a variable, or part of one, that is the same for as long as it is there.
    pub(super) fn never_changes(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Binding(binding) => !self.may_change(*binding),
            ExprKind::Field(base, _) => self.never_changes(base),
            _ => false,
        }
    }

    fn element(&mut self, whole: &Expr, base: &Expr, index: &Expr) -> Memory {
        let base_memory = self.indexed(base);
        let index = self.value(index);
        let base_type = self.table.resolve(&base.ty);
        let lanes = base_type.numeric().map(|vector| vector.lanes);
        let len = base_type.array_len().or(lanes).map(u64::from);
        let in_range =
            matches!((len, self.builder.constant_of(index)), (Some(len), Some(index)) if index < len);
        // The fault is at the whole expression, as in Rust.
        self.builder.span = whole.span;
        let check = if in_range { Check::Proved } else { self.builder.check(FaultKind::IndexOutOfBounds) };
        // Elements that are kept one by one, and references that no memory keeps, have no place whose access checks the index.
        if !in_range && has_list(&base_memory) {
            let len = self.len_of(&base_memory);
            let holds = self.builder.binary(BinaryOp::Lt, index, len);
            self.builder.require(holds, [Failure::new(FaultKind::IndexOutOfBounds, &[index, len])]);
        }
        self.at(&base_memory, Index { index, check })
    }

    pub(super) fn len(&mut self, expr: &Expr) -> Handle<Value> {
        if let Some(len) = self.table.resolve(&expr.ty).array_len() {
            // The array is computed all the same.
            self.indexed(expr);
            return self.builder.constant(Scalar::Usize, len.into());
        }
        let memory = self.indexed(expr);
        self.len_of(&memory)
    }

    /// A reference to a place. What is indexed on the way is checked now, as in Rust, even if nobody follows the reference.
    pub(super) fn reference(&mut self, place: &Expr, ty: &Ty) -> Operand {
        let mut memory = self.place(place);
        self.check_now(&memory);
        // Nobody else names an array that is made for its reference.
        let is_new = matches!(place.kind, ExprKind::Array(_) | ExprKind::Repeat(_));
        if is_new && !matches!(ty, Ty::Reference { mutable: true, .. } | Ty::Slice { mutable: true, .. }) {
            memory = memory.frozen();
        }
        self.reference_to(memory, ty)
    }

    /// A reference of a type to memory.
    pub(super) fn reference_to(&mut self, memory: Memory, ty: &Ty) -> Operand {
        let memory = match (ty, memory) {
            // A slice that is in no variable gets one.
            (Ty::Reference { to, mutable: true }, Memory::Value(operand)) if operand.has_reference() => {
                match self.shape(to) {
                    Some(shape) => self.own_as(&shape, operand, ""),
                    None => self.writable(Memory::Value(operand)),
                }
            }
            (Ty::Reference { mutable: true, .. }, memory) => self.writable(memory),
            (Ty::Reference { to, .. } | Ty::Slice { element: to, .. }, memory)
                if self.builder.module.program.has_cell(to) =>
            {
                self.writable(memory)
            }
            (_, memory) => memory,
        };
        Operand::Reference(Box::new(memory))
    }

    /// Whether the elements on the way to memory are there; none if that is known.
    pub(super) fn is_there(&mut self, memory: &Memory) -> Option<Handle<Value>> {
        match memory {
            Memory::Place(place) => self.is_in_bounds(place),
            // They share the checks on the way.
            Memory::Tuple(parts) => parts.iter().find_map(|part| self.is_there(part)),
            Memory::BorrowedCopy(to) | Memory::Value(Operand::Reference(to)) => self.is_there(to),
            Memory::Value(_)
            | Memory::Varying(_)
            | Memory::Iterator(_)
            | Memory::List(_)
            | Memory::Flattened(_)
            | Memory::Choice { .. } => None,
        }
    }

    /// Whether each index to a place that is checked is in bounds; none if there is no such index.
    fn is_in_bounds(&mut self, place: &Place) -> Option<Handle<Value>> {
        let mut all = None;
        for (position, step) in place.path.iter().enumerate() {
            let Step::Index(Index { index, check: Check::At(_) }) = *step else { continue };
            let indexed = Place { base: place.base, path: place.path[..position].to_vec() };
            let len = self.len_of(&Memory::Place(indexed));
            let holds = self.builder.binary(BinaryOp::Lt, index, len);
            all = Some(match all {
                Some(others) => self.builder.binary(BinaryOp::And, others, holds),
                None => holds,
            });
        }
        all
    }

    /// Makes the checks of a place fail here if they do, without an access to the place. The elements of a tuple share the checks on the way to it, so one will do.
    pub(super) fn check_now(&mut self, memory: &Memory) -> bool {
        match memory {
            Memory::Place(place) if place.is_checked() => {
                let ty = self.builder.scalar_type(Scalar::Bool);
                self.builder.evaluate(ty, Op::InBounds(place.clone()));
                true
            }
            Memory::Tuple(elements) => elements.iter().any(|element| self.check_now(element)),
            Memory::BorrowedCopy(copy) => self.check_now(copy),
            Memory::Choice { which, choices } => {
                let mut is_checked = false;
                self.by_choice(*which, choices, &mut |lowering, choice| {
                    is_checked |= lowering.check_now(choice)
                });
                is_checked
            }
            _ => false,
        }
    }
}
