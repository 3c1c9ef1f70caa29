//! Roman numerals, read by `FromStr`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod roman {
    use core::str::FromStr;

    #[derive(Debug, PartialEq, Eq, Clone, Copy, PartialOrd, Ord)]
    pub struct Roman(u16);

    #[derive(Debug, PartialEq, Eq, Clone, Copy)]
    pub enum ParseRomanError {
        Empty,
        InvalidDigit(char),
        OutOfRange,
    }

    const TABLE: [(u16, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];

    impl Roman {
        pub const MAX: Roman = Roman(3999);

        pub fn new(value: u16) -> Option<Roman> {
            match value {
                1..=3999 => Some(Roman(value)),
                _ => None,
            }
        }

        pub fn get(self) -> u16 {
            self.0
        }

        pub fn encode<'a>(self, out: &'a mut [u8; 16]) -> &'a [u8] {
            let mut rest = self.0;
            let mut len = 0;
            for &(value, letters) in &TABLE {
                while rest >= value {
                    for b in letters.bytes() {
                        out[len] = b;
                        len += 1;
                    }
                    rest -= value;
                }
            }
            &out[..len]
        }
    }

    fn digit(c: char) -> Result<u16, ParseRomanError> {
        Ok(match c.to_ascii_uppercase() {
            'I' => 1,
            'V' => 5,
            'X' => 10,
            'L' => 50,
            'C' => 100,
            'D' => 500,
            'M' => 1000,
            _ => return Err(ParseRomanError::InvalidDigit(c)),
        })
    }

    impl FromStr for Roman {
        type Err = ParseRomanError;

        fn from_str(s: &str) -> Result<Self, Self::Err> {
            if s.is_empty() {
                return Err(ParseRomanError::Empty);
            }
            let mut total = 0u16;
            let mut chars = s.chars().peekable();
            while let Some(c) = chars.next() {
                let value = digit(c)?;
                let next = chars.peek().copied().map(digit).transpose()?.unwrap_or(0);
                if value < next {
                    total = total.wrapping_sub(value);
                } else {
                    total = total.wrapping_add(value);
                }
            }
            Roman::new(total).ok_or(ParseRomanError::OutOfRange)
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use roman::{ParseRomanError, Roman};
    const TEXTS: [&str; 6] = ["MCMXCIV", "xlii", "", "IIX", "ABC", "MMXXIV"];
    let text = TEXTS[seed as usize % TEXTS.len()];
    let parsed = match text.parse::<Roman>() {
        Ok(roman) => roman.get() as u32,
        Err(ParseRomanError::Empty) => 100_000,
        Err(ParseRomanError::InvalidDigit(c)) => 200_000 + c as u32,
        Err(ParseRomanError::OutOfRange) => 300_000,
    };
    let mut out = [0; 16];
    let number = Roman::new((seed >> 3) as u16 % 4100).unwrap_or(Roman::MAX);
    let bytes = number.encode(&mut out);
    bytes.iter().fold(parsed, |h, &b| h.wrapping_mul(31).wrapping_add(b.into()))
}

#[kernel]
pub fn roman(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&ROMAN, |i| program(seed(i)))
}
