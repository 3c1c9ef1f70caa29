//! Iterators that are advanced although their items have no positions: what an adaptor knows of the items that have gone is in variables.
//!
//! To pull an iterator is to execute some code once with its next item, if there is one. An adaptor that leaves items out goes on in the loop that asks for them, which all adaptors of a chain share where each asks the next one for one item.

use super::cursor::Cursor;
use super::kept::{Around, Joined};
use super::sequence::Sequence;
use super::{Items, Step, With};
use crate::diagnostics::{Code, Diagnostic, marker};
use crate::ir::{End, Handle, Label, Statement, Variable};
use crate::lower::FunctionLowering;
use crate::lower::control::empty;
use crate::lower::memory::{Memory, Operand};
use crate::typed::{Adaptor, Ty};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use std::rc::Rc;

/// An iterator that is advanced, with its state.
#[derive(Clone, Debug)]
pub(in crate::lower) enum Pull {
    /// A sequence, of which the positions of what is left are kept.
    Positions(Cursor),
    /// A sequence that starts again at its end.
    Cycle(Cursor),
    /// An iterator that is only borrowed: whoever copies this has the same iterator.
    Borrowed(Rc<Pull>),
    Rev(Box<Pull>),
    Copied(Box<Pull>),
    /// With the number of items that have come.
    Enumerate(Box<Pull>, Handle<Variable>),
    Zip(Box<Pull>, Box<Pull>),
    /// With whether the first of them has ended, and the type of the items.
    Chain([Box<Pull>; 2], Handle<Variable>, Ty),
    /// With how many items are to be left out before the next one that is not.
    StepBy(Box<Pull>, Step, Handle<Variable>),
    Skip(Box<Pull>, Handle<Variable>),
    /// With how many items may still come.
    Take(Box<Pull>, Handle<Variable>),
    /// What may be in an `Option`, and whether it is still there.
    Maybe(Operand, Handle<Variable>),
    FromFn(Operand),
    /// What is in the items, which are options.
    Flatten(Box<Pull>),
    /// With whether `take_while` goes on, and `skip_while` still skips.
    With(Adaptor, Box<Pull>, Operand, Handle<Variable>),
    Scan {
        of: Box<Pull>,
        state: Memory,
        ty: Ty,
        by: Operand,
    },
    Peekable(Box<Peeked>),
    /// The items of the items, which are iterators.
    Joined(Box<Joined>),
    /// What has no positions, or closures that change, and starts again at its end.
    Around(Box<Around>),
}

/// An iterator whose next item may have been looked at.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Peeked {
    pub(super) of: Pull,
    /// Whether the next item has been asked for.
    pub(super) is_asked: Handle<Variable>,
    /// Whether there was one.
    pub(super) is_some: Handle<Variable>,
    pub(super) item: Memory,
    ty: Ty,
}

impl Pull {
    /// The iterator itself, where this is one that is borrowed.
    pub(super) fn borrowed(&self) -> &Self {
        match self {
            Self::Borrowed(state) => state.borrowed(),
            own => own,
        }
    }
}

/// What is done with the item.
pub(super) type Then<'b, 'm, 'p, 'f, 'x> = dyn FnMut(&mut FunctionLowering<'b, 'm, 'p, 'f>, Operand) + 'x;

