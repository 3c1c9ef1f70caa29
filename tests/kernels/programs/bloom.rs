//! Bloom filters of structs, of slices and of text.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::hash::{Hash, Hasher};
    use core::marker::PhantomData;

    #[derive(Default)]
    struct Murmur {
        h: u64,
        length: u64,
    }

    impl Hasher for Murmur {
        fn write(&mut self, bytes: &[u8]) {
            for chunk in bytes.chunks(8) {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                self.write_u64(u64::from_le_bytes(word));
            }
            self.length += bytes.len() as u64;
        }

        fn write_u64(&mut self, i: u64) {
            let mut k = i.wrapping_mul(0xff51_afd7_ed55_8ccd);
            k ^= k >> 33;
            self.h = (self.h ^ k).wrapping_mul(0xc4ce_b9fe_1a85_ec53).rotate_left(27);
        }

        fn finish(&self) -> u64 {
            let h = self.h ^ self.length;
            h ^ h >> 29
        }
    }

    /// A set that may answer "yes" in error.
    pub struct Bloom<T: ?Sized, const WORDS: usize, const HASHES: u32 = 4> {
        bits: [u64; WORDS],
        items: usize,
        _marker: PhantomData<fn(&T)>,
    }

    impl<T: Hash + ?Sized, const WORDS: usize, const HASHES: u32> Bloom<T, WORDS, HASHES> {
        const BITS: u64 = WORDS as u64 * u64::BITS as u64;

        pub const fn new() -> Self {
            Self { bits: [0; WORDS], items: 0, _marker: PhantomData }
        }

        fn indices(item: &T) -> impl Iterator<Item = (usize, u64)> {
            let mut hasher = Murmur::default();
            item.hash(&mut hasher);
            let hash = hasher.finish();
            let (one, two) = (hash & 0xFFFF_FFFF, hash >> 32);
            (0..HASHES).map(move |i| {
                let bit = one.wrapping_add(u64::from(i).wrapping_mul(two)) % Self::BITS;
                ((bit / 64) as usize, 1 << (bit % 64))
            })
        }

        /// Returns whether the item was certainly new.
        pub fn insert(&mut self, item: &T) -> bool {
            let mut new = false;
            for (word, mask) in Self::indices(item) {
                new |= self.bits[word] & mask == 0;
                self.bits[word] |= mask;
            }
            if new {
                self.items += 1;
            }
            new
        }

        pub fn contains(&self, item: &T) -> bool {
            Self::indices(item).all(|(word, mask)| self.bits[word] & mask != 0)
        }

        pub fn union(&self, other: &Self) -> Self {
            let mut bits = self.bits;
            bits.iter_mut().zip(other.bits.iter()).for_each(|(a, b)| *a |= b);
            Self { bits, items: self.items + other.items, ..Self::new() }
        }

        pub fn ones(&self) -> u32 {
            self.bits.iter().copied().map(u64::count_ones).sum()
        }
    }

    impl<T: Hash + ?Sized, const WORDS: usize, const HASHES: u32> Default for Bloom<T, WORDS, HASHES> {
        fn default() -> Self {
            Self::new()
        }
    }

    impl<'a, T: Hash + 'a, const WORDS: usize, const HASHES: u32> Extend<&'a T> for Bloom<T, WORDS, HASHES> {
        fn extend<I: IntoIterator<Item = &'a T>>(&mut self, iter: I) {
            for item in iter {
                self.insert(item);
            }
        }
    }

    #[derive(Hash, Clone, Copy, PartialEq, Eq, Default)]
    pub struct Point {
        x: i16,
        y: i16,
        z: (u8, u32),
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let mut points: Bloom<Point, 8> = Bloom::default();
        let list: [Point; 24] = core::array::from_fn(|i| {
            let i = i as u32;
            Point { x: (seed.wrapping_mul(i) >> 3) as i16, y: -(i as i16), z: (i as u8, seed) }
        });
        points.extend(&list);
        let found = list.iter().filter(|p| points.contains(p)).count();
        let false_positives =
            (0..100).filter(|&i| points.contains(&Point { x: i, ..Point::default() })).count();

        let mut words = Bloom::<[u8], 4, 3>::new();
        let fresh = words.insert(b"alpha") as u32
            + u32::from(words.insert(b"beta"))
            + words.insert(&seed.to_le_bytes()) as u32;
        let again = words.insert(b"alpha") as u32;
        let mut others = Bloom::<[u8], 4, 3>::new();
        others.insert(&[1, 2, 3]);
        let both = words.union(&others);
        let check = both.contains(&[1, 2, 3]) && both.contains(b"beta") && !others.contains(b"beta");

        let mut texts = Bloom::<str, 2>::new();
        for word in "the cat sat on the mat".split_whitespace() {
            texts.insert(word);
        }
        [
            points.ones(),
            found as u32,
            false_positives as u32,
            fresh,
            again,
            both.ones() + both.items as u32,
            check as u32,
            texts.ones() + texts.items as u32,
        ]
    }
}

#[kernel]
pub fn bloom_filters(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&BLOOM_FILTERS, program::run)
}
