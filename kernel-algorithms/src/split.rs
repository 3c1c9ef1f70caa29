//! Elements that are chosen, and elements in parts: compact, partition, unique.

use crate::data::Bins;
use crate::{Data, Result, ShapeError, Sum, exclusive_scan};
use kernel_runtime::Element;
use kernel_runtime::prelude::*;

/// How many elements a group orders.
const BLOCK: usize = 4096;

/// The most elements, whose places are numbers of 32 bits.
pub(crate) const MOST: usize = u32::MAX as usize;

/// A condition by which elements of type `T` are chosen; [`predicate!`](crate::predicate) defines one.
pub trait Predicate<T: Element>: Copy {
    /// Whether an element is chosen, as the device decides it.
    fn is_met(x: T) -> bool;

    #[doc(hidden)]
    fn order_blocks(queue: &Queue, x: &Buffer<T>, ordered: &mut Ordered) -> Result<()>;
}

/// Where elements go, block by block.
#[doc(hidden)]
#[derive(Debug)]
pub struct Ordered {
    pub order: Buffer<u16>,
    pub starts: Buffer<u32>,
    pub counts: Buffer<u32>,
    pub blocks: usize,
}

impl Ordered {
    /// Room for so many elements in so many bins.
    pub(crate) fn new(queue: &Queue, len: usize, bins: usize) -> Result<Self> {
        let blocks = len.div_ceil(BLOCK);
        Ok(Self {
            order: queue.uninit(len)?,
            starts: queue.uninit(bins * blocks)?,
            counts: queue.uninit(bins * blocks)?,
            blocks,
        })
    }

    /// Where the parts of bins start in the result.
    pub(crate) fn offsets(&self, queue: &Queue) -> Result<Buffer<u32>> {
        let mut offsets = queue.uninit(self.counts.len())?;
        exclusive_scan(queue, Sum, &self.counts, &mut offsets)?;
        Ok(offsets)
    }

    /// What the second step takes.
    pub(crate) fn bins<'a>(&'a self, offsets: &'a Buffer<u32>) -> Bins<'a> {
        Bins { order: &self.order, starts: &self.starts, offsets, blocks: self.blocks }
    }
}

