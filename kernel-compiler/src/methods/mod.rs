//! The methods of the scalars, one row each.
//!
//! A row says for which receivers the method exists, the types of its arguments and of its result, and how it is
//! lowered. Its meaning is that of the method of the same name in Rust's standard library.

pub mod absent;
mod float;
mod function;
mod half;
mod integer;
mod number;
mod row;

use crate::ir::{Class, Handle, Math, Value};
use crate::lower::Builder;
use crate::typed::Ty;
use kernel_core::Scalar;
use std::fmt;

/// A method of a scalar, or a function that is called by the name of its type.
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// The types that have it.
    pub receiver: Receiver,
    /// Whether it takes no `self`, such as `f32::from_bits`.
    pub is_associated: bool,
    /// The types of its arguments, but for `self`.
    pub arguments: &'static [Kind],
    /// The type of the result.
    pub result: Outcome,
    /// What it becomes.
    pub lowering: Lowering,
}

/// A set of scalar types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// The floating-point types.
    Float,
    /// `f32` and `f64`.
    Primitive,
    /// `f16` and `bf16`.
    Half,
    /// The integers.
    Integer,
    /// The signed integers.
    Signed,
    /// The unsigned integers.
    Unsigned,
    /// `u8`.
    Byte,
    /// `i32` and `u32`.
    Word,
    /// The numbers of 16 and of 32 bits that Rust and SPIR-V both have.
    Block,
    /// `f32`.
    Single,
    /// All but `bool`.
    Number,
    /// The integers and `bool`.
    Bits,
    /// All.
    Scalar,
}

/// The type of an argument or result, relative to the receiver's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The receiver's own.
    Same,
    /// A type of its own.
    Scalar(Scalar),
    /// The unsigned integer with the size of the receiver.
    Unsigned,
    /// The signed integer with the size of the receiver.
    Signed,
}

/// What a method gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A scalar.
    One(Kind),
    /// Two scalars.
    Pair([Kind; 2]),
    /// A scalar, perhaps.
    Optional(Kind),
}

/// A function that lowers a method to one value.
pub type One = fn(&mut Builder<'_, '_>, &[Handle<Value>]) -> Handle<Value>;

/// A function that lowers a method to two values.
pub type Two = fn(&mut Builder<'_, '_>, &[Handle<Value>]) -> [Handle<Value>; 2];

/// How a method is lowered.
#[derive(Clone, Copy)]
pub enum Lowering {
    /// To one mathematical function of all arguments.
    Math(Math),
    /// To a test of the class of a float.
    Classify(Class),
    /// To the cast of the only argument to the type of the result.
    Cast,
    /// To the bits of the only argument as the type of the result.
    Bitcast,
    /// To what a function builds of the arguments.
    With(One),
    /// To the two values that a function builds of the arguments.
    Pair(Two),
    /// To whether there is a result, and to what it is then.
    Optional(Two),
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Receiver {
    /// Returns whether a scalar is in the set.
    #[must_use]
    pub fn contains(self, scalar: Scalar) -> bool {
        match self {
            Self::Float => scalar.is_float(),
            Self::Primitive => scalar.is_primitive_float(),
            Self::Half => scalar.is_half(),
            Self::Integer => scalar.is_integer(),
            Self::Signed => scalar.is_signed(),
            Self::Unsigned => scalar.is_integer() && !scalar.is_signed(),
            Self::Byte => scalar == Scalar::U8,
            Self::Word => matches!(scalar, Scalar::I32 | Scalar::U32),
            Self::Block => matches!(
                scalar,
                Scalar::I16 | Scalar::U16 | Scalar::F16 | Scalar::I32 | Scalar::U32 | Scalar::F32
            ),
            Self::Single => scalar == Scalar::F32,
            Self::Number => scalar != Scalar::Bool,
            Self::Bits => !scalar.is_float(),
            Self::Scalar => true,
        }
    }
}

impl Kind {
    /// The scalar that this is for a receiver.
    #[must_use]
    pub fn of(self, receiver: Scalar) -> Scalar {
        match self {
            Self::Same => receiver,
            Self::Scalar(scalar) => scalar,
            Self::Unsigned => unsigned(receiver),
            Self::Signed => signed(receiver),
        }
    }
}

impl Outcome {
    /// The type that this is for a receiver.
    #[must_use]
    pub fn of(self, receiver: Scalar) -> Ty {
        self.with(|kind| Ty::Scalar(kind.of(receiver)))
    }

    /// The type that this is, given what each scalar in it is.
    #[must_use]
    pub fn with(self, ty: impl Fn(Kind) -> Ty) -> Ty {
        match self {
            Self::One(kind) => ty(kind),
            Self::Pair(kinds) => Ty::Tuple(kinds.map(ty).into()),
            Self::Optional(kind) => Ty::option(ty(kind)),
        }
    }
}

/// The unsigned integer with the size of a scalar.
pub(crate) fn unsigned(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::Usize | Scalar::Isize => Scalar::Usize,
        other => match other.size() {
            1 => Scalar::U8,
            2 => Scalar::U16,
            4 => Scalar::U32,
            _ => Scalar::U64,
        },
    }
}

/// The signed integer with the size of a scalar.
pub(crate) fn signed(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::Usize | Scalar::Isize => Scalar::Isize,
        other => match other.size() {
            1 => Scalar::I8,
            2 => Scalar::I16,
            4 => Scalar::I32,
            _ => Scalar::I64,
        },
    }
}

/// The tables of all methods.
const TABLES: &[&[Method]] = &[
    float::METHODS,
    half::METHODS,
    number::METHODS,
    integer::METHODS,
    integer::ascii::METHODS,
    integer::bits::METHODS,
    integer::carry::METHODS,
    integer::division::METHODS,
    integer::logarithm::METHODS,
    integer::mixed::METHODS,
    integer::overflow::METHODS,
    integer::powers::METHODS,
];

/// The methods of a scalar and the functions that are called by its name.
pub fn of(scalar: Scalar) -> impl Iterator<Item = &'static Method> {
    TABLES.iter().copied().flatten().filter(move |method| method.receiver.contains(scalar))
}

/// The method or function of a scalar with this name.
#[must_use]
pub fn find(scalar: Scalar, name: &str) -> Option<&'static Method> {
    of(scalar).find(|method| method.name == name)
}

/// The function of `kernel_core::math` with this name.
#[must_use]
pub fn function(name: &str) -> Option<&'static Method> {
    function::FUNCTIONS.iter().find(|function| function.name == name)
}

/// The functions of `kernel_core::math`.
pub fn functions() -> impl Iterator<Item = &'static Method> {
    function::FUNCTIONS.iter()
}
