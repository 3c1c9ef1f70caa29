//! Text of base 32 and 58, and identifiers that sort by time, in the manner of `ulid` and `bs58`.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::cmp::Ordering;
    use core::fmt;
    use core::str::{self, FromStr};

    pub const ULID_LEN: usize = 26;
    const NO_VALUE: u8 = 255;
    const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    const LOOKUP: [u8; 256] = {
        let mut lookup = [NO_VALUE; 256];
        let mut i = 0;
        while i < ALPHABET.len() {
            lookup[ALPHABET[i] as usize] = i as u8;
            lookup[ALPHABET[i].to_ascii_lowercase() as usize] = i as u8;
            i += 1;
        }
        lookup
    };

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum DecodeError {
        InvalidLength,
        InvalidChar,
    }

    impl fmt::Display for DecodeError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Result<(), fmt::Error> {
            let text = match *self {
                DecodeError::InvalidLength => "invalid length",
                DecodeError::InvalidChar => "invalid character",
            };
            write!(f, "{}", text)
        }
    }

    #[derive(Debug, Default, PartialOrd, Ord, PartialEq, Eq, Hash, Clone, Copy)]
    pub struct Ulid(pub u128);

    macro_rules! bitmask {
        ($len:expr) => {
            ((1 << $len) - 1)
        };
    }

    impl Ulid {
        pub const TIME_BITS: u8 = 48;
        pub const RAND_BITS: u8 = 80;

        pub const fn from_parts(timestamp_ms: u64, random: u128) -> Ulid {
            let time_part = timestamp_ms & bitmask!(Self::TIME_BITS);
            let rand_part = random & bitmask!(Self::RAND_BITS);
            Ulid((time_part as u128) << Self::RAND_BITS | rand_part)
        }

        pub const fn timestamp_ms(&self) -> u64 {
            (self.0 >> Self::RAND_BITS) as u64
        }

        pub const fn random(&self) -> u128 {
            self.0 & bitmask!(Self::RAND_BITS)
        }

        pub const fn nil() -> Ulid {
            Ulid(0)
        }

        pub const fn is_nil(&self) -> bool {
            self.0 == 0u128
        }

        pub const fn increment(&self) -> Option<Ulid> {
            const MAX_RANDOM: u128 = bitmask!(Ulid::RAND_BITS);
            if (self.0 & MAX_RANDOM) == MAX_RANDOM { None } else { Some(Ulid(self.0 + 1)) }
        }

        pub fn array_to_str<'buf>(&self, buf: &'buf mut [u8; ULID_LEN]) -> &'buf str {
            let mut value = self.0;
            for slot in buf.iter_mut().rev() {
                *slot = ALPHABET[(value & 0x1f) as usize];
                value >>= 5;
            }
            str::from_utf8(buf).expect("the alphabet is ASCII")
        }
    }

    impl FromStr for Ulid {
        type Err = DecodeError;

        fn from_str(encoded: &str) -> Result<Ulid, DecodeError> {
            if encoded.len() != ULID_LEN {
                return Err(DecodeError::InvalidLength);
            }
            let mut value: u128 = 0;
            for &b in encoded.as_bytes() {
                let val = LOOKUP[b as usize];
                if val != NO_VALUE {
                    value = (value << 5) | val as u128;
                } else {
                    return Err(DecodeError::InvalidChar);
                }
            }
            Ok(Ulid(value))
        }
    }

    impl From<Ulid> for (u64, u64) {
        fn from(u: Ulid) -> (u64, u64) {
            ((u.0 >> 64) as u64, (u.0 & bitmask!(64)) as u64)
        }
    }

    impl From<(u64, u64)> for Ulid {
        fn from((msb, lsb): (u64, u64)) -> Self {
            Ulid(u128::from(msb) << 64 | u128::from(lsb))
        }
    }

    pub struct Alphabet {
        encode: [u8; 58],
        decode: [u8; 128],
    }

    impl Alphabet {
        pub const BITCOIN: &'static Self =
            &Self::new(b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz");

        pub const fn new(base: &[u8; 58]) -> Self {
            let mut encode = [0x00; 58];
            let mut decode = [0xFF; 128];
            let mut i = 0;
            while i < encode.len() {
                assert!(base[i] < 128, "alphabet must be ASCII");
                encode[i] = base[i];
                decode[base[i] as usize] = i as u8;
                i += 1;
            }
            Self { encode, decode }
        }
    }

    pub fn encode_into<'o>(input: &[u8], output: &'o mut [u8], alpha: &Alphabet) -> Option<&'o str> {
        let mut index = 0;
        for &val in input {
            let mut carry = val as usize;
            for byte in &mut output[..index] {
                carry += (*byte as usize) << 8;
                *byte = (carry % 58) as u8;
                carry /= 58;
            }
            while carry > 0 {
                *output.get_mut(index)? = (carry % 58) as u8;
                index += 1;
                carry /= 58;
            }
        }
        for _ in input.iter().take_while(|v| **v == 0) {
            *output.get_mut(index)? = 0;
            index += 1;
        }
        for val in &mut output[..index] {
            *val = alpha.encode[*val as usize];
        }
        output[..index].reverse();
        str::from_utf8(&output[..index]).ok()
    }

    pub fn decode_into(input: &str, output: &mut [u8], alpha: &Alphabet) -> Result<usize, (usize, char)> {
        let mut index = 0;
        for (i, c) in input.chars().enumerate() {
            let mut val = match alpha.decode.get(c as usize) {
                Some(&v) if v != 0xFF => usize::from(v),
                _ => return Err((i, c)),
            };
            for byte in output[..index].iter_mut() {
                val += *byte as usize * 58;
                *byte = (val & 0xFF) as u8;
                val >>= 8;
            }
            while val > 0 {
                let byte = output.get_mut(index).ok_or((i, c))?;
                *byte = (val & 0xFF) as u8;
                index += 1;
                val >>= 8;
            }
        }
        let zeros = input.bytes().take_while(|&b| b == alpha.encode[0]).count();
        output[index..index + zeros].fill(0);
        output[..index + zeros].reverse();
        Ok(index + zeros)
    }

    pub fn run(i: u32) -> u64 {
        let ulid = Ulid::from_parts(
            1_469_918_176_385 + u64::from(i) * 977,
            (u128::from(i) << 65) ^ 0xDEAD_BEEF_u128 * u128::from(i),
        );
        let mut buf = [0; ULID_LEN];
        let text = ulid.array_to_str(&mut buf);
        let parsed = text.parse::<Ulid>();
        let next = ulid.increment().unwrap_or(Ulid::nil());
        let order = match next.cmp(&ulid) {
            Ordering::Less => 1,
            Ordering::Equal => 2,
            Ordering::Greater => 3,
        };
        let (hi, lo) = next.into();
        let same = Ulid::from((hi, lo)) == next;
        let wrong = "01AN4Z07BY79KA1307SR9X4MVU".parse::<Ulid>().err();
        let h = parsed.map_or(0, |p| p.timestamp_ms() ^ p.random() as u64);
        let raw = [0, (i >> 4) as u8, i as u8, 200, i as u8 ^ 77];
        let (mut out, mut back) = ([0; 16], [0; 8]);
        let base58 = encode_into(&raw[i as usize % 3..], &mut out, Alphabet::BITCOIN).unwrap_or("?");
        let restored = match decode_into(base58, &mut back, Alphabet::BITCOIN) {
            Ok(n) => (back[..n] == raw[i as usize % 3..]) as u64,
            Err((at, c)) => at as u64 * 256 + c as u64,
        };
        let bad = decode_into("3mJr0", &mut back, Alphabet::BITCOIN).unwrap_err();
        h ^ hi.rotate_left(3)
            ^ lo
            ^ order << 7
            ^ (same as u64) << 9
            ^ restored << 11
            ^ (bad.0 as u64) << 30
            ^ (wrong == Some(DecodeError::InvalidChar)) as u64
    }
}

#[kernel]
pub fn crockford(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&CROCKFORD, program::run)
}
