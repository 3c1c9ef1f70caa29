//! The typed tree: a function body with every name resolved and every type inferred.
//!
//! It has the shape of the source, so that the rules of the language can be checked on it; the lowering to the
//! [intermediate representation](crate::ir) takes it apart.

mod iterator;
mod nominal;
mod slice;
mod ty;

pub use iterator::{Consumer, Iter, Parts};
pub use nominal::{Definition, Field, Style, Variant};
pub use slice::SliceMethod;
pub use ty::{ClosureType, Nominal, Projection, RangeForm, Ty, VariableKind};

use crate::chain::Id;
use crate::ir::{Arena, Handle, Query};
use crate::methods::Method;
use kernel_core::semantics::{BinaryOp, UnaryOp};
use proc_macro2::Span;
use std::rc::Rc;

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
    /// `let` with a value; the pattern always matches.
    Let(Pattern, Expr),
    /// `let` without a value, which comes later.
    Declare(Handle<Binding>),
    /// An expression whose value is dropped.
    Expr(Expr),
}

/// A pattern.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// `_`
    Any,
    /// A name, perhaps with a pattern for its value after `@`.
    Binding {
        /// The variable.
        binding: Handle<Binding>,
        /// Whether it becomes a reference to what is matched.
        by_reference: bool,
        /// What the value must match too.
        inner: Option<Box<Pattern>>,
    },
    /// A constant scalar.
    Constant(Box<Expr>),
    /// A range of scalars.
    Range {
        /// The first.
        start: Option<Box<Expr>>,
        /// The last, and whether it is part of the range.
        end: Option<(Box<Expr>, bool)>,
    },
    /// The elements of a tuple.
    Tuple(Vec<Pattern>),
    /// The fields of a struct or of a variant of an enum.
    Variant {
        /// Which variant; none for a struct, which has only one.
        variant: Option<VariantTest>,
        /// A pattern for each field.
        fields: Vec<Pattern>,
    },
    /// What a reference refers to.
    Reference(Box<Pattern>),
    /// Any of several patterns without names.
    Or(Vec<Pattern>),
}

/// A variant of an enum as something to test for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariantTest {
    /// Its position in the enum.
    pub position: usize,
    /// The number that stands for it; those of `u64` are wrapped.
    pub discriminant: i64,
}

/// An arm of a `match`.
#[derive(Clone, Debug)]
pub struct Arm {
    /// What it matches.
    pub pattern: Pattern,
    /// What must hold besides.
    pub guard: Option<Expr>,
    /// Its value.
    pub body: Expr,
}

/// A device function and what it is called for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Callee {
    /// The function.
    pub id: Id,
    /// The arguments for its generic parameters.
    pub arguments: Vec<Ty>,
}

/// A closure. Its parameters and variables are among those of the function around it.
#[derive(Clone, Debug)]
pub struct Closure {
    /// What its arguments are matched with.
    pub parameters: Vec<Pattern>,
    /// The value of a call.
    pub body: Expr,
    /// The type of that value.
    pub result: Ty,
    /// The variables of the function that are copied when the closure is made: all that it uses if it is `move`.
    pub moved: Vec<Handle<Binding>>,
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
    /// `==` or `!=` of what consists of other values, part by part.
    Equal {
        /// The left side.
        left: Box<Expr>,
        /// The right side.
        right: Box<Expr>,
        /// Whether it is `!=`.
        negated: bool,
    },
    /// `&&`.
    And(Box<Expr>, Box<Expr>),
    /// `||`.
    Or(Box<Expr>, Box<Expr>),
    /// `=`; on the left there may be tuples of places and `_`.
    Assign(Box<Expr>, Box<Expr>),
    /// `_` on the left of `=`.
    Ignore,
    /// `+=` and its kin.
    AssignOp(BinaryOp, Box<Expr>, Box<Expr>),
    /// `as`, to the type of the expression.
    Cast(Box<Expr>),
    /// `if`.
    If(Box<Expr>, Block, Option<Box<Expr>>),
    /// `if let`.
    IfLet(Pattern, Box<Expr>, Block, Option<Box<Expr>>),
    /// `match`; one of the arms always matches.
    Match(Box<Expr>, Vec<Arm>),
    /// A block.
    Block(Block),
    /// A block with a label that `break` can leave.
    LabelledBlock(Label, Block),
    /// `loop`.
    Loop(Label, Block),
    /// `while`.
    While(Label, Box<Expr>, Block),
    /// `while let`.
    WhileLet(Label, Pattern, Box<Expr>, Block),
    /// `for`.
    For {
        /// The loop's name.
        label: Label,
        /// What each item is bound to; it always matches.
        pattern: Pattern,
        /// What is gone over, an iterator.
        iterator: Box<Expr>,
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
    /// `base[range]`, the elements whose indices are in the range.
    SubSlice(Box<Expr>, Box<Expr>),
    /// The ends that a range has.
    Range(Vec<Expr>),
    /// Whether a number is in a range.
    Contains(Box<Expr>, Box<Expr>),
    /// Whether there is no number in a range with two ends.
    IsEmpty(Box<Expr>),
    /// An iterator, which is known when the kernel is compiled.
    Iterator(Box<Iter>),
    /// What is left of the items of an iterator, once all have been gone over.
    Consume(Consumer, Box<Expr>),
    /// `.len()` of a slice or array.
    Len(Box<Expr>),
    /// Another method of a slice or array, the receiver first.
    SliceMethod(SliceMethod, Vec<Expr>),
    /// `[a, b, c]`.
    Array(Vec<Expr>),
    /// `[value; N]`.
    Repeat(Box<Expr>),
    /// `(a, b)`.
    Tuple(Vec<Expr>),
    /// `base.0`, or `base.name` by the position of the field.
    Field(Box<Expr>, usize),
    /// A struct or a variant of an enum, with its fields in the order in which they are written.
    Construct {
        /// Which variant; none for a struct.
        variant: Option<VariantTest>,
        /// The position and the value of each field that is written.
        fields: Vec<(usize, Expr)>,
        /// The struct that the other fields are taken from.
        base: Option<Box<Expr>>,
    },
    /// The number that stands for the variant of an enum.
    Tag(Box<Expr>),
    /// `value?`; what is not the first of these goes to the caller.
    Try {
        /// An `Option` or a `Result`.
        value: Box<Expr>,
        /// Whether it is an `Option`.
        is_option: bool,
    },
    /// `&place` or `&mut place`.
    Reference(Box<Expr>),
    /// `*reference`.
    Dereference(Box<Expr>),
    /// A call of a device function.
    Call(Box<Callee>, Vec<Expr>),
    /// A closure.
    Closure(Rc<Closure>),
    /// A call of a closure.
    CallClosure(Box<Expr>, Vec<Expr>),
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
