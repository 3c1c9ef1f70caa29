//! Bisection, Brent's and Newton's methods with criteria of convergence.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use std::mem::swap;

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum SearchError {
        NoBracketing,
        NoConvergence { iterations: usize },
        ZeroDerivative(f64),
    }

    pub trait Convergency<F> {
        fn is_root_found(&mut self, y: F) -> bool;
        fn is_converged(&mut self, x1: F, x2: F) -> bool;
        fn is_iteration_limit_reached(&mut self, iter: usize) -> bool;
    }

    #[derive(Clone)]
    pub struct SimpleConvergency<F> {
        pub eps: F,
        pub max_iter: usize,
    }

    impl Convergency<f64> for SimpleConvergency<f64> {
        fn is_root_found(&mut self, y: f64) -> bool {
            y.abs() < self.eps
        }
        fn is_converged(&mut self, x1: f64, x2: f64) -> bool {
            (x1 - x2).abs() < self.eps
        }
        fn is_iteration_limit_reached(&mut self, iter: usize) -> bool {
            iter >= self.max_iter
        }
    }

    struct Counting<C> {
        inner: C,
        calls: u32,
    }

    impl<F, C> Convergency<F> for Counting<C>
    where
        C: Convergency<F>,
    {
        fn is_root_found(&mut self, y: F) -> bool {
            self.calls += 1;
            self.inner.is_root_found(y)
        }
        fn is_converged(&mut self, x1: F, x2: F) -> bool {
            self.inner.is_converged(x1, x2)
        }
        fn is_iteration_limit_reached(&mut self, iter: usize) -> bool {
            self.inner.is_iteration_limit_reached(iter)
        }
    }

    pub fn bisection<F, C>(mut low: f64, mut high: f64, f: F, convergency: &mut C) -> Result<f64, SearchError>
    where
        F: Fn(f64) -> f64,
        C: Convergency<f64>,
    {
        if f(low).signum() == f(high).signum() {
            return Err(SearchError::NoBracketing);
        }
        for iter in 0.. {
            let middle = f64::midpoint(low, high);
            let y = f(middle);
            if convergency.is_root_found(y) || convergency.is_converged(low, high) {
                return Ok(middle);
            }
            if convergency.is_iteration_limit_reached(iter) {
                return Err(SearchError::NoConvergence { iterations: iter });
            }
            *(if y.is_sign_negative() == f(low).is_sign_negative() { &mut low } else { &mut high }) = middle;
        }
        unreachable!()
    }

    pub fn brent(
        a: f64,
        b: f64,
        f: &impl Fn(f64) -> f64,
        convergency: &mut impl Convergency<f64>,
    ) -> Result<f64, SearchError> {
        let (mut a, mut b) = (a, b);
        let (mut fa, mut fb) = (f(a), f(b));
        if fa * fb > 0.0 {
            return Err(SearchError::NoBracketing);
        }
        if fa.abs() < fb.abs() {
            swap(&mut a, &mut b);
            swap(&mut fa, &mut fb);
        }
        let (mut c, mut fc, mut d) = (a, fa, a);
        let mut flag = true;
        let mut iter = 0;
        loop {
            if convergency.is_root_found(fb) || convergency.is_converged(a, b) {
                break Ok(b);
            }
            if convergency.is_iteration_limit_reached(iter) {
                break Err(SearchError::NoConvergence { iterations: iter });
            }
            iter += 1;
            let mut s = if fa != fc && fb != fc {
                a * fb * fc / ((fa - fb) * (fa - fc))
                    + b * fa * fc / ((fb - fa) * (fb - fc))
                    + c * fa * fb / ((fc - fa) * (fc - fb))
            } else {
                b - fb * (b - a) / (fb - fa)
            };
            let bounds = [(3.0 * a + b) / 4.0, b];
            let outside = s < bounds[0].min(bounds[1]) || s > bounds[0].max(bounds[1]);
            let previous = if flag { (b - c).abs() } else { (c - d).abs() };
            flag = outside || (s - b).abs() >= previous / 2.0;
            if flag {
                s = (a + b) / 2.0;
            }
            let fs = f(s);
            (d, c, fc) = (c, b, fb);
            if fa * fs < 0.0 {
                (b, fb) = (s, fs);
            } else {
                (a, fa) = (s, fs);
            }
            if fa.abs() < fb.abs() {
                swap(&mut a, &mut b);
                swap(&mut fa, &mut fb);
            }
        }
    }

    pub struct Polynomial<'a> {
        coefficients: &'a [f64],
    }

    impl Polynomial<'_> {
        fn eval(&self, x: f64) -> f64 {
            self.coefficients.iter().rev().fold(0.0, |acc, c| acc * x + c)
        }
        fn derivative(&self, x: f64) -> f64 {
            let terms = self.coefficients.iter().enumerate().skip(1);
            terms.rev().fold(0.0, |acc, (power, c)| acc * x + c * power as f64)
        }
        fn newton(&self, start: f64) -> Result<f64, SearchError> {
            let mut x = start;
            for _ in 0..50 {
                let slope = self.derivative(x);
                if slope == 0.0 {
                    return Err(SearchError::ZeroDerivative(x));
                }
                let next = x - self.eval(x) / slope;
                if (next - x).abs() <= f64::EPSILON * next.abs() {
                    return Ok(next);
                }
                x = next;
            }
            Err(SearchError::NoConvergence { iterations: 50 })
        }
    }

    fn code(result: Result<f64, SearchError>) -> u64 {
        match result {
            Ok(x) => x.to_bits(),
            Err(SearchError::NoBracketing) => 1,
            Err(SearchError::NoConvergence { iterations: n }) => 2 + n as u64,
            Err(SearchError::ZeroDerivative(x)) => !x.to_bits(),
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let k = (seed % 11) as f64 - 2.0;
        let f = |x: f64| x.powi(3) - 2.0 * x - k;
        let simple = SimpleConvergency { eps: 1e-12, max_iter: 40 };
        let mut counting = Counting { inner: simple.clone(), calls: 0 };
        let one = bisection(0.0, 4.0, f, &mut counting);
        let two = brent(0.0, 4.0, &f, &mut counting);
        let coefficients = [-k, -2.0, 0.0, 1.0];
        let three = Polynomial { coefficients: &coefficients }.newton(3.0);
        let four = Polynomial { coefficients: &[1.0, 0.0, 1.0] }.newton(0.0);
        let sum = [one, two].into_iter().filter_map(Result::ok).sum::<f64>();
        let [one, two, three, four, sum] = [code(one), code(two), code(three), code(four), sum.to_bits()];
        [
            one as u32,
            (one >> 32) as u32,
            two as u32,
            (two >> 32) as u32,
            (three >> 20) as u32,
            four as u32,
            counting.calls,
            sum as u32,
        ]
    }
}

#[kernel]
pub fn roots_found(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&ROOTS_FOUND, program::run)
}
