//! Arrays of slices and of references that can be stored through: which memory each element stands for differs, so that each is a variable of its own.
//!
//! An element whose index is known is that variable; else it is one of several places ([`Memory::Choice`]).

use super::FunctionLowering;
use super::memory::{Memory, Operand};
use super::slice::Part;
use crate::ir::{Base, Check, Handle, Index, Place, Step, Value};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use std::rc::Rc;

/// Elements that are kept one by one, or a part of them.
#[derive(Clone, Debug)]
pub(super) struct List {
    pub(super) all: Rc<[Memory]>,
    pub(super) part: Option<Part>,
}

impl List {
    pub(super) fn new(all: impl IntoIterator<Item = Memory>) -> Self {
        Self { all: all.into_iter().collect(), part: None }
    }

    /// Returns whether no part of it has been taken.
    pub(super) fn is_whole(&self) -> bool {
        self.part.is_none()
    }

    pub(super) fn with(&self, part: Part) -> Self {
        Self { all: self.all.clone(), part: Some(part) }
    }
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// The number of elements.
    pub(super) fn len_of_list(&mut self, list: &List) -> Handle<Value> {
        match list.part {
            Some(part) => part.len,
            None => self.builder.constant(Scalar::Usize, list.all.len() as u64),
        }
    }

    /// A part of the elements that is known to be among them.
    pub(super) fn part_of_list(&mut self, list: &List, part: Part) -> List {
        let start = match list.part {
            Some(outer) => self.builder.binary(BinaryOp::Add, outer.start, part.start),
            None => part.start,
        };
        list.with(Part { start, len: part.len })
    }

    /// The element with an index; any one if there is none, of which who has asked for it has seen to.
    pub(super) fn at_of_list(&mut self, list: &List, index: Handle<Value>) -> Memory {
        let which = match list.part {
            Some(part) => self.builder.binary(BinaryOp::Add, part.start, index),
            None => index,
        };
        let known = self.builder.constant_of(which).map(|which| list.all.get(which as usize).cloned());
        match (known, &list.all[..]) {
            (Some(element), _) => element.unwrap_or(Memory::Value(Operand::Undefined)),
            (None, []) => Memory::Value(Operand::Undefined),
            (None, [only]) => only.clone(),
            (None, all) if let Some(elements) = self.element_of_tables(all, which) => elements,
            (None, all) => Memory::choice(which, all.to_vec()),
        }
    }

    /// The slice with this position, where all are parts of tables: a part of one table that has the elements of all, by two tables of where they start and how many they are.
    fn element_of_tables(&mut self, all: &[Memory], which: Handle<Value>) -> Option<Memory> {
        let slices: Option<Vec<_>> =
            all.iter().map(|memory| self.builder.elements_in_table(memory)).collect();
        let slices = slices?;
        let (element, _) = *slices.first()?;
        if slices.iter().any(|(other, _)| *other != element) {
            return None;
        }
        let size = self.builder.module.types.scalars(element);
        let (mut bits, mut starts, mut lens) = (Vec::new(), Vec::new(), Vec::new());
        for (_, slice) in slices {
            starts.push(bits.len() as u64 / size);
            lens.push(slice.len() as u64 / size);
            bits.extend_from_slice(&slice);
        }
        let whole = self.builder.table_of(element, bits)?;
        let usize_type = self.builder.scalar_type(Scalar::Usize);
        let [first, count] = [0, all.len() as u64].map(|number| self.builder.constant(Scalar::Usize, number));
        let is_there = self.builder.binary(BinaryOp::Lt, which, count);
        let which = self.builder.select(is_there, which, first);
        let [start, len] = [starts, lens].map(|numbers| {
            let table = self.builder.table_of(usize_type, numbers)?;
            let index = Step::Index(Index { index: which, check: Check::Proved });
            Some(self.builder.load(Place { base: Base::Table(table), path: vec![index] }, usize_type))
        });
        let part = Part { start: start?, len: len? };
        let whole = self.slices(&Memory::Place(Place { base: Base::Table(whole), path: Vec::new() }));
        let part = self.part_of(&whole, part);
        Some(Memory::Value(Operand::Reference(Box::new(part))))
    }

    /// All elements as a value.
    pub(super) fn load_list(&mut self, list: &List) -> Operand {
        let all = match list.part {
            None => &list.all[..],
            Some(Part { start, len }) => {
                let ends = self.builder.constant_of(start).zip(self.builder.constant_of(len));
                let known =
                    ends.and_then(|(start, len)| list.all.get(start as usize..(start + len) as usize));
                let Some(known) = known else {
                    self.refuse_reference();
                    return Operand::Undefined;
                };
                known
            }
        };
        Operand::List(all.iter().map(|element| self.load(element)).collect())
    }

    /// Stores a value to each element.
    pub(super) fn store_list(&mut self, list: &List, elements: &[Operand]) {
        for (index, element) in elements.iter().enumerate() {
            let index = self.builder.constant(Scalar::Usize, index as u64);
            let place = self.at_of_list(list, index);
            self.store(&place, element);
        }
    }
}

/// Returns whether there are elements in an array that are kept one by one or in several arrays, or references that no memory keeps.
pub(super) fn has_list(memory: &Memory) -> bool {
    fn is_of_lists(operand: &Operand) -> bool {
        match operand {
            Operand::List(_) | Operand::Reference(_) => true,
            Operand::Tuple(parts) => parts.iter().any(is_of_lists),
            _ => false,
        }
    }
    match memory {
        Memory::List(_) | Memory::Flattened(_) => true,
        Memory::Tuple(parts) | Memory::Choice { choices: parts, .. } => parts.iter().any(has_list),
        Memory::Value(operand) => is_of_lists(operand),
        Memory::BorrowedCopy(copy) => has_list(copy),
        Memory::Place(_) | Memory::Varying(_) | Memory::Iterator(_) => false,
    }
}
