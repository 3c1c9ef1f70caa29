//! Text beyond ASCII: its characters from both ends, what is found in it, its parts, and how it is written.

use super::case::{Case, ExpectedFault};
use super::seeded::case_by_seed;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

#[device]
pub mod texts {
    use core::fmt::{self, Write};
    use core::str::{CharIndices, Chars};

    struct Sum(u32);

    impl Write for Sum {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 = text.bytes().fold(self.0, |h, b| h.wrapping_mul(31).wrapping_add(b.into()));
            Ok(())
        }
    }

    const TEXTS: [&str; 7] =
        ["plain", "größe é", "日本語 の", "a\u{2003}b \u{85}c\u{3000}", "🦀x🦀", "", "é"];

    fn hash(chars: Chars<'_>) -> u32 {
        chars.fold(7, |h, c| h.wrapping_mul(37) ^ c as u32)
    }

    pub fn characters(seed: u32) -> [u32; 8] {
        let text = TEXTS[seed as usize % 7];
        let mut both: CharIndices<'_> = text.char_indices();
        let (first, last) = (both.next(), both.next_back());
        let mut rest = text.chars();
        let mut sizes = 0;
        while let Some(c) = rest.next() {
            sizes += c.len_utf8() as u32;
            if c == 'ö' {
                rest = rest.as_str()[2..].chars();
            }
        }
        let mut bytes = [0; 4];
        let coded = text.chars().fold(1, |h: u32, c| {
            c.encode_utf8(&mut bytes).bytes().fold(h, |h, b| h.wrapping_mul(257) ^ u32::from(b))
        });
        let decoded = core::str::from_utf8(text.as_bytes())
            .map_or(0, |t| t.chars().rev().fold(1, |h: u32, c| h.wrapping_mul(41) ^ u32::from(c)));
        [
            hash(text.chars()),
            first.map_or(1, |(i, c)| i as u32 + c as u32),
            last.map_or(1, |(i, c)| i as u32 * 65536 + c as u32),
            sizes,
            coded,
            decoded,
            text.is_ascii() as u32 + 2 * (text > "größe") as u32,
            match text {
                "é" => 5,
                "größe é" => 6,
                _ => text.chars().count() as u32,
            },
        ]
    }

    pub fn parts(seed: u32) -> [u32; 8] {
        let text = TEXTS[seed as usize % 7];
        let found = text.find('é').unwrap_or(99) + 100 * text.find(|c: char| !c.is_ascii()).unwrap_or(99);
        let mixed = |h: u32, part: &str| {
            h.wrapping_mul(11) ^ part.len() as u32 ^ part.bytes().next().map_or(0, |b| u32::from(b) << 8)
        };
        let trimmed = text.trim_end_matches(|c: char| c as u32 > 0x2000).len() * 100
            + text.trim_start_matches('é').len() * 10
            + text.trim().len();
        [
            found as u32,
            text.rfind(['é', 'ö', '🦀']).map_or(77, |at| at as u32),
            text.split('ö').chain(text.split("")).fold(3, mixed),
            text.rsplit("").chain(text.split(['é', ' '])).fold(5, mixed),
            text.split_whitespace().fold(7, mixed) ^ text.split_whitespace().rev().fold(9, mixed),
            (0..8).fold(0, |h, i| h * 3 + text.get(i..).map_or(0, |t| 1 + t.len() as u32 % 2)),
            (0..8).fold(0, |h, i| {
                h * 3 + u32::from(text.get(i..=i).is_some()) + u32::from(text.is_char_boundary(i))
            }),
            trimmed as u32,
        ]
    }

    pub fn written(seed: u32) -> [u32; 2] {
        let text = TEXTS[seed as usize % 7];
        let mut padded = Sum(1);
        let _ = write!(padded, "{text:é>9}|{text:.2}|{:^5}|{}|", 'ß', '語');
        let mut plain = Sum(2);
        let _ = writeln!(plain, "{text} – {}", text.chars().next_back().unwrap_or('∅'));
        [padded.0, plain.0]
    }

    /// A part that may start or end in a character.
    pub fn cut(from: usize, to: usize) -> u32 {
        let text = "aé語";
        text[from..to].len() as u32 + 10 * text.get(from..=usize::MAX).is_none() as u32
    }
}

