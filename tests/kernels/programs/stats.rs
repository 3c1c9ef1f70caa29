//! Running statistics (Welford) collected from iterators.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! Running statistics (Welford) collected from iterators.
    use std::iter::FromIterator;

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Stats {
        n: u32,
        mean: f32,
        m2: f32,
        min: Option<f32>,
        max: Option<f32>,
    }

    impl Stats {
        pub fn push(&mut self, x: f32) {
            self.n += 1;
            let delta = x - self.mean;
            self.mean += delta / self.n as f32;
            self.m2 += delta * (x - self.mean);
            self.min = Some(self.min.map_or(x, |m| m.min(x)));
            self.max = match self.max {
                Some(m) if m > x => Some(m),
                _ => Some(x),
            };
        }

        pub fn variance(&self) -> Option<f32> {
            (self.n > 1).then(|| self.m2 / (self.n - 1) as f32)
        }

        pub fn merge(self, other: Self) -> Self {
            if self.n == 0 {
                return other;
            }
            let n = self.n + other.n;
            let delta = other.mean - self.mean;
            Stats {
                n,
                mean: self.mean + delta * other.n as f32 / n as f32,
                m2: self.m2 + other.m2 + delta * delta * (self.n * other.n) as f32 / n as f32,
                min: self.min.into_iter().chain(other.min).reduce(f32::min),
                max: self.max.into_iter().chain(other.max).reduce(f32::max),
            }
        }
    }

    impl Extend<f32> for Stats {
        fn extend<I: IntoIterator<Item = f32>>(&mut self, iter: I) {
            iter.into_iter().for_each(|x| self.push(x));
        }
    }

    impl FromIterator<f32> for Stats {
        fn from_iter<I: IntoIterator<Item = f32>>(iter: I) -> Self {
            let mut stats = Stats::default();
            stats.extend(iter);
            stats
        }
    }

    impl std::iter::Sum for Stats {
        fn sum<I>(iter: I) -> Self
        where
            I: Iterator<Item = Stats>,
        {
            iter.fold(Stats::default(), Stats::merge)
        }
    }

    fn median(values: &mut [f32]) -> Option<f32> {
        if values.is_empty() {
            return None;
        }
        values.sort_by(|a, b| a.partial_cmp(b).unwrap());
        let mid = values.len() / 2;
        Some(if values.len() % 2 == 1 { values[mid] } else { (values[mid - 1] + values[mid]) / 2.0 })
    }

    pub fn check(seed: u32) -> u32 {
        let values: [f32; 12] = core::array::from_fn(|i| ((seed + 3) * (i as u32 + 7) % 31) as f32);
        let all: Stats = values.iter().copied().collect();
        let parts: Stats = values.chunks(5).map(|c| c.iter().copied().collect::<Stats>()).sum();
        let mut sorted = values;
        let m = median(&mut sorted[..]).unwrap_or_default();
        let v = all.variance().zip(parts.variance()).map(|(a, b)| a + b).unwrap();
        (v + m + all.min.unwrap() + parts.max.unwrap()).to_bits()
    }
}

#[kernel]
pub fn stats(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::check(i as u32);
    }
}

pub fn case() -> Case {
    super::case_of(&STATS, program::check)
}
