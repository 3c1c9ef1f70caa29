//! Q16.16 fixed-point numbers.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! Q16.16 fixed-point numbers.
    use std::fmt::Debug;
    use std::num::NonZeroI32;
    use std::ops::*;

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash, Debug)]
    #[repr(transparent)]
    pub struct Fixed(i32);

    impl Fixed {
        pub const FRACTION_BITS: u32 = 16;
        pub const ONE: Fixed = Fixed(1 << Self::FRACTION_BITS);
        pub const PI: Fixed = Fixed::from_f64(core::f64::consts::PI);
        pub const MAX: Fixed = Fixed(i32::MAX);

        pub const fn from_f64(x: f64) -> Fixed {
            Fixed((x * (1i64 << Self::FRACTION_BITS) as f64) as i32)
        }

        pub const fn from_bits(bits: i32) -> Self {
            Fixed(bits)
        }

        pub fn sqrt(self) -> Option<Fixed> {
            if self.0 < 0 {
                return None;
            }
            let n = (self.0 as u64) << 16;
            let mut x = n;
            let mut y = (x + 1) / 2;
            while y < x {
                x = y;
                y = (x + n / x) / 2;
            }
            Some(Fixed(x as i32))
        }

        pub fn saturating_mul(self, rhs: Fixed) -> Fixed {
            let wide = (self.0 as i64 * rhs.0 as i64) >> 16;
            Fixed(wide.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
        }

        pub fn checked_recip(self) -> Option<Fixed> {
            let d = NonZeroI32::new(self.0)?;
            Some(Fixed(((1i64 << 32) / d.get() as i64) as i32))
        }

        pub fn floor(self) -> i32 {
            self.0 >> 16
        }
    }

    macro_rules! impl_op {
        ($trait:ident, $method:ident, $assign:ident, $assign_method:ident, |$a:ident, $b:ident| $body:expr) => {
            impl $trait for Fixed {
                type Output = Fixed;
                fn $method(self, rhs: Fixed) -> Fixed {
                    let ($a, $b) = (self.0, rhs.0);
                    Fixed($body)
                }
            }
            impl $assign for Fixed {
                fn $assign_method(&mut self, rhs: Fixed) {
                    *self = $trait::$method(*self, rhs);
                }
            }
        };
    }

    impl_op!(Add, add, AddAssign, add_assign, |a, b| a.wrapping_add(b));
    impl_op!(Sub, sub, SubAssign, sub_assign, |a, b| a.wrapping_sub(b));
    impl_op!(Mul, mul, MulAssign, mul_assign, |a, b| ((a as i64 * b as i64) >> 16) as i32);
    impl_op!(Div, div, DivAssign, div_assign, |a, b| (((a as i64) << 16) / b as i64) as i32);

    macro_rules! impl_from {
        ($($t:ty),+) => {
            $(impl From<$t> for Fixed {
                fn from(x: $t) -> Fixed {
                    Fixed((x as i32) << 16)
                }
            })+
        };
    }
    impl_from!(i8, u8, i16);

    impl Neg for Fixed {
        type Output = Fixed;
        fn neg(self) -> Fixed {
            Fixed(self.0.wrapping_neg())
        }
    }

    fn polynomial<T, const N: usize>(x: T, coefficients: [T; N]) -> T
    where
        T: Copy + Debug + Mul<Output = T> + Add<Output = T> + Default,
    {
        coefficients.iter().rev().fold(T::default(), |acc, &c| acc * x + c)
    }

    pub fn check(seed: u32) -> u32 {
        let x = Fixed::from(seed as u8) / Fixed::from(10i8);
        let p = polynomial(x, [Fixed::ONE, Fixed::PI, -Fixed::from_bits(0x8000)]);
        let q = polynomial(seed as i32, [1, 2, 3]);
        let mut r = x.saturating_mul(Fixed::MAX);
        r -= Fixed::from(3u8);
        r += x.sqrt().unwrap_or(Fixed::MAX);
        r *= Fixed::from_f64(0.75);
        let inverse = x.checked_recip().unwrap_or_default();
        (p.0 ^ r.0.rotate_left(5) ^ q) as u32 ^ inverse.0 as u32 ^ p.max(r).floor() as u32
    }
}

#[kernel]
pub fn fixed(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::check(i as u32);
    }
}

pub fn case() -> Case {
    super::case_of(&FIXED, program::check)
}
