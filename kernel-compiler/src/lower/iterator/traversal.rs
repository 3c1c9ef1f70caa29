//! Going over an iterator.
//!
//! A sequence is gone over by position. The items of other iterators come one after the other, and what an adaptor knows of those before
//! is in variables of its own.

use super::pull::Pull;
use super::sequence::{At, Stretch};
use super::{Items, Numbers, Step};
use crate::ir::{self, Block, End, Handle, Statement, Value};
use crate::lower::control::empty;
use crate::lower::memory::{Memory, Operand};
use crate::lower::{FunctionLowering, Target};
use crate::typed::{self, Expr, Label, Pattern};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use std::rc::Rc;

/// An item that has come.
pub(super) struct Visit {
    pub(super) item: Operand,
    /// The sequence that it is an item of, as it is there, and its position.
    pub(super) origin: Option<(Rc<At>, Handle<Value>)>,
    /// How to go on with the next one before the end of what is done with this one.
    pub(super) next: End,
}

/// What is done with each item.
pub(super) type Body<'b, 'm, 'p, 'f, 'x> = dyn FnMut(&mut FunctionLowering<'b, 'm, 'p, 'f>, Visit) + 'x;

/// As [`Body`], with the number of items that have come before.
type NumberedBody<'b, 'm, 'p, 'f, 'x> =
    dyn FnMut(&mut FunctionLowering<'b, 'm, 'p, 'f>, Visit, Handle<Value>) + 'x;

/// In which order to go over an iterator, and the name of the loop that is to be left in order to stop.
#[derive(Clone, Copy)]
pub(super) struct Way {
    pub(super) backward: bool,
    pub(super) label: ir::Label,
}

impl<'b, 'm, 'p, 'f> FunctionLowering<'b, 'm, 'p, 'f> {
    pub(in crate::lower) fn for_expr(
        &mut self,
        label: Label,
        pattern: &Pattern,
        iterator: &Expr,
        body: &typed::Block,
    ) {
        let items = self.items(iterator);
        let outer = self.builder.fresh_label();
        self.go_over(
            &items,
            Way { backward: false, label: outer },
            &mut |lowering, Visit { item, next, .. }| {
                lowering.targets.insert(label, Target { label: outer, next, value: None });
                lowering.name_counter(pattern, &item);
                lowering.bind_pattern(pattern, &Memory::Value(item));
                lowering.block(body);
            },
        );
    }

    /// Gives a counter the name that its numbers have in the source, by which people are told of it.
    fn name_counter(&mut self, pattern: &Pattern, item: &Operand) {
        if let (Pattern::Binding { binding, inner: None, .. }, Operand::Value(number)) = (pattern, item) {
            let name = self.function.bindings[*binding].name.clone();
            self.builder.name_variable_of(*number, name);
        }
    }

    /// Does something with each item, from the first on.
    pub(super) fn go_forward(&mut self, items: &Items, body: &mut dyn FnMut(&mut Self, Visit, ir::Label)) {
        let label = self.builder.fresh_label();
        self.go_over(items, Way { backward: false, label }, &mut |lowering, visit| {
            body(lowering, visit, label)
        });
    }

