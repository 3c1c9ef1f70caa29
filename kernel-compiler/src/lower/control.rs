//! Control flow.

use super::{Exit, FunctionLowering, Target};
use crate::ir::{self, Block, End, Handle, Statement, Value, Variable};
use crate::typed::{self, Binding, Expr, Label, Ty};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

impl FunctionLowering<'_, '_, '_, '_> {
    /// The variable that takes the value of an expression whose parts compute it in several places.
    pub(super) fn result_variable(&mut self, expr: &Expr) -> Option<Handle<Variable>> {
        match self.table.resolve(&expr.ty) {
            Ty::Unit | Ty::Never | Ty::Error | Ty::Variable(..) | Ty::Slice { .. } => None,
            ty => {
                let ty = self.builder.module.stored_type(&ty);
                Some(self.builder.variable("", ty))
            }
        }
    }

    /// What an expression with such a variable is worth; one that never ends has no value.
    pub(super) fn result(
        &mut self,
        expr: &Expr,
        variable: Option<Handle<Variable>>,
    ) -> Option<Handle<Value>> {
        if self.table.resolve(&expr.ty) == Ty::Never {
            self.unreachable();
        }
        variable.map(|variable| self.builder.load_variable(variable))
    }

    pub(super) fn store_result(&mut self, variable: Option<Handle<Variable>>, value: Option<Handle<Value>>) {
        if let (Some(variable), Some(value)) = (variable, value) {
            self.builder.store_variable(variable, value);
        }
    }

    /// Names a loop or block; the same function may be lowered in several places, so that its own names are not enough.
    fn target(&mut self, label: Label, value: Option<Handle<Variable>>) -> ir::Label {
        let target = Target { label: self.builder.fresh_label(), value };
        self.targets.insert(label, target);
        target.label
    }

    pub(super) fn if_expr(
        &mut self,
        expr: &Expr,
        condition: &Expr,
        accept: &typed::Block,
        reject: Option<&Expr>,
    ) -> Option<Handle<Value>> {
        let variable = self.result_variable(expr);
        let condition = self.value(condition);
        self.builder.open();
        let value = self.block(accept);
        self.store_result(variable, value);
        let accept = self.builder.close();
        self.builder.open();
        let value = reject.and_then(|reject| self.expr(reject));
        self.store_result(variable, value);
        let reject = self.builder.close();
        self.builder.push(Statement::If { condition, accept, reject });
        self.result(expr, variable)
    }

    pub(super) fn labelled_block(
        &mut self,
        expr: &Expr,
        label: Label,
        block: &typed::Block,
    ) -> Option<Handle<Value>> {
        let variable = self.result_variable(expr);
        let label = self.target(label, variable);
        self.builder.open();
        let value = self.block(block);
        self.store_result(variable, value);
        self.builder.end(End::Break(label));
        let body = self.builder.close();
        self.builder.push(Statement::Loop { label, body, continuing: empty() });
        self.result(expr, variable)
    }

    pub(super) fn loop_expr(
        &mut self,
        expr: &Expr,
        label: Label,
        body: &typed::Block,
    ) -> Option<Handle<Value>> {
        let variable = self.result_variable(expr);
        let label = self.target(label, variable);
        self.builder.open();
        self.block(body);
        let body = self.builder.close();
        self.builder.push(Statement::Loop { label, body, continuing: empty() });
        self.result(expr, variable)
    }

    pub(super) fn while_expr(
        &mut self,
        label: Label,
        condition: &Expr,
        body: &typed::Block,
    ) -> Option<Handle<Value>> {
        let label = self.target(label, None);
        self.builder.open();
        let condition = self.value(condition);
        self.break_unless(label, condition);
        self.block(body);
        let body = self.builder.close();
        self.builder.push(Statement::Loop { label, body, continuing: empty() });
        None
    }

