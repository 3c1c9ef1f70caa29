//! What passes have in common that move the checks of a kernel, and the statements that they add to it.

use crate::ir::{Block, Check, End, Handle, Module, Op, Statement, Value};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use proc_macro2::Span;

/// Changes the body of a kernel in which a work-item ends at a fault; others stay as they are.
pub(super) fn change_where_faults_end(module: &mut Module, change: impl FnOnce(&mut Module, &mut Block)) {
    if module.body.has_convergent(&module.values) {
        return;
    }
    let nothing = Block { statements: Vec::new(), end: End::Return };
    let mut body = std::mem::replace(&mut module.body, nothing);
    change(module, &mut body);
    module.body = body;
}

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
