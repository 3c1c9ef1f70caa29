//! `for` over a range.
//!
//! The ends and the step are computed once, before the loop. A loop that may have to go on to the last number of its type keeps a
//! flag that says whether there are more numbers, so that no counter runs past the end.

use super::FunctionLowering;
use super::memory::Operand;
use crate::ir::{self, Check, Handle, Op, Statement, Value, Variable};
use crate::typed::{self, Binding, Label, Order, Range};
use kernel_core::semantics::BinaryOp;
use kernel_core::{FaultKind, Scalar};

impl FunctionLowering<'_, '_, '_, '_> {
    pub(super) fn for_expr(
        &mut self,
        label: Label,
        binding: Option<Handle<Binding>>,
        range: &Range,
        body: &typed::Block,
    ) {
        let label = self.target(label, None);
        let (start, end) = (self.value(&range.start), self.value(&range.end));
        let lowered = Lowered { label, binding, start, end, inclusive: range.inclusive, body };
        match (&range.order, range.inclusive) {
            (Order::Forward, false) => self.forward(&lowered),
            (Order::Backward, false) => self.backward(&lowered),
            (Order::Forward, true) => {
                let more = self.more(&lowered);
                self.flagged(&lowered, start, more, |lowering, current| {
                    let rest = lowering.builder.binary(BinaryOp::Lt, current, end);
                    let one = lowering.builder.integer_like(current, 1);
                    (rest, lowering.builder.binary(BinaryOp::Add, current, one))
                });
            }
            (Order::Backward, true) => {
                let more = self.more(&lowered);
                self.flagged(&lowered, end, more, |lowering, current| {
                    let rest = lowering.builder.binary(BinaryOp::Lt, start, current);
                    let one = lowering.builder.integer_like(current, 1);
                    (rest, lowering.builder.binary(BinaryOp::Sub, current, one))
                });
            }
            (Order::Stepped(step), _) => self.stepped(&lowered, step),
        }
    }

    /// `a..b`, the usual form: the counter itself says whether there is more.
    fn forward(&mut self, range: &Lowered<'_>) {
        let counter = self.counter(range.start);
        self.builder.open();
        let current = self.builder.load_variable(counter);
        let condition = self.builder.binary(BinaryOp::Lt, current, range.end);
        self.pass(range, condition, current);
        let body = self.builder.close();
        self.builder.open();
        let current = self.builder.load_variable(counter);
        let one = self.builder.integer_like(current, 1);
        let next = self.builder.binary(BinaryOp::Add, current, one);
        self.builder.store_variable(counter, next);
        let continuing = self.builder.close();
        self.builder.push(Statement::Loop { label: range.label, body, continuing });
    }

    /// `(a..b).rev()`: the counter is one more than the number.
    fn backward(&mut self, range: &Lowered<'_>) {
        let counter = self.counter(range.end);
        self.builder.open();
        let above = self.builder.load_variable(counter);
        let condition = self.builder.binary(BinaryOp::Lt, range.start, above);
        self.break_unless(range.label, condition);
        let one = self.builder.integer_like(above, 1);
        let current = self.builder.binary(BinaryOp::Sub, above, one);
        self.builder.store_variable(counter, current);
        self.numbered(range, current);
        let body = self.builder.close();
        self.builder.open();
        let continuing = self.builder.close();
        self.builder.push(Statement::Loop { label: range.label, body, continuing });
    }

    /// `(a..b).step_by(step)`: there is more if the step is less than what is left, as an unsigned number.
    fn stepped(&mut self, range: &Lowered<'_>, step: &typed::Expr) {
        let step = self.value(step);
        let nonzero = self.checked_step(step);
        let some = self.more(range);
        let more = self.builder.binary(BinaryOp::And, some, nonzero);
        let (end, inclusive) = (range.end, range.inclusive);
        self.flagged(range, range.start, more, |lowering, current| {
            let left = lowering.builder.binary(BinaryOp::Sub, end, current);
            let scalar = lowering.builder.scalar_of(left);
            let left = lowering.builder.cast(left, crate::methods::unsigned(scalar));
            let left = lowering.builder.cast(left, Scalar::Usize);
            let op = if inclusive { BinaryOp::Le } else { BinaryOp::Lt };
            let more = lowering.builder.binary(op, step, left);
            let step = lowering.builder.cast(step, scalar);
            (more, lowering.builder.binary(BinaryOp::Add, current, step))
        });
    }

    /// Whether a step is not zero; if it is, that is a fault, and the loop is left out.
    fn checked_step(&mut self, step: Handle<Value>) -> Handle<Value> {
        let zero = self.builder.integer_like(step, 0);
        if !matches!(self.builder.constant_of(step), Some(bits) if bits != 0) {
            // A remainder is an operation with a check for zero; nobody needs its value.
            let nonzero = self.builder.check(FaultKind::ZeroStep);
            let ty = self.builder.type_of(step);
            let op =
                Op::Binary { op: BinaryOp::Rem, left: step, right: step, nonzero, overflow: Check::Proved };
            self.builder.evaluate(ty, op);
        }
        self.builder.binary(BinaryOp::Ne, step, zero)
    }

    /// Whether there is a number in the range at all.
    fn more(&mut self, range: &Lowered<'_>) -> Handle<Value> {
        let op = if range.inclusive { BinaryOp::Le } else { BinaryOp::Lt };
        self.builder.binary(op, range.start, range.end)
    }

    /// A loop with a flag. `next` answers, after a pass, whether there is more, and with the next number.
    fn flagged(
        &mut self,
        range: &Lowered<'_>,
        first: Handle<Value>,
        more: Handle<Value>,
        next: impl FnOnce(&mut Self, Handle<Value>) -> (Handle<Value>, Handle<Value>),
    ) {
        let counter = self.counter(first);
        let flag = self.counter(more);
        self.builder.open();
        let current = self.builder.load_variable(counter);
        let condition = self.builder.load_variable(flag);
        self.pass(range, condition, current);
        let body = self.builder.close();
        self.builder.open();
        let current = self.builder.load_variable(counter);
        let (more, next) = next(self, current);
        self.builder.store_variable(flag, more);
        self.builder.store_variable(counter, next);
        let continuing = self.builder.close();
        self.builder.push(Statement::Loop { label: range.label, body, continuing });
    }

    fn counter(&mut self, first: Handle<Value>) -> Handle<Variable> {
        let ty = self.builder.type_of(first);
        let counter = self.builder.variable("", ty);
        self.builder.store_variable(counter, first);
        counter
    }

    /// One pass, unless the loop is over.
    fn pass(&mut self, range: &Lowered<'_>, condition: Handle<Value>, current: Handle<Value>) {
        self.break_unless(range.label, condition);
        self.numbered(range, current);
    }

    /// The body for a number.
    fn numbered(&mut self, range: &Lowered<'_>, current: Handle<Value>) {
        if let Some(binding) = range.binding {
            self.bind(binding, Operand::Value(current));
        }
        self.block(range.body);
    }
}

/// A range with its ends computed, and the loop over it.
struct Lowered<'a> {
    label: ir::Label,
    binding: Option<Handle<Binding>>,
    start: Handle<Value>,
    end: Handle<Value>,
    inclusive: bool,
    body: &'a typed::Block,
}
