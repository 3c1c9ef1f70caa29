//! The elements of arrays in a row, as `as_flattened` names them: what is at an index is an element of one of the arrays, wherever these are.

use super::FunctionLowering;
use super::memory::{Memory, Operand};
use super::slice::Part;
use crate::ir::{Check, Index, Type};
use crate::typed::{Expr, Ty};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

/// The elements of a slice of arrays, or a part of them.
#[derive(Clone, Debug)]
pub(super) struct Flattened {
    /// The slice of arrays.
    pub(super) arrays: Box<Memory>,
    /// The number of elements of each array.
    pub(super) columns: u64,
    pub(super) part: Part,
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// `arrays.as_flattened()`.
    pub(super) fn flattened(&mut self, receiver: &Expr, arrays: &Memory) -> Operand {
        let row = self.table.resolve(&receiver.ty).element().cloned();
        let columns = row.as_ref().and_then(Ty::array_len).map_or(1, u64::from);
        let arrays = self.slices(arrays);
        let (rows, start) = (self.len_of(&arrays), self.builder.constant(Scalar::Usize, 0));
        let per_row = self.builder.constant(Scalar::Usize, columns);
        let len = self.builder.binary(BinaryOp::Mul, rows, per_row);
        let flattened = Flattened { arrays: Box::new(arrays), columns, part: Part { start, len } };
        Operand::Reference(Box::new(Memory::Flattened(flattened)))
    }

    /// A part of the elements that is known to be among them.
    pub(super) fn part_of_flattened(&mut self, flattened: &Flattened, part: Part) -> Flattened {
        let start = self.builder.binary(BinaryOp::Add, flattened.part.start, part.start);
        Flattened { part: Part { start, len: part.len }, ..flattened.clone() }
    }

    /// The element with an index. Who asks for one that may not be there has reported that; a work-item that goes on then comes to no array.
    pub(super) fn at_of_flattened(&mut self, flattened: &Flattened, Index { index, check }: Index) -> Memory {
        let position = self.builder.binary(BinaryOp::Add, flattened.part.start, index);
        let columns = self.builder.constant(Scalar::Usize, flattened.columns);
        let row = self.builder.defined_quotient(position, columns);
        let before = self.builder.binary(BinaryOp::Mul, row, columns);
        let column = self.builder.binary(BinaryOp::Sub, position, before);
        let row = match check {
            Check::Proved => row,
            Check::At(_) => {
                let is_there = self.builder.binary(BinaryOp::Lt, index, flattened.part.len);
                let nowhere = self.builder.constant(Scalar::Usize, u64::MAX);
                self.builder.select(is_there, row, nowhere)
            }
        };
        let row = self.at(&flattened.arrays, Index { index: row, check });
        self.at(&row, Index { index: column, check: Check::Proved })
    }

    /// All elements as an array, where their number is known.
    pub(super) fn load_flattened(&mut self, flattened: &Flattened) -> Operand {
        let first = self.builder.constant(Scalar::Usize, 0);
        let element = self.at_of_flattened(flattened, Index { index: first, check: Check::Proved });
        let len = self.builder.constant_of(flattened.part.len).and_then(|len| u32::try_from(len).ok());
        let Some(array) = len.and_then(|len| self.array_of(&element, len)) else {
            self.refuse_reference();
            return Operand::Undefined;
        };
        self.copy_elements(&Memory::Flattened(flattened.clone()), &array);
        self.load(&array)
    }

    /// A new array of so many elements of the form that one in memory has; none if that is a reference.
    fn array_of(&mut self, element: &Memory, len: u32) -> Option<Memory> {
        match element {
            Memory::Place(place) => {
                let element = self.builder.place_type(place);
                let ty = self.builder.module.types.intern(Type::Array { element, len });
                Some(Memory::Place(super::builder::variable_place(self.builder.variable("", ty))))
            }
            Memory::Tuple(parts) => {
                let parts: Option<_> = parts.iter().map(|part| self.array_of(part, len)).collect();
                parts.map(Memory::Tuple)
            }
            _ => None,
        }
    }
}
