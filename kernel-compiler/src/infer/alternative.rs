//! Patterns with alternatives: each binds the same names.

use super::pattern::Mode;
use super::{Infer, Named};
use crate::hash::HashMap;
use crate::ir::Handle;
use crate::names;
use crate::typed::{Binding, Pattern, Ty};
use syn::Ident;

/// The variables that the first of several alternatives has defined, by name.
pub(super) type Shared = HashMap<String, Handle<Binding>>;

impl Infer<'_> {
    pub(super) fn alternatives(&mut self, or: &syn::PatOr, ty: &Ty, mode: Mode) -> Pattern {
        let mut cases = or.cases.iter();
        let Some(first) = cases.next() else { return Pattern::Any };
        let mut alternatives = vec![self.pattern_in(first, ty, mode)];
        let mut shared = Shared::default();
        for name in names::bound_names(first) {
            if let Some(Named::Binding(binding)) = self.lookup(name) {
                shared.insert(name.to_string(), binding);
            }
        }
        for case in cases {
            self.shared_names.push(shared.clone());
            alternatives.push(self.pattern_in(case, ty, mode));
            self.shared_names.pop();
        }
        Pattern::Or(alternatives)
    }

    /// The variable of a name in a pattern, which another alternative may have defined.
    pub(super) fn bind_in_pattern(&mut self, name: &Ident, ty: Ty, assignable: bool) -> Handle<Binding> {
        let shared = self.shared_names.last().and_then(|shared| shared.get(&name.to_string()).copied());
        let Some(binding) = shared else { return self.bind(name, ty, assignable) };
        let wanted = self.bindings[binding].ty.clone();
        if !self.table.unify(&ty, &wanted) {
            let (expected, found) = (self.table.partial(&wanted), self.table.partial(&ty));
            self.leave_to_rustc(name, format!("mismatched types: expected `{expected}`, found `{found}`"));
        }
        binding
    }
}
