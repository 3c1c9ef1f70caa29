//! The lanes of vectors of floats as bits, and the methods of `f32` and `f64` that halves do not have.

use super::{Lane, Vector};
use crate::half::{bf16, f16};

macro_rules! bits {
    ($($float:ident $bits:ident;)*) => {$(
        impl<const N: usize> Vector<$float, N>
        where
            $float: Lane<N>,
            $bits: Lane<N>,
            bool: Lane<N>,
        {
            /// The bits of each lane.
            #[inline]
            #[must_use]
            pub fn to_bits(self) -> Vector<$bits, N> {
                self.map($float::to_bits)
            }

            /// The vector whose lanes have these bits.
            #[inline]
            #[must_use]
            pub fn from_bits(bits: Vector<$bits, N>) -> Self {
                bits.map($float::from_bits)
            }

            /// Which lanes are neither zero, infinite, subnormal nor NaN.
            #[inline]
            #[must_use]
            pub fn is_normal(self) -> Vector<bool, N> {
                self.map($float::is_normal)
            }
        }
    )*};
}

bits! { f16 u16; bf16 u16; f32 u32; f64 u64; }

macro_rules! primitive {
    ($($float:ident)*) => {$(
        #[cfg(feature = "std")]
        impl<const N: usize> Vector<$float, N>
        where
            $float: Lane<N>,
            bool: Lane<N>,
        {
            /// Which lanes are subnormal.
            #[inline]
            #[must_use]
            pub fn is_subnormal(self) -> Vector<bool, N> {
                self.map($float::is_subnormal)
            }

            /// Half the sum of each two lanes.
            #[inline]
            #[must_use]
            pub fn midpoint(self, other: Self) -> Self {
                self.zip(other, $float::midpoint)
            }

            /// The least greater number of each lane.
            #[inline]
            #[must_use]
            pub fn next_up(self) -> Self {
                self.map($float::next_up)
            }

            /// The greatest smaller number of each lane.
            #[inline]
            #[must_use]
            pub fn next_down(self) -> Self {
                self.map($float::next_down)
            }

            /// The sine and the cosine of each lane.
            #[inline]
            #[must_use]
            pub fn sin_cos(self) -> (Self, Self) {
                (self.sin(), self.cos())
            }
        }
    )*};
}

primitive! { f32 f64 }
