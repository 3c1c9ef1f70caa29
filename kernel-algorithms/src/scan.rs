//! Scans: for each element what those before it come to.

use crate::{Monoid, Result, ShapeError};
use kernel_runtime::Element;
use kernel_runtime::prelude::*;

/// How many elements a group scans.
const BLOCK: usize = 2048;

/// Makes element `i` of `y` what the elements of `x` up to and with `i` come to.
///
/// Takes 2 n reads and n writes: the sum of each block, a scan of these sums, and a scan of each block, as in Sengupta, Harris, Zhang and Owens, *Scan Primitives for GPU Computing*
/// (2007). Groups do not wait for each other, since nothing promises that a device runs them at the same time.
///
/// # Errors
///
/// [`Error::Shape`](crate::Error::Shape) if the lengths differ, [`Error::Runtime`](crate::Error::Runtime).
pub fn inclusive_scan<T: Element, M: Monoid<T>>(
    queue: &Queue,
    _operation: M,
    x: &Buffer<T>,
    y: &mut Buffer<T>,
) -> Result<()> {
    ShapeError::check_length("inclusive_scan", "y", x.len(), y.len())?;
    scan::<T, M>(queue, x, y, true)
}

/// Makes element `i` of `y` what the elements of `x` before `i` come to; the first is the identity.
///
/// Takes as long as [`inclusive_scan`].
///
/// # Errors
///
/// Those of [`inclusive_scan`].
pub fn exclusive_scan<T: Element, M: Monoid<T>>(
    queue: &Queue,
    _operation: M,
    x: &Buffer<T>,
    y: &mut Buffer<T>,
) -> Result<()> {
    ShapeError::check_length("exclusive_scan", "y", x.len(), y.len())?;
    scan::<T, M>(queue, x, y, false)
}

/// Scans blocks, once it is known what comes before each. The sums of blocks are 2048 times fewer at each level.
fn scan<T: Element, M: Monoid<T>>(
    queue: &Queue,
    x: &Buffer<T>,
    y: &mut Buffer<T>,
    inclusive: bool,
) -> Result<()> {
    let blocks = x.len().div_ceil(BLOCK);
    if blocks <= 1 {
        return M::scan_blocks(queue, x, &queue.filled(blocks, M::identity())?, y, inclusive);
    }
    let (mut sums, mut before) = (queue.uninit(blocks)?, queue.uninit(blocks)?);
    M::block_sums(queue, x, &mut sums)?;
    scan::<T, M>(queue, &sums, &mut before, false)?;
    M::scan_blocks(queue, x, &before, y, inclusive)
}
