//! Functions of other modules, and what makes a module one of them.
//!
//! What is called is known by its name and its type alone. It may read and write global memory, of which a value that it gets can be an address, and
//! what it returns is another one for each work-item. That no work-item waits for others in it is for the author to vouch for.

use super::{Handle, Type, Value, Variable};
use proc_macro2::Span;

/// A function that another module has.
#[derive(Clone, Debug)]
pub struct Import {
    /// The name by which that module exports it.
    pub name: String,
    /// The types of its parameters: scalars, vectors and raw pointers.
    pub parameters: Vec<Handle<Type>>,
    /// The type of its result, one of the same; none if it returns nothing.
    pub result: Option<Handle<Type>>,
    /// Where it is called first.
    pub span: Span,
}

/// A call of such a function.
///
/// Its value is the result; if there is none, the value is of type `u32`, and nobody uses it. A work-item that goes on after a fault does
/// not make the call, and the value is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The function.
    pub import: Handle<Import>,
    /// What it gets.
    pub arguments: Vec<Handle<Value>>,
}

/// What a module has that is a function for other modules rather than a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Export {
    /// The variable whose value it returns; none if it returns nothing.
    pub result: Option<Handle<Variable>>,
}