/// Defines a type that stands for a condition on an element, for [`compact`], [`partition`] and [`count_if`]. The body is device code.
///
/// ```
/// use kernel_algorithms::{compact, count_if, partition};
/// use kernel_runtime::prelude::*;
///
/// kernel_algorithms::predicate! {
///     /// Is above zero.
///     #[derive(Clone, Copy)]
///     pub struct Positive for f32 = |x| x > 0.0;
/// }
///
/// # fn main() -> kernel_algorithms::Result<()> {
/// let queue = Device::best()?.queue()?;
/// let x = queue.upload(&[1.0, -2.0, 3.0])?;
/// assert_eq!(queue.download(&compact(&queue, Positive, &x)?)?, [1.0, 3.0]);
/// assert_eq!(count_if(&queue, Positive, &x)?, 2);
/// let mut y = queue.uninit(3)?;
/// assert_eq!(partition(&queue, Positive, &x, &mut y)?, 2);
/// assert_eq!(queue.download(&y)?, [1.0, 3.0, -2.0]);
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! predicate {
    ($(#[$meta:meta])* $vis:vis struct $name:ident for $ty:ty = |$x:ident| $body:expr;) => {
        $(#[$meta])*
        $vis struct $name;

        const _: () = {
            use $crate::kernel_runtime::prelude::*;

            $crate::__order_blocks! {
                order_blocks, 2, (x: &[$ty]), x.len(),
                |i| { let is_met = |$x: $ty| -> bool { $body }; if is_met(x[i]) { 0 } else { 1 } }
            }

            impl $crate::Predicate<$ty> for $name {
                fn is_met($x: $ty) -> bool {
                    $body
                }

                fn order_blocks(
                    queue: &Queue,
                    x: &Buffer<$ty>,
                    ordered: &mut $crate::Ordered,
                ) -> $crate::Result<()> {
                    let $crate::Ordered { order, starts, counts, blocks } = ordered;
                    Ok(order_blocks(x, order, starts, counts).launch_groups(queue, *blocks, 256)?)
                }
            }
        };
    };
}

/// Defines a kernel that orders blocks by bins.
#[doc(hidden)]
#[macro_export]
macro_rules! __order_blocks {
    ($name:ident, $bins:literal, ($($x:ident: $ty:ty),*), $len:expr, |$i:ident| $bin:block) => {
        #[kernel(group_size = 256, overflow = "wrap")]
        fn $name($($x: $ty,)* order: &mut [u16], starts: &mut [u32], counts: &mut [u32]) {
            let mut counters = Local::<[u32; 4096]>::new();
            let places = Local::<[$crate::kernel_runtime::atomic::AtomicU32; 4096]>::new();
            let mut tile = Local::<[u32; 256]>::new();
            let mut rows = Local::<[u32; 16]>::new();
            $crate::device::split::order_blocks::<$bins>(
                $len, order, starts, counts, &mut counters, &places, &mut tile, &mut rows,
                |$i: usize| -> usize { $bin },
            );
        }
    };
}

/// The elements for which the condition holds, in their order, in a buffer of their number, for which this waits: `filter` of iterators, `copy_if` of Thrust.
///
/// Takes 2 n reads, and as many writes as there are elements in the result, besides 4 bytes for each element.
///
/// # Errors
///
/// [`Error::Shape`](crate::Error::Shape) if there are more than 2^32 - 1 elements, [`Error::Runtime`](crate::Error::Runtime), also for a fault in what has been enqueued
/// before.
pub fn compact<T: Data, P: Predicate<T>>(queue: &Queue, _predicate: P, x: &Buffer<T>) -> Result<Buffer<T>> {
    ShapeError::check_limit("compact", "x.len()", MOST, x.len())?;
    let mut ordered = Ordered::new(queue, x.len(), 2)?;
    P::order_blocks(queue, x, &mut ordered)?;
    first_bin(queue, x, &ordered)
}

/// The elements of the first of two bins.
fn first_bin<T: Data>(queue: &Queue, x: &Buffer<T>, ordered: &Ordered) -> Result<Buffer<T>> {
    let offsets = ordered.offsets(queue)?;
    let mut y = queue.uninit(count_of_first(queue, &offsets)?)?;
    if !y.is_empty() {
        T::collect_bins(queue, x, ordered.bins(&offsets), &mut y)?;
    }
    Ok(y)
}

/// How many elements are in the first of two bins: where the second one starts.
fn count_of_first(queue: &Queue, offsets: &Buffer<u32>) -> Result<usize> {
    let blocks = offsets.len() / 2;
    match offsets.get(blocks..(blocks + 1).min(offsets.len())) {
        Some(second) if blocks > 0 => Ok(queue.download(&second)?[0] as usize),
        _ => Ok(0),
    }
}

/// Puts the elements for which the condition holds before the others, each in their order, and says how many these are, for which it waits: `stable_partition` of C++.
///
/// Takes 2 n reads and n writes, besides 4 bytes for each element.
///
/// # Errors
///
/// [`Error::Shape`](crate::Error::Shape) if the lengths differ or there are more than 2^32 - 1 elements, [`Error::Runtime`](crate::Error::Runtime), also for a fault in what has
/// been enqueued before.
pub fn partition<T: Data, P: Predicate<T>>(
    queue: &Queue,
    _predicate: P,
    x: &Buffer<T>,
    y: &mut Buffer<T>,
) -> Result<usize> {
    ShapeError::check_length("partition", "y", x.len(), y.len())?;
    ShapeError::check_limit("partition", "x.len()", MOST, x.len())?;
    if x.is_empty() {
        return Ok(0);
    }
    let mut ordered = Ordered::new(queue, x.len(), 2)?;
    P::order_blocks(queue, x, &mut ordered)?;
    let offsets = ordered.offsets(queue)?;
    T::collect_bins(queue, x, ordered.bins(&offsets), y)?;
    count_of_first(queue, &offsets)
}

/// For how many elements the condition holds. Waits for that.
///
/// # Errors
///
/// Those of [`compact`].
pub fn count_if<T: Element, P: Predicate<T>>(queue: &Queue, _predicate: P, x: &Buffer<T>) -> Result<usize> {
    ShapeError::check_limit("count_if", "x.len()", MOST, x.len())?;
    let mut ordered = Ordered::new(queue, x.len(), 2)?;
    P::order_blocks(queue, x, &mut ordered)?;
    count_of_first(queue, &ordered.offsets(queue)?)
}

/// Elements that [`unique`] compares: the scalars that are [`Data`].
pub trait Comparable: Data {
    #[doc(hidden)]
    fn order_changes(queue: &Queue, x: &Buffer<Self>, ordered: &mut Ordered) -> Result<()>;
}

/// The elements that differ from the one before them, in a buffer of their number, for which this waits: `dedup` of `Vec`, `unique` of Thrust. Of sorted elements each is there once then.
///
/// Elements are compared by `==`, so that a NaN differs from all. Takes what [`compact`] takes.
///
/// # Errors
///
/// Those of [`compact`].
pub fn unique<T: Comparable>(queue: &Queue, x: &Buffer<T>) -> Result<Buffer<T>> {
    ShapeError::check_limit("unique", "x.len()", MOST, x.len())?;
    let mut ordered = Ordered::new(queue, x.len(), 2)?;
    T::order_changes(queue, x, &mut ordered)?;
    first_bin(queue, x, &ordered)
}

/// Implements [`Comparable`].
macro_rules! comparable {
    ($($ty:ty)*) => {$(
        const _: () = {
            $crate::__order_blocks! {
                order_changes, 2, (x: &[$ty]), x.len(),
                |i| { if i == 0 || x[i] != x[i - 1] { 0 } else { 1 } }
            }

            impl Comparable for $ty {
                fn order_changes(queue: &Queue, x: &Buffer<Self>, ordered: &mut Ordered) -> Result<()> {
                    let Ordered { order, starts, counts, blocks } = ordered;
                    Ok(order_changes(x, order, starts, counts).launch_groups(queue, *blocks, 256)?)
                }
            }
        };
    )*};
}

comparable! { i8 u8 i16 u16 i32 u32 i64 u64 usize f32 f64 }

/// Makes element `i` of `y` the element `indices[i]` of `x`. An index that is not there is a fault, which the next synchronisation reports.
///
/// # Errors
///
/// [`Error::Shape`](crate::Error::Shape) if the lengths of `indices` and `y` differ, [`Error::Runtime`](crate::Error::Runtime).
pub fn gather<T: Data>(queue: &Queue, x: &Buffer<T>, indices: &Buffer<u32>, y: &mut Buffer<T>) -> Result<()> {
    ShapeError::check_length("gather", "y", indices.len(), y.len())?;
    T::gather(queue, x, indices, y)
}
