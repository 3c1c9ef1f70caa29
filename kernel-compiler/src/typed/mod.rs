//! The typed tree: a function body with every name resolved and every type inferred.
//!
//! It has the shape of the source, so that the rules of the language can be checked on it; the lowering to the
//! [intermediate representation](crate::ir) takes it apart.

mod ty;

pub use ty::{Ty, VariableKind};

use crate::chain::Id;
use crate::ir::{Arena, Handle, Query};
use crate::methods::Method;
use kernel_core::semantics::{BinaryOp, UnaryOp};
use proc_macro2::Span;

/// A function whose types are known.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Handle<Binding>>,
    /// The type of its result.
    pub result: Ty,
    /// Its local variables and parameters.
    pub bindings: Arena<Binding>,
    /// Its body.
    pub body: Block,
}

/// A local variable or parameter.
#[derive(Clone, Debug)]
pub struct Binding {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// Whether it is declared `mut`, or without a value.
    pub assignable: bool,
}

/// A block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its statements.
    pub statements: Vec<Statement>,
    /// The expression whose value it has.
    pub tail: Option<Box<Expr>>,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `let`.
    Let {
        /// The variable; none for `let _ = …`.
        binding: Option<Handle<Binding>>,
        /// Its first value.
        value: Option<Expr>,
    },
    /// An expression whose value is dropped.
    Expr(Expr),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Ty,
    /// Its first token.
    pub span: Span,
}

/// Names a loop, uniquely in its function.
pub type Label = crate::ir::Label;

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer or `bool`, by its bits before it is wrapped to its type.
    Integer(u128),
    /// A float, by its source text, which is rounded once the type is known.
    Float(String),
    /// A variable.
    Binding(Handle<Binding>),
    /// `-` and `!`.
    Unary(UnaryOp, Box<Expr>),
    /// A binary operator that always evaluates both operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `&&`.
    And(Box<Expr>, Box<Expr>),
    /// `||`.
    Or(Box<Expr>, Box<Expr>),
    /// `=`.
    Assign(Box<Expr>, Box<Expr>),
    /// `+=` and its kin.
    AssignOp(BinaryOp, Box<Expr>, Box<Expr>),
    /// `as`, to the type of the expression.
    Cast(Box<Expr>),
    /// `if`.
    If(Box<Expr>, Block, Option<Box<Expr>>),
    /// A block.
    Block(Block),
    /// A block with a label that `break` can leave.
    LabelledBlock(Label, Block),
    /// `loop`.
    Loop(Label, Block),
    /// `while`.
    While(Label, Box<Expr>, Block),
    /// `for` over a range.
    For {
        /// The loop's name.
        label: Label,
        /// The loop variable; none for `_`.
        binding: Option<Handle<Binding>>,
        /// Its first value.
        start: Box<Expr>,
        /// Where it ends.
        end: Box<Expr>,
        /// Whether `end` is part of the range.
        inclusive: bool,
        /// What is repeated.
        body: Block,
    },
    /// `break`.
    Break(Label, Option<Box<Expr>>),
    /// `continue`.
    Continue(Label),
    /// `return`.
    Return(Option<Box<Expr>>),
    /// `base[index]`.
    Index(Box<Expr>, Box<Expr>),
    /// `.len()` of a slice or array.
    Len(Box<Expr>),
    /// `[a, b, c]`.
    Array(Vec<Expr>),
    /// `[value; N]`.
    Repeat(Box<Expr>),
    /// `&place` or `&mut place` of an array, a slice or local memory, where a slice is wanted.
    Borrow(Box<Expr>),
    /// A call of a device function.
    Call(Id, Vec<Expr>),
    /// A method of a scalar, the receiver first.
    Method(&'static Method, Vec<Expr>),
    /// An id or a size.
    Query(Query, u8),
    /// `barrier()`.
    Barrier,
    /// `Local::new()`.
    NewLocal,
    /// Something with an error that has been reported.
    Error,
}
