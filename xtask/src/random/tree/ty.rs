//! Types of values.

use super::nominal::{Enum, Struct};
use kernel_compiler::typed::Ty;
use kernel_core::Scalar;
use std::fmt;
use std::sync::Arc;

/// The type of a value that can be kept in a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::random) enum Type {
    /// A scalar.
    Scalar(Scalar),
    /// A tuple of one element or more.
    Tuple(Vec<Type>),
    /// An array of a length that is not zero.
    Array(Box<Type>, usize),
    /// A vector of so many lanes.
    Vector(Scalar, usize),
    /// `f16`.
    Half,
    /// A struct.
    Struct(Arc<Struct>),
    /// An enum.
    Enum(Arc<Enum>),
    /// `()`, of statements whose value is dropped.
    Unit,
}

impl Type {
    pub(in crate::random) const BOOL: Self = Self::Scalar(Scalar::Bool);
    pub(in crate::random) const USIZE: Self = Self::Scalar(Scalar::Usize);

    /// The scalar that this is, if it is one.
    pub(in crate::random) fn scalar(&self) -> Option<Scalar> {
        match self {
            Self::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// Returns whether this is a type as the compiler knows it.
    pub(in crate::random) fn is(&self, ty: &Ty) -> bool {
        match (self, ty) {
            (Self::Scalar(scalar), Ty::Scalar(other)) => scalar == other,
            (Self::Tuple(elements), Ty::Tuple(others)) => {
                elements.len() == others.len()
                    && elements.iter().zip(&others[..]).all(|(element, other)| element.is(other))
            }
            _ => false,
        }
    }

    /// Returns whether this is the other type or has a part of it.
    pub(in crate::random) fn contains(&self, part: &Type) -> bool {
        self == part
            || match self {
                // What an enum holds is found by patterns alone.
                Self::Scalar(_) | Self::Half | Self::Unit | Self::Enum(_) => false,
                Self::Vector(scalar, _) => *part == Self::Scalar(*scalar),
                Self::Tuple(elements) => elements.iter().any(|element| element.contains(part)),
                Self::Struct(of) => of.body.types().any(|field| field.contains(part)),
                Self::Array(element, _) => element.contains(part),
            }
    }

    /// Calls a function with this type and those of all its parts.
    pub(in crate::random) fn parts(&self, found: &mut dyn FnMut(&Self)) {
        found(self);
        match self {
            Self::Scalar(_) | Self::Vector(..) | Self::Half | Self::Unit | Self::Enum(_) => {}
            Self::Tuple(elements) => elements.iter().for_each(|element| element.parts(found)),
            Self::Struct(of) => of.body.types().for_each(|field| field.parts(found)),
            Self::Array(element, _) => element.parts(found),
        }
    }

    /// How many scalars a value has, in an enum those of all variants.
    pub(in crate::random) fn size(&self) -> usize {
        match self {
            Self::Scalar(_) | Self::Half => 1,
            Self::Vector(_, lanes) => *lanes,
            Self::Unit => 0,
            Self::Tuple(elements) => elements.iter().map(Self::size).sum(),
            Self::Array(element, len) => element.size() * len,
            Self::Struct(of) => of.body.size(),
            Self::Enum(of) => 1 + of.variants.iter().map(|variant| variant.body.size()).sum::<usize>(),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(scalar) => scalar.fmt(f),
            Self::Vector(scalar, lanes) => write!(f, "{scalar}x{lanes}"),
            Self::Half => f.write_str("f16"),
            Self::Struct(of) => of.fmt(f),
            Self::Enum(of) => of.fmt(f),
            Self::Unit => f.write_str("()"),
            Self::Tuple(elements) => {
                f.write_str("(")?;
                elements.iter().try_for_each(|element| write!(f, "{element}, "))?;
                f.write_str(")")
            }
            Self::Array(element, len) => write!(f, "[{element}; {len}]"),
        }
    }
}
