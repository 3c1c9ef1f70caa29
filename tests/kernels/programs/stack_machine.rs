//! A stack machine with traps.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod vm {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u8)]
    pub enum Op {
        Nop = 0,
        Push,
        Add,
        Sub,
        Mul,
        Dup,
        Swap,
        Jnz = 0x10,
        Load,
        Store,
        Call,
        Ret,
        Halt = 0xff,
    }

    impl TryFrom<u8> for Op {
        type Error = Trap;
        fn try_from(byte: u8) -> Result<Self, Self::Error> {
            use Op::*;
            const ALL: [Op; 13] = [Nop, Push, Add, Sub, Mul, Dup, Swap, Jnz, Load, Store, Call, Ret, Halt];
            ALL.iter().copied().find(|&op| op as u8 == byte).ok_or(Trap::IllegalOpcode(byte))
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Trap {
        StackOverflow,
        StackUnderflow,
        IllegalOpcode(u8),
        PcOutOfRange(usize),
        OutOfFuel,
    }

    pub enum Step {
        Continue,
        Done(i64),
    }

    struct Stack<const N: usize> {
        data: [i64; N],
        sp: usize,
    }

    impl<const N: usize> Stack<N> {
        fn push(&mut self, v: i64) -> Result<(), Trap> {
            *self.data.get_mut(self.sp).ok_or(Trap::StackOverflow)? = v;
            self.sp += 1;
            Ok(())
        }
        fn pop(&mut self) -> Result<i64, Trap> {
            self.sp = self.sp.checked_sub(1).ok_or(Trap::StackUnderflow)?;
            Ok(self.data[self.sp])
        }
        fn peek_mut(&mut self) -> Result<&mut i64, Trap> {
            match self.sp {
                0 => Err(Trap::StackUnderflow),
                n => Ok(&mut self.data[n - 1]),
            }
        }
    }

    pub struct Machine<'p> {
        program: &'p [u8],
        pc: usize,
        stack: Stack<8>,
        calls: Stack<4>,
        mem: [i64; 4],
        fuel: u32,
    }

    impl<'p> Machine<'p> {
        pub fn new(program: &'p [u8]) -> Self {
            Machine {
                program,
                pc: 0,
                stack: Stack { data: [0; 8], sp: 0 },
                calls: Stack { data: [0; 4], sp: 0 },
                mem: Default::default(),
                fuel: 300,
            }
        }

        fn fetch(&mut self) -> Result<u8, Trap> {
            let b = *self.program.get(self.pc).ok_or(Trap::PcOutOfRange(self.pc))?;
            self.pc += 1;
            Ok(b)
        }

        fn binary(&mut self, f: fn(i64, i64) -> i64) -> Result<(), Trap> {
            let b = self.stack.pop()?;
            let a = self.stack.peek_mut()?;
            *a = f(*a, b);
            Ok(())
        }

        pub fn step(&mut self) -> Result<Step, Trap> {
            self.fuel = self.fuel.checked_sub(1).ok_or(Trap::OutOfFuel)?;
            let op: Op = self.fetch()?.try_into()?;
            match op {
                Op::Nop => {}
                Op::Push => {
                    let v = self.fetch()? as i8;
                    self.stack.push(v.into())?;
                }
                Op::Add => self.binary(|a, b| a.wrapping_add(b))?,
                Op::Sub => self.binary(i64::wrapping_sub)?,
                Op::Mul => self.binary(i64::wrapping_mul)?,
                Op::Dup => {
                    let v = *self.stack.peek_mut()?;
                    self.stack.push(v)?
                }
                Op::Swap => {
                    let (b, a) = (self.stack.pop()?, self.stack.pop()?);
                    self.stack.push(b)?;
                    self.stack.push(a)?;
                }
                Op::Jnz => {
                    let to = self.fetch()?;
                    if self.stack.pop()? != 0 {
                        self.pc = to as usize;
                    }
                }
                Op::Load => {
                    let slot = self.fetch()? as usize;
                    self.stack.push(self.mem[slot & 3])?;
                }
                Op::Store => {
                    let slot = self.fetch()? as usize;
                    self.mem[slot & 3] = self.stack.pop()?;
                }
                Op::Call => {
                    let to = self.fetch()?;
                    self.calls.push(self.pc as i64)?;
                    self.pc = to.into();
                }
                Op::Ret => self.pc = self.calls.pop()? as usize,
                Op::Halt => return self.stack.pop().map(Step::Done),
            }
            Ok(Step::Continue)
        }

        pub fn run(mut self) -> Result<i64, Trap> {
            loop {
                if let Step::Done(v) = self.step()? {
                    return Ok(v);
                }
            }
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use vm::{Machine, Op, Trap};
    let n = (seed % 12) as u8;
    let mut code = [
        Op::Push as u8,
        n,
        Op::Store as u8,
        0,
        Op::Push as u8,
        1,
        Op::Store as u8,
        1,
        // loop:
        Op::Load as u8,
        1,
        Op::Load as u8,
        0,
        Op::Call as u8,
        24,
        Op::Store as u8,
        1,
        Op::Load as u8,
        0,
        Op::Jnz as u8,
        8,
        Op::Load as u8,
        1,
        Op::Halt as u8,
        0,
        // 24: body
        Op::Mul as u8,
        Op::Load as u8,
        0,
        Op::Push as u8,
        1,
        Op::Sub as u8,
        Op::Store as u8,
        0,
        Op::Push as u8,
        3,
        Op::Add as u8,
        Op::Ret as u8,
    ];
    if seed % 7 == 0 {
        code[(seed / 7 % 36) as usize] = (seed >> 9) as u8;
    }
    match Machine::new(&code).run() {
        Ok(v) => v as u32 ^ (v >> 32) as u32,
        Err(Trap::IllegalOpcode(b)) => 1000 + b as u32,
        Err(Trap::PcOutOfRange(pc)) => 2000 + pc as u32,
        Err(t @ (Trap::StackOverflow | Trap::StackUnderflow)) => 3000 + (t == Trap::StackOverflow) as u32,
        Err(Trap::OutOfFuel) => 4000,
    }
}

#[kernel]
pub fn stack_machine(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&STACK_MACHINE, |i| program(seed(i)))
}
