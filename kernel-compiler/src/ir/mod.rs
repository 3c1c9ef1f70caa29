//! The typed, structured intermediate representation of a kernel.
//!
//! # Meaning
//!
//! A [`Module`] is one kernel, with the variables in local memory and the places that can fault. Calls are of functions that other modules have
//! ([`Op::Call`]); those of the kernel's own lowering has replaced by the bodies.
//!
//! A module with an [`Export`] is a function for other modules instead. Each work-item that calls it runs it by itself, with arguments of its own, in a launch of
//! which nothing is known; where it ends, it returns what its result variable holds. It has nothing that can fault or prints, no local memory, and
//! nothing to which work-items come together.
//!
//! A kernel computes with *values* and *variables*. A [`Value`] is computed at most once per pass through the
//! block that evaluates it and never changes; it may be used by the statements that follow in the same block
//! and by the blocks nested in those. [`Op::Parameter`] and [`Op::Constant`] need no statement and may be used
//! anywhere. All other values are computed by exactly one [`Statement::Evaluate`]. What changes lives in variables: a
//! [`Variable`] belongs to one work-item, and holds an unspecified value before its first store.
//!
//! A [`Block`] is a list of statements with one [`End`]. Control enters at the top only. [`Statement::If`] runs
//! one of its two blocks; where that block ends with [`End::Next`], the statement after the `If` comes next.
//! [`Statement::Loop`] runs its body, then its `continuing` block, and starts over. [`End::Break`] leaves the loop that it
//! names and goes on after it; [`End::Continue`] goes to that loop's `continuing` block, as does the body's [`End::Next`]. The
//! `continuing` block contains no `Break`, `Continue` or `Return`.
//!
//! # Arithmetic
//!
//! As in `kernel_core::semantics`: integers wrap, shift counts are masked to the width of the shifted type, `%` has the sign of the dividend,
//! float operators are those of IEEE 754 in round-to-nearest-even, and [`Op::Cast`] is Rust's `as`, which `f16` has here too.
//! A `bf16` is only loaded, stored, selected and reinterpreted as bits. Whether `a * b + c` may be contracted
//! to a fused operation is for the module as a whole, [`FloatMode`].
//!
//! Of vectors an operation computes each lane so. A check that fails for any lane fails for the vector.
//!
//! # Checks and faults
//!
//! A [`Check`] guards an operation that is not defined for all operands: an index, an integer division. If it is
//! [`Check::Proved`], the operation is known to be defined, or the author vouched for it with `unsafe`. If it is
//! [`Check::At`] and the operation is not defined, the fault is recorded for that site, and the work-item
//! ends. In a kernel with things that all work-items of a group come to together ([`Block::has_convergent`]) it goes on: a load or a division yields zero, a store
//! is left out, and a sum, a difference, a product or a shift that overflows has wrapped. [`Op::HasFaulted`] tells whether it has recorded a fault then, and an [`FaultExit`] leaves a loop for it. [`Op::Require`] is such a check by itself, and brings along what the message of a panic formats.
//!
//! # Memory
//!
//! A [`Place`] is a path from a variable, a variable in local memory, a table, a slice, an argument or what a pointer points to, to
//! a part of it. Local memory that nobody has written reads as zero. A [`Table`] is data that all work-items share and nothing changes. `bool` is one byte in memory, 0 or 1. The elements of two parameters never overlap if one of these is a mutable slice
//! or reference; a raw pointer may point to anything, and the author vouches for each access through one.
//!
//! Work-items may access the same memory at the same time by [`Op::Atomic`] only. The elements that a kernel accesses so are those of
//! slices and references that are mutable, and they may be those of other parameters of this kind, or be read through one that is not
//! mutable.
//!
//! A [`Type::Struct`] is laid out as C does it. There are no values of such a type, nor of arrays of such: their members are
//! loaded and stored one by one, and nothing is said of the bytes between them. An argument of such a type, or an array as an
//! argument, is memory that is only read ([`Base::Parameter`]).
//!
//! An image is a parameter, and its elements, texels, are reached by coordinates rather than places; each has four channels, or one in an image of depths. An
//! [`ImageOp::Read`] of a texel that is not there gives zero, an [`ImageWrite`] of one does nothing.
//!
//! `usize` and `isize` are types of their own, with the meaning of 64 bits; an emitter may compute them in fewer bits
//! where that makes no difference.
//!
//! # Groups
//!
//! An [`Op::Collective`], an [`Op::BlockAccess`], an [`ImageOp::Block`], a [`Statement::Barrier`], a [`Statement::AssertUniform`] and a [`Statement::Wait`] are reached by all work-items of their group
//! together, or by none; that this holds is checked after lowering, as is that they agree. A collective orders no accesses to memory.

