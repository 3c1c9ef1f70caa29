//! What the work-items of a group can hand each other.

use crate::half::{bf16, f16};
use crate::number::Number;
use crate::vector::{Lane, Vector};

/// The most work-items that a work-group has on any device.
pub const MAX_WORK_GROUP_SIZE: u32 = 1024;

/// The fewest work-items that a full subgroup has on any device.
pub const MIN_SUBGROUP_SIZE: u32 = 4;

/// A value that [`subgroup`](crate::subgroup) and [`work_group`](crate::work_group) functions take: a scalar or a vector.
#[diagnostic::on_unimplemented(
    message = "work-items cannot hand each other `{Self}`",
    label = "neither a scalar nor a vector",
    note = "Level Zero SPIR-V environment, `SPV_INTEL_subgroups`: shuffles take integers, floats and vectors of these",
    note = "hand over the parts one by one"
)]
pub trait GroupValue: Copy + sealed::Sealed {}

/// What can be added up, multiplied and compared by a group: a number, or a vector of numbers, which is lane by lane.
#[diagnostic::on_unimplemented(
    message = "work-items cannot combine `{Self}` as numbers",
    label = "neither a number nor a vector of numbers",
    note = "`all`, `any` and the functions with `and`, `or` and `xor` take `bool`"
)]
pub trait GroupNumber: Copy {
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// What nothing is less than.
    const LEAST: Self;
    /// What nothing is greater than.
    const GREATEST: Self;
}

#[diagnostic::do_not_recommend]
impl<T: Number> GroupNumber for T {
    const ZERO: Self = T::ZERO;
    const ONE: Self = T::ONE;
    const LEAST: Self = T::LEAST;
    const GREATEST: Self = T::GREATEST;
}

#[diagnostic::do_not_recommend]
impl<T: Lane<N> + Number, const N: usize> GroupNumber for Vector<T, N> {
    const ZERO: Self = Self::splat(<T as Number>::ZERO);
    const ONE: Self = Self::splat(T::ONE);
    const LEAST: Self = Self::splat(T::LEAST);
    const GREATEST: Self = Self::splat(T::GREATEST);
}

/// What consists of bits: an integer or a `bool`, or a vector of these.
#[diagnostic::on_unimplemented(
    message = "the bits of `{Self}` cannot be combined",
    label = "neither an integer nor a `bool`, nor a vector of these"
)]
pub trait Bits: GroupValue {
    /// No bit set.
    const NONE: Self;
    /// All bits set.
    const ALL: Self;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! values {
    ($($ty:ident)*) => {$(
        impl sealed::Sealed for $ty {}
        impl GroupValue for $ty {}
    )*};
}

macro_rules! bits {
    ($($ty:ident)*) => {$(
        impl Bits for $ty {
            const NONE: Self = 0;
            const ALL: Self = !0;
        }
    )*};
}

values! { bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 f16 bf16 }
bits! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

#[diagnostic::do_not_recommend]
impl<T: Lane<N> + GroupValue, const N: usize> sealed::Sealed for Vector<T, N> {}

#[diagnostic::do_not_recommend]
impl<T: Lane<N> + GroupValue, const N: usize> GroupValue for Vector<T, N> {}

#[diagnostic::do_not_recommend]
impl<T: Lane<N> + Bits, const N: usize> Bits for Vector<T, N> {
    const NONE: Self = Self::splat(T::NONE);
    const ALL: Self = Self::splat(T::ALL);
}

impl Bits for bool {
    const NONE: Self = false;
    const ALL: Self = true;
}

/// What a subgroup reads and writes as a block: a number of 16 or 32 bits, of which a work-item can have 1, 2, 4 or 8.
#[diagnostic::on_unimplemented(
    message = "a subgroup cannot read or write `{Self}` as a block",
    label = "neither a number of 16 bits nor one of 32",
    note = "Level Zero SPIR-V environment, `SPV_INTEL_subgroups`: block reads and writes take integers of 16 and 32 bits, or their like in bits",
    note = "read `x[i]` with the work-item's own index"
)]
pub trait BlockValue: Number + Lane<2> + Lane<4> + Lane<8> + sealed::Sealed {
    /// The number that these bytes begin with.
    #[doc(hidden)]
    fn from_memory(bytes: &[u8]) -> Self;

    /// Puts the number at the beginning of some bytes.
    #[doc(hidden)]
    fn to_memory(self, bytes: &mut [u8]);
}

macro_rules! block_values {
    ($($ty:ident)*) => {$(
        impl BlockValue for $ty {
            fn from_memory(bytes: &[u8]) -> Self {
                bytemuck::pod_read_unaligned(&bytes[..size_of::<Self>()])
            }

            fn to_memory(self, bytes: &mut [u8]) {
                bytes[..size_of::<Self>()].copy_from_slice(bytemuck::bytes_of(&self));
            }
        }
    )*};
}

block_values! { i16 u16 f16 i32 u32 f32 }

builtin_names! { GroupValue __group_value GroupNumber __group_number Bits __bits BlockValue __block_value }

/// What a group of one work-item hands on.
#[track_caller]
pub(crate) fn only<T>(x: T, id: usize) -> T {
    assert!(id == 0, "index out of bounds: the len is 1 but the index is {id}");
    x
}
