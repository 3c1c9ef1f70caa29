//! An interpreter of CHIP-8, in the style of its many emulators.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod chip8 {
    pub const WIDTH: usize = 16;
    pub const HEIGHT: usize = 8;
    const FONT: [[u8; 5]; 4] = [
        [0xF0, 0x90, 0x90, 0x90, 0xF0],
        [0x20, 0x60, 0x20, 0x20, 0x70],
        [0xF0, 0x10, 0xF0, 0x80, 0xF0],
        [0xF0, 0x10, 0xF0, 0x10, 0xF0],
    ];

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Fault {
        UnknownOpcode(u16),
        StackOverflow,
        StackUnderflow,
    }

    #[must_use]
    enum ProgramCounter {
        Next,
        Skip,
        Jump(u16),
    }

    impl ProgramCounter {
        fn skip_if(condition: bool) -> ProgramCounter {
            if condition { ProgramCounter::Skip } else { ProgramCounter::Next }
        }
    }

    pub struct Cpu {
        v: [u8; 16],
        i: u16,
        pc: u16,
        sp: usize,
        stack: [u16; 4],
        ram: [u8; 128],
        pub screen: [[bool; WIDTH]; HEIGHT],
        rng: u32,
    }

    impl Cpu {
        pub fn new(program: &[u16], rng: u32) -> Self {
            let mut ram = [0u8; 128];
            for (i, byte) in FONT.iter().flatten().enumerate() {
                ram[i] = *byte;
            }
            for (k, op) in program.iter().enumerate() {
                ram[0x20 + 2 * k..0x20 + 2 * k + 2].copy_from_slice(&op.to_be_bytes());
            }
            Cpu {
                v: [0; 16],
                i: 0,
                pc: 0x20,
                sp: 0,
                stack: [0; 4],
                ram,
                screen: [[false; WIDTH]; HEIGHT],
                rng,
            }
        }

        fn fetch(&self) -> u16 {
            let pc = self.pc as usize;
            (self.ram[pc] as u16) << 8 | self.ram[pc + 1] as u16
        }

        pub fn step(&mut self) -> Result<(), Fault> {
            let op = self.fetch();
            let nibbles = (
                ((op & 0xF000) >> 12) as u8,
                ((op & 0x0F00) >> 8) as u8,
                ((op & 0x00F0) >> 4) as u8,
                (op & 0x000F) as u8,
            );
            let nnn = op & 0x0FFF;
            let kk = (op & 0x00FF) as u8;
            let x = nibbles.1 as usize;
            let y = nibbles.2 as usize;

            let pc_change = match nibbles {
                (0x0, 0x0, 0xe, 0x0) => {
                    self.screen.iter_mut().for_each(|row| row.fill(false));
                    ProgramCounter::Next
                }
                (0x0, 0x0, 0xe, 0xe) => {
                    self.sp = self.sp.checked_sub(1).ok_or(Fault::StackUnderflow)?;
                    ProgramCounter::Jump(self.stack[self.sp])
                }
                (0x1, ..) => ProgramCounter::Jump(nnn),
                (0x2, _, _, _) => {
                    *self.stack.get_mut(self.sp).ok_or(Fault::StackOverflow)? = self.pc + 2;
                    self.sp += 1;
                    ProgramCounter::Jump(nnn)
                }
                (0x3, _, _, _) => ProgramCounter::skip_if(self.v[x] == kk),
                (0x4, _, _, _) => ProgramCounter::skip_if(self.v[x] != kk),
                (0x5, _, _, 0x0) => ProgramCounter::skip_if(self.v[x] == self.v[y]),
                (0x6, ..) => {
                    self.v[x] = kk;
                    ProgramCounter::Next
                }
                (0x7, ..) => {
                    self.v[x] = self.v[x].wrapping_add(kk);
                    ProgramCounter::Next
                }
                (0x8, _, _, sub) => {
                    self.alu(sub, x, y).ok_or(Fault::UnknownOpcode(op))?;
                    ProgramCounter::Next
                }
                (0xa, ..) => {
                    self.i = nnn;
                    ProgramCounter::Next
                }
                (0xc, ..) => {
                    self.rng = self.rng.wrapping_mul(1664525).wrapping_add(1013904223);
                    self.v[x] = (self.rng >> 24) as u8 & kk;
                    ProgramCounter::Next
                }
                (0xd, _, _, n) => {
                    self.draw(x, y, n);
                    ProgramCounter::Next
                }
                (0xf, _, 0x1, 0xe) => {
                    self.i += u16::from(self.v[x]);
                    ProgramCounter::Next
                }
                (0xf, _, 0x2, 0x9) => {
                    self.i = (self.v[x] as u16 % 4) * 5;
                    ProgramCounter::Next
                }
                (0xf, _, 0x3, 0x3) => {
                    let value = self.v[x];
                    let digits = [value / 100, value / 10 % 10, value % 10];
                    self.ram[self.i as usize..][..3].copy_from_slice(&digits);
                    ProgramCounter::Next
                }
                _ => return Err(Fault::UnknownOpcode(op)),
            };

            match pc_change {
                ProgramCounter::Next => self.pc += 2,
                ProgramCounter::Skip => self.pc += 4,
                ProgramCounter::Jump(addr) => self.pc = addr,
            }
            Ok(())
        }

        fn alu(&mut self, op: u8, x: usize, y: usize) -> Option<()> {
            let (vx, vy) = (self.v[x], self.v[y]);
            let (value, flag) = match op {
                0x0 => (vy, None),
                0x1 => (vx | vy, None),
                0x2 => (vx & vy, None),
                0x3 => (vx ^ vy, None),
                0x4 => {
                    let (sum, carry) = vx.overflowing_add(vy);
                    (sum, Some(carry))
                }
                0x5 => (vx.wrapping_sub(vy), Some(vx >= vy)),
                0x6 => (vx >> 1, Some(vx & 1 == 1)),
                0xe => (vx << 1, Some(vx >> 7 == 1)),
                _ => return None,
            };
            self.v[x] = value;
            if let Some(flag) = flag {
                self.v[0xf] = flag.into();
            }
            Some(())
        }

        fn draw(&mut self, x: usize, y: usize, n: u8) {
            self.v[0xf] = 0;
            for row in 0..n as usize {
                let yy = (self.v[y] as usize + row) % HEIGHT;
                let sprite = self.ram[self.i as usize + row];
                for bit in 0..8 {
                    let xx = (self.v[x] as usize + bit) % WIDTH;
                    let on = sprite >> (7 - bit) & 1 != 0;
                    let pixel = &mut self.screen[yy][xx];
                    self.v[0xf] |= (on && *pixel) as u8;
                    *pixel ^= on;
                }
            }
        }

        pub fn checksum(&self) -> u32 {
            let mut sum = self.v.iter().fold(0u32, |acc, &r| acc.rotate_left(3) ^ r as u32);
            for row in &self.screen {
                let bits = row.iter().fold(0u32, |acc, &p| acc << 1 | p as u32);
                sum = sum.wrapping_mul(33).wrapping_add(bits);
            }
            sum
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use self::chip8::{Cpu, Fault};
    let rom = [
        0x6105,
        0xC23F,
        0xF229,
        0x6300,
        0xD135,
        0x2034,
        0x7103,
        0x4114,
        0x1032,
        0x1022,
        0x8214,
        0x8326,
        0x8425,
        0x00EE,
        0x820E,
        seed as u16,
    ];
    let mut cpu = Cpu::new(&rom, seed);
    let mut steps = 0;
    let fault = loop {
        match cpu.step() {
            Ok(()) if steps < 60 => steps += 1,
            Ok(()) => break None,
            Err(fault) => break Some(fault),
        }
    };
    let code = match fault {
        None => 0,
        Some(Fault::UnknownOpcode(op)) => op.into(),
        Some(Fault::StackOverflow) => 1 << 16,
        Some(Fault::StackUnderflow) => 2 << 16,
    };
    cpu.checksum() ^ code ^ steps << 20
}

#[kernel]
pub fn chip8(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&CHIP8, |i| program(seed(i)))
}
