//! Running means and variances, generic over numbers, with `Extend` of values and of references, and a histogram.
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::fmt::Debug;
    use core::ops::{Add, AddAssign, Div, Mul, Sub};

    pub trait Real:
        Copy
        + Debug
        + Default
        + PartialOrd
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Div<Output = Self>
        + AddAssign
        + From<u8>
    {
        const EPSILON: Self;
        fn sqrt(self) -> Self;
        fn from_usize(n: usize) -> Self;
    }

    macro_rules! impl_real {
        ($($t:ty),+) => {
            $(impl Real for $t {
                const EPSILON: Self = <$t>::EPSILON;
                fn sqrt(self) -> Self { <$t>::sqrt(self) }
                fn from_usize(n: usize) -> Self { n as $t }
            })+
        };
    }
    impl_real!(f32, f64);

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Welford<T> {
        n: usize,
        mean: T,
        m2: T,
        min: Option<T>,
        max: Option<T>,
    }

    impl<T: Real> Welford<T> {
        pub fn new() -> Self {
            Self::default()
        }

        pub fn push(&mut self, x: T) {
            self.n += 1;
            let delta = x - self.mean;
            self.mean += delta / T::from_usize(self.n);
            self.m2 += delta * (x - self.mean);
            self.min = Some(self.min.map_or(x, |m| if x < m { x } else { m }));
            self.max = match self.max {
                Some(m) if m >= x => Some(m),
                _ => Some(x),
            };
        }

        pub fn merge(self, other: Self) -> Self {
            if self.n == 0 {
                return other;
            } else if other.n == 0 {
                return self;
            }
            let n = self.n + other.n;
            let delta = other.mean - self.mean;
            let (na, nb, nt) = (T::from_usize(self.n), T::from_usize(other.n), T::from_usize(n));
            Self {
                n,
                mean: self.mean + delta * nb / nt,
                m2: self.m2 + other.m2 + delta * delta * na * nb / nt,
                min: self.min.zip(other.min).map(|(a, b)| if b < a { b } else { a }),
                max: self.max.into_iter().chain(other.max).reduce(|a, b| if b > a { b } else { a }),
            }
        }

        pub fn mean(&self) -> Option<T> {
            (self.n > 0).then_some(self.mean)
        }
        pub fn variance(&self) -> Option<T> {
            match self.n {
                0 | 1 => None,
                n => Some(self.m2 / T::from_usize(n - 1)),
            }
        }
        pub fn std_dev(&self) -> Option<T> {
            self.variance().map(T::sqrt)
        }
        pub fn range(&self) -> Option<(T, T)> {
            Some((self.min?, self.max?))
        }
    }

    impl<T: Real> Extend<T> for Welford<T> {
        fn extend<I>(&mut self, iter: I)
        where
            I: IntoIterator<Item = T>,
        {
            for x in iter {
                self.push(x);
            }
        }
    }

    impl<'a, T: Real + 'a> Extend<&'a T> for Welford<T> {
        fn extend<I: IntoIterator<Item = &'a T>>(&mut self, iter: I) {
            self.extend(iter.into_iter().copied());
        }
    }

    impl<T: Real> FromIterator<T> for Welford<T> {
        fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
            let mut w = Self::new();
            w.extend(iter);
            w
        }
    }

    pub struct Histogram<const BINS: usize> {
        bins: [u32; BINS],
        lo: f32,
        width: f32,
    }

    impl<const BINS: usize> Histogram<BINS> {
        pub fn new(lo: f32, hi: f32) -> Self {
            assert!(lo < hi, "empty range {lo}..{hi}");
            Self { bins: [0; BINS], lo, width: (hi - lo) / BINS as f32 }
        }
        pub fn add(&mut self, x: f32) -> bool {
            let bin = ((x - self.lo) / self.width).floor();
            if bin < 0.0 {
                return false;
            }
            self.bins.get_mut(bin as usize).map(|b| *b += 1).is_some()
        }
        pub fn median_bin(&self) -> Option<usize> {
            let total: u32 = self.bins.iter().sum();
            self.bins
                .iter()
                .scan(0, |acc, &n| {
                    *acc += n;
                    Some(*acc)
                })
                .position(|c| c * 2 >= total && total != 0)
        }
    }

    struct Lcg(u64);
    impl Iterator for Lcg {
        type Item = f32;
        fn next(&mut self) -> Option<f32> {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            Some((self.0 >> 40) as f32 / (1 << 24) as f32)
        }
    }

    fn result(seed: u32) -> u64 {
        let n = seed as usize % 20;
        let a: Welford<f64> = Lcg(seed.into()).take(n).map(f64::from).collect();
        let mut b = Welford::<f64>::new();
        let samples: [f64; 5] = core::array::from_fn(|k| k as f64 * 0.1 - f64::from(seed));
        b.extend(&samples);
        let c = a.merge(b);
        let mut single: Welford<f32> = Welford::new();
        single.extend(Lcg(99).by_ref().skip(seed as usize % 3).step_by(2).take(6));
        let mut h = Histogram::<8>::new(-1.0, 1.0);
        let added = Lcg(seed as u64 ^ 0xabcdef).map(|x| 3.0 * x - 1.5).take(40).filter(|&x| h.add(x)).count();
        let bits = |x: Option<f64>| x.map_or(1, f64::to_bits);
        let (lo, hi) = c.range().unwrap_or_default();
        bits(c.mean())
            ^ bits(a.variance()).rotate_left(9)
            ^ bits(c.std_dev()).rotate_left(19)
            ^ lo.to_bits()
            ^ hi.to_bits().rotate_left(33)
            ^ single.std_dev().map(f32::to_bits).unwrap_or(0) as u64
            ^ (added as u64) << 8
            ^ h.median_bin().unwrap_or(usize::MAX) as u64
    }

    pub fn run(seed: u32) -> [u32; 2] {
        let result = result(seed);
        [result as u32, (result >> 32) as u32]
    }
}

#[kernel]
pub fn welford_merged(seeds: &[u32], y: &mut [[u32; 2]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&WELFORD_MERGED, program::run)
}
