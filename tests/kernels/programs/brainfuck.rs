//! An optimising interpreter of Brainfuck over a tape, an input and an output.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::fmt;
    use core::ops::ControlFlow::{self, Break, Continue};

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Op {
        Move(i8),
        Add(u8),
        Set(u8),
        Output,
        Input,
        JumpIfZero(u16),
        JumpIfNonZero(u16),
        Halt,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum CompileError {
        UnmatchedOpen { position: usize },
        UnmatchedClose { position: usize },
        TooLong,
        TooDeep,
    }

    #[derive(Debug)]
    pub struct Program<const N: usize> {
        ops: [Op; N],
        len: usize,
    }

    impl<const N: usize> Program<N> {
        fn push(&mut self, op: Op) -> Result<usize, CompileError> {
            let at = self.len;
            let slot = self.ops.get_mut(at).ok_or(CompileError::TooLong)?;
            *slot = op;
            self.len += 1;
            Ok(at)
        }

        pub fn ops(&self) -> &[Op] {
            &self.ops[..self.len]
        }

        pub fn compile(source: &str) -> Result<Self, CompileError> {
            let mut program = Program { ops: [Op::Halt; N], len: 0 };
            let mut loops = [(0usize, 0usize); 8];
            let mut depth = 0;
            let mut symbols = source.bytes().enumerate().filter(|(_, b)| b"+-<>[].,".contains(b)).peekable();
            while let Some((position, symbol)) = symbols.next() {
                match symbol {
                    b'+' | b'-' => {
                        let value = |b: u8| if b == b'+' { 1u8 } else { u8::MAX };
                        let mut sum = value(symbol);
                        while let Some((_, next)) = symbols.next_if(|&(_, b)| matches!(b, b'+' | b'-')) {
                            sum = sum.wrapping_add(value(next));
                        }
                        if sum != 0 {
                            program.push(Op::Add(sum))?;
                        }
                    }
                    b'<' | b'>' => {
                        let mut offset = if symbol == b'>' { 1i8 } else { -1 };
                        while let Some((_, next)) = symbols.next_if(|&(_, b)| b == b'<' || b == b'>') {
                            offset += if next == b'>' { 1 } else { -1 };
                        }
                        program.push(Op::Move(offset))?;
                    }
                    b'.' => drop(program.push(Op::Output)?),
                    b',' => {
                        program.push(Op::Input)?;
                    }
                    b'[' => {
                        let at = program.push(Op::JumpIfZero(0))?;
                        *loops.get_mut(depth).ok_or(CompileError::TooDeep)? = (at, position);
                        depth += 1;
                    }
                    b']' => {
                        depth = depth.checked_sub(1).ok_or(CompileError::UnmatchedClose { position })?;
                        let (open, _) = loops[depth];
                        if let [.., Op::JumpIfZero(_), Op::Add(1 | 255)] = program.ops() {
                            program.len -= 2;
                            program.push(Op::Set(0))?;
                        } else {
                            let close = program.push(Op::JumpIfNonZero(open as u16))?;
                            program.ops[open] = Op::JumpIfZero(close as u16);
                        }
                    }
                    _ => unreachable!(),
                }
            }
            match loops[..depth].last() {
                Some(&(_, position)) => Err(CompileError::UnmatchedOpen { position }),
                None => {
                    program.push(Op::Halt)?;
                    Ok(program)
                }
            }
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Trap {
        OutOfTape(i32),
        OutOfFuel,
        OutputFull,
    }

    impl fmt::Display for Trap {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Trap::OutOfTape(at) => write!(f, "no cell at {at:+}"),
                Trap::OutOfFuel => f.write_str("out of fuel"),
                Trap::OutputFull => f.pad("output is full"),
            }
        }
    }

    pub trait Io {
        fn read(&mut self) -> Option<u8>;
        fn write(&mut self, byte: u8) -> Result<(), Trap>;
    }

    pub struct Slices<'i, 'o> {
        input: &'i [u8],
        output: &'o mut [u8],
        written: usize,
    }

    impl Io for Slices<'_, '_> {
        fn read(&mut self) -> Option<u8> {
            let (first, rest) = self.input.split_first()?;
            self.input = rest;
            Some(*first)
        }

        fn write(&mut self, byte: u8) -> Result<(), Trap> {
            let slot = self.output.get_mut(self.written).ok_or(Trap::OutputFull)?;
            *slot = byte;
            self.written += 1;
            Ok(())
        }
    }

    pub struct Machine<'p, I> {
        ops: &'p [Op],
        pc: usize,
        tape: [u8; 16],
        head: usize,
        io: I,
    }

    impl<'p, I: Io> Machine<'p, I> {
        pub fn new(ops: &'p [Op], io: I) -> Self {
            Machine { ops, pc: 0, tape: [0; 16], head: 0, io }
        }

        fn step(&mut self) -> ControlFlow<Result<(), Trap>> {
            let cell = &mut self.tape[self.head];
            match self.ops[self.pc] {
                Op::Move(by) => match self.head.checked_add_signed(by.into()) {
                    Some(head @ 0..16) => self.head = head,
                    _ => return Break(Err(Trap::OutOfTape(self.head as i32 + i32::from(by)))),
                },
                Op::Add(n) => *cell = cell.wrapping_add(n),
                Op::Set(n) => *cell = n,
                Op::Output => {
                    if let Err(trap) = self.io.write(*cell) {
                        return Break(Err(trap));
                    }
                }
                Op::Input => *cell = self.io.read().unwrap_or(0),
                Op::JumpIfZero(to) if *cell == 0 => self.pc = to.into(),
                Op::JumpIfNonZero(to) if *cell != 0 => self.pc = to.into(),
                Op::JumpIfZero(_) | Op::JumpIfNonZero(_) => (),
                Op::Halt => return Break(Ok(())),
            }
            self.pc += 1;
            Continue(())
        }

        pub fn run(&mut self, fuel: u32) -> Result<u32, Trap> {
            for used in 0..fuel {
                match self.step() {
                    Continue(()) => {}
                    Break(outcome) => return outcome.map(|()| used),
                }
            }
            Err(Trap::OutOfFuel)
        }
    }

    const PROGRAMS: [&str; 6] = ["++++[>+++++++<-]>.+.+.", ",[.[-],]", ">,[>,]<[.<]", "[[]", "+[]", "->>]<"];

    pub fn run(i: u32) -> u64 {
        let program = match Program::<32>::compile(PROGRAMS[i as usize % PROGRAMS.len()]) {
            Ok(program) => program,
            Err(CompileError::UnmatchedOpen { position }) => return 1 + position as u64,
            Err(CompileError::UnmatchedClose { position }) => return 101 + position as u64,
            Err(CompileError::TooLong | CompileError::TooDeep) => return 200,
        };
        let input = [i as u8 | 1, 7, (i >> 1) as u8, 2];
        let mut output = [0u8; 5];
        let io = Slices { input: &input, output: &mut output, written: 0 };
        let mut machine = Machine::new(program.ops(), io);
        let outcome = machine.run(150);
        let written = machine.io.written as u64;
        let h = output.iter().fold(written, |h, &b| h * 257 + u64::from(b));
        h << 12
            ^ match outcome {
                Ok(used) => used.into(),
                Err(Trap::OutOfTape(at)) => 1000 + at as u64,
                Err(Trap::OutOfFuel) => 2000,
                Err(Trap::OutputFull) => 3000,
            }
    }
}

#[kernel]
pub fn brainfuck(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&BRAINFUCK, program::run)
}
