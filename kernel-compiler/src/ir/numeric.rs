//! What is computed with: scalars and vectors of them.

use super::{Arena, Handle, Module, Type};
use kernel_core::Scalar;
use std::fmt;

/// A scalar type or a vector type, by its lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Numeric {
    /// The type of a lane.
    pub scalar: Scalar,
    /// How many; 1 for a scalar.
    pub lanes: u32,
}

impl Numeric {
    /// As many lanes of another type.
    #[must_use]
    pub fn of(self, scalar: Scalar) -> Self {
        Self { scalar, ..self }
    }

    /// The type that is displayed so.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Scalar::ALL.into_iter().find_map(|scalar| match name.strip_prefix(scalar.name())? {
            "" => Some(scalar.into()),
            rest => {
                let lanes = rest.strip_prefix('x')?;
                let is_number = !lanes.starts_with('0') && lanes.bytes().all(|digit| digit.is_ascii_digit());
                let lanes = lanes.parse().ok().filter(|lanes| is_number && *lanes > 1)?;
                Some(Self { scalar, lanes })
            }
        })
    }

    /// The type of a single lane.
    #[must_use]
    pub fn lane(self) -> Self {
        Self { lanes: 1, ..self }
    }
}

impl fmt::Display for Numeric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.lanes {
            1 => self.scalar.fmt(f),
            lanes => write!(f, "{}x{lanes}", self.scalar),
        }
    }
}

impl fmt::Debug for Numeric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Scalar> for Numeric {
    fn from(scalar: Scalar) -> Self {
        Self { scalar, lanes: 1 }
    }
}

impl Arena<Type> {
    /// The scalar or vector that a type is, if it is one.
    #[must_use]
    pub fn numeric(&self, ty: Handle<Type>) -> Option<Numeric> {
        match self[ty] {
            Type::Scalar(scalar) => Some(scalar.into()),
            Type::Vector { element, lanes } => Some(Numeric { lanes, ..self.numeric(element)? }),
            _ => None,
        }
    }

    /// The handle of a scalar or vector type.
    pub(crate) fn intern_numeric(&mut self, Numeric { scalar, lanes }: Numeric) -> Handle<Type> {
        let element = self.intern(Type::Scalar(scalar));
        if lanes == 1 { element } else { self.intern(Type::Vector { element, lanes }) }
    }
}

impl Module {
    /// The scalar or vector that a type is, if it is one.
    #[must_use]
    pub fn numeric(&self, ty: Handle<Type>) -> Option<Numeric> {
        self.types.numeric(ty)
    }
}