mod arena;
mod atomic;
mod block_access;
mod caching;
mod call;
mod equality;
mod fault_exit;
mod group;
mod group_copy;
mod image;
mod layout;
mod math;
mod numeric;
mod operands;
mod parse;
mod shown;
mod text;
mod verify;

pub use arena::{Arena, Handle};
pub use atomic::{Atomic, AtomicAccess, AtomicOp, MemoryOrder, Scope};
pub use block_access::BlockAccess;
pub use caching::{Caching, LoadControl, StoreControl};
pub use call::{Call, Export, Import};
pub use fault_exit::FaultExit;
pub use group::{Among, Collective, Combine, Extent, Group};
pub use group_copy::GroupCopy;
pub use image::{FormatQuery, ImageBlock, ImageOp, ImageWrite};
pub use kernel_core::Memory;
pub use layout::PartOfArgument;
pub use math::{Fast, Math, Shape};
pub use numeric::Numeric;
pub use parse::ParseError;
pub use shown::{Shown, ShownFields};
pub(crate) use text::Word;
pub use verify::BrokenInvariant;

use kernel_core::group::{MAX_WORK_GROUP_SIZE, MIN_SUBGROUP_SIZE};
use kernel_core::semantics::{BinaryOp, UnaryOp};
use kernel_core::{FaultKind, ImageType, PrintStream, SamplerType, Scalar};
use proc_macro2::Span;

/// One kernel, or one function for other modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its name, which is that of the entry point.
    pub name: String,
    /// Whether it is a function for other modules, which know it by the name.
    pub export: Option<Export>,
    /// What the author asked of it.
    pub attributes: Attributes,
    /// The types, each once.
    pub types: Arena<Type>,
    /// The variables in local memory.
    pub locals: Arena<LocalVariable>,
    /// The data that never changes.
    pub tables: Arena<Table>,
    /// The places that can fault.
    pub sites: Arena<Site>,
    /// The places that print.
    pub prints: Arena<PrintSite>,
    /// The functions that other modules have.
    pub imports: Arena<Import>,
    /// The constants that the host sets when it builds the module.
    pub specializations: Vec<Specialization>,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// What holds whenever it is launched.
    pub assumptions: Vec<Assumption>,
    /// Its variables.
    pub variables: Arena<Variable>,
    /// Its values.
    pub values: Arena<Value>,
    /// What it does.
    pub body: Block,
}

/// What the author asked of a kernel as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// The work-group size that every launch must have.
    pub group_size: Option<[u32; 3]>,
    /// The work-group size that most launches will have.
    pub group_size_hint: Option<[u32; 3]>,
    /// The subgroup size that every launch must have.
    pub subgroup_size: Option<u32>,
    /// What the compiler may do with floating-point expressions.
    pub float_mode: FloatMode,
    /// Whether atomic updates of floats exchange integers until nobody has come between, instead of taking instructions that a device
    /// may not have.
    pub exchanges_floats: bool,
    /// Whether it is a fault where the exact result of an operator on integers does not fit.
    pub checks_overflow: bool,
    /// Whether the author vouches that no check of memory or of a divisor would fail.
    pub unchecked: bool,
    /// Whether the author vouches that some races do no harm, so that two work-items may read different numbers at one place.
    pub may_race: bool,
}

