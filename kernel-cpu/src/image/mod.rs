//! Images and samplers, as kernels and copies see them.
//!
//! How texels are kept and sampled is kernel-core's, which the host's images share. A kernel has a number for each of its images and
//! samplers: the position of the argument plus one, or for a sampler that is a constant what it does. A number may be anything, so
//! it is looked at wherever it is used.

use crate::memory::{Allocation, Usage};
use kernel_core::ImageShape;
use kernel_core::image::{AddressMode, Extent, FilterMode, ImageFormat, SamplerState, TexelBits};
use std::sync::Arc;

/// The largest texel in bytes.
const MAX_TEXEL: usize = 16;

/// Texels in memory, row after row without gaps.
#[derive(Debug)]
pub(crate) struct Image {
    pub(crate) extent: Extent,
    pub(crate) format: ImageFormat,
    /// How many texels there are.
    count: u64,
    /// Its memory, which views of it share.
    texels: Arc<Allocation>,
}

/// What an argument that is no number stands for.
#[derive(Clone, Debug, Default)]
pub(crate) enum Object {
    #[default]
    None,
    Image(Arc<Image>),
    Sampler(SamplerState),
}

/// A box of texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) origin: [u32; 3],
    pub(crate) size: [u32; 3],
}

impl Image {
    /// An image of zeros; none if there is no memory for it. No size is zero.
    pub(crate) fn new(extent: Extent, format: ImageFormat) -> Option<Self> {
        let count = extent.texels();
        let bytes = count.checked_mul(format.texel_size() as u64)?;
        let texels = Allocation::new(usize::try_from(bytes).ok()?, 64, Usage::Device)?;
        Some(Self { extent, format, count, texels: Arc::new(texels) })
    }

    /// An image of the same memory, whose texels are something else; none if it would be larger.
    pub(crate) fn view(&self, extent: Extent, format: ImageFormat) -> Option<Self> {
        let count = extent.texels();
        let bytes = count.checked_mul(format.texel_size() as u64)?;
        let fits = bytes <= self.bytes();
        fits.then(|| Self { extent, format, count, texels: Arc::clone(&self.texels) })
    }

    /// The size of its memory.
    pub(crate) fn bytes(&self) -> u64 {
        self.texels.span().length
    }

    /// The number of its memory, which is that of all its views.
    pub(crate) fn id(&self) -> u64 {
        self.texels.id
    }

    /// Where its texels start.
    pub(crate) fn start(&self) -> u64 {
        self.texels.span().start
    }

    /// The memory that has its texels.
    pub(crate) fn texels(&self) -> &Allocation {
        &self.texels
    }

    /// Notes that bytes of it have been written.
    pub(crate) fn mark(&self, texels: *const u8, length: usize) {
        if let Some(written) = &self.texels.written {
            written.mark((texels.addr() as u64).wrapping_sub(self.start()), length as u64);
        }
    }

    /// All of its texels.
    pub(crate) fn whole(&self) -> Region {
        Region { origin: [0; 3], size: self.extent.size }
    }

    /// Whether a region is inside.
    pub(crate) fn contains(&self, region: Region) -> bool {
        (0..3).all(|axis| {
            let end = u64::from(region.origin[axis]) + u64::from(region.size[axis]);
            region.size[axis] != 0 && end <= u64::from(self.extent.size[axis])
        })
    }

    /// The texel with a number, which must be below that of all texels.
    #[inline]
    fn texel(&self, index: u64) -> *mut u8 {
        debug_assert!(index < self.count);
        self.texels.start().wrapping_add(index as usize * self.format.texel_size())
    }

    /// The `SIZE` bytes of the texel with a number, and zeros; all zeros if there is none, or if it has not as many.
    #[inline(always)]
    pub(crate) fn raw<const SIZE: usize>(&self, index: u64) -> TexelBits {
        let mut bytes = [0; MAX_TEXEL];
        if index < self.count && SIZE <= self.format.texel_size() {
            // SAFETY: the texel is in the allocation, and no larger than the array. Kernels that race get what they get.
            unsafe { std::ptr::copy_nonoverlapping(self.texel(index), bytes.as_mut_ptr(), SIZE) };
        }
        let (words, _) = bytes.as_chunks::<4>();
        std::array::from_fn(|word| u32::from_le_bytes(words[word]))
    }

    /// Sets these bytes, if there are such.
    #[inline(always)]
    pub(crate) fn set_raw<const SIZE: usize>(&self, index: u64, texel: TexelBits) {
        if index < self.count && SIZE <= self.format.texel_size() {
            let words = texel.map(u32::to_le);
            // SAFETY: as for `raw`.
            unsafe { std::ptr::copy_nonoverlapping(words.as_ptr().cast::<u8>(), self.texel(index), SIZE) }
        }
    }

    /// Where bytes of a row are; none if they are not all there, or if the texels are too large for blocks.
    fn row_bytes(&self, [x, y]: [i32; 2], count: u32) -> Option<*mut u8> {
        let [width, height, _] = self.extent.size;
        let row = u64::from(width) * self.format.texel_size() as u64;
        let (x, y) = (u64::try_from(x).ok()?, u64::try_from(y).ok()?);
        let is_there = x + u64::from(count) <= row && y < u64::from(height);
        let fits = is_there && self.format.texel_size() <= 4 && self.extent.shape == ImageShape::D2;
        fits.then(|| self.texels.start().wrapping_add((y * row + x) as usize))
    }

