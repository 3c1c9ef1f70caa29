//! Matrices of any size and number, and systems of equations.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::array;
    use core::iter::{Product, Sum};
    use core::ops::{Add, AddAssign, Div, Index, IndexMut, Mul, Neg, Sub};
    pub trait Zero {
        const ZERO: Self;
        fn is_zero(&self) -> bool;
    }
    pub trait One {
        const ONE: Self;
    }
    pub trait Field:
        Copy
        + Zero
        + One
        + PartialOrd
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Div<Output = Self>
        + Neg<Output = Self>
        + AddAssign
    {
        fn abs(self) -> Self {
            if self < Self::ZERO { -self } else { self }
        }
    }
    impl Zero for f64 {
        const ZERO: f64 = 0.0;
        fn is_zero(&self) -> bool {
            *self == 0.0
        }
    }
    impl One for f64 {
        const ONE: f64 = 1.0;
    }
    impl Field for f64 {}
    impl Zero for f32 {
        const ZERO: f32 = 0.0;
        fn is_zero(&self) -> bool {
            *self == 0.0
        }
    }
    impl One for f32 {
        const ONE: f32 = 1.0;
    }
    impl Field for f32 {
        fn abs(self) -> f32 {
            f32::abs(self)
        }
    }
    /// `R` rows of `C` columns.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct Matrix<T, const R: usize, const C: usize>([[T; C]; R]);
    pub type Vector<T, const N: usize> = Matrix<T, N, 1>;
    pub type Square<T, const N: usize> = Matrix<T, N, N>;
    impl<T: Field, const R: usize, const C: usize> Matrix<T, R, C> {
        pub fn from_fn(mut f: impl FnMut(usize, usize) -> T) -> Self {
            Matrix(array::from_fn(|r| array::from_fn(|c| f(r, c))))
        }
        pub const fn zeros() -> Self {
            Matrix([[T::ZERO; C]; R])
        }
        pub fn transpose(&self) -> Matrix<T, C, R> {
            Matrix::from_fn(|r, c| self[(c, r)])
        }
        pub fn map<U: Field>(self, f: impl Fn(T) -> U) -> Matrix<U, R, C> {
            Matrix(self.0.map(|row| row.map(&f)))
        }
        pub fn row(&self, r: usize) -> &[T; C] {
            &self.0[r]
        }
        pub fn column(&self, c: usize) -> impl Iterator<Item = &T> + '_ {
            self.0.iter().map(move |row| &row[c])
        }
        pub fn iter(&self) -> impl Iterator<Item = &T> {
            self.0.as_flattened().iter()
        }
        pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
            self.0.iter_mut().flatten()
        }
        pub fn swap_rows(&mut self, a: usize, b: usize) {
            self.0.swap(a, b)
        }
    }
    impl<T: Field + Sum, const N: usize> Square<T, N> {
        pub fn identity() -> Self {
            Self::from_fn(|r, c| if r == c { T::ONE } else { T::ZERO })
        }
        pub fn trace(&self) -> T {
            (0..N).map(|i| self[(i, i)]).sum()
        }
        /// The solution of `self * x = b`, and the determinant.
        pub fn solve<const K: usize>(mut self, mut b: Matrix<T, N, K>) -> Option<(Matrix<T, N, K>, T)> {
            let mut det = T::ONE;
            for k in 0..N {
                let pivot =
                    (k..N).max_by(|&i, &j| self[(i, k)].abs().partial_cmp(&self[(j, k)].abs()).unwrap())?;
                if self[(pivot, k)].is_zero() {
                    return None;
                }
                if pivot != k {
                    self.swap_rows(pivot, k);
                    b.swap_rows(pivot, k);
                    det = -det;
                }
                det = det * self[(k, k)];
                for i in (0..N).filter(|&i| i != k) {
                    let factor = self[(i, k)] / self[(k, k)];
                    let (from, to) = (self.0[k], &mut self.0[i]);
                    to.iter_mut().zip(from).for_each(|(t, f)| *t = *t - factor * f);
                    let from = b.0[k];
                    for (t, f) in b.0[i].iter_mut().zip(&from) {
                        *t = *t - factor * *f;
                    }
                }
            }
            for (k, row) in b.0.iter_mut().enumerate() {
                for x in row {
                    *x = *x / self.0[k][k];
                }
            }
            Some((b, det))
        }
    }
    impl<T, const R: usize, const C: usize> Index<(usize, usize)> for Matrix<T, R, C> {
        type Output = T;
        fn index(&self, (r, c): (usize, usize)) -> &T {
            &self.0[r][c]
        }
    }
    impl<T, const R: usize, const C: usize> IndexMut<(usize, usize)> for Matrix<T, R, C> {
        fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut T {
            &mut self.0[r][c]
        }
    }
    impl<T: Field, const R: usize, const K: usize, const C: usize> Mul<&Matrix<T, K, C>> for &Matrix<T, R, K> {
        type Output = Matrix<T, R, C>;
        fn mul(self, o: &Matrix<T, K, C>) -> Matrix<T, R, C> {
            Matrix::from_fn(|r, c| self.row(r).iter().zip(o.column(c)).fold(T::ZERO, |s, (&a, &b)| s + a * b))
        }
    }
    impl<T: Field, const R: usize, const K: usize, const C: usize> Mul<Matrix<T, K, C>> for Matrix<T, R, K> {
        type Output = Matrix<T, R, C>;
        fn mul(self, o: Matrix<T, K, C>) -> Self::Output {
            &self * &o
        }
    }
    impl<T: Field, const R: usize, const C: usize> Add for Matrix<T, R, C> {
        type Output = Self;
        fn add(mut self, o: Self) -> Self {
            for (a, b) in self.iter_mut().zip(o.iter()) {
                *a += *b;
            }
            self
        }
    }
    impl<T: Field, const R: usize, const C: usize> Sum for Matrix<T, R, C> {
        fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
            iter.fold(Self::zeros(), Add::add)
        }
    }
    impl<T: Field + Sum, const N: usize> Product for Square<T, N> {
        fn product<I: Iterator<Item = Self>>(iter: I) -> Self {
            iter.fold(Self::identity(), |a, b| a * b)
        }
    }
    impl<T: Field, const N: usize> From<[T; N]> for Vector<T, N> {
        fn from(a: [T; N]) -> Self {
            Matrix(a.map(|x| [x]))
        }
    }
    pub fn run(i: u32) -> u64 {
        let a = Square::<f64, 3>::from_fn(|r, c| {
            ((r * 3 + c) as f64 * 1.7 + i as f64).sqrt() + if r == c { 2.0 } else { -0.5 }
        });
        let b = Vector::from([1.0, i as f64 / 3.0, -2.0]);
        let Some((x, det)) = a.solve(b) else { return 1 };
        let back = a * x;
        let p: Square<f64, 3> = [a, a.transpose(), Square::identity()].into_iter().product();
        let s = (0..4u32).map(|k| p.map(|v| (v * k as f64) as f32)).sum::<Matrix<f32, 3, 3>>();
        let h =
            back.iter().chain(x.iter()).map(|v| v.to_bits()).fold(det.to_bits(), |h, b| h.rotate_left(9) ^ b);
        h ^ s.iter().map(|v| u64::from(v.to_bits())).sum::<u64>() ^ p.trace().to_bits()
    }
}

#[kernel]
pub fn small_matrices(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&SMALL_MATRICES, program::run)
}
