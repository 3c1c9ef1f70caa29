//! A virtual machine for bytecode, with an instruction trait and a decoder.

use crate::kernels::case::Case;
use crate::kernels::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod machine {
    pub const STACK: usize = 8;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u8)]
    pub enum Opcode {
        Halt = 0,
        Push = 1,
        Dup = 2,
        Swap = 3,
        Drop = 4,
        Add = 16,
        Sub,
        Mul,
        Less,
        Jump = 32,
        JumpIfZero,
        Load = 48,
        Store,
    }

    impl Opcode {
        const TABLE: [Opcode; 13] = [
            Opcode::Halt,
            Opcode::Push,
            Opcode::Dup,
            Opcode::Swap,
            Opcode::Drop,
            Opcode::Add,
            Opcode::Sub,
            Opcode::Mul,
            Opcode::Less,
            Opcode::Jump,
            Opcode::JumpIfZero,
            Opcode::Load,
            Opcode::Store,
        ];

        pub fn decode(byte: u8) -> Option<Self> {
            Self::TABLE.iter().copied().find(|op| *op as u8 == byte)
        }

        fn binary(self) -> Option<fn(i32, i32) -> i32> {
            Some(match self {
                Opcode::Add => add,
                Opcode::Sub => subtract,
                Opcode::Mul => |a: i32, b: i32| a.wrapping_mul(b),
                Opcode::Less => |a: i32, b: i32| (a < b) as i32,
                _ => return None,
            })
        }
    }

    fn add(a: i32, b: i32) -> i32 {
        a.wrapping_add(b)
    }

    fn subtract(a: i32, b: i32) -> i32 {
        a.wrapping_sub(b)
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Trap {
        BadOpcode { at: usize, byte: u8 },
        StackOverflow,
        StackUnderflow,
        OutOfCode,
        OutOfFuel,
    }

    type Result<T> = core::result::Result<T, Trap>;

    pub struct Machine<'code> {
        code: &'code [u8],
        pc: usize,
        stack: [i32; STACK],
        top: usize,
        memory: [i32; 4],
        fuel: u32,
    }

    impl<'code> Machine<'code> {
        pub fn new(code: &'code [u8], memory: [i32; 4]) -> Self {
            Self { code, pc: 0, stack: [0; STACK], top: 0, memory, fuel: 200 }
        }

        fn fetch(&mut self) -> Result<u8> {
            let byte = *self.code.get(self.pc).ok_or(Trap::OutOfCode)?;
            self.pc += 1;
            Ok(byte)
        }

        fn push(&mut self, value: i32) -> Result<()> {
            let slot = self.stack.get_mut(self.top).ok_or(Trap::StackOverflow)?;
            *slot = value;
            self.top += 1;
            Ok(())
        }

        fn pop(&mut self) -> Result<i32> {
            if self.top == 0 {
                return Err(Trap::StackUnderflow);
            }
            self.top -= 1;
            Ok(self.stack[self.top])
        }

        fn cell(&mut self) -> Result<&mut i32> {
            let at = self.fetch()? as usize % self.memory.len();
            Ok(&mut self.memory[at])
        }

        /// Whether the machine goes on.
        pub fn step(&mut self) -> Result<bool> {
            self.fuel = self.fuel.checked_sub(1).ok_or(Trap::OutOfFuel)?;
            let at = self.pc;
            let byte = self.fetch()?;
            let op = Opcode::decode(byte).ok_or(Trap::BadOpcode { at, byte })?;
            if let Some(function) = op.binary() {
                let (b, a) = (self.pop()?, self.pop()?);
                self.push(function(a, b))?;
                return Ok(true);
            }
            match op {
                Opcode::Halt => return Ok(false),
                Opcode::Push => {
                    let value = self.fetch()? as i8;
                    self.push(value.into())?;
                }
                Opcode::Dup => {
                    let value = self.pop()?;
                    self.push(value)?;
                    self.push(value)?;
                }
                Opcode::Swap => {
                    let (b, a) = (self.pop()?, self.pop()?);
                    self.push(b)?;
                    self.push(a)?;
                }
                Opcode::Drop => drop(self.pop()?),
                Opcode::Jump => self.pc = self.fetch()? as usize,
                Opcode::JumpIfZero => {
                    let target = self.fetch()? as usize;
                    if self.pop()? == 0 {
                        self.pc = target;
                    }
                }
                Opcode::Load => {
                    let value = *self.cell()?;
                    self.push(value)?;
                }
                Opcode::Store => {
                    let value = self.pop()?;
                    *self.cell()? = value;
                }
                Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Less => unreachable!(),
            }
            Ok(true)
        }

        pub fn run(mut self) -> core::result::Result<[i32; 4], (Trap, usize)> {
            loop {
                match self.step() {
                    Ok(true) => {}
                    Ok(false) => break Ok(self.memory),
                    Err(trap) => break Err((trap, self.pc)),
                }
            }
        }
    }
}

#[device]
fn outcome(code: &[u8], n: i32) -> [i32; 4] {
    use machine::{Machine, Trap};
    match Machine::new(code, [n, 1, 0, 0]).run() {
        Ok(memory) => memory,
        Err((Trap::BadOpcode { at, byte }, _)) => [-1, at as i32, byte as i32, 0],
        Err((trap @ (Trap::StackOverflow | Trap::StackUnderflow), pc)) => {
            [-2, pc as i32, (trap == Trap::StackOverflow) as i32, 0]
        }
        Err((_, pc)) => [-3, pc as i32, 0, 0],
    }
}

#[kernel]
pub fn bytecode(code: &[u8], starts: &[usize], n: &[i32], y: &mut [[i32; 4]]) {
    let i = global_id(0);
    let start = starts[i % starts.len()];
    y[i] = outcome(&code[start..], n[i / starts.len()]);
}

pub fn case() -> Case {
    // A factorial, then code that traps.
    let factorial = [48, 0, 33, 19, 48, 1, 48, 0, 18, 49, 1, 48, 0, 1, 1, 17, 49, 0, 32, 0_u8, 0];
    let mut code = factorial.to_vec();
    code[3] = 20;
    let others: [&[u8]; 5] =
        [&[1, 5, 99], &[16], &[1, 1, 32, 0], &[2], &[1, 3, 1, 4, 19, 49, 2, 1, 9, 2, 3, 4, 49, 3, 0]];
    let mut starts = vec![0];
    for other in others {
        starts.push(code.len());
        code.extend(other);
    }
    let n = [5, 0, 12];
    let positions: Vec<usize> = (0..starts.len() * n.len()).collect();
    let y = map(&positions, |i| outcome(&code[starts[i % starts.len()]..], n[i / starts.len()]));
    Case::of(&BYTECODE).input(&code).input(&starts).input(&n).output(&y).items([y.len()])
}
