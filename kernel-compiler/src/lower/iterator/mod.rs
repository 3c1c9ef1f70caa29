//! Iterators.
//!
//! An iterator is a tree that is known when the kernel is compiled ([`Items`]); what is computed of it at first are the ends of ranges,
//! slices and counts. Going over it is one loop ([traversal](self)): most iterators are [sequences](sequence), which have a
//! number of items and compute each from its position, without a check. The loops over plain ranges count in the type of their
//! numbers, as they would be written by hand ([`numbers`]).

mod closure;
mod consume;
mod cursor;
mod items;
mod kept;
mod numbers;
mod one;
mod pull;
mod sequence;
mod traversal;
mod variable;

use super::FunctionLowering;
use super::memory::{Memory, Operand};
use super::requirement::Failure;
use crate::ir::{Handle, Value};
use crate::typed::{Adaptor, Expr, ExprKind, Iter, Parts, RangeForm, Ty};
use cursor::Cursor;
use kernel_core::FaultKind;
use kernel_core::semantics::BinaryOp;
use pull::Pull;
use std::rc::Rc;
pub(super) use variable::{Forms, IteratorVariable};

/// An iterator whose ends, slices and counts have been computed.
#[derive(Clone, Debug)]
pub(super) enum Items {
    /// The numbers from one on, up to an end that may be one of them, or without one.
    Numbers(Numbers),
    /// The elements of an array or slice.
    Elements {
        memory: Memory,
        by_reference: bool,
    },
    /// So many parts of slices, with `size` elements each.
    Parts {
        kind: Parts,
        slices: Memory,
        size: Handle<Value>,
        count: Handle<Value>,
    },
    Rev(Rc<Items>),
    Enumerate(Rc<Items>),
    Copied(Rc<Items>),
    Zip(Rc<Items>, Rc<Items>),
    /// Those of one after those of another, and their type.
    Chain(Rc<Items>, Rc<Items>, Ty),
    /// All of them again and again.
    Cycle(Rc<Items>),
    /// The next of which, which is of this type, can be looked at.
    Peekable(Rc<Items>, Ty),
    StepBy(Rc<Items>, Step),
    Skip(Rc<Items>, Handle<Value>),
    Take(Rc<Items>, Handle<Value>),
    /// What is in an `Option`.
    Maybe {
        is_some: Handle<Value>,
        payload: Operand,
    },
    /// What a closure answers each time it is called, until there is nothing in its answer.
    FromFn(Operand),
    /// The items of the items, which are of a type.
    Flatten(Rc<Items>, Ty),
    With(With),
    Scan(Scan),
    /// An iterator in a variable, of which there may be less left than at first.
    Cursor(Cursor),
    /// An iterator in a variable that is advanced, by its state; or one that is only borrowed.
    Pulled {
        state: Rc<Pull>,
        is_borrowed: bool,
    },
    /// The items from one position up to another.
    Left {
        of: Rc<Items>,
        front: Handle<Value>,
        back: Option<Handle<Value>>,
    },
    /// None at all.
    Nothing,
}

/// What a closure makes of items.
#[derive(Clone, Debug)]
pub(super) struct With {
    adaptor: Adaptor,
    of: Rc<Items>,
    by: Operand,
}

/// What a closure makes of items and of a value of a type, which is `first` at first.
#[derive(Clone, Debug)]
pub(super) struct Scan {
    of: Rc<Items>,
    first: Operand,
    ty: Ty,
    by: Operand,
}

/// A range with its ends computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    start: Handle<Value>,
    /// Where it ends, and whether that is part of it.
    end: Option<(Handle<Value>, bool)>,
}

