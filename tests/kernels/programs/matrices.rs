//! Matrices of any size with traits, in the style of `nalgebra`.

use crate::kernels::case::Case;
use crate::kernels::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod linear {
    use core::iter::Sum;
    use core::ops::{Add, AddAssign, Div, Index, IndexMut, Mul, MulAssign, Neg, Sub, SubAssign};

    pub trait Zero: Sized + Add<Output = Self> {
        const ZERO: Self;

        fn is_zero(&self) -> bool;
    }

    pub trait One: Mul<Output = Self> + Sized {
        const ONE: Self;
    }

    pub trait Scalar:
        Copy
        + PartialOrd
        + Zero
        + One
        + Sub<Output = Self>
        + Div<Output = Self>
        + Neg<Output = Self>
        + AddAssign
        + SubAssign
        + MulAssign
    {
        fn abs(self) -> Self {
            if self < Self::ZERO { -self } else { self }
        }
    }

    macro_rules! scalars {
        ($($ty:ident: $zero:literal, $one:literal);* $(;)?) => {$(
            impl Zero for $ty {
                const ZERO: Self = $zero;

                fn is_zero(&self) -> bool {
                    *self == $zero
                }
            }

            impl One for $ty {
                const ONE: Self = $one;
            }

            impl Scalar for $ty {}
        )*};
    }

    scalars! {
        f32: 0.0, 1.0;
        f64: 0.0, 1.0;
        i32: 0, 1;
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Matrix<T, const R: usize, const C: usize> {
        rows: [[T; C]; R],
    }

    pub type Vector<T, const N: usize> = Matrix<T, N, 1>;

    impl<T: Scalar, const R: usize, const C: usize> Matrix<T, R, C> {
        pub const SHAPE: (usize, usize) = (R, C);

        pub fn zeros() -> Self {
            Self { rows: [[T::ZERO; C]; R] }
        }

        pub fn from_fn(mut f: impl FnMut(usize, usize) -> T) -> Self {
            let mut m = Self::zeros();
            for r in 0..R {
                for c in 0..C {
                    m[(r, c)] = f(r, c);
                }
            }
            m
        }

        pub fn transpose(&self) -> Matrix<T, C, R> {
            Matrix::from_fn(|r, c| self[(c, r)])
        }

        pub fn map<U: Scalar>(&self, f: impl Fn(T) -> U) -> Matrix<U, R, C> {
            Matrix::from_fn(|r, c| f(self[(r, c)]))
        }

        pub fn row(&self, r: usize) -> &[T; C] {
            &self.rows[r]
        }

        pub fn swap_rows(&mut self, a: usize, b: usize) {
            self.rows.swap(a, b);
        }

        pub fn iter(&self) -> impl Iterator<Item = &T> {
            self.rows.iter().flat_map(|row| row.iter())
        }

        pub fn norm_squared(&self) -> T
        where
            T: Sum<T>,
        {
            self.iter().map(|&v| v * v).sum()
        }
    }

    impl<T: Scalar, const N: usize> Matrix<T, N, N> {
        pub fn identity() -> Self {
            Self::from_fn(|r, c| if r == c { T::ONE } else { T::ZERO })
        }

        pub fn trace(&self) -> T {
            (0..N).map(|i| self[(i, i)]).fold(T::ZERO, |a, b| a + b)
        }

        pub fn pow(self, n: u32) -> Self {
            let (mut base, mut n, mut result) = (self, n, Self::identity());
            while n > 0 {
                if n & 1 == 1 {
                    result *= base;
                }
                base = base * base;
                n >>= 1;
            }
            result
        }

        /// By elimination with pivots.
        pub fn determinant(mut self) -> T {
            let mut det = T::ONE;
            for k in 0..N {
                let mut pivot = k;
                for r in k + 1..N {
                    if self[(r, k)].abs() > self[(pivot, k)].abs() {
                        pivot = r;
                    }
                }
                if self[(pivot, k)].is_zero() {
                    return T::ZERO;
                }
                if pivot != k {
                    self.swap_rows(pivot, k);
                    det = -det;
                }
                det *= self[(k, k)];
                for r in k + 1..N {
                    let factor = self[(r, k)] / self[(k, k)];
                    for c in k..N {
                        let above = self[(k, c)];
                        self[(r, c)] -= factor * above;
                    }
                }
            }
            det
        }
    }

    impl<T, const R: usize, const C: usize> Index<(usize, usize)> for Matrix<T, R, C> {
        type Output = T;

        fn index(&self, (r, c): (usize, usize)) -> &T {
            &self.rows[r][c]
        }
    }

    impl<T, const R: usize, const C: usize> IndexMut<(usize, usize)> for Matrix<T, R, C> {
        fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut T {
            &mut self.rows[r][c]
        }
    }

    impl<T: Scalar, const R: usize, const C: usize> Add for Matrix<T, R, C> {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            Self::from_fn(|r, c| self[(r, c)] + other[(r, c)])
        }
    }

    impl<T: Scalar, const R: usize, const K: usize, const C: usize> Mul<Matrix<T, K, C>> for Matrix<T, R, K> {
        type Output = Matrix<T, R, C>;

        fn mul(self, other: Matrix<T, K, C>) -> Self::Output {
            Matrix::from_fn(|r, c| {
                let mut sum = T::ZERO;
                for k in 0..K {
                    sum += self[(r, k)] * other[(k, c)];
                }
                sum
            })
        }
    }

    impl<T: Scalar, const R: usize, const C: usize> Mul<T> for Matrix<T, R, C> {
        type Output = Self;

        fn mul(self, by: T) -> Self {
            self.map(|v| v * by)
        }
    }

    impl<T: Scalar, const N: usize> MulAssign for Matrix<T, N, N> {
        fn mul_assign(&mut self, other: Self) {
            *self = *self * other;
        }
    }

    impl<T: Scalar, const R: usize, const C: usize> Sum for Matrix<T, R, C> {
        fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
            iter.fold(Self::zeros(), |a, b| a + b)
        }
    }

    impl<T: Copy, const N: usize> From<[T; N]> for Vector<T, N> {
        fn from(values: [T; N]) -> Self {
            Matrix { rows: values.map(|v| [v]) }
        }
    }

    impl<T, const R: usize, const C: usize> From<[[T; C]; R]> for Matrix<T, R, C> {
        fn from(rows: [[T; C]; R]) -> Self {
            Self { rows }
        }
    }
}

