//! Machine code of x86-64, an instruction a row of [`table`].
//!
//! A [`Row`] says how an instruction is encoded; [`Assembler::emit`] puts it together with registers, memory operands and masks.
//! Addresses of labels and constants are filled in when all code is there.

#[macro_use]
mod table;
mod avx2;
#[cfg(test)]
mod tests;

pub(in crate::native) use avx2::*;
pub(in crate::native) use table::*;

use crate::dump::Listed;

/// The number of a register within its class.
pub(in crate::native) type Register = u8;

/// How an instruction is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::native) struct Row {
    /// Its place in its table, behind the number at which that starts.
    pub(in crate::native) number: u16,
    /// Its name in assembly, in lower case.
    pub(in crate::native) name: &'static str,
    pub(in crate::native) family: Family,
    /// The number of the opcode map: 0 for none, 1 for 0F, 2 for 0F38, 3 for 0F3A.
    pub(in crate::native) map: u8,
    /// The mandatory prefix: 0 for none, 1 for 66, 2 for F3, 3 for F2, and 4 for F0, which locks.
    pub(in crate::native) prefix: u8,
    pub(in crate::native) wide: bool,
    pub(in crate::native) opcode: u8,
    /// What stands in the register field where no register does.
    pub(in crate::native) extension: Option<u8>,
    /// Whether an immediate byte follows.
    pub(in crate::native) immediate: Immediate,
}

impl Row {
    /// Whether its registers are general ones.
    pub(in crate::native) fn is_general(&self) -> bool {
        match self.family {
            Family::Evex { .. } => false,
            Family::Vex { .. } => !self.name.starts_with('k'),
            Family::Legacy | Family::Byte => true,
        }
    }
}

/// The scheme by which an instruction is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::native) enum Family {
    /// Vectors of 512 (2), 256 (1) or 128 (0) bits, with the bytes of a memory operand that is not broadcast.
    Evex { length: u8, memory: u8 },
    /// Masks, general registers with three operands, and vectors of 128 and, with the length bit, of 256 bits.
    Vex { length: bool },
    /// General registers.
    Legacy,
    /// General registers, one of them of 8 bits, so that a prefix is always needed.
    Byte,
}

/// What follows an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::native) enum Immediate {
    None,
    Byte,
    Long,
    /// The number of the register of the mask.
    Mask,
}

/// Where a memory operand starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) enum Base {
    Register(Register),
    /// The constant at this place of the pool.
    Constant(u32),
}

/// A memory operand: `base + index * scale + displacement`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) struct Memory {
    pub(in crate::native) base: Base,
    /// A general register, or a vector of them.
    pub(in crate::native) index: Option<Register>,
    /// 1, 2, 4 or 8.
    pub(in crate::native) scale: u8,
    pub(in crate::native) displacement: i32,
    /// Whether one element is read for all.
    pub(in crate::native) broadcast: bool,
}

/// The operand that may be in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) enum Operand {
    Register(Register),
    Memory(Memory),
}

/// The operands of an instruction; what it has not is 0.
#[derive(Clone, Copy, Debug)]
pub(in crate::native) struct Operands {
    pub(in crate::native) register: Register,
    /// The second of three.
    pub(in crate::native) second: Register,
    pub(in crate::native) last: Operand,
    /// The mask; 0 for none.
    pub(in crate::native) mask: Register,
    /// Whether elements outside of the mask become zero, rather than stay.
    pub(in crate::native) zeroing: bool,
    pub(in crate::native) immediate: i32,
}

impl Operands {
    /// An instruction with these operands, for people: `v` for vectors, `r` for general registers and `k` for masks, where a row says which they are.
    fn described(&self, row: &Row) -> String {
        let bank = if row.is_general() { "r" } else { "v" };
        let last = match self.last {
            Operand::Register(register) => format!("{bank}{register}"),
            Operand::Memory(Memory { base, index, scale, displacement, broadcast }) => {
                let base = match base {
                    Base::Register(register) => format!("r{register}"),
                    Base::Constant(place) => format!("constant {place:#x}"),
                };
                let index = index.map_or_else(String::new, |index| format!(" + {index} * {scale}"));
                let all = if broadcast { " for all" } else { "" };
                format!("[{base}{index} + {displacement:#x}]{all}")
            }
        };
        let mask = match (self.mask, self.zeroing) {
            (0, _) => String::new(),
            (mask, false) => format!(" where k{mask}"),
            (mask, true) => format!(" where k{mask}, else 0"),
        };
        let immediate = match row.immediate {
            Immediate::None => String::new(),
            _ => format!(", {:#x}", self.immediate),
        };
        format!("{} {bank}{}, {bank}{}, {last}{immediate}{mask}", row.name, self.register, self.second)
    }
}

