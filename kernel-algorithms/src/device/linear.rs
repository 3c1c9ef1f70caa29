//! What linear algebra needs of numbers.

pub use numbers::Linear;

/// Numbers that matrices have.
#[kernel_runtime::device]
pub mod numbers {
    /// A number of a matrix.
    pub trait Linear {
        /// `self * b + c`; of floats it is rounded once, and integers wrap.
        fn times_plus(self, b: Self, c: Self) -> Self;
    }

    macro_rules! floats {
        ($($ty:ident)*) => {$(
            impl Linear for $ty {
                fn times_plus(self, b: Self, c: Self) -> Self {
                    self.mul_add(b, c)
                }
            }
        )*};
    }

    macro_rules! integers {
        ($($ty:ident)*) => {$(
            impl Linear for $ty {
                fn times_plus(self, b: Self, c: Self) -> Self {
                    self.wrapping_mul(b).wrapping_add(c)
                }
            }
        )*};
    }

    floats! { f32 f64 }
    integers! { i32 u32 }
}
