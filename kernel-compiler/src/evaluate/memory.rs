//! Variables, tables and slices of them.

use super::{Datum, Machine};
use crate::ir::{Base, Handle, Place, Step, Table, Type, Value, Variable};
use std::rc::Rc;

/// Elements in a row.
#[derive(Clone, Copy)]
pub(super) struct Slice {
    whole: Whole,
    /// How many scalars come before them.
    start: usize,
    /// How many there are.
    pub(super) len: u64,
}

/// What a place is a part of.
#[derive(Clone, Copy)]
enum Whole {
    Variable(Handle<Variable>),
    Table(Handle<Table>),
}

/// A place: scalars from one on, and the type that these make up.
pub(super) struct Location {
    whole: Whole,
    start: usize,
    ty: Handle<Type>,
}

impl Machine<'_> {
    pub(super) fn read(&self, place: &Place) -> Option<Rc<[u64]>> {
        let Location { whole, start, ty } = self.locate(place)?;
        let count = self.code.types.scalars(ty) as usize;
        self.memory(whole).get(start..start + count).map(Rc::from)
    }

    pub(super) fn write(&mut self, place: &Place, scalars: &[u64]) -> Option<()> {
        let Location { whole: Whole::Variable(variable), start, .. } = self.locate(place)? else {
            return None;
        };
        let target = self.variables[variable.index()].get_mut(start..start + scalars.len())?;
        target.copy_from_slice(scalars);
        Some(())
    }

    pub(super) fn slice(&self, value: Handle<Value>) -> Option<Slice> {
        match self.datum(value)? {
            Datum::Slice(slice) => Some(slice),
            Datum::Scalars(_) => None,
        }
    }

    /// All elements of an array.
    pub(super) fn slice_of(&self, place: &Place) -> Option<Slice> {
        let Location { whole, start, ty } = self.locate(place)?;
        match self.code.types[ty] {
            Type::Array { len, .. } => Some(Slice { whole, start, len: len.into() }),
            _ => None,
        }
    }

    /// A part of a slice, which has been checked to be there.
    pub(super) fn sub_slice(&self, value: Handle<Value>, start: u64, len: u64) -> Option<Slice> {
        let slice = self.slice(value)?;
        let each = self.code.types.scalars(self.element(self.code.values[value].ty)?);
        let first = usize::try_from(start.checked_mul(each)?).ok()?;
        Some(Slice { start: slice.start.checked_add(first)?, len, ..slice })
    }

    fn memory(&self, whole: Whole) -> &[u64] {
        match whole {
            Whole::Variable(variable) => &self.variables[variable.index()],
            Whole::Table(table) => &self.code.tables[table].bits,
        }
    }

    fn element(&self, ty: Handle<Type>) -> Option<Handle<Type>> {
        match self.code.types[ty] {
            Type::Array { element, .. } | Type::Slice { element, .. } | Type::Vector { element, .. } => {
                Some(element)
            }
            _ => None,
        }
    }

    /// Follows the path of a place; none if an index on the way is out of bounds.
    pub(super) fn locate(&self, place: &Place) -> Option<Location> {
        let (whole, mut start, mut ty, mut len) = match place.base {
            Base::Variable(variable) => {
                (Whole::Variable(variable), 0, self.code.variables[variable].ty, None)
            }
            Base::Table(table) => (Whole::Table(table), 0, self.code.tables[table].ty, None),
            Base::Slice(value) => {
                let Slice { whole, start, len } = self.slice(value)?;
                (whole, start, self.code.values[value].ty, Some(len))
            }
            Base::Local(_) | Base::Parameter(_) | Base::Pointer(_) => return None,
        };
        for step in &place.path {
            let (index, below, taken) = match *step {
                Step::Index(index) => (index.index, self.element(ty)?, 1),
                Step::Run { index, vector } => (index.index, vector, self.code.types.scalars(vector)),
                Step::Member(_) => return None,
            };
            let count = len.take().or_else(|| self.fixed_len(ty))?;
            let index = self.scalar(index)?;
            if index.checked_add(taken)? > count {
                return None;
            }
            let each = self.code.types.scalars(self.element(ty)?);
            start += usize::try_from(index.checked_mul(each)?).ok()?;
            ty = below;
        }
        Some(Location { whole, start, ty })
    }

    fn fixed_len(&self, ty: Handle<Type>) -> Option<u64> {
        match self.code.types[ty] {
            Type::Array { len, .. } | Type::Vector { lanes: len, .. } => Some(len.into()),
            _ => None,
        }
    }
}
