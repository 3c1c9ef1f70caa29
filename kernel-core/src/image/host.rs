//! Images on the host, so that device functions that take them can be called there.

use super::filter::{Extent, Position};
use super::format::{ChannelOrder, ChannelType, ImageFormat, TexelBits};
use super::sampler::{Coordinates, Filter, Linear, Nearest, Sampler, Unnormalized};
use super::shape::{ChannelClass, ImageAccess, ImageShape};
use super::{ReadOnly, ReadWrite, WriteOnly};
use crate::half::f16;
use crate::vector::Vector;
use core::fmt;
use core::marker::PhantomData;
use std::boxed::Box;
use std::vec::Vec;

mod sealed {
    pub trait Sealed {}
}
use sealed::Sealed;

/// The dimensions of an image, as types.
pub mod shapes {
    /// [`Image1d`](super::Image1d).
    #[derive(Clone, Copy, Debug)]
    pub struct D1;
    /// [`Image1dArray`](super::Image1dArray).
    #[derive(Clone, Copy, Debug)]
    pub struct D1Array;
    /// [`Image2d`](super::Image2d).
    #[derive(Clone, Copy, Debug)]
    pub struct D2;
    /// [`Image2dDepth`](super::Image2dDepth).
    #[derive(Clone, Copy, Debug)]
    pub struct D2Depth;
    /// [`Image2dArray`](super::Image2dArray).
    #[derive(Clone, Copy, Debug)]
    pub struct D2Array;
    /// [`Image2dArrayDepth`](super::Image2dArrayDepth).
    #[derive(Clone, Copy, Debug)]
    pub struct D2ArrayDepth;
    /// [`Image3d`](super::Image3d).
    #[derive(Clone, Copy, Debug)]
    pub struct D3;
    /// [`ImageBuffer`](super::ImageBuffer).
    #[derive(Clone, Copy, Debug)]
    pub struct Buffer;
}

/// The dimensions of an image.
pub trait Shape: Sealed + Copy + 'static {
    /// As a value.
    const SHAPE: ImageShape;
    /// Where a texel is, and how large the image is: `usize`, or two or three.
    type Coordinates: Copy + fmt::Debug + Send + Sync;
    /// What is read and written of a texel with such channels.
    type Texel<T: Channel>: Copy;

    /// The coordinates as numbers; 1 for those that there are not.
    fn numbers(coordinates: Self::Coordinates) -> [usize; 3];
    /// The coordinates that numbers are; those that there are not are ignored.
    fn coordinates(numbers: [usize; 3]) -> Self::Coordinates;
    /// The texel of channels by their bit patterns.
    fn texel<T: Channel>(bits: TexelBits) -> Self::Texel<T>;
    /// The bit patterns of a texel's channels.
    fn bits<T: Channel>(texel: Self::Texel<T>) -> TexelBits;
}

/// An image with a height.
pub trait HasHeight: Shape {}
/// An image with a depth.
pub trait HasDepth: Shape {}
/// An array of images.
pub trait HasLayers: Shape {}
/// An image that can be sampled.
pub trait Sampled: Shape {}
/// An image whose texels have four channels.
pub trait Colored: Shape {}

macro_rules! shapes {
    ($($name:ident: $coordinates:ty, $at:tt => [$($number:tt),*], $texel:ident, $($property:ident)*;)*) => {$(
        impl Sealed for shapes::$name {}

        impl Shape for shapes::$name {
            const SHAPE: ImageShape = ImageShape::$name;
            type Coordinates = $coordinates;
            shapes!(@$texel);

            fn numbers($at: Self::Coordinates) -> [usize; 3] {
                [$($number),*]
            }

            fn coordinates([x, y, z]: [usize; 3]) -> Self::Coordinates {
                shapes!(@at $at x y z)
            }
        }

        $(impl $property for shapes::$name {})*
    )*};
    (@at ($_x:ident, $_y:ident, $_z:ident) $x:ident $y:ident $z:ident) => { ($x, $y, $z) };
    (@at ($_x:ident, $_y:ident) $x:ident $y:ident $z:ident) => {{
        let _ = $z;
        ($x, $y)
    }};
    (@at $_x:ident $x:ident $y:ident $z:ident) => {{
        let _ = ($y, $z);
        $x
    }};
    (@channels) => {
        type Texel<T: Channel> = Vector<T, 4>;

        fn texel<T: Channel>(bits: TexelBits) -> Vector<T, 4> {
            Vector::from_array(bits.map(T::from_bits))
        }

        fn bits<T: Channel>(texel: Vector<T, 4>) -> TexelBits {
            texel.to_array().map(T::to_bits)
        }
    };
    (@depth) => {
        type Texel<T: Channel> = T;

        fn texel<T: Channel>(bits: TexelBits) -> T {
            T::from_bits(bits[0])
        }

        fn bits<T: Channel>(texel: T) -> TexelBits {
            [texel.to_bits(), 0, 0, 0]
        }
    };
}

