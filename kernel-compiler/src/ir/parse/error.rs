//! What is wrong with a text.

use std::fmt;

/// A text is not that of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: u32,
    /// The column, in characters from 1.
    pub column: u32,
    /// What would go on there.
    pub expected: String,
    /// What is there.
    pub found: String,
}

impl ParseError {
    /// The error at a position in bytes.
    pub(super) fn at(text: &str, position: usize, expected: impl Into<String>, found: &str) -> Self {
        let before = text.get(..position).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Self {
            line: number(line),
            column: number(column),
            expected: expected.into(),
            found: found.to_owned(),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, expected, found } = self;
        write!(f, "{line}:{column}: expected {expected}, found {found}")
    }
}

impl std::error::Error for ParseError {}
