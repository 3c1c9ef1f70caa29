//! Boxes of elements in buffers that are seen as grids.

use crate::error::{BufferError, BufferProblem, RegionProblem};
use crate::memory::buffer::error;
use core::ops::Range;
use kernel_core::Element;

/// A rectangle or box of the elements of a buffer, which is seen as rows of elements, and slices of rows, without gaps.
///
/// Sizes and positions are those of x first, which is the position within a row, then of y and z, as for launches.
///
#[cfg_attr(feature = "cpu", doc = "```")]
#[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
/// use kernel_runtime::{Region, prelude::*};
///
/// # fn main() -> Result<()> {
/// let queue = Device::best()?.queue()?;
/// let (width, height) = (640, 480);
/// let mut picture = queue.zeros::<u8>(width * height)?;
/// // A tile of 32 × 16, whose first element is the fifth of the third row.
/// let tile = Region::of_2d([width, height], [4, 2], [32, 16]);
/// queue.write_region(&mut picture, tile, &[255; 32 * 16])?;
/// assert_eq!(queue.download_region(&picture, Region::of_2d([width, height], [3, 2], [2, 1]))?, [0, 255]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Region {
    grid: [usize; 3],
    origin: [usize; 3],
    size: [usize; 3],
}

impl Region {
    /// A rectangle in rows of `grid[0]` elements, of which there are `grid[1]`: its first element, and how many there are in a row and a column of
    /// it.
    #[must_use]
    pub const fn of_2d(grid: [usize; 2], origin: [usize; 2], size: [usize; 2]) -> Self {
        Self { grid: [grid[0], grid[1], 1], origin: [origin[0], origin[1], 0], size: [size[0], size[1], 1] }
    }

    /// A box in `grid[2]` slices of rows: its first element, and its size.
    #[must_use]
    pub const fn of_3d(grid: [usize; 3], origin: [usize; 3], size: [usize; 3]) -> Self {
        Self { grid, origin, size }
    }

    /// The number of elements of a row, of rows of a slice, and of slices of the whole grid.
    #[must_use]
    pub const fn grid(&self) -> [usize; 3] {
        self.grid
    }

    /// Where the first element is.
    #[must_use]
    pub const fn origin(&self) -> [usize; 3] {
        self.origin
    }

    /// The number of elements in each dimension.
    #[must_use]
    pub const fn size(&self) -> [usize; 3] {
        self.size
    }

    /// The number of elements; `usize::MAX` where there are more.
    #[must_use]
    pub const fn len(&self) -> usize {
        let [x, y, z] = self.size;
        x.saturating_mul(y).saturating_mul(z)
    }

    /// Whether there are no elements.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The region of the same size that is a grid of its own.
    pub(crate) const fn packed(&self) -> Self {
        Self { grid: self.size, origin: [0; 3], size: self.size }
    }

    /// Checks that the region is in its grid, and the grid in a buffer of so many elements.
    pub(crate) fn place<T: Element>(&self, len: usize) -> Result<Placed, BufferError> {
        let problem = |what| error::<T>(BufferProblem::Region { what });
        for axis in 0..3 {
            let (origin, size, grid) = (self.origin[axis], self.size[axis], self.grid[axis]);
            if origin.checked_add(size).is_none_or(|end| end > grid) {
                return Err(problem(RegionProblem::NotInGrid { axis, origin, size, grid }));
            }
        }
        let [x, y, z] = self.grid;
        let elements = x.checked_mul(y).and_then(|slice| slice.checked_mul(z));
        if elements.is_none_or(|elements| elements > len) {
            return Err(problem(RegionProblem::GridTooLarge { grid: self.grid, len }));
        }
        let size = size_of::<T>();
        let (row, slice) = (x * size, x * y * size);
        let first = self.origin[0] * size + self.origin[1] * row + self.origin[2] * slice;
        Ok(Placed { first, width: self.size[0] * size, rows: self.size[1], slices: self.size[2], row, slice })
    }
}

/// A region of a buffer that has room for it. All sizes are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    /// Where it starts.
    pub(crate) first: usize,
    /// How many bytes of each row are in it.
    pub(crate) width: usize,
    pub(crate) rows: usize,
    pub(crate) slices: usize,
    /// From one row to the next.
    pub(crate) row: usize,
    /// From one slice to the next.
    pub(crate) slice: usize,
}

impl Placed {
    pub(crate) fn is_empty(&self) -> bool {
        self.width == 0 || self.rows == 0 || self.slices == 0
    }

    /// From its first byte to its last one, with what is between the rows.
    pub(crate) fn span(&self) -> Range<usize> {
        match self.is_empty() {
            true => self.first..self.first,
            false => self.first..self.start(self.rows - 1, self.slices - 1) + self.width,
        }
    }

    /// Where a row starts.
    pub(crate) fn start(&self, row: usize, slice: usize) -> usize {
        self.first + row * self.row + slice * self.slice
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_is_placed_in_bytes() {
        let region = Region::of_3d([8, 4, 3], [2, 1, 1], [3, 2, 2]);
        let placed = region.place::<u16>(96).unwrap();
        assert_eq!(placed, Placed { first: 84, width: 6, rows: 2, slices: 2, row: 16, slice: 64 });
        assert_eq!(placed.span(), 84..84 + 16 + 64 + 6);
        assert_eq!(region.packed().place::<u16>(12).unwrap().span(), 0..24);
    }

    #[test]
    fn what_is_not_there_is_refused() {
        let check = |region: Region, len, expected| {
            let error = region.place::<u32>(len).unwrap_err();
            assert_eq!(error.problem, BufferProblem::Region { what: expected });
        };
        let beyond = RegionProblem::NotInGrid { axis: 1, origin: 3, size: 2, grid: 4 };
        check(Region::of_2d([8, 4], [0, 3], [1, 2]), 32, beyond);
        let overflows = RegionProblem::NotInGrid { axis: 0, origin: usize::MAX, size: 1, grid: 8 };
        check(Region::of_2d([8, 4], [usize::MAX, 0], [1, 1]), 32, overflows);
        let large = RegionProblem::GridTooLarge { grid: [8, 4, 1], len: 31 };
        check(Region::of_2d([8, 4], [0, 0], [1, 1]), 31, large);
        let grid = [usize::MAX, 2, 1];
        check(Region::of_3d(grid, [0; 3], [1; 3]), 31, RegionProblem::GridTooLarge { grid, len: 31 });
    }

    #[test]
    fn a_region_may_be_empty() {
        let region = Region::of_2d([8, 4], [8, 4], [0, 0]);
        assert!(region.is_empty() && region.place::<u8>(32).unwrap().is_empty());
        assert!(region.place::<u8>(32).unwrap().span().is_empty());
    }
}
