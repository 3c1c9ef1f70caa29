//! Types as inference sees them.

use kernel_core::Scalar;
use std::fmt;
use std::rc::Rc;

/// A type, perhaps not known yet.
#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    /// A scalar.
    Scalar(Scalar),
    /// `()`.
    Unit,
    /// A tuple of one element or more.
    Tuple(Rc<[Ty]>),
    /// A reference to something that is no slice.
    Reference {
        /// What it refers to.
        to: Rc<Ty>,
        /// Whether it is `&mut`.
        mutable: bool,
    },
    /// `!`, the type of what does not come back.
    Never,
    /// `[T; N]`.
    Array(Rc<Ty>, u32),
    /// `&[T]` or `&mut [T]`.
    Slice {
        /// `T`.
        element: Rc<Ty>,
        /// Whether it is `&mut`.
        mutable: bool,
    },
    /// `Local<T>`.
    Local(Rc<Ty>),
    /// A range of numbers.
    Range(Rc<Ty>, RangeForm),
    /// An iterator.
    Iterator {
        /// The type of its items.
        item: Rc<Ty>,
        /// Whether each item can be had by its position, without those before it.
        is_sequence: bool,
    },
    /// A type to be inferred.
    Variable(u32, VariableKind),
    /// The type of what has an error that has been reported; it goes with every other type.
    Error,
}

/// Which ends a range has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeForm {
    /// `..`
    Full,
    /// `a..`
    From,
    /// `..b`
    To,
    /// `..=b`
    ToInclusive,
    /// `a..b`
    HalfOpen,
    /// `a..=b`
    Closed,
}

impl RangeForm {
    /// How many ends it has.
    #[must_use]
    pub const fn ends(self) -> usize {
        match self {
            Self::Full => 0,
            Self::From | Self::To | Self::ToInclusive => 1,
            Self::HalfOpen | Self::Closed => 2,
        }
    }

    /// The position among its ends of the one that a field names; inclusive ranges have no fields.
    #[must_use]
    pub fn position(self, field: &syn::Member) -> Option<usize> {
        let syn::Member::Named(name) = field else { return None };
        match (self, name.to_string().as_str()) {
            (Self::From | Self::HalfOpen, "start") | (Self::To | Self::ToInclusive, "end") => Some(0),
            (Self::HalfOpen, "end") => Some(1),
            _ => None,
        }
    }

    /// The name of the type in the standard library.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "RangeFull",
            Self::From => "RangeFrom",
            Self::To => "RangeTo",
            Self::ToInclusive => "RangeToInclusive",
            Self::HalfOpen => "Range",
            Self::Closed => "RangeInclusive",
        }
    }
}

/// What is known of a type that is still to be inferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableKind {
    /// Nothing.
    Any,
    /// It is the type of an integer literal.
    Integer,
    /// It is the type of a float literal.
    Float,
}

impl Ty {
    /// `usize`.
    pub const USIZE: Self = Self::Scalar(Scalar::Usize);
    /// `bool`.
    pub const BOOL: Self = Self::Scalar(Scalar::Bool);

    /// The scalar that this is, if it is one that is known.
    #[must_use]
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Self::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// The array type in this one, if it is an array, or local memory or a reference that leads to one.
    #[must_use]
    pub fn array(&self) -> Option<(&Rc<Ty>, u32)> {
        match self {
            Self::Array(element, len) => Some((element, *len)),
            Self::Local(inner) | Self::Reference { to: inner, .. } => inner.array(),
            _ => None,
        }
    }

    /// The type of the elements of what can be indexed.
    #[must_use]
    pub fn element(&self) -> Option<&Ty> {
        match self {
            Self::Slice { element, .. } => Some(element),
            other => other.array().map(|(element, _)| &**element),
        }
    }
}

impl Ty {
    /// The tuple of these types.
    #[must_use]
    pub fn tuple(elements: Vec<Ty>) -> Self {
        if elements.is_empty() { Self::Unit } else { Self::Tuple(elements.into()) }
    }

    /// Whether there is an error in the type, which has been reported.
    #[must_use]
    pub fn has_error(&self) -> bool {
        match self {
            Self::Error => true,
            Self::Slice { element: inner, .. }
            | Self::Reference { to: inner, .. }
            | Self::Array(inner, _)
            | Self::Range(inner, _)
            | Self::Iterator { item: inner, .. }
            | Self::Local(inner) => inner.has_error(),
            Self::Tuple(elements) => elements.iter().any(Self::has_error),
            _ => false,
        }
    }

    /// Whether values of this type can be kept in variables: there is no reference or iterator in it.
    #[must_use]
    pub fn is_storable(&self) -> bool {
        match self {
            Self::Slice { .. } | Self::Local(_) | Self::Reference { .. } | Self::Iterator { .. } => false,
            Self::Tuple(elements) => elements.iter().all(Self::is_storable),
            Self::Array(element, _) => element.is_storable(),
            _ => true,
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(scalar) => scalar.fmt(f),
            Self::Unit => f.write_str("()"),
            Self::Never => f.write_str("!"),
            Self::Tuple(elements) => {
                f.write_str("(")?;
                for (index, element) in elements.iter().enumerate() {
                    write!(f, "{}{element}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str(if elements.len() == 1 { ",)" } else { ")" })
            }
            Self::Reference { to, mutable } => write!(f, "&{}{to}", if *mutable { "mut " } else { "" }),
            Self::Array(element, len) => write!(f, "[{element}; {len}]"),
            Self::Slice { element, mutable: false } => write!(f, "&[{element}]"),
            Self::Slice { element, mutable: true } => write!(f, "&mut [{element}]"),
            Self::Local(inner) => write!(f, "Local<{inner}>"),
            Self::Range(_, RangeForm::Full) => f.write_str("RangeFull"),
            Self::Iterator { item, .. } => write!(f, "impl Iterator<Item = {item}>"),
            Self::Range(number, form) => write!(f, "{}<{number}>", form.name()),
            Self::Variable(_, VariableKind::Any) | Self::Error => f.write_str("_"),
            Self::Variable(_, VariableKind::Integer) => f.write_str("{integer}"),
            Self::Variable(_, VariableKind::Float) => f.write_str("{float}"),
        }
    }
}
