//! Iterators whose items can be computed from their positions, in any order.

use super::{Items, Numbers};
use crate::ir::{Check, Handle, Index, Math, Value};
use crate::lower::FunctionLowering;
use crate::lower::memory::{Memory, Operand};
use crate::lower::slice::Part;
use crate::typed::{Adaptor, Parts, Ty};
use kernel_core::semantics::BinaryOp;
use kernel_core::{FaultKind, Scalar};
use std::rc::Rc;

/// An iterator with a number of items.
pub(super) struct Sequence {
    /// How many items there are, a `usize`; none if they do not end.
    pub(super) len: Option<Handle<Value>>,
    pub(super) at: At,
}

/// The items of a sequence from one position up to another, if there is an end.
pub(super) struct Stretch {
    pub(super) at: Rc<At>,
    pub(super) start: Handle<Value>,
    pub(super) end: Option<Handle<Value>>,
}

/// How an item is computed from its position.
pub(super) enum At {
    /// That many more than a number.
    Number(Handle<Value>),
    /// The same of a range without an end, where it is a fault that there is no next number.
    Endless(Handle<Value>),
    Element {
        memory: Memory,
        by_reference: bool,
    },
    Part {
        kind: Parts,
        slices: Memory,
        size: Handle<Value>,
    },
    /// As many items before the one at a position.
    Reversed(Box<At>, Handle<Value>),
    Enumerated(Box<At>),
    Copied(Box<At>),
    Zipped(Box<At>, Box<At>),
    /// The elements of arrays of so many, one array after the other.
    Flattened(Box<At>, Handle<Value>),
    /// At a multiple of the position.
    Stepped(Box<At>, Handle<Value>),
    /// At a position that is that much greater.
    Skipped(Box<At>, Handle<Value>),
    /// What a closure makes of it.
    Mapped(Box<At>, Operand),
    /// After a closure has seen it.
    Inspected(Box<At>, Operand),
}

/// Whether there is an item at a position.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lookup {
    /// There is.
    Proved,
    /// There is if a condition holds; whoever looks at it all the same finds nothing, with a fault.
    If(Handle<Value>),
}

