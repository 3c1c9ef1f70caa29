//! A small stack machine with a program in a constant.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! A small stack machine with a program in a constant.
    #[repr(u8)]
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Op {
        Push(i32),
        Load(u8),
        Store(u8),
        Add,
        Mul,
        Sub,
        Less,
        Jump(u16),
        JumpIfZero(u16),
        Dup,
        Halt,
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Trap {
        StackUnderflow,
        StackOverflow,
        BadJump(u16),
        OutOfFuel,
    }

    pub struct Machine<'p, const STACK: usize = 16> {
        program: &'p [Op],
        stack: [i32; STACK],
        sp: usize,
        pc: usize,
        vars: [i32; 4],
    }

    impl<'p, const STACK: usize> Machine<'p, STACK> {
        pub fn new(program: &'p [Op]) -> Self {
            Machine { program, stack: [0; STACK], sp: 0, pc: 0, vars: Default::default() }
        }

        fn push(&mut self, value: i32) -> Result<(), Trap> {
            if self.sp == STACK {
                return Err(Trap::StackOverflow);
            }
            self.stack[self.sp] = value;
            self.sp += 1;
            Ok(())
        }

        fn pop(&mut self) -> Result<i32, Trap> {
            if self.sp == 0 {
                Err(Trap::StackUnderflow)
            } else {
                self.sp -= 1;
                Ok(self.stack[self.sp])
            }
        }

        fn binary(&mut self, f: impl FnOnce(i32, i32) -> i32) -> Result<(), Trap> {
            let b = self.pop()?;
            let a = self.pop()?;
            self.push(f(a, b))
        }

        pub fn step(&mut self) -> Result<bool, Trap> {
            let op = *self.program.get(self.pc).ok_or(Trap::BadJump(self.pc as u16))?;
            self.pc += 1;
            match op {
                Op::Push(v) => self.push(v)?,
                Op::Load(i) => self.push(self.vars[i as usize])?,
                Op::Store(i) => self.vars[usize::from(i)] = self.pop()?,
                Op::Add => self.binary(i32::wrapping_add)?,
                Op::Mul => self.binary(|a, b| a.wrapping_mul(b))?,
                Op::Sub => self.binary(i32::wrapping_sub)?,
                Op::Less => self.binary(|a, b| (a < b) as i32)?,
                Op::Jump(to) => self.pc = to.into(),
                Op::JumpIfZero(to) => {
                    if self.pop()? == 0 {
                        self.pc = to as usize;
                    }
                }
                Op::Dup => {
                    let top = self.pop()?;
                    self.push(top)?;
                    self.push(top)?;
                }
                Op::Halt => return Ok(false),
            }
            Ok(true)
        }

        pub fn run(&mut self, fuel: u32) -> Result<i32, Trap> {
            for _ in 0..fuel {
                if !self.step()? {
                    return self.pop();
                }
            }
            Err(Trap::OutOfFuel)
        }
    }

    /// Computes n! modulo 2^32.
    const FACTORIAL: &[Op] = &[
        Op::Push(1),
        Op::Store(1),
        Op::Push(1),
        Op::Load(0),
        Op::Less,
        Op::JumpIfZero(13),
        Op::Load(0),
        Op::Dup,
        Op::Push(1),
        Op::Sub,
        Op::Store(0),
        Op::Jump(15),
        Op::Halt,
        Op::Load(1),
        Op::Halt,
        Op::Load(1),
        Op::Mul,
        Op::Store(1),
        Op::Jump(2),
    ];

    pub fn check(seed: u32) -> u32 {
        let mut machine: Machine<'_> = Machine::new(FACTORIAL);
        machine.vars[0] = (seed % 14) as i32;
        match machine.run(150) {
            Ok(v) => v as u32,
            Err(Trap::OutOfFuel) => 0xF0,
            Err(trap) => {
                if trap == Trap::StackUnderflow {
                    1
                } else {
                    2
                }
            }
        }
    }
}

#[kernel]
pub fn vm(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::check(i as u32);
    }
}

pub fn case() -> Case {
    super::case_of(&VM, program::check)
}
