//! A reader of DER, the encoding of certificates: tags, definite lengths, integers, identifiers and sequences.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod der {
    use core::convert::TryFrom;
    use core::fmt;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Tag {
        Boolean,
        Integer,
        BitString,
        OctetString,
        Null,
        ObjectIdentifier,
        Utf8String,
        Sequence,
        Set,
        ContextSpecific { number: u8, constructed: bool },
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ErrorKind {
        Incomplete { needed: usize, actual: usize },
        TagUnknown { byte: u8 },
        TagUnexpected { expected: Tag, actual: Tag },
        Noncanonical,
        Length,
        TrailingData { remaining: usize },
        Value(Tag),
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Error {
        pub kind: ErrorKind,
        pub position: usize,
    }

    pub type Result<T, E = Error> = core::result::Result<T, E>;

    impl fmt::Display for Error {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self.kind {
                ErrorKind::Incomplete { needed, actual } => {
                    write!(f, "needed {needed} bytes, have {actual}")?
                }
                ErrorKind::TagUnknown { byte } => write!(f, "unknown tag {byte:#04x}")?,
                ErrorKind::TagUnexpected { .. } => f.write_str("unexpected tag")?,
                ErrorKind::TrailingData { remaining } => write!(f, "{remaining} bytes too many")?,
                ErrorKind::Noncanonical | ErrorKind::Length | ErrorKind::Value(_) => {
                    f.write_str("bad value")?
                }
            }
            write!(f, " at {}", self.position)
        }
    }

    impl TryFrom<u8> for Tag {
        type Error = ErrorKind;

        fn try_from(byte: u8) -> Result<Tag, ErrorKind> {
            let constructed = byte & 0x20 != 0;
            Ok(match byte {
                0x01 => Tag::Boolean,
                0x02 => Tag::Integer,
                0x03 => Tag::BitString,
                0x04 => Tag::OctetString,
                0x05 => Tag::Null,
                0x06 => Tag::ObjectIdentifier,
                0x0c => Tag::Utf8String,
                0x30 => Tag::Sequence,
                0x31 => Tag::Set,
                b if b >> 6 == 0b10 && b & 0x1f < 0x1f => {
                    Tag::ContextSpecific { number: b & 0x1f, constructed }
                }
                byte => return Err(ErrorKind::TagUnknown { byte }),
            })
        }
    }

    #[derive(Clone)]
    pub struct Reader<'a> {
        bytes: &'a [u8],
        position: usize,
    }

    pub trait Decode<'a>: Sized {
        fn decode(reader: &mut Reader<'a>) -> Result<Self>;

        fn from_der(bytes: &'a [u8]) -> Result<Self> {
            let mut reader = Reader::new(bytes);
            let value = Self::decode(&mut reader)?;
            reader.finish(value)
        }
    }

    impl<'a> Reader<'a> {
        pub fn new(bytes: &'a [u8]) -> Self {
            Self { bytes, position: 0 }
        }

        pub fn error(&self, kind: ErrorKind) -> Error {
            Error { kind, position: self.position }
        }

        pub fn remaining(&self) -> &'a [u8] {
            &self.bytes[self.position..]
        }

        pub fn is_finished(&self) -> bool {
            self.remaining().is_empty()
        }

        pub fn finish<T>(self, value: T) -> Result<T> {
            match self.remaining().len() {
                0 => Ok(value),
                remaining => Err(self.error(ErrorKind::TrailingData { remaining })),
            }
        }

        pub fn slice(&mut self, len: usize) -> Result<&'a [u8]> {
            let rest = self.remaining();
            let slice = rest
                .get(..len)
                .ok_or_else(|| self.error(ErrorKind::Incomplete { needed: len, actual: rest.len() }))?;
            self.position += len;
            Ok(slice)
        }

        pub fn byte(&mut self) -> Result<u8> {
            self.slice(1).map(|s| s[0])
        }

        fn length(&mut self) -> Result<usize> {
            match self.byte()? {
                short @ ..=0x7f => Ok(short.into()),
                0x81 => match self.byte()? {
                    long @ 0x80.. => Ok(long.into()),
                    _ => Err(self.error(ErrorKind::Noncanonical)),
                },
                0x82 => {
                    let bytes: [u8; 2] =
                        self.slice(2)?.try_into().map_err(|_| self.error(ErrorKind::Length))?;
                    Ok(u16::from_be_bytes(bytes).into())
                }
                _ => Err(self.error(ErrorKind::Length)),
            }
        }

        pub fn any(&mut self) -> Result<(Tag, &'a [u8])> {
            let byte = self.byte()?;
            let tag = Tag::try_from(byte).map_err(|kind| self.error(kind))?;
            let len = self.length()?;
            Ok((tag, self.slice(len)?))
        }

        pub fn expect(&mut self, expected: Tag) -> Result<&'a [u8]> {
            match self.any()? {
                (tag, value) if tag == expected => Ok(value),
                (actual, _) => Err(self.error(ErrorKind::TagUnexpected { expected, actual })),
            }
        }

        pub fn sequence<T>(&mut self, read: impl FnOnce(&mut Reader<'a>) -> Result<T>) -> Result<T> {
            let mut inner = Reader::new(self.expect(Tag::Sequence)?);
            let value = read(&mut inner)?;
            inner.finish(value)
        }

        pub fn optional<T: Decode<'a>>(&mut self) -> Option<T> {
            let saved = self.clone();
            let value = T::decode(self);
            if value.is_err() {
                *self = saved;
            }
            value.ok()
        }
    }

    impl Decode<'_> for bool {
        fn decode(reader: &mut Reader<'_>) -> Result<bool> {
            match reader.expect(Tag::Boolean)? {
                [0] => Ok(false),
                [0xff] => Ok(true),
                _ => Err(reader.error(ErrorKind::Value(Tag::Boolean))),
            }
        }
    }

    macro_rules! impl_unsigned {
        ($($ty:ty),+) => {
            $(impl<'a> Decode<'a> for $ty {
                fn decode(reader: &mut Reader<'a>) -> Result<Self> {
                    let bytes = reader.expect(Tag::Integer)?;
                    let digits = match bytes {
                        [] => return Err(reader.error(ErrorKind::Length)),
                        [0, rest @ ..] if rest.first().is_some_and(|b| b & 0x80 != 0) => rest,
                        [0, _, ..] => return Err(reader.error(ErrorKind::Noncanonical)),
                        [first, ..] if first & 0x80 != 0 => return Err(reader.error(ErrorKind::Value(Tag::Integer))),
                        all => all,
                    };
                    if digits.len() > core::mem::size_of::<$ty>() {
                        return Err(reader.error(ErrorKind::Value(Tag::Integer)));
                    }
                    Ok(digits.iter().fold(0, |n: $ty, &b| n.wrapping_shl(8) | <$ty>::from(b)))
                }
            })+
        };
    }

    impl_unsigned!(u16, u32, u64);

    /// An object identifier, by its encoding.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Oid<'a>(&'a [u8]);

    impl<'a> Decode<'a> for Oid<'a> {
        fn decode(reader: &mut Reader<'a>) -> Result<Self> {
            match reader.expect(Tag::ObjectIdentifier)? {
                bytes @ [.., last] if last & 0x80 == 0 => Ok(Oid(bytes)),
                _ => Err(reader.error(ErrorKind::Value(Tag::ObjectIdentifier))),
            }
        }
    }

    impl<'a> Oid<'a> {
        pub fn arcs(self) -> impl Iterator<Item = u32> + 'a {
            let (first, rest) = self.0.split_first().map_or((0, &[][..]), |(f, r)| (*f as u32, r));
            let root = (first / 40).min(2);
            let mut bytes = rest.iter();
            [root, first - root * 40].into_iter().chain(core::iter::from_fn(move || {
                let mut arc = 0u32;
                loop {
                    let byte = *bytes.next()?;
                    arc = arc << 7 | u32::from(byte & 0x7f);
                    if byte < 0x80 {
                        return Some(arc);
                    }
                }
            }))
        }
    }

    #[derive(Debug)]
    pub struct Certificate<'a> {
        pub version: u16,
        pub serial: u64,
        pub algorithm: Oid<'a>,
        pub critical: bool,
        pub subject: &'a str,
    }

    impl<'a> Decode<'a> for Certificate<'a> {
        fn decode(reader: &mut Reader<'a>) -> Result<Self> {
            reader.sequence(|r| {
                let version = r.optional::<u16>().unwrap_or(1);
                let serial = u64::decode(r)?;
                let algorithm = r.sequence(|r| Oid::decode(r))?;
                let critical = r.optional().unwrap_or_default();
                let text = r.expect(Tag::Utf8String)?;
                let subject =
                    core::str::from_utf8(text).map_err(|_| r.error(ErrorKind::Value(Tag::Utf8String)))?;
                Ok(Certificate { version, serial, algorithm, critical, subject })
            })
        }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 4] {
    use core::fmt::Write;
    use der::{Certificate, Decode, ErrorKind};

    struct Count(u32);
    impl Write for Count {
        fn write_str(&mut self, s: &str) -> core::fmt::Result {
            self.0 = s.bytes().fold(self.0, |h, b| h.wrapping_mul(31).wrapping_add(b as u32));
            Ok(())
        }
    }

    let mut bytes = *b"\x30\x22\x02\x01\x03\x02\x03\x01\xe2\x40\x30\x0b\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0b\x01\x01\xff\x0c\x08example!";
    if seed % 4 != 0 {
        let at = (seed >> 3) as usize % bytes.len();
        bytes[at] ^= 1 << (seed % 7);
    }
    let end = if seed % 5 == 4 { bytes.len() - 3 } else { bytes.len() };
    match Certificate::from_der(&bytes[..end]) {
        Ok(Certificate { version, serial, algorithm, critical, subject }) => {
            let arcs = algorithm.arcs().fold(0u32, |h, a| h.wrapping_mul(1009).wrapping_add(a));
            [u32::from(version) << 1 | critical as u32, serial as u32, arcs, subject.len() as u32]
        }
        Err(error) => {
            let mut text = Count(7);
            let _ = write!(text, "{error}");
            let more = match error.kind {
                ErrorKind::Incomplete { needed, .. } => needed as u32,
                ErrorKind::Value(tag) if tag == der::Tag::Integer => 77,
                _ => 0,
            };
            [u32::MAX, text.0, error.position as u32, more]
        }
    }
}

#[kernel]
pub fn der_reader(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&DER_READER, program)
}
