//! Patterns: whether a value matches, and the names that it then binds.

use super::FunctionLowering;
use super::memory::{Memory, Operand};
use crate::ir::{Handle, Value};
use crate::typed::{Expr, Pattern};
use kernel_core::semantics::BinaryOp;

impl FunctionLowering<'_, '_, '_, '_> {
    /// Returns whether memory matches a pattern; none if it always does.
    pub(super) fn matches(&mut self, pattern: &Pattern, memory: &Memory) -> Option<Handle<Value>> {
        match pattern {
            Pattern::Any => None,
            Pattern::Binding { inner, .. } => inner.as_ref().and_then(|inner| self.matches(inner, memory)),
            Pattern::Constant(constant) => Some(match self.table.resolve(&constant.ty) {
                ty if ty.numeric().is_some() => self.compare(BinaryOp::Eq, memory, constant),
                // Rust takes constants as patterns only if they are compared by parts.
                ty => {
                    let constant = self.place(constant);
                    self.equal_memory(memory, &constant, &ty)
                }
            }),
            Pattern::Range { start, end } => {
                let above = start.as_ref().map(|start| self.compare(BinaryOp::Ge, memory, start));
                let below = end.as_ref().map(|(end, inclusive)| {
                    let op = if *inclusive { BinaryOp::Le } else { BinaryOp::Lt };
                    self.compare(op, memory, end)
                });
                self.all([above, below])
            }
            Pattern::Tuple(elements) => self.match_fields(elements, memory),
            Pattern::Elements(elements) => self.matches_elements(elements, memory),
            Pattern::Variant { variant, fields } => {
                let is_variant = variant.map(|variant| self.is_variant(memory, variant));
                let payload = self.payload(memory, *variant);
                match is_variant {
                    // What a reference in another variant refers to may not be there.
                    Some(is_variant) if fields.iter().any(follows) => {
                        Some(self.only_if(is_variant, |lowering| lowering.match_fields(fields, &payload)))
                    }
                    is_variant => {
                        let fields = self.match_fields(fields, &payload);
                        self.all([is_variant, fields])
                    }
                }
            }
            Pattern::Reference(inner) => {
                let pointee = self.follow(memory);
                self.matches(inner, &pointee)
            }
            Pattern::Or(alternatives) => {
                let tests: Option<Vec<_>> =
                    alternatives.iter().map(|alternative| self.matches(alternative, memory)).collect();
                // One that always matches makes the others needless.
                tests?.into_iter().reduce(|any, test| self.builder.binary(BinaryOp::Or, any, test))
            }
        }
    }

    fn match_fields(&mut self, fields: &[Pattern], memory: &Memory) -> Option<Handle<Value>> {
        let tests: Vec<_> = fields
            .iter()
            .enumerate()
            .map(|(position, field)| self.matches(field, &memory.element(position)))
            .collect();
        self.all(tests)
    }

    pub(super) fn all(
        &mut self,
        tests: impl IntoIterator<Item = Option<Handle<Value>>>,
    ) -> Option<Handle<Value>> {
        tests.into_iter().flatten().reduce(|all, test| self.builder.binary(BinaryOp::And, all, test))
    }

    fn compare(&mut self, op: BinaryOp, memory: &Memory, constant: &Expr) -> Handle<Value> {
        let ty = self.table.resolve(&constant.ty);
        if ty.numeric().is_none() {
            let constant = self.place(constant);
            return self.is_ordered(op, [memory, &constant], &ty);
        }
        let operand = self.load(memory);
        // The payload of a variant that a value is not has any value, but the right type.
        let value = self.scalar_of(operand, self.scalar(constant));
        let constant = self.value(constant);
        self.builder.binary(op, value, constant)
    }

    /// What a reference in memory refers to.
    pub(super) fn follow(&mut self, memory: &Memory) -> Memory {
        match self.load(memory) {
            Operand::Reference(pointee) => *pointee,
            other => Memory::Value(other),
        }
    }

    /// Binds the names of a pattern that matches.
    pub(super) fn bind_pattern(&mut self, pattern: &Pattern, memory: &Memory) {
        match pattern {
            Pattern::Binding { binding, by_reference, inner } => {
                let operand = if *by_reference {
                    let ty = self.table.resolve(&self.function.bindings[*binding].ty);
                    self.reference_to(memory.clone(), &ty)
                } else {
                    self.load(memory)
                };
                self.bind(*binding, operand);
                if let Some(inner) = inner {
                    self.bind_pattern(inner, memory);
                }
            }
            Pattern::Tuple(elements) => {
                for (position, element) in elements.iter().enumerate() {
                    self.bind_pattern(element, &memory.element(position));
                }
            }
            Pattern::Variant { variant, fields } => {
                let payload = self.payload(memory, *variant);
                for (position, field) in fields.iter().enumerate() {
                    self.bind_pattern(field, &payload.element(position));
                }
            }
            Pattern::Reference(inner) => {
                let pointee = self.follow(memory);
                self.bind_pattern(inner, &pointee);
            }
            Pattern::Elements(elements) => self.bind_elements(elements, memory),
            Pattern::Or(alternatives) => self.bind_alternative(alternatives, memory),
            Pattern::Any | Pattern::Constant(_) | Pattern::Range { .. } => {}
        }
    }
}

/// Returns whether a pattern looks at what a reference refers to.
fn follows(pattern: &Pattern) -> bool {
    matches!(pattern, Pattern::Reference(_)) || pattern.parts().into_iter().any(follows)
}
