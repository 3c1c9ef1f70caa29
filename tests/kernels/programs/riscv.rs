//! RISC-V's base instructions: assembled, decoded, executed.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use self::decode::{Instruction, decode};

    pub mod isa {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub struct Reg(pub u8);

        impl Reg {
            pub const ZERO: Reg = Reg(0);
            pub const RA: Reg = Reg(1);
            pub const SP: Reg = Reg(2);
        }

        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Alu {
            Add,
            Sub,
            Sll,
            Slt,
            Sltu,
            Xor,
            Srl,
            Sra,
            Or,
            And,
        }

        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Cond {
            Eq,
            Ne,
            Lt,
            Ge,
            Ltu,
            Geu,
        }
    }

    pub mod decode {
        use super::Trap;
        use super::isa::*;

        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Instruction {
            Lui { rd: Reg, imm: u32 },
            Jal { rd: Reg, offset: i32 },
            Branch { cond: Cond, rs1: Reg, rs2: Reg, offset: i32 },
            Load { rd: Reg, base: Reg, offset: i32, width: Width },
            Store { src: Reg, base: Reg, offset: i32, width: Width },
            Imm { op: Alu, rd: Reg, rs1: Reg, imm: i32 },
            Op { op: Alu, rd: Reg, rs1: Reg, rs2: Reg },
            Ecall,
        }

        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Width {
            Byte { signed: bool },
            Word,
        }

        const fn bits(word: u32, high: u32, low: u32) -> u32 {
            (word >> low) & ((1 << (high - low + 1)) - 1)
        }

        fn reg(word: u32, at: u32) -> Reg {
            Reg(bits(word, at + 4, at) as u8)
        }

        pub fn decode(word: u32) -> Result<Instruction, Trap> {
            let (rd, rs1, rs2) = (reg(word, 7), reg(word, 15), reg(word, 20));
            let funct3 = bits(word, 14, 12);
            let funct7 = bits(word, 31, 25);
            let imm_i = word as i32 >> 20;
            Ok(match word & 0x7f {
                0x37 => Instruction::Lui { rd, imm: word & !0xfff },
                0x6f => {
                    let imm = bits(word, 31, 31) << 20
                        | bits(word, 19, 12) << 12
                        | bits(word, 20, 20) << 11
                        | bits(word, 30, 21) << 1;
                    Instruction::Jal { rd, offset: ((imm << 11) as i32) >> 11 }
                }
                0x63 => {
                    let imm = bits(word, 31, 31) << 12
                        | bits(word, 7, 7) << 11
                        | bits(word, 30, 25) << 5
                        | bits(word, 11, 8) << 1;
                    let cond = match funct3 {
                        0 => Cond::Eq,
                        1 => Cond::Ne,
                        4 => Cond::Lt,
                        5 => Cond::Ge,
                        6 => Cond::Ltu,
                        7 => Cond::Geu,
                        _ => return Err(Trap::Illegal(word)),
                    };
                    Instruction::Branch { cond, rs1, rs2, offset: (imm << 19) as i32 >> 19 }
                }
                0x03 => {
                    let width = match funct3 {
                        0b000 => Width::Byte { signed: true },
                        0b100 => Width::Byte { signed: false },
                        0b010 => Width::Word,
                        _ => return Err(Trap::Illegal(word)),
                    };
                    Instruction::Load { rd, base: rs1, offset: imm_i, width }
                }
                0x23 => {
                    let offset = (funct7 << 25) as i32 >> 20 | bits(word, 11, 7) as i32;
                    let width = if funct3 == 0 { Width::Byte { signed: true } } else { Width::Word };
                    Instruction::Store { src: rs2, base: rs1, offset, width }
                }
                opcode @ (0x13 | 0x33) => {
                    let register = opcode == 0x33;
                    let op = match (funct3, funct7, register) {
                        (0, 0x20, true) => Alu::Sub,
                        (0, _, false) | (0, 0, true) => Alu::Add,
                        (1, 0, _) => Alu::Sll,
                        (2, ..) => Alu::Slt,
                        (3, ..) => Alu::Sltu,
                        (4, ..) => Alu::Xor,
                        (5, 0x20, _) => Alu::Sra,
                        (5, 0, _) => Alu::Srl,
                        (6, ..) => Alu::Or,
                        (7, ..) => Alu::And,
                        _ => return Err(Trap::Illegal(word)),
                    };
                    if register {
                        Instruction::Op { op, rd, rs1, rs2 }
                    } else {
                        Instruction::Imm { op, rd, rs1, imm: imm_i }
                    }
                }
                0x73 => Instruction::Ecall,
                _ => Err(Trap::Illegal(word))?,
            })
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Trap {
        Illegal(u32),
        Fault { address: u32 },
        Halt,
    }

    pub struct Hart<'m> {
        pc: u32,
        x: [u32; 32],
        memory: &'m mut [u8],
        retired: u64,
    }

    impl<'m> Hart<'m> {
        pub fn new(memory: &'m mut [u8]) -> Self {
            let mut x = [0; 32];
            x[usize::from(isa::Reg::SP.0)] = memory.len() as u32;
            Self { pc: 0, x, memory, retired: 0 }
        }

        fn get(&self, isa::Reg(r): isa::Reg) -> u32 {
            self.x[r as usize]
        }

        fn set(&mut self, r: isa::Reg, value: u32) {
            if r != isa::Reg::ZERO {
                self.x[r.0 as usize] = value;
            }
        }

        fn word(&self, address: u32) -> Result<u32, Trap> {
            let at = address as usize;
            match self.memory.get(at..at + 4) {
                Some(&[a, b, c, d]) => Ok(u32::from_le_bytes([a, b, c, d])),
                _ => Err(Trap::Fault { address }),
            }
        }

        fn alu(op: isa::Alu, a: u32, b: u32) -> u32 {
            use isa::Alu::*;
            match op {
                Add => a.wrapping_add(b),
                Sub => a.wrapping_sub(b),
                Sll => a << (b & 31),
                Slt => ((a as i32) < b as i32).into(),
                Sltu => (a < b).into(),
                Xor => a ^ b,
                Srl => a >> (b & 31),
                Sra => (a as i32 >> (b & 31)) as u32,
                Or => a | b,
                And => a & b,
            }
        }

        pub fn step(&mut self) -> Result<(), Trap> {
            use decode::Width;
            let instruction = decode(self.word(self.pc)?)?;
            let mut next = self.pc.wrapping_add(4);
            match instruction {
                Instruction::Lui { rd, imm } => self.set(rd, imm),
                Instruction::Jal { rd, offset } => {
                    self.set(rd, next);
                    next = self.pc.wrapping_add_signed(offset);
                }
                Instruction::Branch { cond, rs1, rs2, offset } => {
                    let (a, b) = (self.get(rs1), self.get(rs2));
                    let taken = match cond {
                        isa::Cond::Eq => a == b,
                        isa::Cond::Ne => a != b,
                        isa::Cond::Lt => (a as i32) < (b as i32),
                        isa::Cond::Ge => a as i32 >= b as i32,
                        isa::Cond::Ltu => a < b,
                        isa::Cond::Geu => a >= b,
                    };
                    if taken {
                        next = self.pc.wrapping_add_signed(offset);
                    }
                }
                Instruction::Load { rd, base, offset, width } => {
                    let address = self.get(base).wrapping_add_signed(offset);
                    let value = match width {
                        Width::Word => self.word(address)?,
                        Width::Byte { signed } => {
                            let byte = *self.memory.get(address as usize).ok_or(Trap::Fault { address })?;
                            if signed { byte as i8 as u32 } else { byte.into() }
                        }
                    };
                    self.set(rd, value);
                }
                Instruction::Store { src, base, offset, width } => {
                    let address = self.get(base).wrapping_add_signed(offset);
                    let bytes = self.get(src).to_le_bytes();
                    let bytes = match width {
                        Width::Byte { .. } => &bytes[..1],
                        Width::Word => &bytes[..],
                    };
                    let at = address as usize;
                    let Some(slot) = self.memory.get_mut(at..at + bytes.len()) else {
                        return Err(Trap::Fault { address });
                    };
                    slot.copy_from_slice(bytes);
                }
                Instruction::Imm { op, rd, rs1, imm } => {
                    self.set(rd, Self::alu(op, self.get(rs1), imm as u32))
                }
                Instruction::Op { op, rd, rs1, rs2 } => {
                    self.set(rd, Self::alu(op, self.get(rs1), self.get(rs2)))
                }
                Instruction::Ecall => return Err(Trap::Halt),
            }
            self.pc = next;
            self.retired += 1;
            Ok(())
        }
    }

    const PROGRAM: [u32; 12] = [
        0x0000_0293, // addi t0, zero, 0
        0x0000_0313, // addi t1, zero, 0
        0x00a0_0393, // addi t2, zero, 10
        0x0053_0333, // add t1, t1, t0
        0x0012_8293, // addi t0, t0, 1
        0x4053_0e33, // sub t3, t1, t0
        0x01c3_4333, // xor t1, t1, t3
        0xfe72_98e3, // bne t0, t2, -16
        0xfe61_2e23, // sw t1, -4(sp)
        0xffc1_4503, // lbu a0, -4(sp)
        0x1234_55b7, // lui a1, 0x12345
        0x0000_0073, // ecall
    ];

    pub fn run(seed: u32) -> [u32; 8] {
        let mut memory = [0u8; 96];
        for (bytes, word) in memory.chunks_exact_mut(4).zip(PROGRAM) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        if seed % 3 == 0 {
            memory[40..44].copy_from_slice(&seed.to_le_bytes());
        }
        memory[2] = (seed as u8) & 0x30;
        let mut hart = Hart::new(&mut memory);
        let trap = (0..100).try_for_each(|_| hart.step()).err();
        let code = match trap {
            None => 0,
            Some(Trap::Halt) => 1,
            Some(Trap::Illegal(w)) => w ^ 0xffff,
            Some(Trap::Fault { address }) => address.wrapping_add(7),
        };
        [
            hart.x[5],
            hart.x[6],
            hart.x[10],
            hart.x[11],
            hart.pc,
            hart.retired as u32,
            code,
            hart.get(isa::Reg::RA),
        ]
    }
}

#[kernel]
pub fn riscv_executed(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&RISCV_EXECUTED, program::run)
}
