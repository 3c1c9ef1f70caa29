//! A codec with variable integers and runs, in the style of `postcard` and `bytes`.

use crate::kernels::case::Case;
use crate::kernels::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod wire {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum DecodeError {
        UnexpectedEnd { needed: usize },
        InvalidVarint,
        InvalidTag(u8),
    }

    pub trait Buf {
        fn remaining(&self) -> usize;
        fn take_bytes(&mut self, n: usize) -> Result<&[u8], DecodeError>;

        fn get_u8(&mut self) -> Result<u8, DecodeError> {
            self.take_bytes(1).map(|bytes| bytes[0])
        }

        fn get_varint(&mut self) -> Result<u32, DecodeError> {
            let mut value = 0u32;
            for shift in (0..32).step_by(7) {
                let byte = self.get_u8()?;
                value |= u32::from(byte & 0x7f) << shift;
                if byte & 0x80 == 0 {
                    return Ok(value);
                }
            }
            Err(DecodeError::InvalidVarint)
        }
    }

    impl Buf for &[u8] {
        fn remaining(&self) -> usize {
            self.len()
        }

        fn take_bytes(&mut self, n: usize) -> Result<&[u8], DecodeError> {
            if n > self.len() {
                return Err(DecodeError::UnexpectedEnd { needed: n - self.len() });
            }
            let (head, tail) = self.split_at(n);
            *self = tail;
            Ok(head)
        }
    }

    pub trait BufMut {
        fn put(&mut self, byte: u8);

        fn put_slice(&mut self, bytes: &[u8]) {
            bytes.iter().for_each(|&byte| self.put(byte));
        }

        fn put_varint(&mut self, mut value: u32) {
            while value >= 0x80 {
                self.put(value as u8 | 0x80);
                value >>= 7;
            }
            self.put(value as u8);
        }
    }

    pub struct Writer<'a> {
        buffer: &'a mut [u8],
        written: usize,
    }

    impl<'a> Writer<'a> {
        pub fn new(buffer: &'a mut [u8]) -> Self {
            Self { buffer, written: 0 }
        }

        pub fn finish(self) -> &'a mut [u8] {
            &mut self.buffer[..self.written]
        }
    }

    impl BufMut for Writer<'_> {
        fn put(&mut self, byte: u8) {
            if let Some(slot) = self.buffer.get_mut(self.written) {
                *slot = byte;
                self.written += 1;
            }
        }
    }

    /// Counts alone.
    #[derive(Default)]
    pub struct Counter(pub usize);

    impl BufMut for Counter {
        fn put(&mut self, _: u8) {
            self.0 += 1;
        }
    }

    pub trait Encode {
        fn encode<B: BufMut>(&self, out: &mut B);

        fn encoded_len(&self) -> usize {
            let mut counter = Counter::default();
            self.encode(&mut counter);
            counter.0
        }
    }

    pub trait Decode: Sized {
        fn decode<B: Buf>(input: &mut B) -> Result<Self, DecodeError>;
    }

    impl Encode for u32 {
        fn encode<B: BufMut>(&self, out: &mut B) {
            out.put_varint(*self);
        }
    }

    impl Decode for u32 {
        fn decode<B: Buf>(input: &mut B) -> Result<Self, DecodeError> {
            input.get_varint()
        }
    }

    impl Encode for i32 {
        fn encode<B: BufMut>(&self, out: &mut B) {
            out.put_varint((*self << 1 ^ *self >> 31) as u32);
        }
    }

    impl Decode for i32 {
        fn decode<B: Buf>(input: &mut B) -> Result<Self, DecodeError> {
            let value = u32::decode(input)?;
            Ok((value >> 1) as i32 ^ -((value & 1) as i32))
        }
    }

    impl<A: Encode, B: Encode> Encode for (A, B) {
        fn encode<O: BufMut>(&self, out: &mut O) {
            self.0.encode(out);
            self.1.encode(out);
        }
    }

    impl<A: Decode, B: Decode> Decode for (A, B) {
        fn decode<I: Buf>(input: &mut I) -> Result<Self, DecodeError> {
            Ok((A::decode(input)?, B::decode(input)?))
        }
    }

    impl<T: Encode> Encode for Option<T> {
        fn encode<B: BufMut>(&self, out: &mut B) {
            match self {
                Some(value) => {
                    out.put(1);
                    value.encode(out);
                }
                None => out.put(0),
            }
        }
    }

    impl<T: Decode> Decode for Option<T> {
        fn decode<B: Buf>(input: &mut B) -> Result<Self, DecodeError> {
            match input.get_u8()? {
                0 => Ok(None),
                1 => T::decode(input).map(Some),
                tag => Err(DecodeError::InvalidTag(tag)),
            }
        }
    }

    impl<T: Encode> Encode for [T] {
        fn encode<B: BufMut>(&self, out: &mut B) {
            (self.len() as u32).encode(out);
            for item in self {
                item.encode(out);
            }
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub struct Record {
        pub id: u32,
        pub delta: i32,
        pub next: Option<(u32, i32)>,
    }

    impl Encode for Record {
        fn encode<B: BufMut>(&self, out: &mut B) {
            let Self { id, delta, next } = self;
            id.encode(out);
            delta.encode(out);
            next.encode(out);
        }
    }

    impl Decode for Record {
        fn decode<B: Buf>(input: &mut B) -> Result<Self, DecodeError> {
            Ok(Record {
                id: Decode::decode(input)?,
                delta: Decode::decode(input)?,
                next: Decode::decode(input)?,
            })
        }
    }

    pub fn round_trip(x: &[u32], damage: usize) -> [u32; 5] {
        let record = |i: usize| Record {
            id: x[i],
            delta: x[i + 1] as i32 - x[i] as i32,
            next: if x[i] % 3 == 0 { None } else { Some((x[i + 2], -(x[i] as i32))) },
        };
        let records = [record(0), record(1)];
        let mut buffer = [0u8; 40];
        let expected = records.encoded_len();
        let mut writer = Writer::new(&mut buffer);
        records.encode(&mut writer);
        let bytes = writer.finish();
        let len = bytes.len();
        let sum = bytes.iter().fold(0u32, |sum, &byte| sum.rotate_left(5) ^ u32::from(byte));
        let end = len.saturating_sub(damage);
        let mut input = &bytes[..end];
        let count = input.get_varint().unwrap_or(0);
        let mut same = 0;
        let mut error = 0;
        for (i, original) in records.iter().enumerate() {
            match Record::decode(&mut input) {
                Ok(record) if record == *original => same += 1,
                Ok(_) => error += 100,
                Err(DecodeError::UnexpectedEnd { needed }) => error += 10 + needed as u32,
                Err(_) => error += 50 + i as u32,
            }
        }
        [(expected == len) as u32 * 100 + len as u32, sum, count * 10 + same, error, input.remaining() as u32]
    }
}

#[kernel]
pub fn codec(x: &[u32], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    y[i] = wire::round_trip(&x[i..], i % 4);
}

pub fn case() -> Case {
    let x: Vec<u32> = (0..20u32).map(|i| i.wrapping_mul(2_654_435_761) >> (i % 5 * 7)).collect();
    let positions: Vec<usize> = (0..16).collect();
    let y = map(&positions, |i| wire::round_trip(&x[i..], i % 4));
    Case::of(&CODEC).input(&x).output(&y).items([y.len()])
}
