//! Bit sets with operators and iteration.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! Bit sets with operators and iteration.
    use core::iter::FusedIterator;
    use core::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not, Sub};

    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub struct BitSet<const WORDS: usize> {
        words: [u64; WORDS],
    }

    impl<const WORDS: usize> BitSet<WORDS> {
        pub const EMPTY: Self = BitSet { words: [0; WORDS] };
        pub const BITS: usize = WORDS * 64;

        pub fn insert(&mut self, bit: usize) -> bool {
            let (word, mask) = Self::locate(bit);
            let new = self.words[word] & mask == 0;
            self.words[word] |= mask;
            new
        }

        pub fn remove(&mut self, bit: usize) {
            let (word, mask) = Self::locate(bit);
            self.words[word] &= !mask;
        }

        pub fn contains(&self, bit: usize) -> bool {
            let (word, mask) = Self::locate(bit);
            self.words.get(word).map_or(false, |w| w & mask != 0)
        }

        pub fn len(&self) -> usize {
            self.words.iter().map(|w| w.count_ones() as usize).sum()
        }

        pub fn is_empty(&self) -> bool {
            self.words.iter().all(|&w| w == 0)
        }

        fn locate(bit: usize) -> (usize, u64) {
            assert!(bit < Self::BITS, "bit {bit} out of range");
            (bit / u64::BITS as usize, 1 << (bit % 64))
        }

        pub fn iter(&self) -> Iter<'_, WORDS> {
            Iter { set: self, word: 0, rest: self.words[0] }
        }

        fn zip_with(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
            let mut words = self.words;
            for (a, b) in words.iter_mut().zip(&other.words) {
                *a = f(*a, *b);
            }
            BitSet { words }
        }
    }

    #[derive(Clone)]
    pub struct Iter<'a, const WORDS: usize> {
        set: &'a BitSet<WORDS>,
        word: usize,
        rest: u64,
    }

    impl<const WORDS: usize> Iterator for Iter<'_, WORDS> {
        type Item = usize;
        fn next(&mut self) -> Option<usize> {
            while self.rest == 0 {
                self.word += 1;
                self.rest = *self.set.words.get(self.word)?;
            }
            let bit = self.rest.trailing_zeros() as usize;
            self.rest &= self.rest - 1;
            Some(self.word * 64 + bit)
        }
    }

    impl<const WORDS: usize> FusedIterator for Iter<'_, WORDS> {}

    impl<'a, const WORDS: usize> IntoIterator for &'a BitSet<WORDS> {
        type Item = usize;
        type IntoIter = Iter<'a, WORDS>;
        fn into_iter(self) -> Self::IntoIter {
            self.iter()
        }
    }

    impl<const WORDS: usize> FromIterator<usize> for BitSet<WORDS> {
        fn from_iter<I: IntoIterator<Item = usize>>(iter: I) -> Self {
            let mut set = Self::EMPTY;
            for bit in iter {
                set.insert(bit);
            }
            set
        }
    }

    impl<const W: usize> BitOr for BitSet<W> {
        type Output = Self;
        fn bitor(self, rhs: Self) -> Self {
            self.zip_with(rhs, |a, b| a | b)
        }
    }
    impl<const W: usize> BitAnd for BitSet<W> {
        type Output = Self;
        fn bitand(self, rhs: Self) -> Self {
            self.zip_with(rhs, BitAnd::bitand)
        }
    }
    impl<const W: usize> BitXor for BitSet<W> {
        type Output = Self;
        fn bitxor(self, rhs: Self) -> Self {
            self.zip_with(rhs, |a, b| a ^ b)
        }
    }
    impl<const W: usize> Sub for BitSet<W> {
        type Output = Self;
        fn sub(self, rhs: Self) -> Self {
            self & !rhs
        }
    }
    impl<const W: usize> Not for BitSet<W> {
        type Output = Self;
        fn not(self) -> Self {
            BitSet { words: self.words.map(|w| !w) }
        }
    }
    impl<const W: usize> BitOrAssign<usize> for BitSet<W> {
        fn bitor_assign(&mut self, bit: usize) {
            self.insert(bit);
        }
    }

    fn sieve() -> BitSet<2> {
        let mut composite = BitSet::EMPTY;
        for i in 2..BitSet::<2>::BITS {
            if !composite.contains(i) {
                for j in (i * i..BitSet::<2>::BITS).step_by(i) {
                    composite |= j;
                }
            }
        }
        composite |= 0;
        composite |= 1;
        !composite
    }

    pub fn check(seed: u32) -> u32 {
        let primes = sieve();
        let multiples: BitSet<2> = (0..128).filter(|n| n % (seed as usize % 5 + 2) == 1).collect();
        let both = (primes & multiples) | (primes - multiples) ^ multiples;
        let mut sum = 0;
        for bit in &both {
            sum += bit;
        }
        let last = primes.iter().last().unwrap();
        let zipped: usize = primes.iter().zip(multiples.iter()).map(|(a, b)| a * b).take(5).sum();
        let twin = primes.into_iter().filter(|&p| primes.contains((p + 2) % 128)).count();
        (sum + last + zipped * 3 + twin * 100000 + both.len() + both.is_empty() as usize) as u32
    }
}

#[kernel]
pub fn bitset(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::check(i as u32);
    }
}

pub fn case() -> Case {
    super::case_of(&BITSET, program::check)
}
