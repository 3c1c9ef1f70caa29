//! Matrices of any size over any numbers, in the style of `nalgebra`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod linalg {
    use core::ops::{Add, AddAssign, Div, Index, IndexMut, Mul, Neg, Sub};

    pub trait Zero {
        const ZERO: Self;
    }
    pub trait One {
        const ONE: Self;
    }
    macro_rules! impl_num {
        ($($t:ty => $z:expr, $o:expr);* $(;)?) => {
            $(impl Zero for $t { const ZERO: Self = $z; }
              impl One for $t { const ONE: Self = $o; })*
        };
    }
    impl_num! { f32 => 0.0, 1.0; i32 => 0, 1; i64 => 0, 1 }

    pub trait Scalar:
        Copy
        + PartialEq
        + PartialOrd
        + Zero
        + One
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Div<Output = Self>
        + Neg<Output = Self>
    {
    }
    impl<T> Scalar for T where
        T: Copy
            + PartialEq
            + PartialOrd
            + Zero
            + One
            + Add<Output = T>
            + Sub<Output = T>
            + Mul<Output = T>
            + Div<Output = T>
            + Neg<Output = T>
    {
    }

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Matrix<T, const R: usize, const C: usize>([[T; C]; R]);

    pub type Vector<T, const N: usize> = Matrix<T, N, 1>;

    impl<T: Scalar, const R: usize, const C: usize> Matrix<T, R, C> {
        pub const ZERO: Self = Matrix([[T::ZERO; C]; R]);

        pub fn from_fn(mut f: impl FnMut(usize, usize) -> T) -> Self {
            let mut m = Self::ZERO;
            for (r, row) in m.0.iter_mut().enumerate() {
                for (c, v) in row.iter_mut().enumerate() {
                    *v = f(r, c);
                }
            }
            m
        }

        pub fn transpose(&self) -> Matrix<T, C, R> {
            Matrix::from_fn(|r, c| self[(c, r)])
        }

        pub fn map<U: Scalar>(self, f: impl Fn(T) -> U) -> Matrix<U, R, C> {
            Matrix(self.0.map(|row| row.map(&f)))
        }

        pub fn rows(&self) -> impl Iterator<Item = &[T; C]> {
            self.0.iter()
        }
    }

    impl<T: Scalar, const N: usize> Matrix<T, N, N> {
        pub fn identity() -> Self {
            Self::from_fn(|r, c| if r == c { T::ONE } else { T::ZERO })
        }

        pub fn trace(&self) -> T {
            (0..N).map(|i| self[(i, i)]).fold(T::ZERO, |a, b| a + b)
        }

        pub fn det(mut self) -> T {
            let mut det = T::ONE;
            for k in 0..N {
                let Some(p) = (k..N).find(|&r| self[(r, k)] != T::ZERO) else {
                    return T::ZERO;
                };
                if p != k {
                    self.0.swap(p, k);
                    det = -det;
                }
                det = det * self[(k, k)];
                for r in k + 1..N {
                    let f = self[(r, k)] / self[(k, k)];
                    for c in k..N {
                        let t = self[(k, c)];
                        self[(r, c)] = self[(r, c)] - f * t;
                    }
                }
            }
            det
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
    impl<T: Scalar, const R: usize, const K: usize, const C: usize> Mul<&Matrix<T, K, C>> for &Matrix<T, R, K> {
        type Output = Matrix<T, R, C>;
        fn mul(self, rhs: &Matrix<T, K, C>) -> Self::Output {
            Matrix::from_fn(|r, c| (0..K).fold(T::ZERO, |s, k| s + self[(r, k)] * rhs[(k, c)]))
        }
    }
    impl<T: Scalar, const R: usize, const K: usize, const C: usize> Mul<Matrix<T, K, C>> for Matrix<T, R, K> {
        type Output = Matrix<T, R, C>;
        fn mul(self, rhs: Matrix<T, K, C>) -> Self::Output {
            &self * &rhs
        }
    }
    impl<T: Scalar, const R: usize, const C: usize> Add for Matrix<T, R, C> {
        type Output = Self;
        fn add(self, rhs: Self) -> Self {
            Self::from_fn(|r, c| self[(r, c)] + rhs[(r, c)])
        }
    }
    impl<T: Scalar + AddAssign, const R: usize, const C: usize> AddAssign for Matrix<T, R, C> {
        fn add_assign(&mut self, rhs: Self) {
            self.0.iter_mut().flatten().zip(rhs.0.iter().flatten()).for_each(|(a, &b)| *a += b);
        }
    }
    impl<T: Scalar, const R: usize, const C: usize> From<[[T; C]; R]> for Matrix<T, R, C> {
        fn from(a: [[T; C]; R]) -> Self {
            Matrix(a)
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use linalg::{Matrix, Vector};
    let s = seed as i32 % 100;
    let a: Matrix<i32, 3, 3> = [[s, 2, 3], [4, s % 7, 6], [7, 8, 9]].into();
    let b = Matrix::<i32, 3, 2>::from_fn(|r, c| r as i32 - c as i32 * s % 5);
    let c = a * b;
    let mut t = c.transpose() * a;
    t += t;
    let v: Vector<i32, 2> = Matrix::from([[1], [-1]]);
    let w = v.transpose() * t;
    let f = a.map(|x| x as f32);
    let det = f.det();
    let id = Matrix::<i32, 3, 3>::identity();
    let sums = (a + id).rows().map(|r| r.iter().sum::<i32>()).max().unwrap_or_default();
    let mut h = 0i32;
    for c in 0..3 {
        h = h.wrapping_mul(31).wrapping_add(w[(0, c)]);
    }
    h.wrapping_add(a.trace()).wrapping_add(sums) as u32 ^ (det.is_finite() as u32) << 31 ^ (det as i32 as u32)
}

#[kernel]
pub fn linear_algebra(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&LINEAR_ALGEBRA, |i| program(seed(i)))
}
