//! What kinds of images there are, and what a kernel may do with one.

use crate::Scalar;
use core::fmt;

/// The dimensions of an image (Level Zero SPIR-V environment, "Image-Related Data Types").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageShape {
    /// A row of texels.
    D1,
    /// An array of such rows.
    D1Array,
    /// Width and height.
    D2,
    /// Width and height; each texel is one depth.
    D2Depth,
    /// An array of such images.
    D2Array,
    /// An array of depth images.
    D2ArrayDepth,
    /// Width, height and depth.
    D3,
    /// A row of texels in a buffer: longer than a 1D image can be, and never sampled.
    Buffer,
}

impl ImageShape {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::D1,
        Self::D1Array,
        Self::D2,
        Self::D2Depth,
        Self::D2Array,
        Self::D2ArrayDepth,
        Self::D3,
        Self::Buffer,
    ];

    /// The name of the type in kernels.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::D1 => "Image1d",
            Self::D1Array => "Image1dArray",
            Self::D2 => "Image2d",
            Self::D2Depth => "Image2dDepth",
            Self::D2Array => "Image2dArray",
            Self::D2ArrayDepth => "Image2dArrayDepth",
            Self::D3 => "Image3d",
            Self::Buffer => "ImageBuffer",
        }
    }

    /// How many numbers say where a texel is; in an array the last of them is the layer.
    #[must_use]
    pub const fn coordinates(self) -> usize {
        match self {
            Self::D1 | Self::Buffer => 1,
            Self::D1Array | Self::D2 | Self::D2Depth => 2,
            Self::D2Array | Self::D2ArrayDepth | Self::D3 => 3,
        }
    }

    /// Returns whether the last coordinate is the number of a layer.
    #[must_use]
    pub const fn is_array(self) -> bool {
        matches!(self, Self::D1Array | Self::D2Array | Self::D2ArrayDepth)
    }

    /// Returns whether a texel is a single depth.
    #[must_use]
    pub const fn is_depth(self) -> bool {
        matches!(self, Self::D2Depth | Self::D2ArrayDepth)
    }

    /// Returns whether it can be sampled.
    #[must_use]
    pub const fn is_sampled(self) -> bool {
        !matches!(self, Self::Buffer)
    }

    /// The names of the methods that tell its size, in the order of the coordinates.
    #[must_use]
    pub const fn sizes(self) -> &'static [&'static str] {
        match self {
            Self::D1 | Self::Buffer => &["width"],
            Self::D1Array => &["width", "layers"],
            Self::D2 | Self::D2Depth => &["width", "height"],
            Self::D2Array | Self::D2ArrayDepth => &["width", "height", "layers"],
            Self::D3 => &["width", "height", "depth"],
        }
    }
}

/// What a kernel may do with an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageAccess {
    /// Read and sample.
    ReadOnly,
    /// Write.
    WriteOnly,
    /// Read and write, but not sample.
    ReadWrite,
}

impl ImageAccess {
    /// The name of the type in kernels.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ReadOnly => "ReadOnly",
            Self::WriteOnly => "WriteOnly",
            Self::ReadWrite => "ReadWrite",
        }
    }

    /// Returns whether texels can be read.
    #[must_use]
    pub const fn reads(self) -> bool {
        !matches!(self, Self::WriteOnly)
    }

    /// Returns whether texels can be written.
    #[must_use]
    pub const fn writes(self) -> bool {
        !matches!(self, Self::ReadOnly)
    }
}

/// What a texel of an image is to a kernel: the numbers of its channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChannelClass {
    /// Floats: of float formats, and of those that stand for numbers from -1 or 0 to 1.
    Float,
    /// Floats of 16 bits, of the same formats but for those of 32 bits.
    Half,
    /// Signed integers of 32 bits.
    Signed,
    /// Unsigned integers of 32 bits.
    Unsigned,
}

impl ChannelClass {
    /// What a channel is to a kernel that has it as a scalar, if it can.
    #[must_use]
    pub const fn of(scalar: Scalar) -> Option<Self> {
        match scalar {
            Scalar::F32 => Some(Self::Float),
            Scalar::F16 => Some(Self::Half),
            Scalar::I32 => Some(Self::Signed),
            Scalar::U32 => Some(Self::Unsigned),
            _ => None,
        }
    }

    /// The scalar that a channel is.
    #[must_use]
    pub const fn scalar(self) -> Scalar {
        match self {
            Self::Float => Scalar::F32,
            Self::Half => Scalar::F16,
            Self::Signed => Scalar::I32,
            Self::Unsigned => Scalar::U32,
        }
    }

    /// Returns whether it is a float.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, Self::Float | Self::Half)
    }

    /// The name of the type in kernels.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.scalar().name()
    }
}

impl fmt::Display for ChannelClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An image as an argument of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageType {
    /// Its dimensions.
    pub shape: ImageShape,
    /// What its texels are.
    pub class: ChannelClass,
    /// What the kernel may do with it.
    pub access: ImageAccess,
}

impl fmt::Display for ImageType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shape, class, access } = self;
        let name = shape.name();
        match (shape.is_depth(), access) {
            (true, ImageAccess::ReadOnly) => f.write_str(name),
            (true, _) => write!(f, "{name}<{}>", access.name()),
            (false, ImageAccess::ReadOnly) => write!(f, "{name}<{class}>"),
            (false, _) => write!(f, "{name}<{class}, {}>", access.name()),
        }
    }
}
