//! The functions that only a device has: ids, sizes, barriers.
//!
//! Each is an ordinary function too, so that rustc checks kernels and device functions can be called in tests on
//! the host. There they answer as in a launch of a single work-item.

use crate::number::Integer;

/// Continues the chain of macros that collects what a kernel refers to, with the name of a built-in item.
///
/// The protocol is in the documentation of `kernel_compiler::chain`.
#[doc(hidden)]
#[macro_export]
macro_rules! __builtin_item {
    ($name:ident [($($next:tt)*) $($more:tt)*] $found:tt $state:tt) => {
        $($next)* ! { @k [$($more)*] [$found {builtin $name}] $state }
    };
}

/// Defines intrinsics: the host function, and the macro of the same name that tells the compiler about it. Where two functions have
/// one name, in modules of their own, the compiler knows each by the name after `as`.
macro_rules! intrinsics {
    ($(
        $(#[$doc:meta])*
        fn $name:ident $(<$($generic:ident $(: $bound:ident)?),+>)? ($($arg:ident: $ty:ty),*) $(-> $result:ty)? = $host:expr, $macro:ident $(as $known:ident)?;
    )*) => {$(
        $(#[$doc])*
        #[inline]
        #[cfg_attr(debug_assertions, track_caller)]
        pub fn $name $(<$($generic $(: $bound)?),+>)? ($($arg: $ty),*) $(-> $result)? {
            $host
        }

        intrinsics! { @macro $macro $name [$($known)? $name] ($) }
    )*};
    (@macro $macro:ident $name:ident [$known:ident $($name_again:ident)?] ($d:tt)) => {
        #[doc(hidden)]
        #[macro_export]
        macro_rules! $macro {
            (@probe $d ($d error:tt)*) => {};
            (@k $d ($d rest:tt)*) => { $crate::__builtin_item! { $known $d ($d rest)* } };
        }
        #[doc(hidden)]
        pub use $macro as $name;
    };
}

pub(crate) use intrinsics;

/// `value`, which no two work-items of the launch get: for indices from memory of which the compiler cannot see that they differ.
///
/// The compiler takes it for one more id: each work-item may write to an element with this index, or to elements of a row of its own, `y[j * 4 + k]`.
/// [`KernelDescriptor::assumes_distinct`](crate::KernelDescriptor::assumes_distinct) has the places where a kernel says so.
///
/// # Safety
///
/// Where two work-items of a launch ever get the same value at one call, also in different passes of a loop, their accesses race, which is undefined behaviour. One work-item may get a value
/// again.
///
/// ```
/// use kernel_core::intrinsics::{assume_distinct, global_id};
///
/// fn permute(index: &[u32], x: &[f32], y: &mut [f32]) {
///     let i = global_id(0);
///     // SAFETY: the host makes `index` a permutation.
///     let j = unsafe { assume_distinct(index[i]) };
///     y[j as usize] = x[i];
/// }
///
/// let mut y = [0.0; 2];
/// permute(&[1, 0], &[4.0, 5.0], &mut y);
/// assert_eq!(y, [0.0, 4.0]);
/// ```
#[inline]
#[must_use]
pub unsafe fn assume_distinct<T: Integer>(value: T) -> T {
    value
}

intrinsics! { @macro __assume_distinct assume_distinct [assume_distinct] ($) }

/// The id of the only work-item on the host, once the dimension is seen to be one.
fn host_id(dimension: u32) -> usize {
    assert!(dimension < 3, "there are three dimensions, 0 to 2, but this is {dimension}");
    0
}

/// The size of the only launch on the host.
fn host_size(dimension: u32) -> usize {
    host_id(dimension) + 1
}

intrinsics! {
    /// The id of this work-item in the whole launch, in the given dimension (0, 1 or 2; a constant).
    fn global_id(dimension: u32) -> usize = host_id(dimension), __global_id;

    /// The number of work-items of the launch in the given dimension (0, 1 or 2; a constant).
    fn global_size(dimension: u32) -> usize = host_size(dimension), __global_size;

    /// The id of this work-item in its work-group, in the given dimension (0, 1 or 2; a constant).
    fn local_id(dimension: u32) -> usize = host_id(dimension), __local_id;

    /// The number of work-items of a work-group in the given dimension (0, 1 or 2; a constant).
    fn local_size(dimension: u32) -> usize = host_size(dimension), __local_size;

    /// The id of this work-item's work-group in the launch, in the given dimension (0, 1 or 2; a constant).
    fn group_id(dimension: u32) -> usize = host_id(dimension), __group_id;

    /// The number of work-groups of the launch in the given dimension (0, 1 or 2; a constant).
    fn num_groups(dimension: u32) -> usize = host_size(dimension), __num_groups;

    /// Waits until every work-item of the work-group is here, and makes what they wrote to local and global memory
    /// before it visible to all of them after it.
    ///
    /// Every work-item of the work-group must reach the same barrier.
    fn barrier() = (), __barrier;
}
