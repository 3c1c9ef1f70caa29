//! Fixed-point signal processing: Q15 numbers, FIR, cascades of biquads, a Goertzel detector and an envelope by const-generic blocks.

use crate::kernels::case::Case;
use crate::kernels::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod filters {
    use core::fmt;
    use core::iter::zip;
    use core::num::Wrapping;
    use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Shr, Sub};

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
    #[repr(transparent)]
    pub struct Q<const F: u32>(i32);

    pub type Q15 = Q<15>;
    pub type Q29 = Q<29>;

    impl<const F: u32> Q<F> {
        pub const ONE: Self = Q(1 << F);
        pub const MAX: Self = Q(i32::MAX);

        pub const fn from_bits(bits: i32) -> Self {
            Q(bits)
        }
        pub fn from_num(x: f32) -> Self {
            Q((x * (1_u32 << F) as f32).round() as i32)
        }
        pub const fn widen<const G: u32>(self) -> Q<G> {
            if G >= F { Q(self.0 << (G - F)) } else { Q(self.0 >> (F - G)) }
        }
        pub fn saturating_mul(self, other: Self) -> Self {
            let wide = i64::from(self.0) * i64::from(other.0) >> F;
            Q(wide.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
        }
    }

    impl<const F: u32> fmt::Debug for Q<F> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_tuple("Q").field(&(self.0 as f32 / (1_u32 << F) as f32)).finish()
        }
    }

    macro_rules! op {
        ($tr:ident, $method:ident, |$a:ident, $b:ident| $e:expr) => {
            impl<const F: u32> $tr for Q<F> {
                type Output = Self;
                #[inline]
                fn $method(self, rhs: Self) -> Self {
                    let ($a, $b) = (self.0, rhs.0);
                    Self($e)
                }
            }
        };
    }
    op!(Add, add, |a, b| a.saturating_add(b));
    op!(Sub, sub, |a, b| a.saturating_sub(b));
    op!(Mul, mul, |a, b| ((a as i64 * b as i64) >> F) as i32);

    impl<const F: u32> Neg for Q<F> {
        type Output = Self;
        fn neg(self) -> Self {
            Q(self.0.saturating_neg())
        }
    }
    impl<const F: u32> Shr<u32> for Q<F> {
        type Output = Self;
        fn shr(self, n: u32) -> Self {
            Q(self.0 >> n)
        }
    }
    impl<const F: u32> AddAssign for Q<F> {
        fn add_assign(&mut self, rhs: Self) {
            *self = *self + rhs
        }
    }
    impl<const F: u32> MulAssign for Q<F> {
        fn mul_assign(&mut self, rhs: Self) {
            self.0 = (*self * rhs).0
        }
    }
    impl<const F: u32> core::iter::Sum for Q<F> {
        fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
            iter.fold(Self::default(), Add::add)
        }
    }

    pub trait Filter {
        type Sample;
        fn process(&mut self, x: Self::Sample) -> Self::Sample;
        fn process_block(&mut self, block: &mut [Self::Sample])
        where
            Self::Sample: Copy,
        {
            for x in block {
                *x = self.process(*x);
            }
        }
        fn then<G: Filter<Sample = Self::Sample>>(self, next: G) -> Chain<Self, G>
        where
            Self: Sized,
        {
            Chain(self, next)
        }
    }

    pub struct Chain<A, B>(A, B);
    impl<A: Filter, B: Filter<Sample = A::Sample>> Filter for Chain<A, B> {
        type Sample = A::Sample;
        fn process(&mut self, x: A::Sample) -> A::Sample {
            self.1.process(self.0.process(x))
        }
    }

    pub struct Fir<'t, const N: usize> {
        taps: &'t [Q15; N],
        line: [Q15; N],
        at: usize,
    }
    impl<'t, const N: usize> Fir<'t, N> {
        pub fn new(taps: &'t [Q15; N]) -> Self {
            Fir { taps, line: [Q::default(); N], at: 0 }
        }
    }
    impl<const N: usize> Default for Fir<'static, N>
    where
        [Q15; N]: Default,
    {
        fn default() -> Self {
            Fir { taps: &[Q::<15>(0); N], line: [Q(0); N], at: 0 }
        }
    }
    impl<const N: usize> Filter for Fir<'_, N> {
        type Sample = Q15;
        fn process(&mut self, x: Q15) -> Q15 {
            self.line[self.at] = x;
            self.at = (self.at + 1) % N;
            let (new, old) = self.line.split_at(self.at);
            zip(self.taps, old.iter().chain(new)).map(|(&t, &x)| t * x).sum()
        }
    }

    #[derive(Default, Clone, Copy)]
    pub struct Biquad {
        b: [Q29; 3],
        a: [Q29; 2],
        x: [Q29; 2],
        y: [Q29; 2],
    }
    impl Filter for Biquad {
        type Sample = Q15;
        fn process(&mut self, input: Q15) -> Q15 {
            let x: Q29 = (input >> 2).widen();
            let Self { b: [b0, b1, b2], a: [a1, a2], x: [x1, x2], y: [y1, y2] } = *self;
            let y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
            self.x = [x, x1];
            self.y = [y, y1];
            y.widen()
        }
    }

    struct Gain(Q15);
    impl Filter for Gain {
        type Sample = Q15;
        fn process(&mut self, mut x: Q15) -> Q15 {
            x *= self.0;
            x
        }
    }

    fn goertzel(samples: &[Q15], coefficient: Q29) -> i64 {
        let (s1, s2) = samples.iter().fold((0_i64, 0_i64), |(s1, s2), s| {
            (i64::from(s.0) + (i64::from(coefficient.0) * s1 >> 28) - s2, s1)
        });
        s1 * s1 + s2 * s2 - (s1 * s2 >> 29) * i64::from(coefficient.0)
    }

    const TAPS: [Q15; 5] = [Q(1638), Q(8192), Q::from_bits(13107), Q(8192), Q(1638)];

    pub fn run(seed: u32) -> [u32; 8] {
        let mut noise = Wrapping(seed);
        let mut block: [Q15; 32] = core::array::from_fn(|i| {
            noise = noise * Wrapping(1_103_515_245) + Wrapping(12345);
            Q15::from_num([0.0, 0.7, 0.99, 0.7, 0.0, -0.7, -0.99, -0.7][i % 8]) + Q((noise.0 >> 20) as i32)
        });
        let biquad = Biquad {
            b: [Q29::from_num(0.25), Q::from_num(0.5), Q::from_num(0.25)],
            a: [Q29::from_num(-0.3), Q::from_num(0.1)],
            ..Biquad::default()
        };
        let mut chain = Fir::new(&TAPS).then(biquad).then(Gain(Q15::ONE + Q15::from_num(0.5)));
        chain.process_block(&mut block);
        let envelope = block
            .chunks(8)
            .map(|c| c.iter().map(|q| q.0.abs()).max().unwrap_or(0))
            .fold(0_u32, |h, p| h.rotate_left(9) ^ p as u32);
        let power = goertzel(&block, Q29::from_num(0.707));
        let peak = block.iter().copied().max().unwrap_or_default();
        let low = *block.iter().min_by_key(|q| q.0).unwrap();
        [
            envelope,
            power as u32,
            (power >> 32) as u32,
            peak.0 as u32,
            (-low).0 as u32,
            Q15::MAX.saturating_mul(Q15::from_bits(65536)).0 as u32,
            noise.0,
            (Fir::<3>::default().process(peak)).0 as u32,
        ]
    }
}

#[kernel]
pub fn filtered(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = filters::run(seeds[i]);
}

pub fn case() -> Case {
    let seeds: Vec<u32> = (0..24_u32).map(|i| i * i * 7919 + i).collect();
    let y = map(&seeds, filters::run);
    Case::of(&FILTERED).input(&seeds).output(&y).items([y.len()])
}
