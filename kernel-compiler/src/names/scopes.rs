//! The names of local variables, by Rust's scopes.

use syn::visit::Visit;
use syn::{Ident, Pat, PatIdent};

/// A stack of scopes.
#[derive(Default)]
pub(super) struct Scopes {
    names: Vec<Ident>,
    starts: Vec<usize>,
}

impl Scopes {
    pub(super) fn enter(&mut self) {
        self.starts.push(self.names.len());
    }

    pub(super) fn leave(&mut self) {
        if let Some(start) = self.starts.pop() {
            self.names.truncate(start);
        }
    }

    /// Adds one name to the innermost scope.
    pub(super) fn add(&mut self, name: &Ident) {
        self.names.push(name.clone());
    }

    /// Adds the names that a pattern binds to the innermost scope.
    pub(super) fn bind(&mut self, pattern: &Pat) {
        struct Binder<'a>(&'a mut Vec<Ident>);
        impl<'ast> Visit<'ast> for Binder<'_> {
            fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
                self.0.push(pattern.ident.clone());
                if let Some((_, inner)) = &pattern.subpat {
                    self.visit_pat(inner);
                }
            }
        }
        Binder(&mut self.names).visit_pat(pattern);
    }

    pub(super) fn contains(&self, name: &Ident) -> bool {
        self.names.contains(name)
    }
}
