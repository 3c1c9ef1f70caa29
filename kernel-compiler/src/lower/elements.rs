//! Patterns of arrays and slices.

use super::FunctionLowering;
use super::memory::Memory;
use super::slice::Part;
use crate::ir::{Check, Handle, Index, Statement, Value};
use crate::typed::{Elements, Pattern};
use kernel_core::semantics::BinaryOp;
use kernel_core::{FaultKind, Scalar};

impl FunctionLowering<'_, '_, '_, '_> {
    /// Returns whether there are as many elements as a pattern demands, and each matches; none if that is always so.
    pub(super) fn matches_elements(&mut self, elements: &Elements, memory: &Memory) -> Option<Handle<Value>> {
        let len = self.count_of(elements, memory);
        let named =
            self.builder.constant(Scalar::Usize, (elements.before.len() + elements.after.len()) as u64);
        let op = if elements.rest.is_some() { BinaryOp::Ge } else { BinaryOp::Eq };
        let fits = self.builder.binary(op, len, named);
        match self.builder.constant_of(fits) {
            Some(1) => self.match_each(elements, memory),
            // What is not there is not looked at.
            _ => Some(self.only_if(fits, |lowering| lowering.match_each(elements, memory))),
        }
    }

    /// How many elements there are.
    fn count_of(&mut self, elements: &Elements, memory: &Memory) -> Handle<Value> {
        match elements.len {
            Some(len) => self.builder.constant(Scalar::Usize, len.into()),
            None => self.len_of(memory),
        }
    }

    fn match_each(&mut self, elements: &Elements, memory: &Memory) -> Option<Handle<Value>> {
        let mut tests = Vec::new();
        for (pattern, element) in self.each(elements, memory) {
            tests.push(self.matches(pattern, &element));
        }
        self.all(tests)
    }

    /// Binds the names of patterns that match.
    pub(super) fn bind_elements(&mut self, elements: &Elements, memory: &Memory) {
        for (pattern, element) in self.each(elements, memory) {
            self.bind_pattern(pattern, &element);
        }
        if let Some(rest @ Pattern::Binding { .. }) = elements.rest.as_deref() {
            let slices = self.slices(memory);
            let len = self.count_of(elements, memory);
            let [start, named] = [elements.before.len(), elements.before.len() + elements.after.len()]
                .map(|count| self.builder.constant(Scalar::Usize, count as u64));
            let fits = self.builder.binary(BinaryOp::Ge, len, named);
            let mut len = self.builder.binary(BinaryOp::Sub, len, named);
            let mut start = start;
            if self.is_doubtful {
                let zero = self.builder.constant(Scalar::Usize, 0);
                start = self.builder.select(fits, start, zero);
                len = self.builder.select(fits, len, zero);
            }
            let part = self.part_of(&slices, Part { start, len });
            self.bind_pattern(rest, &part);
        }
    }

    /// Each pattern with the element that it is for; there are enough elements.
    fn each<'a>(&mut self, elements: &'a Elements, memory: &Memory) -> Vec<(&'a Pattern, Memory)> {
        let mut each = Vec::new();
        for (position, pattern) in elements.before.iter().enumerate() {
            let index = self.builder.constant(Scalar::Usize, position as u64);
            let check = self.element_check(elements, memory);
            each.push((pattern, self.at(memory, Index { index, check })));
        }
        if elements.after.is_empty() {
            return each;
        }
        let len = self.count_of(elements, memory);
        for (position, pattern) in elements.after.iter().rev().enumerate() {
            let from_end = self.builder.constant(Scalar::Usize, position as u64 + 1);
            let index = self.builder.binary(BinaryOp::Sub, len, from_end);
            let check = self.element_check(elements, memory);
            each.push((pattern, self.at(memory, Index { index, check })));
        }
        each
    }

    /// The check of an element that a pattern names, which has been found to be there before, unless that went on after a panic.
    fn element_check(&mut self, elements: &Elements, memory: &Memory) -> Check {
        let len = self.count_of(elements, memory);
        if self.is_doubtful && self.builder.constant_of(len).is_none() {
            self.builder.check(FaultKind::IndexOutOfBounds)
        } else {
            Check::Proved
        }
    }

    /// A condition together with others that are tested only where it holds.
    pub(super) fn only_if(
        &mut self,
        condition: Handle<Value>,
        others: impl FnOnce(&mut Self) -> Option<Handle<Value>>,
    ) -> Handle<Value> {
        self.builder.open();
        let others = others(self);
        let mut accept = self.builder.close();
        let Some(others) = others else {
            return condition;
        };
        let result = self.flag(false);
        self.builder.open();
        self.builder.splice(std::mem::replace(&mut accept, super::control::empty()));
        self.builder.store_variable(result, others);
        let accept = self.builder.close();
        self.builder.push(Statement::If { condition, accept, reject: super::control::empty() });
        self.builder.load_variable(result)
    }
}
