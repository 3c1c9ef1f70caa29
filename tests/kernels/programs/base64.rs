//! Base64, in the style of `base64`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod codec {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const PAD: u8 = b'=';

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum DecodeError {
        InvalidByte(usize, u8),
        InvalidLength,
        OutputTooSmall { needed: usize },
    }

    pub const fn encoded_len(n: usize) -> usize {
        n.div_ceil(3) * 4
    }

    pub fn encode<'a>(input: &[u8], out: &'a mut [u8]) -> Result<&'a [u8], DecodeError> {
        let needed = encoded_len(input.len());
        let out = out.get_mut(..needed).ok_or(DecodeError::OutputTooSmall { needed })?;
        for (chunk, quad) in input.chunks(3).zip(out.chunks_exact_mut(4)) {
            let b = match *chunk {
                [a, b, c] => u32::from_be_bytes([0, a, b, c]),
                [a, b] => u32::from_be_bytes([0, a, b, 0]),
                [a] => u32::from_be_bytes([0, a, 0, 0]),
                _ => unreachable!(),
            };
            for (i, q) in quad.iter_mut().enumerate() {
                *q = if i <= chunk.len() { ALPHABET[(b >> (18 - 6 * i)) as usize & 0x3f] } else { PAD };
            }
        }
        Ok(out)
    }

    fn value(pos: usize, byte: u8) -> Result<u8, DecodeError> {
        Ok(match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return Err(DecodeError::InvalidByte(pos, byte)),
        })
    }

    pub fn decode(input: &[u8], out: &mut [u8]) -> Result<usize, DecodeError> {
        if input.len() % 4 != 0 {
            return Err(DecodeError::InvalidLength);
        }
        let trimmed = match input {
            [rest @ .., b'=', b'='] | [rest @ .., b'='] => rest,
            all => all,
        };
        let mut acc = 0u32;
        let mut bits = 0;
        let mut written = 0;
        for (pos, &byte) in trimmed.iter().enumerate() {
            acc = acc << 6 | u32::from(value(pos, byte)?);
            bits += 6;
            if bits >= 8 {
                bits -= 8;
                *out.get_mut(written).ok_or(DecodeError::OutputTooSmall { needed: written + 1 })? =
                    (acc >> bits) as u8;
                written += 1;
            }
        }
        Ok(written)
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    let bytes = seed.to_le_bytes();
    let n = (seed % 5) as usize;
    let mut text = [0u8; 12];
    let mut back = [0u8; 8];
    let encoded = match codec::encode(&bytes[..n], &mut text) {
        Ok(e) => e,
        Err(_) => return 1,
    };
    let mut hash = encoded.iter().fold(0u32, |h, &b| h.wrapping_mul(31) + b as u32 % 31);
    match codec::decode(encoded, &mut back) {
        Ok(len) if back[..len] == bytes[..n] => hash ^= 0x5555,
        Ok(len) => hash += len as u32,
        Err(codec::DecodeError::InvalidByte(pos, b)) => hash = pos as u32 + b as u32,
        Err(e) => hash = (e == codec::DecodeError::InvalidLength) as u32,
    }
    if let Err(codec::DecodeError::InvalidByte(p, b)) = codec::decode(b"ab!d", &mut back) {
        hash = hash.rotate_left(p as u32) ^ b as u32;
    }
    hash
}

#[kernel]
pub fn base64(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&BASE64, |i| program(seed(i)))
}
