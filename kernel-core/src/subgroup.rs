//! What the work-items of a subgroup do together: those of a work-group that a device runs in step.
//!
//! How large subgroups are is the device's choice (often 8, 16 or 32), unless the kernel fixes it by `#[kernel(subgroup_size = 16)]`. The last one of a
//! work-group may be smaller. All functions but the ids and sizes are for all work-items of the subgroup together: control must get to a
//! call uniformly, which the compiler checks.
//!
//! Of vectors each lane is combined, and a vector is handed over as a whole.
//!
//! A sum or a product of floats is rounded in an order that is the device's choice; whether a NaN is the least or the greatest among numbers
//! is, too.
//!
//! They are the subgroup operations of SPIR-V (capabilities Groups and SubgroupShuffleINTEL, see "Required Capabilities" and
//! `SPV_INTEL_subgroups` in the Level Zero SPIR-V environment), or are made of those.
//!
//! ```
//! use kernel_core::{intrinsics::global_id, subgroup};
//!
//! /// Writes the sum over each subgroup.
//! fn sums(x: &[f32], y: &mut [f32]) {
//!     let sum = subgroup::reduce_add(x[global_id(0)]);
//!     if subgroup::local_id() == 0 {
//!         y[global_id(0) / subgroup::max_size()] = sum;
//!     }
//! }
//!
//! let mut y = [0.0];
//! sums(&[1.5], &mut y);
//! assert_eq!(y, [1.5]);
//! ```

use crate::atomic::Scope;
use crate::group::{Bits, BlockValue, GroupNumber, GroupValue, only};
use crate::intrinsics::intrinsics;
use crate::memory::Memory;
use crate::vector::{Lane, Vector};

intrinsics! {
    /// The number of this subgroup in its work-group, counted from 0.
    fn id() -> usize = 0, __subgroup_id as subgroup_id;

    /// How many subgroups the work-group has.
    fn count() -> usize = 1, __subgroup_count as subgroup_count;

    /// The number of this work-item in its subgroup, counted from 0.
    fn local_id() -> usize = 0, __subgroup_local_id as subgroup_local_id;

    /// How many work-items this subgroup has.
    fn size() -> usize = 1, __subgroup_size as subgroup_size;

    /// How many work-items the subgroups of the kernel have, but for the last of a work-group, which may have fewer.
    fn max_size() -> usize = 1, __subgroup_max_size as subgroup_max_size;

    /// Waits until every work-item of the subgroup is here, and makes what they wrote to local and global memory
    /// before it visible to all of them after it.
    fn barrier() = (), __subgroup_barrier as subgroup_barrier;

    /// Waits until every work-item of the subgroup is here, and orders accesses to these kinds of memory, before and after, among the work-items of the
    /// scope: OpenCL C's `sub_group_barrier(flags, scope)`.
    ///
    /// `barrier` orders what the kernel needs and no more, so this one is for what the compiler cannot know: `Scope::Device` where work-groups
    /// hand each other results, or fewer kinds of memory where the author knows better. Both are written at the call, by their names.
    fn barrier_in(scope: Scope, memory: Memory) = { let _ = (scope, memory); }, __subgroup_barrier_in as subgroup_barrier_in;

    /// Returns whether `condition` holds for all work-items of the subgroup.
    fn all(condition: bool) -> bool = condition, __subgroup_all as subgroup_all;

    /// Returns whether `condition` holds for any work-item of the subgroup.
    fn any(condition: bool) -> bool = condition, __subgroup_any as subgroup_any;

    /// The work-items of the subgroup for which `condition` holds: bit `i` is the one with [`local_id`] `i`.
    fn ballot(condition: bool) -> u64 = condition.into(), __subgroup_ballot as subgroup_ballot;

    /// The `x` of the work-item with the [`local_id`] `id`, which must be the same for all. An `id` that none has is an index out of
    /// bounds.
    fn broadcast<T: GroupValue>(x: T, id: usize) -> T = only(x, id), __subgroup_broadcast as subgroup_broadcast;

    /// The `x` of the work-item with the [`local_id`] `id`, which each chooses for itself; its own where none has it.
    fn shuffle<T: GroupValue>(x: T, id: usize) -> T = { let _ = id; x }, __subgroup_shuffle as subgroup_shuffle;

    /// The `x` of the work-item so many before this one; its own where there is none.
    fn shuffle_up<T: GroupValue>(x: T, distance: usize) -> T = { let _ = distance; x }, __subgroup_shuffle_up as subgroup_shuffle_up;

    /// The `x` of the work-item so many after this one; its own where there is none.
    fn shuffle_down<T: GroupValue>(x: T, distance: usize) -> T = { let _ = distance; x }, __subgroup_shuffle_down as subgroup_shuffle_down;

    /// The `x` of the work-item whose [`local_id`] is this one's `^ mask`; its own where none has it.
    fn shuffle_xor<T: GroupValue>(x: T, mask: usize) -> T = { let _ = mask; x }, __subgroup_shuffle_xor as subgroup_shuffle_xor;
}