/// What the compiler may do with floating-point expressions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FloatMode {
    /// Nothing: each operation rounds as in Rust.
    #[default]
    Strict,
    /// `a * b + c` may be rounded once.
    Contract,
    /// `Contract`, and a quotient and a square root of `f32` may be wrong by 2.5 and 3 units in the last place: what OpenCL C has unless an
    /// option of the build says otherwise. Nothing is reassociated.
    OpenCl,
    /// `OpenCl`, and algebraic rewriting that assumes neither NaN nor infinities and ignores the sign of zero.
    Fast,
}

impl FloatMode {
    /// Returns whether a quotient and a square root of `f32` are the nearest number to the exact result.
    #[must_use]
    pub fn is_correctly_rounded(self) -> bool {
        match self {
            Self::Strict | Self::Contract => true,
            Self::OpenCl | Self::Fast => false,
        }
    }
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A scalar.
    Scalar(Scalar),
    /// A vector. Operations on vectors work lane by lane.
    Vector {
        /// The type of each lane, a scalar.
        element: Handle<Type>,
        /// How many; 2, 3, 4, 8 or 16.
        lanes: u32,
    },
    /// A fixed number of elements in a row.
    Array {
        /// The type of each; not a slice.
        element: Handle<Type>,
        /// How many; at least 1.
        len: u32,
    },
    /// A pointer to elements and their number, a `usize`.
    Slice {
        /// The type of each; not a slice.
        element: Handle<Type>,
        /// Where they are.
        space: Space,
        /// Whether they may be stored to.
        mutable: bool,
    },
    /// The address of something in global memory.
    Pointer {
        /// The type of what is there; no slice.
        element: Handle<Type>,
        /// Whether it may be stored to.
        mutable: bool,
        /// Whether it is a raw pointer rather than a reference.
        raw: bool,
    },
    /// An image; only a parameter is one.
    Image(ImageType),
    /// A sampler.
    Sampler(SamplerType),
    /// Something that a work-group can wait for; only in variables, and no part of anything.
    Event,
    /// Named members one after the other, each where C puts it. Only in memory.
    Struct {
        /// Its name in the source.
        name: String,
        /// The members, at least one.
        members: Vec<Member>,
        /// Its alignment in bytes, a power of two: at least that of its members, at most [`kernel_core::MAX_ALIGNMENT`].
        align: u64,
    },
}

/// A member of a struct.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// Its name in the source.
    pub name: String,
    /// Its type; no slice, and a pointer only if it is a raw one, which may lead to the struct itself.
    pub ty: Handle<Type>,
}

/// Where memory is, and so who shares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// One work-item's own (SPIR-V storage class Function).
    Private,
    /// A work-group's (Workgroup).
    Local,
    /// The whole device's (CrossWorkgroup).
    Global,
    /// The whole device's, and never changed (UniformConstant).
    Constant,
}

/// A variable in local memory, one per work-group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalVariable {
    /// Its name in the source.
    pub name: String,
    /// Its type; not a slice.
    pub ty: Handle<Type>,
}

/// Data that never changes, in constant memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its type: an array of scalars or vectors, or of such arrays.
    pub ty: Handle<Type>,
    /// The bit patterns of its scalars in the order of their addresses, each zero-extended.
    pub bits: Vec<u64>,
}

/// A place in the source that can fault.
#[derive(Clone, Debug)]
pub struct Site {
    /// What can go wrong.
    pub kind: FaultKind,
    /// Where it is written.
    pub span: Span,
    /// What a panic of the author's own says; else empty.
    pub message: String,
    /// The same, if it has values in it.
    pub format: Option<Format>,
    /// Why the check could not be left out; empty before the analysis.
    pub reason: String,
}

/// A place in the source that prints.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PrintSite {
    /// What is printed.
    pub format: Format,
    /// Where the text goes.
    pub stream: PrintStream,
    /// Whether a line break follows.
    pub newline: bool,
}

/// A format string with what it formats.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    /// The format string, as `format_args!` takes it.
    pub text: String,
    /// What is formatted: the name of each argument that has one, and its type.
    pub arguments: Vec<(Option<String>, Shown)>,
}

