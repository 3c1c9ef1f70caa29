//! Serialization behind traits: a compact format with lengths of variable size, and a checksum of what is written, as `postcard` over `serde` has it.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Error {
        BufferFull,
        UnexpectedEnd,
        BadBool(u8),
        BadVariant(u32),
        BadVarint,
        BadUtf8,
    }

    pub type Result<T, E = Error> = core::result::Result<T, E>;

    pub trait Flavor {
        type Output;
        fn try_push(&mut self, byte: u8) -> Result<()>;
        fn try_extend(&mut self, bytes: &[u8]) -> Result<()> {
            bytes.iter().try_for_each(|b| self.try_push(*b))
        }
        fn finalize(self) -> Result<Self::Output>;
    }

    pub struct Slice<'a> {
        buf: &'a mut [u8],
        at: usize,
    }

    impl<'a> Flavor for Slice<'a> {
        type Output = &'a mut [u8];

        fn try_push(&mut self, byte: u8) -> Result<()> {
            let place = self.buf.get_mut(self.at).ok_or(Error::BufferFull)?;
            *place = byte;
            self.at += 1;
            Ok(())
        }

        fn finalize(self) -> Result<Self::Output> {
            Ok(&mut self.buf[..self.at])
        }
    }

    /// Adds a checksum to what is written by another flavor.
    pub struct Checked<F> {
        inner: F,
        sum: u16,
    }

    impl<F: Flavor> Flavor for Checked<F> {
        type Output = F::Output;

        fn try_push(&mut self, byte: u8) -> Result<()> {
            self.sum = self.sum.rotate_left(3).wrapping_add(u16::from(byte));
            self.inner.try_push(byte)
        }

        fn finalize(mut self) -> Result<F::Output> {
            let sum = self.sum;
            self.inner.try_extend(&sum.to_le_bytes())?;
            self.inner.finalize()
        }
    }

    pub struct Serializer<F: Flavor> {
        output: F,
    }

    impl<F: Flavor> Serializer<F> {
        fn varint(&mut self, mut value: u64) -> Result<()> {
            while value >= 0x80 {
                self.output.try_push(value as u8 | 0x80)?;
                value >>= 7;
            }
            self.output.try_push(value as u8)
        }
    }

    pub struct Deserializer<'de> {
        rest: &'de [u8],
    }

    impl<'de> Deserializer<'de> {
        fn pop(&mut self) -> Result<u8> {
            let (first, rest) = self.rest.split_first().ok_or(Error::UnexpectedEnd)?;
            self.rest = rest;
            Ok(*first)
        }

        fn take(&mut self, count: usize) -> Result<&'de [u8]> {
            if count > self.rest.len() {
                return Err(Error::UnexpectedEnd);
            }
            let (taken, rest) = self.rest.split_at(count);
            self.rest = rest;
            Ok(taken)
        }

        fn varint(&mut self) -> Result<u64> {
            let mut value = 0;
            for i in 0..10 {
                let byte = self.pop()?;
                value |= u64::from(byte & 0x7f) << (7 * i);
                if byte & 0x80 == 0 {
                    return Ok(value);
                }
            }
            Err(Error::BadVarint)
        }
    }

    pub trait Serialize {
        fn serialize<F: Flavor>(&self, s: &mut Serializer<F>) -> Result<()>;
    }

    pub trait Deserialize<'de>: Sized {
        fn deserialize(d: &mut Deserializer<'de>) -> Result<Self>;
    }

    macro_rules! unsigned {
        ($($ty:ty),*) => {$(
            impl Serialize for $ty {
                fn serialize<F: Flavor>(&self, s: &mut Serializer<F>) -> Result<()> {
                    s.varint(u64::from(*self))
                }
            }
            impl<'de> Deserialize<'de> for $ty {
                fn deserialize(d: &mut Deserializer<'de>) -> Result<Self> {
                    d.varint()?.try_into().map_err(|_| Error::BadVarint)
                }
            }
        )*};
    }
    unsigned!(u16, u32, u64);

    impl Serialize for i32 {
        fn serialize<F: Flavor>(&self, s: &mut Serializer<F>) -> Result<()> {
            let zigzag = (self << 1) ^ (self >> 31);
            s.varint(u64::from(zigzag as u32))
        }
    }

    impl<'de> Deserialize<'de> for i32 {
        fn deserialize(d: &mut Deserializer<'de>) -> Result<Self> {
            let zigzag: u32 = Deserialize::deserialize(d)?;
            Ok((zigzag >> 1) as i32 ^ -((zigzag & 1) as i32))
        }
    }

    impl Serialize for bool {
        fn serialize<F: Flavor>(&self, s: &mut Serializer<F>) -> Result<()> {
            s.output.try_push(*self as u8)
        }
    }

    impl<'de> Deserialize<'de> for bool {
        fn deserialize(d: &mut Deserializer<'de>) -> Result<bool> {
            match d.pop()? {
                0 => Ok(false),
                1 => Ok(true),
                other => Err(Error::BadBool(other)),
            }
        }
    }

    impl<T: Serialize> Serialize for Option<T> {
        fn serialize<F: Flavor>(&self, s: &mut Serializer<F>) -> Result<()> {
            self.is_some().serialize(s)?;
            self.as_ref().map_or(Ok(()), |value| value.serialize(s))
        }
    }

    impl<'de, T: Deserialize<'de>> Deserialize<'de> for Option<T> {
        fn deserialize(d: &mut Deserializer<'de>) -> Result<Self> {
            Ok(if bool::deserialize(d)? { Some(T::deserialize(d)?) } else { None })
        }
    }

    impl Serialize for &str {
        fn serialize<F: Flavor>(&self, s: &mut Serializer<F>) -> Result<()> {
            s.varint(self.len() as u64)?;
            s.output.try_extend(self.as_bytes())
        }
    }

    impl<'de> Deserialize<'de> for &'de str {
        fn deserialize(d: &mut Deserializer<'de>) -> Result<Self> {
            let len = d.varint()? as usize;
            let bytes = d.take(len)?;
            core::str::from_utf8(bytes).map_err(|_| Error::BadUtf8)
        }
    }

    impl<T: Serialize, const N: usize> Serialize for [T; N] {
        fn serialize<F: Flavor>(&self, s: &mut Serializer<F>) -> Result<()> {
            for item in self {
                item.serialize(s)?;
            }
            Ok(())
        }
    }

    impl<'de, T: Deserialize<'de> + Copy + Default, const N: usize> Deserialize<'de> for [T; N] {
        fn deserialize(d: &mut Deserializer<'de>) -> Result<Self> {
            let mut items = [T::default(); N];
            for item in items.iter_mut() {
                *item = T::deserialize(d)?;
            }
            Ok(items)
        }
    }

    macro_rules! record {
        ($(#[$meta:meta])* $vis:vis struct $name:ident $(<$lt:lifetime>)? { $($field:ident: $ty:ty),* $(,)? }) => {
            $(#[$meta])*
            $vis struct $name $(<$lt>)? { $($field: $ty),* }

            impl $(<$lt>)? Serialize for $name $(<$lt>)? {
                fn serialize<F: Flavor>(&self, s: &mut Serializer<F>) -> Result<()> {
                    $(self.$field.serialize(s)?;)*
                    Ok(())
                }
            }
        };
    }

    record! {
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct Reading<'a> {
            sensor: &'a str,
            at: u64,
            values: [i32; 3],
            alarm: Option<u16>,
            ok: bool,
        }
    }

    impl<'de> Deserialize<'de> for Reading<'de> {
        fn deserialize(d: &mut Deserializer<'de>) -> Result<Self> {
            Ok(Reading {
                sensor: Deserialize::deserialize(d)?,
                at: Deserialize::deserialize(d)?,
                values: Deserialize::deserialize(d)?,
                alarm: Deserialize::deserialize(d)?,
                ok: Deserialize::deserialize(d)?,
            })
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum Message<'a> {
        Ping,
        Report(Reading<'a>),
        Move { x: i32, y: i32 },
    }

    impl Serialize for Message<'_> {
        fn serialize<F: Flavor>(&self, s: &mut Serializer<F>) -> Result<()> {
            match self {
                Message::Ping => s.varint(0),
                Message::Report(reading) => {
                    s.varint(1)?;
                    reading.serialize(s)
                }
                Message::Move { x, y } => {
                    s.varint(2)?;
                    x.serialize(s)?;
                    y.serialize(s)
                }
            }
        }
    }

    impl<'de> Deserialize<'de> for Message<'de> {
        fn deserialize(d: &mut Deserializer<'de>) -> Result<Self> {
            match u32::deserialize(d)? {
                0 => Ok(Message::Ping),
                1 => Reading::deserialize(d).map(Message::Report),
                2 => Ok(Message::Move { x: i32::deserialize(d)?, y: i32::deserialize(d)? }),
                other => Err(Error::BadVariant(other)),
            }
        }
    }

    pub fn to_slice<'b, T: Serialize + ?Sized>(value: &T, buf: &'b mut [u8]) -> Result<&'b mut [u8]> {
        let mut serializer = Serializer { output: Checked { inner: Slice { buf, at: 0 }, sum: 7 } };
        value.serialize(&mut serializer)?;
        serializer.output.finalize()
    }

    pub fn from_bytes<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
        let mut deserializer = Deserializer { rest: bytes };
        T::deserialize(&mut deserializer)
    }

    pub fn run(seed: u32) -> [u32; 6] {
        let message = match seed % 3 {
            0 => Message::Ping,
            1 => Message::Report(Reading {
                sensor: ["t", "pressure", ""][(seed >> 4) as usize % 3],
                at: u64::from(seed) << (seed & 31),
                values: [seed as i32, -(seed as i32 >> 7), 0],
                alarm: (seed & 64 != 0).then_some(seed as u16),
                ok: seed & 128 == 0,
            }),
            _ => Message::Move { x: (seed >> 3) as i32 - 1000, y: -((seed >> 20) as i32) },
        };
        let mut buf = [0u8; 40];
        let room = if seed % 11 == 0 { 9 } else { 40 };
        let bytes: &[u8] = match to_slice(&message, &mut buf[..room]) {
            Ok(bytes) => {
                if seed & 0x700 == 0 {
                    bytes[(seed >> 12) as usize % 5 % bytes.len()] ^= 0x82;
                }
                bytes
            }
            Err(error) => return [u32::from(error == Error::BufferFull), 0, 0, 0, 0, 0],
        };
        let hash = bytes.iter().fold(bytes.len() as u32, |h, &b| h.rotate_left(5) ^ u32::from(b));
        let (code, detail) = match from_bytes::<Message>(bytes) {
            Ok(back) if back == message => (1, 0),
            Ok(Message::Ping) => (2, 0),
            Ok(Message::Report(r)) => (3, r.sensor.len() as u32 + r.values[0] as u32),
            Ok(Message::Move { x, y }) => (4, (x ^ y) as u32),
            Err(Error::BadVariant(v)) => (5, v),
            Err(Error::BadBool(b)) => (6, b.into()),
            Err(_) => (7, 0),
        };
        let pair: Result<[Option<u16>; 2]> = from_bytes(&[1, 0xac, 0x02, 0]);
        [
            hash,
            code,
            detail,
            pair.map_or(9, |p| p[0].unwrap_or(8).into()),
            bytes[0].into(),
            bytes.len() as u32,
        ]
    }
}

#[kernel]
pub fn messages_serialized(seeds: &[u32], y: &mut [[u32; 6]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&MESSAGES_SERIALIZED, program::run)
}