shapes! {
    D1: usize, x => [x, 1, 1], channels, Colored Sampled;
    D1Array: (usize, usize), (x, layer) => [x, layer, 1], channels, Colored Sampled HasLayers;
    D2: (usize, usize), (x, y) => [x, y, 1], channels, Colored Sampled HasHeight;
    D2Depth: (usize, usize), (x, y) => [x, y, 1], depth, Sampled HasHeight;
    D2Array: (usize, usize, usize), (x, y, layer) => [x, y, layer], channels, Colored Sampled HasHeight HasLayers;
    D2ArrayDepth: (usize, usize, usize), (x, y, layer) => [x, y, layer], depth, Sampled HasHeight HasLayers;
    D3: (usize, usize, usize), (x, y, z) => [x, y, z], channels, Colored Sampled HasHeight HasDepth;
    Buffer: usize, x => [x, 1, 1], channels, Colored;
}

/// What the channels of an image are to a kernel: `f32`, `f16`, `i32` or `u32`.
pub trait Channel: Sealed + crate::vector::Lane<4> + crate::Element + Send + Sync {
    /// As a value.
    const CLASS: ChannelClass;
    /// The number that a channel with this bit pattern is, which is that of an `f32` for any float.
    fn from_bits(bits: u32) -> Self;
    /// The bit pattern of a channel with this number.
    fn to_bits(self) -> u32;
}

impl Sealed for f32 {}
impl Sealed for f16 {}
impl Sealed for i32 {}
impl Sealed for u32 {}

impl Channel for f32 {
    const CLASS: ChannelClass = ChannelClass::Float;
    fn from_bits(bits: u32) -> Self {
        Self::from_bits(bits)
    }
    fn to_bits(self) -> u32 {
        self.to_bits()
    }
}

impl Channel for f16 {
    const CLASS: ChannelClass = ChannelClass::Half;
    fn from_bits(bits: u32) -> Self {
        Self::from_f32(f32::from_bits(bits))
    }
    fn to_bits(self) -> u32 {
        self.to_f32().to_bits()
    }
}

impl Channel for i32 {
    const CLASS: ChannelClass = ChannelClass::Signed;
    fn from_bits(bits: u32) -> Self {
        bits as Self
    }
    fn to_bits(self) -> u32 {
        self as u32
    }
}

impl Channel for u32 {
    const CLASS: ChannelClass = ChannelClass::Unsigned;
    fn from_bits(bits: u32) -> Self {
        bits
    }
    fn to_bits(self) -> u32 {
        self
    }
}

/// What channels can be filtered by: integers are not mixed.
pub trait Filtered<F: Filter>: Channel {}

impl Filtered<Nearest> for f32 {}
impl Filtered<Linear> for f32 {}
impl Filtered<Nearest> for f16 {}
impl Filtered<Linear> for f16 {}
impl Filtered<Nearest> for i32 {}
impl Filtered<Nearest> for u32 {}

/// What a kernel may do with an image.
pub trait Access: Sealed + Copy + 'static {
    /// As a value.
    const ACCESS: ImageAccess;
}

/// Access that lets read.
pub trait Readable: Access {}
/// Access that lets write.
pub trait Writable: Access {}

macro_rules! accesses {
    ($($name:ident: $($property:ident)*;)*) => {$(
        impl Sealed for $name {}
        impl Access for $name {
            const ACCESS: ImageAccess = ImageAccess::$name;
        }
        $(impl $property for $name {})*
    )*};
}

