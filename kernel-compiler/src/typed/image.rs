//! Images and samplers.

use crate::ir::FormatQuery;
use kernel_core::image::{AddressMode, FilterMode};
use kernel_core::{ImageAccess, ImageShape};
use std::fmt;

/// A type without values that says something of an image or a sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Marker {
    /// What may be done with an image.
    Access(ImageAccess),
    /// How a sampler filters.
    Filter(FilterMode),
    /// Whether a sampler takes normalized coordinates.
    Normalized(bool),
}

impl Marker {
    /// The marker with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "ReadOnly" => Self::Access(ImageAccess::ReadOnly),
            "WriteOnly" => Self::Access(ImageAccess::WriteOnly),
            "ReadWrite" => Self::Access(ImageAccess::ReadWrite),
            "Nearest" => Self::Filter(FilterMode::Nearest),
            "Linear" => Self::Filter(FilterMode::Linear),
            "Normalized" => Self::Normalized(true),
            "Unnormalized" => Self::Normalized(false),
            _ => return None,
        })
    }
}

impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Access(access) => f.write_str(access.name()),
            Self::Filter(filter) => write!(f, "{filter:?}"),
            Self::Normalized(true) => f.write_str("Normalized"),
            Self::Normalized(false) => f.write_str("Unnormalized"),
        }
    }
}

/// The image type with this name.
#[must_use]
pub fn image_shape(name: &str) -> Option<ImageShape> {
    ImageShape::ALL.into_iter().find(|shape| shape.name() == name)
}

/// An operation on an image, which is the first operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageOp {
    /// The texel at coordinates, which are checked or not.
    Read {
        /// Whether there is such a texel is checked.
        checked: bool,
    },
    /// Stores a texel, the third operand, at coordinates.
    Write {
        /// Whether there is such a texel is checked.
        checked: bool,
    },
    /// `block_read(at)`, `block_write(at, value)` and their kin.
    Block,
    /// What a sampler, the second operand, finds at a position.
    Sample,
    /// The size along the axis with this number.
    Size(usize),
    /// What the format says.
    Format(FormatQuery),
    /// A sampler with this address mode, of which the type says the rest; without operands.
    Sampler(AddressMode),
}
