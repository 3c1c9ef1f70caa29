//! Blocks of images, which the work-items of a subgroup read and write together.

use super::host::{Channel, Image, Readable, Writable, shapes};
use crate::group::BlockValue;
use crate::vector::{Lane, Vector};

impl<T: Channel, A: super::Access> Image<shapes::D2, T, A> {
    /// Where the block of the only work-item of a subgroup starts, and how many bytes a row of the image has.
    #[cfg_attr(debug_assertions, track_caller)]
    fn block<B: BlockValue>(&self, (x, y): (usize, usize), rows: usize) -> (usize, usize) {
        assert!(self.format().texel_size() <= 4, "the texels of an image block have 4 bytes at most");
        let row = self.width() * self.format().texel_size();
        for (index, len) in [(x, row / size_of::<B>()), (y.saturating_add(rows - 1), self.height())] {
            assert!(index < len, "index out of bounds: the len is {len} but the index is {index}");
        }
        (y * row + x * size_of::<B>(), row)
    }

    #[cfg_attr(debug_assertions, track_caller)]
    fn read_rows<B: Lane<N> + BlockValue, const N: usize>(&self, at: (usize, usize)) -> Vector<B, N> {
        let (start, row) = self.block::<B>(at, N);
        Vector::from_array(core::array::from_fn(|lane| B::from_memory(&self.bytes()[start + lane * row..])))
    }

    #[cfg_attr(debug_assertions, track_caller)]
    fn write_rows<B: BlockValue>(&mut self, at: (usize, usize), rows: &[B]) {
        assert!(
            (at.0 * size_of::<B>()).is_multiple_of(4),
            "an image block is written from a multiple of 4 bytes on"
        );
        let (start, row) = self.block::<B>(at, rows.len());
        for (lane, value) in rows.iter().enumerate() {
            value.to_memory(&mut self.bytes_mut()[start + lane * row..]);
        }
    }
}

impl<T: Channel, A: Readable> Image<shapes::D2, T, A> {
    /// What is in memory at the position `x + subgroup::local_id()` of the row `y`, where `at` is `(x, y)`: all work-items of the subgroup read
    /// neighbouring parts of it, by one message, a block read. The format means nothing to that: a row is so many bytes, which are
    /// read as numbers `B` of 16 or 32 bits, and `x` counts these.
    ///
    /// ```
    /// # use kernel_core::image::{ChannelOrder, ChannelType, Image2d, ImageFormat};
    /// // Of two texels of four bytes the second, as one number.
    /// let format = ImageFormat::new(ChannelOrder::Rgba, ChannelType::Unorm8);
    /// let image = Image2d::<f32>::from_bytes(format, (2, 1), &[0, 0, 0, 0, 1, 2, 3, 4]);
    /// assert_eq!(image.block_read::<u32>((1, 0)), 0x0403_0201);
    /// assert_eq!(image.block_read::<u16>((2, 0)), 0x0201);
    /// ```
    ///
    /// `at` must be the same for all, and all of the block, for as many work-items as whole subgroups have, must be in the image. On a device, what is beyond is a fault, and
    /// zero is read.
    ///
    /// # Panics
    ///
    /// If the block is not all there, or a texel has more than 4 bytes, which blocks cannot have (Level Zero SPIR-V environment,
    /// `SPV_INTEL_subgroups`, "Notes and Restrictions").
    #[must_use]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn block_read<B: BlockValue>(&self, at: (usize, usize)) -> B {
        B::from_memory(&self.bytes()[self.block::<B>(at, 1).0..])
    }

    /// The same of two rows, from `y` on.
    ///
    /// # Panics
    ///
    /// As [`block_read`](Self::block_read).
    #[must_use]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn block_read2<B: BlockValue>(&self, at: (usize, usize)) -> Vector<B, 2> {
        self.read_rows(at)
    }

    /// The same of four rows, from `y` on.
    ///
    /// # Panics
    ///
    /// As [`block_read`](Self::block_read).
    #[must_use]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn block_read4<B: BlockValue>(&self, at: (usize, usize)) -> Vector<B, 4> {
        self.read_rows(at)
    }

    /// The same of eight rows, from `y` on.
    ///
    /// # Panics
    ///
    /// As [`block_read`](Self::block_read).
    #[must_use]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn block_read8<B: BlockValue>(&self, at: (usize, usize)) -> Vector<B, 8> {
        self.read_rows(at)
    }
}

impl<T: Channel, A: Writable> Image<shapes::D2, T, A> {
    /// Writes a number into memory where [`block_read`](Self::block_read) reads it: all work-items of the subgroup write neighbouring parts of a row, by one message.
    ///
    /// Besides what a read demands, the subgroup must be whole, and the block must start at a multiple of 4 bytes, which is an even `x` for numbers of 16 bits. On a
    /// device nothing is written elsewhere, which is a fault.
    ///
    /// # Panics
    ///
    /// If the block is not all there, starts elsewhere, or a texel has more than 4 bytes.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn block_write<B: BlockValue>(&mut self, at: (usize, usize), value: B) {
        self.write_rows(at, &[value]);
    }

    /// The same for two rows, from `y` on.
    ///
    /// # Panics
    ///
    /// As [`block_write`](Self::block_write).
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn block_write2<B: BlockValue>(&mut self, at: (usize, usize), value: Vector<B, 2>) {
        self.write_rows(at, value.as_array());
    }

    /// The same for four rows, from `y` on.
    ///
    /// # Panics
    ///
    /// As [`block_write`](Self::block_write).
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn block_write4<B: BlockValue>(&mut self, at: (usize, usize), value: Vector<B, 4>) {
        self.write_rows(at, value.as_array());
    }

    /// The same for eight rows, from `y` on.
    ///
    /// # Panics
    ///
    /// As [`block_write`](Self::block_write).
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn block_write8<B: BlockValue>(&mut self, at: (usize, usize), value: Vector<B, 8>) {
        self.write_rows(at, value.as_array());
    }
}
