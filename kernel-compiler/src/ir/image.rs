//! Operations on images and samplers.

use super::{Handle, Value};
use kernel_core::image::SamplerState;

/// An operation that gives a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImageOp {
    /// The texel at coordinates: a vector of four channels, or the channel of a depth image.
    Read {
        /// A parameter that is an image.
        image: Handle<Value>,
        /// As many `usize` as the image has coordinates.
        at: Vec<Handle<Value>>,
        /// A `bool`: whether there is such a texel. If not, what is read is zero.
        inside: Handle<Value>,
    },
    /// What a sampler finds at a position in an image: a texel.
    Sample {
        /// A parameter that is an image which is only read.
        image: Handle<Value>,
        /// A sampler.
        sampler: Handle<Value>,
        /// As many `f32` or `i32` as the image has coordinates.
        at: Vec<Handle<Value>>,
    },
    /// An access of a subgroup to a block of the bytes of an image.
    Block(ImageBlock),
    /// The size of an image along the axis with this number, a `usize`.
    Size(Handle<Value>, u32),
    /// What the format of an image says, a number of 32 bits.
    Format(FormatQuery, Handle<Value>),
    /// A sampler that is known when the kernel is compiled.
    Sampler(SamplerState),
}

/// What a kernel can ask of the format of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatQuery {
    /// Which channels there are: the number of a [`ChannelOrder`](kernel_core::image::ChannelOrder).
    Order,
    /// What each is: the number of a [`ChannelType`](kernel_core::image::ChannelType).
    Type,
}

/// An access of the work-items of a subgroup to a block of an image of two dimensions.
///
/// In each of so many rows as the value has lanes, the first work-item accesses the bytes from the position on, the next one those
/// after it, and so on. They are accessed as unsigned integers of 16 or 32 bits. All of the block is in the image, whose texels have four bytes at most; a write starts
/// at a multiple of 4, and the subgroup is whole then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageBlock {
    /// A parameter that is an image.
    pub image: Handle<Value>,
    /// The first byte in a row, and the first row, the same for all work-items, each a `usize`.
    pub at: [Handle<Value>; 2],
    /// What is written; none for a read. The value of a write nobody uses.
    pub stored: Option<Handle<Value>>,
}

/// Stores a texel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageWrite {
    /// A parameter that is an image which can be written to.
    pub image: Handle<Value>,
    /// As many `usize` as the image has coordinates.
    pub at: Vec<Handle<Value>>,
    /// The texel: a vector of four channels, or the channel of a depth image.
    pub texel: Handle<Value>,
    /// A `bool`: whether there is such a texel. If not, nothing is stored.
    pub inside: Handle<Value>,
}

impl ImageOp {
    /// Calls `visit` with every value that the operation reads.
    pub fn for_each_operand(&self, visit: &mut dyn FnMut(Handle<Value>)) {
        match self {
            Self::Read { image, at, inside } => {
                [*image, *inside].into_iter().chain(at.iter().copied()).for_each(visit);
            }
            Self::Sample { image, sampler, at } => {
                [*image, *sampler].into_iter().chain(at.iter().copied()).for_each(visit);
            }
            Self::Block(ImageBlock { image, at, stored }) => {
                [*image].into_iter().chain(*at).chain(*stored).for_each(visit);
            }
            Self::Size(image, _) | Self::Format(_, image) => visit(*image),
            Self::Sampler(_) => {}
        }
    }
}

impl ImageWrite {
    /// Calls `visit` with every value that is read.
    pub fn for_each_operand(&self, visit: &mut dyn FnMut(Handle<Value>)) {
        let Self { image, at, texel, inside } = self;
        [*image, *texel, *inside].into_iter().chain(at.iter().copied()).for_each(visit);
    }
}