    /// Does something with each item.
    pub(super) fn go_over(&mut self, items: &Items, way: Way, body: &mut Body<'b, 'm, 'p, 'f, '_>) {
        let Way { backward, label } = way;
        match items {
            Items::Nothing => {}
            Items::Numbers(numbers) => {
                let with_number = |lowering: &mut Self, number| {
                    let next = End::Continue(label);
                    body(lowering, Visit { item: Operand::Value(number), origin: None, next });
                };
                if backward {
                    self.go_down(label, *numbers, with_number);
                } else {
                    self.go_up(label, *numbers, with_number);
                }
            }
            Items::Maybe { is_some, payload } => self.leavable(label, |lowering| {
                lowering.break_unless(label, *is_some);
                body(lowering, Visit { item: payload.clone(), origin: None, next: End::Break(label) });
            }),
            Items::FromFn(by) if backward => self.go_while_some(&by.way_back(), label, body),
            Items::FromFn(by) => self.go_while_some(by, label, body),
            Items::Pulled { state, .. } => self.go_pulling(state, way, body),
            // Nobody looks at an item before it comes.
            Items::Peekable(inner, _) => self.go_over(inner, way, body),
            Items::Cycle(inner) => self.go_around(inner, way, body),
            Items::Rev(inner) => self.go_over(inner, Way { backward: !backward, label }, body),
            Items::Copied(inner) => self.go_over(inner, way, &mut |lowering, visit| {
                let item = lowering.referred(visit.item);
                body(lowering, Visit { item, ..visit });
            }),
            _ if items.is_sequence(backward)
                && !matches!(items, Items::Flatten(..))
                && (backward || !items.has_steps()) =>
            {
                self.go_over_sequence(items, way, body);
            }
            Items::With(with) => self.go_with_closure(with, way, body),
            Items::Scan(scan) => self.go_with_state(scan, way, body),
            Items::StepBy(inner, step) if inner.is_sequence(backward) && !inner.computes() => {
                self.go_over_in_steps(inner, *step, label, body);
            }
            // The body is there twice, so bodies in bodies can become very many.
            Items::Chain(..) if self.is_too_large(self.builder.span) => {}
            Items::Chain(one, other, _) => {
                let parts = if backward { [other, one] } else { [one, other] };
                self.leavable(label, |lowering| {
                    for part in parts {
                        let label = lowering.builder.fresh_label();
                        lowering.go_over(part, Way { backward, label }, body);
                    }
                });
            }
            Items::Flatten(outer, ty) => self.leavable(label, |lowering| {
                let around = lowering.builder.fresh_label();
                lowering.go_over(outer, Way { backward, label: around }, &mut |lowering, visit| {
                    let inner = lowering.items_of(visit.item, ty);
                    let label = lowering.builder.fresh_label();
                    lowering.go_over(&inner, Way { backward, label }, body);
                });
            }),
            _ => self.go_counting(items, way, body),
        }
    }

    fn go_over_sequence(&mut self, items: &Items, way: Way, body: &mut Body<'b, 'm, 'p, 'f, '_>) {
        let Some(Stretch { at, start, end }) = self.stretch(items) else { return };
        let pass = |lowering: &mut Self, position: Handle<Value>| {
            let item = lowering.item(&at, position);
            let next = End::Continue(way.label);
            body(lowering, Visit { item, origin: Some((at.clone(), position)), next });
        };
        match (way.backward, end) {
            (false, end) => self.count_up(way.label, start, end, pass),
            (true, Some(end)) => self.count_down(way.label, [start, end], pass),
            // Only what has an end can be reversed.
            (true, None) => {}
        }
    }

    /// Goes over every so many items of a sequence, from the first on.
    fn go_over_in_steps(
        &mut self,
        inner: &Items,
        step: Step,
        label: ir::Label,
        body: &mut Body<'b, 'm, 'p, 'f, '_>,
    ) {
        let next = End::Continue(label);
        let is_checked = !inner.has_end() && self.builder.inherits_overflow_checks();
        if let (Items::Numbers(numbers), false) = (inner, is_checked) {
            return self.go_in_steps(label, *numbers, step, |lowering, number| {
                body(lowering, Visit { item: Operand::Value(number), origin: None, next });
            });
        }
        let Some(Stretch { at, start, end }) = self.stretch(inner) else { return };
        let pass = |lowering: &mut Self, position: Handle<Value>| {
            let item = lowering.item(&at, position);
            body(lowering, Visit { item, origin: Some((at.clone(), position)), next });
        };
        match end {
            Some(end) if inner.is_in_memory() => self.count_up_by(label, [start, end], step, pass),
            end => {
                let numbers = Numbers { start, end: end.map(|end| (end, false)) };
                self.go_in_steps(label, numbers, step, pass);
            }
        }
    }

