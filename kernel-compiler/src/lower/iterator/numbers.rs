//! Loops that count.
//!
//! A loop that may have to go on to the last number of its type keeps a flag that says whether there are more numbers, so that no
//! counter runs past the end.

use super::{Numbers, Step};
use crate::ir::{self, Handle, Statement, Value, Variable};
use crate::lower::FunctionLowering;
use crate::lower::control::empty;
use crate::typed::{Expr, RangeForm, Ty};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

impl FunctionLowering<'_, '_, '_, '_> {
    /// Goes over the numbers of a range, from the least on.
    pub(super) fn go_up(
        &mut self,
        label: ir::Label,
        numbers: Numbers,
        body: impl FnOnce(&mut Self, Handle<Value>),
    ) {
        match numbers.end {
            None if self.builder.inherits_overflow_checks() => self.count_on(label, numbers.start, body),
            None => self.count_up(label, numbers.start, None, body),
            Some((end, false)) => self.count_up(label, numbers.start, Some(end), body),
            Some((last, true)) => {
                let more = self.builder.binary(BinaryOp::Le, numbers.start, last);
                self.flagged(label, [numbers.start, more], body, |lowering, current| {
                    let rest = lowering.builder.binary(BinaryOp::Lt, current, last);
                    let one = lowering.builder.integer_like(current, 1);
                    (rest, lowering.builder.binary(BinaryOp::Add, current, one))
                });
            }
        }
    }

    /// Goes over the numbers of a range that has an end, from the greatest on.
    pub(super) fn go_down(
        &mut self,
        label: ir::Label,
        numbers: Numbers,
        body: impl FnOnce(&mut Self, Handle<Value>),
    ) {
        let Numbers { start, end } = numbers;
        match end {
            None => {}
            Some((end, false)) => self.count_down(label, [start, end], body),
            Some((last, true)) => {
                let more = self.builder.binary(BinaryOp::Le, start, last);
                self.flagged(label, [last, more], body, |lowering, current| {
                    let rest = lowering.builder.binary(BinaryOp::Lt, start, current);
                    let one = lowering.builder.integer_like(current, 1);
                    (rest, lowering.builder.binary(BinaryOp::Sub, current, one))
                });
            }
        }
    }

    /// Goes over every so many numbers of a range. Numbers of few bits are counted in 64, so that no step goes beyond the last of them; of others there is more
    /// if the step is less than what is left, as an unsigned number.
    pub(super) fn go_in_steps(
        &mut self,
        label: ir::Label,
        numbers: Numbers,
        step: Step,
        body: impl FnOnce(&mut Self, Handle<Value>),
    ) {
        let scalar = self.builder.scalar_of(numbers.start);
        if let (Some((end, inclusive)), true) = (numbers.end, scalar.bits() < 64) {
            let wide = if scalar.is_signed() { Scalar::I64 } else { Scalar::Usize };
            let [start, mut end] = [numbers.start, end].map(|number| self.builder.cast(number, wide));
            if inclusive {
                let one = self.builder.integer_like(end, 1);
                end = self.builder.binary(BinaryOp::Add, end, one);
            }
            return self.count_up_by(label, [start, end], step, |lowering, number| {
                let number = lowering.builder.cast(number, scalar);
                body(lowering, number);
            });
        }
        let Some((end, inclusive)) = numbers.end else {
            let by = self.builder.cast(step.by, self.builder.scalar_of(numbers.start));
            return self.counting_up(label, [numbers.start, by], None, body);
        };
        let some = self.some(numbers.start, (end, inclusive));
        let more = self.builder.binary(BinaryOp::And, some, step.is_valid);
        self.flagged(label, [numbers.start, more], body, |lowering, current| {
            let left = lowering.distance(current, end);
            let op = if inclusive { BinaryOp::Le } else { BinaryOp::Lt };
            let more = lowering.builder.binary(op, step.by, left);
            let scalar = lowering.builder.scalar_of(current);
            let by = lowering.builder.cast(step.by, scalar);
            (more, lowering.builder.binary(BinaryOp::Add, current, by))
        });
    }

