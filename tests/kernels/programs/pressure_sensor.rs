//! A driver of a pressure sensor over a bus that is a trait, with a bus of registers to test it.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod hal {
    pub trait ErrorType {
        type Error: core::fmt::Debug;
    }

    pub trait I2c: ErrorType {
        fn write(&mut self, address: u8, bytes: &[u8]) -> Result<(), Self::Error>;
        fn write_read(&mut self, address: u8, bytes: &[u8], buffer: &mut [u8]) -> Result<(), Self::Error>;
    }

    impl<T: I2c + ?Sized> I2c for &mut T {
        fn write(&mut self, address: u8, bytes: &[u8]) -> Result<(), Self::Error> {
            T::write(self, address, bytes)
        }

        fn write_read(&mut self, address: u8, bytes: &[u8], buffer: &mut [u8]) -> Result<(), Self::Error> {
            T::write_read(self, address, bytes, buffer)
        }
    }

    impl<T: ErrorType + ?Sized> ErrorType for &mut T {
        type Error = T::Error;
    }

    pub trait DelayNs {
        fn delay_ns(&mut self, ns: u32);

        fn delay_ms(&mut self, ms: u32) {
            for _ in 0..ms {
                self.delay_ns(1_000_000);
            }
        }
    }
}

#[device]
mod bmp {
    use super::hal::{DelayNs, I2c};

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Error<E> {
        Bus(E),
        BadChip(u8),
        Timeout,
    }

    impl<E> From<E> for Error<E> {
        fn from(e: E) -> Self {
            Error::Bus(e)
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
    #[repr(u8)]
    pub enum Oversampling {
        Skipped,
        #[default]
        X1,
        X2,
        X4,
        X8,
        X16,
    }

    struct Register;

    impl Register {
        const CALIB: u8 = 0x88;
        const ID: u8 = 0xd0;
        const RESET: u8 = 0xe0;
        const STATUS: u8 = 0xf3;
        const CTRL: u8 = 0xf4;
        const DATA: u8 = 0xf7;
    }

    #[derive(Debug, Default, Clone)]
    struct Calibration {
        t1: u16,
        t2: i16,
        t3: i16,
        p: [i32; 9],
    }

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Measurement {
        pub celsius: f32,
        pub pascal: u32,
    }

    pub struct Bmp280<I, D> {
        i2c: I,
        delay: D,
        address: u8,
        calibration: Calibration,
        oversampling: (Oversampling, Oversampling),
    }

    impl<I, D, E> Bmp280<I, D>
    where
        I: I2c<Error = E>,
        D: DelayNs,
    {
        pub const PRIMARY: u8 = 0x76;

        pub fn new(i2c: I, delay: D) -> Self {
            Self {
                i2c,
                delay,
                address: Self::PRIMARY,
                calibration: Default::default(),
                oversampling: Default::default(),
            }
        }

        pub fn with_oversampling(mut self, temperature: Oversampling, pressure: Oversampling) -> Self {
            self.oversampling = (temperature, pressure);
            self
        }

        fn read<const N: usize>(&mut self, register: u8) -> Result<[u8; N], Error<E>> {
            let mut buffer = [0; N];
            self.i2c.write_read(self.address, &[register], &mut buffer)?;
            Ok(buffer)
        }

        pub fn init(&mut self) -> Result<(), Error<E>> {
            match self.read(Register::ID)? {
                [0x58] => {}
                [id] => return Err(Error::BadChip(id)),
            }
            self.i2c.write(self.address, &[Register::RESET, 0xb6])?;
            self.delay.delay_ms(2);
            let c: [u8; 24] = self.read(Register::CALIB)?;
            let word = |i: usize| u16::from_le_bytes([c[i], c[i + 1]]);
            self.calibration = Calibration {
                t1: word(0),
                t2: word(2) as i16,
                t3: word(4) as i16,
                p: core::array::from_fn(|k| match k {
                    0 => word(6).into(),
                    k => i32::from(word(6 + 2 * k) as i16),
                }),
            };
            Ok(())
        }

        pub fn measure(&mut self) -> Result<Measurement, Error<E>> {
            let (t, p) = self.oversampling;
            self.i2c.write(self.address, &[Register::CTRL, (t as u8) << 5 | (p as u8) << 2 | 0b01])?;
            let mut tries = 0..5;
            loop {
                let [status] = self.read(Register::STATUS)?;
                if status & 0x08 == 0 {
                    break;
                }
                tries.next().ok_or(Error::Timeout)?;
                self.delay.delay_ms(1);
            }
            let [p_msb, p_lsb, p_xlsb, t_msb, t_lsb, t_xlsb] = self.read(Register::DATA)?;
            let raw = |[msb, lsb, xlsb]: [u8; 3]| {
                (i32::from(msb) << 12) | (i32::from(lsb) << 4) | i32::from(xlsb >> 4)
            };
            let fine = self.fine(raw([t_msb, t_lsb, t_xlsb]));
            Ok(Measurement {
                celsius: ((fine * 5 + 128) >> 8) as f32 / 100.0,
                pascal: self.pressure(fine, raw([p_msb, p_lsb, p_xlsb])),
            })
        }

        fn fine(&self, raw: i32) -> i32 {
            let &Calibration { t1, t2, t3, .. } = &self.calibration;
            let (t1, t2, t3) = (t1 as i32, t2 as i32, t3 as i32);
            let var1 = (((raw >> 3) - (t1 << 1)) * t2) >> 11;
            let d = (raw >> 4) - t1;
            var1 + ((((d * d) >> 12) * t3) >> 14)
        }

        fn pressure(&self, fine: i32, raw: i32) -> u32 {
            let p = self.calibration.p.map(i64::from);
            let var1 = fine as i64 - 128_000;
            let var2 = var1 * var1 * p[5] + ((var1 * p[4]) << 17) + (p[3] << 35);
            let var1 = ((var1 * var1 * p[2]) >> 8) + ((var1 * p[1]) << 12);
            let var1 = (((1_i64 << 47) + var1) * p[0]) >> 33;
            if var1 == 0 {
                return 0;
            }
            let mut acc = 1_048_576 - raw as i64;
            acc = (((acc << 31) - var2) * 3125) / var1;
            let var1 = (p[8] * (acc >> 13) * (acc >> 13)) >> 25;
            let var2 = (p[7] * acc) >> 19;
            ((((acc + var1 + var2) >> 8) + (p[6] << 4)) / 256) as u32
        }

        pub fn release(self) -> (I, D) {
            (self.i2c, self.delay)
        }
    }
}

#[device]
mod mock {
    use super::hal::*;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum BusError {
        Nack,
        Overrun,
    }

