//! Patterns.

use super::{Binding, Expr};
use crate::ir::Handle;
use std::rc::Rc;

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
    Constant(Rc<Expr>),
    /// A range of scalars.
    Range {
        /// The first.
        start: Option<Rc<Expr>>,
        /// The last, and whether it is part of the range.
        end: Option<(Rc<Expr>, bool)>,
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
    /// The elements of an array or slice.
    Elements(Elements),
    /// Any of several patterns, which bind the same variables.
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

/// A part of a condition with a `let` in it.
#[derive(Clone, Debug)]
pub enum Test {
    /// A `bool`.
    Holds(Expr),
    /// `let`
    Matches(Pattern, Expr),
}

/// The patterns of an array's or slice's elements.
#[derive(Clone, Debug)]
pub struct Elements {
    /// How many elements an array has; none for a slice.
    pub len: Option<u32>,
    /// Those at the start.
    pub before: Vec<Pattern>,
    /// Those between, if there may be any.
    pub rest: Option<Box<Pattern>>,
    /// Those at the end.
    pub after: Vec<Pattern>,
}

impl Pattern {
    /// The patterns that this one is made of.
    #[must_use]
    pub fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Binding { inner: Some(inner), .. } | Self::Reference(inner) => vec![inner],
            Self::Tuple(parts) | Self::Or(parts) | Self::Variant { fields: parts, .. } => {
                parts.iter().collect()
            }
            Self::Elements(Elements { before, rest, after, .. }) => {
                before.iter().chain(rest.as_deref()).chain(after).collect()
            }
            Self::Any | Self::Constant(_) | Self::Range { .. } | Self::Binding { inner: None, .. } => {
                Vec::new()
            }
        }
    }

    /// The variables that more than one alternative binds.
    #[must_use]
    pub fn names_of_alternatives(&self) -> Vec<Handle<Binding>> {
        match self {
            Self::Or(alternatives) => alternatives.first().map_or(Vec::new(), Self::names),
            other => other.parts().into_iter().flat_map(Self::names_of_alternatives).collect(),
        }
    }

    /// The variables that it binds.
    #[must_use]
    pub fn names(&self) -> Vec<Handle<Binding>> {
        let own = match self {
            Self::Binding { binding, .. } => Some(*binding),
            _ => None,
        };
        let parts = match self {
            Self::Or(alternatives) => alternatives.first().into_iter().collect(),
            other => other.parts(),
        };
        own.into_iter().chain(parts.into_iter().flat_map(Self::names)).collect()
    }
}
