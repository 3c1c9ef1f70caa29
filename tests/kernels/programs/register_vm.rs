//! A machine of registers: words decoded to instructions, with flags, a stack and traps.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod machine {
    use core::convert::TryFrom;
    use core::ops::ControlFlow;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Register(u8);

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Instruction {
        Load(Register, i8),
        Alu(Operation, Register, Register),
        Branch { condition: Condition, offset: i8 },
        Push(Register),
        Pop(Register),
        Halt,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Operation {
        Add,
        Sub,
        Mul,
        Xor,
        Shr,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Condition {
        Always,
        Zero,
        NotZero,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Trap {
        Illegal(u16),
        StackOverflow,
        StackUnderflow,
        OutOfCode(isize),
        OutOfFuel,
    }

    macro_rules! registers {
        ($word:expr; $($shift:literal),+) => { ($(Register(($word >> $shift) as u8 & 7)),+) };
    }

    impl TryFrom<u16> for Instruction {
        type Error = Trap;

        fn try_from(word: u16) -> Result<Self, Self::Error> {
            let (a, b) = registers!(word; 8, 4);
            Ok(match word >> 12 {
                0 => Self::Halt,
                1 => Self::Load(a, word as i8),
                n @ 2..=6 => {
                    const OPERATIONS: [Operation; 5] =
                        [Operation::Add, Operation::Sub, Operation::Mul, Operation::Xor, Operation::Shr];
                    Self::Alu(OPERATIONS[n as usize - 2], a, b)
                }
                7 => Self::Branch {
                    condition: match a.0 {
                        0 => Condition::Always,
                        1 => Condition::Zero,
                        2 => Condition::NotZero,
                        _ => return Err(Trap::Illegal(word)),
                    },
                    offset: word as u8 as i8,
                },
                8 => Self::Push(a),
                9 => Self::Pop(a),
                _ => return Err(Trap::Illegal(word)),
            })
        }
    }

    #[derive(Default)]
    pub struct Machine {
        registers: [i32; 8],
        stack: [i32; 6],
        depth: usize,
        counter: isize,
        zero: bool,
    }

    impl Machine {
        fn register(&mut self, r: Register) -> &mut i32 {
            &mut self.registers[r.0 as usize]
        }

        pub fn step(&mut self, code: &[u16]) -> ControlFlow<Result<i32, Trap>> {
            let word = usize::try_from(self.counter).ok().and_then(|at| code.get(at));
            let Some(&word) = word else { return ControlFlow::Break(Err(Trap::OutOfCode(self.counter))) };
            self.counter += 1;
            let instruction = match word.try_into() {
                Ok(i) => i,
                Err(trap) => return ControlFlow::Break(Err(trap)),
            };
            match instruction {
                Instruction::Halt => return ControlFlow::Break(Ok(self.registers[0])),
                Instruction::Load(r, n) => *self.register(r) = n.into(),
                Instruction::Alu(operation, a, b) => {
                    let right = *self.register(b);
                    let left = self.register(a);
                    let apply: fn(i32, i32) -> i32 = match operation {
                        Operation::Add => i32::wrapping_add,
                        Operation::Sub => i32::wrapping_sub,
                        Operation::Mul => i32::wrapping_mul,
                        Operation::Xor => |x, y| x ^ y,
                        Operation::Shr => |x, y| x.wrapping_shr(y as u32),
                    };
                    *left = apply(*left, right);
                    let result = *left;
                    self.zero = result == 0;
                }
                Instruction::Branch { condition, offset } => {
                    if match condition {
                        Condition::Always => true,
                        Condition::Zero => self.zero,
                        Condition::NotZero => !self.zero,
                    } {
                        self.counter += isize::from(offset);
                    }
                }
                Instruction::Push(r) => {
                    let value = *self.register(r);
                    match self.stack.get_mut(self.depth) {
                        Some(slot) => *slot = value,
                        None => return ControlFlow::Break(Err(Trap::StackOverflow)),
                    }
                    self.depth += 1;
                }
                Instruction::Pop(r) => {
                    self.depth = match self.depth.checked_sub(1) {
                        Some(d) => d,
                        None => return ControlFlow::Break(Err(Trap::StackUnderflow)),
                    };
                    *self.register(r) = self.stack[self.depth];
                }
            }
            ControlFlow::Continue(())
        }

        pub fn run(&mut self, code: &[u16], fuel: u32) -> Result<i32, Trap> {
            match (0..fuel).try_for_each(|_| self.step(code)) {
                ControlFlow::Break(end) => end,
                ControlFlow::Continue(()) => Err(Trap::OutOfFuel),
            }
        }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 3] {
    use machine::{Machine, Trap};
    let code = |r: Result<i32, Trap>| match r {
        Ok(n) => n as u32,
        Err(Trap::Illegal(word)) => 0x1_0000 | u32::from(word),
        Err(Trap::StackOverflow) => 0x2_0000,
        Err(Trap::StackUnderflow) => 0x2_0001,
        Err(Trap::OutOfCode(at)) => 0x3_0000 ^ at as u32,
        Err(Trap::OutOfFuel) => 0x4_0000,
    };
    let n = seed % 12;
    let factorial = [0x1001, 0x1100 | n as u16, 0x1201, 0x4010, 0x3120, 0x7200 | 0xfd, 0x0000];
    let noise: [u16; 16] = core::array::from_fn(|i| (seed.rotate_left(i as u32 * 3) as u16) & 0x9fff);
    let first = Machine::default().run(&factorial, 60);
    let second = Machine::default().run(&noise, 40);
    let stack = [0x8000, 0x9100, 0x7000 | (seed as u8 | 0xf0) as u16];
    [code(first), code(second), code(Machine::default().run(&stack, 50))]
}

#[kernel]
pub fn register_vm(seeds: &[u32], y: &mut [[u32; 3]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&REGISTER_VM, program)
}