impl Format {
    /// How many words the arguments have.
    #[must_use]
    pub fn words(&self) -> u32 {
        self.arguments.iter().map(|(_, shown)| shown.words()).fold(0, u32::saturating_add)
    }
}

/// A constant that the host sets when it builds the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specialization {
    /// Its name in the source.
    pub name: String,
    /// Its type, a scalar that is no float.
    pub ty: Handle<Type>,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the source.
    pub name: String,
    /// Its type: a scalar, a slice that is not in [`Space::Private`], a pointer, an array, a struct, an image or a sampler.
    pub ty: Handle<Type>,
    /// Who else may access the global memory that it leads to.
    pub aliasing: Aliasing,
    /// How that memory is cached.
    pub caching: Caching,
}

/// Who may access the memory that a parameter leads to while the kernel runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aliasing {
    /// Nothing is known, as of raw pointers and atomics.
    #[default]
    Unknown,
    /// Nobody changes it: `&T`.
    ReadOnly,
    /// Nothing else leads to it: `&mut T`. Work-items may share it, but for what each accesses between two barriers.
    Exclusive,
}

/// What holds whenever a kernel is launched, because the host has checked it. Nothing computes it on the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// What computes the condition; in it, no arithmetic that is always come to overflows.
    pub block: Block,
    /// The condition, a `bool`.
    pub condition: Handle<Value>,
}

/// Something of one work-item that can be stored to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name in the source, or empty if the compiler made it.
    pub name: String,
    /// Its type; not a slice.
    pub ty: Handle<Type>,
}

