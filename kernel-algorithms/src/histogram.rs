//! How many elements are in each bin.

use crate::{Result, ShapeError, ShapeProblem};
use core::ops::Range;
use kernel_runtime::Element;
use kernel_runtime::prelude::*;

/// Up to how many bins a group counts in local memory.
#[doc(hidden)]
pub const LOCAL_BINS: usize = 4096;

/// How many groups count in local memory, and how many elements each has.
#[doc(hidden)]
#[must_use]
pub fn parts(len: usize) -> (usize, usize) {
    let part = len.div_ceil(256).max(8192).next_multiple_of(256);
    (len.div_ceil(part), part)
}

/// Defines a function that counts how many elements are in each bin.
///
/// What is written is a function that gives the bin of an element, in device code. An element whose bin is not there is not counted. Parameters after a `;` are the same for all elements.
/// The function that is defined takes the queue, the elements, the counts and these parameters; the counts are set to zero first.
///
/// Takes n reads. Up to 4096 bins are counted in local memory by up to 256 groups.
///
/// ```
/// use kernel_runtime::prelude::*;
///
/// kernel_algorithms::histogram! {
///     /// How many numbers there are of so many bits.
///     fn lengths(x: u64) -> usize {
///         (64 - x.leading_zeros()) as usize
///     }
/// }
///
/// # fn main() -> kernel_algorithms::Result<()> {
/// let queue = Device::best()?.queue()?;
/// let mut counts = queue.uninit(4)?;
/// lengths(&queue, &queue.upload(&[0, 1, 2, 3, 4, 999])?, &mut counts)?;
/// assert_eq!(queue.download(&counts)?, [1, 1, 2, 1]);
/// # Ok(())
/// # }
/// ```
///
/// The function returns a [`kernel_algorithms::Result`](crate::Result), and there are no shapes that do not fit.
#[macro_export]
macro_rules! histogram {
    (
        $(#[$meta:meta])*
        $vis:vis fn $name:ident($x:ident: $ty:ty $(,)? $(; $($a:ident: $with:ty),+ $(,)?)?) -> usize $body:block
    ) => {
        $(#[$meta])*
        $vis fn $name(
            queue: &$crate::kernel_runtime::Queue,
            x: &$crate::kernel_runtime::Buffer<$ty>,
            counts: &mut $crate::kernel_runtime::Buffer<u32>,
            $($($a: $with,)+)?
        ) -> $crate::Result<()> {
            use $crate::kernel_runtime::LocalLen;
            use $crate::kernel_runtime::atomic::AtomicU32;
            use $crate::kernel_runtime::prelude::*;

            #[kernel(group_size = 256)]
            fn count_in_groups(
                __x: &[$ty],
                __part: usize,
                __counts: &[AtomicU32],
                __own: &Local<[AtomicU32]>
                $(, $($a: $with),+)?
            ) {
                let __bin = |$x: $ty| -> usize { $body };
                $crate::device::histogram::count_in_groups(
                    __x.len(), __part, __counts, __own, |__i: usize| __bin(__x[__i]),
                );
            }

            #[kernel]
            fn count_globally(__x: &[$ty], __counts: &[AtomicU32] $(, $($a: $with),+)?) {
                let __bin = |$x: $ty| -> usize { $body };
                $crate::device::histogram::count_globally(__x.len(), __counts, |__i: usize| __bin(__x[__i]));
            }

            queue.fill(counts, 0)?;
            let bins = counts.len();
            if bins > $crate::LOCAL_BINS {
                return Ok(count_globally(x, counts $(, $($a),+)?).launch(queue, x.len())?);
            }
            let (groups, part) = $crate::parts(x.len());
            let launch = count_in_groups(x, part, counts, LocalLen(bins) $(, $($a),+)?);
            Ok(launch.launch_groups(queue, groups, 256)?)
        }
    };
}

/// Numbers of bins: `u8`, `u16` and `u32`.
pub trait Binned: Element {
    #[doc(hidden)]
    fn histogram(queue: &Queue, x: &Buffer<Self>, counts: &mut Buffer<u32>) -> Result<()>;
}

/// Floats whose range has bins: `f32` and `f64`.
pub trait Ranged: Element + PartialOrd {
    #[doc(hidden)]
    fn histogram(queue: &Queue, x: &Buffer<Self>, range: Range<Self>, counts: &mut Buffer<u32>)
    -> Result<()>;
}

/// Counts how often each number is in `x`; one that is not less than the number of counts is not counted.
///
/// Takes n reads. [`histogram!`](crate::histogram!) has the bin computed by a function.
///
/// # Errors
///
/// [`Error::Runtime`](crate::Error::Runtime).
pub fn histogram<T: Binned>(queue: &Queue, x: &Buffer<T>, counts: &mut Buffer<u32>) -> Result<()> {
    T::histogram(queue, x, counts)
}

/// Counts the floats in each of as many equal parts of a range as there are counts. What is not in the range, as a NaN, is not counted.
///
/// The part of `x` is `(x - start) / (end - start)` times their number, each rounded, and cut off.
///
/// # Errors
///
/// [`Error::Shape`](crate::Error::Shape) unless the range starts before its end, [`Error::Runtime`](crate::Error::Runtime).
pub fn histogram_of_range<T: Ranged>(
    queue: &Queue,
    x: &Buffer<T>,
    range: Range<T>,
    counts: &mut Buffer<u32>,
) -> Result<()> {
    if range.start < range.end {
        return T::histogram(queue, x, range, counts);
    }
    let problem = ShapeProblem::EmptyRange { argument: "range" };
    Err(ShapeError { algorithm: "histogram_of_range", problem }.into())
}

macro_rules! binned {
    ($($ty:ty)*) => {$(
        impl Binned for $ty {
            fn histogram(queue: &Queue, x: &Buffer<Self>, counts: &mut Buffer<u32>) -> Result<()> {
                $crate::histogram! {
                    fn count(x: $ty) -> usize {
                        x as usize
                    }
                }
                count(queue, x, counts)
            }
        }
    )*};
}

binned! { u8 u16 u32 }

macro_rules! ranged {
    ($($ty:ty)*) => {$(
        impl Ranged for $ty {
            fn histogram(
                queue: &Queue,
                x: &Buffer<Self>,
                range: Range<Self>,
                counts: &mut Buffer<u32>,
            ) -> Result<()> {
                $crate::histogram! {
                    fn count(x: $ty; start: $ty, end: $ty, bins: usize) -> usize {
                        if x >= start && x < end {
                            (((x - start) / (end - start) * bins as $ty) as usize).min(bins - 1)
                        } else {
                            usize::MAX
                        }
                    }
                }
                let bins = counts.len();
                // Without a bin there is nothing to count.
                if bins == 0 { Ok(()) } else { count(queue, x, counts, range.start, range.end, bins) }
            }
        }
    )*};
}

ranged! { f32 f64 }