    fn break_unless(&mut self, label: ir::Label, condition: Handle<Value>) {
        let reject = Block { statements: Vec::new(), end: End::Break(label) };
        self.builder.push(Statement::If { condition, accept: empty(), reject });
    }

    /// `for` over a range. The bounds are computed once; an inclusive range ends after the pass with its last
    /// number, so that it may be the largest of its type.
    pub(super) fn for_expr(
        &mut self,
        label: Label,
        binding: Option<Handle<Binding>>,
        (start, end, inclusive): (&Expr, &Expr, bool),
        body: &typed::Block,
    ) -> Option<Handle<Value>> {
        let label = self.target(label, None);
        let start = self.value(start);
        let end = self.value(end);
        let ty = self.builder.type_of(start);
        let counter = self.builder.variable("", ty);
        self.builder.store_variable(counter, start);
        let more = inclusive.then(|| self.inclusive_flag(start, end));

        self.builder.open();
        let current = self.builder.load_variable(counter);
        let condition = match more {
            Some(more) => self.builder.load_variable(more),
            None => self.builder.binary(BinaryOp::Lt, current, end),
        };
        self.break_unless(label, condition);
        if let Some(binding) = binding {
            self.bind(binding, Some(current));
        }
        self.block(body);
        let body = self.builder.close();

        self.builder.open();
        let current = self.builder.load_variable(counter);
        if let Some(more) = more {
            let condition = self.builder.binary(BinaryOp::Lt, current, end);
            self.builder.store_variable(more, condition);
        }
        let one = self.builder.integer_like(current, 1);
        let next = self.builder.binary(BinaryOp::Add, current, one);
        self.builder.store_variable(counter, next);
        let continuing = self.builder.close();
        self.builder.push(Statement::Loop { label, body, continuing });
        None
    }

    /// A variable that says whether an inclusive range has more numbers.
    fn inclusive_flag(&mut self, start: Handle<Value>, end: Handle<Value>) -> Handle<Variable> {
        let ty = self.builder.scalar_type(Scalar::Bool);
        let more = self.builder.variable("", ty);
        let condition = self.builder.binary(BinaryOp::Le, start, end);
        self.builder.store_variable(more, condition);
        more
    }

    /// A loop over `0..count` that the compiler makes for itself.
    pub(super) fn counted_loop(&mut self, count: Handle<Value>, body: impl FnOnce(&mut Self, Handle<Value>)) {
        let label = self.builder.fresh_label();
        let zero = self.builder.integer_like(count, 0);
        let ty = self.builder.type_of(count);
        let counter = self.builder.variable("", ty);
        self.builder.store_variable(counter, zero);
        self.builder.open();
        let current = self.builder.load_variable(counter);
        let condition = self.builder.binary(BinaryOp::Lt, current, count);
        self.break_unless(label, condition);
        body(self, current);
        let body = self.builder.close();
        self.builder.open();
        let current = self.builder.load_variable(counter);
        let one = self.builder.integer_like(current, 1);
        let next = self.builder.binary(BinaryOp::Add, current, one);
        self.builder.store_variable(counter, next);
        let continuing = self.builder.close();
        self.builder.push(Statement::Loop { label, body, continuing });
    }

    pub(super) fn break_expr(&mut self, label: Label, value: Option<&Expr>) -> Option<Handle<Value>> {
        let value = value.and_then(|value| self.expr(value));
        if let Some(target) = self.targets.get(&label).copied() {
            self.store_result(target.value, value);
            self.builder.end(End::Break(target.label));
        }
        None
    }

    pub(super) fn return_expr(&mut self, value: Option<&Expr>) -> Option<Handle<Value>> {
        let value = value.and_then(|value| self.expr(value));
        if let Exit::Inlined { target, .. } = self.exit {
            self.store_result(target.value, value);
        }
        self.leave();
        None
    }
}

fn empty() -> ir::Block {
    Block { statements: Vec::new(), end: End::Next }
}