/// How far it is from one item to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    by: Handle<Value>,
    /// Whether that is not zero; if it is, there are no items.
    is_valid: Handle<Value>,
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// What an expression of an iterator's type stands for.
    pub(super) fn items(&mut self, expr: &Expr) -> Rc<Items> {
        match self.expr(expr) {
            Operand::Iterator(items) => self.left(&items),
            // Code that is never reached, or that rustc refuses.
            _ => Rc::new(Items::Nothing),
        }
    }

    pub(super) fn iterator(&mut self, iter: &Iter) -> Operand {
        Operand::Iterator(Rc::new(match iter {
            Iter::Numbers(range) => self.numbers(range),
            Iter::Elements { of, by_reference: true } => {
                Items::Elements { memory: self.checked_elements(of), by_reference: true }
            }
            Iter::Elements { of, by_reference: false } => {
                Items::Elements { memory: self.moved_array(of), by_reference: false }
            }
            Iter::Parts { kind, of, len } => self.parts(*kind, of, len),
            Iter::Clone(inner) => {
                let items = self.items(inner);
                self.with_closures_copied(&items)
            }
            Iter::Rev(inner) => Items::Rev(self.items(inner)),
            Iter::Enumerate(inner) => Items::Enumerate(self.items(inner)),
            Iter::Copied(inner) => Items::Copied(self.items(inner)),
            Iter::Zip(one, other) => {
                let one = self.items(one);
                Items::Zip(one, self.items(other))
            }
            Iter::Chain(one, other) => {
                let item = self.item_type(one);
                let one = self.items(one);
                Items::Chain(one, self.items(other), item)
            }
            Iter::Cycle(inner) => Items::Cycle(self.items(inner)),
            Iter::Peekable(inner) => {
                let item = self.item_type(inner);
                Items::Peekable(self.items(inner), item)
            }
            Iter::Borrowed(place) => self.borrowed(place),
            Iter::StepBy(inner, step) => self.stepped(inner, step),
            Iter::Skip(inner, count) => {
                let inner = self.items(inner);
                Items::Skip(inner, self.value(count))
            }
            Iter::Take(inner, count) => {
                let inner = self.items(inner);
                Items::Take(inner, self.value(count))
            }
            Iter::Maybe(option) => {
                let option = self.expr(option);
                let (is_some, payload) = self.option_parts(option);
                Items::Maybe { is_some, payload }
            }
            Iter::FromFn(by, back) => Items::FromFn(self.expr(by).with_way_back(back.as_ref())),
            Iter::Flatten(outer) => {
                let ty = self.item_type(outer);
                Items::Flatten(self.items(outer), ty)
            }
            Iter::With(adaptor, of, by) => {
                let of = self.items(of);
                Items::With(With { adaptor: *adaptor, of, by: self.expr(by) })
            }
            Iter::Scan { of, first, by } => {
                let of = self.items(of);
                let ty = self.table.resolve(&first.ty);
                let first = self.expr(first);
                Items::Scan(Scan { of, first, ty, by: self.expr(by) })
            }
        }))
    }

    /// The type of the items of an iterator.
    fn item_type(&self, iterator: &Expr) -> Ty {
        match self.table.resolve(&iterator.ty) {
            Ty::Iterator { item, .. } => (*item).clone(),
            other => other,
        }
    }

    fn numbers(&mut self, range: &Expr) -> Items {
        let Operand::Tuple(ends) = self.expr(range) else { return Items::Nothing };
        let ends: Vec<_> = ends.into_iter().map(|end| self.scalar_operand(end)).collect();
        let Ty::Range(_, form) = self.table.resolve(&range.ty) else { return Items::Nothing };
        numbers_of(&ends, form == RangeForm::Closed)
    }

    /// Memory with the elements of an array as they are now, whatever is assigned to it later.
    pub(super) fn moved_array(&mut self, array: &Expr) -> Memory {
        if self.never_changes(array) || !is_place(array) {
            return self.place(array);
        }
        let operand = self.expr(array);
        self.spill(operand)
    }

    fn parts(&mut self, kind: Parts, of: &Expr, size: &Expr) -> Items {
        let memory = self.indexed(of);
        let slices = self.slices(&memory);
        let size = self.value(size);
        let fault = if kind == Parts::Windows { FaultKind::ZeroWindow } else { FaultKind::ZeroChunk };
        let is_valid = self.nonzero(size, fault);
        let [zero, one] = [0, 1].map(|bits| self.builder.integer_like(size, bits));
        let size = self.builder.select(is_valid, size, one);
        let len = self.len_of(&slices);
        let count = match kind {
            Parts::ChunksExact => self.builder.defined_quotient(len, size),
            Parts::Chunks => self.rounded_up_quotient(len, size),
            Parts::Windows => {
                let fits = self.builder.binary(BinaryOp::Le, size, len);
                let rest = self.builder.binary(BinaryOp::Sub, len, size);
                let count = self.builder.binary(BinaryOp::Add, rest, one);
                self.builder.select(fits, count, zero)
            }
        };
        let count = self.builder.select(is_valid, count, zero);
        Items::Parts { kind, slices, size, count }
    }

    /// A quotient rounded up, where the divisor is known not to be zero.
    fn rounded_up_quotient(&mut self, dividend: Handle<Value>, divisor: Handle<Value>) -> Handle<Value> {
        let quotient = self.builder.defined_quotient(dividend, divisor);
        let product = self.builder.binary(BinaryOp::Mul, quotient, divisor);
        let is_exact = self.builder.binary(BinaryOp::Eq, product, dividend);
        let one = self.builder.integer_like(dividend, 1);
        let more = self.builder.binary(BinaryOp::Add, quotient, one);
        self.builder.select(is_exact, quotient, more)
    }

    fn stepped(&mut self, inner: &Expr, step: &Expr) -> Items {
        let inner = self.items(inner);
        let by = self.value(step);
        let is_valid = self.nonzero(by, FaultKind::ZeroStep);
        Items::StepBy(inner, Step { by, is_valid })
    }

    /// Returns whether a number is not zero; if it is, that is a fault.
    fn nonzero(&mut self, number: Handle<Value>, fault: FaultKind) -> Handle<Value> {
        let zero = self.builder.integer_like(number, 0);
        let holds = self.builder.binary(BinaryOp::Ne, number, zero);
        self.builder.require(holds, [Failure::new(fault, &[])])
    }
}

/// The numbers from the first end on, up to the second if there is one, which may be part of them.
fn numbers_of(ends: &[Handle<Value>], inclusive: bool) -> Items {
    match *ends {
        [start] => Items::Numbers(Numbers { start, end: None }),
        [start, end] => Items::Numbers(Numbers { start, end: Some((end, inclusive)) }),
        _ => Items::Nothing,
    }
}

/// Returns whether an expression names memory that there is already.
fn is_place(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Binding(_) | ExprKind::Index(..) | ExprKind::Field(..) | ExprKind::Dereference(_)
    )
}
