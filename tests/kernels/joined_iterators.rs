//! `flat_map` and `flatten` that are advanced by `next`, `peek`, `nth` and `any`, in fields and in several places, cloned, nested and zipped.

use super::case::Case;
use super::seeded::case_by_seed;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    pub struct Bits<I> {
        inner: I,
        count: u32,
    }
    impl<I: Iterator<Item = bool>> Bits<I> {
        fn next3(&mut self) -> Option<u32> {
            let mut v = 0;
            for _ in 0..3 {
                v = v << 1 | self.inner.next()? as u32;
                self.count += 1;
            }
            Some(v)
        }
    }
    pub fn run(seed: u32) -> [u32; 8] {
        let bytes = seed.to_le_bytes();
        let mut bits =
            Bits { inner: bytes.iter().flat_map(|&b| (0..8).map(move |i| b >> i & 1 == 1)), count: 0 };
        let mut sum = 0;
        while let Some(v) = bits.next3() {
            sum = sum * 7 + v;
        }
        let rows = [[1u32, 2, 3], [4, 5, 6], [7, 8, seed]];
        let mut flat = rows.iter().filter(|r| r[0] != 4).flatten().peekable();
        let first = flat.next().copied().unwrap_or(0);
        let peeked = flat.peek().map_or(0, |x| **x);
        let copy = flat.clone();
        let second = flat.next();
        let rest = flat.fold(0u32, |a, b| a.wrapping_mul(10).wrapping_add(*b));
        let again = copy.fold(0u32, |a, b| a.wrapping_mul(11).wrapping_add(*b));
        // Slices of a slice, begun in one place and gone on with in another.
        let data: [u32; 12] = std::array::from_fn(|i| i as u32 + seed % 5);
        let mut parts = data.chunks(5).flat_map(|c| c[1..].iter().rev());
        let mut acc = 0u32;
        for i in 0..9u32 {
            let item = if i % 2 == seed % 2 {
                parts.next()
            } else {
                parts.next().map(|x| {
                    acc += 1;
                    x
                })
            };
            acc = acc.wrapping_mul(13).wrapping_add(item.copied().unwrap_or(77));
        }
        // Three levels.
        let mut deep = (1..=3u32)
            .flat_map(|a| (0..a).flat_map(move |b| [a, b, a * b].into_iter().take(1 + (b as usize))));
        let mut d = 0u32;
        let third = deep.nth(2).unwrap_or(99);
        while let Some(x) = deep.next() {
            d = d.wrapping_mul(5).wrapping_add(x);
        }
        // Words, of different numbers of characters.
        let text = "a bc def";
        let mut letters = text.split(' ').flat_map(|w| w.bytes()).enumerate();
        let mut l = 0u32;
        while let Some((i, b)) = letters.next() {
            l = l.wrapping_mul(31).wrapping_add(i as u32 * b as u32);
            if i == 3 {
                break;
            }
        }
        let left = letters.count() as u32;
        let pairs = (0..seed % 4)
            .flat_map(|i| i..4)
            .zip((0..3u32).flat_map(|i| 0..i + 1))
            .map(|(a, b)| a * 10 + b)
            .sum::<u32>();
        let mut by = (0..4u32).flat_map(|i| (0..i).zip(5..));
        let any = by.any(|(a, b)| a + b == 7) as u32;
        [
            sum,
            bits.count,
            first * 100 + peeked * 10 + second.copied().unwrap_or(0),
            rest,
            again,
            acc,
            d ^ third << 20,
            l.wrapping_add(left) ^ pairs << 8 ^ any << 16 ^ by.count() as u32,
        ]
    }
}

#[kernel]
pub fn joined_iterators_advanced(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn cases() -> Vec<Case> {
    vec![case_by_seed(&JOINED_ITERATORS_ADVANCED, program::run)]
}
