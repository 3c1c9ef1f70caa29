//! A sparse matrix in compressed rows, conjugate gradients with preconditioners, and an integrator.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    pub trait LinearOperator<const N: usize> {
        fn apply(&self, x: &[f64; N], y: &mut [f64; N]);

        fn residual(&self, b: &[f64; N], x: &[f64; N]) -> [f64; N] {
            let mut r = [0.0; N];
            self.apply(x, &mut r);
            core::array::from_fn(|i| b[i] - r[i])
        }
    }

    impl<T: LinearOperator<N> + ?Sized, const N: usize> LinearOperator<N> for &T {
        fn apply(&self, x: &[f64; N], y: &mut [f64; N]) {
            (**self).apply(x, y)
        }
    }

    pub struct Csr<const N: usize, const NNZ: usize> {
        row_start: [usize; N],
        column: [usize; NNZ],
        value: [f64; NNZ],
        nnz: usize,
    }

    impl<const N: usize, const NNZ: usize> Csr<N, NNZ> {
        pub fn from_triplets<I>(entries: I) -> Self
        where
            I: IntoIterator<Item = (usize, usize, f64)>,
        {
            let mut csr = Csr { row_start: [0; N], column: [0; NNZ], value: [0.; NNZ], nnz: 0 };
            let mut current = 0;
            for (row, column, value) in entries {
                while current < row {
                    current += 1;
                    csr.row_start[current] = csr.nnz;
                }
                csr.column[csr.nnz] = column;
                csr.value[csr.nnz] = value;
                csr.nnz += 1;
            }
            csr
        }

        pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
            let end = self.row_start.get(i + 1).copied().unwrap_or(self.nnz);
            let range = self.row_start[i]..end;
            self.column[range.clone()].iter().copied().zip(self.value[range].iter().copied())
        }

        pub fn diagonal(&self) -> [f64; N] {
            core::array::from_fn(|i| self.row(i).find(|&(c, _)| c == i).map_or(0.0, |(_, v)| v))
        }
    }

    impl<const N: usize, const NNZ: usize> LinearOperator<N> for Csr<N, NNZ> {
        fn apply(&self, x: &[f64; N], y: &mut [f64; N]) {
            for (i, y) in y.iter_mut().enumerate() {
                *y = self.row(i).map(|(c, v)| v * x[c]).sum();
            }
        }
    }

    #[derive(Clone, Copy)]
    pub struct Jacobi<const N: usize>([f64; N]);
    #[derive(Clone, Copy, Default)]
    pub struct Identity;

    impl<const N: usize> LinearOperator<N> for Jacobi<N> {
        fn apply(&self, x: &[f64; N], y: &mut [f64; N]) {
            for ((y, x), d) in y.iter_mut().zip(x).zip(self.0.iter()) {
                *y = x / d;
            }
        }
    }
    impl<const N: usize> LinearOperator<N> for Identity {
        fn apply(&self, x: &[f64; N], y: &mut [f64; N]) {
            y.clone_from(x);
        }
    }

    fn dot<'a>(a: impl IntoIterator<Item = &'a f64>, b: impl IntoIterator<Item = &'a f64>) -> f64 {
        a.into_iter().zip(b).map(|(a, b)| a * b).sum()
    }

    fn axpy<const N: usize>(alpha: f64, x: &[f64; N], y: &mut [f64; N]) {
        y.iter_mut().zip(x).for_each(|(y, x)| *y += alpha * x);
    }

    #[derive(Debug, Clone, Copy)]
    pub struct Solution<const N: usize> {
        pub x: [f64; N],
        pub iterations: usize,
        pub residual: f64,
    }

    #[derive(Debug, Clone, Copy)]
    pub enum SolveError {
        Breakdown(usize),
        NotConverged { residual: f64 },
    }

    pub fn conjugate_gradient<A, P, const N: usize>(
        a: A,
        b: &[f64; N],
        precondition: P,
        tolerance: f64,
    ) -> Result<Solution<N>, SolveError>
    where
        A: LinearOperator<N>,
        P: LinearOperator<N>,
    {
        let mut x = [0.0; N];
        let mut r = a.residual(b, &x);
        let mut z = [0.0; N];
        precondition.apply(&r, &mut z);
        let mut p = z;
        let mut rz = dot(&r, &z);
        for iterations in 0..2 * N {
            let residual = dot(&r, &r).sqrt();
            if residual <= tolerance {
                return Ok(Solution { x, iterations, residual });
            }
            let mut ap = [0.0; N];
            a.apply(&p, &mut ap);
            let curvature = dot(&p, &ap);
            if !curvature.is_normal() {
                return Err(SolveError::Breakdown(iterations));
            }
            let alpha = rz / curvature;
            axpy(alpha, &p, &mut x);
            axpy(-alpha, &ap, &mut r);
            precondition.apply(&r, &mut z);
            let next = dot(&r, &z);
            let beta = next / core::mem::replace(&mut rz, next);
            p = core::array::from_fn(|i| z[i] + beta * p[i]);
        }
        Err(SolveError::NotConverged { residual: dot(&r, &r).sqrt() })
    }

    /// Runge, Kutta and Fehlberg's, with its own choice of steps.
    pub fn rk45<const N: usize, F>(
        f: F,
        mut t: f64,
        end: f64,
        mut y: [f64; N],
        tolerance: f64,
    ) -> ([f64; N], u32)
    where
        F: Fn(f64, &[f64; N]) -> [f64; N],
    {
        const A: [&[f64]; 5] = [
            &[0.25],
            &[3.0 / 32.0, 9.0 / 32.0],
            &[1932.0 / 2197.0, -7200.0 / 2197.0, 7296.0 / 2197.0],
            &[439.0 / 216.0, -8.0, 3680.0 / 513.0, -845.0 / 4104.0],
            &[-8.0 / 27.0, 2.0, -3544.0 / 2565.0, 1859.0 / 4104.0, -11.0 / 40.0],
        ];
        const C: [f64; 5] = [0.25, 0.375, 12.0 / 13.0, 1.0, 0.5];
        const B4: [f64; 6] = [25.0 / 216.0, 0.0, 1408.0 / 2565.0, 2197.0 / 4104.0, -0.2, 0.0];
        const B5: [f64; 6] =
            [16.0 / 135.0, 0.0, 6656.0 / 12825.0, 28561.0 / 56430.0, -9.0 / 50.0, 2.0 / 55.0];
        let mut h = (end - t) / 8.0;
        let mut evaluations = 0;
        while t < end && evaluations < 200 {
            h = h.min(end - t);
            let mut k = [[0.0; N]; 6];
            k[0] = f(t, &y);
            for (s, (row, c)) in A.iter().zip(C).enumerate() {
                let mut stage = y;
                for (&a, k) in row.iter().zip(&k) {
                    axpy(h * a, k, &mut stage);
                }
                k[s + 1] = f(t + c * h, &stage);
            }
            evaluations += 6;
            let mut next = y;
            let mut error = 0.0f64;
            for i in 0..N {
                let (low, high) = k
                    .iter()
                    .zip(B4.iter().zip(&B5))
                    .fold((0.0, 0.0), |(l, g), (k, (b4, b5))| (l + b4 * k[i], g + b5 * k[i]));
                next[i] += h * high;
                error = error.max((h * (high - low)).abs());
            }
            if error <= tolerance {
                t += h;
                y = next;
                h *= 1.5;
            } else {
                h *= 0.5;
            }
        }
        (y, evaluations)
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let shift = 2.5 + f64::from(seed % 97) / 64.0;
        let matrix = Csr::<8, 24>::from_triplets((0..8usize).flat_map(|i| {
            [(i.wrapping_sub(1), -1.0), (i, shift + i as f64), (i + 1, -1.0)]
                .into_iter()
                .filter(|(c, _)| *c < 8)
                .map(move |(c, v)| (i, c, v))
        }));
        let b: [f64; 8] = core::array::from_fn(|i| (seed >> (4 * i) & 15) as f64 - 7.0);
        let jacobi = Jacobi(matrix.diagonal());
        let plain = conjugate_gradient(&matrix, &b, Identity, 1e-9);
        let better = conjugate_gradient(&matrix, &b, jacobi, 1e-9);
        let zero = conjugate_gradient(Jacobi([0.0; 3]), &[1.0, 2.0, 3.0], Identity, 1e-9);
        let fold = |x: f64| (x.to_bits() ^ x.to_bits() >> 32) as u32;
        let code = |r: &Result<Solution<8>, SolveError>| match r {
            Ok(Solution { x, iterations, .. }) => fold(x[3]) ^ *iterations as u32,
            Err(SolveError::Breakdown(i)) => 1000 + *i as u32,
            Err(SolveError::NotConverged { residual }) => fold(*residual),
        };
        let omega = shift;
        let ([x, v], evaluations) = rk45(|t, &[x, v]| [v, -omega * x + t * 0.1], 0.0, 2.0, [1.0, 0.0], 1e-6);
        [
            code(&plain),
            code(&better),
            plain.map_or(0, |s| s.iterations as u32) * 100 + better.map_or(0, |s| s.iterations) as u32,
            matches!(zero, Err(SolveError::Breakdown(0))) as u32,
            fold(x),
            fold(v),
            evaluations,
            matrix.row((seed % 8) as usize).count() as u32,
        ]
    }
}

#[kernel]
pub fn systems_solved(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&SYSTEMS_SOLVED, program::run)
}
