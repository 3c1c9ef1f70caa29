//! A configuration file of sections, keys and values, read line by line without a copy of its text.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod ini {
    use core::num::*;
    use core::str::{FromStr, Lines};

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Item<'a> {
        Section(&'a str),
        Pair { key: &'a str, value: &'a str },
        Blank,
    }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Error {
        NoValue { line: usize },
        OpenSection(usize),
        Missing,
        Number(ParseIntError),
    }

    impl From<ParseIntError> for Error {
        fn from(e: ParseIntError) -> Self {
            Error::Number(e)
        }
    }

    pub struct Parser<'a> {
        lines: Lines<'a>,
        number: usize,
    }

    impl<'a> Parser<'a> {
        pub fn new(text: &'a str) -> Self {
            Parser { lines: text.lines(), number: 0 }
        }
    }

    impl<'a> Iterator for Parser<'a> {
        type Item = Result<Item<'a>, Error>;

        fn next(&mut self) -> Option<Self::Item> {
            let line = self.lines.next()?;
            self.number += 1;
            let line = line.split(['#', ';']).next().unwrap_or("").trim();
            Some(if line.is_empty() {
                Ok(Item::Blank)
            } else if let Some(rest) = line.strip_prefix('[') {
                rest.strip_suffix(']').map(|s| Item::Section(s.trim())).ok_or(Error::OpenSection(self.number))
            } else {
                match line.split_once('=') {
                    Some((key, value)) => Ok(Item::Pair { key: key.trim_end(), value: value.trim_start() }),
                    None => Err(Error::NoValue { line: self.number }),
                }
            })
        }
    }

    /// The value of a key in a section; the last one counts.
    pub fn lookup<'a>(text: &'a str, section: &str, key: &str) -> Result<&'a str, Error> {
        let mut current = "";
        let mut found = Err(Error::Missing);
        for item in Parser::new(text) {
            match item? {
                Item::Section(name) => current = name,
                Item::Pair { key: k, value } if current == section && k.eq_ignore_ascii_case(key) => {
                    found = Ok(value)
                }
                _ => {}
            }
        }
        found
    }

    pub fn get<T>(text: &str, section: &str, key: &str) -> Result<T, Error>
    where
        T: FromStr,
        Error: From<T::Err>,
    {
        Ok(lookup(text, section, key)?.parse::<T>()?)
    }
}

#[device]
const FILES: [&str; 3] = [
    "; window\n[window]\nwidth = 800\nHeight=600 # pixels\n\n[ player ]\nlives=3\nlives = 5\n",
    "[window]\nwidth = 70000\nheight\n[player\nlives = 1",
    "lives = 9\n[player]\nlives = -2\n[window]\nwidth = 12x\n",
];

#[device]
pub fn program(seed: u32) -> [u32; 4] {
    use ini::{Error, Item, Parser};
    let text = FILES[seed as usize % FILES.len()];
    let code = |e: Error| match e {
        Error::NoValue { line } => 1000 + line as u32,
        Error::OpenSection(line) => 2000 + line as u32,
        Error::Missing => 3000,
        Error::Number(e) => match e.kind() {
            core::num::IntErrorKind::PosOverflow => 4001,
            core::num::IntErrorKind::InvalidDigit => 4002,
            _ => 4003,
        },
    };
    let width = ini::get::<u16>(text, "window", "width").map(u32::from).unwrap_or_else(code);
    let lives = ini::get::<i32>(text, "player", "LIVES").map_or_else(code, |n| n as u32);
    let pairs = Parser::new(text).filter(|item| matches!(item, Ok(Item::Pair { .. }))).count();
    let hash = Parser::new(text)
        .filter_map(Result::ok)
        .flat_map(|item| match item {
            Item::Section(s) => s.bytes(),
            Item::Pair { key, .. } => key.bytes(),
            Item::Blank => "".bytes(),
        })
        .fold(seed, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193));
    [width, lives, pairs as u32, hash]
}

#[kernel]
pub fn ini_files(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&INI_FILES, program)
}
