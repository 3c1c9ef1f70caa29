//! Functions of other modules that are not there, and libraries that are none.

use core::fmt;
use kernel_core::SourceLine;

/// A kernel imports a function that the library of the launch does not have as it wants it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkError {
    /// The name of the kernel.
    pub kernel: &'static str,
    /// The name by which it imports the function.
    pub function: &'static str,
    /// Where it calls the function first.
    pub at: SourceLine,
    /// What is wrong.
    pub problem: LinkProblem,
}

/// Why an import cannot be resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkProblem {
    /// The launch names no library.
    NoLibrary,
    /// No module of the library exports it.
    NotExported,
    /// It is exported with another type. Types are written as in `(float32, global float32*) -> float32`.
    OtherType {
        /// The type that the importing module declares.
        imported: String,
        /// The type of the export.
        exported: String,
    },
    /// A module of the library defines something by the name of the kernel, or of one that shares its module.
    KernelName {
        /// That name.
        name: String,
    },
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, function, at, problem } = self;
        write!(f, "the kernel `{kernel}` calls `{function}` of another module at {at}, but {problem}")
    }
}

impl core::error::Error for LinkError {}

impl fmt::Display for LinkProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLibrary => f.write_str(
                "the launch names no library; help: write `.linked(&library)` before `.launch(..)`, with a `Library` that has it",
            ),
            Self::NotExported => f.write_str("no module of the library exports it"),
            Self::OtherType { imported, exported } => {
                write!(f, "it is imported as {imported} and exported as {exported}")
            }
            Self::KernelName { name } => {
                write!(f, "a module of the library has something by the name of the kernel `{name}`")
            }
        }
    }
}

/// Modules that are no library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryError {
    /// The position of the module.
    pub module: usize,
    /// What is wrong with it.
    pub problem: LibraryProblem,
}

/// Why a module cannot be part of a library.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LibraryProblem {
    /// It does not start as SPIR-V does, or is no sequence of 32-bit words.
    NotSpirv,
    /// An instruction is longer than what is left of the module.
    Malformed {
        /// The position of its first word.
        word: usize,
    },
    /// A module before it exports a function of that name too.
    Duplicate {
        /// The name.
        function: String,
    },
    /// It imports a function that no module of the library exports so.
    Unresolved {
        /// The name.
        function: String,
        /// What is wrong.
        problem: LinkProblem,
    },
}

impl fmt::Display for LibraryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { module, problem } = self;
        write!(f, "module {module} of the library ")?;
        match problem {
            LibraryProblem::NotSpirv => f.write_str("is no SPIR-V"),
            LibraryProblem::Malformed { word } => {
                write!(f, "is malformed: there is no whole instruction at word {word}")
            }
            LibraryProblem::Duplicate { function } => {
                write!(f, "exports `{function}`, which a module before it exports too")
            }
            LibraryProblem::Unresolved { function, problem } => {
                write!(f, "imports `{function}`, but {problem}")
            }
        }
    }
}

impl core::error::Error for LibraryError {}
