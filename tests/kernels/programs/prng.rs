//! Generators behind one trait.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! Generators behind one trait.
    use std::num::Wrapping;

    pub trait Rng {
        fn next_u32(&mut self) -> u32;

        fn next_u64(&mut self) -> u64 {
            let hi = self.next_u32() as u64;
            hi << 32 | self.next_u32() as u64
        }

        fn gen_range(&mut self, range: std::ops::Range<u32>) -> u32 {
            let span = range.end - range.start;
            range.start + ((self.next_u32() as u64 * span as u64) >> 32) as u32
        }

        fn next_f32(&mut self) -> f32 {
            (self.next_u32() >> 8) as f32 * (1.0 / (1 << 24) as f32)
        }

        fn shuffle<T>(&mut self, slice: &mut [T])
        where
            Self: Sized,
        {
            for i in (1..slice.len()).rev() {
                slice.swap(i, self.gen_range(0..i as u32 + 1) as usize);
            }
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
                let x = xorshifted.rotate_right((state >> 59) as u32).to_le_bytes();
                chunk.copy_from_slice(&x[..chunk.len()]);
            }
            Self::from_seed(seed)
        }
    }

    #[derive(Clone)]
    pub struct XorShift {
        x: Wrapping<u32>,
        y: Wrapping<u32>,
        z: Wrapping<u32>,
        w: Wrapping<u32>,
    }

    impl Rng for XorShift {
        fn next_u32(&mut self) -> u32 {
            let x = self.x;
            let t = x ^ (x << 11);
            self.x = self.y;
            self.y = self.z;
            self.z = self.w;
            let w_ = self.w;
            self.w = w_ ^ (w_ >> 19) ^ (t ^ (t >> 8));
            self.w.0
        }
    }

    impl SeedableRng for XorShift {
        type Seed = [u8; 16];
        fn from_seed(seed: Self::Seed) -> Self {
            let mut words = [0u32; 4];
            for (w, c) in words.iter_mut().zip(seed.chunks_exact(4)) {
                *w = u32::from_le_bytes(c.try_into().unwrap());
            }
            let [x, y, z, w] = words.map(Wrapping);
            XorShift { x, y, z, w }
        }
    }

    pub struct Pcg {
        state: u64,
        inc: u64,
    }

    impl Rng for Pcg {
        fn next_u32(&mut self) -> u32 {
            let old = self.state;
            self.state = old.wrapping_mul(6364136223846793005).wrapping_add(self.inc | 1);
            let x = (((old >> 18) ^ old) >> 27) as u32;
            x.rotate_right((old >> 59) as u32)
        }
    }

    impl<R: Rng + ?Sized> Rng for &mut R {
        fn next_u32(&mut self) -> u32 {
            (**self).next_u32()
        }
    }

    fn roll<R: Rng>(mut rng: R, n: usize) -> u32 {
        std::iter::repeat_with(|| rng.gen_range(1..7)).take(n).sum()
    }

    pub fn check(seed: u32) -> u32 {
        let mut a = XorShift::seed_from_u64(seed.into());
        let mut b = Pcg { state: seed as u64, inc: 0xda3e39cb94b95bdb };
        let mut deck = [0u8; 13];
        deck.iter_mut().zip(1..).for_each(|(d, n)| *d = n);
        a.shuffle(&mut deck);
        let hash = deck.iter().fold(5381u32, |h, &c| h.wrapping_mul(33) ^ c as u32);
        let mut counter = Wrapping(250u8);
        counter += Wrapping(10);
        hash ^ roll(&mut a, 4)
            ^ roll(&mut b, 5) << 8
            ^ b.next_f32().to_bits()
            ^ (a.next_u64() >> 40) as u32
            ^ counter.0 as u32
    }
}

#[kernel]
pub fn prng(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::check(i as u32);
    }
}

pub fn case() -> Case {
    super::case_of(&PRNG, program::check)
}
