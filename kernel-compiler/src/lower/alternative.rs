//! Patterns with alternatives that bind names.
//!
//! Where the names are for values, a variable takes that of the alternative which matches. Where they are for references, it depends on the
//! alternative which memory they stand for: then what follows is lowered for each by itself.

use super::FunctionLowering;
use super::memory::Memory;
use crate::ir::Statement;
use crate::typed::{Elements, Pattern};
use std::borrow::Cow;

/// How many patterns one may stand for; a kernel with more is too large.
const MOST: usize = 64;

impl FunctionLowering<'_, '_, '_, '_> {
    /// The patterns that have to be lowered each by itself: one, unless a reference depends on the alternative.
    pub(super) fn alternatives<'x>(&self, pattern: &'x Pattern) -> Vec<Cow<'x, Pattern>> {
        let names = pattern.names_of_alternatives();
        let is_storable = |binding| self.table.resolve(&self.function.bindings[binding].ty).is_storable();
        if names.into_iter().all(is_storable) {
            return vec![Cow::Borrowed(pattern)];
        }
        expanded(pattern).into_iter().map(Cow::Owned).collect()
    }

    /// Binds the names of the alternative that matches.
    pub(super) fn bind_alternative(&mut self, alternatives: &[Pattern], memory: &Memory) {
        let names = match alternatives {
            [first, ..] => first.names(),
            [] => return,
        };
        if names.is_empty() {
            return;
        }
        let variables: Vec<_> = names.iter().map(|binding| self.declare(*binding)).collect();
        self.choose_alternative(alternatives, memory, &|lowering| {
            for (binding, variable) in names.iter().zip(&variables) {
                if let (Some(bound), Some(variable)) = (lowering.slots.get(binding).cloned(), variable) {
                    let operand = lowering.load(&bound);
                    lowering.store(variable, &operand);
                }
            }
        });
        for (binding, variable) in names.into_iter().zip(variables) {
            if let Some(variable) = variable {
                self.slots.insert(binding, variable);
            }
        }
    }

    fn choose_alternative(&mut self, alternatives: &[Pattern], memory: &Memory, keep: &dyn Fn(&mut Self)) {
        let Some((pattern, others)) = alternatives.split_first() else { return };
        // One of the alternatives matches, so the last needs no test.
        let condition = if others.is_empty() { None } else { self.matches(pattern, memory) };
        self.builder.open();
        self.bind_pattern(pattern, memory);
        keep(self);
        let accept = self.builder.close();
        let Some(condition) = condition else { return self.builder.splice(accept) };
        self.builder.open();
        self.choose_alternative(others, memory, keep);
        let reject = self.builder.close();
        self.builder.push(Statement::If { condition, accept, reject });
    }
}

/// The patterns without alternatives, of which one matches where a pattern does.
fn expanded(pattern: &Pattern) -> Vec<Pattern> {
    match pattern {
        Pattern::Or(alternatives) => alternatives.iter().flat_map(expanded).take(MOST).collect(),
        Pattern::Binding { binding, by_reference, inner: Some(inner) } => {
            let with = |inner| Pattern::Binding {
                binding: *binding,
                by_reference: *by_reference,
                inner: Some(Box::new(inner)),
            };
            expanded(inner).into_iter().map(with).collect()
        }
        Pattern::Reference(inner) => {
            expanded(inner).into_iter().map(|inner| Pattern::Reference(Box::new(inner))).collect()
        }
        Pattern::Tuple(parts) => products(parts).into_iter().map(Pattern::Tuple).collect(),
        Pattern::Variant { variant, fields } => {
            let with = |fields| Pattern::Variant { variant: *variant, fields };
            products(fields).into_iter().map(with).collect()
        }
        Pattern::Elements(Elements { len, before, rest, after }) => {
            let all: Vec<_> = before.iter().chain(rest.as_deref()).chain(after).cloned().collect();
            let with = |mut parts: Vec<Pattern>| {
                let after = parts.split_off(parts.len() - after.len());
                let rest = rest.as_ref().and_then(|_| parts.pop()).map(Box::new);
                Pattern::Elements(Elements { len: *len, before: parts, rest, after })
            };
            products(&all).into_iter().map(with).collect()
        }
        other => vec![other.clone()],
    }
}

/// All combinations of what parts stand for.
fn products(parts: &[Pattern]) -> Vec<Vec<Pattern>> {
    let mut products = vec![Vec::new()];
    for part in parts {
        let choices = expanded(part);
        let with = |product: &Vec<Pattern>| {
            let mut longer = Vec::new();
            for choice in &choices {
                longer.push(product.iter().cloned().chain([choice.clone()]).collect());
            }
            longer
        };
        products = products.iter().flat_map(with).take(MOST).collect();
    }
    products
}
