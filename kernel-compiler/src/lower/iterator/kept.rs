//! Iterators that the items of another one are or make, as `flat_map` has them: they outlive the code that makes them, since one of them is gone through by several calls
//! of `next`. So each value that such an iterator is made of is kept in a variable.
//!
//! What is to be kept is seen when the iterator is made for the first time, as what has come to be since then. Code for another call of `next` makes it again, of the same
//! form, and stores what it is made of there to the same variables.

use super::pull::{Pull, Then};
use super::variable::State;
use super::{Items, Scan, With};
use crate::ir::{Base, End, Handle, Label, Place, Step, Value, Variable};
use crate::lower::FunctionLowering;
use crate::lower::memory::{Memory, Operand};
use crate::typed::Ty;
use std::cell::RefCell;
use std::rc::Rc;

/// An iterator over the items of those that another one has.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Joined {
    pub(super) outer: Pull,
    /// The type of its items.
    pub(super) ty: Ty,
    pub(super) begun: Begun,
}

/// An iterator that goes around: what it goes over, as that was at first, and the present round.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Around {
    pub(super) of: Rc<Items>,
    pub(super) begun: Begun,
}

/// One iterator after the other, each of the same form.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Begun {
    /// Whether there is one that has been begun.
    pub(super) is_open: Handle<Variable>,
    /// That iterator, once its form is known.
    inner: Rc<RefCell<Option<Kept>>>,
}

/// The state of an iterator, with a keeper for each part that outlives the code which makes it.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Kept {
    state: Pull,
    keepers: Vec<Option<Keeper>>,
}

/// Where a part of an iterator is kept.
#[derive(Clone, Debug)]
enum Keeper {
    /// It is the same number each time.
    Constant(u64),
    Value(Handle<Variable>),
    /// It is a variable itself.
    Variable(Handle<Variable>),
    /// What it refers to is in a variable for references.
    Memory(Memory),
}

