//! Types as inference sees them.

use super::{Access, Marker};
use crate::chain::Id;
use crate::ir::Numeric;
use kernel_core::{ImageShape, Scalar};
use std::fmt;
use std::rc::Rc;
use std::slice;

/// A type, perhaps not known yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// A scalar.
    Scalar(Scalar),
    /// An atomic, such as `AtomicU32`, by the type of its values.
    Atomic(Scalar),
    /// `()`.
    Unit,
    /// A tuple of one element or more.
    Tuple(Rc<[Ty]>),
    /// A struct or an enum.
    Nominal(Rc<Nominal>),
    /// A reference to something that is no slice.
    Reference {
        /// What it refers to.
        to: Rc<Ty>,
        /// Whether it is `&mut`.
        mutable: bool,
    },
    /// `*const T` or `*mut T`.
    Pointer {
        /// `T`.
        to: Rc<Ty>,
        /// Whether it is `*mut`.
        mutable: bool,
    },
    /// `!`, the type of what does not come back.
    Never,
    /// `[T; N]`; the length is a [`Ty::Constant`] once it is known.
    Array(Rc<Ty>, Rc<Ty>),
    /// `Vector<T, N>`, such as `f32x4`; the number of lanes is a [`Ty::Constant`] once it is known.
    Vector(Rc<Ty>, Rc<Ty>),
    /// `&[T]` or `&mut [T]`.
    Slice {
        /// `T`.
        element: Rc<Ty>,
        /// Whether it is `&mut`.
        mutable: bool,
    },
    /// `[T]`, which is only what a generic parameter or `Self` stands for: a reference to it is a [`Ty::Slice`].
    Elements(Rc<Ty>),
    /// `Local<T>`.
    Local(Rc<Ty>),
    /// An image.
    Image {
        /// Its dimensions.
        shape: ImageShape,
        /// The type of its channels.
        channel: Rc<Ty>,
        /// What may be done with it, a [`Ty::Marker`].
        access: Rc<Ty>,
    },
    /// `Sampler<F, C>`; both are [`Ty::Marker`]s.
    Sampler(Rc<Ty>, Rc<Ty>),
    /// A type without values that says something of an image or a sampler.
    Marker(Marker),
    /// A range of numbers.
    Range(Rc<Ty>, RangeForm),
    /// An iterator.
    Iterator {
        /// The type of its items.
        item: Rc<Ty>,
        /// How its items can be had.
        access: Access,
    },
    /// A closure; each has a type of its own.
    Closure(Rc<ClosureType>),
    /// `fn(A) -> R`: one of several functions, by the types of the parameters and of the result.
    Function(Rc<[Ty]>),
    /// A number that stands where a type can: the length of an array, an argument for `const N: usize`. Those of `u64` are wrapped.
    Constant(i64),
    /// A number that the host sets when it launches a kernel, by its position and its name; an argument of generic functions only.
    Specialized(u32, Rc<str>),
    /// A generic parameter, by its position, in a signature or a definition.
    Parameter(u32, Rc<str>),
    /// An associated type of a type that is not known yet.
    Projection(Rc<Projection>),
    /// A type to be inferred.
    Variable(u32, VariableKind),
    /// The type of what has an error that has been reported; it goes with every other type.
    Error,
}

/// Which ends a range has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

/// A struct or an enum with its generic arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Nominal {
    /// Which it is.
    pub id: Id,
    /// Its name, for messages.
    pub name: Rc<str>,
    /// Its generic arguments.
    pub arguments: Vec<Ty>,
    /// Whether it has a lifetime parameter, and so a field that is a reference.
    pub borrows: bool,
}

/// The type of a closure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClosureType {
    /// Which closure it is.
    pub id: u32,
    /// The types of its parameters, and that of its result.
    pub signature: Vec<Ty>,
}

/// An associated type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Projection {
    /// The type that it belongs to.
    pub of: Ty,
    /// Its name.
    pub name: Rc<str>,
    /// The trait that it is of, if that is known, by a name that no other trait has.
    pub of_trait: Option<Rc<str>>,
    /// The arguments of that trait, as far as they are known, and then those of the type itself.
    pub arguments: Vec<Ty>,
}

/// What is known of a type that is still to be inferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableKind {
    /// Nothing.
    Any,
    /// It is the type of an integer literal.
    Integer,
    /// It is the type of a float literal.
    Float,
}

