//! One of the items of an iterator: the last, the greatest, the first for which something holds.
//!
//! A value is kept in a variable. Which memory a reference stands for has to be known when the kernel is compiled, so what is kept of an item
//! that refers to an element is its position; the element is looked up with a check, since there may be none.

use super::Items;
use super::sequence::{At, Lookup, Sequence};
use super::traversal::Visit;
use crate::ir::{End, Handle, Label, Value, Variable};
use crate::lower::FunctionLowering;
use crate::lower::memory::{Memory, Operand};
use crate::typed::{Consumer, Ty};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use std::rc::Rc;

/// Where the chosen item is kept.
struct Chosen {
    /// Whether there is one.
    found: Handle<Variable>,
    kept: Kept,
}

enum Kept {
    Value(Memory),
    /// The position in a sequence, which is the same for all items.
    Position(Handle<Variable>, Option<Rc<At>>),
}

impl FunctionLowering<'_, '_, '_, '_> {
    pub(super) fn one_of(
        &mut self,
        items: &Items,
        ty: &Ty,
        consumer: Consumer,
        arguments: &[Operand],
    ) -> Operand {
        let zero = self.builder.constant(Scalar::Usize, 0);
        let kept = match self.payload_memory(ty) {
            Some(memory) => Kept::Value(memory),
            None => Kept::Position(self.counter(zero), None),
        };
        let mut chosen = Chosen { found: self.flag(false), kept };
        match (consumer, arguments) {
            (Consumer::Last | Consumer::Nth, _) if items.is_sequence(false) && !items.computes() => {
                self.look_up(items, &mut chosen, arguments.first());
            }
            (Consumer::Last, _) => {
                self.go_forward(items, &mut |lowering, visit, _| lowering.choose(&mut chosen, &visit));
            }
            (Consumer::Nth, [Operand::Value(number)]) => self.find_number(items, &mut chosen, *number),
            (Consumer::Find, [by]) => self.go_forward(items, &mut |lowering, visit, label| {
                let holds = lowering.holds(by, &visit.item);
                lowering.choose_last(&mut chosen, &visit, holds, label);
            }),
            (Consumer::Min | Consumer::Max, _) => {
                self.find_extreme(items, &mut chosen, consumer == Consumer::Max, &mut |lowering, item| {
                    lowering.number(item.clone())
                });
            }
            (Consumer::MinByKey | Consumer::MaxByKey, [by]) => {
                let greatest = consumer == Consumer::MaxByKey;
                self.find_extreme(items, &mut chosen, greatest, &mut |lowering, item| {
                    let seen = lowering.borrow_item(item);
                    let key = lowering.called(by, vec![seen]);
                    lowering.number(key)
                });
            }
            // Code that is never reached, or that rustc refuses.
            _ => {}
        }
        self.chosen(&chosen)
    }

    /// The item that has been chosen, as an `Option`.
    fn chosen(&mut self, chosen: &Chosen) -> Operand {
        let found = self.builder.load_variable(chosen.found);
        let payload = match &chosen.kept {
            Kept::Value(memory) => self.load(memory),
            Kept::Position(position, Some(at)) => {
                let position = self.builder.load_variable(*position);
                self.item_as(at, position, Lookup::If(found))
            }
            // There never is an item.
            Kept::Position(_, None) => Operand::Undefined,
        };
        Self::option(found, payload)
    }

    fn choose(&mut self, chosen: &mut Chosen, visit: &Visit) {
        match (&mut chosen.kept, &visit.origin) {
            (Kept::Value(memory), _) => self.store(memory, &visit.item),
            (Kept::Position(kept, at), Some((sequence, position))) => {
                self.builder.store_variable(*kept, *position);
                *at = Some(sequence.clone());
            }
            // Only the items of sequences are kept by position.
            (Kept::Position(..), None) => {}
        }
        self.set(chosen.found);
    }

    /// The item with a number, or the last one, of a sequence: no other is looked at.
    fn look_up(&mut self, items: &Items, chosen: &mut Chosen, number: Option<&Operand>) {
        let Some(Sequence { len, at }) = self.sequence(items) else { return };
        let (position, is_there) = match (number, len) {
            (Some(Operand::Value(number)), Some(len)) => {
                (*number, self.builder.binary(BinaryOp::Lt, *number, len))
            }
            (Some(Operand::Value(number)), None) => (*number, self.builder.constant(Scalar::Bool, 1)),
            (_, Some(len)) => {
                let [zero, one] = [0, 1].map(|bits| self.builder.integer_like(len, bits));
                let last = self.builder.binary(BinaryOp::Sub, len, one);
                (last, self.builder.binary(BinaryOp::Ne, len, zero))
            }
            // What does not end has no last item: in Rust it is looked for without end.
            (_, None) => return,
        };
        self.only_where(is_there, |lowering| {
            let item = lowering.item(&at, position);
            let origin = Some((Rc::new(at), position));
            lowering.choose(chosen, &Visit { item, origin, next: End::Next });
        });
    }

    /// Chooses an item if a condition holds, and looks at no other then.
    fn choose_last(&mut self, chosen: &mut Chosen, visit: &Visit, condition: Handle<Value>, label: Label) {
        self.only_where(condition, |lowering| {
            lowering.choose(chosen, visit);
            lowering.builder.end(End::Break(label));
        });
    }

    /// The item before which so many others come.
    fn find_number(&mut self, items: &Items, chosen: &mut Chosen, number: Handle<Value>) {
        let zero = self.builder.constant(Scalar::Usize, 0);
        let count = self.counter(zero);
        self.go_forward(items, &mut |lowering, visit, label| {
            let before = lowering.increment(count);
            let is_it = lowering.builder.binary(BinaryOp::Eq, before, number);
            lowering.choose_last(chosen, &visit, is_it, label);
        });
    }

    /// The least item or the greatest, by a number; of several that are equal the first or the last, as in Rust.
    fn find_extreme(
        &mut self,
        items: &Items,
        chosen: &mut Chosen,
        greatest: bool,
        number: &mut dyn FnMut(&mut Self, &Operand) -> Handle<Value>,
    ) {
        let mut best = None;
        let op = if greatest { BinaryOp::Ge } else { BinaryOp::Lt };
        self.go_forward(items, &mut |lowering, visit, _| {
            let own = number(lowering, &visit.item);
            let ty = lowering.builder.type_of(own);
            let best = *best.get_or_insert_with(|| lowering.builder.variable("", ty));
            let has_best = lowering.builder.load_variable(chosen.found);
            let is_first = lowering.negated(has_best);
            let so_far = lowering.builder.load_variable(best);
            let is_better = lowering.builder.binary(op, own, so_far);
            let is_chosen = lowering.builder.binary(BinaryOp::Or, is_first, is_better);
            lowering.only_where(is_chosen, |lowering| {
                lowering.builder.store_variable(best, own);
                lowering.choose(chosen, &visit);
            });
        });
    }
}
