//! The operations by which elements are combined.

use crate::{Result, SegmentKind};
use kernel_runtime::Element;
use kernel_runtime::prelude::*;

/// An associative operation with an identity, by which elements of type `T` are combined.
///
/// [`monoid!`](crate::monoid) defines one; those of this crate are [`Sum`], [`Product`], [`Min`], [`Max`], and for `u32` and `u64` [`BitAnd`], [`BitOr`] and [`BitXor`].
pub trait Monoid<T: Element>: Copy {
    /// What changes nothing that it is combined with.
    fn identity() -> T;

    /// Two elements in one, as the device does it.
    fn combine(a: T, b: T) -> T;

    #[doc(hidden)]
    fn reduce_parts(queue: &Queue, x: &Buffer<T>, part: usize, y: &mut Buffer<T>) -> Result<()>;

    #[doc(hidden)]
    fn block_sums(queue: &Queue, x: &Buffer<T>, sums: &mut Buffer<T>) -> Result<()>;

    #[doc(hidden)]
    fn scan_blocks(
        queue: &Queue,
        x: &Buffer<T>,
        before: &Buffer<T>,
        y: &mut Buffer<T>,
        inclusive: bool,
    ) -> Result<()>;

    #[doc(hidden)]
    fn segment_sums(
        queue: &Queue,
        from: (&Buffer<T>, &Buffer<u32>),
        sums: &mut Buffer<T>,
        started: &mut Buffer<u32>,
    ) -> Result<()>;

    #[doc(hidden)]
    fn scan_segments(
        queue: &Queue,
        from: (&Buffer<T>, &Buffer<u32>),
        before: &Buffer<T>,
        y: &mut Buffer<T>,
        kind: SegmentKind,
    ) -> Result<()>;

    #[doc(hidden)]
    fn reduce_segments(
        queue: &Queue,
        x: &Buffer<T>,
        offsets: &Buffer<u32>,
        y: &mut Buffer<T>,
        is_short: bool,
    ) -> Result<()>;
}

/// Defines a type that stands for an operation, and with it all algorithms that combine elements: [`reduce`](crate::reduce), the scans, and the segmented ones.
///
/// The operation has to be associative, `combine(a, combine(b, c))` the same as `combine(combine(a, b), c)`, and combined with `IDENTITY` an element has to stay the same, on both
/// sides; else results depend on where elements stand. [`reduce`](crate::reduce) needs an operation that is commutative too. Both are device code. Elements may be structs that are
/// `#[device]` and `#[repr(C)]`.
///
/// ```
/// use kernel_algorithms::{inclusive_scan, reduce};
/// use kernel_runtime::prelude::*;
///
/// kernel_algorithms::monoid! {
///     /// The number that is farther from zero.
///     #[derive(Clone, Copy, Debug)]
///     pub struct Farthest for f32 {
///         const IDENTITY: f32 = 0.0;
///
///         fn combine(a: f32, b: f32) -> f32 {
///             if b.abs() > a.abs() { b } else { a }
///         }
///     }
/// }
///
/// # fn main() -> kernel_algorithms::Result<()> {
/// let queue = Device::best()?.queue()?;
/// let x = queue.upload(&[1.0, -3.0, 2.0])?;
/// assert_eq!(reduce(&queue, Farthest, &x)?, -3.0);
/// let mut y = queue.uninit(3)?;
/// inclusive_scan(&queue, Farthest, &x, &mut y)?;
/// assert_eq!(queue.download(&y)?, [1.0, -3.0, -3.0]);
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! monoid {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident for $ty:ty {
            const IDENTITY: $identity_type:ty = $identity:expr;
            fn combine($a:ident: $a_type:ty, $b:ident: $b_type:ty) -> $result:ty $body:block
        }
    ) => {
        $(#[$meta])*
        $vis struct $name;

        $crate::__monoid! { $name, $ty, $identity, |$a, $b| $body }
    };
}

