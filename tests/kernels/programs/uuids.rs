//! Universally unique identifiers: parsed, shown and made of names.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::fmt::{self, Write};

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    #[repr(transparent)]
    pub struct Uuid([u8; 16]);

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Variant {
        Ncs,
        Rfc4122,
        Microsoft,
        Future,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub enum Error {
        Length(usize),
        Group { group: usize, len: usize },
        Char { character: char, index: usize },
    }

    impl Uuid {
        pub const NIL: Self = Uuid([0; 16]);

        pub const fn from_u128(v: u128) -> Self {
            Uuid(v.to_be_bytes())
        }

        pub const fn as_u128(&self) -> u128 {
            u128::from_be_bytes(self.0)
        }

        pub fn from_fields(d1: u32, d2: u16, d3: u16, d4: &[u8; 8]) -> Self {
            let mut bytes = [0; 16];
            bytes[..4].copy_from_slice(&d1.to_be_bytes());
            bytes[4..6].copy_from_slice(&d2.to_be_bytes());
            bytes[6..8].copy_from_slice(&d3.to_be_bytes());
            bytes[8..].copy_from_slice(d4);
            Uuid(bytes)
        }

        pub fn version(&self) -> usize {
            (self.0[6] >> 4) as usize
        }

        pub fn variant(&self) -> Variant {
            match self.0[8] {
                x if x & 0x80 == 0x00 => Variant::Ncs,
                x if x & 0xc0 == 0x80 => Variant::Rfc4122,
                x if x & 0xe0 == 0xc0 => Variant::Microsoft,
                _ => Variant::Future,
            }
        }

        pub fn with_version(mut self, version: u8) -> Self {
            self.0[6] = (self.0[6] & 0x0f) | (version << 4);
            self.0[8] = (self.0[8] & 0x3f) | 0x80;
            self
        }

        pub fn is_nil(&self) -> bool {
            *self == Self::NIL
        }

        pub fn parse_str(input: &str) -> Result<Self, Error> {
            let input = input.strip_prefix("urn:uuid:").unwrap_or(input);
            let input = match input.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
                Some(inner) => inner,
                None => input,
            };
            if input.len() != 36 && input.len() != 32 {
                return Err(Error::Length(input.len()));
            }
            let mut bytes = [0u8; 16];
            let mut nibbles = 0;
            for (index, character) in input.char_indices() {
                if character == '-' && matches!(index, 8 | 13 | 18 | 23) {
                    continue;
                }
                let digit = character.to_digit(16).ok_or(Error::Char { character, index })?;
                if let Some(byte) = bytes.get_mut(nibbles / 2) {
                    *byte = *byte << 4 | digit as u8;
                }
                nibbles += 1;
            }
            if input.len() == 36 {
                for (group, (text, len)) in input.split('-').zip([8, 4, 4, 4, 12]).enumerate() {
                    if text.len() != len {
                        return Err(Error::Group { group, len: text.len() });
                    }
                }
            }
            if nibbles != 32 { Err(Error::Length(nibbles)) } else { Ok(Uuid(bytes)) }
        }
    }

    impl fmt::Display for Uuid {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            fmt::LowerHex::fmt(self, f)
        }
    }

    impl fmt::LowerHex for Uuid {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            for (i, byte) in self.0.iter().enumerate() {
                if matches!(i, 4 | 6 | 8 | 10) && !f.alternate() {
                    f.write_char('-')?;
                }
                write!(f, "{byte:02x}")?;
            }
            Ok(())
        }
    }

    impl From<Uuid> for u128 {
        fn from(uuid: Uuid) -> u128 {
            uuid.as_u128()
        }
    }

    impl AsRef<[u8]> for Uuid {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }

    struct Buffer {
        bytes: [u8; 48],
        len: usize,
    }

    impl Buffer {
        fn as_str(&self) -> &str {
            core::str::from_utf8(&self.bytes[..self.len]).unwrap_or("?")
        }
    }

    impl fmt::Write for Buffer {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            let end = self.len + s.len();
            self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(s.as_bytes());
            self.len = end;
            Ok(())
        }
    }

    const TEXTS: [&str; 6] = [
        "67e55044-10b1-426f-9247-bb680e5fe0c8",
        "{F9168C5E-CEB2-4faa-B6BF-329BF39FA1E4}",
        "urn:uuid:6ba7b8109dad11d180b400c04fd430c8",
        "67e5504410b1426f9247bb680e5fe0c",
        "67e55044-10b1-426f-9247-bb680e5fz0c8",
        "67e5504-410b1-426f-9247-bb680e5fe0c8",
    ];

    pub fn run(seed: u32) -> [u32; 9] {
        let random =
            Uuid::from_u128(u128::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835))
                .with_version(4);
        let mut buffer = Buffer { bytes: [0; 48], len: 0 };
        let written = write!(buffer, "{{{random}}}").is_ok();
        let again = Uuid::parse_str(buffer.as_str());
        let mut plain = Buffer { bytes: [0; 48], len: 0 };
        let _ = write!(plain, "{random:#x}");
        let full = write!(plain, "{random}").is_err();
        let parsed = Uuid::parse_str(TEXTS[(seed % 6) as usize]);
        let (code, value) = match parsed {
            Ok(uuid) => (uuid.version() as u32 * 8 + uuid.variant() as u32, uuid.as_u128() as u32),
            Err(Error::Length(len)) => (100, len as u32),
            Err(Error::Group { group, len }) => (200 + group as u32, len as u32),
            Err(Error::Char { character, index }) => (300 + index as u32, character as u32),
        };
        let fields = Uuid::from_fields(seed, 7, seed as u16, b"\x81bcdefg\xff");
        let sum =
            |bytes: &[u8]| bytes.iter().fold(0u32, |h, b| h.wrapping_mul(131).wrapping_add(u32::from(*b)));
        [
            sum(buffer.as_str().as_bytes()),
            plain.len as u32 + sum(&plain.bytes[..8]),
            (again == Ok(random)) as u32 + written as u32 * 2 + full as u32 * 4,
            code,
            value,
            sum(fields.as_ref()),
            (u128::from(fields) >> 64) as u32,
            random.max(fields).is_nil() as u32 + (random < fields) as u32 * 2,
            random.variant() as u32 * 16 + random.version() as u32,
        ]
    }
}

#[kernel]
pub fn uuids_parsed(seeds: &[u32], y: &mut [[u32; 9]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&UUIDS_PARSED, program::run)
}
