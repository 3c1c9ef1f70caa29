//! Hexadecimal text and runs of equal items, in the style of `hex` and `itertools`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod hex {
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum FromHexError {
        InvalidHexCharacter { c: char, index: usize },
        OddLength,
        InvalidStringLength,
    }

    const HEX_CHARS_LOWER: &[u8; 16] = b"0123456789abcdef";

    fn val(c: u8, idx: usize) -> Result<u8, FromHexError> {
        match c {
            b'A'..=b'F' => Ok(c - b'A' + 10),
            b'a'..=b'f' => Ok(c - b'a' + 10),
            b'0'..=b'9' => Ok(c - b'0'),
            _ => Err(FromHexError::InvalidHexCharacter { c: c as char, index: idx }),
        }
    }

    fn byte2hex(byte: u8, table: &[u8; 16]) -> (u8, u8) {
        let high = table[((byte & 0xf0) >> 4) as usize];
        let low = table[(byte & 0x0f) as usize];
        (high, low)
    }

    pub fn encode_to_slice<T: AsRef<[u8]>>(input: T, output: &mut [u8]) -> Result<(), FromHexError> {
        if input.as_ref().len() * 2 != output.len() {
            return Err(FromHexError::InvalidStringLength);
        }
        for (byte, (i, j)) in input.as_ref().iter().zip(generate_iter(input.as_ref().len() * 2)) {
            let (high, low) = byte2hex(*byte, HEX_CHARS_LOWER);
            output[i] = high;
            output[j] = low;
        }
        Ok(())
    }

    fn generate_iter(len: usize) -> impl Iterator<Item = (usize, usize)> {
        (0..len).step_by(2).zip((0..len).skip(1).step_by(2))
    }

    pub fn decode_to_slice<T: AsRef<[u8]>>(data: T, out: &mut [u8]) -> Result<(), FromHexError> {
        let data = data.as_ref();
        if data.len() % 2 != 0 {
            return Err(FromHexError::OddLength);
        }
        if data.len() / 2 != out.len() {
            return Err(FromHexError::InvalidStringLength);
        }
        for (i, byte) in out.iter_mut().enumerate() {
            *byte = val(data[2 * i], 2 * i)? << 4 | val(data[2 * i + 1], 2 * i + 1)?;
        }
        Ok(())
    }
}

#[device]
mod rle {
    /// Yields (value, length) of each run.
    pub struct Runs<'a, T> {
        rest: &'a [T],
    }

    pub fn runs<T: PartialEq>(items: &[T]) -> Runs<'_, T> {
        Runs { rest: items }
    }

    impl<'a, T: PartialEq> Iterator for Runs<'a, T> {
        type Item = (&'a T, usize);

        fn next(&mut self) -> Option<Self::Item> {
            let first = self.rest.first()?;
            let n = self.rest.iter().take_while(|&x| x == first).count();
            self.rest = &self.rest[n..];
            Some((first, n))
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    let mut text = [0u8; 8];
    hex::encode_to_slice(seed.to_be_bytes(), &mut text).unwrap();
    let mut hash = 0u32;
    for (value, len) in rle::runs(&text) {
        hash = hash.wrapping_mul(37).wrapping_add(*value as u32 * len as u32);
    }
    let longest = rle::runs(&text[..]).map(|(_, n)| n).max().unwrap_or(0);
    let most = rle::runs(&text).max_by_key(|run| run.1).map(|(&v, _)| v).unwrap();
    let mut back = [0; 4];
    let same = hex::decode_to_slice(&text, &mut back).is_ok() && back == seed.to_be_bytes();
    text[(seed % 8) as usize] = b'x';
    let wrong = match hex::decode_to_slice(&text[..], &mut back) {
        Err(hex::FromHexError::InvalidHexCharacter { c: 'x', index }) => index as u32,
        Err(_) => 100,
        Ok(()) => 200,
    };
    hash ^ (longest as u32) << 20 ^ (most as u32) << 12 ^ wrong << 4 ^ same as u32
}

#[kernel]
pub fn hex_runs(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&HEX_RUNS, |i| program(seed(i)))
}
