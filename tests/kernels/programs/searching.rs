//! Knuth-Morris-Pratt, Horspool and Rabin-Karp behind one trait.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    pub trait Searcher<'p> {
        fn new(pattern: &'p [u8]) -> Self;
        fn find_from(&self, text: &[u8], start: usize) -> Option<usize>;

        fn find_iter<'s, 't>(&'s self, text: &'t [u8]) -> Matches<'s, 't, Self>
        where
            Self: Sized,
        {
            Matches { searcher: self, text, at: 0 }
        }
    }

    pub struct Matches<'s, 't, S> {
        searcher: &'s S,
        text: &'t [u8],
        at: usize,
    }

    impl<'p, S: Searcher<'p>> Iterator for Matches<'_, '_, S> {
        type Item = usize;
        fn next(&mut self) -> Option<usize> {
            let found = self.searcher.find_from(self.text, self.at)?;
            self.at = found + 1;
            Some(found)
        }
    }

    pub struct Kmp<'p> {
        pattern: &'p [u8],
        failure: [usize; 16],
    }

    impl<'p> Searcher<'p> for Kmp<'p> {
        fn new(pattern: &'p [u8]) -> Self {
            let mut failure = [0; 16];
            let mut k = 0;
            for i in 1..pattern.len() {
                while k > 0 && pattern[k] != pattern[i] {
                    k = failure[k - 1];
                }
                if pattern[k] == pattern[i] {
                    k += 1;
                }
                failure[i] = k;
            }
            Kmp { pattern, failure }
        }

        fn find_from(&self, text: &[u8], start: usize) -> Option<usize> {
            let mut matched = 0;
            for (i, &byte) in text.iter().enumerate().skip(start) {
                while matched > 0 && self.pattern[matched] != byte {
                    matched = self.failure[matched - 1];
                }
                matched += usize::from(self.pattern[matched] == byte);
                if matched == self.pattern.len() {
                    return Some(i + 1 - matched);
                }
            }
            None
        }
    }

    pub struct Horspool<'p> {
        pattern: &'p [u8],
        shift: [u8; 256],
    }

    impl<'p> Searcher<'p> for Horspool<'p> {
        fn new(pattern: &'p [u8]) -> Self {
            let length = pattern.len();
            let mut shift = [length as u8; 256];
            for (i, &b) in pattern[..length - 1].iter().enumerate() {
                shift[b as usize] = (length - 1 - i) as u8;
            }
            Self { pattern, shift }
        }

        fn find_from(&self, text: &[u8], start: usize) -> Option<usize> {
            let mut at = start;
            while let Some(window) = text.get(at..at + self.pattern.len()) {
                if window == self.pattern {
                    return Some(at);
                }
                let last = *window.last()?;
                at += self.shift[last as usize] as usize;
            }
            None
        }
    }

    struct RabinKarp<'p> {
        pattern: &'p [u8],
        hash: u32,
        power: u32,
    }

    impl RabinKarp<'_> {
        const BASE: u32 = 257;
        fn hash(bytes: &[u8]) -> u32 {
            bytes.iter().fold(0u32, |h, &b| h.wrapping_mul(Self::BASE).wrapping_add(b.into()))
        }
    }

    impl<'p> Searcher<'p> for RabinKarp<'p> {
        fn new(pattern: &'p [u8]) -> Self {
            let power = (1..pattern.len()).fold(1u32, |p, _| p.wrapping_mul(Self::BASE));
            Self { pattern, hash: Self::hash(pattern), power }
        }

        fn find_from(&self, text: &[u8], start: usize) -> Option<usize> {
            let n = self.pattern.len();
            let text = text.get(start..)?;
            let mut hash = Self::hash(text.get(..n)?);
            for (i, window) in text.windows(n).enumerate() {
                if hash == self.hash && window == self.pattern {
                    return Some(start + i);
                }
                if let Some(&next) = text.get(i + n) {
                    let gone = u32::from(window[0]).wrapping_mul(self.power);
                    hash = hash.wrapping_sub(gone).wrapping_mul(Self::BASE).wrapping_add(next as u32);
                }
            }
            None
        }
    }

    fn report<'p, S: Searcher<'p>>(pattern: &'p [u8], text: &[u8]) -> (u32, u32) {
        let searcher = S::new(pattern);
        let count = searcher.find_iter(text).count() as u32;
        let weighted = searcher.find_iter(text).enumerate().map(|(i, at)| (i + 1) * at).sum::<usize>();
        (count, weighted as u32)
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let mut text = *b"abracadabra abracadabra cadabra abra abba baobab";
        let n = text.len();
        text.rotate_left(seed as usize % n);
        if let Some(byte) = text.get_mut(seed as usize % 64) {
            *byte = b'b';
        }
        let patterns: [&[u8]; 3] = [b"abra", b"ab", b"cadabra"];
        let pattern = patterns[seed as usize % 3];
        let (a, b) = report::<Kmp<'_>>(pattern, &text);
        let (c, d) = report::<Horspool<'_>>(pattern, &text);
        let (e, f) = report::<RabinKarp<'_>>(pattern, &text);
        let simple = text.windows(pattern.len()).filter(|w| *w == pattern).count();
        let first = text.windows(3).position(|w| matches!(w, [b'a', _, b'a'])).unwrap_or(99);
        [a, b, c, d, e, f, simple as u32, first as u32]
    }
}

#[kernel]
pub fn substrings_found(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&SUBSTRINGS_FOUND, program::run)
}
