//! Generators behind one trait, and distributions over them, as `rand` has it.

use crate::kernels::case::Case;
use crate::kernels::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod distributions {
    use core::ops::{Range, RangeInclusive};

    pub trait RngCore {
        fn next_u32(&mut self) -> u32;
        fn next_u64(&mut self) -> u64 {
            u64::from(self.next_u32()) | u64::from(self.next_u32()) << 32
        }
        fn fill_bytes(&mut self, dest: &mut [u8]) {
            for chunk in dest.chunks_mut(4) {
                let bytes = self.next_u32().to_le_bytes();
                chunk.copy_from_slice(&bytes[..chunk.len()]);
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
                state =
                    state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(11_634_580_027_462_260_723);
                let xorshifted = (((state >> 18) ^ state) >> 27) as u32;
                let x = xorshifted.rotate_right((state >> 59) as u32).to_le_bytes();
                chunk.copy_from_slice(&x[..chunk.len()]);
            }
            Self::from_seed(seed)
        }
    }

    pub trait Distribution<T> {
        fn sample<R: RngCore + ?Sized>(&self, rng: &mut R) -> T;
    }

    pub struct Standard;

    impl Distribution<u32> for Standard {
        fn sample<R: RngCore + ?Sized>(&self, rng: &mut R) -> u32 {
            rng.next_u32()
        }
    }
    impl Distribution<f32> for Standard {
        fn sample<R: RngCore + ?Sized>(&self, rng: &mut R) -> f32 {
            (rng.next_u32() >> 8) as f32 * (1.0 / (1u32 << 24) as f32)
        }
    }
    impl Distribution<bool> for Standard {
        fn sample<R: RngCore + ?Sized>(&self, rng: &mut R) -> bool {
            (rng.next_u32() as i32) < 0
        }
    }
    impl<A, B> Distribution<(A, B)> for Standard
    where
        Standard: Distribution<A> + Distribution<B>,
    {
        fn sample<R: RngCore + ?Sized>(&self, rng: &mut R) -> (A, B) {
            (self.sample(rng), self.sample(rng))
        }
    }

    pub trait SampleRange<T> {
        fn sample_single<R: RngCore + ?Sized>(self, rng: &mut R) -> T;
        fn is_empty(&self) -> bool;
    }
    impl SampleRange<u32> for Range<u32> {
        fn sample_single<R: RngCore + ?Sized>(self, rng: &mut R) -> u32 {
            let wide = u64::from(rng.next_u32()) * u64::from(self.end - self.start);
            self.start + (wide >> 32) as u32
        }
        fn is_empty(&self) -> bool {
            !(self.start < self.end)
        }
    }
    impl SampleRange<i8> for RangeInclusive<i8> {
        fn sample_single<R: RngCore + ?Sized>(self, rng: &mut R) -> i8 {
            let (low, high) = self.into_inner();
            let span = (high as i32 - low as i32 + 1) as u32;
            (low as i32 + (rng.next_u32() % span) as i32) as i8
        }
        fn is_empty(&self) -> bool {
            self.start() > self.end()
        }
    }

    pub trait Rng: RngCore {
        fn random<T>(&mut self) -> T
        where
            Standard: Distribution<T>,
        {
            Standard.sample(self)
        }
        fn random_range<T, R: SampleRange<T>>(&mut self, range: R) -> T {
            assert!(!range.is_empty(), "cannot sample empty range");
            range.sample_single(self)
        }
        fn random_bool(&mut self, p: f32) -> bool {
            self.random::<f32>() < p
        }
        fn shuffle<T>(&mut self, items: &mut [T]) {
            for i in (1..items.len()).rev() {
                items.swap(i, self.random_range(0..i as u32 + 1) as usize);
            }
        }
    }
    impl<R: RngCore + ?Sized> Rng for R {}

    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Xoshiro128 {
        s: [u32; 4],
    }

    impl RngCore for Xoshiro128 {
        fn next_u32(&mut self) -> u32 {
            let result = self.s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
            let t = self.s[1] << 9;
            self.s[2] ^= self.s[0];
            self.s[3] ^= self.s[1];
            self.s[1] ^= self.s[2];
            self.s[0] ^= self.s[3];
            self.s[2] ^= t;
            self.s[3] = self.s[3].rotate_left(11);
            result
        }
    }

    impl SeedableRng for Xoshiro128 {
        type Seed = [u8; 16];
        fn from_seed(seed: [u8; 16]) -> Self {
            if seed.iter().all(|&x| x == 0) {
                return Xoshiro128 { s: [1, 2, 3, 4] };
            }
            let mut s = [0; 4];
            for (word, bytes) in s.iter_mut().zip(seed.chunks_exact(4)) {
                *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            }
            Xoshiro128 { s }
        }
    }

    fn dice(rng: &mut impl Rng) -> u32 {
        (0..3).map(|_| rng.random_range(1..7)).sum()
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let mut rng = Xoshiro128::seed_from_u64(seed.into());
        let (a, b): (f32, bool) = rng.random();
        let heads = (0..20).filter(|_| rng.random_bool(0.3)).count() as u32;
        let mut deck: [u8; 10] = core::array::from_fn(|i| i as u8);
        rng.shuffle(&mut deck);
        let order = deck.iter().fold(0_u32, |n, &d| n.wrapping_mul(10) + d as u32);
        let small: i8 = rng.random_range(-5..=5);
        let mut bytes = [0; 7];
        rng.fill_bytes(&mut bytes);
        let x: u32 = rng.random();
        [
            a.to_bits(),
            b.into(),
            heads,
            order,
            small as u32,
            bytes.iter().map(|&b| u32::from(b)).sum(),
            dice(&mut rng),
            x ^ (rng.next_u64() >> 32) as u32,
        ]
    }
}

#[kernel]
pub fn drawn(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = distributions::run(seeds[i]);
}

pub fn case() -> Case {
    let seeds: Vec<u32> = (0..24_u32).map(|i| i * i * 7919 + i).collect();
    let y = map(&seeds, distributions::run);
    Case::of(&DRAWN).input(&seeds).output(&y).items([y.len()])
}