/// A value: what an operation computes.
#[derive(Clone, Debug)]
pub struct Value {
    /// The type of the result.
    pub ty: Handle<Type>,
    /// The operation.
    pub op: Op,
    /// The part of the source that it comes from.
    pub span: Span,
}

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// The parameter with this position, which is a scalar, a slice or a pointer.
    Parameter(u32),
    /// A scalar constant: the bit pattern of the value in its type, zero-extended. As a vector, it is in every lane.
    Constant(u64),
    /// All zero bits, for arrays and pointers.
    Zero,
    /// A unary operator.
    Unary(UnaryOp, Handle<Value>),
    /// A binary operator. Both operands have one type, but for shifts, whose right operand may be of any integer type with as many
    /// lanes. Division and remainder of integers have a check for a zero divisor, and one for overflow if they are signed. Sums, differences,
    /// products and shifts of integers may have the latter.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The left operand.
        left: Handle<Value>,
        /// The right operand.
        right: Handle<Value>,
        /// For integer `/` and `%`: whether the divisor is not zero.
        nonzero: Check,
        /// For signed integer `/` and `%`: whether the operands are not `MIN` and `-1`. For integer `+`, `-` and `*`: whether the exact result
        /// fits. For shifts: whether the count is less than the width.
        overflow: Check,
    },
    /// Rust's `as`, to the type of this value.
    Cast(Handle<Value>),
    /// The bits of the operand as another type of the same size (`to_bits`, `from_bits`); of a raw pointer, as a `usize` or as a raw
    /// pointer to another type.
    Bitcast(Handle<Value>),
    /// `accept` if the condition holds, else `reject`; both have been computed.
    Select {
        /// A `bool`; for vectors it may be a vector of as many, which choose lane by lane.
        condition: Handle<Value>,
        /// The result if it holds.
        accept: Handle<Value>,
        /// The result if not.
        reject: Handle<Value>,
    },
    /// A function of the OpenCL.std extended instruction set, with operands of its [`Shape`].
    Math(Math, Vec<Handle<Value>>),
    /// A test of the class of a float; the result is a `bool`.
    Classify(Class, Handle<Value>),
    /// A vector of these lanes, or of those of these vectors in a row.
    Construct(Vec<Handle<Value>>),
    /// The lane of a vector with this number.
    Extract(Handle<Value>, u32),
    /// A vector of lanes of two vectors of one type; those of the second are counted on from those of the first.
    Shuffle([Handle<Value>; 2], Vec<u32>),
    /// The operand itself. The author promises that all work-items of the group that come here have the same.
    AssumeUniform(Group, Handle<Value>),
    /// The operand itself, an integer. The author promises that no two work-items of the launch, or of the group, ever get the same one here.
    Distinct(Among, Handle<Value>),
    /// Whether any lane of a vector of `bool` is true.
    Any(Handle<Value>),
    /// Whether all lanes of a vector of `bool` are true.
    All(Handle<Value>),
    /// What is stored at a place.
    Load(Place),
    /// An access to memory that other work-items access at the same time.
    Atomic(Atomic),
    /// An access of a subgroup to a block of neighbouring elements.
    BlockAccess(BlockAccess),
    /// A copy that the work-items of a work-group begin together; the result is its event.
    GroupCopy(GroupCopy),
    /// The number of elements of a slice.
    Len(Handle<Value>),
    /// Whether all indices on the way to a place are in bounds, a `bool`. The place itself is not accessed.
    InBounds(Place),
    /// A slice of all elements of an array at a place. They may be stored to, unless the place starts at a slice whose elements may not.
    SliceOf(Place),
    /// So many elements of a slice, from one on. The slice has them all: what this depends on has been checked before.
    SubSlice {
        /// The slice, whose type is that of this value too.
        slice: Handle<Value>,
        /// The index of the first element, a `usize`.
        start: Handle<Value>,
        /// The number of elements, a `usize`.
        len: Handle<Value>,
    },
    /// Whether a condition holds, a `bool`. Where it does not, the first of the faults that applies is recorded.
    Require {
        /// A `bool`.
        condition: Handle<Value>,
        /// What may have gone wrong; the last one applies if no other does.
        faults: Vec<Fault>,
    },
    /// Whether this work-item has recorded a fault, a `bool`.
    HasFaulted,
    /// A raw pointer to a place in global memory; null where an index on the way is out of bounds.
    Address(Place),
    /// A pointer to the element so many elements further on.
    Offset {
        /// A raw pointer.
        pointer: Handle<Value>,
        /// How many elements, a `usize` or an `isize`.
        count: Handle<Value>,
        /// Whether that may be outside of what the pointer points into.
        wraps: bool,
    },
    /// A slice of so many elements from where a pointer points on; the author vouches for them.
    SliceFrom {
        /// A raw pointer.
        pointer: Handle<Value>,
        /// The number of elements, a `usize`.
        len: Handle<Value>,
    },
    /// The position of this work-item or the size of the launch, a `usize`.
    Query(Query, u8),
    /// What the work-items of a group do together.
    Collective {
        /// Who.
        group: Group,
        /// What.
        collective: Collective,
        /// The values that each brings along: as many as the collective says, of which the first is a `bool`, or a number of 32 or 64 bits.
        operands: Vec<Handle<Value>>,
    },
    /// A call of a function that another module has.
    Call(Call),
    /// An operation on an image or a sampler.
    Image(ImageOp),
    /// The value that the host has set for the specialization with this position.
    Specialization(u32),
}

/// Whether an operation that is not always defined has to be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// It is known to be defined.
    Proved,
    /// It is checked; a failure is recorded for this site.
    At(Handle<Site>),
}

/// What may have gone wrong where a required condition does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// A `bool` that holds if it was something else; none for the last of several faults.
    pub unless: Option<Handle<Value>>,
    /// Whether the condition as a whole is known to hold.
    pub check: Check,
    /// What goes with the fault, of type `usize`; zero where its kind has no values.
    pub values: [Handle<Value>; 2],
    /// The words of what its message formats, each a `u32`. Only the single fault of a requirement that never holds has any.
    pub words: Vec<Handle<Value>>,
}

/// A part of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where the path starts.
    pub base: Base,
    /// The way from there, outermost step first. From a slice, the first is an index.
    pub path: Vec<Step>,
}

/// The start of a [`Place`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// A variable.
    Variable(Handle<Variable>),
    /// A variable in local memory.
    Local(Handle<LocalVariable>),
    /// A table; it is only read.
    Table(Handle<Table>),
    /// The elements of a slice value.
    Slice(Handle<Value>),
    /// The parameter with this position, which is an array or a struct; it is only read.
    Parameter(u32),
    /// What a pointer points to.
    Pointer(Handle<Value>),
}