/// A place in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) struct Label(pub(in crate::native) u32);

/// A condition of a jump, by its number in the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(in crate::native) enum Condition {
    Below = 2,
    AboveOrEqual = 3,
    Equal = 4,
    NotEqual = 5,
    BelowOrEqual = 6,
    Above = 7,
    Less = 12,
    GreaterOrEqual = 13,
    LessOrEqual = 14,
    Greater = 15,
}

impl Condition {
    pub(in crate::native) const fn inverse(self) -> Self {
        match self {
            Self::Below => Self::AboveOrEqual,
            Self::AboveOrEqual => Self::Below,
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::BelowOrEqual => Self::Above,
            Self::Above => Self::BelowOrEqual,
            Self::Less => Self::GreaterOrEqual,
            Self::GreaterOrEqual => Self::Less,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
        }
    }
}

/// Code that grows at its end.
#[derive(Debug, Default)]
pub(in crate::native) struct Assembler {
    code: Vec<u8>,
    /// Where each label is, once it is bound.
    labels: Vec<Option<usize>>,
    /// Distances of 32 bits to fill in: where they are, and to what.
    fixups: Vec<(usize, Target)>,
    /// What is where, if somebody wants a listing.
    listed: Option<Vec<Listed>>,
}

#[derive(Clone, Copy, Debug)]
enum Target {
    Label(Label),
    /// A constant, and how many bytes of the instruction follow the distance.
    Constant(u32, usize),
}

impl Assembler {
    /// One that notes what it writes.
    pub(in crate::native) fn listing() -> Self {
        Self { listed: Some(Vec::new()), ..Self::default() }
    }

    /// What has been written, if it was noted.
    pub(in crate::native) fn take_listed(&mut self) -> Vec<Listed> {
        self.listed.take().unwrap_or_default()
    }

    /// Notes what comes, if somebody wants to know.
    pub(in crate::native) fn note(&mut self, text: impl FnOnce() -> String) {
        let offset = self.code.len();
        if let Some(listed) = &mut self.listed {
            listed.push(Listed { offset, text: text() });
        }
    }

