//! Native binaries: modules in a form that this driver takes again, and no other one.
//!
//! A binary is the module with the values of its specialization constants, since kernels are compiled when they are first asked for, and for sizes of
//! work-groups and processors that are known then. All numbers have the least byte first:
//!
//! | bytes | what |
//! |---|---|
//! | 16 | [`MAGIC`] |
//! | 4 | the version of this layout |
//! | 4 | how many constants have values |
//! | 8 | how many words the module has |
//! | 8 | a checksum of all that follows |
//! | 12 each | the constants: number, value |
//! | 4 each | the words |
//!
//! What is read is as hostile as any module: what the checksum is right for is still checked as SPIR-V is.

use crate::link::Input;
use std::collections::HashMap;

/// What a binary starts with.
const MAGIC: &[u8; 16] = b"kernel-cpu\0\0\0\0\0\n";

/// Another one for another layout.
pub(crate) const VERSION: u32 = 1;

const HEADER: usize = 40;
const CONSTANT: usize = 12;
const WORD: usize = 4;

/// The binary of a module.
pub(crate) fn encode(input: &Input) -> Vec<u8> {
    let mut constants: Vec<(u32, u64)> =
        input.specialization.iter().map(|(&id, &value)| (id, value)).collect();
    constants.sort_unstable();
    let mut body = Vec::with_capacity(constants.len() * CONSTANT + input.words.len() * WORD);
    for (id, value) in &constants {
        body.extend(id.to_le_bytes());
        body.extend(value.to_le_bytes());
    }
    input.words.iter().for_each(|word| body.extend(word.to_le_bytes()));
    let mut bytes = Vec::with_capacity(HEADER + body.len());
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((constants.len() as u32).to_le_bytes());
    bytes.extend((input.words.len() as u64).to_le_bytes());
    bytes.extend(checksum(&body).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// The module of a binary; the error says what is wrong with it.
pub(crate) fn decode(bytes: &[u8]) -> Result<Input, String> {
    let too_short = || format!("a native binary is longer than {} bytes", bytes.len());
    let (header, body) = bytes.split_at_checked(HEADER).ok_or_else(too_short)?;
    if !header.starts_with(MAGIC) {
        return Err("it is no native binary of this driver".into());
    }
    let version = number(&header[16..20]);
    if version != u64::from(VERSION) {
        return Err(format!("it is a native binary of version {version}, and this driver has {VERSION}"));
    }
    let [constants, words] = [number(&header[20..24]), number(&header[24..32])];
    // The least length that is wrong for any numbers is one that cannot be counted.
    let length = (constants as usize).saturating_mul(CONSTANT);
    let length = length.saturating_add(usize::try_from(words).unwrap_or(usize::MAX).saturating_mul(WORD));
    if length != body.len() {
        return Err(format!("the native binary should have {} bytes", HEADER.saturating_add(length)));
    }
    if checksum(body) != number(&header[32..]) {
        return Err("the native binary is damaged: its checksum is wrong".into());
    }
    let (constants, words) = body.split_at(constants as usize * CONSTANT);
    let constant = |bytes: &[u8; CONSTANT]| (number(&bytes[..4]) as u32, number(&bytes[4..]));
    let specialization: HashMap<u32, u64> = constants.as_chunks().0.iter().map(constant).collect();
    let words = words.as_chunks::<WORD>().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
    Ok(Input { words, specialization })
}

/// A number of at most eight bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// The hash of Fowler, Noll and Vo (FNV-1a): it finds damage, and promises nothing else.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input() -> Input {
        Input { words: vec![1, 2, 0x8000_0003], specialization: HashMap::from([(7, 1 << 40), (3, 5)]) }
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = encode(&input());
        assert_eq!(bytes.len(), HEADER + 2 * CONSTANT + 3 * WORD);
        let read = decode(&bytes).unwrap();
        assert_eq!((read.words, read.specialization), (input().words, input().specialization));
    }

    #[test]
    fn whatever_is_changed_is_noticed() {
        let bytes = encode(&input());
        for position in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[position] ^= 1 << bit;
                assert!(decode(&changed).is_err(), "bit {bit} of byte {position}");
            }
            assert!(decode(&bytes[..position]).is_err(), "the first {position} bytes");
        }
        let longer: Vec<u8> = bytes.iter().copied().chain([0]).collect();
        assert!(decode(&longer).is_err());
    }

    #[test]
    fn numbers_that_cannot_be_are_refused() {
        let mut bytes = encode(&input());
        bytes[20..24].fill(0xff);
        bytes[24..32].fill(0xff);
        assert!(decode(&bytes).unwrap_err().contains("should have"));
        bytes[24..32].copy_from_slice(&(u64::MAX / 4 + 2).to_le_bytes());
        assert!(decode(&bytes).is_err());
    }
}
