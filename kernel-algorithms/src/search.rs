//! What is known of sorted elements: where others would be, and two sequences in one.

use crate::device::key::Key;
use crate::split::MOST;
use crate::{Result, ShapeError, SortKey};
use kernel_runtime::prelude::*;

/// How many elements in a row a work-item merges.
#[device]
pub(crate) const MERGED: usize = 8;

/// Makes element `i` of `y` how many elements of `sorted` are less than `keys[i]`: where that would be inserted before its equals.
///
/// Takes log2 n reads for each key. `sorted` has to be as [`sort`](crate::sort) leaves it; floats are compared by [`f32::total_cmp`].
///
/// # Errors
///
/// [`Error::Shape`](crate::Error::Shape) if `keys` and `y` differ in length or `sorted` has more than 2^32 - 1 elements, [`Error::Runtime`](crate::Error::Runtime).
pub fn lower_bound<K: SortKey>(
    queue: &Queue,
    sorted: &Buffer<K>,
    keys: &Buffer<K>,
    y: &mut Buffer<u32>,
) -> Result<()> {
    ShapeError::check_length("lower_bound", "y", keys.len(), y.len())?;
    ShapeError::check_limit("lower_bound", "sorted.len()", MOST, sorted.len())?;
    K::bound(queue, sorted, keys, y, false)
}

/// Makes element `i` of `y` how many elements of `sorted` are not greater than `keys[i]`: where that would be inserted behind its equals.
///
/// # Errors
///
/// Those of [`lower_bound`].
pub fn upper_bound<K: SortKey>(
    queue: &Queue,
    sorted: &Buffer<K>,
    keys: &Buffer<K>,
    y: &mut Buffer<u32>,
) -> Result<()> {
    ShapeError::check_length("upper_bound", "y", keys.len(), y.len())?;
    ShapeError::check_limit("upper_bound", "sorted.len()", MOST, sorted.len())?;
    K::bound(queue, sorted, keys, y, true)
}

/// Makes `y` the elements of two sorted buffers, sorted. Of equal elements those of `a` come first.
///
/// Takes n reads and writes, and log2 n reads for each 8 elements: the merge path of Odeh, Green, Mwassi, Shmueli and Birk (2012).
///
/// # Errors
///
/// [`Error::Shape`](crate::Error::Shape) unless `y` has as many elements as `a` and `b` together, [`Error::Runtime`](crate::Error::Runtime).
pub fn merge<K: SortKey>(queue: &Queue, a: &Buffer<K>, b: &Buffer<K>, y: &mut Buffer<K>) -> Result<()> {
    ShapeError::check_length("merge", "y", a.len().saturating_add(b.len()), y.len())?;
    K::merge(queue, a, b, y)
}

#[kernel(T = [i32, u32, i64, u64, f32, f64], overflow = "wrap")]
pub(crate) fn bounds<T: Key + Copy>(sorted: &[T], keys: &[T], y: &mut [u32], behind: bool) {
    let i = global_id(0);
    if i < y.len() && i < keys.len() {
        let key = keys[i].rank();
        let (mut low, mut high) = (0, sorted.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let rank = sorted[middle].rank();
            if rank < key || behind && rank == key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        y[i] = low as u32;
    }
}

#[kernel(T = [i32, u32, i64, u64, f32, f64], overflow = "wrap")]
pub(crate) fn merged<T: Key + Copy>(a: &[T], b: &[T], y: &mut [T]) {
    let first = MERGED * global_id(0);
    if first < y.len() {
        // How many of the elements before `first` are of `a`.
        let (mut low, mut high) = (first.saturating_sub(b.len()), first.min(a.len()));
        while low < high {
            let middle = low + (high - low) / 2;
            if a[middle].rank() <= b[first - 1 - middle].rank() {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let (mut i, mut j) = (low, first - low);
        for place in first..y.len().min(first + MERGED) {
            if j >= b.len() || i < a.len() && a[i].rank() <= b[j].rank() {
                y[place] = a[i];
                i += 1;
            } else {
                y[place] = b[j];
                j += 1;
            }
        }
    }
}
