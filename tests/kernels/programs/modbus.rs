//! Frames of Modbus RTU: requests, responses, exceptions, in the manner of `modbus-core`.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::fmt;

    type Word = u16;
    type Coil = bool;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Error {
        CoilValue(u16),
        BufferSize,
        FnCode(u8),
        ExceptionCode(u8),
        Crc(u16, u16),
        ByteCount(u8),
    }

    impl fmt::Display for Error {
        fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
            match self {
                Self::CoilValue(v) => write!(f, "Invalid coil value: {v:#06X}"),
                Self::BufferSize => write!(f, "Invalid buffer size"),
                Self::FnCode(fn_code) => write!(f, "Invalid function code: 0x{fn_code:0>2X}"),
                Self::ExceptionCode(code) => write!(f, "Invalid exception code: 0x{code:0>2X}"),
                Self::Crc(expected, actual) => {
                    write!(f, "Invalid CRC: expected = 0x{expected:0>4X}, actual = 0x{actual:0>4X}")
                }
                Self::ByteCount(cnt) => write!(f, "Invalid byte count: {cnt}"),
            }
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum FunctionCode {
        ReadCoils,
        ReadHoldingRegisters,
        WriteSingleCoil,
        WriteMultipleRegisters,
        Custom(u8),
    }

    impl FunctionCode {
        pub const fn new(value: u8) -> Self {
            match value {
                0x01 => Self::ReadCoils,
                0x03 => Self::ReadHoldingRegisters,
                0x05 => Self::WriteSingleCoil,
                0x10 => Self::WriteMultipleRegisters,
                code => FunctionCode::Custom(code),
            }
        }

        pub const fn value(self) -> u8 {
            match self {
                Self::ReadCoils => 0x01,
                Self::ReadHoldingRegisters => 0x03,
                Self::WriteSingleCoil => 0x05,
                Self::WriteMultipleRegisters => 0x10,
                Self::Custom(code) => code,
            }
        }
    }

    mod big_endian {
        pub fn read_u16(buf: &[u8]) -> u16 {
            u16::from_be_bytes([buf[0], buf[1]])
        }

        pub fn write_u16(buf: &mut [u8], n: u16) {
            buf[..2].copy_from_slice(&n.to_be_bytes());
        }
    }

    use big_endian as be;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Data<'d> {
        pub(crate) raw: &'d [u8],
        pub(crate) quantity: usize,
    }

    impl<'d> Data<'d> {
        pub fn from_words(words: &[u16], target: &'d mut [u8]) -> Result<Self, Error> {
            if words.len() * 2 > target.len() {
                return Err(Error::BufferSize);
            }
            for (i, w) in words.iter().enumerate() {
                be::write_u16(&mut target[i * 2..], *w);
            }
            Ok(Data { raw: &target[..words.len() * 2], quantity: words.len() })
        }

        pub const fn len(&self) -> usize {
            self.quantity
        }

        pub const fn is_empty(&self) -> bool {
            self.len() == 0
        }

        pub fn get(&self, idx: usize) -> Option<Word> {
            if idx + 1 > self.quantity {
                return None;
            }
            Some(be::read_u16(&self.raw[idx * 2..]))
        }
    }

    #[derive(Debug, Clone, Copy)]
    pub struct DataIterator<'d> {
        cnt: usize,
        data: Data<'d>,
    }

    impl Iterator for DataIterator<'_> {
        type Item = Word;

        fn next(&mut self) -> Option<Self::Item> {
            let result = self.data.get(self.cnt);
            self.cnt += 1;
            result
        }
    }

    impl<'d> IntoIterator for Data<'d> {
        type Item = Word;
        type IntoIter = DataIterator<'d>;

        fn into_iter(self) -> Self::IntoIter {
            DataIterator { cnt: 0, data: self }
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Request<'r> {
        ReadCoils(u16, u16),
        ReadHoldingRegisters(u16, u16),
        WriteSingleCoil(u16, Coil),
        WriteMultipleRegisters(u16, Data<'r>),
        Custom(FunctionCode, &'r [u8]),
    }

    impl From<Request<'_>> for FunctionCode {
        fn from(r: Request<'_>) -> Self {
            use FunctionCode as c;
            use Request as r;
            match r {
                r::ReadCoils(_, _) => c::ReadCoils,
                r::ReadHoldingRegisters(_, _) => c::ReadHoldingRegisters,
                r::WriteSingleCoil(_, _) => c::WriteSingleCoil,
                r::WriteMultipleRegisters(_, _) => c::WriteMultipleRegisters,
                r::Custom(code, _) => code,
            }
        }
    }

    pub trait Encode {
        fn encode(&self, buf: &mut [u8]) -> Result<usize, Error>;
    }

    impl Encode for Request<'_> {
        fn encode(&self, buf: &mut [u8]) -> Result<usize, Error> {
            if buf.len() < 7 {
                return Err(Error::BufferSize);
            }
            buf[0] = FunctionCode::from(*self).value();
            Ok(match self {
                Self::ReadCoils(address, payload) | Self::ReadHoldingRegisters(address, payload) => {
                    be::write_u16(&mut buf[1..], *address);
                    be::write_u16(&mut buf[3..], *payload);
                    5
                }
                Self::WriteSingleCoil(address, state) => {
                    be::write_u16(&mut buf[1..], *address);
                    be::write_u16(&mut buf[3..], if *state { 0xFF00 } else { 0x0000 });
                    5
                }
                Self::WriteMultipleRegisters(address, words) => {
                    be::write_u16(&mut buf[1..], *address);
                    let len = words.len();
                    be::write_u16(&mut buf[3..], len as u16);
                    buf[5] = len as u8 * 2;
                    for (idx, byte) in words.raw.iter().enumerate() {
                        buf[idx + 6] = *byte;
                    }
                    6 + len * 2
                }
                Self::Custom(_, custom_data) => {
                    custom_data.iter().enumerate().for_each(|(idx, d)| buf[idx + 1] = *d);
                    1 + custom_data.len()
                }
            })
        }
    }

    impl<'r> TryFrom<&'r [u8]> for Request<'r> {
        type Error = Error;

        fn try_from(bytes: &'r [u8]) -> Result<Self, Self::Error> {
            use FunctionCode as f;
            if bytes.len() < 5 {
                return Err(Error::BufferSize);
            }
            let (fn_code, rest) = (bytes[0], &bytes[1..]);
            let req = match f::new(fn_code) {
                f::ReadCoils => Self::ReadCoils(be::read_u16(rest), be::read_u16(&rest[2..])),
                f::ReadHoldingRegisters => {
                    Self::ReadHoldingRegisters(be::read_u16(rest), be::read_u16(&rest[2..]))
                }
                f::WriteSingleCoil => match be::read_u16(&rest[2..4]) {
                    0xFF00 => Self::WriteSingleCoil(be::read_u16(rest), true),
                    0 => Self::WriteSingleCoil(be::read_u16(rest), false),
                    other => return Err(Error::CoilValue(other)),
                },
                f::WriteMultipleRegisters => {
                    let quantity = usize::from(be::read_u16(&rest[2..]));
                    let count = rest[4];
                    if usize::from(count) != quantity * 2 || rest.len() < 5 + quantity * 2 {
                        return Err(Error::ByteCount(count));
                    }
                    Self::WriteMultipleRegisters(
                        be::read_u16(rest),
                        Data { quantity, raw: &rest[5..5 + quantity * 2] },
                    )
                }
                code if code.value() < 0x80 => Self::Custom(code, rest),
                _ => return Err(Error::FnCode(fn_code)),
            };
            Ok(req)
        }
    }

    fn crc16(data: &[u8]) -> u16 {
        let mut crc = 0xFFFF;
        for x in data {
            crc ^= u16::from(*x);
            for _ in 0..8 {
                let crc_odd = (crc & 0x0001) != 0;
                crc >>= 1;
                if crc_odd {
                    crc ^= 0xA001;
                }
            }
        }
        crc << 8 | crc >> 8
    }

    pub fn frame(slave: u8, request: &impl Encode, buf: &mut [u8; 32]) -> Result<usize, Error> {
        buf[0] = slave;
        let len = 1 + request.encode(&mut buf[1..30])?;
        let crc = crc16(&buf[..len]);
        be::write_u16(&mut buf[len..], crc);
        Ok(len + 2)
    }

    pub fn parse(frame: &[u8]) -> Result<(u8, Request<'_>), Error> {
        let (adu, crc) = frame.split_last_chunk::<2>().ok_or(Error::BufferSize)?;
        let (expected, actual) = (u16::from_be_bytes(*crc), crc16(adu));
        if expected != actual {
            return Err(Error::Crc(expected, actual));
        }
        let [slave, pdu @ ..] = adu else { return Err(Error::BufferSize) };
        Ok((*slave, pdu.try_into()?))
    }

    pub fn run(i: u32) -> u64 {
        let mut store = [0; 8];
        let words = [i as u16, 0xABCD, i as u16 * 3];
        let data = Data::from_words(&words[..i as usize % 4], &mut store).unwrap();
        let request = match i % 5 {
            0 => Request::ReadCoils(i as u16, 8),
            1 => Request::ReadHoldingRegisters(7, i as u16),
            2 => Request::WriteSingleCoil(3, i % 2 == 0),
            3 => Request::WriteMultipleRegisters(0x1234, data),
            _ => Request::Custom(FunctionCode::Custom(0x55), &[1, 2, 3, 4]),
        };
        let mut buf = [0; 32];
        let len = match frame(i as u8, &request, &mut buf) {
            Ok(len) => len,
            Err(_) => return 0,
        };
        if i % 11 == 7 {
            buf[len / 2] ^= 0x40;
        }
        let sum = buf[..len].iter().fold(0u64, |h, b| h.wrapping_mul(131) + u64::from(*b));
        sum << 20
            ^ match parse(&buf[..len]) {
                Ok((_, Request::WriteMultipleRegisters(_, data))) if !data.is_empty() => {
                    data.into_iter().map(u64::from).sum::<u64>()
                }
                Ok((slave, r)) => u64::from(slave) + (r == request) as u64,
                Err(Error::Crc(a, b)) => u64::from(a ^ b),
                Err(_) => 1,
            }
    }
}

#[kernel]
pub fn modbus(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&MODBUS, program::run)
}
