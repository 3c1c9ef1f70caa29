//! The typed tree: a function body with every name resolved and every type inferred.
//!
//! It has the shape of the source, so that the rules of the language can be checked on it; the lowering to the
//! [intermediate representation](crate::ir) takes it apart.

mod atomic;
mod calls;
mod group;
mod image;
mod iterator;
mod nominal;
mod pattern;
mod pointer;
mod slice;
mod ty;
mod vector;

pub use atomic::{AtomicCall, AtomicMethod};
pub use calls::Calls;
pub use group::{CopyFunction, GroupFunction, Stride};
pub use image::{ImageOp, Marker, image_shape};
pub use iterator::{Access, Adaptor, Advance, Consumer, Iter, Parts};
pub use nominal::{
    CHANNEL_ORDER, CHANNEL_TYPE, Definition, Field, OPTION, ORDERING, Style, TRY_FROM_INT_ERROR,
    TRY_FROM_SLICE_ERROR, Variant,
};
pub use pattern::{Elements, Pattern, Test, VariantTest};
pub use pointer::PointerOp;
pub use slice::SliceMethod;
pub use ty::{ClosureType, Nominal, Projection, RangeForm, Ty, VariableKind};
pub use vector::{Step, VectorOp};

use crate::chain::Id;
use crate::ir::{Arena, Caching, Group, Handle, MemoryOrder, Query, Scope, Space};
use crate::methods::Method;
use kernel_core::PrintStream;
use kernel_core::semantics::{BinaryOp, UnaryOp};
use kernel_core::{FaultKind, Scalar};
use proc_macro2::Span;
use std::cell::RefCell;
use std::rc::Rc;

/// A function whose types are known.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its generic parameters that are numbers which the host sets.
    pub specializations: Vec<(String, Scalar)>,
    /// Its parameters.
    pub parameters: Vec<Handle<Binding>>,
    /// Where what each of them leads to is.
    pub spaces: Vec<Space>,
    /// How that is cached.
    pub caching: Vec<Caching>,
    /// The type of its result.
    pub result: Ty,
    /// Its local variables and parameters.
    pub bindings: Arena<Binding>,
    /// What every launch of it meets, if it is a kernel.
    pub conditions: Vec<Expr>,
    /// Its body.
    pub body: Block,
}

impl Function {
    /// A constant of a type, as a function without parameters.
    pub(crate) fn of_constant(result: Ty, bindings: Arena<Binding>, body: Block) -> Self {
        Self {
            name: String::new(),
            specializations: Vec::new(),
            parameters: Vec::new(),
            spaces: Vec::new(),
            caching: Vec::new(),
            result,
            bindings,
            conditions: Vec::new(),
            body,
        }
    }
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
    /// `let` with a value, and what is done if that does not match the pattern, from which control does not come back.
    LetElse(Pattern, Expr, Box<Expr>),
    /// `let` without a value, which comes later.
    Declare(Handle<Binding>),
    /// An expression whose value is dropped.
    Expr(Expr),
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
    /// Whether it uses variables of the function at all: if so, it is no `fn`.
    pub captures: bool,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Ty,
    /// Where it is: its first token, or the name of a method, as Rust has it in the messages of panics.
    pub span: Span,
}

/// What is asked about the order of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `cmp`: an `Ordering`.
    Order,
    /// `total_cmp` of floats: an `Ordering`.
    Total,
    /// `partial_cmp`: an `Option<Ordering>`.
    Partial,
    /// `<` and its kin.
    Test(BinaryOp),
}

/// A panic of the author's own.
#[derive(Clone, Debug)]
pub struct Panic {
    /// What is said.
    pub message: Message,
    /// The two sides of a comparison that was asserted, if that is what it is about.
    pub sides: Option<Box<[Expr; 2]>>,
}

/// What a panic says.
#[derive(Clone, Debug)]
pub enum Message {
    /// Text.
    Text(String),
    /// Text with values in it.
    Formatted(Format),
}

/// A format string with its arguments.
#[derive(Clone, Debug)]
pub struct Format {
    /// The format string.
    pub text: String,
    /// What is formatted, with the names of those that have one.
    pub arguments: Vec<(Option<String>, Argument)>,
}

/// What is formatted.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A value, perhaps behind references.
    Value(Expr),
    /// Literal text.
    Text(String),
}

/// A call of `println!` or one of its kin.
#[derive(Clone, Debug)]
pub struct Print {
    /// What is printed.
    pub format: Format,
    /// Where the text goes.
    pub stream: PrintStream,
    /// Whether a line break follows.
    pub newline: bool,
}