/// Implements [`Monoid`] for a type of element.
#[doc(hidden)]
#[macro_export]
macro_rules! __monoid {
    ($name:ident, $ty:ty, $identity:expr, |$a:ident, $b:ident| $body:block) => {
        const _: () = {
            use $crate::kernel_runtime::prelude::*;

            #[kernel(group_size = 256)]
            fn reduce_parts(x: &[$ty], part: usize, y: &mut [$ty]) {
                let mut tile = Local::<[$ty; 256]>::new();
                let combine = |$a: $ty, $b: $ty| -> $ty { $body };
                $crate::device::reduce::reduce_parts(x, part, y, &mut tile, $identity, combine);
            }

            #[kernel(group_size = 256)]
            fn block_sums(x: &[$ty], sums: &mut [$ty]) {
                let mut tile = Local::<[$ty; 256]>::new();
                let combine = |$a: $ty, $b: $ty| -> $ty { $body };
                $crate::device::scan::block_sums(x, sums, &mut tile, $identity, combine);
            }

            #[kernel(group_size = 256)]
            fn scan_blocks(x: &[$ty], before: &[$ty], y: &mut [$ty], inclusive: bool) {
                let mut tile = Local::<[$ty; 256]>::new();
                let mut rows = Local::<[$ty; 16]>::new();
                let combine = |$a: $ty, $b: $ty| -> $ty { $body };
                $crate::device::scan::scan_blocks(
                    x, before, y, inclusive, &mut tile, &mut rows, $identity, combine,
                );
            }

            #[kernel(group_size = 256)]
            fn segment_sums(x: &[$ty], heads: &[u32], sums: &mut [$ty], started: &mut [u32]) {
                let mut tile = Local::<[$crate::device::segmented::Run<$ty>; 256]>::new();
                let combine = |$a: $ty, $b: $ty| -> $ty { $body };
                $crate::device::segmented::segment_sums(
                    x, heads, sums, started, &mut tile, $identity, combine,
                );
            }

            #[kernel(group_size = 256)]
            fn scan_segments(x: &[$ty], heads: &[u32], before: &[$ty], y: &mut [$ty], kind: u32) {
                let mut tile = Local::<[$crate::device::segmented::Run<$ty>; 256]>::new();
                let mut rows = Local::<[$crate::device::segmented::Run<$ty>; 16]>::new();
                let combine = |$a: $ty, $b: $ty| -> $ty { $body };
                $crate::device::segmented::scan_segments(
                    x, heads, before, y, kind, &mut tile, &mut rows, $identity, combine,
                );
            }

            #[kernel(group_size = 256)]
            fn reduce_segments(x: &[$ty], offsets: &[u32], y: &mut [$ty]) {
                let mut tile = Local::<[$ty; 256]>::new();
                let combine = |$a: $ty, $b: $ty| -> $ty { $body };
                $crate::device::segmented::reduce_segments(x, offsets, y, &mut tile, $identity, combine);
            }

            #[kernel]
            fn reduce_short_segments(x: &[$ty], offsets: &[u32], y: &mut [$ty]) {
                let combine = |$a: $ty, $b: $ty| -> $ty { $body };
                $crate::device::segmented::reduce_short_segments(x, offsets, y, $identity, combine);
            }

            impl $crate::Monoid<$ty> for $name {
                fn identity() -> $ty {
                    $identity
                }

                fn combine($a: $ty, $b: $ty) -> $ty {
                    $body
                }

                fn reduce_parts(
                    queue: &Queue,
                    x: &Buffer<$ty>,
                    part: usize,
                    y: &mut Buffer<$ty>,
                ) -> $crate::Result<()> {
                    let groups = y.len();
                    Ok(reduce_parts(x, part, y).launch_groups(queue, groups, 256)?)
                }

                fn block_sums(queue: &Queue, x: &Buffer<$ty>, sums: &mut Buffer<$ty>) -> $crate::Result<()> {
                    let groups = sums.len();
                    Ok(block_sums(x, sums).launch_groups(queue, groups, 256)?)
                }

                fn scan_blocks(
                    queue: &Queue,
                    x: &Buffer<$ty>,
                    before: &Buffer<$ty>,
                    y: &mut Buffer<$ty>,
                    inclusive: bool,
                ) -> $crate::Result<()> {
                    let groups = before.len();
                    Ok(scan_blocks(x, before, y, inclusive).launch_groups(queue, groups, 256)?)
                }

                fn segment_sums(
                    queue: &Queue,
                    (x, heads): (&Buffer<$ty>, &Buffer<u32>),
                    sums: &mut Buffer<$ty>,
                    started: &mut Buffer<u32>,
                ) -> $crate::Result<()> {
                    let groups = sums.len();
                    Ok(segment_sums(x, heads, sums, started).launch_groups(queue, groups, 256)?)
                }

                fn scan_segments(
                    queue: &Queue,
                    (x, heads): (&Buffer<$ty>, &Buffer<u32>),
                    before: &Buffer<$ty>,
                    y: &mut Buffer<$ty>,
                    kind: $crate::SegmentKind,
                ) -> $crate::Result<()> {
                    let groups = before.len();
                    Ok(scan_segments(x, heads, before, y, kind as u32).launch_groups(queue, groups, 256)?)
                }

                fn reduce_segments(
                    queue: &Queue,
                    x: &Buffer<$ty>,
                    offsets: &Buffer<u32>,
                    y: &mut Buffer<$ty>,
                    is_short: bool,
                ) -> $crate::Result<()> {
                    let segments = y.len();
                    if is_short {
                        return Ok(reduce_short_segments(x, offsets, y).launch(queue, segments)?);
                    }
                    Ok(reduce_segments(x, offsets, y).launch_groups(queue, segments, 256)?)
                }
            }
        };
    };
}

