//! A module with the words that it was read from, so that its kernels can be lowered later.

use super::{LoadError, Module};
use crate::link::Input;
use std::sync::Arc;

/// A module that owns its words.
#[derive(Debug)]
pub(crate) struct OwnedModule {
    /// It borrows the words below, and nobody gets it for longer than they live.
    module: Module<'static>,
    _source: Arc<Input>,
}

impl OwnedModule {
    /// As [`Module::parse`].
    pub(crate) fn parse(source: Arc<Input>) -> Result<Self, LoadError> {
        let words = &source.words;
        // SAFETY: the words are never changed, as nobody has the source alone, stay where they are wherever the owner is moved, and live as long as the module,
        // which is only lent for the lifetime of the owner.
        let lasting: &'static [u32] = unsafe { std::slice::from_raw_parts(words.as_ptr(), words.len()) };
        Ok(Self { module: Module::parse(lasting, &source.specialization)?, _source: source })
    }

    pub(crate) fn get(&self) -> &Module<'_> {
        &self.module
    }
}