accesses! {
    ReadOnly: Readable;
    WriteOnly: Writable;
    ReadWrite: Readable Writable;
}

/// A position in an image, for a sampler: floats for any, integers for one that filters nothing and takes coordinates as they are.
pub trait PositionFor<S: Shape, F: Filter, C: Coordinates>: Copy {
    /// As numbers.
    fn position(self) -> Position;
}

macro_rules! positions {
    ($($count:literal: $float:ty, $integer:ty, $pattern:pat => $numbers:tt, $($shape:ident)*;)*) => {$($(
        impl<F: Filter, C: Coordinates> PositionFor<shapes::$shape, F, C> for $float {
            fn position(self) -> Position {
                let $pattern = self;
                Position::Float($numbers)
            }
        }

        impl PositionFor<shapes::$shape, Nearest, Unnormalized> for $integer {
            fn position(self) -> Position {
                let $pattern = self;
                Position::Integer($numbers)
            }
        }
    )*)*};
}

positions! {
    1: f32, i32, x => [x, Default::default(), Default::default()], D1;
    2: (f32, f32), (i32, i32), (x, y) => [x, y, Default::default()], D1Array D2 D2Depth;
    3: (f32, f32, f32), (i32, i32, i32), (x, y, z) => [x, y, z], D2Array D2ArrayDepth D3;
}

/// An image, on the host: what a kernel takes one as, and what device functions are called with in tests.
///
/// Kernels name it by its dimensions, as [`Image2d`] and the like.
#[derive(Clone)]
pub struct Image<S: Shape, T: Channel, A: Access = ReadOnly> {
    format: ImageFormat,
    extent: Extent,
    bytes: Box<[u8]>,
    types: PhantomData<(S, T, A)>,
}

/// A row of texels.
pub type Image1d<T, A = ReadOnly> = Image<shapes::D1, T, A>;
/// An array of rows of texels.
pub type Image1dArray<T, A = ReadOnly> = Image<shapes::D1Array, T, A>;
/// An image with a width and a height.
pub type Image2d<T, A = ReadOnly> = Image<shapes::D2, T, A>;
/// An image of depths.
pub type Image2dDepth<A = ReadOnly> = Image<shapes::D2Depth, f32, A>;
/// An array of images.
pub type Image2dArray<T, A = ReadOnly> = Image<shapes::D2Array, T, A>;
/// An array of images of depths.
pub type Image2dArrayDepth<A = ReadOnly> = Image<shapes::D2ArrayDepth, f32, A>;
/// An image with a width, a height and a depth.
pub type Image3d<T, A = ReadOnly> = Image<shapes::D3, T, A>;
/// A row of texels in a buffer.
pub type ImageBuffer<T, A = ReadOnly> = Image<shapes::Buffer, T, A>;

impl<S: Shape, T: Channel, A: Access> Image<S, T, A> {
    /// An image of a size with texels from memory, row after row without gaps.
    ///
    /// # Panics
    ///
    /// If the format does not go with the type of the channels, or there are not as many bytes as the image has.
    #[must_use]
    pub fn from_bytes(format: ImageFormat, size: S::Coordinates, bytes: &[u8]) -> Self {
        assert!(format.goes_with(T::CLASS), "the channels of a texel of {format} are no `{}`", T::CLASS);
        let size = S::numbers(size).map(|size| u32::try_from(size).expect("an image of such a size"));
        let extent = Extent { shape: S::SHAPE, size };
        let expected = extent.texels() * format.texel_size() as u64;
        assert_eq!(bytes.len() as u64, expected, "the bytes of an image of {size:?} texels of {format}");
        Self { format, extent, bytes: Vec::from(bytes).into(), types: PhantomData }
    }

    /// The format of the texels in memory.
    #[must_use]
    pub fn format(&self) -> ImageFormat {
        self.format
    }

    /// The sizes in the order of the coordinates; 1 where there is no such dimension.
    #[must_use]
    pub fn size(&self) -> [usize; 3] {
        self.extent.size.map(|size| size as usize)
    }

