//! Parts of text: what lies between matches, words, lines, and what is left without the ends.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod parts {
    use core::str::{Chars, FromStr};

    /// Depends on the length and the first byte of each of the parts, and on their order.
    fn mixed<'a>(parts: impl Iterator<Item = &'a str>) -> u32 {
        let mut mixed = 1_u32;
        for part in parts {
            mixed = mixed.wrapping_mul(31) + part.len() as u32;
            mixed = mixed.wrapping_mul(7) ^ part.as_bytes().first().map_or(300, |byte| u32::from(*byte));
        }
        mixed
    }

    const TEXT: &str = "a,b,,cd, one two  three \n x\r\ny\n\nz,xxaxbxx = key = aaa";

    /// A part of the text; the first one is empty.
    fn part(index: u32) -> &'static str {
        let start = index as usize * 7 % TEXT.len();
        &TEXT[start..(start + index as usize * 3).min(TEXT.len())]
    }

    pub fn by_characters(index: u32) -> [u32; 8] {
        let text = part(index);
        [
            mixed(text.split(',')),
            mixed(text.splitn(3, ' ')),
            mixed(text.rsplit(',')),
            mixed(text.split_terminator(',')),
            mixed(text.split_inclusive('\n')),
            mixed(text.split_whitespace()),
            mixed(text.split_ascii_whitespace()),
            mixed(text.lines()),
        ]
    }

    #[allow(
        clippy::single_char_pattern,
        clippy::suspicious_splitn,
        reason = "text is another pattern than a character, and no part at all is a case too"
    )]
    pub fn by_text(index: u32) -> [u32; 8] {
        let text = part(index);
        [
            mixed(text.split("")),
            mixed(text.split("aa")),
            mixed(text.rsplit("x")),
            mixed(text.matches("a")),
            text.match_indices("aa").fold(5, |mixed, (at, part)| mixed * 9 + at as u32 + part.len() as u32),
            mixed(text.splitn(2, " = ")),
            text.trim_matches('x').len() as u32 * 100 + text.trim_start_matches("x").len() as u32,
            text.trim_end_matches("a").len() as u32 + mixed(text.splitn(0, "a")),
        ]
    }

    pub fn by_closures(index: u32) -> [u32; 8] {
        let text = part(index);
        let is_vowel = |c: char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u');
        [
            mixed(text.split(|c: char| !c.is_ascii_alphanumeric())),
            mixed(text.split([',', ' '])),
            text.find(char::is_whitespace).map_or(99, |at| at as u32),
            text.rfind(is_vowel).map_or(99, |at| at as u32),
            text.trim_start_matches(is_vowel).len() as u32,
            u32::from(text.contains(is_vowel)) + 2 * u32::from(text.starts_with(['x', 'a'])),
            mixed(text.rsplit(&['=', 'x'][..])),
            text.split_once(char::is_whitespace)
                .map_or(7, |(head, tail)| head.len() as u32 * 50 + tail.len() as u32),
        ]
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Point {
        x: i32,
        y: i32,
    }

    impl FromStr for Point {
        type Err = u32;

        fn from_str(text: &str) -> Result<Self, u32> {
            let mut numbers = text.split(',').map(str::trim);
            let x = numbers.next().ok_or(1_u32)?.parse().map_err(|_| 2_u32)?;
            let y = numbers.next().ok_or(3_u32)?.parse().map_err(|_| 4_u32)?;
            if numbers.next().is_some() { Err(5) } else { Ok(Self { x, y }) }
        }
    }

    pub fn point(index: u32) -> [u32; 2] {
        let text = &"12, -7,,4,5"[index as usize % 5..index as usize + 3];
        match text.parse::<Point>() {
            Ok(Point { x, y }) => [x as u32, y as u32],
            Err(why) => [why, 1000],
        }
    }

    /// What reads characters, one ahead.
    struct Reader<'a> {
        characters: core::iter::Peekable<Chars<'a>>,
        read: u32,
    }

    impl<'a> Reader<'a> {
        fn new(text: &'a str) -> Self {
            Self { characters: text.chars().peekable(), read: 0 }
        }

        fn number(&mut self) -> u32 {
            let mut number = 0;
            while let Some(digit) = self.characters.peek().and_then(|c| c.to_digit(10)) {
                number = number * 10 + digit;
                self.characters.next();
                self.read += 1;
            }
            number
        }
    }

    pub fn sum(index: u32) -> [u32; 2] {
        let mut reader = Reader::new(&"12+3+40x7"[index as usize..]);
        let mut sum = reader.number();
        while reader.characters.next_if_eq(&'+').is_some() {
            sum += reader.number();
        }
        [sum, reader.read]
    }
}

#[kernel]
pub fn text_parts(y: &mut [[[u32; 8]; 3]], points: &mut [[u32; 2]], sums: &mut [[u32; 2]]) {
    let i = global_id(0);
    let index = i as u32;
    y[i] = [parts::by_characters(index), parts::by_text(index), parts::by_closures(index)];
    points[i] = parts::point(index);
    sums[i] = parts::sum(index);
}

pub fn cases() -> Vec<Case> {
    let indices: Vec<u32> = (0..8).collect();
    let y = map(&indices, |i| [parts::by_characters(i), parts::by_text(i), parts::by_closures(i)]);
    let (points, sums) = (map(&indices, parts::point), map(&indices, parts::sum));
    vec![Case::of(&TEXT_PARTS).output(&y).output(&points).output(&sums).items([8])]
}
