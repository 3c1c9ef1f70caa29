//! XXH64, and `derive(Hash)` with a hasher and a `BuildHasher` of the program's own.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::hash::{BuildHasher, Hash, Hasher};

    const PRIME_1: u64 = 0x9E37_79B1_85EB_CA87;
    const PRIME_2: u64 = 0xC2B2_AE3D_27D4_EB4F;
    const PRIME_3: u64 = 0x1656_67B1_9E37_79F9;
    const PRIME_4: u64 = 0x85EB_CA77_C2B2_AE63;
    const PRIME_5: u64 = 0x27D4_EB2F_1656_67C5;

    fn round(acc: u64, input: u64) -> u64 {
        acc.wrapping_add(input.wrapping_mul(PRIME_2)).rotate_left(31).wrapping_mul(PRIME_1)
    }

    fn merge(acc: u64, value: u64) -> u64 {
        (acc ^ round(0, value)).wrapping_mul(PRIME_1).wrapping_add(PRIME_4)
    }

    fn avalanche(mut h: u64) -> u64 {
        h ^= h >> 33;
        h = h.wrapping_mul(PRIME_2);
        h ^= h >> 29;
        h = h.wrapping_mul(PRIME_3);
        h ^ (h >> 32)
    }

    /// One-shot XXH64.
    pub fn xxh64(input: &[u8], seed: u64) -> u64 {
        let mut lanes = [
            seed.wrapping_add(PRIME_1).wrapping_add(PRIME_2),
            seed.wrapping_add(PRIME_2),
            seed,
            seed.wrapping_sub(PRIME_1),
        ];
        let stripes = input.chunks_exact(32);
        let mut rest = stripes.remainder();
        let mut h = if input.len() >= 32 {
            for stripe in stripes {
                for (lane, bytes) in lanes.iter_mut().zip(stripe.chunks(8)) {
                    *lane = round(*lane, u64::from_le_bytes(bytes.try_into().unwrap()));
                }
            }
            let rotations = [1, 7, 12, 18];
            let start =
                lanes.iter().zip(&rotations).map(|(l, &r)| l.rotate_left(r)).fold(0, u64::wrapping_add);
            lanes.into_iter().fold(start, merge)
        } else {
            seed.wrapping_add(PRIME_5)
        };
        h = h.wrapping_add(input.len() as u64);
        while let Some((head, tail)) = rest.split_first_chunk::<8>() {
            h = (h ^ round(0, u64::from_le_bytes(*head)))
                .rotate_left(27)
                .wrapping_mul(PRIME_1)
                .wrapping_add(PRIME_4);
            rest = tail;
        }
        if let Some((head, tail)) = rest.split_first_chunk::<4>() {
            let word = u32::from_le_bytes(*head) as u64;
            h = (h ^ word.wrapping_mul(PRIME_1)).rotate_left(23).wrapping_mul(PRIME_2).wrapping_add(PRIME_3);
            rest = tail;
        }
        for &byte in rest {
            h = (h ^ (byte as u64).wrapping_mul(PRIME_5)).rotate_left(11).wrapping_mul(PRIME_1);
        }
        avalanche(h)
    }

    #[derive(Clone, Copy)]
    pub struct Fnv(u64);

    impl Default for Fnv {
        fn default() -> Self {
            Fnv(0xcbf2_9ce4_8422_2325)
        }
    }

    impl Hasher for Fnv {
        fn finish(&self) -> u64 {
            self.0
        }
        fn write(&mut self, bytes: &[u8]) {
            for b in bytes {
                self.0 ^= u64::from(*b);
                self.0 = self.0.wrapping_mul(0x100_0000_01b3);
            }
        }
    }

    #[derive(Default)]
    pub struct BuildFnv;
    impl BuildHasher for BuildFnv {
        type Hasher = Fnv;
        fn build_hasher(&self) -> Fnv {
            Fnv::default()
        }
    }

    #[derive(Hash, PartialEq, Eq, Clone, Copy)]
    pub enum Kind {
        Plain,
        Tagged(u16),
        Pair { x: i32, y: i32 },
    }

    #[derive(Hash)]
    pub struct Key<'a> {
        name: &'a [u8],
        kind: Kind,
        flags: [bool; 3],
        version: Option<u8>,
    }

    fn hash_of<T: Hash + ?Sized, S: BuildHasher>(value: &T, build: &S) -> u64 {
        build.hash_one(value)
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let mut data = [0u8; 77];
        let mut state = seed;
        for slot in data.iter_mut() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *slot = (state >> 24) as u8;
        }
        let length = seed as usize % data.len();
        let a = xxh64(&data[..length], seed.into());
        let b = xxh64(b"xxhash", 0);
        let kind = match seed % 3 {
            0 => Kind::Plain,
            1 => Kind::Tagged(seed as u16),
            _ => Kind::Pair { x: seed as i32, y: -1 },
        };
        let key =
            Key { name: &data[..length / 2], kind, flags: [true, false, seed & 1 == 1], version: Some(3) };
        let c = hash_of(&key, &BuildFnv);
        let mut hasher = Fnv::default();
        "text".hash(&mut hasher);
        (1u8, 2u32, 'c').hash(&mut hasher);
        kind.hash(&mut hasher);
        data[..4].hash(&mut hasher);
        let d = hasher.finish();
        let mut out = [0; 8];
        for (o, v) in out.chunks_exact_mut(2).zip([a, b, c, d]) {
            o[0] = v as u32;
            o[1] = (v >> 32) as u32;
        }
        out
    }
}

#[kernel]
pub fn hashes(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&HASHES, program::run)
}
