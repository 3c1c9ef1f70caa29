//! Iterators that are advanced: in a variable that can change, an iterator whose items have positions keeps the positions of the
//! first and behind the last item that is left.

use super::Items;
use super::pull::Pull;
use super::sequence::{Lookup, Sequence};
use crate::ir::{Handle, Value, Variable};
use crate::lower::FunctionLowering;
use crate::lower::memory::{Memory, Operand};
use crate::typed::{Advance, Expr, Ty};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use std::rc::Rc;

/// An iterator in a variable.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Cursor {
    pub(super) of: Rc<Items>,
    /// The position of the first item that is left.
    pub(super) front: Handle<Variable>,
    /// The position behind the last.
    pub(super) back: Handle<Variable>,
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// An iterator that can be advanced.
    pub(in crate::lower) fn cursor(&mut self, items: &Rc<Items>) -> Rc<Items> {
        let of = self.left(items);
        match self.positions(&of) {
            Some(cursor) => Rc::new(Items::Cursor(cursor)),
            None => match self.pull_state(&of) {
                Some(state) => Rc::new(Items::Pulled { state: Rc::new(state), is_borrowed: false }),
                None => of,
            },
        }
    }

    /// The positions of all items, if they have any.
    pub(super) fn positions(&mut self, of: &Rc<Items>) -> Option<Cursor> {
        let Sequence { len, .. } = self.sequence_of(of)?;
        let zero = self.builder.constant(Scalar::Usize, 0);
        let end = len.unwrap_or_else(|| self.builder.constant(Scalar::Usize, u64::MAX));
        let (front, back) = (self.builder.variable_of(zero), self.builder.variable_of(end));
        Some(Cursor { of: of.clone(), front, back })
    }

    fn sequence_of(&mut self, items: &Items) -> Option<Sequence> {
        if items.is_sequence(false) { self.sequence(items) } else { None }
    }

    /// What is left of an iterator by now.
    pub(super) fn left(&mut self, items: &Rc<Items>) -> Rc<Items> {
        let Items::Cursor(Cursor { of, front, back }) = &**items else { return items.clone() };
        let front = self.builder.load_variable(*front);
        let back = of.has_end().then(|| self.builder.load_variable(*back));
        Rc::new(Items::Left { of: of.clone(), front, back })
    }

    /// An iterator that is only borrowed: who takes its items takes them from the iterator itself.
    pub(super) fn borrowed(&mut self, iterator: &Expr) -> Items {
        let items = match self.place(iterator) {
            Memory::Value(Operand::Iterator(items)) => items,
            Memory::Iterator(variable) => match self.advanced(&variable) {
                Some(items) => items,
                // Nothing has been stored: code that is never reached, or that is lowered again.
                None => return Items::Nothing,
            },
            Memory::Choice { .. } => {
                self.refuse_reference();
                return Items::Nothing;
            }
            _ => return Items::Nothing,
        };
        match &*items {
            Items::Cursor(cursor) => {
                Items::Pulled { state: Rc::new(Pull::Positions(cursor.clone())), is_borrowed: true }
            }
            Items::Pulled { state, .. } => Items::Pulled { state: state.clone(), is_borrowed: true },
            // It is used this once.
            other => other.clone(),
        }
    }

    /// `next()` and its kin: an `Option` of this type.
    pub(in crate::lower) fn advance(&mut self, expr: &Expr, advance: Advance, iterator: &Expr) -> Operand {
        let ty = self.table.resolve(&expr.ty);
        let memory = self.place(iterator);
        self.advance_in(&ty, &memory, advance)
    }

    /// The same of an iterator in memory.
    fn advance_in(&mut self, ty: &Ty, memory: &Memory, advance: Advance) -> Operand {
        let items = match memory {
            Memory::Value(Operand::Iterator(items)) if items.is_advanced() => Some(items.clone()),
            // It is used this once.
            Memory::Value(Operand::Iterator(items)) => Some(self.cursor(items)),
            Memory::Iterator(variable) => self.advanced(variable),
            Memory::Choice { which, choices } => {
                let Some(result) = self.allocate(ty, "") else { return Operand::UNIT };
                self.by_choice(*which, choices, &mut |lowering, choice| {
                    let option = lowering.advance_in(ty, choice, advance);
                    lowering.store(&result, &option);
                });
                return self.load(&result);
            }
            // Code that is never reached, or that rustc refuses.
            _ => None,
        };
        match items.as_deref() {
            Some(Items::Cursor(cursor)) => self.advance_cursor(ty, cursor, advance),
            Some(Items::Pulled { state, .. }) => self.advance_by_pull(ty, state, advance),
            _ => Operand::UNIT,
        }
    }

    fn advance_cursor(&mut self, ty: &Ty, cursor: &Cursor, advance: Advance) -> Operand {
        let front = self.builder.load_variable(cursor.front);
        let back = self.builder.load_variable(cursor.back);
        let has_item = self.builder.binary(BinaryOp::Lt, front, back);
        let one = self.builder.constant(Scalar::Usize, 1);
        let last = self.builder.binary(BinaryOp::Sub, back, one);
        let position = if advance == Advance::NextBack { last } else { front };
        let item = self.item_if(&cursor.of, ty, advance, (has_item, position));
        match advance {
            Advance::Next => {
                let next = self.builder.binary(BinaryOp::Add, front, one);
                let next = self.builder.select(has_item, next, front);
                self.builder.store_variable(cursor.front, next);
            }
            Advance::NextBack => {
                let last = self.builder.select(has_item, last, back);
                self.builder.store_variable(cursor.back, last);
            }
            Advance::Peek => {}
        }
        Self::option(has_item, item)
    }

    /// The next item of an iterator whose items have no positions.
    fn advance_by_pull(&mut self, option: &Ty, state: &Pull, advance: Advance) -> Operand {
        if let (Advance::Peek, Pull::Peekable(peeked)) = (advance, state.borrowed()) {
            return self.peek_at(peeked);
        }
        let found = self.flag(false);
        let Some(memory) = self.payload_memory(option) else { return Operand::UNIT };
        self.pull(state, advance == Advance::NextBack, &mut |lowering, item| {
            lowering.store(&memory, &item);
            lowering.set(found);
        });
        let found = self.builder.load_variable(found);
        Self::option(found, self.load(&memory))
    }

    /// The item at a position, if there is one.
    fn item_if(
        &mut self,
        items: &Items,
        option: &Ty,
        advance: Advance,
        (has_item, position): (Handle<Value>, Handle<Value>),
    ) -> Operand {
        let Some(Sequence { at, .. }) = self.sequence(items) else { return Operand::Undefined };
        let Some(memory) = self.payload_memory(option) else {
            return self.item_as(&at, position, Lookup::If(has_item));
        };
        self.only_where(has_item, |lowering| {
            let item = lowering.item(&at, position);
            let item = match advance {
                Advance::Peek => Operand::Reference(Box::new(lowering.spill(item))),
                _ => item,
            };
            lowering.store(&memory, &item);
        });
        self.load(&memory)
    }
}
