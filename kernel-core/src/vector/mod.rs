//! Short vectors of scalars: [`Vector`] and its names, such as [`f32x4`].
//!
//! There are vectors of 2, 3, 4, 8 and 16 lanes of every scalar, as OpenCL has them (OpenCL C specification, "Built-in Vector Data
//! Types"). They are named as Rust's portable SIMD names its own: the scalar, an `x`, and the number of lanes. So are the methods
//! that both have, `splat`, `simd_lt`, `reduce_sum` and the like, and they mean the same.
//!
//! - An operator or method works lane by lane, with the meaning that it has for the scalar. The other operand of an operator may be
//!   a scalar too, which then counts for every lane.
//! - `==` and `!=` compare whole vectors. [`simd_lt`](Vector::simd_lt) and its kin compare lanes; what they give is a mask, a vector
//!   of `bool`, which [`select`](Vector::select) chooses by.
//! - Lanes are `v.x`, `v.y`, `v.z` and `v.w` of vectors up to four, `v[i]` of all. [Swizzles](swizzle) rearrange them.
//! - In memory a vector is its lanes in a row, aligned to its size; one of three takes the room of four
//!   (Level Zero SPIR-V environment, by way of the OpenCL C specification, "Alignment of Types").
//!
//! On a GPU a vector is that many scalars: it makes memory accesses wider, but computes no faster.

mod bits;
mod compare;
mod convert;
mod lanes;
#[cfg(feature = "std")]
mod math;
mod memory;
pub mod names;
mod operators;
#[cfg(feature = "std")]
mod overflow;
mod reduce;
mod sign;
mod storage;
pub mod swizzle;

pub use convert::Cast;
pub use lanes::{Xy, Xyz, Xyzw};
pub use names::*;
pub use storage::Lane;

use crate::element::{Element, ElementType};
use core::array;
use core::fmt;
use core::ops::{Index, IndexMut};
use core::ptr;

/// A vector of `N` scalars.
///
/// ```
/// use kernel_core::vector::{f32x4, u16x2};
///
/// let v = f32x4::new(1.0, 2.0, 3.0, 4.0) * 2.0;
/// assert_eq!(v.x + v[3], 10.0);
/// assert_eq!(v.simd_gt(f32x4::splat(5.0)).select(v, -v), f32x4::from_array([-2.0, -4.0, 6.0, 8.0]));
/// assert_eq!(size_of::<u16x2>(), 4);
/// ```
#[repr(transparent)]
pub struct Vector<T: Lane<N>, const N: usize>(T::Storage);

/// The lanes of a vector over its storage, which for three lanes has a fourth.
#[repr(C)]
union Parts<T: Lane<N>, const N: usize> {
    lanes: [T; N],
    storage: T::Storage,
}

impl<T: Lane<N>, const N: usize> Vector<T, N> {
    /// The number of lanes.
    pub const LANES: usize = N;

    /// The vector with these lanes.
    #[inline]
    #[must_use]
    pub const fn from_array(lanes: [T; N]) -> Self {
        let mut parts = Parts::<T, N> { storage: T::ZEROED };
        parts.lanes = lanes;
        // SAFETY: all of the storage has been initialised, and a `Lane` says that it begins with the lanes.
        Self(unsafe { parts.storage })
    }

    /// The vector whose lanes are all the same.
    #[inline]
    #[must_use]
    pub const fn splat(value: T) -> Self {
        Self::from_array([value; N])
    }

    /// The lanes.
    #[inline]
    #[must_use]
    pub const fn to_array(self) -> [T; N] {
        *self.as_array()
    }

    /// The lanes by reference.
    #[inline]
    #[must_use]
    pub const fn as_array(&self) -> &[T; N] {
        // SAFETY: a `Lane` says that its storage begins with the lanes.
        unsafe { &*ptr::from_ref(self).cast() }
    }

    /// The lanes by mutable reference.
    #[inline]
    #[must_use]
    pub const fn as_mut_array(&mut self) -> &mut [T; N] {
        // SAFETY: a `Lane` says that its storage begins with the lanes, and any lanes will do.
        unsafe { &mut *ptr::from_mut(self).cast() }
    }

    /// The vector of a function of each lane's number.
    #[inline]
    fn from_fn(lane: impl FnMut(usize) -> T) -> Self {
        Self::from_array(array::from_fn(lane))
    }

    /// The vector of a function of each lane.
    #[inline]
    fn map<U: Lane<N>>(self, mut function: impl FnMut(T) -> U) -> Vector<U, N> {
        Vector::from_fn(|lane| function(self[lane]))
    }

    /// The vector of a function of the lanes of two.
    #[inline]
    fn zip<U: Lane<N>, R: Lane<N>>(
        self,
        other: Vector<U, N>,
        mut function: impl FnMut(T, U) -> R,
    ) -> Vector<R, N> {
        Vector::from_fn(|lane| function(self[lane], other[lane]))
    }
}

/// `new`, which takes as many lanes as the vector has.
macro_rules! new {
    ($($count:literal: $($lane:ident)*;)*) => {$(
        impl<T: Lane<$count>> Vector<T, $count> {
            /// The vector with these lanes.
            #[inline]
            #[must_use]
            #[allow(clippy::too_many_arguments, reason = "it takes as many lanes as the vector has")]
            pub const fn new($($lane: T),*) -> Self {
                Self::from_array([$($lane),*])
            }
        }
    )*};
}

new! {
    2: x y;
    3: x y z;
    4: x y z w;
    8: s0 s1 s2 s3 s4 s5 s6 s7;
    16: s0 s1 s2 s3 s4 s5 s6 s7 s8 s9 sa sb sc sd se sf;
}

impl<T: Lane<N>, const N: usize> Clone for Vector<T, N> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Lane<N>, const N: usize> Copy for Vector<T, N> {}

impl<T: Lane<N> + fmt::Debug, const N: usize> fmt::Debug for Vector<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_array().fmt(f)
    }
}

impl<T: Lane<N> + Default, const N: usize> Default for Vector<T, N> {
    fn default() -> Self {
        Self::splat(T::default())
    }
}

impl<T: Lane<N>, const N: usize> From<[T; N]> for Vector<T, N> {
    #[inline]
    fn from(lanes: [T; N]) -> Self {
        Self::from_array(lanes)
    }
}

impl<T: Lane<N>, const N: usize> From<Vector<T, N>> for [T; N] {
    #[inline]
    fn from(vector: Vector<T, N>) -> Self {
        vector.to_array()
    }
}

impl<T: Lane<N>, const N: usize> Index<usize> for Vector<T, N> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn index(&self, lane: usize) -> &T {
        &self.as_array()[lane]
    }
}

impl<T: Lane<N>, const N: usize> IndexMut<usize> for Vector<T, N> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, lane: usize) -> &mut T {
        &mut self.as_mut_array()[lane]
    }
}

#[diagnostic::do_not_recommend]
// SAFETY: a `Lane` says that its storage begins with the lanes, and has the size and alignment of the description.
unsafe impl<T: Lane<N>, const N: usize> Element for Vector<T, N> {
    const TYPE: ElementType = ElementType::Vector { element: T::SCALAR, lanes: N as u32 };
}

builtin_names! { Vector __vector }

#[cfg(test)]
mod tests;
