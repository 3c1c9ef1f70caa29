//! What the work-items of a work-group do together.
//!
//! All functions but the ids and sizes are for all work-items of the work-group together: control must get to a call uniformly, which the compiler
//! checks. They order no accesses to memory; [`barrier`](crate::intrinsics::barrier) does.
//!
//! Of vectors each lane is combined, and a vector is handed over as a whole.
//!
//! A sum or a product of floats is rounded in an order that is the device's choice; whether a NaN is the least or the greatest among numbers
//! is, too. The order of work-items is that of [`local_linear_id`].
//!
//! They are the group operations of SPIR-V (capability Groups, see "Required Capabilities" in the Level Zero SPIR-V environment), or are made of
//! those.
//!
//! ```
//! use kernel_core::{intrinsics::{global_id, group_id}, work_group};
//!
//! /// Writes the sum over each work-group.
//! fn sums(x: &[f32], y: &mut [f32]) {
//!     let sum = work_group::reduce_add(x[global_id(0)]);
//!     if work_group::local_linear_id() == 0 {
//!         y[group_id(0)] = sum;
//!     }
//! }
//!
//! let mut y = [0.0];
//! sums(&[1.5], &mut y);
//! assert_eq!(y, [1.5]);
//! ```

use crate::atomic::Scope;
use crate::group::{Bits, GroupNumber, GroupValue, only};
use crate::intrinsics::intrinsics;
use crate::memory::Memory;
use crate::number::Integer;

intrinsics! {
    /// The number of this work-item in its work-group: `(local_id(2) * local_size(1) + local_id(1)) * local_size(0) + local_id(0)`.
    fn local_linear_id() -> usize = 0, __work_group_local_linear_id as work_group_local_linear_id;

    /// How many work-items the work-group has.
    fn size() -> usize = 1, __work_group_size as work_group_size;

    /// Waits until every work-item of the work-group is here, and orders accesses to these kinds of memory, before and after, among the work-items of the
    /// scope: OpenCL C's `work_group_barrier(flags, scope)`.
    ///
    /// `barrier` orders what the kernel needs and no more, so this one is for what the compiler cannot know: `Scope::Device` where work-groups
    /// hand each other results, or fewer kinds of memory where the author knows better. Both are written at the call, by their names.
    fn barrier_in(scope: Scope, memory: Memory) = { let _ = (scope, memory); }, __work_group_barrier_in as work_group_barrier_in;

    /// Returns whether `condition` holds for all work-items of the work-group.
    fn all(condition: bool) -> bool = condition, __work_group_all as work_group_all;

    /// Returns whether `condition` holds for any work-item of the work-group.
    fn any(condition: bool) -> bool = condition, __work_group_any as work_group_any;

    /// The `x` of the work-item with the [`local_linear_id`] `id`, which must be the same for all. An `id` that none has is an index out
    /// of bounds.
    fn broadcast<T: GroupValue>(x: T, id: usize) -> T = only(x, id), __work_group_broadcast as work_group_broadcast;
}