/// One step of a [`Place`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To an element of an array or a slice, or to a lane of a vector.
    Index(Index),
    /// To the member of a struct with this position.
    Member(u32),
    /// To as many elements of a slice as a vector has lanes, from an index on, as that vector. The slice has them all: what this
    /// depends on has been checked before. It is the only step.
    Run {
        /// The index of the first, whose check is [`Check::Proved`].
        index: Index,
        /// The vector type.
        vector: Handle<Type>,
    },
}

/// Which element of an array or a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index {
    /// The index, a `usize`.
    pub index: Handle<Value>,
    /// Whether it is below the length.
    pub check: Check,
}

/// A list of statements, run in order, and what comes after the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The statements.
    pub statements: Vec<Statement>,
    /// Where control goes then.
    pub end: End,
}

/// Where control goes at the end of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// To what follows the block.
    Next,
    /// Out of the loop with this label.
    Break(Label),
    /// To the `continuing` block of the loop with this label.
    Continue(Label),
    /// To the end of the kernel.
    Return,
}

/// Names a loop, uniquely in its kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label(pub u32);

/// A step of a block.
#[derive(Clone, Debug)]
pub enum Statement {
    /// Computes a value.
    Evaluate(Handle<Value>),
    /// Stores a value at a place.
    Store {
        /// Where.
        place: Place,
        /// What.
        value: Handle<Value>,
    },
    /// Runs one of two blocks.
    If {
        /// A `bool`.
        condition: Handle<Value>,
        /// Run if it holds.
        accept: Block,
        /// Run if not.
        reject: Block,
    },
    /// Runs its blocks again and again.
    Loop {
        /// Its name.
        label: Label,
        /// Run first.
        body: Block,
        /// Run between two passes through the body; ends with [`End::Next`].
        continuing: Block,
    },
    /// Stores a texel of an image.
    ImageWrite(Box<ImageWrite>),
    /// Waits for the whole group, and orders accesses to memory before and after, as the fence says.
    Barrier(Span, Group, Fence),
    /// All work-items of the work-group have the same values here; nothing is done.
    AssertUniform(Span, Vec<Handle<Value>>),
    /// Waits until what the work-group copies is copied, for the event in a variable.
    Wait(Span, Handle<Variable>),
    /// Orders accesses to local and global memory before and after, among the work-items of a scope.
    Order(Scope, MemoryOrder),
    /// Prints.
    Print {
        /// What is written.
        site: Handle<PrintSite>,
        /// The words of its arguments, each a `u32`.
        words: Vec<Handle<Value>>,
    },
}

/// What a barrier orders: among the work-items of its group, and images too if the kernel reads and writes any, unless the author says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fence {
    /// Accesses to local memory.
    Local,
    /// Accesses to local and to global memory.
    LocalAndGlobal,
    /// What the author says, among the work-items of a scope.
    Given(Scope, Memory),
}

/// A built-in position or size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Query {
    /// The id of the work-item in the launch.
    GlobalId,
    /// The number of work-items of the launch.
    GlobalSize,
    /// The id of the work-item in its work-group.
    LocalId,
    /// The number of work-items of a work-group.
    LocalSize,
    /// The id of the work-group.
    GroupId,
    /// The number of work-groups.
    NumGroups,
    /// The number of the work-item in its work-group, over all dimensions.
    LocalLinearId,
    /// The number of work-items of a work-group, over all dimensions.
    WorkGroupSize,
    /// The number of the subgroup in its work-group.
    SubgroupId,
    /// The number of subgroups of a work-group.
    NumSubgroups,
    /// The number of the work-item in its subgroup.
    SubgroupLocalId,
    /// The number of work-items of the subgroup.
    SubgroupSize,
    /// The greatest number of work-items that a subgroup has.
    MaxSubgroupSize,
}

