//! The methods of the scalars, lane by lane.

use super::{Lane, Vector};
use crate::Float;
use crate::number::{Extremes, Integer, Number, Signed};

impl<T: Lane<N> + Number, const N: usize> Vector<T, N>
where
    bool: Lane<N>,
{
    /// Each lane, or the limit for that lane that it exceeds; NaN as it is.
    ///
    /// # Panics
    ///
    /// If a lane of `min` is not at most that of `max`; on a device that is a fault.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn clamp(self, min: Self, max: Self) -> Self {
        assert!(
            min.zip(max, |min, max| min <= max).all(),
            "each lane of `min` must be at most that of `max`"
        );
        let raised = self.zip(min, |lane, min| if lane < min { min } else { lane });
        raised.zip(max, |lane, max| if lane > max { max } else { lane })
    }
}

/// Methods that the trait of the scalars has too: with as many further vectors as arguments, with a scalar argument that
/// counts for every lane, or with another type of result.
macro_rules! methods {
    ($trait:ident: $($methods:tt)*) => {
        impl<T: Lane<N> + $trait, const N: usize> Vector<T, N> {
            methods! { @next $trait $($methods)* }
        }
    };
    (@next $trait:ident) => {};
    (@next $trait:ident $name:ident(); $($more:tt)*) => {
        #[doc = concat!("[`", stringify!($trait), "::", stringify!($name), "`](", stringify!($trait), "::", stringify!($name), ") of each lane.")]
        #[inline]
        #[must_use]
        pub fn $name(self) -> Self {
            self.map(<T as $trait>::$name)
        }
        methods! { @next $trait $($more)* }
    };
    (@next $trait:ident $name:ident($other:ident); $($more:tt)*) => {
        #[doc = concat!("[`", stringify!($trait), "::", stringify!($name), "`](", stringify!($trait), "::", stringify!($name), ") of each lane.")]
        #[inline]
        #[must_use]
        pub fn $name(self, $other: Self) -> Self {
            self.zip($other, <T as $trait>::$name)
        }
        methods! { @next $trait $($more)* }
    };
    (@next $trait:ident $name:ident($a:ident, $b:ident); $($more:tt)*) => {
        #[doc = concat!("[`", stringify!($trait), "::", stringify!($name), "`](", stringify!($trait), "::", stringify!($name), ") of each lane.")]
        #[inline]
        #[must_use]
        pub fn $name(self, $a: Self, $b: Self) -> Self {
            Self::from_fn(|lane| <T as $trait>::$name(self[lane], $a[lane], $b[lane]))
        }
        methods! { @next $trait $($more)* }
    };
    (@next $trait:ident $name:ident($argument:ident: $ty:ty); $($more:tt)*) => {
        #[doc = concat!("[`", stringify!($trait), "::", stringify!($name), "`](", stringify!($trait), "::", stringify!($name), ") of each lane.")]
        #[inline]
        #[must_use]
        pub fn $name(self, $argument: $ty) -> Self {
            self.map(|lane| <T as $trait>::$name(lane, $argument))
        }
        methods! { @next $trait $($more)* }
    };
    (@next $trait:ident $name:ident() -> $result:ty; $($more:tt)*) => {
        #[doc = concat!("[`", stringify!($trait), "::", stringify!($name), "`](", stringify!($trait), "::", stringify!($name), ") of each lane.")]
        #[inline]
        #[must_use]
        pub fn $name(self) -> Vector<$result, N>
        where
            $result: Lane<N>,
        {
            self.map(<T as $trait>::$name)
        }
        methods! { @next $trait $($more)* }
    };
}

methods! { Extremes: max(other); min(other); }

methods! { Number: div_euclid(divisor); rem_euclid(divisor); }

methods! { Signed: abs(); signum(); }

methods! { Float:
    acos(); acosh(); asin(); asinh(); atan(); atan2(other); atanh(); cbrt(); ceil(); copysign(sign); cos(); cosh();
    exp(); exp2(); exp_m1(); floor(); fract(); hypot(other);
    is_finite() -> bool; is_infinite() -> bool; is_nan() -> bool; is_sign_negative() -> bool; is_sign_positive() -> bool;
    ln(); ln_1p(); log(base); log10(); log2(); mul_add(a, b); powf(exponent); powi(exponent: i32); recip(); round();
    round_ties_even(); sin(); sinh(); sqrt(); tan(); tanh(); to_degrees(); to_radians(); trunc();
}

methods! { Integer:
    count_ones() -> u32; count_zeros() -> u32; leading_ones() -> u32; leading_zeros() -> u32; trailing_ones() -> u32;
    trailing_zeros() -> u32; ilog2() -> u32; ilog10() -> u32;
    isqrt(); midpoint(other); pow(exponent: u32); reverse_bits(); rotate_left(count: u32); rotate_right(count: u32);
    saturating_add(other); saturating_div(divisor); saturating_mul(other); saturating_pow(exponent: u32); saturating_sub(other);
    strict_add(other); strict_mul(other); strict_neg(); strict_pow(exponent: u32); strict_sub(other);
    swap_bytes(); unbounded_shl(count: u32); unbounded_shr(count: u32);
    wrapping_add(other); wrapping_div(divisor); wrapping_div_euclid(divisor); wrapping_mul(other); wrapping_neg();
    wrapping_pow(exponent: u32); wrapping_rem(divisor); wrapping_rem_euclid(divisor); wrapping_shl(count: u32);
    wrapping_shr(count: u32); wrapping_sub(other);
}