/// The sum of numbers. Integers overflow as in kernels of this crate: a fault if it is built with `overflow-checks`, else they wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sum;

/// The product of numbers. Integers overflow as those of [`Sum`] do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Product;

/// The least number. Of a NaN and a number it is the number; of nothing it is the greatest number, or infinity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Min;

/// The greatest number. Of a NaN and a number it is the number; of nothing it is the least number, or negative infinity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Max;

/// The bits that are set in all integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BitAnd;

/// The bits that are set in an integer at least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BitOr;

/// The bits that are set in an odd number of integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BitXor;

macro_rules! of_integers {
    ($($ty:ident)*) => {$(
        $crate::__monoid! { Sum, $ty, 0, |a, b| { a + b } }
        $crate::__monoid! { Product, $ty, 1, |a, b| { a * b } }
        $crate::__monoid! { Min, $ty, $ty::MAX, |a, b| { a.min(b) } }
        $crate::__monoid! { Max, $ty, $ty::MIN, |a, b| { a.max(b) } }
    )*};
}

macro_rules! of_bits {
    ($($ty:ident)*) => {$(
        $crate::__monoid! { BitAnd, $ty, !0, |a, b| { a & b } }
        $crate::__monoid! { BitOr, $ty, 0, |a, b| { a | b } }
        $crate::__monoid! { BitXor, $ty, 0, |a, b| { a ^ b } }
    )*};
}

macro_rules! of_floats {
    ($($ty:ident)*) => {$(
        $crate::__monoid! { Sum, $ty, 0.0, |a, b| { a + b } }
        $crate::__monoid! { Product, $ty, 1.0, |a, b| { a * b } }
        $crate::__monoid! { Min, $ty, $ty::INFINITY, |a, b| { a.min(b) } }
        $crate::__monoid! { Max, $ty, $ty::NEG_INFINITY, |a, b| { a.max(b) } }
    )*};
}

of_integers! { i32 u32 i64 u64 }
of_bits! { u32 u64 }
of_floats! { f32 f64 }
