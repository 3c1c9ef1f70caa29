//! What can be wrong with a module.

use super::Id;
use std::fmt;

/// Why a module was refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LoadError {
    pub(crate) problem: Problem,
    /// The instruction, if the problem is with one.
    pub(crate) at: Option<Location>,
}

/// An instruction of the module, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    /// The offset of its first word.
    pub(crate) word: u32,
    /// The name of its opcode, if it has one.
    pub(crate) opcode: Option<&'static str>,
    /// Its result and the name of that, as far as there are any.
    pub(crate) result: Option<(Id, Option<String>)>,
}

/// The kinds of problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// The module does not start as a SPIR-V module of the host's byte order.
    NotSpirv,
    /// A version that the driver does not know.
    Version(u8, u8),
    /// The bound of ids is zero or beyond the universal limit.
    Bound(u32),
    /// The module ends within an instruction, or an instruction is shorter than its grammar says.
    Truncated,
    /// No such opcode.
    UnknownOpcode(u16),
    /// A number that its enumeration does not have.
    UnknownEnumerant {
        what: &'static str,
        value: u32,
    },
    /// A valid instruction that the driver cannot execute (yet).
    UnsupportedInstruction,
    UnsupportedCapability(String),
    UnsupportedExtension(String),
    /// An execution mode that the driver cannot keep.
    UnsupportedMode(String),
    /// A valid combination that the driver cannot execute (yet).
    Unsupported(&'static str),
    /// An id beyond the bound, or defined twice.
    BadId(Id),
    /// An id that must be something else than it is.
    Expected {
        what: &'static str,
        id: Id,
    },
    /// Two types that must agree do not.
    TypeMismatch(&'static str),
    /// An index or a count that its type does not allow.
    OutOfRange {
        what: &'static str,
        value: u64,
    },
    /// A rule of the SPIR-V environment for Level Zero.
    Environment(&'static str),
    /// The structure of a function or of the module is wrong.
    Structure(&'static str),
    /// Something is larger than the driver is willing to handle.
    TooLarge(&'static str),
    /// What the module imports by this name, no module of the program exports.
    Unresolved(String),
    /// Two modules of a program export this name.
    DuplicateExport(String),
    /// A module imports by this name what another one exports as something else.
    ImportMismatch(String),
    /// The static call graph has a cycle.
    Recursion,
    /// A literal string that does not end or is no UTF-8.
    BadString,
}

impl From<Problem> for LoadError {
    fn from(problem: Problem) -> Self {
        Self { problem, at: None }
    }
}

impl std::error::Error for LoadError {}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem.fmt(f)?;
        match &self.at {
            Some(at) => write!(f, " ({at})"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.opcode {
            Some(name) => write!(f, "Op{name} at word {}", self.word)?,
            None => write!(f, "at word {}", self.word)?,
        }
        match &self.result {
            Some((id, Some(name))) => write!(f, ", result %{id} \"{name}\""),
            Some((id, None)) => write!(f, ", result %{id}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSpirv => f.write_str("not a SPIR-V module in the byte order of the host"),
            Self::Version(major, minor) => write!(f, "SPIR-V {major}.{minor} is not supported"),
            Self::Bound(bound) => write!(f, "the bound of ids, {bound}, is not within 1 to 4194304"),
            Self::Truncated => f.write_str("the instruction has too few words"),
            Self::UnknownOpcode(opcode) => write!(f, "there is no opcode {opcode}"),
            Self::UnknownEnumerant { what, value } => write!(f, "there is no {what} {value}"),
            Self::UnsupportedInstruction => f.write_str("the instruction is not supported"),
            Self::UnsupportedCapability(name) => write!(f, "the capability {name} is not supported"),
            Self::UnsupportedExtension(name) => write!(f, "the extension {name} is not supported"),
            Self::UnsupportedMode(name) => write!(f, "the execution mode {name} is not supported"),
            Self::Unsupported(what) => write!(f, "not supported: {what}"),
            Self::BadId(id) => write!(f, "%{id} is beyond the bound or defined twice"),
            Self::Expected { what, id } => write!(f, "%{id} is not {what}"),
            Self::TypeMismatch(what) => write!(f, "types do not match: {what}"),
            Self::OutOfRange { what, value } => write!(f, "{what} is out of range: {value}"),
            Self::Environment(rule) => {
                write!(f, "not allowed by the SPIR-V environment of Level Zero: {rule}")
            }
            Self::Structure(what) => write!(f, "malformed module: {what}"),
            Self::TooLarge(what) => write!(f, "too large for this driver: {what}"),
            Self::Unresolved(name) => {
                write!(f, "`{name}` is imported, but no module of the program exports it")
            }
            Self::DuplicateExport(name) => write!(f, "two modules of the program export `{name}`"),
            Self::ImportMismatch(name) => {
                write!(f, "`{name}` is imported with another type than the one that it is exported with")
            }
            Self::Recursion => f.write_str("the function calls itself, directly or through others"),
            Self::BadString => f.write_str("malformed literal string"),
        }
    }
}