/// The types that a type is made of, in their order.
pub struct Parts<'t> {
    first: Option<&'t Ty>,
    second: Option<&'t Ty>,
    rest: slice::Iter<'t, Ty>,
}

impl<'t> Iterator for Parts<'t> {
    type Item = &'t Ty;

    fn next(&mut self) -> Option<&'t Ty> {
        self.first.take().or_else(|| self.second.take()).or_else(|| self.rest.next())
    }
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

    /// The length of an array that this is, or that local memory or a reference leads to, once it is known.
    #[must_use]
    pub fn array_len(&self) -> Option<u32> {
        match self {
            Self::Array(_, len) => len.length(),
            Self::Local(inner) | Self::Reference { to: inner, .. } => inner.array_len(),
            _ => None,
        }
    }

    /// The length that this constant is.
    #[must_use]
    pub fn length(&self) -> Option<u32> {
        match self {
            Self::Constant(value) => u32::try_from(*value).ok(),
            _ => None,
        }
    }

    /// The type of the elements of what can be indexed.
    #[must_use]
    pub fn element(&self) -> Option<&Ty> {
        match self {
            Self::Slice { element, .. } | Self::Array(element, _) | Self::Vector(element, _) => Some(element),
            Self::Local(inner) | Self::Reference { to: inner, .. } => inner.element(),
            _ => None,
        }
    }

    /// A reference, which may be a slice.
    #[must_use]
    pub fn reference(to: Ty, mutable: bool) -> Self {
        match to {
            Self::Elements(element) => Self::Slice { element, mutable },
            to => Self::Reference { to: Rc::new(to), mutable },
        }
    }

    /// What a reference or a slice refers to, and whether it is `&mut`.
    #[must_use]
    pub fn referent(&self) -> Option<(Ty, bool)> {
        match self {
            Self::Reference { to, mutable } => Some(((**to).clone(), *mutable)),
            Self::Slice { element, mutable } => Some((Self::Elements(element.clone()), *mutable)),
            _ => None,
        }
    }

    /// The tuple of these types.
    #[must_use]
    pub fn tuple(elements: Vec<Ty>) -> Self {
        if elements.is_empty() { Self::Unit } else { Self::Tuple(elements.into()) }
    }

    /// An array of a known length.
    #[must_use]
    pub fn array(element: Ty, len: u32) -> Self {
        Self::Array(Rc::new(element), Rc::new(Self::Constant(len.into())))
    }

    /// A vector of so many lanes.
    #[must_use]
    pub fn vector(element: Ty, lanes: u32) -> Self {
        Self::Vector(Rc::new(element), Rc::new(Self::Constant(lanes.into())))
    }

    /// The scalar of each lane and their number, if this is a scalar or a vector that is known.
    #[must_use]
    pub fn numeric(&self) -> Option<Numeric> {
        match self {
            Self::Scalar(scalar) => Some((*scalar).into()),
            Self::Vector(element, lanes) => {
                Some(Numeric { scalar: element.scalar()?, lanes: lanes.length()? })
            }
            _ => None,
        }
    }

    /// The types that this one is made of.
    pub fn parts(&self) -> Parts<'_> {
        let (first, second, rest): (Option<&Ty>, Option<&Ty>, &[Ty]) = match self {
            Self::Reference { to: inner, .. }
            | Self::Pointer { to: inner, .. }
            | Self::Slice { element: inner, .. }
            | Self::Range(inner, _)
            | Self::Iterator { item: inner, .. }
            | Self::Elements(inner)
            | Self::Local(inner) => (Some(&**inner), None, &[]),
            Self::Array(one, other)
            | Self::Vector(one, other)
            | Self::Sampler(one, other)
            | Self::Image { channel: one, access: other, .. } => (Some(&**one), Some(&**other), &[]),
            Self::Projection(projection) => (Some(&projection.of), None, &projection.arguments),
            Self::Tuple(elements) | Self::Function(elements) => (None, None, elements),
            Self::Nominal(nominal) => (None, None, &nominal.arguments),
            Self::Closure(closure) => (None, None, &closure.signature),
            _ => (None, None, &[]),
        };
        Parts { first, second, rest: rest.iter() }
    }

    /// The type with another one for each that it is made of.
    #[must_use]
    pub fn map_parts(&self, map: &mut dyn FnMut(&Ty) -> Ty) -> Self {
        match self {
            Self::Reference { to, mutable } => Self::reference(map(to), *mutable),
            Self::Pointer { to, mutable } => Self::Pointer { to: Rc::new(map(to)), mutable: *mutable },
            Self::Slice { element, mutable } => {
                Self::Slice { element: Rc::new(map(element)), mutable: *mutable }
            }
            Self::Elements(element) => Self::Elements(Rc::new(map(element))),
            Self::Local(inner) => Self::Local(Rc::new(map(inner))),
            Self::Range(number, form) => Self::Range(Rc::new(map(number)), *form),
            Self::Iterator { item, access } => Self::Iterator { item: Rc::new(map(item)), access: *access },
            Self::Projection(projection) => {
                let (of, arguments) = (map(&projection.of), projection.arguments.iter().map(map).collect());
                Self::Projection(Rc::new(Projection { of, arguments, ..(**projection).clone() }))
            }
            Self::Array(element, len) => Self::Array(Rc::new(map(element)), Rc::new(map(len))),
            Self::Vector(element, lanes) => Self::Vector(Rc::new(map(element)), Rc::new(map(lanes))),
            Self::Image { shape, channel, access } => {
                Self::Image { shape: *shape, channel: Rc::new(map(channel)), access: Rc::new(map(access)) }
            }
            Self::Sampler(filter, coordinates) => {
                Self::Sampler(Rc::new(map(filter)), Rc::new(map(coordinates)))
            }
            Self::Tuple(elements) => Self::Tuple(elements.iter().map(map).collect()),
            Self::Function(signature) => Self::Function(signature.iter().map(map).collect()),
            Self::Closure(closure) => {
                let signature = closure.signature.iter().map(map).collect();
                Self::Closure(Rc::new(ClosureType { id: closure.id, signature }))
            }
            Self::Nominal(nominal) if !nominal.arguments.is_empty() => {
                let arguments = nominal.arguments.iter().map(map).collect();
                Self::Nominal(Rc::new(Nominal { arguments, ..(**nominal).clone() }))
            }
            other => other.clone(),
        }
    }

    /// The type with these arguments for its generic parameters.
    #[must_use]
    pub fn substitute(&self, arguments: &[Ty]) -> Self {
        match self {
            Self::Parameter(position, _) => match arguments.get(*position as usize) {
                Some(argument) => argument.clone(),
                None => self.clone(),
            },
            other => other.map_parts(&mut |part| part.substitute(arguments)),
        }
    }

    /// Returns whether there is an error in the type, which has been reported.
    #[must_use]
    pub fn has_error(&self) -> bool {
        *self == Self::Error || self.parts().any(Self::has_error)
    }

    /// Returns whether it is an atomic, or an array of such.
    #[must_use]
    pub fn is_atomic(&self) -> bool {
        match self {
            Self::Atomic(_) => true,
            Self::Array(element, _) => element.is_atomic(),
            _ => false,
        }
    }

    /// Returns whether there is a generic parameter in the type.
    #[must_use]
    pub fn has_parameter(&self) -> bool {
        matches!(self, Self::Parameter(..)) || self.parts().any(Self::has_parameter)
    }

    /// The name of a number in the type that is only known when the kernel is launched.
    #[must_use]
    pub fn specialized(&self) -> Option<&Rc<str>> {
        match self {
            Self::Specialized(_, name) => Some(name),
            other => other.parts().find_map(Self::specialized),
        }
    }

    /// Returns whether there is an associated type in the type.
    #[must_use]
    pub fn has_projection(&self) -> bool {
        matches!(self, Self::Projection(_)) || self.parts().any(Self::has_projection)
    }

    /// Returns whether there is a reference in the type.
    #[must_use]
    pub fn has_reference(&self) -> bool {
        match self {
            Self::Reference { .. } | Self::Slice { .. } => true,
            Self::Function(_) => false,
            other => other.parts().any(Self::has_reference),
        }
    }

    /// Returns whether it may be known only to a running kernel which value of this type a variable has: it can be stored, but for references, of which
    /// it is enough to know what they may refer to.
    #[must_use]
    pub fn can_vary(&self) -> bool {
        match self {
            Self::Slice { element, .. } => element.can_vary() || element.is_atomic(),
            Self::Reference { to, mutable: true } => to.can_vary(),
            Self::Reference { to, .. } if to.is_atomic() => true,
            Self::Array(element, _) => element.can_vary(),
            // A variable keeps the slices that it goes over, and positions.
            Self::Iterator { item, access: Access::Elements } => item.can_vary(),
            // What is in one that borrows is not known here.
            other @ (Self::Nominal(_) | Self::Tuple(_) | Self::Reference { .. }) => {
                other.parts().all(Self::can_vary)
            }
            other => other.is_storable(),
        }
    }

    /// Returns whether values of this type can be kept in variables: there is no iterator, closure or slice in it, and no reference that can be
    /// stored through. For a shared reference, what it refers to can be kept.
    #[must_use]
    pub fn is_storable(&self) -> bool {
        match self {
            Self::Slice { .. }
            | Self::Elements(_)
            | Self::Local(_)
            | Self::Atomic(_)
            | Self::Reference { mutable: true, .. }
            | Self::Iterator { .. }
            | Self::Image { .. }
            | Self::Sampler(..)
            | Self::Closure(_) => false,
            Self::Nominal(nominal) if nominal.borrows => false,
            Self::Function(_) => true,
            other => other.parts().all(Self::is_storable),
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(scalar) => scalar.fmt(f),
            Self::Atomic(scalar) => f.write_str(crate::names::atomic_name(*scalar)),
            Self::Unit => f.write_str("()"),
            Self::Never => f.write_str("!"),
            Self::Tuple(elements) => {
                f.write_str("(")?;
                list(f, elements)?;
                f.write_str(if elements.len() == 1 { ",)" } else { ")" })
            }
            Self::Nominal(nominal) => {
                f.write_str(&nominal.name)?;
                if nominal.arguments.is_empty() {
                    return Ok(());
                }
                f.write_str("<")?;
                list(f, &nominal.arguments)?;
                f.write_str(">")
            }
            Self::Reference { to, mutable } => write!(f, "&{}{to}", if *mutable { "mut " } else { "" }),
            Self::Pointer { to, mutable } => write!(f, "*{} {to}", if *mutable { "mut" } else { "const" }),
            Self::Array(element, len) => write!(f, "[{element}; {len}]"),
            Self::Vector(element, lanes) => match self.numeric() {
                Some(known) => known.fmt(f),
                None => write!(f, "Vector<{element}, {lanes}>"),
            },
            Self::Slice { element, mutable: false } => write!(f, "&[{element}]"),
            Self::Slice { element, mutable: true } => write!(f, "&mut [{element}]"),
            Self::Elements(element) => write!(f, "[{element}]"),
            Self::Local(inner) => write!(f, "Local<{inner}>"),
            Self::Image { shape, channel, access } => {
                let read_only = **access == Self::Marker(Marker::Access(kernel_core::ImageAccess::ReadOnly));
                match (shape.is_depth(), read_only) {
                    (true, true) => f.write_str(shape.name()),
                    (true, false) => write!(f, "{}<{access}>", shape.name()),
                    (false, true) => write!(f, "{}<{channel}>", shape.name()),
                    (false, false) => write!(f, "{}<{channel}, {access}>", shape.name()),
                }
            }
            Self::Sampler(filter, coordinates) => write!(f, "Sampler<{filter}, {coordinates}>"),
            Self::Marker(marker) => marker.fmt(f),
            Self::Range(_, RangeForm::Full) => f.write_str("RangeFull"),
            Self::Iterator { item, .. } => write!(f, "impl Iterator<Item = {item}>"),
            Self::Range(number, form) => write!(f, "{}<{number}>", form.name()),
            Self::Closure(closure) => {
                f.write_str("closure(")?;
                let (result, parameters) = closure.signature.split_last().unwrap_or((&Self::Unit, &[]));
                list(f, parameters)?;
                write!(f, ") -> {result}")
            }
            Self::Function(signature) => {
                f.write_str("fn(")?;
                let (result, parameters) = signature.split_last().unwrap_or((&Self::Unit, &[]));
                list(f, parameters)?;
                write!(f, ") -> {result}")
            }
            Self::Constant(value) => value.fmt(f),
            Self::Parameter(_, name) | Self::Specialized(_, name) => f.write_str(name),
            Self::Projection(projection) => write!(f, "{}::{}", projection.of, projection.name),
            Self::Variable(_, VariableKind::Any) | Self::Error => f.write_str("_"),
            Self::Variable(_, VariableKind::Integer) => f.write_str("{integer}"),
            Self::Variable(_, VariableKind::Float) => f.write_str("{float}"),
        }
    }
}

/// Types with commas between them.
fn list(f: &mut fmt::Formatter<'_>, types: &[Ty]) -> fmt::Result {
    for (index, ty) in types.iter().enumerate() {
        write!(f, "{}{ty}", if index == 0 { "" } else { ", " })?;
    }
    Ok(())
}
