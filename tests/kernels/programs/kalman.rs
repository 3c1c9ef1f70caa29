//! A Kalman filter over matrices whose sizes are types.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use std::ops::{Add, Index, IndexMut, Mul, Sub};

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Matrix<const R: usize, const C: usize>([[f32; C]; R]);

    pub type Vector<const N: usize> = Matrix<N, 1>;
    type Square<const N: usize> = Matrix<N, N>;

    impl<const R: usize, const C: usize> Default for Matrix<R, C> {
        fn default() -> Self {
            Matrix([[0.0; C]; R])
        }
    }

    impl<const R: usize, const C: usize> Matrix<R, C> {
        pub fn from_fn(mut f: impl FnMut(usize, usize) -> f32) -> Self {
            let mut out = Self::default();
            for r in 0..R {
                for c in 0..C {
                    out[(r, c)] = f(r, c);
                }
            }
            out
        }

        pub fn transpose(&self) -> Matrix<C, R> {
            Matrix::from_fn(|r, c| self[(c, r)])
        }

        pub fn column(&self, c: usize) -> impl Iterator<Item = f32> + '_ {
            self.0.iter().map(move |row| row[c])
        }
    }

    impl<const N: usize> Square<N> {
        pub fn identity() -> Self {
            Self::from_fn(|r, c| if r == c { 1.0 } else { 0.0 })
        }

        /// Gauss-Jordan with pivoting.
        pub fn inverse(mut self) -> Option<Self> {
            let mut inverse = Self::identity();
            for k in 0..N {
                let pivot = (k..N).max_by(|&a, &b| self[(a, k)].abs().total_cmp(&self[(b, k)].abs()))?;
                if self[(pivot, k)] == 0.0 {
                    return None;
                }
                self.0.swap(k, pivot);
                inverse.0.swap(k, pivot);
                let scale = 1.0 / self[(k, k)];
                for m in [&mut self, &mut inverse] {
                    m.0[k].iter_mut().for_each(|x| *x *= scale);
                }
                for r in (0..N).filter(|&r| r != k) {
                    let factor = self[(r, k)];
                    for c in 0..N {
                        self[(r, c)] -= factor * self[(k, c)];
                        inverse[(r, c)] -= factor * inverse[(k, c)];
                    }
                }
            }
            Some(inverse)
        }

        fn trace(&self) -> f32 {
            (0..N).map(|i| self[(i, i)]).sum()
        }
    }

    impl<const R: usize, const C: usize> Index<(usize, usize)> for Matrix<R, C> {
        type Output = f32;
        fn index(&self, (r, c): (usize, usize)) -> &f32 {
            &self.0[r][c]
        }
    }

    impl<const R: usize, const C: usize> IndexMut<(usize, usize)> for Matrix<R, C> {
        fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut f32 {
            &mut self.0[r][c]
        }
    }

    impl<const R: usize, const K: usize, const C: usize> Mul<&Matrix<K, C>> for &Matrix<R, K> {
        type Output = Matrix<R, C>;
        fn mul(self, rhs: &Matrix<K, C>) -> Matrix<R, C> {
            Matrix::from_fn(|r, c| self.0[r].iter().zip(rhs.column(c)).map(|(a, b)| a * b).sum())
        }
    }

    impl<const R: usize, const K: usize, const C: usize> Mul<Matrix<K, C>> for Matrix<R, K> {
        type Output = Matrix<R, C>;
        fn mul(self, rhs: Matrix<K, C>) -> Matrix<R, C> {
            &self * &rhs
        }
    }

    macro_rules! elementwise {
        ($($trait:ident $method:ident $op:tt),+ $(,)?) => {
            $(impl<const R: usize, const C: usize> $trait for Matrix<R, C> {
                type Output = Self;
                fn $method(self, rhs: Self) -> Self {
                    Self::from_fn(|r, c| self[(r, c)] $op rhs[(r, c)])
                }
            })+
        };
    }

    elementwise!(Add add +, Sub sub -);

    pub struct Kalman<const S: usize, const M: usize> {
        x: Vector<S>,
        p: Square<S>,
        f: Square<S>,
        q: Square<S>,
        h: Matrix<M, S>,
        r: Square<M>,
    }

    impl<const S: usize, const M: usize> Kalman<S, M> {
        pub fn predict(&mut self) -> &mut Self {
            self.x = self.f * self.x;
            self.p = self.f * self.p * self.f.transpose() + self.q;
            self
        }

        pub fn update(&mut self, z: Vector<M>) -> Option<Vector<M>> {
            let innovation = z - self.h * self.x;
            let s = self.h * self.p * self.h.transpose() + self.r;
            let gain = self.p * self.h.transpose() * s.inverse()?;
            self.x = self.x + gain * innovation;
            self.p = (Matrix::identity() - gain * self.h) * self.p;
            Some(innovation)
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let dt = 0.1;
        let mut filter = Kalman::<4, 2> {
            x: Vector::default(),
            p: Matrix::from_fn(|r, c| if r == c { 10.0 } else { 0.0 }),
            f: Matrix([[1.0, 0.0, dt, 0.0], [0.0, 1.0, 0.0, dt], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]),
            q: Matrix::from_fn(|r, c| if r == c { 0.01 } else { 0.0 }),
            h: Matrix::from_fn(|r, c| (r == c) as u8 as f32),
            r: Matrix([[0.5, 0.1], [0.1, 0.25]]),
        };
        let mut energy = 0.0;
        let mut noise = seed;
        for step in 0..12 {
            noise = noise.wrapping_mul(1103515245).wrapping_add(12345);
            let jitter = (noise >> 16) as f32 / 65536.0 - 0.5;
            let t = step as f32 * dt;
            let z = Matrix([[2.0 * t + jitter], [1.0 - t * t - jitter]]);
            if let Some(Matrix([[a], [b]])) = filter.predict().update(z) {
                energy += a * a + b * b;
            }
        }
        let [[x], [y], [u], [v]] = filter.x.0;
        let singular = Square::<2>::default().inverse().is_none();
        [
            x.to_bits(),
            y.to_bits(),
            u.to_bits(),
            v.to_bits(),
            energy.to_bits(),
            filter.p.trace().to_bits(),
            singular as u32,
            filter.p[(0, 2)].to_bits(),
        ]
    }
}

#[kernel]
pub fn kalman_filtered(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&KALMAN_FILTERED, program::run)
}