intrinsics! {
    /// The element `x[start + local_id()]`. All work-items of the subgroup read neighbouring elements, by one message where the device
    /// can: a block read.
    ///
    /// `start` and `x` must be the same for all. An index beyond the end is a fault, as that of `x[i]`. The message takes a subgroup that is
    /// whole, memory of a buffer, and, for numbers of 16 bits, an address that is a multiple of 4; elsewhere each work-item reads its own element.
    fn block_read<T: BlockValue>(x: &[T], start: usize) -> T = x[start], __subgroup_block_read as subgroup_block_read;

    /// Two elements, `x[start + local_id()]` and the one that is [`max_size`] after it, as lanes; see [`block_read`].
    fn block_read2<T: BlockValue>(x: &[T], start: usize) -> Vector<T, 2> = block(x, start), __subgroup_block_read2 as subgroup_block_read2;

    /// Four elements, `x[start + local_id()]` and those that are [`max_size`] after each other, as lanes; see [`block_read`].
    fn block_read4<T: BlockValue>(x: &[T], start: usize) -> Vector<T, 4> = block(x, start), __subgroup_block_read4 as subgroup_block_read4;

    /// Eight elements, `x[start + local_id()]` and those that are [`max_size`] after each other, as lanes; see [`block_read`].
    fn block_read8<T: BlockValue>(x: &[T], start: usize) -> Vector<T, 8> = block(x, start), __subgroup_block_read8 as subgroup_block_read8;

    /// `x[start + local_id()] = value`. All work-items of the subgroup write neighbouring elements, by one message where the device can: a
    /// block write.
    ///
    /// As for [`block_read`], but that the message takes an address that is a multiple of 16, whatever the numbers are.
    fn block_write<T: BlockValue>(x: &mut [T], start: usize, value: T) = x[start] = value, __subgroup_block_write as subgroup_block_write;

    /// Writes both lanes, where [`block_read2`] reads them.
    fn block_write2<T: BlockValue>(x: &mut [T], start: usize, value: Vector<T, 2>) = value.store(x, start), __subgroup_block_write2 as subgroup_block_write2;

    /// Writes all lanes, where [`block_read4`] reads them.
    fn block_write4<T: BlockValue>(x: &mut [T], start: usize, value: Vector<T, 4>) = value.store(x, start), __subgroup_block_write4 as subgroup_block_write4;

    /// Writes all lanes, where [`block_read8`] reads them.
    fn block_write8<T: BlockValue>(x: &mut [T], start: usize, value: Vector<T, 8>) = value.store(x, start), __subgroup_block_write8 as subgroup_block_write8;
}

/// What the only work-item of a subgroup reads as a block.
#[track_caller]
fn block<T: Lane<N>, const N: usize>(x: &[T], start: usize) -> Vector<T, N> {
    Vector::from_array(core::array::from_fn(|lane| x[start + lane]))
}