    /// Goes over what is left of an iterator that has been advanced.
    fn go_pulling(&mut self, state: &Pull, way: Way, body: &mut Body<'b, 'm, 'p, 'f, '_>) {
        let Way { backward, label } = way;
        self.open_unbounded(label);
        let next = End::Continue(label);
        self.pull_in(Some(label), state, backward, &mut |lowering, item| {
            body(lowering, Visit { item, origin: None, next });
            lowering.builder.end(next);
        });
        self.builder.end(End::Break(label));
        let body = self.builder.close();
        self.builder.push(Statement::Loop { label, body, continuing: empty() });
    }

    /// `cycle`: goes over an iterator again and again, unless there is nothing in it.
    fn go_around(&mut self, inner: &Items, way: Way, body: &mut Body<'b, 'm, 'p, 'f, '_>) {
        let Way { backward, label } = way;
        self.open_unbounded(label);
        let any = self.flag(false);
        let copy = self.with_closures_copied(inner);
        let around = self.builder.fresh_label();
        self.go_over(&copy, Way { backward, label: around }, &mut |lowering, visit| {
            lowering.set(any);
            body(lowering, visit);
        });
        let any = self.builder.load_variable(any);
        self.break_unless(label, any);
        let body = self.builder.close();
        self.builder.push(Statement::Loop { label, body, continuing: empty() });
    }

    /// Goes over an iterator whose adaptor counts the items that come.
    fn go_counting(&mut self, items: &Items, way: Way, body: &mut Body<'b, 'm, 'p, 'f, '_>) {
        let zero = self.builder.constant(Scalar::Usize, 0);
        match items {
            Items::Enumerate(inner) => {
                let count = self.counter(zero);
                self.go_over(inner, way, &mut |lowering, Visit { item, next, .. }| {
                    let number = lowering.increment(count);
                    let item = Operand::Tuple(vec![Operand::Value(number), item]);
                    body(lowering, Visit { item, origin: None, next });
                });
            }
            Items::Take(inner, most) => {
                self.go_at_most(inner, *most, way, &mut |lowering, visit, _| body(lowering, visit));
            }
            Items::Skip(inner, count) => {
                let left_out = self.counter(zero);
                self.go_over(inner, way, &mut |lowering, visit| {
                    let before = lowering.builder.load_variable(left_out);
                    let is_left_out = lowering.builder.binary(BinaryOp::Lt, before, *count);
                    lowering.builder.open();
                    lowering.increment(left_out);
                    lowering.builder.end(visit.next);
                    let accept = lowering.builder.close();
                    lowering.builder.push(Statement::If { condition: is_left_out, accept, reject: empty() });
                    body(lowering, visit);
                });
            }
            Items::StepBy(inner, step) => {
                let most = self.builder.integer_like(zero, u64::MAX);
                let most = self.builder.select(step.is_valid, most, zero);
                // How many items are left out before the next one that is not.
                let wait = self.counter(zero);
                self.go_at_most(inner, most, way, &mut |lowering, visit, _| {
                    let before = lowering.builder.load_variable(wait);
                    let is_left_out = lowering.builder.binary(BinaryOp::Ne, before, zero);
                    let period = lowering.builder.select(is_left_out, before, step.by);
                    let one = lowering.builder.integer_like(period, 1);
                    let after = lowering.builder.binary(BinaryOp::Sub, period, one);
                    lowering.builder.store_variable(wait, after);
                    lowering.go_on_if(is_left_out, visit.next);
                    body(lowering, visit);
                });
            }
            Items::Zip(one, other) => self.go_over_pairs([one, other], way, body),
            _ => {}
        }
    }

