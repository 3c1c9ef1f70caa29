//! Decompositions of matrices of any size, in the style of `nalgebra`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod lu {
    use core::ops::{Index, IndexMut, Mul};

    pub trait Float:
        Copy
        + PartialOrd
        + Default
        + core::ops::Add<Output = Self>
        + core::ops::Sub<Output = Self>
        + Mul<Output = Self>
        + core::ops::Div<Output = Self>
        + core::ops::Neg<Output = Self>
    {
        const ONE: Self;
        const EPSILON: Self;
        fn abs(self) -> Self;
        fn sqrt(self) -> Self;
    }

    impl Float for f32 {
        const ONE: f32 = 1.0;
        const EPSILON: f32 = f32::EPSILON;
        fn abs(self) -> f32 {
            f32::abs(self)
        }
        fn sqrt(self) -> f32 {
            self.sqrt()
        }
    }

    impl Float for f64 {
        const ONE: f64 = 1.0;
        const EPSILON: f64 = f64::EPSILON;
        fn abs(self) -> f64 {
            f64::abs(self)
        }
        fn sqrt(self) -> f64 {
            self.sqrt()
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Matrix<T, const R: usize, const C: usize>([[T; C]; R]);

    pub type Vector<T, const N: usize> = [T; N];
    pub type SquareMatrix<T, const N: usize> = Matrix<T, N, N>;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum LinalgError {
        Singular { column: usize },
        NotPositiveDefinite,
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

    impl<T: Float, const R: usize, const C: usize> Matrix<T, R, C> {
        pub fn from_fn<F>(mut f: F) -> Self
        where
            F: FnMut(usize, usize) -> T,
        {
            Matrix(core::array::from_fn(|r| core::array::from_fn(|c| f(r, c))))
        }

        pub fn transpose(&self) -> Matrix<T, C, R> {
            Matrix::from_fn(|r, c| self[(c, r)])
        }
    }

    impl<T: Float, const R: usize, const K: usize, const C: usize> Mul<&Matrix<T, K, C>> for &Matrix<T, R, K> {
        type Output = Matrix<T, R, C>;
        fn mul(self, rhs: &Matrix<T, K, C>) -> Self::Output {
            Matrix::from_fn(|r, c| (0..K).fold(T::default(), |acc, k| acc + self[(r, k)] * rhs[(k, c)]))
        }
    }

    pub struct Lu<T, const N: usize> {
        lu: SquareMatrix<T, N>,
        perm: [usize; N],
        sign: T,
    }

    impl<T: Float, const N: usize> SquareMatrix<T, N> {
        pub fn identity() -> Self {
            Self::from_fn(|r, c| if r == c { T::ONE } else { T::default() })
        }

        pub fn lu(mut self) -> Result<Lu<T, N>, LinalgError> {
            let mut perm: [usize; N] = core::array::from_fn(|i| i);
            let mut sign = T::ONE;
            for k in 0..N {
                let pivot = (k..N)
                    .max_by(|&a, &b| self[(a, k)].abs().partial_cmp(&self[(b, k)].abs()).unwrap())
                    .unwrap();
                if self[(pivot, k)].abs() <= T::EPSILON {
                    return Err(LinalgError::Singular { column: k });
                }
                if pivot != k {
                    self.0.swap(pivot, k);
                    perm.swap(pivot, k);
                    sign = -sign;
                }
                for i in k + 1..N {
                    let factor = self[(i, k)] / self[(k, k)];
                    self[(i, k)] = factor;
                    for j in k + 1..N {
                        self[(i, j)] = self[(i, j)] - factor * self[(k, j)];
                    }
                }
            }
            Ok(Lu { lu: self, perm, sign })
        }

        pub fn cholesky(&self) -> Result<Self, LinalgError> {
            let mut l = Matrix([[T::default(); N]; N]);
            for i in 0..N {
                for j in 0..=i {
                    let s = l.0[i][..j].iter().zip(&l.0[j][..j]).fold(T::default(), |s, (&a, &b)| s + a * b);
                    if i == j {
                        let d = self[(i, i)] - s;
                        if d <= T::default() {
                            return Err(LinalgError::NotPositiveDefinite);
                        }
                        l[(i, i)] = d.sqrt();
                    } else {
                        l[(i, j)] = (self[(i, j)] - s) / l[(j, j)];
                    }
                }
            }
            Ok(l)
        }
    }

    impl<T: Float, const N: usize> Lu<T, N> {
        pub fn solve(&self, b: &Vector<T, N>) -> Vector<T, N> {
            let mut x = self.perm.map(|p| b[p]);
            for i in 1..N {
                for j in 0..i {
                    x[i] = x[i] - self.lu[(i, j)] * x[j];
                }
            }
            for i in (0..N).rev() {
                for j in i + 1..N {
                    x[i] = x[i] - self.lu[(i, j)] * x[j];
                }
                x[i] = x[i] / self.lu[(i, i)];
            }
            x
        }

        pub fn determinant(&self) -> T {
            (0..N).map(|i| self.lu[(i, i)]).fold(self.sign, T::mul)
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use lu::{LinalgError, Matrix};
    let m = Matrix::<f32, 4, 4>::from_fn(|r, c| {
        let bits = seed.rotate_left((r * 4 + c) as u32 * 3) & 0xff;
        bits as f32 / 16.0 - 4.0
    });
    let b = [1.0, -2.0, 0.5, seed as f32 * 1e-6];
    let mut h = match m.lu() {
        Ok(lu) => lu.solve(&b).iter().fold(lu.determinant().to_bits(), |h, x| h.rotate_left(7) ^ x.to_bits()),
        Err(LinalgError::Singular { column }) => column as u32,
        Err(LinalgError::NotPositiveDefinite) => unreachable!(),
    };
    let s = &m.transpose() * &m;
    if let Ok(l) = s.cholesky() {
        h ^= l[(3, 3)].to_bits() ^ l[(2, 0)].to_bits();
    }
    let d = Matrix::<f64, 2, 2>::identity().lu().map(|lu| lu.determinant()).unwrap_or(f64::NAN);
    h ^ (d.to_bits() >> 32) as u32
}

#[kernel]
pub fn lu(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&LU, |i| program(seed(i)))
}
