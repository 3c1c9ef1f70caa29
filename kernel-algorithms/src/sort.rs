//! Sorting by the bits of keys.

use crate::device::key::Key;
use crate::search::{MERGED, bounds, merged};
use crate::split::{MOST, Ordered};
use crate::{Data, Result, ShapeError, sequence};
use kernel_runtime::prelude::*;
use std::mem;

/// What can be sorted: `i32`, `u32`, `i64`, `u64`, and by [`f32::total_cmp`] `f32` and `f64`.
pub trait SortKey: Data {
    #[doc(hidden)]
    const PASSES: u32;

    #[doc(hidden)]
    fn order_digits(queue: &Queue, keys: &Buffer<Self>, shift: u32, ordered: &mut Ordered) -> Result<()>;

    #[doc(hidden)]
    fn bound(
        queue: &Queue,
        sorted: &Buffer<Self>,
        keys: &Buffer<Self>,
        y: &mut Buffer<u32>,
        behind: bool,
    ) -> Result<()>;

    #[doc(hidden)]
    fn merge(queue: &Queue, a: &Buffer<Self>, b: &Buffer<Self>, y: &mut Buffer<Self>) -> Result<()>;
}

/// Sorts keys, the least first. Equal floats may differ in sign: `-0.0` is before `0.0`, and NaNs are at the ends, as [`f32::total_cmp`] has it.
///
/// Takes a pass for each 4 bits of a key, each of 3 n reads and n writes, besides 4 bytes for each element: the radix sort of Satish, Harris and Garland, *Designing Efficient Sorting Algorithms for
/// Manycore GPUs* (2009), in which each place of the result finds its element rather than each element its place.
///
/// # Errors
///
/// [`Error::Shape`](crate::Error::Shape) if there are more than 2^32 - 1 keys, [`Error::Runtime`](crate::Error::Runtime).
pub fn sort<K: SortKey>(queue: &Queue, keys: &mut Buffer<K>) -> Result<()> {
    ShapeError::check_limit("sort", "keys.len()", MOST, keys.len())?;
    if keys.len() < 2 {
        return Ok(());
    }
    let mut ordered = Ordered::new(queue, keys.len(), 16)?;
    let mut other = queue.uninit(keys.len())?;
    // The number of passes is even, so that the result is in `keys` again.
    for pass in 0..K::PASSES {
        let (from, to) = if pass % 2 == 0 { (&mut *keys, &mut other) } else { (&mut other, &mut *keys) };
        K::order_digits(queue, from, 4 * pass, &mut ordered)?;
        let offsets = ordered.offsets(queue)?;
        K::collect_bins(queue, from, ordered.bins(&offsets), to)?;
    }
    Ok(())
}

/// Sorts keys as [`sort`] does, and moves each value with its key. Values with the same key stay in their order.
///
/// Takes what [`sort`] takes for keys and as much for values, whose type is any that is [`Data`].
///
/// # Errors
///
/// Those of [`sort`], and [`Error::Shape`](crate::Error::Shape) if the lengths differ.
pub fn sort_by_key<K: SortKey, V: Data>(
    queue: &Queue,
    keys: &mut Buffer<K>,
    values: &mut Buffer<V>,
) -> Result<()> {
    ShapeError::check_length("sort_by_key", "values", keys.len(), values.len())?;
    ShapeError::check_limit("sort_by_key", "keys.len()", MOST, keys.len())?;
    if keys.len() < 2 {
        return Ok(());
    }
    let mut ordered = Ordered::new(queue, keys.len(), 16)?;
    let (mut other_keys, mut other_values) = (queue.uninit(keys.len())?, queue.uninit(keys.len())?);
    for pass in 0..K::PASSES {
        let (mut from, mut to) = ((&mut *keys, &mut *values), (&mut other_keys, &mut other_values));
        if pass % 2 == 1 {
            mem::swap(&mut from, &mut to);
        }
        K::order_digits(queue, from.0, 4 * pass, &mut ordered)?;
        let offsets = ordered.offsets(queue)?;
        K::collect_bins(queue, from.0, ordered.bins(&offsets), to.0)?;
        V::collect_bins(queue, from.1, ordered.bins(&offsets), to.1)?;
    }
    Ok(())
}

/// The indices that sort keys: element `i` of the result is the index of the key that comes to place `i`. Equal keys stay in their order.
///
/// Takes what [`sort_by_key`] takes for values of 4 bytes.
///
/// # Errors
///
/// Those of [`sort`].
pub fn sorted_indices<K: SortKey>(queue: &Queue, keys: &Buffer<K>) -> Result<Buffer<u32>> {
    ShapeError::check_limit("sorted_indices", "keys.len()", MOST, keys.len())?;
    let (mut copy, mut indices) = (queue.uninit(keys.len())?, queue.uninit(keys.len())?);
    queue.copy(keys, &mut copy)?;
    sequence(queue, &mut indices, 0, 1)?;
    sort_by_key(queue, &mut copy, &mut indices)?;
    Ok(indices)
}

/// Implements [`SortKey`].
macro_rules! sort_keys {
    ($($ty:ty)*) => {$(
        const _: () = {
            $crate::__order_blocks! {
                order_digits, 16, (keys: &[$ty], shift: u32), keys.len(),
                |i| { (Key::rank(keys[i]) >> shift) as usize & 15 }
            }

            impl SortKey for $ty {
                const PASSES: u32 = <$ty as Key>::BITS / 4;

                fn order_digits(
                    queue: &Queue,
                    keys: &Buffer<Self>,
                    shift: u32,
                    ordered: &mut Ordered,
                ) -> Result<()> {
                    let Ordered { order, starts, counts, blocks } = ordered;
                    Ok(order_digits(keys, shift, order, starts, counts).launch_groups(queue, *blocks, 256)?)
                }

                fn bound(
                    queue: &Queue,
                    sorted: &Buffer<Self>,
                    keys: &Buffer<Self>,
                    y: &mut Buffer<u32>,
                    behind: bool,
                ) -> Result<()> {
                    let len = y.len();
                    Ok(bounds(sorted, keys, y, behind).launch(queue, len)?)
                }

                fn merge(
                    queue: &Queue,
                    a: &Buffer<Self>,
                    b: &Buffer<Self>,
                    y: &mut Buffer<Self>,
                ) -> Result<()> {
                    let items = y.len().div_ceil(MERGED);
                    Ok(merged(a, b, y).launch(queue, items)?)
                }
            }
        };
    )*};
}

sort_keys! { i32 u32 i64 u64 f32 f64 }
