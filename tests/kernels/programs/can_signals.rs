//! Frames of a vehicle's bus: signals of any width and byte order, scaled to physical values, and messages that dispatch by their ids.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod can {
    use core::convert::Infallible;
    use core::fmt;
    use core::num::NonZeroU8;
    use core::ops::RangeInclusive;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Id {
        Standard(u16),
        Extended(u32),
    }

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum Error<E = Infallible> {
        InvalidId(u32),
        UnknownMessage(Id),
        TooShort { needed: u8, got: u8 },
        OutOfRange { value: f32, min: f32, max: f32 },
        Custom(E),
    }

    impl<E: fmt::Debug> fmt::Display for Error<E> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Error::InvalidId(id) => write!(f, "bad id {id:#x}"),
                Error::UnknownMessage(Id::Standard(id)) => write!(f, "unknown message {id:03X}"),
                Error::UnknownMessage(Id::Extended(id)) => write!(f, "unknown message {id:08X}"),
                Error::TooShort { needed, got } => write!(f, "{got} of {needed} bytes"),
                Error::OutOfRange { value, min, max } => write!(f, "{value:.1} not in {min}..={max}"),
                Error::Custom(e) => write!(f, "{e:?}"),
            }
        }
    }

    impl TryFrom<u32> for Id {
        type Error = Error;
        fn try_from(raw: u32) -> Result<Self, Self::Error> {
            Ok(match raw {
                0..=0x7ff => Id::Standard(raw as u16),
                0x800..=0x1fff_ffff => Id::Extended(raw),
                _ => return Err(Error::InvalidId(raw)),
            })
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Frame {
        id: Id,
        len: u8,
        data: [u8; 8],
    }

    impl Frame {
        pub fn new(id: Id, data: &[u8]) -> Option<Frame> {
            let mut frame = Frame { id, len: u8::try_from(data.len()).ok()?, data: [0; 8] };
            frame.data.get_mut(..data.len())?.copy_from_slice(data);
            Some(frame)
        }

        pub fn payload(&self) -> &[u8] {
            &self.data[..usize::from(self.len)]
        }
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Order {
        #[default]
        Intel,
        Motorola,
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Signal {
        start: u8,
        width: u8,
        order: Order,
        signed: bool,
        factor: f32,
        offset: f32,
        range: Option<(f32, f32)>,
    }

    impl Signal {
        pub const fn unsigned(start: u8, width: u8) -> Self {
            Signal { start, width, order: Order::Intel, signed: false, factor: 1.0, offset: 0.0, range: None }
        }

        pub const fn signed(start: u8, width: u8) -> Self {
            Signal { signed: true, ..Self::unsigned(start, width) }
        }

        pub const fn motorola(mut self) -> Self {
            self.order = Order::Motorola;
            self
        }

        pub const fn scaled(self, factor: f32, offset: f32) -> Self {
            Self { factor, offset, ..self }
        }

        pub const fn within(self, range: RangeInclusive<i16>) -> Self {
            Self { range: Some((*range.start() as f32, *range.end() as f32)), ..self }
        }

        fn raw(&self, data: &[u8; 8]) -> u64 {
            let word = match self.order {
                Order::Intel => u64::from_le_bytes(*data) >> self.start,
                Order::Motorola => {
                    let first = u32::from(self.start / 8 * 8 + 7 - self.start % 8);
                    u64::from_be_bytes(*data) >> (64 - first - u32::from(self.width))
                }
            };
            word & (u64::MAX >> (64 - self.width))
        }

        fn write(&self, data: &mut [u8; 8], raw: u64) {
            let mask = u64::MAX >> (64 - self.width);
            let (decode, encode, shift): (fn([u8; 8]) -> u64, fn(u64) -> [u8; 8], u32) = match self.order {
                Order::Intel => (u64::from_le_bytes, u64::to_le_bytes, self.start.into()),
                Order::Motorola => {
                    let first = u32::from(self.start / 8 * 8 + 7 - self.start % 8);
                    (u64::from_be_bytes, u64::to_be_bytes, 64 - first - u32::from(self.width))
                }
            };
            let word = decode(*data) & !(mask << shift) | (raw & mask) << shift;
            *data = encode(word);
        }

        pub fn decode<E>(&self, frame: &Frame) -> Result<f32, Error<E>> {
            let needed = (self.start + self.width).div_ceil(8).min(8);
            if self.order == Order::Intel && needed > frame.len {
                return Err(Error::TooShort { needed, got: frame.len });
            }
            let raw = self.raw(&frame.data);
            let number = if self.signed {
                let unused = 64 - u32::from(self.width);
                ((raw << unused) as i64 >> unused) as f32
            } else {
                raw as f32
            };
            let value = number * self.factor + self.offset;
            match self.range {
                Some((min, max)) if !(min..=max).contains(&value) => {
                    Err(Error::OutOfRange { value, min, max })
                }
                _ => Ok(value),
            }
        }

        pub fn encode(&self, frame: &mut Frame, value: f32) {
            let raw = ((value - self.offset) / self.factor).round() as i64;
            self.write(&mut frame.data, raw as u64);
        }
    }

    pub trait Message: Sized {
        const ID: Id;
        type Error: fmt::Debug;
        fn decode(frame: &Frame) -> Result<Self, Error<Self::Error>>;
    }

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Engine {
        pub rpm: f32,
        pub temperature: f32,
    }

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Gearbox {
        pub gear: Gear,
        pub torque: f32,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Gear {
        Reverse,
        Neutral,
        Forward(NonZeroU8),
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct BadGear(u8);

    impl TryFrom<u8> for Gear {
        type Error = BadGear;
        fn try_from(raw: u8) -> Result<Self, BadGear> {
            match (raw, NonZeroU8::new(raw)) {
                (15, _) => Ok(Gear::Reverse),
                (_, None) => Ok(Gear::Neutral),
                (1..=8, Some(n)) => Ok(Gear::Forward(n)),
                _ => Err(BadGear(raw)),
            }
        }
    }

    impl From<BadGear> for Error<BadGear> {
        fn from(e: BadGear) -> Self {
            Error::Custom(e)
        }
    }

    pub const RPM: Signal = Signal::unsigned(0, 16).scaled(0.25, 0.0);
    pub const TEMPERATURE: Signal = Signal::signed(16, 10).scaled(0.5, 40.0).within(-50..=200);
    pub const GEAR: Signal = Signal::unsigned(7, 4).motorola();
    pub const TORQUE: Signal = Signal::signed(3, 14).motorola().scaled(0.125, 0.0);

    impl Message for Engine {
        const ID: Id = Id::Standard(0x1a0);
        type Error = Infallible;
        fn decode(frame: &Frame) -> Result<Self, Error> {
            Ok(Engine { rpm: RPM.decode(frame)?, temperature: TEMPERATURE.decode(frame)? })
        }
    }

    impl Message for Gearbox {
        const ID: Id = Id::Extended(0x18f0_0503);
        type Error = BadGear;
        fn decode(frame: &Frame) -> Result<Self, Error<BadGear>> {
            let gear = Gear::try_from(GEAR.decode::<BadGear>(frame)? as u8)?;
            TORQUE.decode(frame).map(|torque| Gearbox { gear, torque })
        }
    }

    pub fn receive<M: Message>(frame: &Frame) -> Result<M, Error<M::Error>> {
        if frame.id == M::ID { M::decode(frame) } else { Err(Error::UnknownMessage(frame.id)) }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 5] {
    use can::{Engine, Error, Frame, Gear, Gearbox, Id, Message, TORQUE, receive};
    let data = (u64::from(seed) << 32 | u64::from(seed.rotate_left(7))).to_be_bytes();
    let len = if seed & 3 == 0 { 3 } else { 8 };
    let id = match seed >> 2 & 3 {
        0 => Engine::ID,
        1 | 2 => Gearbox::ID,
        _ => Id::try_from(seed).unwrap_or(Id::Standard(seed as u16 & 0x7ff)),
    };
    let Some(mut frame) = Frame::new(id, &data[..len]) else { return [0; 5] };
    let engine = match receive::<Engine>(&frame) {
        Ok(Engine { rpm, temperature }) => rpm.to_bits() ^ temperature.to_bits().rotate_left(16),
        Err(Error::TooShort { needed, got }) => u32::from(needed) << 8 | u32::from(got),
        Err(Error::OutOfRange { value, .. }) => value.to_bits(),
        Err(Error::UnknownMessage(Id::Standard(id))) => id.into(),
        Err(Error::UnknownMessage(Id::Extended(id))) => id,
        Err(Error::InvalidId(_)) => 2,
        Err(Error::Custom(never)) => match never {},
    };
    let gearbox = receive::<Gearbox>(&frame);
    let gear = match gearbox {
        Ok(Gearbox { gear: Gear::Forward(n), torque }) => {
            u32::from(n.get()) << 16 | torque as i32 as u16 as u32
        }
        Ok(Gearbox { gear, .. }) => 900 + (gear == Gear::Reverse) as u32,
        Err(Error::Custom(_)) => 3,
        Err(_) => 4,
    };
    TORQUE.encode(&mut frame, (seed % 1000) as f32 * 0.5 - 250.0);
    let back: Result<f32, Error> = TORQUE.decode(&frame);
    let sum = frame.payload().iter().fold(0u32, |s, &b| s.wrapping_mul(257) + u32::from(b));
    let order = Engine::ID < Gearbox::ID && id >= Id::Standard(0);
    [engine, gear, back.map_or(1, f32::to_bits), sum, order.into()]
}

#[kernel]
pub fn can_signals(seeds: &[u32], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&CAN_SIGNALS, program)
}
