//! The `overflowing_` methods of integers, lane by lane: what is left of the exact results, and the mask of those that do not fit.

use super::{Lane, Vector};
use crate::number::Integer;

macro_rules! overflowing {
    ($($name:ident($($argument:ident: $ty:ty $([$lane:ident])?)?);)*) => {
        impl<T: Lane<N> + Integer, const N: usize> Vector<T, N>
        where
            bool: Lane<N>,
        {$(
            #[doc = concat!("[`Integer::", stringify!($name), "`] of each lane.")]
            #[inline]
            #[must_use]
            pub fn $name(self $(, $argument: $ty)?) -> (Self, Vector<bool, N>) {
                let of_lane = |lane: usize| T::$name(self[lane] $(, overflowing!(@lane $argument lane $($lane)?))?);
                (Self::from_fn(|lane| of_lane(lane).0), Vector::from_fn(|lane| of_lane(lane).1))
            }
        )*}
    };
    (@lane $argument:ident $lane:ident each) => { $argument[$lane] };
    (@lane $argument:ident $lane:ident) => { $argument };
}

overflowing! {
    overflowing_add(other: Self [each]);
    overflowing_sub(other: Self [each]);
    overflowing_mul(other: Self [each]);
    overflowing_neg();
    overflowing_pow(exponent: u32);
}