#[kernel]
pub fn utf8_characters(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = texts::characters(seeds[i]);
}

#[kernel]
pub fn utf8_parts(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = texts::parts(seeds[i]);
}

#[kernel]
pub fn utf8_written(seeds: &[u32], y: &mut [[u32; 2]]) {
    let i = global_id(0);
    y[i] = texts::written(seeds[i]);
}

#[kernel]
pub fn utf8_cut(from: &[u32], to: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = texts::cut(from[i] as usize, to[i] as usize);
}

/// Iterators over text in fields.
#[device]
pub mod fields {
    use core::iter::{Enumerate, Fuse, Peekable, Rev, Take};
    use core::str::{CharIndices, Chars, Lines};

    pub struct Reader<'a> {
        lines: Peekable<Enumerate<Lines<'a>>>,
        back: Rev<Chars<'a>>,
        few: Take<CharIndices<'a>>,
        ended: Fuse<Lines<'a>>,
    }

    impl<'a> Reader<'a> {
        fn new(text: &'a str, count: usize) -> Self {
            Self {
                lines: text.lines().enumerate().peekable(),
                back: text.chars().rev(),
                few: text.char_indices().take(count),
                ended: text.lines().fuse(),
            }
        }

        fn read(&mut self) -> u32 {
            let mut sum = 0_u32;
            while let Some((number, line)) = self.lines.next() {
                let next = self.lines.peek().map_or(9, |(_, next)| next.len());
                sum = sum.wrapping_mul(31) ^ (number * 100 + line.len() * 10 + next) as u32;
            }
            if let Some(last) = self.back.next() {
                sum ^= u32::from(last);
            }
            for (at, c) in self.few.by_ref() {
                sum = sum.wrapping_mul(7) ^ (at as u32 + u32::from(c));
            }
            sum.wrapping_add(self.ended.next().map_or(0, str::len) as u32)
        }
    }

    pub fn run(seed: u32) -> [u32; 2] {
        let text = ["é\nüx\n\n語", "plain", "", "a\r\nb"][seed as usize % 4];
        let mut reader = Reader::new(text, seed as usize % 5);
        [reader.read(), reader.read()]
    }
}

#[kernel]
pub fn utf8_in_fields(seeds: &[u32], y: &mut [[u32; 2]]) {
    let i = global_id(0);
    y[i] = fields::run(seeds[i]);
}

/// What a type stands for as text, by `*` of it and of other text.
#[device]
pub mod dereferenced {
    use core::ops::Deref;

    pub struct Label {
        bytes: [u8; 7],
        len: usize,
    }

    impl Deref for Label {
        type Target = str;
        fn deref(&self) -> &str {
            core::str::from_utf8(&self.bytes[..self.len]).unwrap_or("")
        }
    }

    impl Label {
        fn is(&self, other: &str) -> bool {
            **self == *other
        }
    }

    fn count(text: &str, letter: char) -> u32 {
        text.chars().filter(|other| *other != letter).count() as u32
    }

    pub fn run(seed: u32) -> [u32; 4] {
        let text = "né €".as_bytes();
        let bytes = core::array::from_fn(|at| text[at]);
        let label = Label { bytes, len: seed as usize % 8 };
        let first = (*label).chars().next().map_or(0, u32::from);
        [u32::from(label.is("né")), u32::from(label.is("né €")), first, count(&label, 'é')]
    }
}

#[kernel]
pub fn utf8_dereferenced(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = dereferenced::run(seeds[i]);
}

pub fn cases() -> Vec<Case> {
    let cut = || ExpectedFault::new(FaultKind::Panic).message("a part of text starts or ends in a character");
    vec![
        Case::of(&UTF8_CUT)
            .input(&[0_u32, 1, 3, 2, 1, 6])
            .input(&[1_u32, 3, 6, 3, 4, 6])
            .update(&[99_u32; 6], &[11_u32, 12, 13, 99, 99, 10])
            .items([6])
            .faults(cut().count(2)),
        case_by_seed(&UTF8_CHARACTERS, texts::characters),
        case_by_seed(&UTF8_PARTS, texts::parts),
        case_by_seed(&UTF8_WRITTEN, texts::written),
        case_by_seed(&UTF8_IN_FIELDS, fields::run),
        case_by_seed(&UTF8_DEREFERENCED, dereferenced::run),
    ]
}