impl<'b, 'm, 'p, 'f> FunctionLowering<'b, 'm, 'p, 'f> {
    /// The state of an iterator before its first item; none if it cannot be advanced.
    pub(super) fn pull_state(&mut self, items: &Items) -> Option<Pull> {
        if items.is_sequence(false) {
            return Some(Pull::Positions(self.positions(&Rc::new(items.clone()))?));
        }
        let boxed = |lowering: &mut Self, of: &Rc<Items>| lowering.pull_state(of).map(Box::new);
        let zero = |lowering: &mut Self| {
            let zero = lowering.builder.constant(Scalar::Usize, 0);
            lowering.counter(zero)
        };
        Some(match items {
            Items::Cycle(of) if of.is_sequence(false) && !of.has_own_state() => {
                Pull::Cycle(self.positions(of)?)
            }
            Items::Cycle(of) => Pull::Around(Box::new(Around { of: of.clone(), begun: self.none_begun() })),
            Items::Pulled { state, is_borrowed: true } => Pull::Borrowed(state.clone()),
            Items::Pulled { state, .. } => self.copied_state(state),
            Items::Rev(of) => Pull::Rev(boxed(self, of)?),
            Items::Copied(of) => Pull::Copied(boxed(self, of)?),
            Items::Enumerate(of) => Pull::Enumerate(boxed(self, of)?, zero(self)),
            Items::Zip(one, other) => Pull::Zip(boxed(self, one)?, boxed(self, other)?),
            Items::Chain(one, other, item) => {
                let parts = [boxed(self, one)?, boxed(self, other)?];
                Pull::Chain(parts, self.flag(false), item.clone())
            }
            Items::StepBy(of, step) => Pull::StepBy(boxed(self, of)?, *step, zero(self)),
            Items::Skip(of, count) => Pull::Skip(boxed(self, of)?, self.counter(*count)),
            Items::Take(of, count) => Pull::Take(boxed(self, of)?, self.counter(*count)),
            Items::Maybe { is_some, payload } => Pull::Maybe(payload.clone(), self.counter(*is_some)),
            Items::FromFn(by) => Pull::FromFn(by.clone()),
            Items::Flatten(of, Ty::Nominal(_)) => Pull::Flatten(boxed(self, of)?),
            Items::With(With { adaptor, of, by }) => {
                Pull::With(*adaptor, boxed(self, of)?, by.clone(), self.flag(true))
            }
            Items::Scan(scan) => {
                let state = self.allocate(&scan.ty, "")?;
                self.store(&state, &scan.first);
                Pull::Scan { of: boxed(self, &scan.of)?, state, ty: scan.ty.clone(), by: scan.by.clone() }
            }
            Items::Peekable(of, ty) => {
                let (of, item) = (self.pull_state(of)?, self.allocate(ty, "")?);
                let (is_asked, is_some) = (self.flag(false), self.flag(false));
                Pull::Peekable(Box::new(Peeked { of, is_asked, is_some, item, ty: ty.clone() }))
            }
            Items::Nothing => Pull::Maybe(Operand::Undefined, self.flag(false)),
            Items::Flatten(of, ty) => Pull::Joined(Box::new(Joined {
                outer: self.pull_state(of)?,
                ty: ty.clone(),
                begun: self.none_begun(),
            })),
            // These are sequences, or have been seen to before.
            Items::Numbers(_)
            | Items::Elements { .. }
            | Items::Parts { .. }
            | Items::Cursor(_)
            | Items::Left { .. } => return None,
        })
    }

