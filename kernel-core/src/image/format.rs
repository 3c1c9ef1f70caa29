//! How texels are kept in memory.
//!
//! The conversions are those of the OpenCL C specification, "Conversion Rules": what is read of a channel of `n` bits that stands
//! for a number from 0 to 1 is that channel divided by its largest value, and what is written is rounded to the nearest.

use super::shape::ChannelClass;
use crate::half::f16;
use core::fmt;

/// Which channels a texel has, in the order of their addresses; as numbers those of the SPIR-V specification, "Image Channel Order".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChannelOrder {
    /// Red. The others read as 0, alpha as 1.
    R = 0,
    /// Red and green.
    Rg = 2,
    /// Red, green, blue and alpha.
    Rgba = 5,
    /// Blue, green, red and alpha.
    Bgra = 6,
}

/// The type of each channel; as numbers those of the SPIR-V specification, "Image Channel Data Type".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChannelType {
    /// 8 bits for -1 to 1.
    Snorm8 = 0,
    /// 16 bits for -1 to 1.
    Snorm16 = 1,
    /// 8 bits for 0 to 1.
    Unorm8 = 2,
    /// 16 bits for 0 to 1.
    Unorm16 = 3,
    /// A signed integer of 8 bits.
    Sint8 = 7,
    /// A signed integer of 16 bits.
    Sint16 = 8,
    /// A signed integer of 32 bits.
    Sint32 = 9,
    /// An unsigned integer of 8 bits.
    Uint8 = 10,
    /// An unsigned integer of 16 bits.
    Uint16 = 11,
    /// An unsigned integer of 32 bits.
    Uint32 = 12,
    /// A half-precision float.
    Float16 = 13,
    /// A single-precision float.
    Float32 = 14,
}

/// The format of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageFormat {
    /// Which channels there are.
    pub order: ChannelOrder,
    /// What each is.
    pub channel: ChannelType,
}

/// The numbers of a texel's four channels, red first, as bit patterns: of an `f32`, which an `f16` is converted to and from, an `i32` or
/// a `u32`, as the format says.
pub type TexelBits = [u32; 4];

impl ChannelType {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Snorm8,
        Self::Snorm16,
        Self::Unorm8,
        Self::Unorm16,
        Self::Sint8,
        Self::Sint16,
        Self::Sint32,
        Self::Uint8,
        Self::Uint16,
        Self::Uint32,
        Self::Float16,
        Self::Float32,
    ];

    /// The size of a channel in bytes.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::Snorm8 | Self::Unorm8 | Self::Sint8 | Self::Uint8 => 1,
            Self::Snorm16 | Self::Unorm16 | Self::Sint16 | Self::Uint16 | Self::Float16 => 2,
            Self::Sint32 | Self::Uint32 | Self::Float32 => 4,
        }
    }

    /// What a channel is to a kernel that does not have it as an `f16`.
    #[must_use]
    pub const fn class(self) -> ChannelClass {
        match self {
            Self::Sint8 | Self::Sint16 | Self::Sint32 => ChannelClass::Signed,
            Self::Uint8 | Self::Uint16 | Self::Uint32 => ChannelClass::Unsigned,
            _ => ChannelClass::Float,
        }
    }

    fn read(self, bytes: &[u8]) -> u32 {
        let mut word = [0; 4];
        word[..self.size()].copy_from_slice(&bytes[..self.size()]);
        self.decode(u32::from_le_bytes(word))
    }

    /// What a channel is to a kernel, by its bits in memory.
    #[inline(always)]
    #[must_use]
    pub fn decode(self, word: u32) -> u32 {
        let float = |value: f32| value.to_bits();
        match self {
            Self::Snorm8 => float((f32::from(word as u8 as i8) / 127.0).max(-1.0)),
            Self::Snorm16 => float((f32::from(word as u16 as i16) / 32767.0).max(-1.0)),
            Self::Unorm8 => float(word as f32 / 255.0),
            Self::Unorm16 => float(word as f32 / 65535.0),
            Self::Sint8 => i32::from(word as u8 as i8) as u32,
            Self::Sint16 => i32::from(word as u16 as i16) as u32,
            Self::Float16 => float(f16::from_bits(word as u16).to_f32()),
            Self::Sint32 | Self::Uint8 | Self::Uint16 | Self::Uint32 | Self::Float32 => word,
        }
    }

    /// The bits in memory of what a channel is to a kernel.
    #[inline(always)]
    #[must_use]
    pub fn encode(self, bits: u32) -> u32 {
        let float = f32::from_bits(bits);
        // `as` saturates and makes NaN 0, as the conversions of OpenCL do.
        let scaled = |factor: f32| (float * factor).round_ties_even() as i32;
        let signed = bits as i32;
        match self {
            Self::Snorm8 => scaled(127.0).clamp(-128, 127) as u8 as u32,
            Self::Snorm16 => scaled(32767.0).clamp(-32768, 32767) as u16 as u32,
            Self::Unorm8 => scaled(255.0).clamp(0, 255) as u32,
            Self::Unorm16 => scaled(65535.0).clamp(0, 65535) as u32,
            Self::Sint8 => signed.clamp(-128, 127) as u8 as u32,
            Self::Sint16 => signed.clamp(-32768, 32767) as u16 as u32,
            Self::Uint8 => bits.min(255),
            Self::Uint16 => bits.min(65535),
            Self::Float16 => f16::from_f32(float).to_bits().into(),
            Self::Sint32 | Self::Uint32 | Self::Float32 => bits,
        }
    }

    fn write(self, bits: u32, bytes: &mut [u8]) {
        bytes[..self.size()].copy_from_slice(&self.encode(bits).to_le_bytes()[..self.size()]);
    }
}