#[device]
fn algebra(x: &[f32]) -> [f32; 6] {
    use linear::{Matrix, Vector};
    let m = Matrix::<f32, 3, 3>::from_fn(|r, c| x[r * 3 + c]);
    let v = Vector::from([x[0], x[4], 1.0]);
    let w = m * v;
    let outer = v * w.transpose();
    let fibonacci = Matrix::from([[1, 1], [1, 0]]).pow(x[1] as u32 % 20);
    let total: Matrix<f32, 3, 3> = [m, outer, Matrix::identity() * 2.0].into_iter().sum();
    let wide = m.map(f64::from);
    let (rows, columns) = Matrix::<i32, 2, 5>::SHAPE;
    [
        m.determinant(),
        w[(1, 0)] + w.norm_squared(),
        total.trace(),
        fibonacci[(0, 1)] as f32 + fibonacci.row(0).len() as f32,
        wide.trace() as f32 + (rows * columns) as f32,
        outer.iter().copied().fold(f32::MIN, |a, b| a.max(b)),
    ]
}

#[kernel]
pub fn matrices(x: &[f32], y: &mut [[f32; 6]]) {
    let i = global_id(0);
    y[i] = algebra(&x[i..i + 9]);
}

pub fn case() -> Case {
    let x: Vec<f32> = (0..24).map(|i| ((i * 37 % 19) as f32 - 7.0) * 0.5).collect();
    let positions: Vec<usize> = (0..x.len() - 9).collect();
    let y = map(&positions, |i| algebra(&x[i..i + 9]));
    Case::of(&MATRICES).input(&x).output(&y).items([y.len()])
}