impl Query {
    /// The query whose answer is always greater than that of this one.
    #[must_use]
    pub const fn limit(self) -> Option<Self> {
        match self {
            Self::GlobalId => Some(Self::GlobalSize),
            Self::LocalId => Some(Self::LocalSize),
            Self::GroupId => Some(Self::NumGroups),
            Self::LocalLinearId => Some(Self::WorkGroupSize),
            Self::SubgroupId => Some(Self::NumSubgroups),
            Self::SubgroupLocalId => Some(Self::SubgroupSize),
            _ => None,
        }
    }
}

/// A test of the class of a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Not a number.
    Nan,
    /// Positive or negative infinity.
    Infinite,
    /// Neither of these.
    Finite,
    /// Neither zero, subnormal, infinite nor NaN.
    Normal,
    /// The sign bit is set.
    SignNegative,
}

impl From<Index> for Step {
    fn from(index: Index) -> Self {
        Self::Index(index)
    }
}

impl Type {
    /// The type where a step leads.
    #[must_use]
    pub fn below(&self, step: Step) -> Option<Handle<Self>> {
        match (self, step) {
            (
                Self::Array { element, .. } | Self::Slice { element, .. } | Self::Vector { element, .. },
                Step::Index(_),
            ) => Some(*element),
            (Self::Slice { .. }, Step::Run { vector, .. }) => Some(vector),
            (Self::Struct { members, .. }, Step::Member(position)) => {
                members.get(position as usize).map(|member| member.ty)
            }
            _ => None,
        }
    }
}

impl Place {
    /// The type at the end of the path, where `base` is that at its start.
    #[must_use]
    pub fn type_below(&self, base: Handle<Type>, types: &Arena<Type>) -> Handle<Type> {
        self.path.iter().fold(base, |ty, step| types[ty].below(*step).unwrap_or(ty))
    }

    /// The indices on the path, outermost first.
    pub fn indices(&self) -> impl Iterator<Item = &Index> {
        self.path.iter().filter_map(|step| match step {
            Step::Index(index) | Step::Run { index, .. } => Some(index),
            Step::Member(_) => None,
        })
    }

    /// The indices on the path, to be changed.
    pub fn indices_mut(&mut self) -> impl Iterator<Item = &mut Index> {
        self.path.iter_mut().filter_map(|step| match step {
            Step::Index(index) | Step::Run { index, .. } => Some(index),
            Step::Member(_) => None,
        })
    }
}

/// The type of what a pointer of a type points to.
pub(crate) fn pointee(types: &Arena<Type>, pointer: Handle<Type>) -> Handle<Type> {
    match types[pointer] {
        Type::Pointer { element, .. } => element,
        _ => pointer,
    }
}

impl Module {
    /// One that does nothing and comes to no end yet.
    #[must_use]
    pub fn empty(name: String) -> Self {
        Self {
            name,
            export: None,
            attributes: Attributes::default(),
            types: Arena::default(),
            locals: Arena::default(),
            tables: Arena::default(),
            sites: Arena::default(),
            prints: Arena::default(),
            imports: Arena::default(),
            specializations: Vec::new(),
            parameters: Vec::new(),
            assumptions: Vec::new(),
            variables: Arena::default(),
            values: Arena::default(),
            body: Block { statements: Vec::new(), end: End::Next },
        }
    }

    /// The most words that the message of a fault takes.
    #[must_use]
    pub fn fault_words(&self) -> u32 {
        let formats = self.sites.iter().filter_map(|(_, site)| site.format.as_ref());
        formats.map(Format::words).max().unwrap_or(0)
    }

    /// The type of a place.
    #[must_use]
    pub fn place_type(&self, place: &Place) -> Handle<Type> {
        place.type_below(self.base_type(place.base), &self.types)
    }

    /// Returns whether a place is in the memory of a work-group.
    #[must_use]
    pub fn is_local(&self, place: &Place) -> bool {
        match place.base {
            Base::Local(_) => true,
            base => matches!(self.types[self.base_type(base)], Type::Slice { space: Space::Local, .. }),
        }
    }

