//! Names by their sound: Soundex, the codes of Cologne, and an index of names by a code.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod phonetics {
    use core::borrow::Borrow;
    use core::fmt;
    use core::hash::{Hash, Hasher};
    use core::str::{Chars, FromStr};

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub struct Soundex([u8; 4]);

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum CodeError {
        Empty,
        NotALetter(char),
    }

    impl fmt::Display for CodeError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match *self {
                Self::Empty => "no letters".fmt(f),
                Self::NotALetter(c) => write!(f, "{c:?} is no letter"),
            }
        }
    }

    impl core::error::Error for CodeError {}

    fn digit(letter: u8) -> Option<u8> {
        Some(match letter.to_ascii_uppercase() {
            b'B' | b'F' | b'P' | b'V' => b'1',
            b'C' | b'G' | b'J' | b'K' | b'Q' | b'S' | b'X' | b'Z' => b'2',
            b'D' | b'T' => b'3',
            b'L' => b'4',
            b'M' | b'N' => b'5',
            b'R' => b'6',
            _ => return None,
        })
    }

    impl FromStr for Soundex {
        type Err = CodeError;

        fn from_str(name: &str) -> Result<Self, Self::Err> {
            if let Some(c) = name.chars().find(|c| !c.is_ascii_alphabetic()) {
                return Err(CodeError::NotALetter(c));
            }
            let mut letters = name.bytes();
            let first = letters.next().ok_or(CodeError::Empty)?;
            let mut code = [first.to_ascii_uppercase(), b'0', b'0', b'0'];
            let mut slots = code[1..].iter_mut();
            let mut last = digit(first);
            for letter in letters {
                match (letter.to_ascii_lowercase(), digit(letter)) {
                    (b'h' | b'w', _) => {}
                    (_, None) => last = None,
                    (_, Some(next)) => {
                        if last.replace(next) != Some(next) {
                            match slots.next() {
                                Some(slot) => *slot = next,
                                None => break,
                            }
                        }
                    }
                }
            }
            Ok(Soundex(code))
        }
    }

    impl Soundex {
        pub fn from_str_or(name: &str, other: &str) -> Self {
            name.parse().or_else(|_| other.parse()).unwrap()
        }
    }

    impl AsRef<str> for Soundex {
        fn as_ref(&self) -> &str {
            core::str::from_utf8(&self.0).unwrap()
        }
    }

    impl Borrow<[u8]> for Soundex {
        fn borrow(&self) -> &[u8] {
            &self.0
        }
    }

    /// The digits of a name by the rules of Cologne, one after the other.
    #[derive(Clone)]
    pub struct Cologne<'a> {
        rest: core::iter::Peekable<Chars<'a>>,
        before: Option<char>,
        pending: Option<char>,
        last: Option<char>,
        is_first: bool,
    }

    impl<'a> Cologne<'a> {
        pub fn new(name: &'a str) -> Self {
            Self { rest: name.chars().peekable(), before: None, pending: None, last: None, is_first: true }
        }

        fn code(&mut self, letter: char) -> Option<char> {
            let next = self.rest.peek().map(|c| c.to_ascii_lowercase());
            let code = match letter {
                'a' | 'e' | 'i' | 'j' | 'o' | 'u' | 'y' => '0',
                'ä' | 'ö' | 'ü' => '0',
                'b' => '1',
                'p' => {
                    if next == Some('h') {
                        '3'
                    } else {
                        '1'
                    }
                }
                'd' | 't' => match next {
                    Some('c' | 's' | 'z') => '8',
                    _ => '2',
                },
                'f' | 'v' | 'w' => '3',
                'g' | 'k' | 'q' => '4',
                'c' => {
                    let hard = if self.before.is_none() { "ahkloqrux" } else { "ahkoqux" };
                    let is_hard = next.is_some_and(|n| hard.contains(n));
                    let is_soft = matches!(self.before, Some('s' | 'z'));
                    if is_hard && !is_soft { '4' } else { '8' }
                }
                'x' => {
                    if !matches!(self.before, Some('c' | 'k' | 'q')) {
                        self.pending = Some('8');
                        '4'
                    } else {
                        '8'
                    }
                }
                'l' => '5',
                'm' | 'n' => '6',
                'r' => '7',
                's' | 'z' | 'ß' => '8',
                _ => return None,
            };
            Some(code)
        }
    }

    impl Iterator for Cologne<'_> {
        type Item = char;

        fn next(&mut self) -> Option<char> {
            loop {
                let code = match self.pending.take() {
                    Some(code) => Some(code),
                    None => {
                        let letter = self.rest.next()?.to_ascii_lowercase();
                        let code = self.code(letter);
                        self.before = Some(letter);
                        code
                    }
                };
                let Some(code) = code else { continue };
                if self.last.replace(code) == Some(code) {
                    continue;
                }
                if code != '0' || core::mem::take(&mut self.is_first) {
                    self.is_first = false;
                    return Some(code);
                }
            }
        }
    }

    #[derive(Default)]
    pub struct Fnv(u64);

    impl Hasher for Fnv {
        fn finish(&self) -> u64 {
            self.0
        }

        fn write(&mut self, bytes: &[u8]) {
            for b in bytes {
                self.0 = (self.0 ^ *b as u64).wrapping_mul(0x100000001b3);
            }
        }
    }

    /// Names by their codes.
    pub struct Index<'a, const N: usize> {
        slots: [Option<(Soundex, &'a str)>; N],
    }

    impl<'a, const N: usize> Index<'a, N> {
        fn start(code: Soundex) -> usize {
            let mut hasher = Fnv(0xcbf29ce484222325);
            code.hash(&mut hasher);
            (hasher.finish() % N as u64) as usize
        }

        pub fn lookup<'s>(&'s self, code: Soundex) -> impl Iterator<Item = &'a str> + 's {
            (0..N)
                .map(move |i| self.slots[(Self::start(code) + i) % N])
                .map_while(|slot| slot)
                .filter(move |(other, _)| *other == code)
                .map(|(_, name)| name)
        }

        pub fn insert(&mut self, name: &'a str) -> Result<bool, CodeError> {
            let code: Soundex = name.parse()?;
            let start = Self::start(code);
            let free = (0..N).map(|i| (start + i) % N).find(|&at| self.slots[at].is_none());
            if let Some(at) = free {
                self.slots[at] = Some((code, name));
            }
            Ok(free.is_some())
        }
    }

    impl<'a, const N: usize> FromIterator<&'a str> for Index<'a, N> {
        fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
            let mut index = Index { slots: [None; N] };
            index.extend(names);
            index
        }
    }

    impl<'a, const N: usize> Extend<&'a str> for Index<'a, N> {
        fn extend<I: IntoIterator<Item = &'a str>>(&mut self, names: I) {
            names.into_iter().for_each(|name| {
                let _ = self.insert(name);
            });
        }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 5] {
    use core::borrow::Borrow;
    use phonetics::{CodeError, Cologne, Index, Soundex};
    const NAMES: [&str; 10] =
        ["Robert", "Rupert", "Ashcraft", "Ashcroft", "Tymczak", "Pfister", "Honeyman", "Rubin", "O'Hara", ""];
    const GERMAN: [&str; 6] =
        ["Müller-Lüdenscheidt", "Wikipedia", "Breschnew", "Xaver", "Philipp", "Schmidt"];
    let name = NAMES[seed as usize % NAMES.len()];
    let code = match name.parse::<Soundex>() {
        Ok(code) => {
            let bytes: &[u8] = code.borrow();
            bytes.iter().fold(0, |n, b| n << 8 | u32::from(*b))
        }
        Err(CodeError::Empty) => 1,
        Err(CodeError::NotALetter(c)) => 2 + c as u32,
    };
    let german = GERMAN[(seed >> 5) as usize % GERMAN.len()];
    let digits = Cologne::new(german);
    let length = digits.clone().count();
    let number =
        digits.filter_map(|c| c.to_digit(10)).fold(0, |n: u32, d| n.wrapping_mul(10).wrapping_add(d));
    let mut index: Index<'_, 12> = NAMES.iter().copied().skip(seed as usize % 3).collect();
    index.extend(["Lloyd", "Ladd"]);
    let near = "Rupert".parse::<Soundex>().map(|code| index.lookup(code).map(str::len).sum::<usize>());
    let first = Soundex::from_str_or(name, "Smith").as_ref().bytes().next().map_or(0, u32::from);
    [code, number, length as u32, near.unwrap_or(0) as u32, first]
}

#[kernel]
pub fn phonetic_codes(seeds: &[u32], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&PHONETIC_CODES, program)
}
