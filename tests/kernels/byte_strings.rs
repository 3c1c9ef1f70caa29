//! Byte strings, as values and as patterns; constants that are references; and slices as arrays.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod text {
    //! Letters and digits.

    use std::array::TryFromSliceError;

    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    pub const HEX: &[u8] = b"0123456789abcdef";
    const PRIMES: &[u32] = &[2, 3, 5, 7, 11, 13];
    pub const ODD: &'static [u32] = PRIMES;
    const CORNERS: &[(i8, f32)] = &[(-1, 0.5), (1, 0.25), (3, 8.0)];
    pub const ORIGIN: &(i8, f32) = &(7, 1.5);

    pub struct Digits;

    impl Digits {
        pub const DECIMAL: &[u8] = b"0123456789";
    }

    pub fn base64(input: [u8; 3]) -> [u8; 4] {
        let n = u32::from(input[0]) << 16 | u32::from(input[1]) << 8 | u32::from(input[2]);
        let mut out = *b"====";
        for (k, o) in out.iter_mut().enumerate() {
            *o = ALPHABET[(n >> (18 - 6 * k) & 63) as usize];
        }
        out
    }

    pub fn prime(n: usize) -> u32 {
        PRIMES.get(n).copied().unwrap_or(PRIMES.len() as u32)
    }

    pub fn corners(x: f32) -> f32 {
        let mut sum = 0.0;
        for (sign, weight) in CORNERS {
            sum += f32::from(*sign) * weight * x;
        }
        sum + CORNERS[1].1
    }

    /// What a word is, by its first letters.
    pub fn kind(word: &[u8]) -> u32 {
        match word {
            b"let" => 1,
            b"if" | b"else" => 2,
            [b'0'..=b'9', ..] => 3,
            [first, ..] if b"+-*/".contains(first) => 4,
            _ => 5,
        }
    }

    static WORDS: [&[u8]; 3] = [b"let", b"", b"7up"];

    /// The letters of all words, which are counted in an array with a place for each.
    pub fn letters() -> u32 {
        let mut lengths = [0; WORDS.len()];
        let mut copied = [9; WORDS.len()];
        for (length, word) in lengths.iter_mut().zip(&WORDS) {
            *length = word.len() as u32;
        }
        copied.clone_from(&lengths);
        copied.map(Some).into_iter().map(Option::unwrap).sum::<u32>() * 10 + kind(b"")
    }

    pub fn word(bytes: &[u8]) -> Result<u32, TryFromSliceError> {
        let array: [u8; 4] = bytes.try_into()?;
        Ok(u32::from_le_bytes(array))
    }
}

#[device]
fn described(seed: u8) -> [u32; 8] {
    const KEY: &[u8; 4] = b"key!";
    let at = usize::from(seed);
    let bytes = [seed, seed ^ 0x55, b'\n', 0xff, 7];
    let encoded = text::base64(bytes[1..4].try_into().unwrap());
    let mut kinds = text::kind(b"let") + text::kind(b"if") * 10 + text::kind(b"else") * 100;
    kinds += text::kind(b"7up") * 1000 + text::kind(b"+") * 10_000 + text::kind(&bytes) * 100_000;
    [
        u32::from_be_bytes(encoded),
        u32::from(text::HEX[at % 16]) + text::HEX.len() as u32 + text::letters(),
        text::prime(at % 8) * 100 + text::ODD[at % 6],
        text::corners(at as f32).to_bits(),
        kinds,
        u32::from(KEY[at % 4]) + u32::from(KEY == b"key!") + u32::from(text::Digits::DECIMAL[at % 10]),
        text::word(&bytes[..4]).unwrap_or(0) ^ u32::from(text::word(&bytes).is_err()),
        (text::ORIGIN.0 as u32)
            + text::ORIGIN.1.to_bits()
            + <[u8; 2]>::try_from(&bytes[..2]).map_or(9, |[a, _]| a.into()),
    ]
}

#[kernel]
pub fn byte_strings(x: &[u8], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = described(x[i]);
}

/// A slice of another length is an error that says what it is.
#[kernel]
pub fn wrong_length(x: &[u8], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = u32::from_le_bytes(x[i..].try_into().unwrap());
}

pub fn cases() -> Vec<Case> {
    use super::case::ExpectedFault;
    use kernel_runtime::FaultKind;
    let x = [0_u8, 3, 4, 8, 9, 255];
    vec![
        Case::of(&BYTE_STRINGS).input(&x).output(&map(&x, described)).items([x.len()]),
        Case::of(&WRONG_LENGTH)
            .input(&[1_u8, 2, 3, 4, 5, 6])
            .output(&[0_u32, 0, 0x0605_0403])
            .unwritten([0, 1])
            .items([3])
            .faults(ExpectedFault::new(FaultKind::UnwrapErr).count(2).at("unwrap()")),
    ]
}