intrinsics! {
    /// Copies all elements of `from` to `to`, which is as long; the work-items share the work, as a device does it best. Of a slice in local memory and one of
    /// a buffer it is an asynchronous copy (OpGroupAsyncCopy); other elements than numbers and vectors, and other memory, each work-item copies its
    /// share of.
    ///
    /// ```
    /// # use kernel_core::{Local, intrinsics::{barrier, group_id, local_id}, work_group};
    /// // Inside a kernel with `x: &[f32]`, `y: &mut [f32]`:
    /// # let (x, mut y) = ([1.5; 256], [0.0; 256]);
    /// let mut tile = Local::<[f32; 256]>::new();
    /// let start = group_id(0) * 256;
    /// work_group::copy(&mut tile[..], &x[start..start + 256]);
    /// tile[local_id(0)] *= 2.0;
    /// barrier();
    /// work_group::copy(&mut y[start..start + 256], &tile[..]);
    /// # assert_eq!((y[0], y[1]), (3.0, 1.5));
    /// ```
    ///
    /// After it every work-item of the work-group sees what was copied. Before it nothing is waited for: where others may still access what is
    /// copied, a [`barrier`](crate::intrinsics::barrier) comes first. All work-items must copy the same, which the compiler checks. If the lengths differ, that is
    /// the panic of [`slice::copy_from_slice`], and a device copies nothing.
    fn copy<T: Copy>(to: &mut [T], from: &[T]) = to.copy_from_slice(from), __work_group_copy as work_group_copy;

    /// Does what [`copy`] does, and `work` meanwhile: the copy is begun before it and waited for after it. Until then the borrow of `to` keeps `work` away from
    /// what is not there yet.
    ///
    /// ```
    /// # use kernel_core::{Local, work_group};
    /// # let (x, tile, mut next) = ([2.0_f32; 128], [1.0_f32; 64], [0.0; 64]);
    /// // Sums up one tile while the next one is loaded.
    /// let sum: f32 = work_group::copy_while(&mut next[..], &x[64..], || tile.iter().sum());
    /// # assert_eq!((sum, next[63]), (64.0, 2.0));
    /// ```
    fn copy_while<T: Copy, R>(to: &mut [T], from: &[T], work: impl FnOnce() -> R) -> R = {
        to.copy_from_slice(from);
        work()
    }, __work_group_copy_while as work_group_copy_while;

    /// Copies every `stride`-th element of `from`, from the first on, until `to` is full. Otherwise as [`copy`].
    ///
    /// A stride of 0 panics; so does a `from` that does not have the last element, as an index does that is out of bounds.
    fn gather<T: Copy>(to: &mut [T], from: &[T], stride: usize) = gathered(to, from, stride), __work_group_gather as work_group_gather;

    /// Does what [`gather`] does, and `work` meanwhile, as [`copy_while`].
    fn gather_while<T: Copy, R>(to: &mut [T], from: &[T], stride: usize, work: impl FnOnce() -> R) -> R = {
        gathered(to, from, stride);
        work()
    }, __work_group_gather_while as work_group_gather_while;

    /// Copies all elements of `from` to every `stride`-th element of `to`, from the first on. Otherwise as [`copy`].
    ///
    /// A stride of 0 panics; so does a `to` that does not have the last element, as an index does that is out of bounds.
    fn scatter<T: Copy>(to: &mut [T], from: &[T], stride: usize) = scattered(to, from, stride), __work_group_scatter as work_group_scatter;

    /// Does what [`scatter`] does, and `work` meanwhile, as [`copy_while`].
    fn scatter_while<T: Copy, R>(to: &mut [T], from: &[T], stride: usize, work: impl FnOnce() -> R) -> R = {
        scattered(to, from, stride);
        work()
    }, __work_group_scatter_while as work_group_scatter_while;
}

/// Checks that there are so many elements, each so far from the one before.
#[track_caller]
fn check_stride(count: usize, len: usize, stride: usize) {
    assert!(stride != 0, "assertion failed: step != 0");
    if let Some(last) = count.checked_sub(1) {
        let index = last.wrapping_mul(stride);
        let is_there = last.checked_mul(stride).is_some_and(|index| index < len);
        assert!(is_there, "index out of bounds: the len is {len} but the index is {index}");
    }
}

#[track_caller]
fn gathered<T: Copy>(to: &mut [T], from: &[T], stride: usize) {
    check_stride(to.len(), from.len(), stride);
    for (to, from) in to.iter_mut().zip(from.iter().step_by(stride)) {
        *to = *from;
    }
}

#[track_caller]
fn scattered<T: Copy>(to: &mut [T], from: &[T], stride: usize) {
    check_stride(from.len(), to.len(), stride);
    for (to, from) in to.iter_mut().step_by(stride).zip(from) {
        *to = *from;
    }
}

