//! What all lanes of a vector come to. Each is computed from the first lane to the last, which matters for floats: they are
//! rounded after every step.

use super::{Lane, Vector};
use core::ops::{Add, BitAnd, BitOr, BitXor, Mul};

impl<T: Lane<N>, const N: usize> Vector<T, N> {
    #[inline]
    fn reduce(self, step: impl FnMut(T, T) -> T) -> T {
        let mut step = step;
        self.as_array()[1..].iter().fold(self[0], |all, &lane| step(all, lane))
    }
}

macro_rules! reductions {
    ($($name:ident, $Op:ident $op:ident, $what:literal;)*) => {$(
        impl<T: Lane<N> + $Op<Output = T>, const N: usize> Vector<T, N> {
            #[doc = concat!("The ", $what, " of all lanes.")]
            #[inline]
            #[must_use]
            pub fn $name(self) -> T {
                self.reduce(T::$op)
            }
        }
    )*};
}

reductions! {
    reduce_sum, Add add, "sum";
    reduce_product, Mul mul, "product";
    reduce_and, BitAnd bitand, "bitwise and";
    reduce_or, BitOr bitor, "bitwise or";
    reduce_xor, BitXor bitxor, "bitwise exclusive or";
}

impl<T: Lane<N> + Add<Output = T> + Mul<Output = T>, const N: usize> Vector<T, N> {
    /// The sum of the products of the lanes of two vectors.
    #[inline]
    #[must_use]
    pub fn dot(self, other: Self) -> T {
        (self * other).reduce_sum()
    }
}

#[cfg(feature = "std")]
mod numbers {
    use super::{Lane, Vector};
    use crate::{Float, Number};

    impl<T: Lane<N> + Number, const N: usize> Vector<T, N> {
        /// The greatest lane; NaN only if all are.
        #[inline]
        #[must_use]
        pub fn reduce_max(self) -> T {
            self.reduce(T::max)
        }

        /// The least lane; NaN only if all are.
        #[inline]
        #[must_use]
        pub fn reduce_min(self) -> T {
            self.reduce(T::min)
        }
    }

    impl<T: Lane<N> + Float, const N: usize> Vector<T, N> {
        /// The length of the vector in space: the root of the sum of the squares.
        #[inline]
        #[must_use]
        pub fn length(self) -> T {
            self.dot(self).sqrt()
        }

        /// The distance between two points.
        #[inline]
        #[must_use]
        pub fn distance(self, other: Self) -> T {
            (self - other).length()
        }

        /// The vector of length 1 with this direction.
        #[inline]
        #[must_use]
        pub fn normalize(self) -> Self {
            self / self.length()
        }
    }

    impl<T: Lane<3> + Float> Vector<T, 3> {
        /// The vector at right angles to two others.
        #[inline]
        #[must_use]
        pub fn cross(self, other: Self) -> Self {
            Self::from_fn(|lane| {
                let (next, last) = ((lane + 1) % 3, (lane + 2) % 3);
                self[next] * other[last] - self[last] * other[next]
            })
        }
    }
}
