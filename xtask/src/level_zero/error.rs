//! The ways in which generating the bindings fails.

use std::{error, fmt};

/// A place in a header that the parser does not understand.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct HeaderError {
    line: usize,
    message: String,
}

impl HeaderError {
    pub(super) fn new(line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }

    #[cfg(test)]
    pub(super) fn line(&self) -> usize {
        self.line
    }
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl error::Error for HeaderError {}

/// Declarations that were all understood, but contradict each other.
#[derive(Debug)]
pub(super) struct Inconsistent(pub(super) String);

impl fmt::Display for Inconsistent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the headers contradict each other: {}", self.0)
    }
}

impl error::Error for Inconsistent {}
