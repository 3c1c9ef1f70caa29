//! Words wrapped into lines, at the first that fits or with the least raggedness, and written to a buffer of a fixed size.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod wrap {
    use core::fmt::{self, Display, Write};
    use core::str::SplitWhitespace;

    /// A string in an array.
    #[derive(Clone)]
    pub struct ArrayString<const N: usize> {
        bytes: [u8; N],
        len: usize,
    }

    impl<const N: usize> ArrayString<N> {
        pub const fn new() -> Self {
            ArrayString { bytes: [0; N], len: 0 }
        }

        pub fn as_str(&self) -> &str {
            core::str::from_utf8(&self.bytes[..self.len]).unwrap_or("")
        }

        pub fn is_full(&self) -> bool {
            self.len == N
        }
    }

    impl<const N: usize> Write for ArrayString<N> {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            let end = self.len.checked_add(s.len()).filter(|&end| end <= N).ok_or(fmt::Error)?;
            self.bytes[self.len..end].copy_from_slice(s.as_bytes());
            self.len = end;
            Ok(())
        }
    }

    impl<const N: usize> core::ops::Deref for ArrayString<N> {
        type Target = str;
        fn deref(&self) -> &str {
            self.as_str()
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Word<'a> {
        pub text: &'a str,
        pub width: usize,
    }

    impl<'a> From<&'a str> for Word<'a> {
        fn from(text: &'a str) -> Self {
            Self { text, width: text.chars().count() }
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Align {
        #[default]
        Left,
        Right,
        Center,
    }

    pub struct Options {
        pub width: usize,
        pub align: Align,
        pub indent: &'static str,
    }

    impl Default for Options {
        fn default() -> Self {
            Self { width: 20, align: Align::default(), indent: "" }
        }
    }

    /// A line that is written with the words between single spaces.
    pub struct Line<'w, 'a> {
        words: &'w [Word<'a>],
        options: &'w Options,
    }

    impl Line<'_, '_> {
        pub fn width(&self) -> usize {
            let letters: usize = self.words.iter().map(|w| w.width).sum();
            letters + self.words.len().saturating_sub(1)
        }
    }

    impl Display for Line<'_, '_> {
        fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
            let free = self.options.width.saturating_sub(self.width());
            let before = match self.options.align {
                Align::Left => 0,
                Align::Right => free,
                Align::Center => free / 2,
            };
            f.write_str(self.options.indent)?;
            write!(f, "{:1$}", "", before)?;
            for (i, word) in self.words.iter().enumerate() {
                if i > 0 {
                    f.write_char(' ')?;
                }
                f.write_str(word.text)?;
            }
            Ok(())
        }
    }

    pub struct Words<'a, const N: usize> {
        words: [Word<'a>; N],
        len: usize,
    }

    impl<'a, const N: usize> Words<'a, N> {
        pub fn split(text: &'a str) -> Self {
            let mut all: SplitWhitespace<'a> = text.split_whitespace();
            let mut len = 0;
            let words = core::array::from_fn(|_| match all.next() {
                Some(word) => {
                    len += 1;
                    word.into()
                }
                None => Word { text: "", width: 0 },
            });
            Self { words, len }
        }

        pub fn as_slice(&self) -> &[Word<'a>] {
            &self.words[..self.len]
        }

        /// Takes as many words for each line as fit.
        pub fn first_fit<'w>(&'w self, options: &'w Options) -> impl Iterator<Item = Line<'w, 'a>> {
            let mut rest = self.as_slice();
            core::iter::from_fn(move || {
                let (first, others) = rest.split_first()?;
                let mut used = first.width;
                let more = others
                    .iter()
                    .take_while(|w| {
                        used += 1 + w.width;
                        used <= options.width
                    })
                    .count();
                let (words, left) = rest.split_at(1 + more);
                rest = left;
                Some(Line { words, options })
            })
        }

        /// The breaks with the least sum of squares of what is free at the ends of lines but the last.
        pub fn optimal<const B: usize>(&self, width: usize) -> ([usize; B], u32) {
            let words = self.as_slice();
            let mut cost = [u32::MAX; B];
            let mut from = [0; B];
            cost[0] = 0;
            for end in 1..=words.len() {
                let mut used = 0;
                for start in (0..end).rev() {
                    used += words[start].width + usize::from(start + 1 < end);
                    if used > width && start + 1 < end {
                        break;
                    }
                    let free = width.saturating_sub(used) as u32;
                    let ragged = if end == words.len() { 0 } else { free.pow(2) };
                    match cost[start].checked_add(ragged) {
                        Some(total) if total < cost[end] => {
                            cost[end] = total;
                            from[end] = start;
                        }
                        _ => (),
                    }
                }
            }
            (from, cost[words.len()])
        }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 5] {
    use core::fmt::Write as _;
    use wrap::{Align, ArrayString, Options, Words};
    const TEXTS: [&str; 4] = [
        "The quick brown fox jumps over the lazy dog and runs away",
        "größer als  Öl\tund Bäche\nfließen über die Straße",
        "a bb ccc dddd eeeee ffffff ggggggg hhhhhhhh",
        "",
    ];
    let text = TEXTS[seed as usize % 4];
    let words: Words<'_, 14> = Words::split(text);
    let align = match seed >> 4 & 3 {
        0 => Align::Right,
        1 => Align::Center,
        _ => Align::default(),
    };
    let options = Options { width: 9 + (seed >> 7) as usize % 12, align, ..Default::default() };
    let mut out = ArrayString::<120>::new();
    let mut lines = 0;
    let mut failed = false;
    for line in words.first_fit(&options) {
        lines += 1;
        failed |= writeln!(out, "{line}|").is_err();
    }
    let (from, cost) = words.optimal::<15>(options.width);
    let mut breaks = 0;
    let mut end = words.as_slice().len();
    while end > 0 {
        end = from[end];
        breaks = breaks * 16 + end as u32;
    }
    let hash = out.bytes().fold(5381u32, |h, b| h.wrapping_mul(33) ^ u32::from(b));
    let longest = out.lines().map(|l| l.trim_end_matches('|').chars().count()).max();
    [
        hash,
        lines << 8 | out.len() as u32,
        cost,
        breaks,
        longest.unwrap_or(0) as u32 * 2 + u32::from(failed || out.is_full()),
    ]
}

#[kernel]
pub fn text_wrap(seeds: &[u32], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&TEXT_WRAP, program)
}