    /// How far it is from one number up to another, as a `usize`.
    pub(super) fn distance(&mut self, from: Handle<Value>, to: Handle<Value>) -> Handle<Value> {
        let distance = self.builder.binary(BinaryOp::Sub, to, from);
        let scalar = self.builder.scalar_of(distance);
        let distance = self.builder.cast(distance, crate::methods::unsigned(scalar));
        self.builder.cast(distance, Scalar::Usize)
    }

    /// Returns whether there is a number between two ends, of which the second may be part of the range.
    pub(super) fn some(
        &mut self,
        start: Handle<Value>,
        (end, inclusive): (Handle<Value>, bool),
    ) -> Handle<Value> {
        let op = if inclusive { BinaryOp::Le } else { BinaryOp::Lt };
        self.builder.binary(op, start, end)
    }

    /// `start..end`, the usual form: the counter itself says whether there is more.
    pub(in crate::lower) fn count_up(
        &mut self,
        label: ir::Label,
        start: Handle<Value>,
        end: Option<Handle<Value>>,
        body: impl FnOnce(&mut Self, Handle<Value>),
    ) {
        let one = self.builder.integer_like(start, 1);
        self.counting_up(label, [start, one], end, body);
    }

    /// `(start..end).step_by(step)` for numbers of 64 bits that are less than half of those there are, as positions in memory: a step
    /// that is no longer than that does not go beyond the last number.
    pub(super) fn count_up_by(
        &mut self,
        label: ir::Label,
        [start, end]: [Handle<Value>; 2],
        step: Step,
        body: impl FnOnce(&mut Self, Handle<Value>),
    ) {
        let scalar = self.builder.scalar_of(end);
        let most = if scalar.is_signed() { 1 << 62 } else { 1 << 63 };
        let most = self.builder.integer_like(step.by, most);
        let by = self.lesser(Some(step.by), Some(most)).unwrap_or(step.by);
        let by = self.builder.cast(by, scalar);
        let start = self.builder.select(step.is_valid, start, end);
        self.counting_up(label, [start, by], Some(end), body);
    }

    /// The loop of a counter that starts somewhere and grows by so much, as long as it is less than an end.
    pub(in crate::lower) fn counting_up(
        &mut self,
        label: ir::Label,
        [start, by]: [Handle<Value>; 2],
        end: Option<Handle<Value>>,
        body: impl FnOnce(&mut Self, Handle<Value>),
    ) {
        let counter = self.counter(start);
        match end {
            Some(_) => self.builder.open(),
            None => self.open_unbounded(label),
        }
        let current = self.builder.load_variable(counter);
        if let Some(end) = end {
            let condition = self.builder.binary(BinaryOp::Lt, current, end);
            self.break_unless(label, condition);
        }
        body(self, current);
        let body = self.builder.close();
        self.builder.open();
        let current = self.builder.load_variable(counter);
        let next = self.builder.binary(BinaryOp::Add, current, by);
        self.builder.store_variable(counter, next);
        let continuing = self.builder.close();
        self.builder.push(Statement::Loop { label, body, continuing });
    }

    /// The numbers from one on, without an end: a number is handed out if there is a next one, else it is a fault.
    fn count_on(
        &mut self,
        label: ir::Label,
        start: Handle<Value>,
        body: impl FnOnce(&mut Self, Handle<Value>),
    ) {
        let counter = self.counter(start);
        self.open_unbounded(label);
        let current = self.builder.load_variable(counter);
        let next = self.builder.successor(current);
        self.builder.store_variable(counter, next);
        body(self, current);
        let body = self.builder.close();
        self.builder.push(Statement::Loop { label, body, continuing: empty() });
    }

