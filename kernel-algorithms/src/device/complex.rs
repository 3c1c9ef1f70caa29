//! Complex numbers.

pub use numbers::Complex;

/// Complex numbers and their operators.
#[kernel_runtime::device]
pub mod numbers {
    use std::ops::{Add, Mul, Sub};

    /// A complex number, laid out as two floats: its real and its imaginary part.
    #[repr(C)]
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Complex<T> {
        /// The real part.
        pub re: T,
        /// The imaginary part.
        pub im: T,
    }

    impl<T> Complex<T> {
        /// The number with these parts.
        #[must_use]
        pub const fn new(re: T, im: T) -> Self {
            Self { re, im }
        }
    }

    impl<T: Add<Output = T>> Add for Complex<T> {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            Self { re: self.re + other.re, im: self.im + other.im }
        }
    }

    impl<T: Sub<Output = T>> Sub for Complex<T> {
        type Output = Self;

        fn sub(self, other: Self) -> Self {
            Self { re: self.re - other.re, im: self.im - other.im }
        }
    }

    impl<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>> Mul for Complex<T> {
        type Output = Self;

        fn mul(self, other: Self) -> Self {
            let re = self.re * other.re - self.im * other.im;
            Self { re, im: self.re * other.im + self.im * other.re }
        }
    }
}
