//! The methods of the scalars, one row each.
//!
//! A row says for which receivers the method exists, the types of its arguments and of its result, and how it is
//! lowered. Its meaning is that of the method of the same name in Rust's standard library.

pub mod absent;
mod float;
mod half;
mod integer;

use crate::ir::{Class, Handle, Math, Value};
use crate::lower::Builder;
use kernel_core::Scalar;
use std::fmt;

/// A method of a scalar.
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// The receivers that have it.
    pub receiver: Receiver,
    /// The types of the other arguments.
    pub arguments: &'static [Kind],
    /// The type of the result.
    pub result: Kind,
    /// What it becomes.
    pub lowering: Lowering,
}

/// A set of scalar types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// The floating-point types.
    Float,
    /// The integers.
    Integer,
    /// The signed integers.
    Signed,
    /// The unsigned integers.
    Unsigned,
    /// `u32`, as the argument of `f32::from_bits`; `u64` for `f64`.
    Bits,
    /// `f16` and `bf16`.
    Half,
    /// What an `f16` or `bf16` is made of, as the argument of `f16::from_f32`.
    OfHalf,
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
}

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
    With(fn(&mut Builder<'_, '_>, &[Handle<Value>]) -> Handle<Value>),
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Receiver {
    /// Whether the methods are functions of the type that take no `self`.
    fn is_associated(self) -> bool {
        matches!(self, Self::Bits | Self::OfHalf)
    }

    /// Whether a scalar is in the set.
    #[must_use]
    pub fn contains(self, scalar: Scalar) -> bool {
        match self {
            Self::Float | Self::Bits => scalar.is_float(),
            Self::Integer => scalar.is_integer(),
            Self::Signed => scalar.is_signed(),
            Self::Unsigned => scalar.is_integer() && !scalar.is_signed(),
            Self::Half | Self::OfHalf => scalar.is_half(),
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

/// The methods of a scalar.
pub fn of(scalar: Scalar) -> impl Iterator<Item = &'static Method> {
    all().filter(move |method| !method.receiver.is_associated() && method.receiver.contains(scalar))
}

fn all() -> impl Iterator<Item = &'static Method> {
    [float::METHODS, half::METHODS, integer::METHODS].into_iter().flatten()
}

/// The method of a scalar with this name.
#[must_use]
pub fn find(scalar: Scalar, name: &str) -> Option<&'static Method> {
    of(scalar).find(|method| method.name == name)
}

/// The function `scalar::name` that takes no `self`, such as `f32::from_bits`.
#[must_use]
pub fn find_associated(scalar: Scalar, name: &str) -> Option<&'static Method> {
    all().find(|method| {
        method.receiver.is_associated() && method.receiver.contains(scalar) && method.name == name
    })
}

const fn method(
    name: &'static str,
    receiver: Receiver,
    arguments: &'static [Kind],
    result: Kind,
    lowering: Lowering,
) -> Method {
    Method { name, receiver, arguments, result, lowering }
}
