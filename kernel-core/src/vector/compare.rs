//! Comparisons, and masks: vectors of `bool`.

use super::{Lane, Vector};

impl<T: Lane<N> + PartialEq, const N: usize> PartialEq for Vector<T, N> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.as_array() == other.as_array()
    }
}

impl<T: Lane<N> + Eq, const N: usize> Eq for Vector<T, N> {}

impl<T: Lane<N> + PartialEq, const N: usize> Vector<T, N>
where
    bool: Lane<N>,
{
    /// Which lanes are equal.
    #[inline]
    #[must_use]
    pub fn simd_eq(self, other: Self) -> Vector<bool, N> {
        self.zip(other, |a, b| a == b)
    }

    /// Which lanes are not equal.
    #[inline]
    #[must_use]
    pub fn simd_ne(self, other: Self) -> Vector<bool, N> {
        self.zip(other, |a, b| a != b)
    }
}

impl<T: Lane<N> + PartialOrd, const N: usize> Vector<T, N>
where
    bool: Lane<N>,
{
    /// Which lanes are less than the other's.
    #[inline]
    #[must_use]
    pub fn simd_lt(self, other: Self) -> Vector<bool, N> {
        self.zip(other, |a, b| a < b)
    }

    /// Which lanes are less than the other's or equal.
    #[inline]
    #[must_use]
    pub fn simd_le(self, other: Self) -> Vector<bool, N> {
        self.zip(other, |a, b| a <= b)
    }

    /// Which lanes are greater than the other's.
    #[inline]
    #[must_use]
    pub fn simd_gt(self, other: Self) -> Vector<bool, N> {
        self.zip(other, |a, b| a > b)
    }

    /// Which lanes are greater than the other's or equal.
    #[inline]
    #[must_use]
    pub fn simd_ge(self, other: Self) -> Vector<bool, N> {
        self.zip(other, |a, b| a >= b)
    }
}

impl<const N: usize> Vector<bool, N>
where
    bool: Lane<N>,
{
    /// The lanes of one vector where the mask is `true`, those of another where it is `false`.
    #[inline]
    #[must_use]
    pub fn select<T: Lane<N>>(self, accept: Vector<T, N>, reject: Vector<T, N>) -> Vector<T, N> {
        Vector::from_fn(|lane| if self[lane] { accept[lane] } else { reject[lane] })
    }

    /// Returns whether any lane is `true`.
    #[inline]
    #[must_use]
    pub fn any(self) -> bool {
        self.as_array().contains(&true)
    }

    /// Returns whether all lanes are `true`.
    #[inline]
    #[must_use]
    pub fn all(self) -> bool {
        !self.as_array().contains(&false)
    }
}