/// Names a loop, uniquely in its function.
pub type Label = crate::ir::Label;

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer or `bool`, by its bits before it is wrapped to its type.
    Integer(u128),
    /// Whether overflow is checked in the code that calls the prelude.
    ChecksOverflow,
    /// A float, by its source text, which is rounded once the type is known.
    Float(String),
    /// A variable.
    Binding(Handle<Binding>),
    /// A constant or a static that is no number, by the expression that is its value. All uses of one share the expression.
    Constant(Rc<Expr>),
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
    /// The order of two values, part by part; what is asked about it follows from the type of the expression.
    Compare(Comparison, Box<[Expr; 2]>),
    /// `&&`.
    And(Box<Expr>, Box<Expr>),
    /// `||`.
    Or(Box<Expr>, Box<Expr>),
    /// `=`.
    Assign(Box<Expr>, Box<Expr>),
    /// `=` to several places: each of these takes what a variable in the pattern is bound to.
    Destructure {
        /// What the value is taken apart by; it always matches.
        pattern: Pattern,
        /// The value.
        value: Box<Expr>,
        /// The places, in order.
        assignments: Vec<(Expr, Handle<Binding>)>,
    },
    /// `+=` and its kin.
    AssignOp {
        /// The operator without the assignment.
        op: BinaryOp,
        /// What is changed.
        place: Box<Expr>,
        /// The other operand.
        value: Box<Expr>,
        /// Whether the other operand is written as a reference to this value.
        is_referred: bool,
    },
    /// `as`, to the type of the expression.
    Cast(Box<Expr>),
    /// `if`.
    If(Box<Expr>, Block, Option<Box<Expr>>),
    /// `if` with a `let` in its condition.
    IfLet(Vec<Test>, Block, Option<Box<Expr>>),
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
    /// `while` with a `let` in its condition.
    WhileLet(Label, Vec<Test>, Block),
    /// Whether a value matches a pattern, whose names nobody uses.
    Matches(Pattern, Box<Expr>),
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
    /// `&[]`.
    EmptySlice,
    /// The ends that a range has.
    Range(Vec<Expr>),
    /// Whether a number is in a range.
    Contains(Box<Expr>, Box<Expr>),
    /// Whether there is no number in a range with two ends.
    IsEmpty(Box<Expr>),
    /// An iterator, which is known when the kernel is compiled.
    Iterator(Box<Iter>),
    /// What is left of the items of an iterator, once they have been gone over; the arguments follow the iterator.
    Consume(Consumer, Vec<Expr>),
    /// An item of an iterator in a variable, which is advanced.
    Advance(Advance, Box<Expr>),
    /// `.len()` of a slice or array.
    Len(Box<Expr>),
    /// Another method of a slice or array, the receiver first.
    SliceMethod(SliceMethod, Vec<Expr>),
    /// The array of what a closure makes of each index.
    ArrayFromFn(Box<Expr>),
    /// Stores a value to what a reference refers to; the value is what was there.
    Replace(Box<Expr>, Box<Expr>),
    /// Exchanges what two references refer to.
    Swap(Box<Expr>, Box<Expr>),
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
    /// The field of a variant that has one.
    Payload(Box<Expr>, VariantTest),
    /// The same variant with references to its fields.
    PayloadReferences(Box<Expr>),
    /// The values in a slice of `MaybeUninit`, as a slice.
    Initialized(Box<Expr>),
    /// `unwrap()` and its kin: the field of a variant that has one, and a fault if the value is another variant.
    Unwrap {
        /// The value.
        value: Box<Expr>,
        /// The variant.
        variant: VariantTest,
        /// The other variant, if its field is shown in the message.
        shown: Option<VariantTest>,
        /// The fault.
        fault: FaultKind,
        /// What is said instead of what the kind of fault says; else empty.
        message: String,
    },
    /// `panic!()` and its kin, after which control does not come back.
    Panic(Panic),
    /// `assert!()` and its kin: a panic where a condition does not hold.
    Assert(Box<Expr>, Panic),
    /// `println!()` and its kin.
    Print(Print),
    /// `value?`; what is not the first of these goes to the caller.
    Try {
        /// An `Option` or a `Result`.
        value: Box<Expr>,
        /// Whether it is an `Option`.
        is_option: bool,
    },
    /// `&place` or `&mut place`.
    Reference(Box<Expr>),
    /// `*reference`, or `*pointer`.
    Dereference(Box<Expr>),
    /// An operation of raw pointers.
    Pointer(PointerOp, Vec<Expr>),
    /// An operation on an image or a sampler.
    Image(ImageOp, Vec<Expr>),
    /// A call of a device function.
    Call(Box<Callee>, Vec<Expr>),
    /// A closure.
    Closure(Rc<Closure>),
    /// A call of a closure.
    CallClosure(Box<Expr>, Vec<Expr>),
    /// An operation that only vectors have.
    Vector(VectorOp, Vec<Expr>),
    /// A method of a scalar, or of the lanes of a vector, the receiver first.
    Method(&'static Method, Vec<Expr>),
    /// An id or a size.
    Query(Query, u8),
    /// The number with this position that the host has set.
    Specialization(u32),
    /// A function of `subgroup` or `work_group`, or a barrier.
    Group(Group, GroupFunction, Vec<Expr>),
    /// A fence.
    Fence(Scope, MemoryOrder),
    /// A method of an atomic, which is the first operand.
    Atomic(AtomicCall, Vec<Expr>),
    /// A reference to an atomic, for one access in a scope; that access has taken it apart.
    Scoped(Box<Expr>, Scope),
    /// `Local::new()`.
    NewLocal,
    /// An expression that follows from its type, once all types are known.
    Deferred(Rc<RefCell<Option<Expr>>>),
    /// Something with an error that has been reported.
    Error,
}
