//! Iterators that have a last item too: those of an `impl DoubleEndedIterator`, and the lines, words and parts of text, also as fields.

use super::case::Case;
use super::seeded::case_by_seed;
use kernel_runtime::prelude::*;

#[device]
pub mod text {
    use core::str::{Lines, Split, SplitWhitespace};

    const TEXTS: [&str; 8] =
        ["a\nbc\nd", "", "x\n", "\n\r\n", "one two  three\r\nfour \n", "k=v,k2=v2,,", "  lead", "a\r\n\nb\r"];

    /// Goes over the words of lines.
    struct Words<'a> {
        lines: Lines<'a>,
        words: SplitWhitespace<'a>,
    }

    impl<'a> Iterator for Words<'a> {
        type Item = &'a str;

        fn next(&mut self) -> Option<&'a str> {
            loop {
                if let Some(word) = self.words.next() {
                    return Some(word);
                }
                self.words = self.lines.next()?.split_whitespace();
            }
        }
    }

    fn fields(text: &str) -> Split<'_, char> {
        text.split(',')
    }

    fn hash(parts: impl Iterator<Item = &'static str>) -> u32 {
        parts.fold(7u32, |hash, part| {
            let hash = hash.wrapping_mul(31) + part.len() as u32 + 1;
            part.bytes().fold(hash, |hash, byte| hash.wrapping_mul(33) ^ u32::from(byte))
        })
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let text = TEXTS[(seed % 8) as usize];
        let size = |part: Option<&str>| part.map_or(50, |part| part.len() as u32);
        let mut lines = text.lines();
        let (last, first) = (lines.next_back(), lines.next());
        let ends = size(last) * 100 + size(first) + lines.count() as u32 * 10_000;
        let mut parts = text.split(|c: char| c == ',' || c == '\n');
        let mut sizes = 0u32;
        while let Some(part) = parts.next() {
            sizes = sizes * 5 + part.len() as u32;
            if let Some(part) = parts.next_back() {
                sizes = sizes * 7 + part.len() as u32;
            }
        }
        let words = Words { lines: text.lines(), words: "".split_whitespace() };
        let long = text.split(',').rfind(|part| part.len() > 1);
        [
            hash(text.split('\n').rev()) ^ hash(fields(text)),
            hash(text.lines()),
            hash(text.lines().rev()),
            hash(text.split_whitespace().rev()).wrapping_add(hash(text.split_ascii_whitespace())),
            ends,
            sizes,
            hash(words),
            text.split("=v").fold(size(long), |sum, part| sum * 9 + part.len() as u32),
        ]
    }
}

#[kernel]
pub fn text_reversed(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = text::run(seeds[i]);
}

#[device]
pub mod own {
    #[derive(Clone)]
    pub struct Span {
        start: u32,
        end: u32,
    }

    impl Iterator for Span {
        type Item = u32;

        fn next(&mut self) -> Option<u32> {
            (self.start < self.end).then(|| {
                self.start += 1;
                self.start - 1
            })
        }
    }

    impl DoubleEndedIterator for Span {
        fn next_back(&mut self) -> Option<u32> {
            if self.start < self.end {
                self.end -= 1;
                Some(self.end)
            } else {
                None
            }
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let span = Span { start: seed % 5, end: seed % 13 };
        let mut rest = span.clone();
        let third = rest.rfind(|value| value % 3 == 0).unwrap_or(99);
        let mut loops = 0;
        for value in span.clone().rev() {
            loops = loops * 2 + value;
        }
        let mut borrowed = span.clone();
        let two: u32 = borrowed.by_ref().rev().take(2).sum();
        [
            span.clone().rev().fold(0, |hash: u32, value| hash.wrapping_mul(13) + value),
            third * 100 + rest.count() as u32,
            span.clone().rev().map(|value| value + 1).take(2).sum(),
            span.clone().rfold(1, |hash: u32, value| hash.wrapping_mul(3) + value),
            span.clone().nth_back(1).unwrap_or(7),
            span.clone().rev().zip(span.clone()).filter(|(a, b)| a > b).count() as u32,
            loops,
            two * 100 + borrowed.count() as u32,
        ]
    }
}

#[kernel]
pub fn own_reversed(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = own::run(seeds[i]);
}

pub fn cases() -> Vec<Case> {
    vec![case_by_seed(&TEXT_REVERSED, text::run), case_by_seed(&OWN_REVERSED, own::run)]
}