/// A part of the state of an iterator.
enum Part<'p> {
    Value(&'p mut Handle<Value>),
    Variable(&'p mut Handle<Variable>),
    /// A place, which consists of parts that stay together.
    Place(&'p mut Memory),
}

/// What had come to be at a point of lowering.
#[derive(Clone, Copy)]
struct Mark {
    values: usize,
    variables: usize,
}

impl Mark {
    fn precedes_value(self, value: Handle<Value>) -> bool {
        value.index() >= self.values
    }

    fn precedes_variable(self, variable: Handle<Variable>) -> bool {
        variable.index() >= self.variables
    }

    fn precedes_place(self, place: &Place) -> bool {
        let is_later = match place.base {
            Base::Variable(variable) => self.precedes_variable(variable),
            Base::Slice(value) | Base::Pointer(value) => self.precedes_value(value),
            Base::Local(_) | Base::Table(_) | Base::Parameter(_) => false,
        };
        is_later
            || place.path.iter().any(|step| match step {
                Step::Index(index) | Step::Run { index, .. } => self.precedes_value(index.index),
                Step::Member(_) => false,
            })
    }
}

impl<'b, 'm, 'p, 'f> FunctionLowering<'b, 'm, 'p, 'f> {
    /// Does something with the next item of an iterator over those of others.
    pub(super) fn pull_joined(&mut self, joined: &Joined, then: &mut Then<'b, 'm, 'p, 'f, '_>) {
        let mark = self.mark();
        let Joined { outer, ty, begun } = joined;
        self.until_taken(None, &mut |lowering, label| {
            lowering.unless(begun.is_open, |lowering| {
                lowering.pull(outer, false, &mut |lowering, item| {
                    let items = lowering.items_of(item, ty);
                    lowering.begin(begun, &items, mark);
                });
                let is_open = lowering.builder.load_variable(begun.is_open);
                lowering.break_unless(label, is_open);
            });
            lowering.pull_begun(begun, label, then);
        });
    }

    /// Does something with the next item of an iterator that goes around. One round that has no items is the end.
    pub(super) fn pull_around(&mut self, around: &Around, then: &mut Then<'b, 'm, 'p, 'f, '_>) {
        let mark = self.mark();
        let Around { of, begun } = around;
        let goes_on = self.flag(true);
        self.until_taken(None, &mut |lowering, label| {
            lowering.unless(begun.is_open, |lowering| {
                let is_first = lowering.builder.load_variable(goes_on);
                lowering.break_unless(label, is_first);
                lowering.clear(goes_on);
                let items = lowering.with_closures_copied(of);
                lowering.begin(begun, &items, mark);
            });
            lowering.pull_begun(begun, label, then);
        });
    }

    /// No iterator of those that come one after the other.
    pub(super) fn none_begun(&mut self) -> Begun {
        Begun { is_open: self.flag(false), inner: Rc::default() }
    }

    fn mark(&self) -> Mark {
        Mark { values: self.builder.values.len(), variables: self.builder.variables.len() }
    }

    fn begin(&mut self, begun: &Begun, items: &Items, mark: Mark) {
        if let Some(state) = self.pull_state(items) {
            self.keep(begun, state, mark);
            self.set(begun.is_open);
        }
    }

    /// Takes the next item of the iterator that has been begun, or else goes on with the next iterator.
    fn pull_begun(&mut self, begun: &Begun, label: Label, then: &mut Then<'b, 'm, 'p, 'f, '_>) {
        let Some(inner) = begun.inner.borrow().clone() else { return };
        let state = self.kept_state(&inner);
        self.pull(&state, false, &mut |lowering, item| lowering.taken(then, item, label));
        self.clear(begun.is_open);
        self.builder.end(End::Continue(label));
    }

    /// Keeps the state of an iterator that has just been made.
    fn keep(&mut self, begun: &Begun, mut state: Pull, mark: Mark) {
        let known = begun.inner.borrow().clone();
        let Some(Kept { state: mut template, keepers }) = known else {
            let mut keepers = Vec::new();
            parts_of_pull(&mut state, &mut |part| keepers.push(self.keeper(&part, mark)));
            *begun.inner.borrow_mut() = Some(Kept { state, keepers });
            return;
        };
        let mut count = 0;
        parts_of_pull(&mut template, &mut |_| count += 1);
        let mut position = 0;
        let mut fits = true;
        parts_of_pull(&mut state, &mut |part| {
            if let Some(Some(keeper)) = keepers.get(position) {
                fits &= self.keep_part(keeper, &part);
            }
            position += 1;
        });
        if !fits || position != count {
            self.refuse_reference();
        }
    }

    /// Where a part is kept from now on, if it has come to be since a point, with what it is now.
    fn keeper(&mut self, part: &Part<'_>, mark: Mark) -> Option<Keeper> {
        let keeper = match part {
            Part::Value(value) if mark.precedes_value(**value) => match self.builder.constant_of(**value) {
                Some(bits) => Keeper::Constant(bits),
                None => {
                    let ty = self.builder.type_of(**value);
                    Keeper::Value(self.builder.variable("", ty))
                }
            },
            Part::Variable(variable) if mark.precedes_variable(**variable) => Keeper::Variable(**variable),
            Part::Place(Memory::Place(place)) if mark.precedes_place(place) => {
                Keeper::Memory(self.varying(None))
            }
            _ => return None,
        };
        self.keep_part(&keeper, part);
        Some(keeper)
    }

    /// Stores a part of an iterator where it is kept; whether it is of the same form.
    fn keep_part(&mut self, keeper: &Keeper, part: &Part<'_>) -> bool {
        match (keeper, part) {
            (Keeper::Constant(bits), Part::Value(value)) => {
                return self.builder.constant_of(**value) == Some(*bits);
            }
            (Keeper::Value(variable), Part::Value(value)) => self.builder.store_variable(*variable, **value),
            (Keeper::Variable(variable), Part::Variable(own)) if variable == *own => {}
            (Keeper::Variable(variable), Part::Variable(own)) => {
                let value = self.builder.load_variable(**own);
                self.builder.store_variable(*variable, value);
            }
            (Keeper::Memory(kept), Part::Place(memory)) => {
                self.store(kept, &Operand::Reference(Box::new((**memory).clone())));
            }
            _ => return false,
        }
        true
    }

    /// The state of an iterator, made of what is kept.
    fn kept_state(&mut self, kept: &Kept) -> Pull {
        let mut state = kept.state.clone();
        let mut keepers = kept.keepers.iter();
        parts_of_pull(&mut state, &mut |part| match (keepers.next(), part) {
            (Some(Some(Keeper::Constant(bits))), Part::Value(value)) => {
                *value = self.builder.integer_like(*value, *bits);
            }
            (Some(Some(Keeper::Value(variable))), Part::Value(value)) => {
                *value = self.builder.load_variable(*variable);
            }
            (Some(Some(Keeper::Memory(kept))), Part::Place(memory)) => *memory = self.follow(kept),
            _ => {}
        });
        state
    }

    /// The same in variables of its own.
    pub(super) fn copied_begun(&mut self, begun: &Begun) -> Begun {
        let is_open = self.copied_variable(begun.is_open);
        let known = begun.inner.borrow().clone();
        let copied = known.map(|Kept { mut state, keepers }| {
            let keepers = keepers.iter().map(|keeper| {
                Some(match keeper.as_ref()? {
                    Keeper::Constant(bits) => Keeper::Constant(*bits),
                    Keeper::Value(variable) => Keeper::Value(self.copied_variable(*variable)),
                    Keeper::Variable(variable) => Keeper::Variable(self.copied_variable(*variable)),
                    Keeper::Memory(memory) => {
                        let (copy, operand) = (self.varying(None), self.load(memory));
                        self.store(&copy, &operand);
                        Keeper::Memory(copy)
                    }
                })
            });
            let keepers: Vec<_> = keepers.collect();
            let mut own = keepers.iter();
            parts_of_pull(&mut state, &mut |part| {
                if let (Some(Some(Keeper::Variable(copy))), Part::Variable(variable)) = (own.next(), part) {
                    *variable = *copy;
                }
            });
            Kept { state, keepers }
        });
        Begun { is_open, inner: Rc::new(RefCell::new(copied)) }
    }
}

/// What is done with each part.
type Each<'x> = dyn FnMut(Part<'_>) + 'x;

fn parts_of_pull(state: &mut Pull, each: &mut Each<'_>) {
    match state {
        Pull::Positions(cursor) | Pull::Cycle(cursor) => {
            parts_of_items(Rc::make_mut(&mut cursor.of), each);
            each(Part::Variable(&mut cursor.front));
            each(Part::Variable(&mut cursor.back));
        }
        Pull::Borrowed(of) => parts_of_pull(Rc::make_mut(of), each),
        Pull::Rev(of) | Pull::Copied(of) | Pull::Flatten(of) => parts_of_pull(of, each),
        Pull::Enumerate(of, variable) | Pull::Skip(of, variable) | Pull::Take(of, variable) => {
            parts_of_pull(of, each);
            each(Part::Variable(variable));
        }
        Pull::StepBy(of, step, wait) => {
            parts_of_pull(of, each);
            each(Part::Value(&mut step.by));
            each(Part::Value(&mut step.is_valid));
            each(Part::Variable(wait));
        }
        Pull::Zip(one, other) => {
            parts_of_pull(one, each);
            parts_of_pull(other, each);
        }
        Pull::Chain([one, other], has_ended, _) => {
            parts_of_pull(one, each);
            parts_of_pull(other, each);
            each(Part::Variable(has_ended));
        }
        Pull::Maybe(payload, is_there) => {
            parts_of_operand(payload, each);
            each(Part::Variable(is_there));
        }
        Pull::FromFn(by) => parts_of_operand(by, each),
        Pull::With(_, of, by, flag) => {
            parts_of_pull(of, each);
            parts_of_operand(by, each);
            each(Part::Variable(flag));
        }
        Pull::Scan { of, state, by, .. } => {
            parts_of_pull(of, each);
            parts_of_memory(state, each);
            parts_of_operand(by, each);
        }
        Pull::Peekable(peeked) => {
            parts_of_pull(&mut peeked.of, each);
            each(Part::Variable(&mut peeked.is_asked));
            each(Part::Variable(&mut peeked.is_some));
            parts_of_memory(&mut peeked.item, each);
        }
        Pull::Joined(joined) => {
            parts_of_pull(&mut joined.outer, each);
            each(Part::Variable(&mut joined.begun.is_open));
        }
        Pull::Around(around) => {
            parts_of_items(Rc::make_mut(&mut around.of), each);
            each(Part::Variable(&mut around.begun.is_open));
        }
    }
}

fn parts_of_items(items: &mut Items, each: &mut Each<'_>) {
    for part in items.parts_mut() {
        parts_of_items(Rc::make_mut(part), each);
    }
    match items {
        Items::Numbers(numbers) => {
            each(Part::Value(&mut numbers.start));
            if let Some((end, _)) = &mut numbers.end {
                each(Part::Value(end));
            }
        }
        Items::Elements { memory, .. } => parts_of_memory(memory, each),
        Items::Parts { slices, size, count, .. } => {
            parts_of_memory(slices, each);
            each(Part::Value(size));
            each(Part::Value(count));
        }
        Items::StepBy(_, step) => {
            each(Part::Value(&mut step.by));
            each(Part::Value(&mut step.is_valid));
        }
        Items::Skip(_, count) | Items::Take(_, count) => each(Part::Value(count)),
        Items::Maybe { is_some, payload } => {
            each(Part::Value(is_some));
            parts_of_operand(payload, each);
        }
        Items::FromFn(by) | Items::With(With { by, .. }) => parts_of_operand(by, each),
        Items::Scan(Scan { first, by, .. }) => {
            parts_of_operand(first, each);
            parts_of_operand(by, each);
        }
        Items::Cursor(cursor) => {
            each(Part::Variable(&mut cursor.front));
            each(Part::Variable(&mut cursor.back));
        }
        Items::Pulled { state, .. } => parts_of_pull(Rc::make_mut(state), each),
        Items::Left { front, back, .. } => {
            each(Part::Value(front));
            if let Some(back) = back {
                each(Part::Value(back));
            }
        }
        Items::Rev(_)
        | Items::Enumerate(_)
        | Items::Copied(_)
        | Items::Zip(..)
        | Items::Chain(..)
        | Items::Cycle(_)
        | Items::Peekable(..)
        | Items::Flatten(..)
        | Items::Nothing => {}
    }
}

fn parts_of_operand(operand: &mut Operand, each: &mut Each<'_>) {
    match operand {
        Operand::Value(value) => each(Part::Value(value)),
        Operand::Tuple(parts) | Operand::List(parts) => {
            parts.iter_mut().for_each(|part| parts_of_operand(part, each));
        }
        Operand::Reference(memory) => parts_of_memory(memory, each),
        Operand::Iterator(items) => parts_of_items(Rc::make_mut(items), each),
        Operand::Closure(closure) => {
            for memory in Rc::make_mut(closure).memories() {
                parts_of_memory(memory, each);
            }
        }
        Operand::Undefined => {}
    }
}

fn parts_of_memory(memory: &mut Memory, each: &mut Each<'_>) {
    match memory {
        Memory::Place(_) => each(Part::Place(memory)),
        Memory::Tuple(parts) => parts.iter_mut().for_each(|part| parts_of_memory(part, each)),
        Memory::Value(operand) => parts_of_operand(operand, each),
        Memory::BorrowedCopy(copy) => parts_of_memory(copy, each),
        Memory::Choice { which, choices } => {
            each(Part::Value(which));
            choices.iter_mut().for_each(|choice| parts_of_memory(choice, each));
        }
        Memory::Iterator(variable) => match &mut Rc::make_mut(variable).state {
            State::Fixed(items) => {
                items.iter_mut().for_each(|items| parts_of_items(Rc::make_mut(items), each))
            }
            State::Kept(kept) => {
                for own in kept.numbers.iter_mut().chain([&mut kept.front, &mut kept.back]) {
                    each(Part::Variable(own));
                }
            }
        },
        Memory::Flattened(flattened) => {
            parts_of_memory(&mut flattened.arrays, each);
            each(Part::Value(&mut flattened.part.start));
            each(Part::Value(&mut flattened.part.len));
        }
        // A variable for references stays where it is.
        Memory::Varying(_) | Memory::List(_) => {}
    }
}
