//! Morse code by tables of text.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod morse {
    const LETTERS: [&str; 26] = [
        ".-", "-...", "-.-.", "-..", ".", "..-.", "--.", "....", "..", ".---", "-.-", ".-..", "--", "-.",
        "---", ".--.", "--.-", ".-.", "...", "-", "..-", "...-", ".--", "-..-", "-.--", "--..",
    ];
    const DIGITS: &[&str] =
        &["-----", ".----", "..---", "...--", "....-", ".....", "-....", "--...", "---..", "----."];

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Error {
        Unknown(char),
        Full,
    }

    pub struct Buf<const N: usize> {
        bytes: [u8; N],
        len: usize,
    }

    impl<const N: usize> Default for Buf<N> {
        fn default() -> Self {
            Buf { bytes: [b' '; N], len: 0 }
        }
    }

    impl<const N: usize> Buf<N> {
        pub fn push_str(&mut self, s: &str) -> Result<&mut Self, Error> {
            let dst = self.bytes.get_mut(self.len..self.len + s.len()).ok_or(Error::Full)?;
            dst.copy_from_slice(s.as_bytes());
            self.len += s.len();
            Ok(self)
        }
        pub fn push(&mut self, c: char) -> Result<(), Error> {
            *self.bytes.get_mut(self.len).ok_or(Error::Full)? = c as u8;
            self.len += 1;
            Ok(())
        }
        pub fn as_bytes(&self) -> &[u8] {
            &self.bytes[..self.len]
        }
    }

    pub fn code(c: char) -> Option<&'static str> {
        match c.to_ascii_lowercase() {
            c @ 'a'..='z' => Some(LETTERS[(c as u8 - b'a') as usize]),
            c @ '0'..='9' => DIGITS.get(c.to_digit(10)? as usize).copied(),
            _ => None,
        }
    }

    pub fn encode<const N: usize>(text: &[u8], out: &mut Buf<N>) -> Result<(), Error> {
        for (i, word) in text.split(|&b| b == b' ').enumerate() {
            if i > 0 {
                out.push('/')?;
            }
            for &b in word {
                let c = char::from(b);
                out.push_str(code(c).ok_or(Error::Unknown(c))?)?.push(' ')?;
            }
        }
        Ok(())
    }

    pub fn decode(symbol: &[u8]) -> Option<char> {
        let find = |table: &[&str], first: u8| {
            table.iter().position(|s| s.as_bytes() == symbol).map(|i| (first + i as u8) as char)
        };
        find(&LETTERS, b'A').or_else(|| find(DIGITS, b'0'))
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    let mut text = *b"ab 19 z";
    text[(seed % 7) as usize] = (seed >> 8) as u8 & 0x7f;
    let mut out = morse::Buf::<40>::default();
    let status = match morse::encode(&text, &mut out) {
        Ok(()) => 0,
        Err(morse::Error::Unknown(c)) => c as u32,
        Err(morse::Error::Full) => 9999,
    };
    let mut hash = status;
    for symbol in out.as_bytes().split(|b| matches!(b, b' ' | b'/')).filter(|s| !s.is_empty()) {
        hash = hash.wrapping_mul(131) ^ morse::decode(symbol).map_or(0, u32::from);
    }
    hash ^ out.as_bytes().len() as u32
}

#[kernel]
pub fn morse(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    // Without its vectoriser (CL_CONFIG_CPU_VECTORIZER_MODE=1) all are right.
    super::case_of(&MORSE, |i| program(seed(i)))
        .wrong_on_intel_opencl("lose the results of some work-items by its vectoriser")
}
