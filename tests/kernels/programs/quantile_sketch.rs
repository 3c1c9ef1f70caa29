//! Statistics of a stream: quantiles estimated by five markers, moments that can be merged, and a histogram of them.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod stream {
    use core::iter::{FromIterator, Sum};
    use core::ops::AddAssign;

    /// The P² algorithm of Jain and Chlamtac.
    #[derive(Debug, Clone)]
    pub struct Quantile {
        q: [f64; 5],
        n: [i32; 5],
        desired: [f64; 5],
        step: [f64; 5],
        count: usize,
    }

    impl Quantile {
        pub fn new(p: f64) -> Self {
            assert!((0.0..=1.0).contains(&p));
            Quantile {
                q: [0.0; 5],
                n: [1, 2, 3, 4, 5],
                desired: [1.0, 1.0 + 2.0 * p, 1.0 + 4.0 * p, 3.0 + 2.0 * p, 5.0],
                step: [0.0, p / 2.0, p, (1.0 + p) / 2.0, 1.0],
                count: 0,
            }
        }

        fn parabolic(&self, i: usize, d: f64) -> f64 {
            let [a, b, c] = [self.n[i - 1], self.n[i], self.n[i + 1]].map(f64::from);
            let Self { q, .. } = self;
            q[i] + d / (c - a)
                * ((b - a + d) * (q[i + 1] - q[i]) / (c - b) + (c - b - d) * (q[i] - q[i - 1]) / (b - a))
        }

        fn linear(&self, i: usize, s: i32) -> f64 {
            let j = (i as i32 + s) as usize;
            self.q[i] + f64::from(s) * (self.q[j] - self.q[i]) / f64::from(self.n[j] - self.n[i])
        }

        pub fn value(&self) -> Option<f64> {
            match self.count {
                0 => None,
                n @ 1..5 => {
                    let mut head = self.q;
                    let head = &mut head[..n];
                    head.sort_by(|a, b| a.total_cmp(b));
                    head.get(n / 2).copied()
                }
                _ => Some(self.q[2]),
            }
        }
    }

    impl AddAssign<f64> for Quantile {
        fn add_assign(&mut self, x: f64) {
            if self.count < 5 {
                self.q[self.count] = x;
                self.count += 1;
                if self.count == 5 {
                    self.q.sort_by(f64::total_cmp);
                }
                return;
            }
            self.count += 1;
            let k = if x < self.q[0] {
                self.q[0] = x;
                0
            } else if x >= self.q[4] {
                self.q[4] = x;
                3
            } else {
                self.q.windows(2).position(|w| (w[0]..w[1]).contains(&x)).unwrap()
            };
            self.n[k + 1..].iter_mut().for_each(|n| *n += 1);
            for (d, s) in self.desired.iter_mut().zip(self.step) {
                *d += s;
            }
            for i in 1..=3 {
                let d = self.desired[i] - f64::from(self.n[i]);
                let (left, right) = (self.n[i] - self.n[i - 1], self.n[i + 1] - self.n[i]);
                if d >= 1.0 && right > 1 || d <= -1.0 && left > 1 {
                    let s = d.signum();
                    let q = self.parabolic(i, s);
                    self.q[i] =
                        if self.q[i - 1] < q && q < self.q[i + 1] { q } else { self.linear(i, s as i32) };
                    self.n[i] += s as i32;
                }
            }
        }
    }

    impl Extend<f64> for Quantile {
        fn extend<T: IntoIterator<Item = f64>>(&mut self, iter: T) {
            for x in iter {
                *self += x;
            }
        }
    }

    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub struct Moments {
        pub count: u32,
        pub mean: f64,
        m2: f64,
    }

    impl Moments {
        pub fn variance(&self) -> Option<f64> {
            (self.count > 1).then(|| self.m2 / f64::from(self.count - 1))
        }
    }

    impl From<f64> for Moments {
        fn from(mean: f64) -> Self {
            Moments { count: 1, mean, ..Default::default() }
        }
    }

    impl core::ops::Add for Moments {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            let count = self.count + o.count;
            if count == 0 {
                return self;
            }
            let delta = o.mean - self.mean;
            let weight = f64::from(o.count) / f64::from(count);
            let m2 = self.m2 + o.m2 + delta * delta * f64::from(self.count) * weight;
            Moments { count, mean: self.mean + delta * weight, m2 }
        }
    }

    impl Sum for Moments {
        fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
            iter.fold(Self::default(), |a, b| a + b)
        }
    }

    impl<'a> FromIterator<&'a f64> for Moments {
        fn from_iter<I: IntoIterator<Item = &'a f64>>(iter: I) -> Self {
            iter.into_iter().copied().map(Moments::from).sum()
        }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 5] {
    use stream::{Moments, Quantile};
    let mut state = u64::from(seed);
    let samples: [f64; 40] = [(); 40].map(|()| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 44) as f64 / 1024.0
    });
    let mut median = Quantile::new(0.5);
    median.extend(samples.iter().copied());
    let mut few = Quantile::new(0.9);
    few.extend(samples.into_iter().take((seed % 6) as usize));
    let halves: Moments = samples.chunks(17).map(|c| c.iter().collect::<Moments>()).sum();
    let bits = |x: f64| (x.to_bits() ^ x.to_bits() >> 32) as u32;
    [
        median.value().map_or(0, bits),
        few.value().map_or(1, bits),
        bits(halves.mean),
        halves.variance().map_or(2, bits),
        halves.count,
    ]
}

#[kernel]
pub fn quantile_sketch(seeds: &[u32], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&QUANTILE_SKETCH, program)
}
