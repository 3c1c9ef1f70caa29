//! A driver for a sensor of pressure over the traits of `embedded-hal`, with a bus that records what it is asked for.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    pub mod hal {
        use core::fmt::Debug;

        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum ErrorKind {
            Bus,
            NoAcknowledge,
            Other,
        }

        pub trait Error: Debug {
            fn kind(&self) -> ErrorKind;
        }

        pub trait ErrorType {
            type Error: Error;
        }

        pub trait I2c: ErrorType {
            fn read(&mut self, address: u8, buffer: &mut [u8]) -> Result<(), Self::Error>;
            fn write(&mut self, address: u8, bytes: &[u8]) -> Result<(), Self::Error>;

            fn write_read(
                &mut self,
                address: u8,
                bytes: &[u8],
                buffer: &mut [u8],
            ) -> Result<(), Self::Error> {
                self.write(address, bytes)?;
                self.read(address, buffer)
            }
        }

        impl<T: ErrorType + ?Sized> ErrorType for &mut T {
            type Error = T::Error;
        }

        impl<T: I2c + ?Sized> I2c for &mut T {
            fn read(&mut self, address: u8, buffer: &mut [u8]) -> Result<(), Self::Error> {
                T::read(self, address, buffer)
            }
            fn write(&mut self, address: u8, bytes: &[u8]) -> Result<(), Self::Error> {
                T::write(self, address, bytes)
            }
        }

        pub trait DelayNs {
            fn delay_ns(&mut self, ns: u32);

            fn delay_ms(&mut self, mut ms: u32) {
                while ms > 4294 {
                    self.delay_ns(4294 * 1_000_000);
                    ms -= 4294;
                }
                self.delay_ns(ms * 1_000_000);
            }
        }
    }

    use hal::{DelayNs, Error as _, ErrorKind, ErrorType, I2c};

    #[derive(Clone, Copy)]
    #[repr(u8)]
    enum Register {
        Calib = 0x88,
        Id = 0xD0,
        Ctrl = 0xF4,
        Data = 0xF7,
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    struct Calibration {
        t: (u16, i16, i16),
        p: [i16; 3],
    }

    impl From<&[u8; 12]> for Calibration {
        fn from(raw: &[u8; 12]) -> Self {
            let word = |i: usize| i16::from_le_bytes([raw[2 * i], raw[2 * i + 1]]);
            Calibration { t: (word(0) as u16, word(1), word(2)), p: [word(3), word(4), word(5)] }
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Error<E> {
        Bus(E),
        WrongChip(u8),
        NotReady,
    }

    impl<E: hal::Error> From<E> for Error<E> {
        fn from(e: E) -> Self {
            Error::Bus(e)
        }
    }

    pub mod mode {
        pub struct Sleep;
        pub struct Normal {
            pub(super) samples: u8,
        }
    }

    pub struct Sensor<I2C, D, MODE> {
        bus: I2C,
        delay: D,
        address: u8,
        calibration: Calibration,
        mode: MODE,
    }

    impl<I2C: I2c, D: DelayNs> Sensor<I2C, D, mode::Sleep> {
        pub fn new(mut bus: I2C, mut delay: D, address: u8) -> Result<Self, Error<I2C::Error>> {
            delay.delay_ms(2);
            let mut id = [0];
            bus.write_read(address, &[Register::Id as u8], &mut id)?;
            if id[0] != 0x58 {
                return Err(Error::WrongChip(id[0]));
            }
            let mut raw = [0u8; 12];
            bus.write_read(address, &[Register::Calib as u8], &mut raw)?;
            Ok(Sensor { bus, delay, address, calibration: (&raw).into(), mode: mode::Sleep })
        }

        pub fn start(mut self, samples: u8) -> Result<Sensor<I2C, D, mode::Normal>, Error<I2C::Error>> {
            self.bus.write(self.address, &[Register::Ctrl as u8, samples << 5 | 0b11])?;
            let Sensor { bus, delay, address, calibration, .. } = self;
            Ok(Sensor { bus, delay, address, calibration, mode: mode::Normal { samples } })
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Measurement {
        pub centidegrees: i32,
        pub pascals: u32,
    }

    impl<I2C: I2c, D: DelayNs> Sensor<I2C, D, mode::Normal> {
        pub fn measure(&mut self) -> Result<Measurement, Error<I2C::Error>> {
            self.delay.delay_ms(u32::from(self.mode.samples) * 5);
            let mut buf = [0; 6];
            self.bus.write_read(self.address, &[Register::Data as u8], &mut buf)?;
            let [p0, p1, p2, t0, t1, t2] = buf.map(i32::from);
            let raw_p = p0 << 12 | p1 << 4 | p2 >> 4;
            let raw_t = t0 << 12 | t1 << 4 | t2 >> 4;
            if raw_t == 0x80000 {
                return Err(Error::NotReady);
            }
            let Calibration { t: (t1, t2, t3), p } = self.calibration;
            let var1 = (i64::from((raw_t >> 3) - (i32::from(t1) << 1)) * i64::from(t2)) >> 11;
            let var2 = i64::from((raw_t >> 4) - i32::from(t1));
            let var2 = (((var2 * var2) >> 12) * i64::from(t3)) >> 14;
            let fine = (var1 + var2) as i32 >> 4;
            let pressure = p
                .iter()
                .rev()
                .fold(i64::from(raw_p), |acc, &c| acc + ((i64::from(fine) * i64::from(c)) >> 8));
            Ok(Measurement {
                centidegrees: (fine * 5 + 128) >> 8,
                pascals: pressure.clamp(0, 1 << 24) as u32,
            })
        }

        pub fn release(self) -> (I2C, D) {
            (self.bus, self.delay)
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum FakeError {
        Nack { after: u8 },
        Stuck,
    }

    impl hal::Error for FakeError {
        fn kind(&self) -> ErrorKind {
            match self {
                FakeError::Nack { .. } => ErrorKind::NoAcknowledge,
                _ => ErrorKind::Bus,
            }
        }
    }

    struct FakeBus {
        registers: [u8; 256],
        pointer: u8,
        transfers: u8,
        fails_after: Option<u8>,
        log: u32,
    }

    impl FakeBus {
        fn transfer(&mut self, what: u32) -> Result<(), FakeError> {
            self.log = self.log.wrapping_mul(0x0100_0193) ^ what;
            self.transfers += 1;
            match self.fails_after {
                Some(after) if self.transfers > after => Err(FakeError::Nack { after }),
                _ if self.transfers > 40 => Err(FakeError::Stuck),
                _ => Ok(()),
            }
        }
    }

    impl ErrorType for FakeBus {
        type Error = FakeError;
    }

    impl I2c for FakeBus {
        fn read(&mut self, address: u8, buffer: &mut [u8]) -> Result<(), FakeError> {
            self.transfer(u32::from(address) << 8 | buffer.len() as u32)?;
            for byte in buffer {
                *byte = self.registers[usize::from(self.pointer)];
                self.pointer = self.pointer.wrapping_add(1);
            }
            Ok(())
        }

        fn write(&mut self, address: u8, bytes: &[u8]) -> Result<(), FakeError> {
            self.transfer(u32::from(address) << 16 | u32::from(bytes[0]))?;
            match *bytes {
                [register] => self.pointer = register,
                [register, ref values @ ..] => {
                    let at = register as usize;
                    self.registers[at..at + values.len()].copy_from_slice(values);
                }
                [] => {}
            }
            Ok(())
        }
    }

    #[derive(Default)]
    struct Clock {
        nanoseconds: u64,
    }

    impl DelayNs for Clock {
        fn delay_ns(&mut self, ns: u32) {
            self.nanoseconds += u64::from(ns);
        }
    }

    fn average<I: I2c>(bus: I, count: u8) -> Result<(i32, u32, u64), Error<I::Error>> {
        let sensor = Sensor::new(bus, Clock::default(), 0x76)?;
        let mut sensor = sensor.start(count)?;
        let mut sum = (0, 0);
        for _ in 0..count {
            let Measurement { centidegrees, pascals } = sensor.measure()?;
            sum.0 += centidegrees;
            sum.1 += pascals;
        }
        let (_, clock) = sensor.release();
        Ok((sum.0 / i32::from(count), sum.1 / u32::from(count), clock.nanoseconds))
    }

    pub fn run(seed: u32) -> [u32; 6] {
        let mut registers = [0u8; 256];
        for (i, r) in registers.iter_mut().enumerate() {
            *r = (seed.rotate_left(i as u32) >> 3) as u8;
        }
        registers[0xD0] = if seed % 7 == 0 { 0x60 } else { 0x58 };
        registers[0x89] = 0x6b;
        let fails_after = (seed % 5 == 1).then_some((seed >> 9) as u8 % 12);
        let mut bus = FakeBus { registers, pointer: 0, transfers: 0, fails_after, log: 0x811c_9dc5 };
        let result = average(&mut bus, 1 + (seed >> 5) as u8 % 3);
        let [a, b, c, d] = match result {
            Ok((t, p, ns)) => [t as u32, p, ns as u32, 0],
            Err(Error::Bus(e @ FakeError::Nack { after })) => [1000, e.kind() as u32, after.into(), 1],
            Err(Error::Bus(e)) => [2000, e.kind() as u32, 0, 2],
            Err(Error::WrongChip(id)) => [3000, id as u32, 0, 3],
            Err(Error::NotReady) => [4000, 0, 0, 4],
        };
        [a, b, c, d, bus.log, u32::from(bus.transfers)]
    }
}

#[kernel]
pub fn sensors_read(seeds: &[u32], y: &mut [[u32; 6]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&SENSORS_READ, program::run)
}