intrinsics! {
    /// The sum of `x` over all work-items of the work-group.
    fn reduce_add<T: GroupNumber>(x: T) -> T = x, __work_group_reduce_add as work_group_reduce_add;

    /// The sum of `x` over the work-items of the work-group up to this one.
    fn scan_inclusive_add<T: GroupNumber>(x: T) -> T = x, __work_group_scan_inclusive_add as work_group_scan_inclusive_add;

    /// The sum of `x` over the work-items of the work-group before this one; for the first, 0.
    fn scan_exclusive_add<T: GroupNumber>(x: T) -> T = { let _ = x; T::ZERO }, __work_group_scan_exclusive_add as work_group_scan_exclusive_add;

    /// The product of `x` over all work-items of the work-group.
    fn reduce_mul<T: GroupNumber>(x: T) -> T = x, __work_group_reduce_mul as work_group_reduce_mul;

    /// The product of `x` over the work-items of the work-group up to this one.
    fn scan_inclusive_mul<T: GroupNumber>(x: T) -> T = x, __work_group_scan_inclusive_mul as work_group_scan_inclusive_mul;

    /// The product of `x` over the work-items of the work-group before this one; for the first, 1.
    fn scan_exclusive_mul<T: GroupNumber>(x: T) -> T = { let _ = x; T::ONE }, __work_group_scan_exclusive_mul as work_group_scan_exclusive_mul;

    /// The least of `x` over all work-items of the work-group.
    fn reduce_min<T: GroupNumber>(x: T) -> T = x, __work_group_reduce_min as work_group_reduce_min;

    /// The least of `x` over the work-items of the work-group up to this one.
    fn scan_inclusive_min<T: GroupNumber>(x: T) -> T = x, __work_group_scan_inclusive_min as work_group_scan_inclusive_min;

    /// The least of `x` over the work-items of the work-group before this one; for the first, the greatest number of the type, for floats infinity.
    fn scan_exclusive_min<T: GroupNumber>(x: T) -> T = { let _ = x; T::GREATEST }, __work_group_scan_exclusive_min as work_group_scan_exclusive_min;

    /// The greatest of `x` over all work-items of the work-group.
    fn reduce_max<T: GroupNumber>(x: T) -> T = x, __work_group_reduce_max as work_group_reduce_max;

    /// The greatest of `x` over the work-items of the work-group up to this one.
    fn scan_inclusive_max<T: GroupNumber>(x: T) -> T = x, __work_group_scan_inclusive_max as work_group_scan_inclusive_max;

    /// The greatest of `x` over the work-items of the work-group before this one; for the first, the least number of the type, for floats negative infinity.
    fn scan_exclusive_max<T: GroupNumber>(x: T) -> T = { let _ = x; T::LEAST }, __work_group_scan_exclusive_max as work_group_scan_exclusive_max;

    /// `&` of `x` over all work-items of the work-group.
    fn reduce_and<T: Bits>(x: T) -> T = x, __work_group_reduce_and as work_group_reduce_and;

    /// `&` of `x` over the work-items of the work-group up to this one.
    fn scan_inclusive_and<T: Bits>(x: T) -> T = x, __work_group_scan_inclusive_and as work_group_scan_inclusive_and;

    /// `&` of `x` over the work-items of the work-group before this one; for the first, all bits set.
    fn scan_exclusive_and<T: Bits>(x: T) -> T = { let _ = x; T::ALL }, __work_group_scan_exclusive_and as work_group_scan_exclusive_and;

    /// `|` of `x` over all work-items of the work-group.
    fn reduce_or<T: Bits>(x: T) -> T = x, __work_group_reduce_or as work_group_reduce_or;

    /// `|` of `x` over the work-items of the work-group up to this one.
    fn scan_inclusive_or<T: Bits>(x: T) -> T = x, __work_group_scan_inclusive_or as work_group_scan_inclusive_or;

    /// `|` of `x` over the work-items of the work-group before this one; for the first, no bit set.
    fn scan_exclusive_or<T: Bits>(x: T) -> T = { let _ = x; T::NONE }, __work_group_scan_exclusive_or as work_group_scan_exclusive_or;

    /// `^` of `x` over all work-items of the work-group.
    fn reduce_xor<T: Bits>(x: T) -> T = x, __work_group_reduce_xor as work_group_reduce_xor;

    /// `^` of `x` over the work-items of the work-group up to this one.
    fn scan_inclusive_xor<T: Bits>(x: T) -> T = x, __work_group_scan_inclusive_xor as work_group_scan_inclusive_xor;

    /// `^` of `x` over the work-items of the work-group before this one; for the first, no bit set.
    fn scan_exclusive_xor<T: Bits>(x: T) -> T = { let _ = x; T::NONE }, __work_group_scan_exclusive_xor as work_group_scan_exclusive_xor;
}

/// `value`, which is the same for all work-items of the work-group that come here: for conditions of which the compiler cannot see that.
///
/// A barrier or another function of a work-group may then stand under such a condition.
///
/// # Safety
///
/// Where two work-items of one work-group that come here together have different values, the barriers and functions of groups that depend on
/// it are undefined behaviour: work-items may wait for ever, or compute with values that are not there.
///
/// ```
/// use kernel_core::work_group;
///
/// // SAFETY: the host writes the same number of rounds for every work-item of a work-group.
/// let rounds = unsafe { work_group::assume_uniform(3_u32) };
/// assert_eq!(rounds, 3);
/// ```
#[inline]
#[must_use]
pub unsafe fn assume_uniform<T: GroupValue>(value: T) -> T {
    value
}

intrinsics! { @macro __work_group_assume_uniform assume_uniform [work_group_assume_uniform assume_uniform] ($) }

/// `value`, which no two work-items of one work-group get: for indices into local memory of which the compiler cannot see that they differ.
///
/// [`KernelDescriptor::assumes_distinct`](crate::KernelDescriptor::assumes_distinct) has the places where a kernel says so.
///
/// # Safety
///
/// Where two work-items of a work-group ever get the same value at one call, also in different passes of a loop, their accesses race, which is undefined behaviour. One work-item may get a
/// value again.
///
/// ```
/// use kernel_core::work_group;
///
/// // SAFETY: the host gives each work-item of a work-group a place of its own.
/// let place = unsafe { work_group::assume_distinct(3_u32) };
/// assert_eq!(place, 3);
/// ```
#[inline]
#[must_use]
pub unsafe fn assume_distinct<T: Integer>(value: T) -> T {
    value
}

intrinsics! { @macro __work_group_assume_distinct assume_distinct [work_group_assume_distinct assume_distinct] ($) }
