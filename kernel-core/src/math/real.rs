//! The functions of floats, for each type.

use super::scale::Scale;
use super::{c, pi, root};

/// Defines the trait and implements it; `f32` has the functions of `f64`, rounded, but for those that are made of a few operators.
macro_rules! real {
    (
        by_way_of_f64 { $(fn $name:ident($self:ident $(, $argument:ident: $ty:ty)*) = $exact:expr;)* }
        of_both { $(fn $direct:ident($own:ident $(, $other:ident: $kind:ty)*) -> $result:ty $body:block)* }
    ) => {
        /// A float that has the functions of [`math`](crate::math): `f32` or `f64`.
        ///
        /// Its methods are what those functions call.
        #[diagnostic::on_unimplemented(message = "`{Self}` is neither `f32` nor `f64`, which this function takes")]
        pub trait Real: crate::Float {
            $(#[doc(hidden)] #[must_use] fn $name(self $(, $argument: $ty)*) -> Self;)*
            $(#[doc(hidden)] #[must_use] fn $direct(self $(, $other: $kind)*) -> $result;)*
        }

        impl Real for f64 {
            $(fn $name($self $(, $argument: $ty)*) -> Self { $exact })*
            $(fn $direct($own $(, $other: $kind)*) -> $result $body)*
        }

        impl Real for f32 {
            $(fn $name(self $(, $argument: $ty)*) -> Self {
                Real::$name(f64::from(self) $(, $argument.into())*) as Self
            })*
            $(fn $direct($own $(, $other: $kind)*) -> $result $body)*
        }
    };
}

real! {
    by_way_of_f64 {
        fn rsqrt(self) = self.sqrt().recip();
        fn exp10(self) = 10.0_f64.powf(self);
        fn sin_pi(self) = pi::sin_pi(self);
        fn cos_pi(self) = pi::cos_pi(self);
        fn tan_pi(self) = pi::tan_pi(self);
        fn asin_pi(self) = pi::in_half_turns(self.asin());
        fn acos_pi(self) = pi::in_half_turns(self.acos());
        fn atan_pi(self) = pi::in_half_turns(self.atan());
        fn atan2_pi(self, x: Self) = pi::in_half_turns(self.atan2(x));
        fn erf(self) = c::erf(self);
        fn erfc(self) = c::erfc(self);
        fn gamma(self) = c::tgamma(self);
        fn ln_gamma(self) = c::lgamma(self);
        fn remainder(self, y: Self) = root::remainder(self, y);
        fn rootn(self, n: i32) = root::rootn(self, n);
        fn powr(self, y: Self) = root::powr(self, y);
    }
    of_both {
        fn ldexp(self, exponent: i32) -> Self {
            self.scaled(exponent)
        }

        fn frexp(self) -> (Self, i32) {
            self.split()
        }

        fn ilogb(self) -> i32 {
            match self {
                0.0 => i32::MIN,
                number if number.is_finite() => number.exponent(),
                _ => i32::MAX,
            }
        }

        fn logb(self) -> Self {
            match self {
                0.0 => Self::NEG_INFINITY,
                number if number.is_finite() => number.exponent() as Self,
                number => number.abs(),
            }
        }

        fn next_after(self, y: Self) -> Self {
            match self.partial_cmp(&y) {
                None => Self::NAN,
                Some(core::cmp::Ordering::Equal) => y,
                Some(core::cmp::Ordering::Less) => self.next_up(),
                Some(core::cmp::Ordering::Greater) => self.next_down(),
            }
        }

        fn fdim(self, y: Self) -> Self {
            if self <= y { 0.0 } else { self - y }
        }

        fn mad(self, b: Self, c: Self) -> Self {
            self * b + c
        }

        fn max_mag(self, y: Self) -> Self {
            match (self.abs(), y.abs()) {
                (own, other) if own > other => self,
                (own, other) if own < other => y,
                _ => self.max(y),
            }
        }

        fn min_mag(self, y: Self) -> Self {
            match (self.abs(), y.abs()) {
                (own, other) if own < other => self,
                (own, other) if own > other => y,
                _ => self.min(y),
            }
        }

        fn mix(self, y: Self, a: Self) -> Self {
            self + (y - self) * a
        }

        fn step(self, x: Self) -> Self {
            if x < self { 0.0 } else { 1.0 }
        }

        fn smoothstep(self, high: Self, x: Self) -> Self {
            let t = ((x - self) / (high - self)).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        }

        fn sign(self) -> Self {
            match self {
                number if number > 0.0 => 1.0,
                number if number < 0.0 => -1.0,
                number if number == 0.0 => number,
                _ => 0.0,
            }
        }
    }
}
