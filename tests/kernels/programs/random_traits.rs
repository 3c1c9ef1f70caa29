//! PCG and xoshiro behind the traits of a crate of random numbers.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::ops::{Range, RangeInclusive};

    pub trait RngCore {
        fn next_u32(&mut self) -> u32;
        fn next_u64(&mut self) -> u64 {
            u64::from(self.next_u32()) | u64::from(self.next_u32()) << 32
        }
        fn fill_bytes(&mut self, dest: &mut [u8]) {
            let mut chunks = dest.chunks_exact_mut(4);
            for chunk in &mut chunks {
                chunk.copy_from_slice(&self.next_u32().to_le_bytes());
            }
            let rest = chunks.into_remainder();
            if !rest.is_empty() {
                let bytes = self.next_u32().to_le_bytes();
                rest.copy_from_slice(&bytes[..rest.len()]);
            }
        }
    }

    impl<R: RngCore + ?Sized> RngCore for &mut R {
        fn next_u32(&mut self) -> u32 {
            (**self).next_u32()
        }
    }

    pub trait SeedableRng: Sized {
        type Seed: Default + AsMut<[u8]>;
        fn from_seed(seed: Self::Seed) -> Self;
        fn seed_from_u64(mut state: u64) -> Self {
            let mut seed = Self::Seed::default();
            for chunk in seed.as_mut().chunks_mut(4) {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(11634580027462260723);
                let xorshifted = (((state >> 18) ^ state) >> 27) as u32;
                let x = xorshifted.rotate_right((state >> 59) as u32);
                chunk.copy_from_slice(&x.to_le_bytes()[..chunk.len()]);
            }
            Self::from_seed(seed)
        }
    }

    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Pcg32 {
        state: u64,
        increment: u64,
    }

    impl SeedableRng for Pcg32 {
        type Seed = [u8; 16];
        fn from_seed(seed: [u8; 16]) -> Self {
            let (a, b) = seed.split_at(8);
            let [state, increment] =
                [a, b].map(|half| u64::from_le_bytes(half.try_into().expect("eight bytes")));
            Self { state, increment: increment | 1 }
        }
    }

    impl RngCore for Pcg32 {
        fn next_u32(&mut self) -> u32 {
            let old = self.state;
            self.state = old.wrapping_mul(6364136223846793005).wrapping_add(self.increment);
            let rot = (old >> 59) as u32;
            ((((old >> 18) ^ old) >> 27) as u32).rotate_right(rot)
        }
    }

    #[derive(Clone)]
    pub struct Xoshiro256 {
        s: [u64; 4],
    }

    impl SeedableRng for Xoshiro256 {
        type Seed = [u8; 32];
        fn from_seed(seed: Self::Seed) -> Self {
            let mut s = [0; 4];
            for (word, bytes) in s.iter_mut().zip(seed.as_chunks::<8>().0) {
                *word = u64::from_le_bytes(*bytes);
            }
            Self { s }
        }
    }

    impl RngCore for Xoshiro256 {
        fn next_u32(&mut self) -> u32 {
            (self.next_u64() >> 32) as u32
        }
        fn next_u64(&mut self) -> u64 {
            let [s0, s1, s2, s3] = &mut self.s;
            let result = s0.wrapping_add(*s3).rotate_left(23).wrapping_add(*s0);
            let t = *s1 << 17;
            *s2 ^= *s0;
            *s3 ^= *s1;
            *s1 ^= *s2;
            *s0 ^= *s3;
            *s2 ^= t;
            *s3 = s3.rotate_left(45);
            result
        }
    }

    pub trait SampleRange<T> {
        fn sample_single<R: RngCore + ?Sized>(self, rng: &mut R) -> T;
        fn is_empty(&self) -> bool;
    }

    macro_rules! impl_range {
        ($($t:ty => $unsigned:ty),*) => {$(
            impl SampleRange<$t> for Range<$t> {
                fn sample_single<R: RngCore + ?Sized>(self, rng: &mut R) -> $t {
                    let Range { start, end } = self;
                    (start..=end - 1).sample_single(rng)
                }
                fn is_empty(&self) -> bool {
                    !(self.start < self.end)
                }
            }
            impl SampleRange<$t> for RangeInclusive<$t> {
                fn sample_single<R: RngCore + ?Sized>(self, rng: &mut R) -> $t {
                    let (low, high) = self.into_inner();
                    let span = high.wrapping_sub(low).wrapping_add(1) as $unsigned as u64;
                    if span == 0 {
                        return rng.next_u64() as $t;
                    }
                    let product = rng.next_u64() as u128 * span as u128;
                    low.wrapping_add((product >> 64) as $t)
                }
                fn is_empty(&self) -> bool {
                    self.start() > self.end()
                }
            }
        )*};
    }

    impl_range!(u32 => u32, i32 => u32, usize => usize, u8 => u8);

    impl SampleRange<f32> for Range<f32> {
        fn sample_single<R: RngCore + ?Sized>(self, rng: &mut R) -> f32 {
            let unit = (rng.next_u32() >> 8) as f32 * (1.0 / (1 << 24) as f32);
            self.start + unit * (self.end - self.start)
        }
        fn is_empty(&self) -> bool {
            self.start >= self.end
        }
    }

    pub trait Rng: RngCore {
        fn random_range<T, S: SampleRange<T>>(&mut self, range: S) -> T {
            assert!(!range.is_empty(), "cannot sample empty range");
            range.sample_single(self)
        }
        fn random_bool(&mut self, p: f32) -> bool {
            self.random_range(0.0..1.0) < p
        }
    }
    impl<R: RngCore + ?Sized> Rng for R {}

    pub trait SliceRandom {
        type Item;
        fn choose<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<&Self::Item>;
        fn shuffle<R: Rng + ?Sized>(&mut self, rng: &mut R);
    }

    impl<T> SliceRandom for [T] {
        type Item = T;
        fn choose<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<&T> {
            if self.is_empty() { None } else { Some(&self[rng.random_range(0..self.len())]) }
        }
        fn shuffle<R: Rng + ?Sized>(&mut self, rng: &mut R) {
            for i in (1..self.len()).rev() {
                self.swap(i, rng.random_range(0..=i));
            }
        }
    }

    fn simulate(mut rng: impl Rng) -> u32 {
        let mut heads = 0;
        for _ in 0..20 {
            if rng.random_bool(0.3) {
                heads += 1;
            }
        }
        heads
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let mut pcg = Pcg32::seed_from_u64(seed as u64);
        let mut xo = Xoshiro256::seed_from_u64(42 + u64::from(seed));
        let mut bytes = [0; 7];
        pcg.fill_bytes(&mut bytes);
        let mut deck: [u8; 10] = core::array::from_fn(|i| i as u8);
        deck.shuffle(&mut pcg);
        let order = deck.iter().fold(0, |n: u32, &d| n.wrapping_mul(10).wrapping_add(d as u32));
        let chosen = deck[..5].choose(&mut xo).copied().map_or(99, u32::from);
        let none = deck[..0].choose(&mut xo).is_none();
        let x: f32 = xo.random_range(-1.5..2.5);
        let heads = simulate(&mut xo);
        [
            bytes.iter().map(|&b| u32::from(b)).sum::<u32>(),
            order,
            chosen,
            none as u32,
            x.to_bits(),
            heads * 100 + simulate(pcg.clone()),
            xo.random_range(-50..=50) as u32,
            pcg.random_range(3u8..9) as u32 + pcg.next_u64() as u32,
        ]
    }
}

#[kernel]
pub fn samples_drawn(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&SAMPLES_DRAWN, program::run)
}
