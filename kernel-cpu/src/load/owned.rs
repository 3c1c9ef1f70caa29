//! A module with the words that it was read from, so that its kernels can be lowered later.

use super::{LoadError, Module};
use std::collections::HashMap;
use std::sync::Arc;

/// A module that owns its words.
#[derive(Debug)]
pub(crate) struct OwnedModule {
    /// It borrows the words below, and nobody gets it for longer than they live.
    module: Module<'static>,
    _words: Arc<[u32]>,
}

impl OwnedModule {
    /// As [`Module::parse`].
    pub(crate) fn parse(words: &[u32], specialization: &HashMap<u32, u64>) -> Result<Self, LoadError> {
        let words: Arc<[u32]> = words.into();
        // SAFETY: the words are never changed, stay where they are wherever the owner is moved, and live as long as the module, which is only
        // lent for the lifetime of the owner.
        let lasting: &'static [u32] = unsafe { std::slice::from_raw_parts(words.as_ptr(), words.len()) };
        Ok(Self { module: Module::parse(lasting, specialization)?, _words: words })
    }

    pub(crate) fn get(&self) -> &Module<'_> {
        &self.module
    }
}