    /// The texels in memory.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The texels in memory, to be changed.
    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// The number of texels in a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.extent.size[0] as usize
    }

    /// What each channel is in memory.
    #[must_use]
    pub fn channel_type(&self) -> ChannelType {
        self.format.channel
    }

    #[cfg_attr(debug_assertions, track_caller)]
    fn offset(&self, coordinates: S::Coordinates) -> usize {
        let at = S::numbers(coordinates);
        let count = S::SHAPE.coordinates();
        for (at, size) in at.into_iter().zip(self.extent.size).take(count) {
            assert!(at < size as usize, "index out of bounds: the len is {size} but the index is {at}");
        }
        let mut texel = at.map(|at| at as i64);
        texel[count..].fill(0);
        let index = self.extent.index(texel).unwrap_or_default();
        index as usize * self.format.texel_size()
    }
}

impl<S: Colored, T: Channel, A: Access> Image<S, T, A> {
    /// Which channels there are in memory.
    #[must_use]
    pub fn channel_order(&self) -> ChannelOrder {
        self.format.order
    }
}

impl<S: HasHeight, T: Channel, A: Access> Image<S, T, A> {
    /// The number of rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.extent.size[1] as usize
    }
}

impl<S: HasDepth, T: Channel, A: Access> Image<S, T, A> {
    /// The number of slices.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.extent.size[2] as usize
    }
}

impl<S: HasLayers, T: Channel, A: Access> Image<S, T, A> {
    /// The number of images in the array.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.extent.size[S::SHAPE.coordinates() - 1] as usize
    }
}

impl<S: Shape, T: Channel, A: Readable> Image<S, T, A> {
    /// The texel at coordinates. Where there is none it is a fault on a device, and the texel zero.
    ///
    /// # Panics
    ///
    /// On the host, if there is none.
    #[must_use]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn read(&self, coordinates: S::Coordinates) -> S::Texel<T> {
        S::texel(self.format.read(&self.bytes[self.offset(coordinates)..]))
    }

    /// The texel at coordinates that are not checked.
    ///
    /// # Safety
    ///
    /// There is such a texel.
    #[must_use]
    #[cfg_attr(debug_assertions, track_caller)]
    pub unsafe fn read_unchecked(&self, coordinates: S::Coordinates) -> S::Texel<T> {
        self.read(coordinates)
    }
}

impl<S: Shape, T: Channel, A: Writable> Image<S, T, A> {
    /// Writes the texel at coordinates. Where there is none it is a fault on a device, and nothing is written.
    ///
    /// Of the channels those are kept that the format has, rounded and saturated to what it can hold.
    ///
    /// # Panics
    ///
    /// On the host, if there is none.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn write(&mut self, coordinates: S::Coordinates, texel: S::Texel<T>) {
        let offset = self.offset(coordinates);
        self.format.write(S::bits(texel), &mut self.bytes[offset..]);
    }

    /// Writes the texel at coordinates that are not checked.
    ///
    /// # Safety
    ///
    /// There is such a texel.
    #[cfg_attr(debug_assertions, track_caller)]
    pub unsafe fn write_unchecked(&mut self, coordinates: S::Coordinates, texel: S::Texel<T>) {
        self.write(coordinates, texel);
    }
}

impl<S: Sampled, T: Channel> Image<S, T, ReadOnly> {
    /// What a sampler finds at a position, which is in texels or goes from 0 to 1, as the type of the sampler says. The layer of an
    /// array is a number in both cases.
    #[must_use]
    pub fn sample<F: Filter, C: Coordinates>(
        &self,
        sampler: Sampler<F, C>,
        position: impl PositionFor<S, F, C>,
    ) -> S::Texel<T>
    where
        T: Filtered<F>,
    {
        let size = self.format.texel_size();
        let fetch = |index: u64| self.format.read(&self.bytes[index as usize * size..]);
        let border = if S::SHAPE.is_depth() { [0; 4] } else { self.format.border() };
        S::texel(self.extent.sample(sampler.state(), position.position(), border, fetch))
    }
}

impl<S: Shape, T: Channel, A: Access> fmt::Debug for Image<S, T, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { format, extent, .. } = self;
        write!(f, "{}({:?} texels of {format})", S::SHAPE.name(), &extent.size[..S::SHAPE.coordinates()])
    }
}
