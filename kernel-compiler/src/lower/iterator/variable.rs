//! Variables for iterators that are assigned, or come out of one of several branches.
//!
//! Mostly an iterator is known while a kernel is lowered. Where one is stored to a variable, that keeps what the running kernel alone knows: the slices that it goes over, as
//! [references](crate::lower::reference), its counts and ends, and the positions of what is left. All iterators of a type are made by the same adaptors, since Rust knows them by
//! their types; so what these are, the [`Form`], is known once one has been stored, and the kernel is lowered again.

use super::Items;
use super::cursor::Cursor;
use crate::hash::HashMap;
use crate::ir::{Handle, Type, Value, Variable};
use crate::lower::FunctionLowering;
use crate::lower::identity::{Identity, Node};
use crate::lower::memory::{Memory, Operand};
use crate::lower::slice;
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use std::mem::discriminant;
use std::rc::Rc;

/// An iterator over all of its items, but for what variables keep of it.
#[derive(Clone, Debug)]
struct Form {
    /// The slices and numbers in it are those of the iterator that was stored first.
    items: Rc<Items>,
    /// The types of its numbers.
    numbers: Vec<Handle<Type>>,
}

/// The forms of the iterators in each variable that one is stored to.
#[derive(Debug, Default)]
pub(in crate::lower) struct Forms {
    known: HashMap<Identity, Form>,
    found: HashMap<Identity, Form>,
}

impl Forms {
    /// Returns whether a form has been found that was not known at the start of the pass.
    pub(in crate::lower) fn has_grown(&self) -> bool {
        !self.found.is_empty()
    }

    pub(in crate::lower) fn for_next_pass(self) -> Self {
        let mut known = self.known;
        known.extend(self.found);
        Self { known, found: HashMap::default() }
    }
}

/// A variable for iterators.
#[derive(Clone, Debug)]
pub(in crate::lower) struct IteratorVariable {
    identity: Identity,
    pub(super) state: State,
}

#[derive(Clone, Debug)]
pub(super) enum State {
    /// It is this one for as long as none is stored.
    Fixed(Option<Rc<Items>>),
    Kept(Kept),
}

/// What is kept of an iterator.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    form: Rc<Items>,
    slices: Vec<Memory>,
    pub(super) numbers: Vec<Handle<Variable>>,
    pub(super) front: Handle<Variable>,
    pub(super) back: Handle<Variable>,
}

