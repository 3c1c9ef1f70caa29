//! MessagePack behind traits of encoders and decoders, in the manner of `rmp`.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::convert::TryFrom;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Marker {
        FixPos(u8),
        FixNeg(i8),
        FixStr(u8),
        FixArray(u8),
        Null,
        True,
        False,
        U8,
        U16,
        U32,
        I32,
        F32,
        Bin8,
        Reserved,
    }

    impl Marker {
        pub fn from_u8(n: u8) -> Marker {
            match n {
                0x00..=0x7f => Marker::FixPos(n),
                0xe0..=0xff => Marker::FixNeg(n as i8),
                0x90..=0x9f => Marker::FixArray(n & 0x0f),
                0xa0..=0xbf => Marker::FixStr(n & 0x1f),
                0xc0 => Marker::Null,
                0xc2 => Marker::False,
                0xc3 => Marker::True,
                0xc4 => Marker::Bin8,
                0xca => Marker::F32,
                0xcc => Marker::U8,
                0xcd => Marker::U16,
                0xce => Marker::U32,
                0xd2 => Marker::I32,
                _ => Marker::Reserved,
            }
        }

        pub fn to_u8(self) -> u8 {
            match self {
                Marker::FixPos(val) => val,
                Marker::FixNeg(val) => val as u8,
                Marker::FixStr(len) => 0xa0 | (len & 0x1f),
                Marker::FixArray(len) => 0x90 | (len & 0x0f),
                Marker::Null => 0xc0,
                Marker::Reserved => 0xc1,
                Marker::False => 0xc2,
                Marker::True => 0xc3,
                Marker::Bin8 => 0xc4,
                Marker::F32 => 0xca,
                Marker::U8 => 0xcc,
                Marker::U16 => 0xcd,
                Marker::U32 => 0xce,
                Marker::I32 => 0xd2,
            }
        }
    }

    impl From<u8> for Marker {
        fn from(val: u8) -> Marker {
            Marker::from_u8(val)
        }
    }

    impl From<Marker> for u8 {
        fn from(val: Marker) -> u8 {
            val.to_u8()
        }
    }

    #[derive(Debug, PartialEq)]
    pub enum Error {
        Eof,
        TypeMismatch(Marker),
        OutOfRange,
        Utf8(core::str::Utf8Error),
    }

    impl From<core::str::Utf8Error> for Error {
        fn from(e: core::str::Utf8Error) -> Self {
            Error::Utf8(e)
        }
    }

    pub trait RmpWrite {
        type Error;
        fn write_bytes(&mut self, buf: &[u8]) -> Result<(), Self::Error>;
        fn write_u8(&mut self, val: u8) -> Result<(), Self::Error> {
            self.write_bytes(&[val])
        }
        fn write_data_u16(&mut self, val: u16) -> Result<(), Self::Error> {
            self.write_bytes(&val.to_be_bytes())
        }
        fn write_data_u32(&mut self, val: u32) -> Result<(), Self::Error> {
            self.write_bytes(&val.to_be_bytes())
        }
    }

    impl RmpWrite for &mut [u8] {
        type Error = Error;

        fn write_bytes(&mut self, buf: &[u8]) -> Result<(), Error> {
            if buf.len() > self.len() {
                return Err(Error::Eof);
            }
            let (head, tail) = core::mem::take(self).split_at_mut(buf.len());
            head.copy_from_slice(buf);
            *self = tail;
            Ok(())
        }
    }

    pub fn write_uint<W: RmpWrite>(wr: &mut W, val: u32) -> Result<Marker, W::Error> {
        let marker = match val {
            0..=127 => Marker::FixPos(val as u8),
            128..=255 => Marker::U8,
            256..=65535 => Marker::U16,
            _ => Marker::U32,
        };
        wr.write_u8(marker.to_u8())?;
        match marker {
            Marker::U8 => wr.write_u8(val as u8)?,
            Marker::U16 => wr.write_data_u16(val as u16)?,
            Marker::U32 => wr.write_data_u32(val)?,
            _ => {}
        }
        Ok(marker)
    }

    pub fn write_sint<W: RmpWrite>(wr: &mut W, val: i32) -> Result<Marker, W::Error> {
        match val {
            -32..=-1 => {
                let marker = Marker::FixNeg(val as i8);
                wr.write_u8(marker.into())?;
                Ok(marker)
            }
            0.. => write_uint(wr, val as u32),
            _ => {
                wr.write_u8(Marker::I32.into())?;
                wr.write_bytes(&val.to_be_bytes())?;
                Ok(Marker::I32)
            }
        }
    }

    pub fn write_str<W: RmpWrite>(wr: &mut W, data: &str) -> Result<(), W::Error> {
        wr.write_u8(Marker::FixStr(data.len() as u8).to_u8())?;
        wr.write_bytes(data.as_bytes())
    }

    pub struct Bytes<'a> {
        rest: &'a [u8],
    }

    impl<'a> Bytes<'a> {
        fn take(&mut self, len: usize) -> Result<&'a [u8], Error> {
            if len > self.rest.len() {
                return Err(Error::Eof);
            }
            let (head, tail) = self.rest.split_at(len);
            self.rest = tail;
            Ok(head)
        }

        fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
            Ok(self.take(N)?.try_into().unwrap())
        }

        pub fn marker(&mut self) -> Result<Marker, Error> {
            let [b] = self.array()?;
            Ok(Marker::from(b))
        }

        pub fn read_int<T: TryFrom<i64>>(&mut self) -> Result<T, Error> {
            let wide = match self.marker()? {
                Marker::FixPos(v) => i64::from(v),
                Marker::FixNeg(v) => i64::from(v),
                Marker::U8 => i64::from(self.array::<1>()?[0]),
                Marker::U16 => u16::from_be_bytes(self.array()?).into(),
                Marker::U32 => u32::from_be_bytes(self.array()?).into(),
                Marker::I32 => i32::from_be_bytes(self.array()?).into(),
                other => return Err(Error::TypeMismatch(other)),
            };
            T::try_from(wide).map_err(|_| Error::OutOfRange)
        }

        pub fn read_str(&mut self) -> Result<&'a str, Error> {
            match self.marker()? {
                Marker::FixStr(len) => Ok(core::str::from_utf8(self.take(len.into())?)?),
                other => Err(Error::TypeMismatch(other)),
            }
        }
    }

    fn pack(i: u32, out: &mut [u8]) -> Result<usize, Error> {
        let len = out.len();
        let mut wr = out;
        write_uint(&mut wr, i)?;
        write_sint(&mut wr, -(i as i32) * 7)?;
        write_str(&mut wr, if i % 2 == 0 { "even" } else { "odd one" })?;
        write_uint(&mut wr, i * i * i)?;
        Ok(len - wr.len())
    }

    fn unpack(bytes: &[u8]) -> Result<u64, Error> {
        let mut rd = Bytes { rest: bytes };
        let a: u16 = rd.read_int()?;
        let b = rd.read_int::<i32>()?;
        let s = rd.read_str()?;
        let c = rd.read_int::<u16>();
        let c = match c {
            Ok(c) => c.into(),
            Err(Error::OutOfRange) => 0xFFFF_FFu64,
            Err(e) => return Err(e),
        };
        Ok(u64::from(a) ^ (b.unsigned_abs() as u64) << 12 ^ (s.len() as u64) << 30 ^ c << 36)
    }

    pub fn run(i: u32) -> u64 {
        let mut buf = [0u8; 24];
        let Ok(len) = pack(i * 3, &mut buf) else { return u64::MAX };
        let whole = unpack(&buf[..len]).unwrap_or(1);
        let cut = match unpack(&buf[..len - 1 - i as usize % 6]) {
            Err(Error::Eof) => 2,
            Err(Error::TypeMismatch(marker)) => 3 + u64::from(u8::from(marker)),
            Err(_) => 4,
            Ok(v) => v,
        };
        whole.wrapping_mul(31).wrapping_add(cut).wrapping_mul(31).wrapping_add(len as u64)
    }
}

#[kernel]
pub fn messagepack(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&MESSAGEPACK, program::run)
}