    pub struct Registers {
        pub memory: [u8; 256],
        pub busy: u32,
        pub transfers: u32,
    }

    impl ErrorType for Registers {
        type Error = BusError;
    }

    impl I2c for Registers {
        fn write(&mut self, address: u8, bytes: &[u8]) -> Result<(), BusError> {
            self.transfers += 1;
            match (address, bytes) {
                (0x76, &[register, value]) => {
                    self.memory[register as usize] = value;
                    Ok(())
                }
                (0x76, _) => Err(BusError::Overrun),
                _ => Err(BusError::Nack),
            }
        }

        fn write_read(&mut self, address: u8, bytes: &[u8], buffer: &mut [u8]) -> Result<(), BusError> {
            let &[register] = bytes else { return Err(BusError::Overrun) };
            if address != 0x76 {
                return Err(BusError::Nack);
            }
            self.transfers += 1;
            let from = usize::from(register);
            buffer.copy_from_slice(self.memory.get(from..from + buffer.len()).ok_or(BusError::Overrun)?);
            if register == 0xf3 && self.busy > 0 {
                self.busy -= 1;
                buffer[0] |= 0x08;
            }
            Ok(())
        }
    }

    #[derive(Default)]
    pub struct Clock(pub u64);

    impl DelayNs for Clock {
        fn delay_ns(&mut self, ns: u32) {
            self.0 += u64::from(ns);
        }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 5] {
    use bmp::{Bmp280, Error, Oversampling};
    let mut bus = mock::Registers { memory: [0; 256], busy: seed % 8, transfers: 0 };
    let words: [u16; 12] = [
        27504,
        26435,
        -1000i16 as u16,
        36477,
        -10685i16 as u16,
        3024,
        2855,
        140,
        -7i16 as u16,
        15500,
        -14600i16 as u16,
        6000,
    ];
    for (pair, word) in bus.memory[0x88..].chunks_exact_mut(2).zip(words) {
        pair.copy_from_slice(&word.to_le_bytes());
    }
    bus.memory[0xd0] = if seed % 7 == 3 { 0x60 } else { 0x58 };
    bus.memory[0xf7..0xfd].copy_from_slice(&[0x65, 0x5a, 0xc0, 0x7e, seed as u8, 0x00]);

    let mut sensor =
        Bmp280::new(&mut bus, mock::Clock::default()).with_oversampling(Oversampling::X2, Oversampling::X16);
    let result = sensor.init().and_then(|()| sensor.measure());
    let (bus, clock) = sensor.release();
    let (a, b) = match result {
        Ok(m) => (m.celsius.to_bits(), m.pascal),
        Err(Error::Bus(e)) => (1, e as u32),
        Err(Error::BadChip(id)) => (2, id.into()),
        Err(Error::Timeout) => (3, 0),
    };
    [a, b, bus.transfers, (clock.0 / 1000) as u32, bus.memory[0xf4] as u32]
}

#[kernel]
pub fn pressure_sensor(seeds: &[u32], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&PRESSURE_SENSOR, program)
}
