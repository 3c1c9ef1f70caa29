//! Going over an iterator.
//!
//! A sequence is gone over by position. The items of other iterators come one after the other, and what an adaptor knows of those before
//! is in variables of its own.

use super::sequence::Stretch;
use super::{Items, Numbers, Step};
use crate::ir::{self, Block, End, Handle, Statement, Value};
use crate::lower::control::empty;
use crate::lower::memory::{Memory, Operand};
use crate::lower::{FunctionLowering, Target};
use crate::typed::{self, Expr, Label, Pattern};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

/// What is done with each item, and how to go on with the next one before the end of that.
pub(super) type Body<'b, 'm, 'p, 'f, 'x> =
    dyn FnMut(&mut FunctionLowering<'b, 'm, 'p, 'f>, Operand, End) + 'x;

/// As [`Body`], with the position of the item among those that come.
type NumberedBody<'b, 'm, 'p, 'f, 'x> =
    dyn FnMut(&mut FunctionLowering<'b, 'm, 'p, 'f>, Operand, Handle<Value>, End) + 'x;

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
        self.go_over(&items, Way { backward: false, label: outer }, &mut |lowering, item, next| {
            lowering.targets.insert(label, Target { label: outer, next, value: None });
            lowering.bind_pattern(pattern, &Memory::Value(item));
            lowering.block(body);
        });
    }

    /// Does something with each item.
    pub(super) fn go_over(&mut self, items: &Items, way: Way, body: &mut Body<'b, 'm, 'p, 'f, '_>) {
        let Way { backward, label } = way;
        match items {
            Items::Nothing => {}
            Items::Numbers(numbers) => {
                let with_number = |lowering: &mut Self, number| {
                    body(lowering, Operand::Value(number), End::Continue(label));
                };
                if backward {
                    self.go_down(label, *numbers, with_number);
                } else {
                    self.go_up(label, *numbers, with_number);
                }
            }
            Items::Rev(inner) => self.go_over(inner, Way { backward: !backward, label }, body),
            Items::Copied(inner) => self.go_over(inner, way, &mut |lowering, item, next| {
                let item = lowering.referred(item);
                body(lowering, item, next);
            }),
            _ if items.is_sequence() && (backward || !items.has_steps()) => {
                self.go_over_sequence(items, way, body);
            }
            Items::StepBy(inner, step) if inner.is_sequence() => {
                self.go_over_in_steps(inner, *step, label, body);
            }
            // The body is there twice, so bodies in bodies can become very many.
            Items::Chain(..) if self.is_too_large(self.builder.span) => {}
            Items::Chain(one, other) => {
                let parts = if backward { [other, one] } else { [one, other] };
                self.leavable(label, |lowering| {
                    for part in parts {
                        let label = lowering.builder.fresh_label();
                        lowering.go_over(part, Way { backward, label }, body);
                    }
                });
            }
            _ => self.go_counting(items, way, body),
        }
    }

    fn go_over_sequence(&mut self, items: &Items, way: Way, body: &mut Body<'b, 'm, 'p, 'f, '_>) {
        let Some(Stretch { at, start, end }) = self.stretch(items) else { return };
        let pass = |lowering: &mut Self, position: Handle<Value>| {
            let item = lowering.item(&at, position);
            body(lowering, item, End::Continue(way.label));
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
        if let Items::Numbers(numbers) = inner {
            return self.go_in_steps(label, *numbers, step, |lowering, number| {
                body(lowering, Operand::Value(number), End::Continue(label));
            });
        }
        let Some(Stretch { at, start, end }) = self.stretch(inner) else { return };
        let pass = |lowering: &mut Self, position: Handle<Value>| {
            let item = lowering.item(&at, position);
            body(lowering, item, End::Continue(label));
        };
        match end {
            Some(end) if inner.is_in_memory() => self.count_up_by(label, [start, end], step, pass),
            end => {
                let numbers = Numbers { start, end: end.map(|end| (end, false)) };
                self.go_in_steps(label, numbers, step, pass);
            }
        }
    }

    /// Goes over an iterator whose adaptor counts the items that come.
    fn go_counting(&mut self, items: &Items, way: Way, body: &mut Body<'b, 'm, 'p, 'f, '_>) {
        let zero = self.builder.constant(Scalar::Usize, 0);
        match items {
            Items::Enumerate(inner) => {
                let count = self.counter(zero);
                self.go_over(inner, way, &mut |lowering, item, next| {
                    let position = lowering.increment(count);
                    body(lowering, Operand::Tuple(vec![Operand::Value(position), item]), next);
                });
            }
            Items::Take(inner, most) => self.go_at_most(inner, *most, way, &mut |lowering, item, _, next| {
                body(lowering, item, next);
            }),
            Items::Skip(inner, count) => {
                let left_out = self.counter(zero);
                self.go_over(inner, way, &mut |lowering, item, next| {
                    let before = lowering.builder.load_variable(left_out);
                    let is_left_out = lowering.builder.binary(BinaryOp::Lt, before, *count);
                    lowering.builder.open();
                    lowering.increment(left_out);
                    lowering.builder.end(next);
                    let accept = lowering.builder.close();
                    lowering.builder.push(Statement::If { condition: is_left_out, accept, reject: empty() });
                    body(lowering, item, next);
                });
            }
            Items::StepBy(inner, step) => {
                let most = self.builder.integer_like(zero, u64::MAX);
                let most = self.builder.select(step.is_valid, most, zero);
                // How many items are left out before the next one that is not.
                let wait = self.counter(zero);
                self.go_at_most(inner, most, way, &mut |lowering, item, _, next| {
                    let before = lowering.builder.load_variable(wait);
                    let is_left_out = lowering.builder.binary(BinaryOp::Ne, before, zero);
                    let period = lowering.builder.select(is_left_out, before, step.by);
                    let one = lowering.builder.integer_like(period, 1);
                    let after = lowering.builder.binary(BinaryOp::Sub, period, one);
                    lowering.builder.store_variable(wait, after);
                    let accept = Block { statements: Vec::new(), end: next };
                    lowering.builder.push(Statement::If { condition: is_left_out, accept, reject: empty() });
                    body(lowering, item, next);
                });
            }
            Items::Zip(one, other) => self.go_over_pairs([one, other], way, body),
            _ => {}
        }
    }

    /// Goes over two iterators of which one is a sequence.
    fn go_over_pairs(&mut self, [one, other]: [&Items; 2], way: Way, body: &mut Body<'b, 'm, 'p, 'f, '_>) {
        let is_first = one.is_sequence() && !(one.has_steps() && other.is_sequence());
        let (sequence, others) = if is_first { (one, other) } else { (other, one) };
        let Some(sequence) = self.sequence(sequence) else { return };
        let mut pair = |lowering: &mut Self, other: Operand, position, next| {
            let item = lowering.item(&sequence.at, position);
            let pair = if is_first { vec![item, other] } else { vec![other, item] };
            body(lowering, Operand::Tuple(pair), next);
        };
        match sequence.len {
            // When the first iterator has no more items, the second is not asked for another, which may do something.
            Some(len) if is_first && !others.is_sequence() => self.go_at_most(others, len, way, &mut pair),
            len => {
                let zero = self.builder.constant(Scalar::Usize, 0);
                let count = self.counter(zero);
                self.go_over(others, way, &mut |lowering, item, next| {
                    let position = lowering.increment(count);
                    if let Some(len) = len {
                        let condition = lowering.builder.binary(BinaryOp::Lt, position, len);
                        lowering.break_unless(way.label, condition);
                    }
                    pair(lowering, item, position, next);
                });
            }
        }
    }

    /// Goes over so many items at most, with their positions, and does not ask for another one after these.
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
            lowering.go_over(items, Way { label, ..way }, &mut |lowering, item, _| {
                let position = lowering.increment(count);
                let pass = lowering.builder.fresh_label();
                lowering.leavable(pass, |lowering| body(lowering, item, position, End::Break(pass)));
                let seen = lowering.builder.load_variable(count);
                let more = lowering.builder.binary(BinaryOp::Lt, seen, most);
                lowering.break_unless(label, more);
            });
        });
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