    /// The same state in variables of its own.
    pub(super) fn copied_state(&mut self, state: &Pull) -> Pull {
        let boxed = |lowering: &mut Self, of: &Pull| Box::new(lowering.copied_state(of));
        match state {
            Pull::Positions(cursor) => Pull::Positions(self.copied_cursor(cursor)),
            Pull::Cycle(cursor) => Pull::Cycle(self.copied_cursor(cursor)),
            Pull::Borrowed(state) => Pull::Borrowed(state.clone()),
            Pull::Rev(of) => Pull::Rev(boxed(self, of)),
            Pull::Copied(of) => Pull::Copied(boxed(self, of)),
            Pull::Enumerate(of, count) => Pull::Enumerate(boxed(self, of), self.copied_variable(*count)),
            Pull::Zip(one, other) => Pull::Zip(boxed(self, one), boxed(self, other)),
            Pull::Chain([one, other], has_ended, item) => {
                let parts = [boxed(self, one), boxed(self, other)];
                Pull::Chain(parts, self.copied_variable(*has_ended), item.clone())
            }
            Pull::StepBy(of, step, wait) => Pull::StepBy(boxed(self, of), *step, self.copied_variable(*wait)),
            Pull::Skip(of, left) => Pull::Skip(boxed(self, of), self.copied_variable(*left)),
            Pull::Take(of, left) => Pull::Take(boxed(self, of), self.copied_variable(*left)),
            Pull::Maybe(payload, is_there) => Pull::Maybe(payload.clone(), self.copied_variable(*is_there)),
            Pull::FromFn(by) => Pull::FromFn(self.copied_closures(by)),
            Pull::Flatten(of) => Pull::Flatten(boxed(self, of)),
            Pull::With(adaptor, of, by, flag) => {
                let (of, by) = (boxed(self, of), self.copied_closures(by));
                Pull::With(*adaptor, of, by, self.copied_variable(*flag))
            }
            Pull::Scan { of, state, ty, by } => {
                let (of, by) = (boxed(self, of), self.copied_closures(by));
                Pull::Scan { of, state: self.copied_memory(state, ty), ty: ty.clone(), by }
            }
            Pull::Peekable(peeked) => {
                let Peeked { of, is_asked, is_some, item, ty } = &**peeked;
                let (of, item) = (self.copied_state(of), self.copied_memory(item, ty));
                let [is_asked, is_some] = [is_asked, is_some].map(|flag| self.copied_variable(*flag));
                Pull::Peekable(Box::new(Peeked { of, is_asked, is_some, item, ty: ty.clone() }))
            }
            Pull::Joined(joined) => {
                let (outer, begun) = (self.copied_state(&joined.outer), self.copied_begun(&joined.begun));
                Pull::Joined(Box::new(Joined { outer, ty: joined.ty.clone(), begun }))
            }
            Pull::Around(around) => {
                let begun = self.copied_begun(&around.begun);
                Pull::Around(Box::new(Around { of: around.of.clone(), begun }))
            }
        }
    }

    pub(super) fn copied_variable(&mut self, variable: Handle<Variable>) -> Handle<Variable> {
        let value = self.builder.load_variable(variable);
        self.counter(value)
    }

    fn copied_memory(&mut self, memory: &Memory, ty: &Ty) -> Memory {
        let Some(copy) = self.allocate(ty, "") else { return memory.clone() };
        let operand = self.load(memory);
        self.store(&copy, &operand);
        copy
    }

    fn copied_cursor(&mut self, cursor: &Cursor) -> Cursor {
        let [front, back] = [cursor.front, cursor.back].map(|variable| self.copied_variable(variable));
        Cursor { of: cursor.of.clone(), front, back }
    }

    /// Does something with the next item, or the last one, and takes it away, if there is one.
    pub(super) fn pull(&mut self, state: &Pull, backward: bool, then: &mut Then<'b, 'm, 'p, 'f, '_>) {
        self.pull_in(None, state, backward, then);
    }