/// What makes the difference between iterators of one form.
enum Part<'p> {
    Slice(&'p mut Memory),
    Number(&'p mut Handle<Value>),
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// A variable for iterators, with its first one.
    pub(in crate::lower) fn iterator_variable(&mut self, first: Option<&Rc<Items>>) -> Memory {
        let around = self.builder.module.identities.enter(Node::Iterator);
        let identity = self.builder.module.identities.inside();
        let known = self.builder.module.forms.known.get(&identity).cloned();
        let state = match known {
            None => State::Fixed(first.map(|items| self.cursor(items))),
            Some(form) => State::Kept(self.kept_as(form)),
        };
        let variable = IteratorVariable { identity, state };
        if let (State::Kept(_), Some(first)) = (&variable.state, first) {
            self.store_iterator(&variable, first);
        }
        self.builder.module.identities.leave(around);
        Memory::Iterator(Rc::new(variable))
    }

    fn kept_as(&mut self, Form { items: mut form, numbers }: Form) -> Kept {
        let mut slices = Vec::new();
        each_part(Rc::make_mut(&mut form), &mut |part| {
            if let Part::Slice(_) = part {
                slices.push(self.varying(None));
            }
        });
        let zero = self.builder.constant(Scalar::Usize, 0);
        let [front, back] = [(); 2].map(|()| self.builder.variable_of(zero));
        let numbers = numbers.into_iter().map(|ty| self.builder.variable("", ty)).collect();
        Kept { form, slices, numbers, front, back }
    }

    /// The iterator in a variable, to be advanced; none if nothing has been stored.
    pub(super) fn advanced(&mut self, variable: &IteratorVariable) -> Option<Rc<Items>> {
        let kept = match &variable.state {
            State::Fixed(items) => return items.clone(),
            State::Kept(kept) => kept,
        };
        let mut of = kept.form.clone();
        let (mut slices, mut numbers) = (kept.slices.iter(), kept.numbers.iter());
        each_part(Rc::make_mut(&mut of), &mut |part| match part {
            Part::Slice(memory) => {
                if let Some(kept) = slices.next() {
                    *memory = self.follow(kept);
                }
            }
            Part::Number(number) => {
                if let Some(kept) = numbers.next() {
                    *number = self.builder.load_variable(*kept);
                }
            }
        });
        Some(Rc::new(Items::Cursor(Cursor { of, front: kept.front, back: kept.back })))
    }

    /// What is left of the iterator in a variable.
    pub(in crate::lower) fn load_iterator(&mut self, variable: &IteratorVariable) -> Operand {
        let Some(items) = self.advanced(variable) else { return Operand::Undefined };
        Operand::Iterator(match variable.state {
            State::Fixed(_) => items,
            State::Kept(_) => self.left(&items),
        })
    }

    /// Stores an iterator to a variable.
    pub(in crate::lower) fn store_iterator(&mut self, variable: &IteratorVariable, items: &Rc<Items>) {
        if !self.builder.is_reachable() {
            return;
        }
        let items = self.left(items);
        let (of, ends) = match &*items {
            Items::Left { of, front, back: Some(back) } => (of.clone(), Some((*front, *back))),
            _ => (items, None),
        };
        let Some(mut of) = self.with_slices(&of) else { return self.refuse_reference() };
        let Some((front, back)) = ends.or_else(|| self.all_positions(&of)) else {
            return self.refuse_reference();
        };
        let State::Kept(kept) = &variable.state else {
            let mut numbers = Vec::new();
            each_part(Rc::make_mut(&mut of), &mut |part| {
                if let Part::Number(number) = part {
                    numbers.push(self.builder.type_of(*number));
                }
            });
            let forms = &mut self.builder.module.forms;
            forms.found.insert(variable.identity, Form { items: of, numbers });
            return;
        };
        if !of.has_form_of(&kept.form) {
            return self.refuse_reference();
        }
        let (mut slices, mut numbers) = (kept.slices.iter(), kept.numbers.iter());
        each_part(Rc::make_mut(&mut of), &mut |part| match part {
            Part::Slice(memory) => {
                if let Some(kept) = slices.next() {
                    self.store(kept, &Operand::Reference(Box::new(memory.clone())));
                }
            }
            Part::Number(number) => {
                if let Some(kept) = numbers.next() {
                    self.builder.store_variable(*kept, *number);
                }
            }
        });
        self.builder.store_variable(kept.front, front);
        self.builder.store_variable(kept.back, back);
    }

    /// The positions of the first item and behind the last.
    fn all_positions(&mut self, items: &Items) -> Option<(Handle<Value>, Handle<Value>)> {
        let len = self.sequence(items)?.len;
        let end = len.unwrap_or_else(|| self.builder.constant(Scalar::Usize, u64::MAX));
        Some((self.builder.constant(Scalar::Usize, 0), end))
    }

    /// The same iterator over slices, of which it has all items; none if it computes items, or has them itself.
    fn with_slices(&mut self, items: &Rc<Items>) -> Option<Rc<Items>> {
        if !items.is_sequence(false) || items.computes() {
            return None;
        }
        let of_slice = |memory| Rc::new(Items::Elements { memory, by_reference: true });
        match &**items {
            Items::Elements { by_reference: false, .. } => None,
            Items::Elements { memory, .. } => Some(of_slice(self.slices(memory))),
            Items::Left { of, front, back: Some(back) } => {
                let Items::Elements { memory, by_reference: true } = &**of else { return None };
                let (slices, start) = (self.slices(memory), *front);
                let len = self.builder.binary(BinaryOp::Sub, *back, start);
                Some(of_slice(self.part_of(&slices, slice::Part { start, len })))
            }
            Items::Left { .. } => None,
            _ => {
                let mut whole = items.clone();
                for part in Rc::make_mut(&mut whole).parts_mut() {
                    *part = self.with_slices(part)?;
                }
                Some(whole)
            }
        }
    }
}

impl Items {
    /// Returns whether it differs from another one in its slices and numbers at most.
    fn has_form_of(&self, other: &Self) -> bool {
        let is_alike = match (self, other) {
            (Self::Numbers(one), Self::Numbers(other)) => {
                one.end.map(|(_, inclusive)| inclusive) == other.end.map(|(_, inclusive)| inclusive)
            }
            (Self::Parts { kind: one, .. }, Self::Parts { kind: other, .. }) => one == other,
            _ => discriminant(self) == discriminant(other),
        };
        is_alike
            && self.parts().count() == other.parts().count()
            && self.parts().zip(other.parts()).all(|(one, other)| one.has_form_of(other))
    }
}

/// Visits the slices and numbers of a sequence that computes nothing.
fn each_part(items: &mut Items, each: &mut dyn FnMut(Part<'_>)) {
    for part in items.parts_mut() {
        each_part(Rc::make_mut(part), each);
    }
    match items {
        Items::Numbers(numbers) => {
            each(Part::Number(&mut numbers.start));
            if let Some((end, _)) = &mut numbers.end {
                each(Part::Number(end));
            }
        }
        Items::Elements { memory, .. } => each(Part::Slice(memory)),
        Items::Parts { slices, size, count, .. } => {
            each(Part::Slice(slices));
            each(Part::Number(size));
            each(Part::Number(count));
        }
        Items::StepBy(_, step) => {
            each(Part::Number(&mut step.by));
            each(Part::Number(&mut step.is_valid));
        }
        Items::Skip(_, count) | Items::Take(_, count) => each(Part::Number(count)),
        _ => {}
    }
}
