//! Statements that passes over a kernel add to it.

use crate::ir::{Check, Handle, Module, Op, Statement, Value};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use proc_macro2::Span;

/// Statements that are added to a block.
pub(super) struct Added<'a> {
    pub(super) module: &'a mut Module,
    /// Where they are taken to be written.
    pub(super) span: Span,
    pub(super) statements: Vec<Statement>,
}

impl Added<'_> {
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: Handle<Value>,
        right: Handle<Value>,
    ) -> Handle<Value> {
        let proved = Check::Proved;
        self.value(Scalar::Bool, Op::Binary { op, left, right, nonzero: proved, overflow: proved })
    }

    pub(super) fn value(&mut self, scalar: Scalar, op: Op) -> Handle<Value> {
        let ty = self.module.types.intern_numeric(scalar.into());
        let value = self.module.values.push(Value { ty, op, span: self.span });
        self.statements.push(Statement::Evaluate(value));
        value
    }
}
