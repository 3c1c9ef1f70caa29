//! Names by lexical scope.

use crate::hash::HashMap;
use syn::Ident;

/// What names stand for, the innermost definition first.
///
/// A look-up costs the same however many names there are: functions with thousands of variables are compiled in linear time.
#[derive(Clone, Debug)]
pub(crate) struct Scope<T> {
    meanings: HashMap<String, Vec<T>>,
    /// The names in the order of their definition.
    order: Vec<String>,
}

/// The state of a [`Scope`] at one point, to go back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark(usize);

impl<T> Default for Scope<T> {
    fn default() -> Self {
        Self { meanings: HashMap::default(), order: Vec::new() }
    }
}

impl<T> Scope<T> {
    /// Defines a name, which hides what it stood for.
    pub(crate) fn define(&mut self, name: &Ident, meaning: T) {
        let name = name.to_string();
        self.meanings.entry(name.clone()).or_default().push(meaning);
        self.order.push(name);
    }

    /// What a name stands for.
    pub(crate) fn get(&self, name: &Ident) -> Option<&T> {
        self.meanings.get(&name.to_string()).and_then(|meanings| meanings.last())
    }

    /// The beginning of an inner scope.
    pub(crate) fn mark(&self) -> Mark {
        Mark(self.order.len())
    }

    /// The end of an inner scope: what was defined since its beginning is forgotten.
    pub(crate) fn leave(&mut self, mark: Mark) {
        for name in self.order.drain(mark.0..) {
            if let Some(meanings) = self.meanings.get_mut(&name) {
                meanings.pop();
            }
        }
    }
}
