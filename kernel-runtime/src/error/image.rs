//! Images that cannot be made, or that do not fit what they are copied to or from.

use core::fmt;
use kernel_core::image::ImageFormat;
use kernel_core::{ChannelClass, ImageShape};

/// An image cannot be made, or does not fit what it is copied to or from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageError {
    /// Its dimensions.
    pub shape: ImageShape,
    /// The format of its texels.
    pub format: ImageFormat,
    /// Its sizes in the order of the coordinates.
    pub size: [usize; 3],
    /// What is wrong.
    pub problem: ImageProblem,
}

/// What is wrong with an image.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImageProblem {
    /// The device has no images.
    NoImages,
    /// A size is zero.
    Empty,
    /// A size is larger than the device allows, or the image is in all.
    TooLarge {
        /// Which size, in the order of the coordinates.
        axis: usize,
        /// The most that it can be.
        limit: u64,
    },
    /// The channels of the format are not what the type says that they are to a kernel.
    Class {
        /// What the type says.
        expected: ChannelClass,
    },
    /// The texels on the host have another size than the image.
    LengthMismatch {
        /// The bytes of the image.
        image: usize,
        /// The bytes on the host.
        host: usize,
    },
    /// It is of another device than the queue.
    OtherDevice {
        /// The device of the image.
        image: Box<str>,
        /// The device of the queue.
        queue: Box<str>,
    },
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shape, format, size, problem } = self;
        let (name, size) = (shape.name(), &size[..shape.coordinates()]);
        write!(f, "an {name} of {size:?} texels of {format}: ")?;
        match problem {
            ImageProblem::NoImages => f.write_str("the device has no images"),
            ImageProblem::Empty => f.write_str("a size is zero"),
            ImageProblem::TooLarge { axis, limit } => {
                write!(f, "its {} can be {limit} at most on this device", shape.sizes()[*axis])
            }
            ImageProblem::Class { expected } => {
                let class = format.class();
                match format.goes_with(ChannelClass::Half) {
                    true => {
                        write!(f, "its channels are `{class}` or `f16` to a kernel, and not `{expected}`")
                    }
                    false => write!(f, "its channels are `{class}` to a kernel, and not `{expected}`"),
                }
            }
            ImageProblem::LengthMismatch { image, host } => {
                write!(f, "it has {image} bytes, but the texels on the host have {host}")
            }
            ImageProblem::OtherDevice { image, queue } => {
                write!(f, "it is on the device \"{image}\", but the queue is of \"{queue}\"")
            }
        }
    }
}

impl core::error::Error for ImageError {}
