//! Iterators of combinatorics: subsets in Gray's order, combinations, permutations, partitions, and what all of them have in common.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod combinatorics {
    use core::borrow::Borrow;
    use core::iter::{FusedIterator, Peekable};
    use core::mem;

    /// Subsets of `N` things, of which each differs from the one before in one thing.
    #[derive(Clone, Debug)]
    pub struct GrayCode<const N: usize> {
        next: u32,
    }

    impl<const N: usize> GrayCode<N> {
        const COUNT: u32 = 1 << N;

        pub const fn new() -> Self {
            Self { next: 0 }
        }

        pub const fn rank(code: u32) -> u32 {
            let mut binary = code;
            let mut shift = 1;
            while shift < 32 {
                binary ^= binary >> shift;
                shift *= 2;
            }
            binary
        }
    }

    impl<const N: usize> Iterator for GrayCode<N> {
        type Item = [bool; N];

        fn next(&mut self) -> Option<[bool; N]> {
            let n = (self.next < Self::COUNT).then_some(self.next)?;
            self.next += 1;
            let code = n ^ n >> 1;
            Some(core::array::from_fn(|bit| code >> bit & 1 != 0))
        }

        fn size_hint(&self) -> (usize, Option<usize>) {
            let left = (Self::COUNT - self.next) as usize;
            (left, Some(left))
        }
    }

    impl<const N: usize> ExactSizeIterator for GrayCode<N> {}
    impl<const N: usize> FusedIterator for GrayCode<N> {}

    #[derive(Clone)]
    pub struct Combinations<'a, T, const K: usize> {
        items: &'a [T],
        indices: Option<[usize; K]>,
    }

    impl<'a, T, const K: usize> Combinations<'a, T, K> {
        pub fn of(items: &'a [T]) -> Self {
            let indices = (K <= items.len()).then(|| core::array::from_fn(|n| n));
            Combinations { items, indices }
        }
    }

    impl<'a, T, const K: usize> Iterator for Combinations<'a, T, K> {
        type Item = [&'a T; K];

        fn next(&mut self) -> Option<Self::Item> {
            let items = self.items;
            let current = self.indices?;
            let n = items.len();
            self.indices = (0..K).rev().find(|&at| current[at] < n - K + at).map(|at| {
                let mut next = current;
                for (offset, slot) in next[at..].iter_mut().enumerate() {
                    *slot = current[at] + 1 + offset;
                }
                next
            });
            Some(current.map(|index| &items[index]))
        }
    }

    pub trait Permute {
        fn next_permutation(&mut self) -> bool;
        fn inversions(&self) -> usize;
    }

    impl<T: Ord> Permute for [T] {
        fn next_permutation(&mut self) -> bool {
            let Some(pivot) = self.windows(2).rposition(|pair| pair[0] < pair[1]) else {
                self.reverse();
                return false;
            };
            let (head, tail) = self.split_at_mut(pivot + 1);
            if let Some(larger) = tail.iter_mut().rev().find(|x| **x > head[pivot]) {
                mem::swap(larger, &mut head[pivot]);
            }
            tail.reverse();
            true
        }

        fn inversions(&self) -> usize {
            self.iter().enumerate().map(|(n, a)| self[n + 1..].iter().filter(|&b| b < a).count()).sum()
        }
    }

    /// Partitions of a number into parts that do not increase.
    pub struct Partitions {
        parts: [u8; 16],
        len: usize,
        done: bool,
    }

    impl Partitions {
        pub fn new(n: u8) -> Self {
            let mut parts = [0; 16];
            parts[0] = n;
            Self { parts, len: 1, done: n == 0 || n > 16 }
        }

        pub fn advance(&mut self) -> Option<&[u8]> {
            if mem::replace(&mut self.done, true) {
                return None;
            }
            self.done = false;
            Some(&self.parts[..self.len])
        }

        pub fn step(&mut self) {
            let Some(last) = self.parts[..self.len].iter().rposition(|&p| p > 1) else {
                self.done = true;
                return;
            };
            let mut rest = self.len as u8 - last as u8;
            let part = self.parts[last] - 1;
            self.parts[last] = part;
            self.len = last + 1;
            while rest > 0 {
                let next = rest.min(part);
                self.parts[self.len] = next;
                self.len += 1;
                rest -= next;
            }
        }
    }

    pub fn binomial(n: u64, k: u64) -> Option<u64> {
        (0..k.min(n.checked_sub(k)?)).try_fold(1u64, |all, i| Some(all.checked_mul(n - i)? / (i + 1)))
    }

    pub struct RunLengths<I: Iterator> {
        iter: Peekable<I>,
    }

    impl<I> Iterator for RunLengths<I>
    where
        I: Iterator,
        I::Item: PartialEq,
    {
        type Item = (I::Item, usize);

        fn next(&mut self) -> Option<Self::Item> {
            let first = self.iter.next()?;
            let mut count = 1;
            while self.iter.next_if_eq(&first).is_some() {
                count += 1;
            }
            Some((first, count))
        }
    }

    pub trait IteratorExt: Iterator + Sized {
        fn run_lengths(self) -> RunLengths<Self> {
            RunLengths { iter: self.peekable() }
        }

        fn weighted<B: Borrow<u32>>(self) -> u32
        where
            Self: Iterator<Item = B>,
        {
            self.zip(1u32..).fold(0, |sum, (x, n)| sum.wrapping_add(x.borrow().wrapping_mul(n)))
        }
    }

    impl<I: Iterator> IteratorExt for I {}
}

