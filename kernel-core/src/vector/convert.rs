//! Conversions between the scalars of vectors.

use super::{Lane, Vector};
use crate::half::{bf16, f16};

/// A scalar that is converted to another as Rust's `as` would do it; a half by way of `f32`.
pub trait Cast<T> {
    /// The converted scalar.
    fn cast(self) -> T;
}

/// The conversions to one type from all of a list.
macro_rules! casts {
    ($($from:ident)* => $to:tt) => {$(
        impl Cast<$to> for $from {
            #[inline]
            fn cast(self) -> $to {
                self as $to
            }
        }
    )*};
}

macro_rules! primitives {
    ($($to:ident)*) => {$(
        casts! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 => $to }
    )*};
}

primitives! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 }

macro_rules! bools {
    ($($to:ident)*) => {$(casts! { bool => $to })*};
}

bools! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

macro_rules! halves {
    ($($half:ident $($other:ident)*;)*) => {$(
        $(
            impl Cast<$other> for $half {
                #[inline]
                fn cast(self) -> $other {
                    self.to_f32() as $other
                }
            }

            impl Cast<$half> for $other {
                #[inline]
                fn cast(self) -> $half {
                    $half::from_f32(self as f32)
                }
            }
        )*

        impl Cast<$half> for $half {
            #[inline]
            fn cast(self) -> $half {
                self
            }
        }

        impl Cast<$half> for f64 {
            #[inline]
            fn cast(self) -> $half {
                $half::from_f64(self)
            }
        }

        impl Cast<f64> for $half {
            #[inline]
            fn cast(self) -> f64 {
                self.to_f64()
            }
        }
    )*};
}

halves! {
    f16 i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32;
    bf16 i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32;
}

impl Cast<bf16> for f16 {
    #[inline]
    fn cast(self) -> bf16 {
        bf16::from_f32(self.to_f32())
    }
}

impl Cast<f16> for bf16 {
    #[inline]
    fn cast(self) -> f16 {
        f16::from_f32(self.to_f32())
    }
}

impl<T: Lane<N>, const N: usize> Vector<T, N> {
    /// The vector of each lane converted to another type as by `as`: `v.cast::<i32>()`.
    #[inline]
    #[must_use]
    pub fn cast<U: Lane<N>>(self) -> Vector<U, N>
    where
        T: Cast<U>,
    {
        self.map(T::cast)
    }
}
