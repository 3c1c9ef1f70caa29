//! Cases, palindromes, versions and the sounds of words.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! Cases, palindromes, versions and the sounds of words.
    fn levenshtein(a: &str, b: &str) -> usize {
        let mut row = [0usize; 33];
        let n = b.chars().count();
        for (j, slot) in row[..=n].iter_mut().enumerate() {
            *slot = j;
        }
        for (i, ca) in a.chars().enumerate() {
            let mut previous = i;
            row[0] = i + 1;
            for (j, cb) in b.chars().enumerate() {
                let substitution = previous + usize::from(ca != cb);
                previous = row[j + 1];
                row[j + 1] = substitution.min(row[j] + 1).min(previous + 1);
            }
        }
        row[n]
    }

    fn title_case(text: &str, out: &mut [u8]) -> usize {
        let mut start = true;
        let mut n = 0;
        for c in text.chars() {
            let c = if start { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
            start = c.is_whitespace() || c == '-';
            n += c.encode_utf8(&mut out[n..]).len();
        }
        n
    }

    fn is_palindrome(text: &str) -> bool {
        let letters = || text.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase());
        letters().eq(letters().rev())
    }

    fn parse_version(text: &str) -> Option<(u8, u8, u8)> {
        let mut parts = text.trim_start_matches('v').splitn(3, '.').map(|p| p.parse::<u8>().ok());
        Some((parts.next()??, parts.next()??, parts.next()??))
    }

    fn count_words(text: &str) -> (usize, usize, &str) {
        let longest = text.split_whitespace().max_by_key(|w| w.len()).unwrap_or("");
        (text.split_whitespace().count(), text.lines().count(), longest)
    }

    fn rot13(c: char) -> char {
        match c {
            'a'..='m' | 'A'..='M' => (c as u8 + 13) as char,
            'n'..='z' | 'N'..='Z' => (c as u8 - 13) as char,
            _ => c,
        }
    }

    fn soundex(name: &str) -> Option<[u8; 4]> {
        let mut code = [b'0'; 4];
        let mut letters = name.bytes().filter(u8::is_ascii_alphabetic).map(|b| b.to_ascii_uppercase());
        let first = letters.next()?;
        code[0] = first;
        let digit = |b: u8| match b {
            b'B' | b'F' | b'P' | b'V' => Some(b'1'),
            b'C' | b'G' | b'J' | b'K' | b'Q' | b'S' | b'X' | b'Z' => Some(b'2'),
            b'D' | b'T' => Some(b'3'),
            b'L' => Some(b'4'),
            b'M' | b'N' => Some(b'5'),
            b'R' => Some(b'6'),
            _ => None,
        };
        let mut last = digit(first);
        let mut slots = code[1..].iter_mut();
        for b in letters {
            let d = digit(b);
            if d.is_some() && d != last {
                match slots.next() {
                    Some(slot) => *slot = d.unwrap(),
                    None => break,
                }
            }
            if !matches!(b, b'H' | b'W') {
                last = d;
            }
        }
        Some(code)
    }

    const TEXTS: &[&str] = &[
        "A man, a plan, a canal: Panama",
        "v1.20.3",
        "Ashcraft\nRobert  Tymczak",
        "naïve café",
        "kitten",
        "Never odd or even",
        "",
    ];

    pub fn run(seed: u32) -> [u32; 4] {
        let a = TEXTS[seed as usize % TEXTS.len()];
        let b = TEXTS[(seed / 7) as usize % TEXTS.len()];
        let mut out = [0u8; 40];
        let n = title_case(a, &mut out);
        let titled = core::str::from_utf8(&out[..n]).unwrap();
        let hash = titled.chars().map(rot13).fold(0u32, |h, c| h.wrapping_mul(131).wrapping_add(c.into()));
        let (words, lines, longest) = count_words(a);
        let version = parse_version(a).map_or(0, |(x, y, z)| u32::from_be_bytes([0, x, y, z]));
        let code = soundex(a).map(u32::from_be_bytes).unwrap_or_default();
        let capital = a.find(char::is_uppercase).unwrap_or(99) as u32;
        let tail = a.rsplit_once(' ').map(|(_, t)| t).filter(|t| !t.is_empty()).unwrap_or("-");
        [
            levenshtein(a, b) as u32 + u32::from(is_palindrome(a)) * 1000,
            hash ^ version,
            code ^ capital << 4,
            (words * 100 + lines * 10 + longest.len()) as u32
                + tail.chars().rev().next().map_or(0, |c| c as u32) * 1000
                + a.eq_ignore_ascii_case(b) as u32,
        ]
    }
}

#[kernel]
pub fn words(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&WORDS, program::run)
}
