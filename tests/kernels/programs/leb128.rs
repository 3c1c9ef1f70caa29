//! Numbers of variable length, in the style of `leb128`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod leb128 {
    use core::fmt;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Error {
        Overflow,
        UnexpectedEof,
        BufferFull(usize),
    }

    impl fmt::Display for Error {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Error::Overflow => write!(f, "integer overflow"),
                Error::UnexpectedEof => f.write_str("unexpected end of input"),
                Error::BufferFull(n) => write!(f, "buffer of {} bytes is full", n),
            }
        }
    }

    pub type Result<T, E = Error> = core::result::Result<T, E>;

    pub struct Writer<'a> {
        buf: &'a mut [u8],
        pos: usize,
    }

    impl<'a> Writer<'a> {
        pub fn new(buf: &'a mut [u8]) -> Self {
            Self { buf, pos: 0 }
        }

        fn put(&mut self, byte: u8) -> Result<()> {
            let n = self.buf.len();
            let slot = self.buf.get_mut(self.pos).ok_or(Error::BufferFull(n))?;
            *slot = byte;
            self.pos += 1;
            Ok(())
        }

        pub fn unsigned(&mut self, mut value: u64) -> Result<&mut Self> {
            loop {
                let byte = (value & 0x7f) as u8;
                value >>= 7;
                if value == 0 {
                    self.put(byte)?;
                    return Ok(self);
                }
                self.put(byte | 0x80)?;
            }
        }

        pub fn signed(&mut self, mut value: i64) -> Result<&mut Self> {
            loop {
                let byte = value as u8 & 0x7f;
                value >>= 7;
                let sign = byte & 0x40 != 0;
                if (value == 0 && !sign) || (value == -1 && sign) {
                    self.put(byte)?;
                    break Ok(self);
                }
                self.put(byte | 0x80)?;
            }
        }

        pub fn finish(self) -> &'a [u8] {
            &self.buf[..self.pos]
        }
    }

    pub trait Read {
        fn read_u8(&mut self) -> Result<u8>;

        fn read_unsigned(&mut self) -> Result<u64> {
            let mut result = 0;
            let mut shift = 0;
            loop {
                let byte = self.read_u8()?;
                if shift == 63 && byte > 1 {
                    return Err(Error::Overflow);
                }
                result |= u64::from(byte & 0x7f) << shift;
                if byte & 0x80 == 0 {
                    return Ok(result);
                }
                shift += 7;
            }
        }

        fn read_signed(&mut self) -> Result<i64> {
            let mut result = 0i64;
            let mut shift = 0;
            let mut byte;
            loop {
                byte = self.read_u8()?;
                if shift >= 64 {
                    return Err(Error::Overflow);
                }
                result |= i64::from(byte & 0x7f) << shift;
                shift += 7;
                if byte & 0x80 == 0 {
                    break;
                }
            }
            if shift < 64 && byte & 0x40 != 0 {
                result |= !0 << shift;
            }
            Ok(result)
        }
    }

    impl Read for &[u8] {
        fn read_u8(&mut self) -> Result<u8> {
            let (&first, rest) = self.split_first().ok_or(Error::UnexpectedEof)?;
            *self = rest;
            Ok(first)
        }
    }
}

#[device]
fn roundtrip(seed: u32) -> leb128::Result<u32> {
    use leb128::Read as _;
    let mut buf = [0u8; 32];
    let a = (seed as u64) << (seed % 33);
    let b = seed as i32 as i64 * 77;
    let mut w = leb128::Writer::new(&mut buf);
    w.unsigned(a)?.signed(b)?.signed(-1)?;
    let bytes = w.finish();
    let total = bytes.len();
    let mut r = bytes;
    let x = r.read_unsigned()?;
    let y = r.read_signed()?;
    let z = r.read_signed()?;
    if x != a || y != b || z != -1 || !r.is_empty() {
        return Ok(0xdead);
    }
    let mut broken: &[u8] = &[0x80; 11][..(seed % 12) as usize];
    match broken.read_unsigned() {
        Err(leb128::Error::UnexpectedEof) => Ok(total as u32),
        Err(e) => Err(e),
        Ok(_) => Ok(1),
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    let mut small = [0u8; 2];
    let full = match leb128::Writer::new(&mut small).unsigned(seed as u64) {
        Err(leb128::Error::BufferFull(n)) => n as u32,
        _ => 7,
    };
    full * 1000 + roundtrip(seed).unwrap_or_else(|e| if e == leb128::Error::Overflow { 500 } else { 600 })
}

#[kernel]
pub fn leb128(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&LEB128, |i| program(seed(i)))
}