impl Items {
    /// Whether each item can be had by its position, without those before it.
    pub(super) fn is_sequence(&self) -> bool {
        match self {
            Self::Numbers(_) | Self::Elements { .. } | Self::Parts { .. } => true,
            Self::Rev(inner)
            | Self::Enumerate(inner)
            | Self::Copied(inner)
            | Self::StepBy(inner, _)
            | Self::Skip(inner, _)
            | Self::Take(inner, _) => inner.is_sequence(),
            Self::Zip(one, other) => one.is_sequence() && other.is_sequence(),
            Self::Chain(..) | Self::Nothing => false,
        }
    }

    /// Whether how many items there are takes a division by a step.
    fn has_steps(&self) -> bool {
        match self {
            Self::StepBy(..) => true,
            Self::Rev(inner)
            | Self::Enumerate(inner)
            | Self::Copied(inner)
            | Self::Skip(inner, _)
            | Self::Take(inner, _) => inner.has_steps(),
            Self::Zip(one, other) | Self::Chain(one, other) => one.has_steps() || other.has_steps(),
            Self::Numbers(_) | Self::Elements { .. } | Self::Parts { .. } | Self::Nothing => false,
        }
    }

    /// Whether there are no more items than elements somewhere in memory.
    fn is_in_memory(&self) -> bool {
        match self {
            Self::Elements { .. } | Self::Parts { .. } => true,
            Self::Rev(inner)
            | Self::Enumerate(inner)
            | Self::Copied(inner)
            | Self::StepBy(inner, _)
            | Self::Skip(inner, _)
            | Self::Take(inner, _) => inner.is_in_memory(),
            Self::Zip(one, other) => one.is_in_memory() || other.is_in_memory(),
            Self::Numbers(_) | Self::Chain(..) | Self::Nothing => false,
        }
    }
}