    /// The same in a loop that asks for the item, if there is one with a label: there, an item that is left out needs no loop of its own, but goes on with that one.
    pub(super) fn pull_in(
        &mut self,
        around: Option<Label>,
        state: &Pull,
        backward: bool,
        then: &mut Then<'b, 'm, 'p, 'f, '_>,
    ) {
        match state {
            Pull::Positions(cursor) => self.pull_position(cursor, backward, then),
            Pull::Cycle(cursor) => {
                let front = self.builder.load_variable(cursor.front);
                let back = self.builder.load_variable(cursor.back);
                let is_left = self.builder.binary(BinaryOp::Lt, front, back);
                let zero = self.builder.integer_like(front, 0);
                let start = self.builder.select(is_left, front, zero);
                self.builder.store_variable(cursor.front, start);
                self.pull_position(cursor, backward, then);
            }
            Pull::Borrowed(state) => self.pull_in(around, state, backward, then),
            Pull::Rev(of) => self.pull_in(around, of, !backward, then),
            Pull::Copied(of) => self.pull_in(around, of, backward, &mut |lowering, item| {
                let item = lowering.referred(item);
                then(lowering, item);
            }),
            Pull::Enumerate(of, count) => self.pull_in(around, of, backward, &mut |lowering, item| {
                let number = lowering.increment(*count);
                then(lowering, Operand::Tuple(vec![Operand::Value(number), item]));
            }),
            Pull::Zip(one, other) => {
                self.only_forward(backward);
                self.pull_in(around, one, backward, &mut |lowering, first| {
                    lowering.pull(other, backward, &mut |lowering, second| {
                        then(lowering, Operand::Tuple(vec![first.clone(), second]));
                    });
                });
            }
            Pull::Chain(parts, has_ended, item) => {
                self.pull_chained(parts, (*has_ended, item), backward, then);
            }
            Pull::StepBy(of, step, wait) => {
                self.only_forward(backward);
                self.only_where(step.is_valid, |lowering| {
                    let one = lowering.builder.integer_like(step.by, 1);
                    let between = lowering.builder.binary(BinaryOp::Sub, step.by, one);
                    lowering.until_taken(around, &mut |lowering, label| {
                        lowering.pull_in(Some(label), of, backward, &mut |lowering, item| {
                            lowering.go_on_waiting(*wait, label);
                            lowering.builder.store_variable(*wait, between);
                            lowering.taken(then, item, label);
                        });
                    });
                });
            }
            Pull::Skip(of, left) if backward => self.pull_last_unskipped(of, *left, then),
            Pull::Skip(of, left) => self.until_taken(around, &mut |lowering, label| {
                lowering.pull_in(Some(label), of, backward, &mut |lowering, item| {
                    lowering.go_on_waiting(*left, label);
                    lowering.taken(then, item, label);
                });
            }),
            Pull::Take(of, left) => {
                self.only_forward(backward);
                let count = self.builder.load_variable(*left);
                let [zero, one] = [0, 1].map(|bits| self.builder.integer_like(count, bits));
                let is_left = self.builder.binary(BinaryOp::Ne, count, zero);
                self.only_where(is_left, |lowering| {
                    let rest = lowering.builder.binary(BinaryOp::Sub, count, one);
                    lowering.builder.store_variable(*left, rest);
                    lowering.pull(of, backward, then);
                });
            }
            Pull::Maybe(payload, is_there) => {
                let condition = self.builder.load_variable(*is_there);
                self.only_where(condition, |lowering| {
                    lowering.clear(*is_there);
                    then(lowering, payload.clone());
                });
            }
            Pull::FromFn(by) => {
                let option = match backward {
                    true => self.called(&by.way_back(), Vec::new()),
                    false => self.called(by, Vec::new()),
                };
                self.only_with_payload(option, then);
            }
            Pull::Flatten(of) => self.until_taken(around, &mut |lowering, label| {
                lowering.pull_in(Some(label), of, backward, &mut |lowering, option| {
                    let taken = &mut |lowering: &mut Self, item| lowering.taken(then, item, label);
                    lowering.only_with_payload(option, taken);
                    lowering.builder.end(End::Continue(label));
                });
            }),
            Pull::With(adaptor, of, by, flag) => {
                self.pull_with_closure((*adaptor, by, *flag), (around, of), backward, then);
            }
            Pull::Scan { of, state, by, .. } => self.pull_in(around, of, backward, &mut |lowering, item| {
                let reference = Operand::Reference(Box::new(state.clone()));
                let option = lowering.called(by, vec![reference, item]);
                lowering.only_with_payload(option, then);
            }),
            Pull::Joined(joined) => {
                self.only_forward(backward);
                self.pull_joined(joined, then);
            }
            Pull::Around(around) => {
                self.only_forward(backward);
                self.pull_around(around, then);
            }
            Pull::Peekable(peeked) => {
                self.only_forward(backward);
                self.ask_for_next(peeked);
                self.clear(peeked.is_asked);
                let is_some = self.builder.load_variable(peeked.is_some);
                self.only_where(is_some, |lowering| {
                    let item = lowering.load(&peeked.item);
                    then(lowering, item);
                });
            }
        }
    }

    fn pull_position(&mut self, cursor: &Cursor, backward: bool, then: &mut Then<'b, 'm, 'p, 'f, '_>) {
        let front = self.builder.load_variable(cursor.front);
        let back = self.builder.load_variable(cursor.back);
        let has_item = self.builder.binary(BinaryOp::Lt, front, back);
        let Some(Sequence { at, .. }) = self.sequence(&cursor.of) else { return };
        self.only_where(has_item, |lowering| {
            let one = lowering.builder.integer_like(front, 1);
            let position = if backward { lowering.builder.binary(BinaryOp::Sub, back, one) } else { front };
            // It is gone even if a closure that computes it is called by whoever asks for the next one.
            match backward {
                true => lowering.builder.store_variable(cursor.back, position),
                false => {
                    let next = lowering.builder.binary(BinaryOp::Add, front, one);
                    lowering.builder.store_variable(cursor.front, next);
                }
            }
            let item = lowering.item(&at, position);
            then(lowering, item);
        });
    }

