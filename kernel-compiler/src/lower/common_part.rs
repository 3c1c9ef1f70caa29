//! Slices of several memories that are the same part of each.
//!
//! A variable that refers to parts of several slices keeps one start and one length, whichever of them it is. What is taken from such a slice is a part with the same numbers of each, so
//! that it is stored without asking which, and its length is known without.

use super::FunctionLowering;
use super::builder::Builder;
use super::memory::Memory;
use super::reference::{Origin, Varying};
use crate::ir::{Base, Handle, Op, Place, Value};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

/// A part of elements: where it starts, as the sum of these, and how many it has.
#[derive(Clone, Debug, PartialEq, Eq)]
struct MerePart {
    starts: Vec<Handle<Value>>,
    len: Handle<Value>,
}

impl Origin {
    /// Returns whether its numbers are the start and the length of a part, and no others.
    pub(super) fn is_mere_part(&self) -> bool {
        matches!(self, Self::Part(elements) if elements.count() == 0)
    }
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// Stores one of several slices that are the same part, each of something else; whether they are.
    pub(super) fn store_common_part(
        &mut self,
        varying: &Varying,
        which: Handle<Value>,
        choices: &[Memory],
    ) -> bool {
        let parts = choices.iter().map(|choice| self.builder.mere_part(choice));
        let Some(parts) = parts.collect::<Option<Vec<_>>>() else { return false };
        let [(_, first), ..] = &parts[..] else { return false };
        let MerePart { starts, len } = first.clone();
        if parts.iter().any(|(_, part)| part != first) {
            return false;
        }
        let positions: Vec<_> = parts.into_iter().map(|(origin, _)| self.way_of(varying, origin)).collect();
        // What is not among the ways yet is lowered again.
        let Some(positions) = positions.into_iter().collect::<Option<Vec<_>>>() else { return true };
        let start = self.builder.sum_of_starts(&starts);
        for (variable, number) in varying.ways[positions[0]].numbers.iter().zip([start, len]) {
            self.builder.store_variable(*variable, number);
        }
        if let Some(variable) = varying.which {
            let is_same = positions.iter().enumerate().all(|(own, position)| own == *position);
            let position = if is_same { which } else { self.number_at(which, &positions) };
            self.builder.store_variable(variable, position);
        }
        true
    }

    /// That of several numbers whose position is given.
    fn number_at(&mut self, which: Handle<Value>, numbers: &[usize]) -> Handle<Value> {
        let numbers = numbers.iter().map(|number| self.builder.constant(Scalar::Usize, *number as u64));
        let numbers = numbers.collect();
        self.value_at(which, numbers)
    }

    /// That of several values whose position is given.
    fn value_at(&mut self, which: Handle<Value>, mut values: Vec<Handle<Value>>) -> Handle<Value> {
        let last = values.pop().unwrap_or_else(|| self.builder.constant(Scalar::Usize, 0));
        values.into_iter().enumerate().rfold(last, |others, (position, value)| {
            if value == others {
                return others;
            }
            let position = self.builder.constant(Scalar::Usize, position as u64);
            let condition = self.builder.binary(BinaryOp::Eq, which, position);
            self.builder.select(condition, value, others)
        })
    }

    /// The number of elements of that of several slices which a number names.
    pub(super) fn len_of_choice(&mut self, which: Handle<Value>, choices: &[Memory]) -> Handle<Value> {
        let lens = choices.iter().map(|choice| match self.builder.len_of_part(choice) {
            Some(len) => len,
            None => self.len_of(choice),
        });
        let lens = lens.collect();
        self.value_at(which, lens)
    }
}

impl Builder<'_, '_> {
    /// The length of a slice that is a part of another one.
    fn len_of_part(&self, memory: &Memory) -> Option<Handle<Value>> {
        let Memory::Place(Place { base: Base::Slice(slice), path }) = memory else { return None };
        match self.values[*slice].op {
            Op::SubSlice { len, .. } if path.is_empty() => Some(len),
            _ => None,
        }
    }

    /// The part that a slice is of elements which have no numbers themselves.
    fn mere_part(&mut self, memory: &Memory) -> Option<(Origin, MerePart)> {
        let len = self.len_of_part(memory)?;
        let Memory::Place(Place { base: Base::Slice(slice), .. }) = memory else { return None };
        let (whole, starts) = self.whole_of(*slice);
        let is_indexed =
            matches!(&self.values[whole].op, Op::SliceOf(array) if array.indices().next().is_some());
        if is_indexed || self.empty_element(whole).is_some() {
            return None;
        }
        let origin = Origin::Part(self.elements_of(whole, &mut Vec::new())?);
        origin.is_mere_part().then_some((origin, MerePart { starts, len }))
    }
}
