//! Bugs of this project that were noticed before they did harm.

use core::fmt;

/// A bug in this project, or in a descriptor that was written by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InternalError {
    message: Box<str>,
}

impl InternalError {
    pub(crate) fn new(message: impl Into<Box<str>>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for InternalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; this is a bug in kernel-runtime or its compiler, please report it", self.message)
    }
}

impl core::error::Error for InternalError {}