    fn pull_with_closure(
        &mut self,
        (adaptor, by, flag): (Adaptor, &Operand, Handle<Variable>),
        (around, of): (Option<Label>, &Pull),
        backward: bool,
        then: &mut Then<'b, 'm, 'p, 'f, '_>,
    ) {
        match adaptor {
            Adaptor::Map => self.pull_in(around, of, backward, &mut |lowering, item| {
                let item = lowering.called(by, vec![item]);
                then(lowering, item);
            }),
            Adaptor::Inspect => self.pull_in(around, of, backward, &mut |lowering, item| {
                let seen = lowering.borrow_item(&item);
                lowering.called(by, vec![seen]);
                then(lowering, item);
            }),
            Adaptor::MapWhile => self.pull_in(around, of, backward, &mut |lowering, item| {
                let option = lowering.called(by, vec![item]);
                lowering.only_with_payload(option, then);
            }),
            Adaptor::Filter => self.until_taken(around, &mut |lowering, label| {
                lowering.pull_in(Some(label), of, backward, &mut |lowering, item| {
                    let holds = lowering.holds(by, &item);
                    lowering.only_where(holds, |lowering| lowering.taken(then, item, label));
                    lowering.builder.end(End::Continue(label));
                });
            }),
            Adaptor::FilterMap => self.until_taken(around, &mut |lowering, label| {
                lowering.pull_in(Some(label), of, backward, &mut |lowering, item| {
                    let option = lowering.called(by, vec![item]);
                    let taken = &mut |lowering: &mut Self, item| lowering.taken(then, item, label);
                    lowering.only_with_payload(option, taken);
                    lowering.builder.end(End::Continue(label));
                });
            }),
            Adaptor::TakeWhile => {
                let goes_on = self.builder.load_variable(flag);
                self.only_where(goes_on, |lowering| {
                    lowering.pull_in(around, of, backward, &mut |lowering, item| {
                        let holds = lowering.holds(by, &item);
                        lowering.builder.store_variable(flag, holds);
                        lowering.only_where(holds, |lowering| then(lowering, item));
                    });
                });
            }
            Adaptor::SkipWhile => self.until_taken(around, &mut |lowering, label| {
                lowering.pull_in(Some(label), of, backward, &mut |lowering, item| {
                    let skips = lowering.builder.load_variable(flag);
                    lowering.only_where(skips, |lowering| {
                        let holds = lowering.holds(by, &item);
                        lowering.builder.store_variable(flag, holds);
                        lowering.go_on_if(holds, End::Continue(label));
                    });
                    lowering.taken(then, item, label);
                });
            }),
        }
    }

    /// The items of the first, and once it has ended those of the second; from the end on it is the other way around, and the second is asked first.
    fn pull_chained(
        &mut self,
        parts: &[Box<Pull>; 2],
        (has_ended, item): (Handle<Variable>, &Ty),
        backward: bool,
        then: &mut Then<'b, 'm, 'p, 'f, '_>,
    ) {
        let Some(memory) = self.allocate(item, "") else { return };
        let found = self.flag(false);
        let mut keep = |lowering: &mut Self, item: Operand| {
            lowering.store(&memory, &item);
            lowering.set(found);
        };
        let [first, second] = parts;
        if backward {
            self.pull(second, true, &mut keep);
            self.unless(found, |lowering| lowering.pull(first, true, &mut keep));
        } else {
            self.unless(has_ended, |lowering| {
                lowering.pull(first, false, &mut keep);
                lowering.unless(found, |lowering| lowering.set(has_ended));
            });
            self.unless(found, |lowering| lowering.pull(second, false, &mut keep));
        }
        let is_found = self.builder.load_variable(found);
        self.only_where(is_found, |lowering| {
            let item = lowering.load(&memory);
            then(lowering, item);
        });
    }