impl ChannelOrder {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::R, Self::Rg, Self::Rgba, Self::Bgra];

    /// The channels in the order of their addresses, red being 0 and alpha 3.
    #[must_use]
    pub const fn channels(self) -> &'static [usize] {
        match self {
            Self::R => &[0],
            Self::Rg => &[0, 1],
            Self::Rgba => &[0, 1, 2, 3],
            Self::Bgra => &[2, 1, 0, 3],
        }
    }

    /// Returns whether there is an alpha channel.
    #[must_use]
    pub const fn has_alpha(self) -> bool {
        matches!(self, Self::Rgba | Self::Bgra)
    }
}

impl ImageFormat {
    /// The format with these channels.
    #[must_use]
    pub const fn new(order: ChannelOrder, channel: ChannelType) -> Self {
        Self { order, channel }
    }

    /// The size of a texel in bytes.
    #[must_use]
    pub const fn texel_size(self) -> usize {
        self.order.channels().len() * self.channel.size()
    }

    /// Returns whether texels are in memory as kernels have them: four channels of 32 bits, red first.
    #[must_use]
    pub const fn is_plain(self) -> bool {
        matches!(self.order, ChannelOrder::Rgba) && self.channel.size() == 4
    }

    /// What its texels are to a kernel that does not have them as `f16`.
    #[must_use]
    pub const fn class(self) -> ChannelClass {
        self.channel.class()
    }

    /// Returns whether a kernel may have its channels as numbers of a class. All that are floats may be `f16`, but for those of 32 bits, of
    /// which OpenCL leaves open what they are then (OpenCL C specification, "Built-in Image Read Functions", `read_imageh`).
    #[must_use]
    pub const fn goes_with(self, class: ChannelClass) -> bool {
        match class {
            ChannelClass::Half => self.class().is_float() && self.channel.size() < 4,
            ChannelClass::Float => self.class().is_float(),
            ChannelClass::Signed => matches!(self.class(), ChannelClass::Signed),
            ChannelClass::Unsigned => matches!(self.class(), ChannelClass::Unsigned),
        }
    }

    /// The bit pattern of 1.
    #[inline]
    const fn one(self) -> u32 {
        match self.class() {
            ChannelClass::Float | ChannelClass::Half => 1.0_f32.to_bits(),
            ChannelClass::Signed | ChannelClass::Unsigned => 1,
        }
    }

    /// The bits of a channel, red being 0 and alpha 3, that texels do not have.
    #[inline]
    #[must_use]
    pub const fn missing(self, channel: usize) -> u32 {
        if channel == 3 { self.one() } else { 0 }
    }

    /// What a sampler finds beyond the edge of an image.
    #[must_use]
    pub const fn border(self) -> TexelBits {
        if self.order.has_alpha() { [0; 4] } else { [0, 0, 0, self.one()] }
    }

    /// Reads the texel at the beginning of some bytes.
    ///
    /// # Panics
    ///
    /// If there are fewer than a texel has.
    #[must_use]
    pub fn read(self, bytes: &[u8]) -> TexelBits {
        let mut texel = [0, 0, 0, self.one()];
        let size = self.channel.size();
        for (position, &channel) in self.order.channels().iter().enumerate() {
            texel[channel] = self.channel.read(&bytes[position * size..]);
        }
        texel
    }

    /// Writes a texel to the beginning of some bytes.
    ///
    /// # Panics
    ///
    /// If there are fewer than a texel has.
    pub fn write(self, texel: TexelBits, bytes: &mut [u8]) {
        let size = self.channel.size();
        for (position, &channel) in self.order.channels().iter().enumerate() {
            self.channel.write(texel[channel], &mut bytes[position * size..]);
        }
    }
}

impl fmt::Display for ImageFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.order, self.channel)
    }
}
