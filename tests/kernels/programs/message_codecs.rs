//! A small serialisation format in the manner of `postcard`: variable-length integers, and flavours that say where bytes go.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::fmt;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Error {
        BufferFull,
        UnexpectedEnd,
        BadVarint,
        BadBool(u8),
        BadEncoding,
    }

    impl fmt::Display for Error {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Error::BufferFull => f.write_str("buffer is full"),
                Error::UnexpectedEnd => f.write_str("unexpected end"),
                Error::BadVarint => f.write_str("bad varint"),
                Error::BadBool(b) => write!(f, "{b} is no bool"),
                Error::BadEncoding => f.write_str("bad encoding"),
            }
        }
    }

    impl core::error::Error for Error {}

    pub type Result<T, E = Error> = core::result::Result<T, E>;

    pub trait Flavor {
        type Output;

        fn try_push(&mut self, byte: u8) -> Result<()>;

        fn try_extend(&mut self, bytes: &[u8]) -> Result<()> {
            bytes.iter().try_for_each(|&b| self.try_push(b))
        }

        fn finalize(self) -> Result<Self::Output>;
    }

    /// Writes into a slice.
    pub struct Slice<'a> {
        buf: &'a mut [u8],
        at: usize,
    }

    impl<'a> Slice<'a> {
        pub fn new(buf: &'a mut [u8]) -> Self {
            Self { buf, at: 0 }
        }
    }

    impl<'a> Flavor for Slice<'a> {
        type Output = &'a mut [u8];

        fn try_push(&mut self, byte: u8) -> Result<()> {
            *self.buf.get_mut(self.at).ok_or(Error::BufferFull)? = byte;
            self.at += 1;
            Ok(())
        }

        fn finalize(self) -> Result<Self::Output> {
            let (used, _) = self.buf.split_at_mut(self.at);
            Ok(used)
        }
    }

    /// Counts bytes only.
    #[derive(Default)]
    pub struct Size {
        size: usize,
    }

    impl Flavor for Size {
        type Output = usize;

        fn try_push(&mut self, _: u8) -> Result<()> {
            self.size += 1;
            Ok(())
        }

        fn finalize(self) -> Result<usize> {
            Ok(self.size)
        }
    }

    /// Adds up the bytes on their way.
    pub struct Checked<F> {
        inner: F,
        sum: u8,
    }

    impl<F: Flavor> Flavor for Checked<F> {
        type Output = F::Output;

        fn try_push(&mut self, byte: u8) -> Result<()> {
            self.sum = self.sum.rotate_left(1) ^ byte;
            self.inner.try_push(byte)
        }

        fn finalize(mut self) -> Result<F::Output> {
            self.inner.try_push(self.sum)?;
            self.inner.finalize()
        }
    }

    pub trait Serialize {
        fn serialize<F: Flavor>(&self, out: &mut F) -> Result<()>;
    }

    pub trait Deserialize<'de>: Sized {
        fn deserialize(from: &mut &'de [u8]) -> Result<Self>;
    }

    fn take_byte<'de>(from: &mut &'de [u8]) -> Result<u8> {
        let (&first, rest) = from.split_first().ok_or(Error::UnexpectedEnd)?;
        *from = rest;
        Ok(first)
    }

    macro_rules! varint {
        ($($t:ty),*) => {$(
            impl Serialize for $t {
                fn serialize<F: Flavor>(&self, out: &mut F) -> Result<()> {
                    let mut value = *self;
                    while value >= 0x80 {
                        out.try_push(value as u8 | 0x80)?;
                        value >>= 7;
                    }
                    out.try_push(value as u8)
                }
            }

            impl<'de> Deserialize<'de> for $t {
                fn deserialize(from: &mut &'de [u8]) -> Result<Self> {
                    let mut value: $t = 0;
                    for shift in (0..<$t>::BITS).step_by(7) {
                        let byte = take_byte(from)?;
                        value |= <$t>::from(byte & 0x7f) << shift;
                        if byte & 0x80 == 0 {
                            return Ok(value);
                        }
                    }
                    Err(Error::BadVarint)
                }
            }
        )*};
    }

    varint!(u16, u32, u64);

    impl Serialize for i32 {
        fn serialize<F: Flavor>(&self, out: &mut F) -> Result<()> {
            (((self << 1) ^ (self >> 31)) as u32).serialize(out)
        }
    }

    impl<'de> Deserialize<'de> for i32 {
        fn deserialize(from: &mut &'de [u8]) -> Result<Self> {
            let n = u32::deserialize(from)?;
            Ok((n >> 1) as i32 ^ -((n & 1) as i32))
        }
    }

    impl Serialize for bool {
        fn serialize<F: Flavor>(&self, out: &mut F) -> Result<()> {
            out.try_push(u8::from(*self))
        }
    }

    impl<'de> Deserialize<'de> for bool {
        fn deserialize(from: &mut &'de [u8]) -> Result<Self> {
            match take_byte(from)? {
                0 => Ok(false),
                1 => Ok(true),
                other => Err(Error::BadBool(other)),
            }
        }
    }

    impl<T: Serialize> Serialize for Option<T> {
        fn serialize<F: Flavor>(&self, out: &mut F) -> Result<()> {
            match self {
                None => out.try_push(0),
                Some(value) => {
                    out.try_push(1)?;
                    value.serialize(out)
                }
            }
        }
    }

    impl<'de, T: Deserialize<'de>> Deserialize<'de> for Option<T> {
        fn deserialize(from: &mut &'de [u8]) -> Result<Self> {
            Ok(if bool::deserialize(from)? { Some(T::deserialize(from)?) } else { None })
        }
    }

    impl<'a> Serialize for &'a [u8] {
        fn serialize<F: Flavor>(&self, out: &mut F) -> Result<()> {
            (self.len() as u32).serialize(out)?;
            out.try_extend(self)
        }
    }

    impl<'de> Deserialize<'de> for &'de [u8] {
        fn deserialize(from: &mut &'de [u8]) -> Result<Self> {
            let len = u32::deserialize(from)? as usize;
            let (bytes, rest) = from.split_at_checked(len).ok_or(Error::UnexpectedEnd)?;
            *from = rest;
            Ok(bytes)
        }
    }

    #[derive(Debug, Clone, PartialEq)]
    pub enum Message<'a> {
        Ping,
        Reading { id: u16, value: i32, flags: Option<bool> },
        Data(u64, &'a [u8]),
    }

    impl Serialize for Message<'_> {
        fn serialize<F: Flavor>(&self, out: &mut F) -> Result<()> {
            match *self {
                Message::Ping => 0u32.serialize(out),
                Message::Reading { id, value, ref flags } => {
                    1u32.serialize(out)?;
                    id.serialize(out)?;
                    value.serialize(out)?;
                    flags.serialize(out)
                }
                Message::Data(time, bytes) => {
                    2u32.serialize(out)?;
                    time.serialize(out)?;
                    bytes.serialize(out)
                }
            }
        }
    }

    impl<'de> Deserialize<'de> for Message<'de> {
        fn deserialize(from: &mut &'de [u8]) -> Result<Self> {
            match u32::deserialize(from)? {
                0 => Ok(Message::Ping),
                1 => Ok(Message::Reading {
                    id: Deserialize::deserialize(from)?,
                    value: Deserialize::deserialize(from)?,
                    flags: Deserialize::deserialize(from)?,
                }),
                2 => Ok(Message::Data(u64::deserialize(from)?, <&[u8]>::deserialize(from)?)),
                _ => Err(Error::BadEncoding),
            }
        }
    }

    pub fn to_slice<'a, T: Serialize + ?Sized>(value: &T, buf: &'a mut [u8]) -> Result<&'a mut [u8]> {
        let mut flavor = Checked { inner: Slice::new(buf), sum: 0 };
        value.serialize(&mut flavor)?;
        flavor.finalize()
    }

    pub fn size_of<T: Serialize>(value: &T) -> Result<usize> {
        let mut size = Size::default();
        value.serialize(&mut size)?;
        size.finalize()
    }

    pub fn run(i: u32) -> u64 {
        let text = b"some bytes to send";
        let messages = [
            Message::Ping,
            Message::Reading {
                id: i as u16 * 19,
                value: 40 - i as i32 * 7,
                flags: (i % 3 != 0).then_some(i % 2 == 0),
            },
            Message::Data(1 << (i % 60), &text[..i as usize % text.len()]),
        ];
        let mut total = 0u64;
        for message in &messages {
            let mut buf = [0u8; 20];
            let size = size_of(message).unwrap() as u64;
            total = total.wrapping_mul(1009) + size;
            match to_slice(message, &mut buf) {
                Ok(bytes) => {
                    let back = Message::deserialize(&mut &bytes[..]);
                    total = bytes.iter().fold(total, |h, &b| h.wrapping_mul(31) ^ u64::from(b));
                    total += u64::from(back.as_ref() == Ok(message));
                    bytes[0] ^= (i % 4) as u8;
                    let mut rest: &[u8] = bytes;
                    total ^= match Message::deserialize(&mut rest) {
                        Ok(Message::Ping) => 1,
                        Ok(Message::Reading { id, .. }) => id as u64 + rest.len() as u64,
                        Ok(Message::Data(time, bytes)) => time ^ bytes.len() as u64,
                        Err(e) => 1000 + as_code(e),
                    };
                }
                Err(e) => total ^= 77 + as_code(e),
            }
        }
        total
    }

    fn as_code(e: Error) -> u64 {
        match e {
            Error::BufferFull => 1,
            Error::UnexpectedEnd => 2,
            Error::BadVarint => 3,
            Error::BadBool(b) => 4 + b as u64,
            Error::BadEncoding => 500,
        }
    }
}

#[kernel]
pub fn message_codecs(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&MESSAGE_CODECS, program::run)
}
