//! Texels of several lanes between memory and registers.

use super::Numbers;
use crate::exec::frame::Mask;
use crate::exec::map::each;
use crate::image::Image;
use crate::program::LANES;
use kernel_core::image::{ChannelType, ImageFormat, TexelBits};

/// The bytes of the texels of lanes, as they are in memory.
type Raw = [TexelBits; LANES];

/// The texels of an image.
#[derive(Clone, Copy)]
pub(super) struct Texels<'a> {
    image: &'a Image,
    format: ImageFormat,
}

/// Calls a function with the type of channels as a constant, so that the compiler makes vector instructions of each.
macro_rules! with_constant {
    ($channel:expr, $function:expr, $numbers:expr, $($name:ident)*) => {
        match $channel {
            $(ChannelType::$name => mapped($numbers, |number| $function(ChannelType::$name, number)),)*
        }
    };
}

/// A function of each lane.
#[inline(always)]
fn mapped(numbers: &Numbers, function: impl Fn(u32) -> u32) -> Numbers {
    let mut result = [0; LANES];
    for lane in 0..LANES {
        result[lane] = function(numbers[lane]);
    }
    result
}

#[inline(always)]
fn decoded(channel: ChannelType, words: &Numbers) -> Numbers {
    with_constant!(channel, ChannelType::decode, words,
        Snorm8 Snorm16 Unorm8 Unorm16 Sint8 Sint16 Sint32 Uint8 Uint16 Uint32 Float16 Float32)
}

#[inline(always)]
fn encoded(channel: ChannelType, numbers: &Numbers) -> Numbers {
    with_constant!(channel, ChannelType::encode, numbers,
        Snorm8 Snorm16 Unorm8 Unorm16 Sint8 Sint16 Sint32 Uint8 Uint16 Uint32 Float16 Float32)
}

/// The bits of a channel of so many bytes that begins at one of a texel.
#[inline(always)]
fn word(texel: &TexelBits, start: usize, size: usize) -> u32 {
    let bits = texel[start / 4 % 4] >> (8 * (start % 4));
    bits & (u32::MAX >> (32 - 8 * size))
}

impl<'a> Texels<'a> {
    pub(super) fn of(image: &'a Image) -> Self {
        Self { image, format: image.format }
    }

    /// Reads the texels with some numbers, for the lanes of a mask, whose texels are inside.
    #[inline(always)]
    pub(super) fn fetch(self, indices: &[u64; LANES], mask: Mask, texels: &mut [Numbers; 4]) {
        let mut raw: Raw = [[0; 4]; LANES];
        match self.format.texel_size() {
            16 => each(mask, |lane| raw[lane] = self.image.raw::<16>(indices[lane])),
            8 => each(mask, |lane| raw[lane] = self.image.raw::<8>(indices[lane])),
            4 => each(mask, |lane| raw[lane] = self.image.raw::<4>(indices[lane])),
            2 => each(mask, |lane| raw[lane] = self.image.raw::<2>(indices[lane])),
            _ => each(mask, |lane| raw[lane] = self.image.raw::<1>(indices[lane])),
        }
        let channels = self.format.order.channels();
        let size = self.format.channel.size();
        for (channel, texels) in texels.iter_mut().enumerate() {
            let numbers = match channels.iter().position(|&other| other == channel) {
                Some(position) => {
                    let mut words = [0; LANES];
                    for lane in 0..LANES {
                        words[lane] = word(&raw[lane], position * size, size);
                    }
                    decoded(self.format.channel, &words)
                }
                None => [self.format.missing(channel); LANES],
            };
            for lane in 0..LANES {
                let is_here = mask >> lane & 1 != 0;
                texels[lane] = if is_here { numbers[lane] } else { texels[lane] };
            }
        }
    }

    /// Writes the texels with some numbers, for the lanes of a mask, whose texels are inside.
    #[inline(always)]
    pub(super) fn put(self, indices: &[u64; LANES], mask: Mask, texels: &[Numbers; 4]) {
        let size = self.format.channel.size();
        let mut raw: Raw = [[0; 4]; LANES];
        for (position, &channel) in self.format.order.channels().iter().enumerate() {
            let words = encoded(self.format.channel, &texels[channel]);
            let start = position * size;
            for lane in 0..LANES {
                raw[lane][start / 4 % 4] |= words[lane] << (8 * (start % 4));
            }
        }
        match self.format.texel_size() {
            16 => each(mask, |lane| self.image.set_raw::<16>(indices[lane], raw[lane])),
            8 => each(mask, |lane| self.image.set_raw::<8>(indices[lane], raw[lane])),
            4 => each(mask, |lane| self.image.set_raw::<4>(indices[lane], raw[lane])),
            2 => each(mask, |lane| self.image.set_raw::<2>(indices[lane], raw[lane])),
            _ => each(mask, |lane| self.image.set_raw::<1>(indices[lane], raw[lane])),
        }
    }
}
