//! Samplers: how positions in an image become texels.

use core::fmt;
use core::marker::PhantomData;

/// What there is beyond the edge of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AddressMode {
    /// Nothing is said of it: positions must be inside. Kernels in Rust have no such samplers.
    None,
    /// The texel at the edge.
    ClampToEdge,
    /// Zeros, with an alpha of 1 where the format has none.
    ClampToBorder,
    /// The image again.
    Repeat,
    /// The image again, every other time mirrored.
    MirroredRepeat,
}

/// Which texels make a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FilterMode {
    /// The one in which the position is.
    Nearest,
    /// Those around the position, weighted.
    Linear,
}

/// What a sampler does, whatever its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SamplerState {
    /// What there is beyond the edge.
    pub address: AddressMode,
    /// Which texels make a sample.
    pub filter: FilterMode,
    /// Whether positions go from 0 to 1 rather than to the size of the image.
    pub normalized: bool,
}

/// The type of a sampler: what decides which images it goes with, and what positions are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SamplerType {
    /// Which texels make a sample.
    pub filter: FilterMode,
    /// Whether positions go from 0 to 1 rather than to the size of the image.
    pub normalized: bool,
}

impl fmt::Display for SamplerType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let coordinates = if self.normalized { "Normalized" } else { "Unnormalized" };
        write!(f, "Sampler<{:?}, {coordinates}>", self.filter)
    }
}

mod sealed {
    pub trait Sealed {}
}
use sealed::Sealed;

/// [`Nearest`] or [`Linear`].
pub trait Filter: Sealed + Copy {
    /// As a value.
    const MODE: FilterMode;
}

/// A sample is the texel in which the position is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nearest;

/// A sample is the weighted mean of the texels around the position; only of images with float channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Linear;

impl Sealed for Nearest {}
impl Sealed for Linear {}

impl Filter for Nearest {
    const MODE: FilterMode = FilterMode::Nearest;
}

impl Filter for Linear {
    const MODE: FilterMode = FilterMode::Linear;
}

/// [`Normalized`] or [`Unnormalized`].
pub trait Coordinates: Sealed + Copy {
    /// As a value.
    const NORMALIZED: bool;
}

/// Positions go from 0 to 1 over the whole image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Normalized;

/// Positions are in texels; the middle of the first is at 0.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unnormalized;

impl Sealed for Normalized {}
impl Sealed for Unnormalized {}

impl Coordinates for Normalized {
    const NORMALIZED: bool = true;
}

impl Coordinates for Unnormalized {
    const NORMALIZED: bool = false;
}

/// How positions in an image become texels: an argument of a kernel, or a constant in one.
///
/// The types say what the OpenCL specification leaves undefined otherwise: integer channels are not filtered, and an image repeats for
/// normalized coordinates only.
///
/// ```
/// use kernel_core::image::{Linear, Nearest, Normalized, Sampler, Unnormalized};
///
/// const TILES: Sampler<Linear, Normalized> = Sampler::repeat();
/// const PIXELS: Sampler<Nearest, Unnormalized> = Sampler::clamp_to_edge();
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sampler<F, C> {
    address: AddressMode,
    types: PhantomData<(F, C)>,
}

impl<F: Filter, C: Coordinates> Sampler<F, C> {
    const fn with(address: AddressMode) -> Self {
        Self { address, types: PhantomData }
    }

    /// Beyond the edge of an image is the texel at the edge.
    #[must_use]
    pub const fn clamp_to_edge() -> Self {
        Self::with(AddressMode::ClampToEdge)
    }

    /// Beyond the edge of an image are zeros, with an alpha of 1 where the format has none.
    #[must_use]
    pub const fn clamp_to_border() -> Self {
        Self::with(AddressMode::ClampToBorder)
    }

    /// What it does.
    #[must_use]
    pub const fn state(self) -> SamplerState {
        SamplerState { address: self.address, filter: F::MODE, normalized: C::NORMALIZED }
    }
}

impl<F: Filter> Sampler<F, Normalized> {
    /// Beyond the edge of an image is the image again.
    #[must_use]
    pub const fn repeat() -> Self {
        Self::with(AddressMode::Repeat)
    }

    /// Beyond the edge of an image is the image again, every other time mirrored.
    #[must_use]
    pub const fn mirrored_repeat() -> Self {
        Self::with(AddressMode::MirroredRepeat)
    }
}

/// The functions of `Sampler` by their names, for the compiler: what each makes, and whether that takes normalized coordinates.
#[doc(hidden)]
pub const CONSTRUCTORS: [(&str, AddressMode, bool); 4] = [
    ("clamp_to_edge", AddressMode::ClampToEdge, false),
    ("clamp_to_border", AddressMode::ClampToBorder, false),
    ("repeat", AddressMode::Repeat, true),
    ("mirrored_repeat", AddressMode::MirroredRepeat, true),
];
