//! Errors of calls that take something for themselves: it is given back.

use super::Error;
use core::fmt;

/// An error, with what was passed to the call that failed, so that nothing is lost.
///
/// It becomes an [`Error`] by `?`.
pub struct Refused<V> {
    /// What went wrong.
    pub error: Box<Error>,
    /// What was passed, as it was.
    pub value: V,
}

impl<V> fmt::Display for Refused<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

/// That of the error.
impl<V> fmt::Debug for Refused<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.error, f)
    }
}

/// It speaks for the error, so that the source is that of the error.
impl<V> core::error::Error for Refused<V> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.error.source()
    }
}

impl<V> From<Refused<V>> for Error {
    fn from(refused: Refused<V>) -> Self {
        *refused.error
    }
}