#[device]
pub fn program(seed: u32) -> [u32; 6] {
    use combinatorics::*;

    let gray = GrayCode::<5>::new();
    let target = seed & 31;
    let position = gray
        .clone()
        .position(|subset| subset.iter().rev().fold(0, |n, &bit| n << 1 | u32::from(bit)) == target)
        .unwrap();
    let same = position as u32 == GrayCode::<5>::rank(target);
    let heavy = gray.skip(seed as usize % 7).filter(|s| s.iter().filter(|b| **b).count() == 3).count();

    let items: [u32; 6] = core::array::from_fn(|n| seed.rotate_left(n as u32 * 5) % 100);
    let best = Combinations::<_, 3>::of(&items).map(|[a, b, c]| a * b + c).max();
    let sums =
        Combinations::<u32, 2>::of(&items[..(seed % 5) as usize]).map(|pair| pair.into_iter().sum::<u32>());
    let weighted = sums.weighted().wrapping_mul(7) ^ items.iter().weighted();

    let mut word = *b"gpukernel";
    word.rotate_left(seed as usize % 9);
    let mut steps = 0;
    while steps < 5 + seed % 11 && word.next_permutation() {
        steps += 1;
    }
    let letters = word.iter().fold(0u32, |h, &b| h.wrapping_mul(29).wrapping_add(b.into()));

    let mut partitions = Partitions::new((seed % 13) as u8);
    let mut total = 0u32;
    while let Some(parts) = partitions.advance() {
        let distinct = parts.iter().run_lengths().all(|(_, n)| n == 1);
        let longest = parts.iter().run_lengths().max_by_key(|run| run.1);
        total += 100 * distinct as u32 + longest.map_or(0, |(part, n)| u32::from(*part) * n as u32);
        partitions.step();
    }

    let choose = binomial(u64::from(seed % 90), u64::from(seed >> 7 & 31));
    [
        position as u32 * 2 + same as u32,
        heavy as u32 * 100_000 + best.unwrap_or_default(),
        weighted,
        letters ^ word.inversions() as u32,
        total,
        choose.map_or(u32::MAX, |c| c as u32),
    ]
}

#[kernel]
pub fn combinatorics_of_seeds(seeds: &[u32], y: &mut [[u32; 6]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&COMBINATORICS_OF_SEEDS, program)
}