    /// `(start..end).rev()`: the counter is one more than the number.
    pub(super) fn count_down(
        &mut self,
        label: ir::Label,
        [start, end]: [Handle<Value>; 2],
        body: impl FnOnce(&mut Self, Handle<Value>),
    ) {
        let counter = self.counter(end);
        self.builder.open();
        let above = self.builder.load_variable(counter);
        let condition = self.builder.binary(BinaryOp::Lt, start, above);
        self.break_unless(label, condition);
        let one = self.builder.integer_like(above, 1);
        let current = self.builder.binary(BinaryOp::Sub, above, one);
        self.builder.store_variable(counter, current);
        body(self, current);
        let body = self.builder.close();
        self.builder.open();
        let continuing = self.builder.close();
        self.builder.push(Statement::Loop { label, body, continuing });
    }

    /// A loop with a flag. `next` answers, after a pass, whether there is more, and with the next number.
    fn flagged(
        &mut self,
        label: ir::Label,
        [first, more]: [Handle<Value>; 2],
        body: impl FnOnce(&mut Self, Handle<Value>),
        next: impl FnOnce(&mut Self, Handle<Value>) -> (Handle<Value>, Handle<Value>),
    ) {
        let counter = self.counter(first);
        let flag = self.counter(more);
        self.builder.open();
        let current = self.builder.load_variable(counter);
        let condition = self.builder.load_variable(flag);
        self.break_unless(label, condition);
        body(self, current);
        let body = self.builder.close();
        self.builder.open();
        let current = self.builder.load_variable(counter);
        let (more, next) = next(self, current);
        self.builder.store_variable(flag, more);
        self.builder.store_variable(counter, next);
        let continuing = self.builder.close();
        self.builder.push(Statement::Loop { label, body, continuing });
    }

    /// A variable of the compiler's own with a first value.
    pub(in crate::lower) fn counter(&mut self, first: Handle<Value>) -> Handle<Variable> {
        let ty = self.builder.type_of(first);
        let counter = self.builder.variable("", ty);
        self.builder.store_variable(counter, first);
        counter
    }

    /// `range.contains(&number)`.
    pub(in crate::lower) fn contains(&mut self, range: &Expr, number: &Expr) -> Handle<Value> {
        let (form, ends) = self.ends(range);
        let number = self.value(number);
        let below = |lowering: &mut Self, end, op| lowering.builder.binary(op, number, end);
        match (form, &ends[..]) {
            (RangeForm::From, &[start]) => below(self, start, BinaryOp::Ge),
            (RangeForm::To, &[end]) => below(self, end, BinaryOp::Lt),
            (RangeForm::ToInclusive, &[last]) => below(self, last, BinaryOp::Le),
            (form, &[start, end]) => {
                let op = if form == RangeForm::Closed { BinaryOp::Le } else { BinaryOp::Lt };
                let [above, below] = [below(self, start, BinaryOp::Ge), below(self, end, op)];
                self.builder.binary(BinaryOp::And, above, below)
            }
            (RangeForm::Full, _) => self.builder.constant(Scalar::Bool, 1),
            // Code that is never reached, or that rustc refuses.
            _ => self.builder.constant(Scalar::Bool, 0),
        }
    }

    /// `range.is_empty()`.
    pub(in crate::lower) fn is_empty(&mut self, range: &Expr) -> Handle<Value> {
        let (form, ends) = self.ends(range);
        let [start, end] = ends[..] else { return self.builder.constant(Scalar::Bool, 1) };
        let some = self.some(start, (end, form == RangeForm::Closed));
        self.builder.unary(kernel_core::semantics::UnaryOp::Not, some)
    }

    /// The form and the ends of a range.
    pub(super) fn ends(&mut self, range: &Expr) -> (RangeForm, Vec<Handle<Value>>) {
        let Ty::Range(_, form) = self.table.resolve(&range.ty) else { return (RangeForm::Full, Vec::new()) };
        let memory = self.place(range);
        let ends = (0..form.ends()).map(|end| {
            let end = self.load(&memory.element(end));
            self.scalar_operand(end)
        });
        (form, ends.collect())
    }
}