/// The number of elements of the array that a reference of this type leads to, if there are any.
pub(super) fn length_behind_reference(ty: &Ty) -> Option<u32> {
    match ty {
        Ty::Reference { to, .. } => to.array_len().filter(|len| *len > 0),
        _ => None,
    }
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// The sequence that an iterator is, if it is one. What this computes is needed once, before the loop.
    pub(super) fn sequence(&mut self, items: &Items) -> Option<Sequence> {
        Some(match items {
            Items::Numbers(Numbers { start, end: None }) if self.builder.inherits_overflow_checks() => {
                Sequence { len: None, at: At::Endless(*start) }
            }
            Items::Numbers(numbers) => {
                Sequence { len: self.count_of_numbers(*numbers), at: At::Number(numbers.start) }
            }
            Items::Elements { memory, by_reference } => Sequence {
                len: Some(self.len_of(memory)),
                at: At::Element { memory: memory.clone(), by_reference: *by_reference },
            },
            Items::Parts { kind, slices, size, count } => Sequence {
                len: Some(*count),
                at: At::Part { kind: *kind, slices: slices.clone(), size: *size },
            },
            Items::Rev(inner) => {
                let Sequence { len, at } = self.sequence(inner)?;
                let one = self.builder.constant(Scalar::Usize, 1);
                let last = self.builder.binary(BinaryOp::Sub, len?, one);
                Sequence { len, at: At::Reversed(Box::new(at), last) }
            }
            Items::Enumerate(inner) => {
                let Sequence { len, at } = self.sequence(inner)?;
                Sequence { len, at: At::Enumerated(Box::new(at)) }
            }
            Items::Copied(inner) => {
                let Sequence { len, at } = self.sequence(inner)?;
                Sequence { len, at: At::Copied(Box::new(at)) }
            }
            Items::Zip(one, other) => {
                let (one, other) = (self.sequence(one)?, self.sequence(other)?);
                Sequence {
                    len: self.lesser(one.len, other.len),
                    at: At::Zipped(Box::new(one.at), Box::new(other.at)),
                }
            }
            Items::StepBy(inner, step) => {
                let Sequence { len, at } = self.sequence(inner)?;
                let zero = self.builder.constant(Scalar::Usize, 0);
                let one = self.builder.constant(Scalar::Usize, 1);
                let by = self.builder.select(step.is_valid, step.by, one);
                let len = len.map(|len| {
                    let len = self.rounded_up_quotient(len, by);
                    self.builder.select(step.is_valid, len, zero)
                });
                Sequence { len, at: At::Stepped(Box::new(at), by) }
            }
            Items::Skip(inner, count) => {
                let Sequence { len, at } = self.sequence(inner)?;
                let count = self.lesser(len, Some(*count))?;
                let len = len.map(|len| self.builder.binary(BinaryOp::Sub, len, count));
                Sequence { len, at: At::Skipped(Box::new(at), count) }
            }
            Items::Left { of, front, back } => {
                let Sequence { at, .. } = self.sequence(of)?;
                let len = back.map(|back| self.builder.binary(BinaryOp::Sub, back, *front));
                Sequence { len, at: At::Skipped(Box::new(at), *front) }
            }
            Items::Take(inner, count) => {
                let Sequence { len, at } = self.sequence(inner)?;
                Sequence { len: self.lesser(len, Some(*count)), at }
            }
            Items::With(with) => {
                let Sequence { len, at } = self.sequence(&with.of)?;
                let (at, by) = (Box::new(at), with.by.clone());
                let at = match with.adaptor {
                    Adaptor::Map => At::Mapped(at, by),
                    Adaptor::Inspect => At::Inspected(at, by),
                    _ => return None,
                };
                Sequence { len, at }
            }
            Items::Flatten(inner, ty) => {
                let count = self.builder.constant(Scalar::Usize, length_behind_reference(ty)?.into());
                let Sequence { len, at } = self.sequence(inner)?;
                let len = self.builder.binary(BinaryOp::Mul, len?, count);
                Sequence { len: Some(len), at: At::Flattened(Box::new(at), count) }
            }
            Items::Chain(..)
            | Items::Scan(_)
            | Items::Maybe { .. }
            | Items::FromFn(_)
            | Items::Cursor(_)
            | Items::Cycle(_)
            | Items::Peekable(..)
            | Items::Pulled { .. }
            | Items::Nothing => {
                return None;
            }
        })
    }

    /// The stretch of a sequence that an iterator goes over: adaptors that leave out items at an end change no positions.
    pub(super) fn stretch(&mut self, items: &Items) -> Option<Stretch> {
        match items {
            Items::Skip(inner, count) if inner.has_end() => {
                let Stretch { at, start, end } = self.stretch(inner)?;
                let rest = self.builder.binary(BinaryOp::Sub, end?, start);
                let count = self.lesser(Some(rest), Some(*count))?;
                Some(Stretch { at, start: self.builder.binary(BinaryOp::Add, start, count), end })
            }
            Items::Take(inner, count) if inner.has_end() => {
                let Stretch { at, start, end } = self.stretch(inner)?;
                let rest = self.builder.binary(BinaryOp::Sub, end?, start);
                let count = self.lesser(Some(rest), Some(*count))?;
                Some(Stretch { at, start, end: Some(self.builder.binary(BinaryOp::Add, start, count)) })
            }
            _ => {
                let Sequence { len, at } = self.sequence(items)?;
                Some(Stretch { at: Rc::new(at), start: self.builder.constant(Scalar::Usize, 0), end: len })
            }
        }
    }

    /// How many numbers there are in a range, if it has an end.
    fn count_of_numbers(&mut self, Numbers { start, end }: Numbers) -> Option<Handle<Value>> {
        let (end, inclusive) = end?;
        let some = self.some(start, (end, inclusive));
        let mut count = self.distance(start, end);
        if inclusive {
            // All 2^64 numbers of a type are too many to count, and to go over.
            let one = self.builder.integer_like(count, 1);
            let most = self.builder.integer_like(count, u64::MAX);
            let more = self.builder.binary(BinaryOp::Add, count, one);
            let is_most = self.builder.binary(BinaryOp::Eq, count, most);
            count = self.builder.select(is_most, most, more);
        }
        let is_natural = self.builder.constant_of(start) == Some(0)
            && !inclusive
            && !self.builder.scalar_of(start).is_signed();
        if is_natural {
            return Some(count);
        }
        let zero = self.builder.integer_like(count, 0);
        Some(self.builder.select(some, count, zero))
    }

    /// The lesser of two counts, either of which may be without end.
    pub(super) fn lesser(
        &mut self,
        one: Option<Handle<Value>>,
        other: Option<Handle<Value>>,
    ) -> Option<Handle<Value>> {
        let (Some(first), Some(second)) = (one, other) else { return one.or(other) };
        Some(match (self.builder.constant_of(first), self.builder.constant_of(second)) {
            (Some(a), Some(b)) => {
                if a <= b {
                    first
                } else {
                    second
                }
            }
            (_, Some(0)) => second,
            (Some(0), _) => first,
            _ if first == second => first,
            _ => self.builder.math(Math::Min, &[first, second]),
        })
    }

    /// The item at a position below the number of items.
    pub(super) fn item(&mut self, at: &At, position: Handle<Value>) -> Operand {
        self.item_as(at, position, Lookup::Proved)
    }

    /// The item at a position.
    pub(super) fn item_as(&mut self, at: &At, position: Handle<Value>, lookup: Lookup) -> Operand {
        match at {
            At::Number(start) => {
                let by = self.builder.cast(position, self.builder.scalar_of(*start));
                Operand::Value(self.builder.binary(BinaryOp::Add, *start, by))
            }
            At::Endless(start) => {
                // What is looked up has been handed out before.
                if let Lookup::Proved = lookup {
                    self.require_next(*start, position);
                }
                self.item_as(&At::Number(*start), position, lookup)
            }
            At::Element { memory, by_reference } => {
                let check = match lookup {
                    Lookup::Proved => Check::Proved,
                    Lookup::If(_) => self.builder.check(FaultKind::IndexOutOfBounds),
                };
                let element = self.at(memory, Index { index: position, check });
                if *by_reference { Operand::Reference(Box::new(element)) } else { self.load(&element) }
            }
            At::Part { kind, slices, size } => {
                let part = self.part_at(*kind, slices, *size, position);
                let part = match lookup {
                    Lookup::Proved => part,
                    Lookup::If(condition) => self.part_if(condition, part),
                };
                Operand::Reference(Box::new(self.part_of(slices, part)))
            }
            At::Reversed(at, last) => {
                let position = self.builder.binary(BinaryOp::Sub, *last, position);
                self.item_as(at, position, lookup)
            }
            At::Enumerated(at) => {
                let item = self.item_as(at, position, lookup);
                Operand::Tuple(vec![Operand::Value(position), item])
            }
            At::Copied(at) => {
                let item = self.item_as(at, position, lookup);
                self.referred(item)
            }
            At::Zipped(one, other) => {
                let one = self.item_as(one, position, lookup);
                Operand::Tuple(vec![one, self.item_as(other, position, lookup)])
            }
            At::Flattened(at, count) => {
                let of_array = self.builder.defined_quotient(position, *count);
                let before = self.builder.binary(BinaryOp::Mul, of_array, *count);
                let position = self.builder.binary(BinaryOp::Sub, position, before);
                let check = match lookup {
                    Lookup::Proved => Check::Proved,
                    Lookup::If(_) => self.builder.check(FaultKind::IndexOutOfBounds),
                };
                match self.item_as(at, of_array, lookup) {
                    Operand::Reference(array) => {
                        let element = self.at(&array, Index { index: position, check });
                        Operand::Reference(Box::new(element))
                    }
                    // Code that is never reached.
                    other => other,
                }
            }
            At::Stepped(at, by) => {
                let position = self.builder.binary(BinaryOp::Mul, position, *by);
                self.item_as(at, position, lookup)
            }
            At::Mapped(at, by) => {
                let item = self.item_as(at, position, lookup);
                self.called(by, vec![item])
            }
            At::Inspected(at, by) => {
                let item = self.item_as(at, position, lookup);
                let seen = self.borrow_item(&item);
                self.called(by, vec![seen]);
                item
            }
            At::Skipped(at, count) => {
                let position = self.builder.binary(BinaryOp::Add, *count, position);
                self.item_as(at, position, lookup)
            }
        }
    }

    /// Faults unless the number that is so many more than another has a next one.
    fn require_next(&mut self, start: Handle<Value>, by: Handle<Value>) {
        let scalar = self.builder.scalar_of(start);
        let last = u64::MAX >> (64 - scalar.bits() + u32::from(scalar.is_signed()));
        let [one, last] = [1, last].map(|bits| self.builder.integer_like(start, bits));
        let numbers = self.distance(start, last);
        let has_next = self.builder.binary(BinaryOp::Lt, by, numbers);
        self.builder.assert_fits(has_next, FaultKind::AdditionOverflow, &[last, one]);
    }

    /// What a reference refers to.
    pub(super) fn referred(&mut self, reference: Operand) -> Operand {
        match reference {
            Operand::Reference(memory) => self.load(&memory),
            other => other,
        }
    }

    /// The part at a position, which is in the slice because the position is below the number of parts.
    fn part_at(
        &mut self,
        kind: Parts,
        slices: &Memory,
        size: Handle<Value>,
        position: Handle<Value>,
    ) -> Part {
        if kind == Parts::Windows {
            return Part { start: position, len: size };
        }
        let start = self.builder.binary(BinaryOp::Mul, position, size);
        if kind == Parts::ChunksExact {
            return Part { start, len: size };
        }
        let len = self.len_of(slices);
        let rest = self.builder.binary(BinaryOp::Sub, len, start);
        Part { start, len: self.builder.math(Math::Min, &[rest, size]) }
    }
}
