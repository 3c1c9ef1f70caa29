//! What keeps a command from doing what it was asked for.

use std::fmt::{self, Display, Formatter};

/// What is wrong, and what to do about it.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    help: Option<String>,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (error, note) = (crate::style::ERROR, crate::style::HELP);
        write!(f, "{error}error:{error:#} {}", self.message)?;
        match &self.help {
            Some(help) => write!(f, "\n{note}help:{note:#} {help}"),
            None => Ok(()),
        }
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::new(error.to_string())
    }
}

/// The result of a command.
pub(crate) type Result<T> = std::result::Result<T, Failure>;
