//! What the work-items of a work-group do together.
//!
//! All functions but the ids and sizes are for all work-items of the work-group together: control must get to a call uniformly, which the compiler
//! checks. They order no accesses to memory; [`barrier`](crate::intrinsics::barrier) does.
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
use crate::group::{Bits, GroupValue, only};
use crate::intrinsics::intrinsics;
use crate::memory::Memory;
use crate::number::Number;

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

    /// Whether `condition` holds for all work-items of the work-group.
    fn all(condition: bool) -> bool = condition, __work_group_all as work_group_all;

    /// Whether `condition` holds for any work-item of the work-group.
    fn any(condition: bool) -> bool = condition, __work_group_any as work_group_any;

    /// The `x` of the work-item with the [`local_linear_id`] `id`, which must be the same for all. An `id` that none has is an index out
    /// of bounds.
    fn broadcast<T: GroupValue>(x: T, id: usize) -> T = only(x, id), __work_group_broadcast as work_group_broadcast;
}

intrinsics! {
    /// The sum of `x` over all work-items of the work-group.
    fn reduce_add<T: Number>(x: T) -> T = x, __work_group_reduce_add as work_group_reduce_add;

    /// The sum of `x` over the work-items of the work-group up to this one.
    fn scan_inclusive_add<T: Number>(x: T) -> T = x, __work_group_scan_inclusive_add as work_group_scan_inclusive_add;

    /// The sum of `x` over the work-items of the work-group before this one; for the first, 0.
    fn scan_exclusive_add<T: Number>(x: T) -> T = { let _ = x; T::ZERO }, __work_group_scan_exclusive_add as work_group_scan_exclusive_add;

    /// The product of `x` over all work-items of the work-group.
    fn reduce_mul<T: Number>(x: T) -> T = x, __work_group_reduce_mul as work_group_reduce_mul;

    /// The product of `x` over the work-items of the work-group up to this one.
    fn scan_inclusive_mul<T: Number>(x: T) -> T = x, __work_group_scan_inclusive_mul as work_group_scan_inclusive_mul;

    /// The product of `x` over the work-items of the work-group before this one; for the first, 1.
    fn scan_exclusive_mul<T: Number>(x: T) -> T = { let _ = x; T::ONE }, __work_group_scan_exclusive_mul as work_group_scan_exclusive_mul;

    /// The least of `x` over all work-items of the work-group.
    fn reduce_min<T: Number>(x: T) -> T = x, __work_group_reduce_min as work_group_reduce_min;

    /// The least of `x` over the work-items of the work-group up to this one.
    fn scan_inclusive_min<T: Number>(x: T) -> T = x, __work_group_scan_inclusive_min as work_group_scan_inclusive_min;

    /// The least of `x` over the work-items of the work-group before this one; for the first, the greatest number of the type, for floats infinity.
    fn scan_exclusive_min<T: Number>(x: T) -> T = { let _ = x; T::GREATEST }, __work_group_scan_exclusive_min as work_group_scan_exclusive_min;

    /// The greatest of `x` over all work-items of the work-group.
    fn reduce_max<T: Number>(x: T) -> T = x, __work_group_reduce_max as work_group_reduce_max;

    /// The greatest of `x` over the work-items of the work-group up to this one.
    fn scan_inclusive_max<T: Number>(x: T) -> T = x, __work_group_scan_inclusive_max as work_group_scan_inclusive_max;

    /// The greatest of `x` over the work-items of the work-group before this one; for the first, the least number of the type, for floats negative infinity.
    fn scan_exclusive_max<T: Number>(x: T) -> T = { let _ = x; T::LEAST }, __work_group_scan_exclusive_max as work_group_scan_exclusive_max;

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