    /// How a place is cached, by the parameter that leads to it.
    #[must_use]
    pub fn caching(&self, place: &Place) -> Option<&Caching> {
        let (Base::Slice(mut from) | Base::Pointer(mut from)) = place.base else { return None };
        while let Op::SubSlice { slice, .. } = self.values[from].op {
            from = slice;
        }
        match &self.values[from].op {
            Op::Parameter(position) => Some(&self.parameters[*position as usize].caching),
            Op::SliceOf(place) => self.caching(place),
            _ => None,
        }
    }

    /// How often each value is used, by its position.
    #[must_use]
    pub fn count_uses(&self) -> Vec<u32> {
        let mut uses = vec![0; self.values.len()];
        let mut count = |value: Handle<Value>| uses[value.index()] += 1;
        for (_, value) in self.values.iter() {
            value.op.for_each_operand(&mut count);
        }
        self.body.for_each_statement(&mut |statement| statement.for_each_operand(&mut count));
        uses
    }

    /// The type of the whole that a place is a part of.
    #[must_use]
    pub fn base_type(&self, base: Base) -> Handle<Type> {
        match base {
            Base::Variable(variable) => self.variables[variable].ty,
            Base::Local(local) => self.locals[local].ty,
            Base::Table(table) => self.tables[table].ty,
            Base::Slice(slice) => self.values[slice].ty,
            Base::Parameter(position) => self.parameters[position as usize].ty,
            Base::Pointer(pointer) => pointee(&self.types, self.values[pointer].ty),
        }
    }

    /// The query, in dimension 0, for the number of a work-item in its group: in one dimension its id there says it too.
    #[must_use]
    pub fn number_in_group(&self) -> Query {
        if self.rank() == 1 { Query::LocalId } else { Query::LocalLinearId }
    }

    /// The highest dimension that the kernel asks for, as a count; a required group size counts too. Launches have one work-item in
    /// the dimensions beyond. A function for other modules may be called in launches of any.
    #[must_use]
    pub fn rank(&self) -> u8 {
        if self.export.is_some() {
            return 3;
        }
        let queries = self.values.iter().filter_map(|(_, value)| match value.op {
            Op::Query(_, dimension) => Some(dimension + 1),
            _ => None,
        });
        let required = self.attributes.group_size.map_or(1, |size| match size {
            [_, 1, 1] => 1,
            [_, _, 1] => 2,
            _ => 3,
        });
        queries.max().unwrap_or(1).max(required)
    }

    /// Whether it can tell how a launch divides its work-items into groups and subgroups, or how many there are; where it cannot, any division does.
    #[must_use]
    pub fn depends_on_groups(&self) -> bool {
        let Attributes { group_size, subgroup_size, .. } = self.attributes;
        let asks = |value: &Value| matches!(value.op, Op::Query(query, _) if query != Query::GlobalId);
        let shares = |parameter: &Parameter| {
            matches!(self.types[parameter.ty], Type::Slice { space: Space::Local, .. })
        };
        group_size.is_some()
            || subgroup_size.is_some()
            || !self.locals.is_empty()
            // What the functions of other modules do is not known.
            || !self.imports.is_empty()
            || self.parameters.iter().any(shares)
            || self.values.iter().any(|(_, value)| asks(value))
            || self.body.has_convergent(&self.values)
    }

    /// The most subgroups that a work-group has. In several dimensions devices may let each row start with a new one.
    #[must_use]
    pub fn most_subgroups(&self) -> u32 {
        let least = self.attributes.subgroup_size.unwrap_or(MIN_SUBGROUP_SIZE).max(1);
        match self.attributes.group_size {
            Some([width, height, depth]) => {
                width.div_ceil(least).saturating_mul(height).saturating_mul(depth)
            }
            None if self.rank() == 1 => MAX_WORK_GROUP_SIZE.div_ceil(least),
            None => MAX_WORK_GROUP_SIZE,
        }
    }

    /// The scalar type behind a handle, if it is one.
    #[must_use]
    pub fn scalar(&self, ty: Handle<Type>) -> Option<Scalar> {
        match self.types[ty] {
            Type::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }
}