    /// Goes over two iterators of which one is a sequence.
    fn go_over_pairs(&mut self, [one, other]: [&Items; 2], way: Way, body: &mut Body<'b, 'm, 'p, 'f, '_>) {
        let [first, second] = [one, other].map(|items| items.is_sequence(way.backward));
        if let (false, false, false, Items::FromFn(by)) = (way.backward, first, second, other) {
            return self.go_over(one, way, &mut |lowering, Visit { item, next, .. }| {
                let option = lowering.called(by, Vec::new());
                let (is_some, second) = lowering.option_parts(option);
                lowering.break_unless(way.label, is_some);
                body(lowering, Visit { item: Operand::Tuple(vec![item, second]), origin: None, next });
            });
        }
        if !first && !second {
            let Some(state) = self.pull_state(other) else { return };
            return self.go_over(one, way, &mut |lowering, Visit { item, next, .. }| {
                lowering.pull(&state, way.backward, &mut |lowering, second| {
                    let item = Operand::Tuple(vec![item.clone(), second]);
                    body(lowering, Visit { item, origin: None, next });
                    lowering.builder.end(next);
                });
                lowering.builder.end(End::Break(way.label));
            });
        }
        let is_first = first && !(one.has_steps() && second);
        let (sequence, others) = if is_first { (one, other) } else { (other, one) };
        let Some(sequence) = self.sequence(sequence) else { return };
        let mut pair = |lowering: &mut Self, Visit { item: other, next, .. }: Visit, number| {
            let item = lowering.item(&sequence.at, number);
            let pair = if is_first { vec![item, other] } else { vec![other, item] };
            body(lowering, Visit { item: Operand::Tuple(pair), origin: None, next });
        };
        match sequence.len {
            // When the first iterator has no more items, the second is not asked for another, which may do something.
            Some(len) if is_first && others.computes() => self.go_at_most(others, len, way, &mut pair),
            len => {
                let zero = self.builder.constant(Scalar::Usize, 0);
                let count = self.counter(zero);
                self.go_over(others, way, &mut |lowering, visit| {
                    let number = lowering.increment(count);
                    if let Some(len) = len {
                        let condition = lowering.builder.binary(BinaryOp::Lt, number, len);
                        lowering.break_unless(way.label, condition);
                    }
                    pair(lowering, visit, number);
                });
            }
        }
    }

    /// Goes over so many items at most, and does not ask for another one after these.
    fn go_at_most(
        &mut self,
        items: &Items,
        most: Handle<Value>,
        way: Way,
        body: &mut NumberedBody<'b, 'm, 'p, 'f, '_>,
    ) {
        let zero = self.builder.integer_like(most, 0);
        let count = self.counter(zero);
        self.leavable(way.label, |lowering| {
            let some = lowering.builder.binary(BinaryOp::Ne, most, zero);
            lowering.break_unless(way.label, some);
            let label = lowering.builder.fresh_label();
            lowering.go_over(items, Way { label, ..way }, &mut |lowering, visit| {
                let number = lowering.increment(count);
                let pass = lowering.builder.fresh_label();
                let visit = Visit { next: End::Break(pass), ..visit };
                lowering.leavable(pass, |lowering| body(lowering, visit, number));
                let seen = lowering.builder.load_variable(count);
                let more = lowering.builder.binary(BinaryOp::Lt, seen, most);
                lowering.break_unless(label, more);
            });
        });
    }

    /// Goes on with the next item if a condition holds.
    pub(super) fn go_on_if(&mut self, condition: Handle<Value>, next: End) {
        let accept = Block { statements: Vec::new(), end: next };
        self.builder.push(Statement::If { condition, accept, reject: empty() });
    }

    /// Adds one to a counter; the result is what it was before.
    pub(super) fn increment(&mut self, counter: Handle<ir::Variable>) -> Handle<Value> {
        let before = self.builder.load_variable(counter);
        let one = self.builder.integer_like(before, 1);
        let after = self.builder.binary(BinaryOp::Add, before, one);
        self.builder.store_variable(counter, after);
        before
    }
}
