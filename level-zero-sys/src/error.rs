//! Why there is no loader.

use std::ffi::OsString;
use std::{error, fmt};

/// The reason for which the Level Zero loader could not be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadError {
    /// The dynamic linker did not find the library, or found it and could not load it.
    NotOpened {
        /// The path or name that was tried.
        library: OsString,
        /// What the dynamic linker said.
        reason: String,
    },
    /// The library has no `zeInit`, so it is no Level Zero loader.
    NotALoader {
        /// The path or name of the library.
        library: OsString,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOpened { library, reason } => {
                write!(f, "the Level Zero loader `{}` cannot be opened: {reason}", library.display())
            }
            Self::NotALoader { library } => {
                write!(f, "`{}` has no zeInit, so it is no Level Zero loader", library.display())
            }
        }
    }
}

impl error::Error for LoadError {}
