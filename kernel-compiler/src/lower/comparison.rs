//! Comparisons of parts by an `impl` of the user's.

use super::FunctionLowering;
use super::memory::{Memory, Operand};
use crate::infer;
use crate::ir::Handle;
use crate::ir::Value;
use crate::typed::{Callee, Ty};

/// A trait of which `impl`s compare values, and its method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    PartialEq,
    PartialOrd,
    Ord,
}

impl By {
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::PartialEq => ("PartialEq", "eq"),
            Self::PartialOrd => ("PartialOrd", "partial_cmp"),
            Self::Ord => ("Ord", "cmp"),
        }
    }

    /// The type of what the method answers.
    fn answer(self) -> Ty {
        match self {
            Self::PartialEq => Ty::BOOL,
            Self::PartialOrd => Ty::option(Ty::ordering()),
            Self::Ord => Ty::ordering(),
        }
    }
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// The method that compares values of a struct or an enum, unless that is derived.
    pub(super) fn own_comparison(&self, ty: &Ty, by: By) -> Option<Callee> {
        let (of, method) = by.names();
        let definition = self.definition(ty)?;
        if definition.derives.iter().any(|name| name == of) {
            return None;
        }
        infer::own_comparison(self.builder.module.program, ty, of, method)
    }

    /// Returns whether such a method compares a value, or part of it.
    pub(super) fn is_compared_by_own(&self, ty: &Ty, by: By) -> bool {
        let Ty::Nominal(nominal) = ty else {
            return ty.parts().any(|part| self.is_compared_by_own(part, by));
        };
        let Some(definition) = self.definition(ty) else { return false };
        self.own_comparison(ty, by).is_some()
            || definition.variants.iter().flat_map(|variant| &variant.fields).any(|field| {
                let ty = self.field_type(field, &nominal.arguments);
                self.is_compared_by_own(&ty, by)
            })
    }

    /// What the method answers for what is in two places.
    pub(super) fn answer_of_own(
        &mut self,
        (callee, by): (&Callee, By),
        left: &Memory,
        right: &Memory,
    ) -> Operand {
        let reference = |memory: &Memory| Memory::Value(Operand::Reference(Box::new(memory.clone())));
        let span = self.builder.span;
        self.call_of(callee, vec![reference(left), reference(right)], &by.answer(), span)
    }

    /// What is computed where a condition holds, and else another value.
    pub(super) fn value_where(
        &mut self,
        condition: Handle<Value>,
        otherwise: Handle<Value>,
        then: impl FnOnce(&mut Self) -> Handle<Value>,
    ) -> Handle<Value> {
        let result = self.builder.variable_of(otherwise);
        let accept = self.branch(None, |lowering| {
            let value = then(lowering);
            lowering.builder.store_variable(result, value);
            Operand::UNIT
        });
        self.builder.push(crate::ir::Statement::If { condition, accept, reject: super::control::empty() });
        self.builder.load_variable(result)
    }
}