    /// The last item of those that come after a number of others.
    fn pull_last_unskipped(
        &mut self,
        of: &Pull,
        left: Handle<Variable>,
        then: &mut Then<'b, 'm, 'p, 'f, '_>,
    ) {
        let Pull::Positions(cursor) = of else { return self.only_forward(true) };
        let front = self.builder.load_variable(cursor.front);
        let back = self.builder.load_variable(cursor.back);
        let rest = self.builder.binary(BinaryOp::Sub, back, front);
        let skipped = self.builder.load_variable(left);
        let is_left = self.builder.binary(BinaryOp::Lt, skipped, rest);
        self.only_where(is_left, |lowering| lowering.pull(of, true, then));
    }

    /// Says that items are not taken from the end where how many there are is not known.
    pub(super) fn only_forward(&mut self, backward: bool) {
        if backward {
            let message = "device code cannot take the last of these items";
            let help =
                "take the items from the start, or reverse the iterator before what its closures decide";
            let at = marker(self.builder.span);
            self.builder
                .module
                .diagnostics
                .push(Diagnostic::new(Code::UnsupportedExpression, &at, message).help(help));
        }
    }

    /// A look at the next item, which stays: whether there is one, and where it is.
    pub(super) fn peek_at(&mut self, peeked: &Peeked) -> Operand {
        self.ask_for_next(peeked);
        let is_some = self.builder.load_variable(peeked.is_some);
        Self::option(is_some, Operand::Reference(Box::new(peeked.item.clone())))
    }

    fn ask_for_next(&mut self, peeked: &Peeked) {
        self.unless(peeked.is_asked, |lowering| {
            lowering.set(peeked.is_asked);
            lowering.clear(peeked.is_some);
            lowering.pull(&peeked.of, false, &mut |lowering, item| {
                lowering.store(&peeked.item, &item);
                lowering.set(peeked.is_some);
            });
        });
    }

    /// A loop in which items are asked for until one is taken, or there is none: the one around it if that asks for items too.
    pub(super) fn until_taken(&mut self, around: Option<Label>, ask: &mut dyn FnMut(&mut Self, Label)) {
        if let Some(label) = around {
            return ask(self, label);
        }
        let label = self.builder.fresh_label();
        self.open_unbounded(label);
        ask(self, label);
        self.builder.end(End::Break(label));
        let body = self.builder.close();
        self.builder.push(Statement::Loop { label, body, continuing: empty() });
    }

    /// Takes an item, and leaves the loop in which it has been asked for.
    pub(super) fn taken(&mut self, then: &mut Then<'b, 'm, 'p, 'f, '_>, item: Operand, label: Label) {
        then(self, item);
        self.builder.end(End::Break(label));
    }

    /// Goes on with the next item as long as a number of items is to be left out.
    fn go_on_waiting(&mut self, wait: Handle<Variable>, label: Label) {
        let count = self.builder.load_variable(wait);
        let [zero, one] = [0, 1].map(|bits| self.builder.integer_like(count, bits));
        let waits = self.builder.binary(BinaryOp::Ne, count, zero);
        self.only_where(waits, |lowering| {
            let rest = lowering.builder.binary(BinaryOp::Sub, count, one);
            lowering.builder.store_variable(wait, rest);
            lowering.builder.end(End::Continue(label));
        });
    }

    fn only_with_payload(&mut self, option: Operand, then: &mut Then<'b, 'm, 'p, 'f, '_>) {
        let (is_some, payload) = self.option_parts(option);
        self.only_where(is_some, |lowering| then(lowering, payload));
    }

    /// Does something where a flag is not set.
    pub(super) fn unless(&mut self, flag: Handle<Variable>, then: impl FnOnce(&mut Self)) {
        let condition = self.builder.load_variable(flag);
        let condition = self.negated(condition);
        self.only_where(condition, then);
    }

    pub(super) fn clear(&mut self, flag: Handle<Variable>) {
        let no = self.builder.constant(Scalar::Bool, 0);
        self.builder.store_variable(flag, no);
    }
}