    /// The address of bytes of a row, if they are there.
    pub(crate) fn bytes_address(&self, at: [i32; 2], count: u32) -> Option<u64> {
        self.row_bytes(at, count).map(|address| address.addr() as u64)
    }

    /// The number of up to four bytes in a row, from one byte on, if they are there.
    pub(crate) fn read_bytes(&self, at: [i32; 2], count: u32) -> Option<u32> {
        let from = self.row_bytes(at, count)?;
        let mut bytes = [0; 4];
        // SAFETY: the bytes are in the allocation, since they are in a row, and there are no more than four.
        unsafe { std::ptr::copy_nonoverlapping(from, bytes.as_mut_ptr(), (count as usize).min(4)) };
        Some(u32::from_le_bytes(bytes))
    }

    /// Writes such bytes. Beyond the edge of an image whose texels have four nothing is written; whether that, or they are there.
    pub(crate) fn write_bytes(&self, at: [i32; 2], count: u32, number: u32) -> bool {
        let Some(to) = self.row_bytes(at, count) else { return self.format.texel_size() == 4 };
        // SAFETY: as for `read_bytes`.
        unsafe { std::ptr::copy_nonoverlapping(number.to_le_bytes().as_ptr(), to, (count as usize).min(4)) };
        true
    }

    /// Calls `copy` for each row of a region that is inside: with its address, its length in bytes, and its number in its slice and that
    /// of the slice.
    pub(crate) fn rows(&self, region: Region, mut copy: impl FnMut(*mut u8, usize, [u64; 2])) {
        let Region { origin, size } = region;
        let length = size[0] as usize * self.format.texel_size();
        for slice in 0..size[2] {
            for row in 0..size[1] {
                let at = [origin[0], origin[1] + row, origin[2] + slice].map(i64::from);
                if let Some(index) = self.extent.index(at) {
                    copy(self.texel(index), length, [row.into(), slice.into()]);
                }
            }
        }
    }
}

/// What a kernel calls the argument at a position.
pub(crate) fn number_of_argument(position: u32) -> u64 {
    u64::from(position) + 1
}

const LITERAL: u64 = 1 << 63;

/// What a kernel calls a sampler that is a constant, by the numbers that the module has for it.
pub(crate) fn number_of_sampler(address: u32, normalized: u32, filter: u32) -> Option<u64> {
    let number = LITERAL | u64::from(address) << 8 | u64::from(normalized) << 4 | u64::from(filter);
    let fits = address < 256 && normalized < 2 && filter < 16;
    (fits && literal(number).is_some()).then_some(number)
}

fn literal(number: u64) -> Option<SamplerState> {
    let address = match number >> 8 & 0xff {
        0 => AddressMode::None,
        1 => AddressMode::ClampToEdge,
        2 => AddressMode::ClampToBorder,
        3 => AddressMode::Repeat,
        4 => AddressMode::MirroredRepeat,
        _ => return None,
    };
    let filter = match number & 0xf {
        0 => FilterMode::Nearest,
        1 => FilterMode::Linear,
        _ => return None,
    };
    Some(SamplerState { address, filter, normalized: number >> 4 & 1 == 1 })
}

/// The sampler that a number stands for.
pub(crate) fn sampler(objects: &[Object], number: u64) -> Option<SamplerState> {
    if number & LITERAL != 0 {
        return literal(number);
    }
    match objects.get(usize::try_from(number).ok()?.checked_sub(1)?)? {
        Object::Sampler(state) => Some(*state),
        _ => None,
    }
}

/// The image that a number stands for, if it has these dimensions.
pub(crate) fn image(objects: &[Object], number: u64, shape: ImageShape) -> Option<&Image> {
    match objects.get(usize::try_from(number).ok()?.checked_sub(1)?)? {
        Object::Image(image) if image.extent.shape == in_memory(shape) => Some(image),
        _ => None,
    }
}

/// The dimensions in memory, where depths are texels like others.
pub(crate) fn in_memory(shape: ImageShape) -> ImageShape {
    match shape {
        ImageShape::D2Depth => ImageShape::D2,
        ImageShape::D2ArrayDepth => ImageShape::D2Array,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel_core::image::{ChannelOrder, ChannelType};

    #[test]
    fn numbers_that_stand_for_nothing_are_found() {
        let format = ImageFormat::new(ChannelOrder::Rgba, ChannelType::Unorm8);
        let extent = Extent { shape: ImageShape::D2, size: [2, 2, 1] };
        let objects = [Object::None, Object::Image(Arc::new(Image::new(extent, format).unwrap()))];
        assert!(
            image(&objects, 2, ImageShape::D2).is_some() && image(&objects, 2, ImageShape::D2Depth).is_some()
        );
        for number in [0, 1, 3, u64::MAX, LITERAL] {
            assert!(image(&objects, number, ImageShape::D2).is_none());
        }
        assert!(image(&objects, 2, ImageShape::D3).is_none());
        for number in [0, 1, 2, 3, 1 << 62, LITERAL | 5 << 8, LITERAL | 2] {
            assert_eq!(sampler(&objects, number), None);
        }
        assert!(sampler(&objects, number_of_sampler(1, 0, 0).unwrap()).is_some());
        assert_eq!(number_of_sampler(5, 0, 0), None);
        assert_eq!(number_of_sampler(0, 2, 0), None);
    }
}
