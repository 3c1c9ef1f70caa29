//! Reductions: all elements combined in one.

use crate::{Monoid, Result, ShapeError};
use kernel_runtime::Element;
use kernel_runtime::prelude::*;

/// How many elements a group has at least, where there are enough.
const PART: usize = 4096;

/// The most groups of a launch; what they leave is for one more group.
const GROUPS: usize = 1024;

/// Combines all elements, and waits for the result; that of an empty buffer is the identity.
///
/// Takes n reads. The operation has to be commutative: each work-item combines elements that are 256 apart, in an order that depends on n alone.
///
/// ```
/// use kernel_algorithms::{Max, Sum, reduce};
/// use kernel_runtime::prelude::*;
///
/// # fn main() -> kernel_algorithms::Result<()> {
/// let queue = Device::best()?.queue()?;
/// let x = queue.upload(&[3.0_f32, -1.0, 2.5])?;
/// assert_eq!(reduce(&queue, Sum, &x)?, 4.5);
/// assert_eq!(reduce(&queue, Max, &x)?, 3.0);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::Runtime`](crate::Error::Runtime), also for a fault in what has been enqueued before.
pub fn reduce<T: Element, M: Monoid<T>>(queue: &Queue, operation: M, x: &Buffer<T>) -> Result<T> {
    let mut y = queue.uninit(1)?;
    reduce_into(queue, operation, x, &mut y)?;
    let mut value = [M::identity()];
    queue.download_into(&y, &mut value)?;
    Ok(value[0])
}

/// Combines all elements as [`reduce`] does, into the only element of `y`, without waiting.
///
/// # Errors
///
/// [`Error::Shape`](crate::Error::Shape) if `y` has not one element, [`Error::Runtime`](crate::Error::Runtime).
pub fn reduce_into<T: Element, M: Monoid<T>>(
    queue: &Queue,
    _operation: M,
    x: &Buffer<T>,
    y: &mut Buffer<T>,
) -> Result<()> {
    ShapeError::check_length("reduce_into", "y", 1, y.len())?;
    let part = part_of(x.len());
    let groups = x.len().div_ceil(part);
    if groups <= 1 {
        return M::reduce_parts(queue, x, part, y);
    }
    let mut sums = queue.uninit(groups)?;
    M::reduce_parts(queue, x, part, &mut sums)?;
    M::reduce_parts(queue, &sums, groups, y)
}

/// How many elements each group takes: whole rows of 256.
fn part_of(len: usize) -> usize {
    len.div_ceil(GROUPS).max(PART).next_multiple_of(256)
}
