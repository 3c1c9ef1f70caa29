//! Which scalars of local memory a path leads to.

use super::Object;
use super::walk::Walk;
use crate::ir::{Base, Handle, Module, Op, Place, Step, Type, Value};
use std::ops::Range;

/// Where a path leads.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub(super) object: Object,
    /// The scalars, counted from the start of the object.
    pub(super) range: Range<usize>,
    /// Whether it leads to all of these, rather than to some.
    pub(super) is_exact: bool,
}

impl Walk<'_> {
    /// Where a path leads a work-item; none if it may be to any local memory.
    pub(super) fn span(&self, place: &Place, lane: usize) -> Option<Span> {
        let module = self.module;
        let mut span = match place.base {
            Base::Local(local) => {
                let object = Object::Variable(local);
                Span { object, range: 0..self.scalars(module.locals[local].ty), is_exact: true }
            }
            Base::Slice(slice) => self.slice_span(slice, lane)?,
            _ => return None,
        };
        let mut ty = module.base_type(place.base);
        for step in &place.path {
            if !span.is_exact {
                break;
            }
            self.step(&mut span, ty, *step, lane);
            ty = module.types[ty].below(*step).unwrap_or(ty);
        }
        Some(span)
    }

    /// Where the elements of a slice are, as far as it is known how many there are.
    pub(super) fn slice_span(&self, slice: Handle<Value>, lane: usize) -> Option<Span> {
        let value = &self.module.values[slice];
        match &value.op {
            Op::Parameter(position) => {
                let object = Object::Parameter(*position);
                Some(Span { object, range: 0..self.memory_of(object).len(), is_exact: true })
            }
            Op::SliceOf(place) => self.span(place, lane),
            Op::SubSlice { slice: whole, start, len } => {
                let mut span = self.slice_span(*whole, lane)?;
                if !span.is_exact {
                    return Some(span);
                }
                let size = self.element_scalars(slice);
                let [start, len] = [start, len].map(|&value| self.value(value).of(lane));
                let part = start.zip(len).and_then(|(start, len)| part(&span.range, start, len, size));
                span.is_exact = part.is_some();
                span.range = part.unwrap_or(span.range);
                Some(span)
            }
            _ => None,
        }
    }

    fn step(&self, span: &mut Span, ty: Handle<Type>, step: Step, lane: usize) {
        let types = &self.module.types;
        let (index, size, count) = match (&types[ty], step) {
            (Type::Array { element, .. } | Type::Slice { element, .. }, Step::Index(index)) => {
                (index.index, self.scalars(*element), 1)
            }
            (Type::Vector { .. }, Step::Index(index)) => (index.index, 1, 1),
            (Type::Slice { element, .. }, Step::Run { index, vector }) => {
                (index.index, self.scalars(*element), types.scalars(vector))
            }
            (Type::Struct { members, .. }, Step::Member(position)) => {
                let before = members.iter().take(position as usize);
                let start = before.map(|member| self.scalars(member.ty)).sum::<usize>() + span.range.start;
                let len = members.get(position as usize).map_or(0, |member| self.scalars(member.ty));
                span.range = start..start + len;
                return;
            }
            _ => {
                span.is_exact = false;
                return;
            }
        };
        if let Some(known) = self.value(index).of(lane) {
            // An access out of bounds is left out. Of a slice of unknown length only the first elements are followed.
            let there = part(&span.range, known, count, size);
            span.is_exact = there.is_some() || matches!(types[ty], Type::Array { .. } | Type::Vector { .. });
            span.range = there.unwrap_or_else(|| match span.is_exact {
                true => span.range.start..span.range.start,
                false => span.range.clone(),
            });
            return;
        }
        span.is_exact = false;
        let limits = self.analysis.range(index).and_then(|range| {
            let [min, max] = [range.min, range.max].map(|bound| u64::try_from(bound).ok());
            Some((min?, max?.checked_sub(min?)?.checked_add(count)?))
        });
        if let Some(part) = limits.and_then(|(start, count)| part(&span.range, start, count, size)) {
            span.range = part;
        }
    }

    fn element_scalars(&self, slice: Handle<Value>) -> usize {
        match self.module.types[self.module.values[slice].ty] {
            Type::Slice { element, .. } => self.scalars(element),
            _ => 1,
        }
    }

    pub(super) fn scalars(&self, ty: Handle<Type>) -> usize {
        scalars(self.module, ty)
    }
}

/// How many scalars a type has.
pub(super) fn scalars(module: &Module, ty: Handle<Type>) -> usize {
    usize::try_from(module.types.scalars(ty)).unwrap_or(usize::MAX)
}

/// So many elements of a size in a range, from one on; none if they are not all there.
fn part(whole: &Range<usize>, start: u64, count: u64, size: usize) -> Option<Range<usize>> {
    let start = usize::try_from(start).ok()?.checked_mul(size)?.checked_add(whole.start)?;
    let end = usize::try_from(count).ok()?.checked_mul(size)?.checked_add(start)?;
    (end <= whole.end).then_some(start..end)
}
