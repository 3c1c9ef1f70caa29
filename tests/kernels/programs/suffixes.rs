//! Suffix arrays, the longest repeats, Burrows and Wheeler's transform, and what finds patterns with them.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::cmp::Ordering::{self, *};
    use core::ops::{Deref, Range};

    pub struct SuffixArray<'t, const N: usize> {
        text: &'t [u8],
        table: [u32; N],
    }

    impl<'t, const N: usize> SuffixArray<'t, N> {
        pub fn new(text: &'t [u8]) -> Self {
            assert!(text.len() <= N, "the text has {} bytes, of which {} fit", text.len(), N);
            let n = text.len();
            let mut table = [0u32; N];
            let mut rank = [0u32; N];
            let mut next = [0u32; N];
            for (i, (slot, r)) in table.iter_mut().zip(rank.iter_mut()).enumerate().take(n) {
                *slot = i as u32;
                *r = text[i].into();
            }
            let mut k = 1;
            loop {
                let key = |&i: &u32| -> (u32, Option<u32>) {
                    let i = i as usize;
                    (rank[i], rank[..n].get(i + k).copied())
                };
                table[..n].sort_unstable_by_key(key);
                next[..n].fill(0);
                for pair in table[..n].windows(2) {
                    let grows = key(&pair[0]) < key(&pair[1]);
                    next[pair[1] as usize] = next[pair[0] as usize] + u32::from(grows);
                }
                rank = next;
                let largest = rank[..n].iter().max().map_or(0, |&r| r as usize);
                if largest + 1 >= n || k >= n {
                    break;
                }
                k *= 2;
            }
            SuffixArray { text, table }
        }

        pub fn suffix(&self, i: usize) -> &'t [u8] {
            &self.text[self.table[i] as usize..]
        }

        fn compare(&self, i: usize, pattern: &[u8]) -> Ordering {
            let suffix = self.suffix(i);
            suffix[..pattern.len().min(suffix.len())].cmp(pattern)
        }

        pub fn range_of(&self, pattern: &[u8]) -> Range<usize> {
            let (mut lo, mut hi) = (0, self.len());
            while lo < hi {
                let mid = lo + (hi - lo) / 2;
                match self.compare(mid, pattern) {
                    Less => lo = mid + 1,
                    Equal | Greater => hi = mid,
                }
            }
            let count = (lo..self.len()).take_while(|&i| self.compare(i, pattern).is_eq()).count();
            lo..lo + count
        }

        pub fn positions<'s>(&'s self, pattern: &[u8]) -> impl ExactSizeIterator<Item = usize> + 's {
            self[self.range_of(pattern)].iter().map(|&i| i as usize)
        }

        /// Kasai's longest common prefixes, each with the suffix before it.
        pub fn lcp(&self) -> [usize; N] {
            let n = self.len();
            let mut inverse = [0; N];
            self.iter().enumerate().for_each(|(i, &s)| inverse[s as usize] = i);
            let mut lcp = [0; N];
            let mut h = 0usize;
            for i in 0..n {
                if inverse[i] == 0 {
                    h = 0;
                    continue;
                }
                let j = self[inverse[i] - 1] as usize;
                h += self.text[i + h..].iter().zip(&self.text[j + h..]).take_while(|(a, b)| a == b).count();
                lcp[inverse[i]] = h;
                h = h.saturating_sub(1);
            }
            lcp
        }

        pub fn longest_repeat(&self) -> Option<&'t [u8]> {
            let (at, &len) =
                self.lcp().iter().enumerate().max_by_key(|&(i, len)| (*len, core::cmp::Reverse(i)))?;
            self.suffix(at).get(..len).filter(|repeat| !repeat.is_empty())
        }

        pub fn bwt(&self) -> impl Iterator<Item = Option<u8>> {
            let last = self.text.last().copied();
            core::iter::once(last).chain(self.iter().map(|&i| match i {
                0 => None,
                i => Some(self.text[i as usize - 1]),
            }))
        }
    }

    impl<const N: usize> Deref for SuffixArray<'_, N> {
        type Target = [u32];

        fn deref(&self) -> &Self::Target {
            &self.table[..self.text.len()]
        }
    }

    /// The lengths of the longest common prefixes of a text and its suffixes.
    pub fn z_function<const N: usize>(text: &[u8]) -> [usize; N] {
        let mut z = [0; N];
        let (mut l, mut r) = (0, 0);
        for i in 1..text.len().min(N) {
            if i < r {
                z[i] = z[i - l].min(r - i);
            }
            while text.get(i + z[i]).is_some_and(|&b| b == text[z[i]]) {
                z[i] += 1;
            }
            if i + z[i] > r {
                (l, r) = (i, i + z[i]);
            }
        }
        z
    }

    /// The middle and the length of the longest palindrome, by Manacher's algorithm.
    pub fn longest_palindrome(text: &str) -> &str {
        let bytes = text.as_bytes();
        let mut radius = [0usize; 64];
        let (mut center, mut right) = (0usize, 0usize);
        let at = |k: usize| if k % 2 == 0 { None } else { bytes.get(k / 2) };
        let total = 2 * bytes.len() + 1;
        for i in 0..total {
            let mut len = if i < right { (right - i).min(radius[2 * center - i]) } else { 0 };
            while i > len && i + len + 1 < total && at(i - len - 1) == at(i + len + 1) {
                len += 1;
            }
            radius[i] = len;
            if i + len > right {
                (center, right) = (i, i + len);
            }
        }
        let (middle, &len) = radius[..total].iter().enumerate().rev().max_by_key(|(_, len)| **len).unwrap();
        &text[(middle - len) / 2..(middle + len) / 2]
    }

    pub fn run(i: u32) -> u64 {
        let texts = ["mississippi", "abracadabra", "banana band", "aaaaaa", "xyz"];
        let text = texts[i as usize % texts.len()];
        let text = &text[..text.len() - i as usize % 3];
        let array = SuffixArray::<12>::new(text.as_bytes());
        let mut h = array.iter().fold(0u64, |h, &s| h * 12 + u64::from(s));
        let pattern = ["a", "ss", "an", "iss", "q"][i as usize / 5 % 5];
        let found = array.positions(pattern.as_bytes());
        h = h.rotate_left(7) ^ found.len() as u64;
        h = found.fold(h, |h, p| h.wrapping_mul(13) ^ p as u64);
        h ^= array.longest_repeat().map_or(0, |r| r.iter().fold(0u64, |h, &b| h << 8 | b as u64));
        h = array.bwt().fold(h, |h, b| h.rotate_left(5) ^ b.map_or(1, u64::from));
        let z: [usize; 12] = z_function(text.as_bytes());
        let palindrome = longest_palindrome(text);
        h ^ z.iter().sum::<usize>() as u64
            ^ (palindrome.len() as u64) << 40
            ^ (text.find(palindrome).unwrap_or(99) as u64) << 50
    }
}

#[kernel]
pub fn suffixes(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&SUFFIXES, program::run)
}
