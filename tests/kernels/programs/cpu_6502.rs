//! An emulator of a processor with a bus that is a trait, and flags by a macro.
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::fmt;
    use core::ops::{BitAnd, BitOr, BitOrAssign, Not};

    macro_rules! bitflags {
        ($(#[$meta:meta])* $vis:vis struct $name:ident: $repr:ty { $(const $flag:ident = $value:expr;)* }) => {
            $(#[$meta])*
            #[derive(Clone, Copy, PartialEq, Eq, Default)]
            $vis struct $name($repr);

            impl $name {
                $(pub const $flag: Self = Self($value);)*
                pub const fn empty() -> Self { Self(0) }
                pub const fn all() -> Self { Self(0 $(| $value)*) }
                pub const fn bits(self) -> $repr { self.0 }
                pub const fn from_bits_truncate(bits: $repr) -> Self { Self(bits & Self::all().0) }
                pub const fn contains(self, other: Self) -> bool { self.0 & other.0 == other.0 }
                pub fn set(&mut self, other: Self, on: bool) {
                    if on { self.0 |= other.0 } else { self.0 &= !other.0 }
                }
            }
            impl BitOr for $name { type Output = Self; fn bitor(self, o: Self) -> Self { Self(self.0 | o.0) } }
            impl BitAnd for $name { type Output = Self; fn bitand(self, o: Self) -> Self { Self(self.0 & o.0) } }
            impl BitOrAssign for $name { fn bitor_assign(&mut self, o: Self) { self.0 |= o.0 } }
            impl Not for $name { type Output = Self; fn not(self) -> Self { Self(!self.0) & Self::all() } }
            impl fmt::Debug for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    let mut first = true;
                    $(
                        if self.contains(Self::$flag) {
                            if !first { f.write_str(" | ")?; }
                            first = false;
                            f.write_str(stringify!($flag))?;
                        }
                    )*
                    if first { f.write_str("(empty)")?; }
                    Ok(())
                }
            }
        };
    }

    bitflags! {
        /// The status register.
        pub struct Status: u8 {
            const CARRY = 1 << 0;
            const ZERO = 1 << 1;
            const OVERFLOW = 1 << 6;
            const NEGATIVE = 1 << 7;
        }
    }

    pub trait Bus {
        fn read(&mut self, addr: u16) -> u8;
        fn write(&mut self, addr: u16, value: u8);

        fn read_u16(&mut self, addr: u16) -> u16 {
            u16::from_le_bytes([self.read(addr), self.read(addr.wrapping_add(1))])
        }
    }

    pub struct Ram<const SIZE: usize> {
        bytes: [u8; SIZE],
        reads: u32,
    }

    impl<const SIZE: usize> Bus for Ram<SIZE> {
        fn read(&mut self, addr: u16) -> u8 {
            self.reads += 1;
            self.bytes[addr as usize % SIZE]
        }
        fn write(&mut self, addr: u16, value: u8) {
            self.bytes[addr as usize % SIZE] = value;
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Mode {
        Implied,
        Immediate,
        ZeroPage,
        ZeroPageX,
        Absolute,
        Relative,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Mnemonic {
        Lda,
        Sta,
        Adc,
        Sbc,
        Tax,
        Inx,
        Dex,
        Bne,
        Bcs,
        Jmp,
        Clc,
        Sec,
        Brk,
    }

    pub const fn decode(opcode: u8) -> Option<(Mnemonic, Mode)> {
        use Mnemonic::*;
        use Mode::*;
        Some(match opcode {
            0xa9 => (Lda, Immediate),
            0xa5 => (Lda, ZeroPage),
            0xb5 => (Lda, ZeroPageX),
            0x85 => (Sta, ZeroPage),
            0x95 => (Sta, ZeroPageX),
            0x8d => (Sta, Absolute),
            0x69 => (Adc, Immediate),
            0x65 => (Adc, ZeroPage),
            0xe9 => (Sbc, Immediate),
            0xaa => (Tax, Implied),
            0xe8 => (Inx, Implied),
            0xca => (Dex, Implied),
            0xd0 => (Bne, Relative),
            0xb0 => (Bcs, Relative),
            0x4c => (Jmp, Absolute),
            0x18 => (Clc, Implied),
            0x38 => (Sec, Implied),
            0x00 => (Brk, Implied),
            _ => return None,
        })
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Stop {
        Break,
        Illegal { opcode: u8, pc: u16 },
        Timeout,
    }

    pub struct Cpu<B> {
        a: u8,
        x: u8,
        pc: u16,
        p: Status,
        pub bus: B,
    }

    impl<B: Bus> Cpu<B> {
        pub fn new(bus: B) -> Self {
            Cpu { a: 0, x: 0, pc: 0, p: Status::default(), bus }
        }

        fn fetch(&mut self) -> u8 {
            let byte = self.bus.read(self.pc);
            self.pc = self.pc.wrapping_add(1);
            byte
        }

        fn address(&mut self, mode: Mode) -> Option<u16> {
            match mode {
                Mode::Implied => None,
                Mode::Immediate => {
                    self.pc = self.pc.wrapping_add(1);
                    Some(self.pc.wrapping_sub(1))
                }
                Mode::ZeroPage => Some(self.fetch().into()),
                Mode::ZeroPageX => Some(self.fetch().wrapping_add(self.x).into()),
                Mode::Absolute => {
                    let target = self.bus.read_u16(self.pc);
                    self.pc += 2;
                    Some(target)
                }
                Mode::Relative => {
                    let offset = self.fetch() as i8;
                    Some(self.pc.wrapping_add_signed(offset.into()))
                }
            }
        }

        fn flags(&mut self, value: u8) -> u8 {
            self.p.set(Status::ZERO, value == 0);
            self.p.set(Status::NEGATIVE, value & 0x80 != 0);
            value
        }

        fn add(&mut self, value: u8) {
            let carry = self.p.contains(Status::CARRY);
            let (sum, c1) = self.a.overflowing_add(value);
            let (sum, c2) = sum.overflowing_add(carry as u8);
            self.p.set(Status::CARRY, c1 | c2);
            self.p.set(Status::OVERFLOW, (!(self.a ^ value) & (self.a ^ sum)) & 0x80 != 0);
            self.a = self.flags(sum);
        }

        pub fn step(&mut self) -> Result<(), Stop> {
            let pc = self.pc;
            let opcode = self.fetch();
            let (mnemonic, mode) = decode(opcode).ok_or(Stop::Illegal { opcode, pc })?;
            let address = self.address(mode);
            match (mnemonic, address) {
                (Mnemonic::Lda, Some(at)) => {
                    let v = self.bus.read(at);
                    self.a = self.flags(v);
                }
                (Mnemonic::Sta, Some(at)) => self.bus.write(at, self.a),
                (Mnemonic::Adc, Some(at)) => {
                    let v = self.bus.read(at);
                    self.add(v);
                }
                (Mnemonic::Sbc, Some(at)) => {
                    let v = self.bus.read(at);
                    self.add(!v);
                }
                (Mnemonic::Tax, _) => self.x = self.flags(self.a),
                (Mnemonic::Inx, _) => self.x = self.flags(self.x.wrapping_add(1)),
                (Mnemonic::Dex, _) => self.x = self.flags(self.x.wrapping_sub(1)),
                (Mnemonic::Bne, Some(to)) if !self.p.contains(Status::ZERO) => self.pc = to,
                (Mnemonic::Bcs, Some(to)) if self.p.contains(Status::CARRY) => self.pc = to,
                (Mnemonic::Bne | Mnemonic::Bcs, _) => {}
                (Mnemonic::Jmp, Some(to)) => self.pc = to,
                (Mnemonic::Clc, _) => self.p.set(Status::CARRY, false),
                (Mnemonic::Sec, _) => self.p |= Status::CARRY,
                (Mnemonic::Brk, _) => return Err(Stop::Break),
                (m, None) => unreachable!("{m:?} has an operand"),
            }
            Ok(())
        }

        pub fn run(&mut self, limit: usize) -> Stop {
            match (0..limit).try_for_each(|_| self.step()) {
                Ok(()) => Stop::Timeout,
                Err(stop) => stop,
            }
        }
    }

    struct Fold(u64);
    impl fmt::Write for Fold {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            s.bytes().for_each(|b| self.0 = self.0.rotate_left(9) ^ u64::from(b));
            Ok(())
        }
    }

    fn result(seed: u32) -> u64 {
        use core::fmt::Write;
        let mut bytes = [0u8; 64];
        let code: [u8; 16] = [
            0xa9,
            seed as u8,
            0xaa,
            0x18,
            0x69,
            0x07,
            0x95,
            0x20,
            0xca,
            0xd0,
            0xf8,
            0xe9,
            0x03,
            0x85,
            0x30,
            (seed & 2) as u8,
        ];
        bytes[..code.len()].copy_from_slice(&code);
        let mut cpu = Cpu::new(Ram { bytes, reads: 0 });
        let stop = cpu.run(60);
        let mut out = Fold(0);
        write!(out, "{stop:?} a={:02x} x={:#04x} [{:?}] {}", cpu.a, cpu.x, cpu.p, cpu.bus.reads).unwrap();
        if let Some((m, mode)) = decode(bytes[seed as usize % 16]) {
            writeln!(out, "{m:?} {:?}", mode).unwrap();
        }
        out.0 ^ cpu.bus.bytes.iter().map(|&b| b as u64).sum::<u64>() ^ u64::from((!cpu.p).bits())
    }

    pub fn run(seed: u32) -> [u32; 2] {
        let result = result(seed);
        [result as u32, (result >> 32) as u32]
    }
}

#[kernel]
pub fn cpu_6502_run(seeds: &[u32], y: &mut [[u32; 2]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&CPU_6502_RUN, program::run)
}
