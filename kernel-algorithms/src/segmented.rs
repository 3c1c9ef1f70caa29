//! Scans and reductions of the segments that elements are in.

use crate::{Monoid, Result, ShapeError};
use kernel_runtime::Element;
use kernel_runtime::prelude::*;

/// How many elements a group scans.
const BLOCK: usize = 2048;

/// Up to which mean length a work-item alone reduces a segment.
const SHORT: usize = 64;

/// What of an element is included in its own result.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Inclusive = 0,
    Exclusive = 1,
    /// Not the element, but what comes before it even if it starts a segment.
    Carry = 2,
}

/// Combines the elements of each segment: segment `i` is `x[offsets[i]..offsets[i + 1]]`, as a row of a CSR matrix. One that is empty gives the identity.
///
/// Takes as many reads as the segments have elements, and a write for each. Where they have more than 64 elements on average, 256 work-items combine each, and the operation has to be
/// commutative; else a work-item combines the elements in their order. An offset beyond `x` is a fault, which the next synchronisation reports.
///
/// ```
/// use kernel_algorithms::{Sum, segmented_reduce};
/// use kernel_runtime::prelude::*;
///
/// # fn main() -> kernel_algorithms::Result<()> {
/// let queue = Device::best()?.queue()?;
/// let x = queue.upload(&[1.0, 2.0, 3.0, 4.0])?;
/// let offsets = queue.upload(&[0_u32, 3, 3, 4])?;
/// let mut y = queue.uninit(3)?;
/// segmented_reduce(&queue, Sum, &x, &offsets, &mut y)?;
/// assert_eq!(queue.download(&y)?, [6.0, 0.0, 4.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::Shape`](crate::Error::Shape) unless `offsets` has one element more than `y`, [`Error::Runtime`](crate::Error::Runtime).
pub fn segmented_reduce<T: Element, M: Monoid<T>>(
    queue: &Queue,
    _operation: M,
    x: &Buffer<T>,
    offsets: &Buffer<u32>,
    y: &mut Buffer<T>,
) -> Result<()> {
    ShapeError::check_length("segmented_reduce", "offsets", y.len() + 1, offsets.len())?;
    let is_short = x.len() / y.len().max(1) <= SHORT;
    M::reduce_segments(queue, x, offsets, y, is_short)
}

/// Makes element `i` of `y` what the elements of `x` from the start of its segment up to and with `i` come to. An element starts a segment if its number in `heads` is not 0; the first one always does.
///
/// Takes 4 n reads and n writes.
///
/// # Errors
///
/// [`Error::Shape`](crate::Error::Shape) if the lengths differ, [`Error::Runtime`](crate::Error::Runtime).
pub fn segmented_inclusive_scan<T: Element, M: Monoid<T>>(
    queue: &Queue,
    _operation: M,
    x: &Buffer<T>,
    heads: &Buffer<u32>,
    y: &mut Buffer<T>,
) -> Result<()> {
    ShapeError::check_length("segmented_inclusive_scan", "heads", x.len(), heads.len())?;
    ShapeError::check_length("segmented_inclusive_scan", "y", x.len(), y.len())?;
    scan::<T, M>(queue, (x, heads), y, Kind::Inclusive)
}

/// Makes element `i` of `y` what the elements of `x` from the start of its segment up to `i` come to, without `i` itself: the identity for the first of each segment.
///
/// # Errors
///
/// Those of [`segmented_inclusive_scan`].
pub fn segmented_exclusive_scan<T: Element, M: Monoid<T>>(
    queue: &Queue,
    _operation: M,
    x: &Buffer<T>,
    heads: &Buffer<u32>,
    y: &mut Buffer<T>,
) -> Result<()> {
    ShapeError::check_length("segmented_exclusive_scan", "heads", x.len(), heads.len())?;
    ShapeError::check_length("segmented_exclusive_scan", "y", x.len(), y.len())?;
    scan::<T, M>(queue, (x, heads), y, Kind::Exclusive)
}

/// Scans blocks, once it is known what comes before each.
fn scan<T: Element, M: Monoid<T>>(
    queue: &Queue,
    (x, heads): (&Buffer<T>, &Buffer<u32>),
    y: &mut Buffer<T>,
    kind: Kind,
) -> Result<()> {
    let blocks = x.len().div_ceil(BLOCK);
    if blocks <= 1 {
        return M::scan_segments(queue, (x, heads), &queue.filled(blocks, M::identity())?, y, kind);
    }
    let (mut sums, mut started) = (queue.uninit(blocks)?, queue.uninit(blocks)?);
    M::segment_sums(queue, (x, heads), &mut sums, &mut started)?;
    let mut before = queue.uninit(blocks)?;
    scan::<T, M>(queue, (&sums, &started), &mut before, Kind::Carry)?;
    M::scan_segments(queue, (x, heads), &before, y, kind)
}
