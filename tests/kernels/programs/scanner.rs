//! Text: keywords, digits, ciphers and classes of characters.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! Text: keywords, digits, ciphers and classes of characters.
    use std::str;

    pub const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyz";

    pub trait Unit {
        const NAME: &'static str;
        fn scale() -> u32;
    }

    pub struct Metre;
    pub struct Second;

    impl Unit for Metre {
        const NAME: &'static str = "m";
        fn scale() -> u32 {
            10
        }
    }

    impl Unit for Second {
        const NAME: &'static str = "sec";
        fn scale() -> u32 {
            60
        }
    }

    fn measure<U: Unit>(x: u32) -> u32 {
        x * U::scale() + U::NAME.len() as u32 + U::NAME.bytes().map(u32::from).sum::<u32>()
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Keyword {
        For,
        While,
        Other(char),
    }

    impl From<&str> for Keyword {
        fn from(text: &str) -> Self {
            match text {
                "for" => Keyword::For,
                "while" => Keyword::While,
                other => Keyword::Other(other.chars().next().unwrap_or('?')),
            }
        }
    }

    fn rot13(c: char) -> char {
        match c {
            'a'..='z' => ((c as u8 - b'a' + 13) % 26 + b'a') as char,
            'A'..='Z' => ((c as u8 - b'A' + 13) % 26 + b'A').into(),
            _ => c,
        }
    }

    fn vowels(s: &str) -> usize {
        s.chars().filter(|c| "aeiou".contains(*c)).count()
    }

    fn parse_hex(text: &str) -> Option<u32> {
        if text.is_empty() {
            return None;
        }
        text.chars().try_fold(0u32, |n, c| n.checked_mul(16)?.checked_add(c.to_digit(16)?))
    }

    pub fn levenshtein<const N: usize>(a: &str, b: &str) -> usize {
        let (a, b) = (a.as_bytes(), b.as_bytes());
        let mut row = [0usize; N];
        for (i, r) in row.iter_mut().enumerate() {
            *r = i;
        }
        for (i, &ca) in a.iter().enumerate() {
            let mut previous = row[0];
            row[0] = i + 1;
            for (j, &cb) in b.iter().enumerate() {
                let cost = if ca == cb { previous } else { 1 + previous.min(row[j]).min(row[j + 1]) };
                previous = row[j + 1];
                row[j + 1] = cost;
            }
        }
        row[b.len()]
    }

    fn class(c: char) -> u32 {
        if c.is_ascii_digit() {
            1
        } else if c.is_ascii_alphabetic() {
            2 + c.is_ascii_uppercase() as u32
        } else if c == '_' || c > '~' {
            4
        } else {
            5
        }
    }

    pub fn check(seed: u32) -> u32 {
        let letter = char::from(b'a' + (seed % 26) as u8);
        let hex = char::from_digit(seed % 16, 16).map_or('?', |c| c.to_ascii_uppercase());
        let code = "Uryyb, World".chars().map(rot13).fold(0u32, |h, c| h.wrapping_mul(31) + c as u32);
        let keyword = match if seed % 3 == 0 { Keyword::from("for") } else { "whale".into() } {
            Keyword::For => 1,
            Keyword::While => 2,
            Keyword::Other(c) => c as u32,
        };
        let position = ALPHABET.bytes().position(|b| b as char == letter).unwrap() as u32;
        let same =
            (ALPHABET == "abc") as u32 + (ALPHABET.starts_with("abc") && !"".ends_with('z')) as u32 * 2;
        let number = parse_hex("1aF").unwrap_or(9)
            + parse_hex("12x").map_or(7, |n| n)
            + parse_hex("").is_none() as u32;
        let indices: usize = "a-b-c".char_indices().filter(|&(_, c)| c == '-').map(|(i, _)| i).sum();
        let classes: u32 = "x9_Y +".chars().map(class).fold(0, |n, c| n * 6 + c);
        let distance = levenshtein::<16>("kitten", "sitting") as u32 + vowels("education") as u32;
        code ^ keyword << 3
            ^ position
            ^ same << 8
            ^ number << 9
            ^ indices as u32
            ^ classes << 5
            ^ distance << 20
            ^ measure::<Metre>(seed)
            ^ measure::<Second>(2)
            ^ u32::from(hex) << 12
            ^ (letter.is_digit(16) as u32) << 30
    }
}

#[kernel]
pub fn scanner(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::check(i as u32);
    }
}

pub fn case() -> Case {
    super::case_of(&SCANNER, program::check)
}