    pub(in crate::native) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as u32 - 1)
    }

    pub(in crate::native) fn bind(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.code.len());
        self.note(|| format!("label {}:", label.0));
    }

    /// The code with its constants behind it, and every distance filled in.
    pub(in crate::native) fn finish(mut self, constants: &[u8]) -> Vec<u8> {
        // So that who reads the code finds its end.
        self.byte(0xcc);
        self.code.resize(self.code.len().next_multiple_of(64), 0xcc);
        let pool = self.code.len();
        self.code.extend_from_slice(constants);
        for (at, target) in self.fixups {
            let (to, rest) = match target {
                Target::Label(label) => (self.labels[label.0 as usize].unwrap_or(pool), 0),
                Target::Constant(offset, rest) => (pool + offset as usize, rest),
            };
            let distance = to as i64 - (at + 4 + rest) as i64;
            self.code[at..at + 4].copy_from_slice(&(distance as i32).to_le_bytes());
        }
        self.code
    }

    #[cfg(test)]
    pub(in crate::native) fn len(&self) -> usize {
        self.code.len()
    }

    pub(in crate::native) fn emit(&mut self, row: Row, operands: &Operands) {
        self.note(|| operands.described(&row));
        let register = row.extension.unwrap_or(operands.register);
        let scale = match row.family {
            Family::Evex { length, memory } => {
                self.evex(row, length, register, operands);
                match operands.last {
                    Operand::Memory(Memory { broadcast: true, .. }) => 4 << u8::from(row.wide),
                    _ => i32::from(memory),
                }
            }
            Family::Vex { length } => {
                self.vex(row, length, register, operands);
                1
            }
            Family::Legacy | Family::Byte => {
                self.legacy(row, register, operands);
                1
            }
        };
        let rest = match row.immediate {
            Immediate::None => 0,
            Immediate::Byte | Immediate::Mask => 1,
            Immediate::Long => 4,
        };
        self.last(register, operands.last, scale, rest);
        match row.immediate {
            Immediate::None => {}
            Immediate::Byte => self.byte(operands.immediate as u8),
            Immediate::Long => self.long(operands.immediate),
            Immediate::Mask => self.byte(operands.mask << 4),
        }
    }

    fn evex(&mut self, row: Row, length: u8, register: Register, operands: &Operands) {
        // The index of a vector of addresses has its highest bit where the second operand has it.
        let (x, b, fifth, broadcast) = match operands.last {
            Operand::Register(last) => (last >> 4 & 1, last >> 3 & 1, operands.second >> 4 & 1, 0),
            Operand::Memory(memory) => {
                let index = memory.index.unwrap_or(0);
                let fifth = (operands.second | index) >> 4 & 1;
                (index >> 3 & 1, base_bit(memory), fifth, u8::from(memory.broadcast))
            }
        };
        self.byte(0x62);
        let high = (!register >> 3 & 1) << 7 | (1 - x) << 6 | (1 - b) << 5 | (!register >> 4 & 1) << 4;
        self.byte(high | row.map);
        self.byte(u8::from(row.wide) << 7 | (!operands.second & 15) << 3 | 4 | row.prefix);
        let zeroing = u8::from(operands.zeroing && operands.mask != 0) << 7;
        self.byte(zeroing | length << 5 | broadcast << 4 | (1 - fifth) << 3 | operands.mask);
        self.byte(row.opcode);
    }

    fn vex(&mut self, row: Row, length: bool, register: Register, operands: &Operands) {
        let (x, b) = extensions(operands.last);
        if row.map == 1 && !row.wide && x == 0 && b == 0 {
            self.byte(0xc5);
            self.byte(
                (!register >> 3 & 1) << 7 | (!operands.second & 15) << 3 | u8::from(length) << 2 | row.prefix,
            );
            return self.byte(row.opcode);
        }
        self.byte(0xc4);
        self.byte((!register >> 3 & 1) << 7 | (1 - x) << 6 | (1 - b) << 5 | row.map);
        self.byte(
            u8::from(row.wide) << 7 | (!operands.second & 15) << 3 | u8::from(length) << 2 | row.prefix,
        );
        self.byte(row.opcode);
    }

    fn legacy(&mut self, row: Row, register: Register, operands: &Operands) {
        let (x, b) = extensions(operands.last);
        match row.prefix {
            1 => self.byte(0x66),
            2 => self.byte(0xf3),
            3 => self.byte(0xf2),
            4 => self.byte(0xf0),
            _ => {}
        }
        let rex = 0x40 | u8::from(row.wide) << 3 | (register >> 3) << 2 | x << 1 | b;
        if rex != 0x40 || row.family == Family::Byte {
            self.byte(rex);
        }
        match row.map {
            1 => self.byte(0x0f),
            2 => self.code.extend([0x0f, 0x38]),
            3 => self.code.extend([0x0f, 0x3a]),
            _ => {}
        }
        self.byte(row.opcode);
    }

    /// The bytes that name the operands; a displacement that is a multiple of `scale` may be short, and `rest` bytes follow.
    fn last(&mut self, register: Register, last: Operand, scale: i32, rest: usize) {
        let field = (register & 7) << 3;
        let memory = match last {
            Operand::Register(last) => return self.byte(0xc0 | field | last & 7),
            Operand::Memory(memory) => memory,
        };
        let base = match memory.base {
            Base::Register(base) => base,
            Base::Constant(offset) => {
                self.byte(field | 5);
                self.fixups.push((self.code.len(), Target::Constant(offset, rest)));
                return self.long(0);
            }
        };
        let displacement = memory.displacement;
        let short = (displacement % scale == 0)
            .then(|| displacement / scale)
            .filter(|short| (-128..128).contains(short));
        // Without a displacement, this base would mean the instruction pointer.
        let none = displacement == 0 && base & 7 != 5;
        let mode = match (none, short) {
            (true, _) => 0,
            (false, Some(_)) => 0x40,
            (false, None) => 0x80,
        };
        if memory.index.is_some() || base & 7 == 4 {
            self.byte(mode | field | 4);
            let index = memory.index.map_or(4, |index| index & 7);
            let scale = if memory.index.is_some() { memory.scale.trailing_zeros() as u8 } else { 0 };
            self.byte(scale << 6 | index << 3 | base & 7);
        } else {
            self.byte(mode | field | base & 7);
        }
        match (none, short) {
            (true, _) => {}
            (false, Some(short)) => self.byte(short as u8),
            (false, None) => self.long(displacement),
        }
    }

    /// Sets a general register to a number.
    pub(in crate::native) fn load_immediate(&mut self, register: Register, value: u64) {
        self.note(|| format!("mov r{register}, {value:#x}"));
        let high = register >> 3;
        let opcode = 0xb8 | register & 7;
        if let Ok(short) = u32::try_from(value) {
            if high != 0 {
                self.byte(0x41);
            }
            self.byte(opcode);
            self.long(short as i32);
        } else if i32::try_from(value as i64).is_ok() {
            self.code.extend([0x48 | high, 0xc7, 0xc0 | register & 7]);
            self.long(value as i32);
        } else {
            self.code.extend([0x48 | high, opcode]);
            self.code.extend(value.to_le_bytes());
        }
    }

    pub(in crate::native) fn jump(&mut self, to: Label) {
        self.note(|| format!("jmp label {}", to.0));
        self.byte(0xe9);
        self.distance(to);
    }

    pub(in crate::native) fn jump_if(&mut self, condition: Condition, to: Label) {
        self.note(|| format!("jump if {condition:?} to label {}", to.0));
        self.code.extend([0x0f, 0x80 | condition as u8]);
        self.distance(to);
    }

    pub(in crate::native) fn push(&mut self, register: Register) {
        self.note(|| format!("push r{register}"));
        if register >= 8 {
            self.byte(0x41);
        }
        self.byte(0x50 | register & 7);
    }

    pub(in crate::native) fn pop(&mut self, register: Register) {
        self.note(|| format!("pop r{register}"));
        if register >= 8 {
            self.byte(0x41);
        }
        self.byte(0x58 | register & 7);
    }

    pub(in crate::native) fn ret(&mut self) {
        self.note(|| "ret".into());
        self.byte(0xc3);
    }

    /// Sets the low byte of a register to whether a condition holds.
    pub(in crate::native) fn set(&mut self, condition: Condition, register: Register) {
        self.note(|| format!("set r{register} if {condition:?}"));
        self.code.extend([0x40 | register >> 3, 0x0f, 0x90 | condition as u8, 0xc0 | register & 7]);
    }

    /// Says that the upper parts of vectors are of no use, so that code without them is fast.
    pub(in crate::native) fn zero_upper(&mut self) {
        self.note(|| "vzeroupper".into());
        self.code.extend([0xc5, 0xf8, 0x77]);
    }

    fn distance(&mut self, to: Label) {
        self.fixups.push((self.code.len(), Target::Label(to)));
        self.long(0);
    }

    fn byte(&mut self, byte: u8) {
        self.code.push(byte);
    }

    fn long(&mut self, long: i32) {
        self.code.extend(long.to_le_bytes());
    }
}

/// The high bit of the base.
fn base_bit(memory: Memory) -> u8 {
    match memory.base {
        Base::Register(base) => base >> 3 & 1,
        Base::Constant(_) => 0,
    }
}

/// The high bits of index and base, or of the register in place of them.
fn extensions(last: Operand) -> (u8, u8) {
    match last {
        Operand::Register(last) => (0, last >> 3 & 1),
        Operand::Memory(memory) => (memory.index.unwrap_or(0) >> 3 & 1, base_bit(memory)),
    }
}
