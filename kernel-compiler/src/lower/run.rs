//! Elements of slices as vectors, wherever they start. There is one check for all of them, which is that of `slice[start..start + N]`.

use super::builder::variable_place;
use super::memory::{Memory, Operand};
use super::requirement::Failure;
use super::{FunctionLowering, control};
use crate::ir::{Base, Check, Handle, Index, Op, Place, Statement, Step, Type, Value};
use crate::typed::Expr;
use kernel_core::semantics::BinaryOp;
use kernel_core::{FaultKind, Scalar};

impl FunctionLowering<'_, '_, '_, '_> {
    /// The elements from an index on as a vector; zeros if the slice does not have them.
    pub(super) fn load_run(&mut self, expr: &Expr, slice: &Expr, start: &Expr) -> Operand {
        let ty = self.table.resolve(&expr.ty);
        let ty = self.builder.module.stored_type(&ty);
        let slice = self.elements_of(slice);
        let start = self.value(start);
        let Some((place, holds)) = self.run_of(&slice, start, ty, expr) else { return Operand::UNIT };
        let zero = self.builder.leaf(ty, Op::Constant(0));
        let loaded = self.builder.variable_of(zero);
        self.builder.open();
        let value = self.builder.load(place, ty);
        self.builder.store(variable_place(loaded), value);
        let accept = self.builder.close();
        self.builder.push(Statement::If { condition: holds, accept, reject: control::empty() });
        Operand::Value(self.builder.load_variable(loaded))
    }

    /// Stores the lanes of a vector to the elements from an index on, if the slice has them.
    pub(super) fn store_run(&mut self, expr: &Expr, vector: &Expr, slice: &Expr, start: &Expr) -> Operand {
        let vector = self.value(vector);
        let slice = self.elements_of(slice);
        let start = self.value(start);
        let ty = self.builder.type_of(vector);
        let Some((place, holds)) = self.run_of(&slice, start, ty, expr) else { return Operand::UNIT };
        self.builder.open();
        self.store_place(&place, &Operand::Value(vector));
        let accept = self.builder.close();
        self.builder.push(Statement::If { condition: holds, accept, reject: control::empty() });
        Operand::UNIT
    }

    /// What an argument that is a slice, or a reference to an array, refers to, for an instruction that names one memory.
    pub(super) fn elements_of(&mut self, slice: &Expr) -> Memory {
        let memory = self.pointee(slice);
        if let Memory::Choice { .. } | Memory::Flattened(_) = memory {
            self.builder.span = slice.span;
            self.refuse_reference();
        }
        self.slices(&memory)
    }

    /// The place of a run of elements, and whether the slice has them.
    fn run_of(
        &mut self,
        slices: &Memory,
        start: Handle<Value>,
        vector: Handle<Type>,
        expr: &Expr,
    ) -> Option<(Place, Handle<Value>)> {
        // Elements that are vectors have no form but that of memory, and what is not a slice rustc refuses.
        let Memory::Place(Place { base: Base::Slice(slice), path }) = slices else { return None };
        debug_assert!(path.is_empty());
        let Type::Vector { lanes, .. } = self.builder.module.types[vector] else { return None };
        self.builder.span = expr.span;
        let len = self.len_of(slices);
        let count = self.builder.constant(Scalar::Usize, lanes.into());
        let end = self.builder.binary(BinaryOp::Add, start, count);
        let in_order = self.builder.binary(BinaryOp::Le, start, end);
        let is_inside = self.builder.binary(BinaryOp::Le, end, len);
        let starts_inside = self.builder.binary(BinaryOp::Le, start, len);
        let holds = self.builder.binary(BinaryOp::And, in_order, is_inside);
        let failures = [
            Failure::new(FaultKind::RangeStart, &[start, len]).unless(starts_inside),
            Failure::new(FaultKind::RangeEnd, &[end, len]).unless(is_inside),
            Failure::new(FaultKind::RangeOrder, &[start, end]),
        ];
        let holds = self.builder.require(holds, failures);
        let index = Index { index: start, check: Check::Proved };
        Some((Place { base: Base::Slice(*slice), path: vec![Step::Run { index, vector }] }, holds))
    }
}