intrinsics! {
    /// The sum of `x` over all work-items of the subgroup.
    fn reduce_add<T: GroupNumber>(x: T) -> T = x, __subgroup_reduce_add as subgroup_reduce_add;

    /// The sum of `x` over the work-items of the subgroup up to this one.
    fn scan_inclusive_add<T: GroupNumber>(x: T) -> T = x, __subgroup_scan_inclusive_add as subgroup_scan_inclusive_add;

    /// The sum of `x` over the work-items of the subgroup before this one; for the first, 0.
    fn scan_exclusive_add<T: GroupNumber>(x: T) -> T = { let _ = x; T::ZERO }, __subgroup_scan_exclusive_add as subgroup_scan_exclusive_add;

    /// The product of `x` over all work-items of the subgroup.
    fn reduce_mul<T: GroupNumber>(x: T) -> T = x, __subgroup_reduce_mul as subgroup_reduce_mul;

    /// The product of `x` over the work-items of the subgroup up to this one.
    fn scan_inclusive_mul<T: GroupNumber>(x: T) -> T = x, __subgroup_scan_inclusive_mul as subgroup_scan_inclusive_mul;

    /// The product of `x` over the work-items of the subgroup before this one; for the first, 1.
    fn scan_exclusive_mul<T: GroupNumber>(x: T) -> T = { let _ = x; T::ONE }, __subgroup_scan_exclusive_mul as subgroup_scan_exclusive_mul;

    /// The least of `x` over all work-items of the subgroup.
    fn reduce_min<T: GroupNumber>(x: T) -> T = x, __subgroup_reduce_min as subgroup_reduce_min;

    /// The least of `x` over the work-items of the subgroup up to this one.
    fn scan_inclusive_min<T: GroupNumber>(x: T) -> T = x, __subgroup_scan_inclusive_min as subgroup_scan_inclusive_min;

    /// The least of `x` over the work-items of the subgroup before this one; for the first, the greatest number of the type, for floats infinity.
    fn scan_exclusive_min<T: GroupNumber>(x: T) -> T = { let _ = x; T::GREATEST }, __subgroup_scan_exclusive_min as subgroup_scan_exclusive_min;

    /// The greatest of `x` over all work-items of the subgroup.
    fn reduce_max<T: GroupNumber>(x: T) -> T = x, __subgroup_reduce_max as subgroup_reduce_max;

    /// The greatest of `x` over the work-items of the subgroup up to this one.
    fn scan_inclusive_max<T: GroupNumber>(x: T) -> T = x, __subgroup_scan_inclusive_max as subgroup_scan_inclusive_max;

    /// The greatest of `x` over the work-items of the subgroup before this one; for the first, the least number of the type, for floats negative infinity.
    fn scan_exclusive_max<T: GroupNumber>(x: T) -> T = { let _ = x; T::LEAST }, __subgroup_scan_exclusive_max as subgroup_scan_exclusive_max;

    /// `&` of `x` over all work-items of the subgroup.
    fn reduce_and<T: Bits>(x: T) -> T = x, __subgroup_reduce_and as subgroup_reduce_and;

    /// `&` of `x` over the work-items of the subgroup up to this one.
    fn scan_inclusive_and<T: Bits>(x: T) -> T = x, __subgroup_scan_inclusive_and as subgroup_scan_inclusive_and;

    /// `&` of `x` over the work-items of the subgroup before this one; for the first, all bits set.
    fn scan_exclusive_and<T: Bits>(x: T) -> T = { let _ = x; T::ALL }, __subgroup_scan_exclusive_and as subgroup_scan_exclusive_and;

    /// `|` of `x` over all work-items of the subgroup.
    fn reduce_or<T: Bits>(x: T) -> T = x, __subgroup_reduce_or as subgroup_reduce_or;

    /// `|` of `x` over the work-items of the subgroup up to this one.
    fn scan_inclusive_or<T: Bits>(x: T) -> T = x, __subgroup_scan_inclusive_or as subgroup_scan_inclusive_or;

    /// `|` of `x` over the work-items of the subgroup before this one; for the first, no bit set.
    fn scan_exclusive_or<T: Bits>(x: T) -> T = { let _ = x; T::NONE }, __subgroup_scan_exclusive_or as subgroup_scan_exclusive_or;

    /// `^` of `x` over all work-items of the subgroup.
    fn reduce_xor<T: Bits>(x: T) -> T = x, __subgroup_reduce_xor as subgroup_reduce_xor;

    /// `^` of `x` over the work-items of the subgroup up to this one.
    fn scan_inclusive_xor<T: Bits>(x: T) -> T = x, __subgroup_scan_inclusive_xor as subgroup_scan_inclusive_xor;

    /// `^` of `x` over the work-items of the subgroup before this one; for the first, no bit set.
    fn scan_exclusive_xor<T: Bits>(x: T) -> T = { let _ = x; T::NONE }, __subgroup_scan_exclusive_xor as subgroup_scan_exclusive_xor;
}

/// `value`, which is the same for all work-items of the subgroup that come here: for conditions of which the compiler cannot see that.
///
/// A barrier or another function of a subgroup may then stand under such a condition.
///
/// # Safety
///
/// Where two work-items of one subgroup that come here together have different values, the barriers and functions of groups that depend on
/// it are undefined behaviour: work-items may wait for ever, or compute with values that are not there.
///
/// ```
/// use kernel_core::subgroup;
///
/// // SAFETY: the host writes the same number of rounds for every work-item of a subgroup.
/// let rounds = unsafe { subgroup::assume_uniform(3_u32) };
/// assert_eq!(rounds, 3);
/// ```
#[inline]
#[must_use]
pub unsafe fn assume_uniform<T: GroupValue>(value: T) -> T {
    value
}

intrinsics! { @macro __subgroup_assume_uniform assume_uniform [subgroup_assume_uniform assume_uniform] ($) }
