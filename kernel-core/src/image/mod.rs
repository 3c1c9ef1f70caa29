//! Images: what kernels read, sample and write by coordinates.
//!
//! A kernel takes `&Image2d<f32>` to read and to sample, `&mut Image2d<f32, WriteOnly>` to write, `&mut Image2d<f32, ReadWrite>` to do
//! both. The second type says what the channels are to it: `f32` for floats and for formats that stand for numbers from -1 or 0 to 1, or
//! `f16` for the same but for floats of 32 bits, or `i32`, or `u32`. A texel always has four channels, of which a format may lack some; that of a depth image is one `f32`.
//!
//! Coordinates are `x`, `(x, y)` or `(x, y, z)`, in an array of images with the number of the layer last. To read or write a texel that is
//! not there is a fault, as an index out of bounds is: what is read is zero, and nothing is written. What [a sampler](Sampler) finds
//! beyond the edge it says itself.
//!
//! `channel_type` and `channel_order` tell the format of the image that the host passes, which may be any that goes with the type.

#[cfg(feature = "std")]
mod block;
#[cfg(feature = "std")]
pub mod filter;
#[cfg(feature = "std")]
pub mod format;
#[cfg(feature = "std")]
mod host;
mod sampler;
pub mod shape;

#[cfg(feature = "std")]
pub use filter::{Extent, Position};
#[cfg(feature = "std")]
pub use format::{ChannelOrder, ChannelType, ImageFormat, TexelBits};
#[cfg(feature = "std")]
pub use host::{
    Access, Channel, Colored, Filtered, HasDepth, HasHeight, HasLayers, Image, Image1d, Image1dArray,
    Image2d, Image2dArray, Image2dArrayDepth, Image2dDepth, Image3d, ImageBuffer, PositionFor, Readable,
    Sampled, Shape, Writable, shapes,
};
pub use sampler::{
    AddressMode, CONSTRUCTORS, Coordinates, Filter, FilterMode, Linear, Nearest, Normalized, Sampler,
    SamplerState, SamplerType, Unnormalized,
};
pub use shape::{ChannelClass, ImageAccess, ImageShape, ImageType};

/// A kernel may read and sample an image.
#[derive(Clone, Copy, Debug)]
pub struct ReadOnly;

/// A kernel may write to an image.
#[derive(Clone, Copy, Debug)]
pub struct WriteOnly;

/// A kernel may read and write an image.
#[derive(Clone, Copy, Debug)]
pub struct ReadWrite;

builtin_names! {
    Image1d __image1d Image1dArray __image1d_array Image2d __image2d Image2dDepth __image2d_depth Image2dArray __image2d_array
    Image2dArrayDepth __image2d_array_depth Image3d __image3d ImageBuffer __image_buffer
    ReadOnly __read_only WriteOnly __write_only ReadWrite __read_write
    Access __access Readable __readable Writable __writable
    Channel __channel Filtered __filtered ChannelOrder __channel_order ChannelType __channel_type
    Sampler __sampler Filter __filter Coordinates __coordinates Nearest __nearest Linear __linear Normalized __normalized Unnormalized __unnormalized
}

/// What a program that uses images needs.
pub mod names {
    #[cfg(feature = "std")]
    pub use super::{
        ChannelOrder, ChannelType, Image1d, Image1dArray, Image2d, Image2dArray, Image2dArrayDepth,
        Image2dDepth, Image3d, ImageBuffer, ImageFormat,
    };
    pub use super::{Linear, Nearest, Normalized, ReadOnly, ReadWrite, Sampler, Unnormalized, WriteOnly};
}
