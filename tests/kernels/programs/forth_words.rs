//! A small Forth: words are looked up, numbers pushed, and definitions kept as a range of tokens.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::ops::ControlFlow;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Error {
        StackUnderflow,
        StackOverflow,
        DivisionByZero,
        UnknownWord,
        InvalidWord,
        OutOfFuel,
    }

    type Value = i32;
    type Result<T = ()> = core::result::Result<T, Error>;

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Op {
        Add,
        Sub,
        Mul,
        Div,
        Dup,
        Drop,
        Swap,
        Over,
        Rot,
    }

    impl Op {
        const TABLE: &'static [(&'static str, Op)] = &[
            ("+", Op::Add),
            ("-", Op::Sub),
            ("*", Op::Mul),
            ("/", Op::Div),
            ("dup", Op::Dup),
            ("drop", Op::Drop),
            ("swap", Op::Swap),
            ("over", Op::Over),
            ("rot", Op::Rot),
        ];

        fn parse(word: &str) -> Option<Self> {
            Self::TABLE.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|&(_, op)| op)
        }
    }

    #[derive(Clone, Copy, Debug)]
    enum Instruction {
        Push(Value),
        Do(Op),
        Call(usize),
        Return,
    }

    struct Stack<T, const N: usize> {
        items: [T; N],
        len: usize,
    }

    impl<T: Copy + Default, const N: usize> Stack<T, N> {
        fn new() -> Self {
            Self { items: [T::default(); N], len: 0 }
        }

        fn push(&mut self, item: T) -> Result {
            let slot = self.items.get_mut(self.len).ok_or(Error::StackOverflow)?;
            *slot = item;
            self.len += 1;
            Ok(())
        }

        fn pop(&mut self) -> Result<T> {
            match self.len {
                0 => Err(Error::StackUnderflow),
                n => {
                    self.len = n - 1;
                    Ok(self.items[n - 1])
                }
            }
        }

        fn pop2(&mut self) -> Result<(T, T)> {
            let b = self.pop()?;
            let a = self.pop()?;
            Ok((a, b))
        }
    }

    impl<T, const N: usize> AsRef<[T]> for Stack<T, N> {
        fn as_ref(&self) -> &[T] {
            &self.items[..self.len]
        }
    }

    struct Definition<'a> {
        name: &'a str,
        at: usize,
    }

    pub struct Forth<'a> {
        stack: Stack<Value, 8>,
        calls: Stack<usize, 4>,
        code: [Instruction; 32],
        code_len: usize,
        words: [Option<Definition<'a>>; 4],
        fuel: u32,
    }

    impl<'a> Forth<'a> {
        pub fn new(fuel: u32) -> Forth<'a> {
            Forth {
                stack: Stack::new(),
                calls: Stack::new(),
                code: [Instruction::Return; 32],
                code_len: 0,
                words: [const { None }; 4],
                fuel,
            }
        }

        pub fn stack(&self) -> &[Value] {
            self.stack.as_ref()
        }

        fn compile(&self, word: &str) -> Result<Instruction> {
            if let Ok(n) = word.parse::<Value>() {
                return Ok(Instruction::Push(n));
            }
            let own = self.words.iter().flatten().rev().find(|d| d.name == word);
            own.map(|d| Instruction::Call(d.at))
                .or_else(|| Op::parse(word).map(Instruction::Do))
                .ok_or(Error::UnknownWord)
        }

        fn emit(&mut self, instruction: Instruction) -> Result {
            let slot = self.code.get_mut(self.code_len).ok_or(Error::StackOverflow)?;
            *slot = instruction;
            self.code_len += 1;
            Ok(())
        }

        pub fn eval(&mut self, input: &'a str) -> Result {
            let mut words = input.split_whitespace();
            while let Some(word) = words.next() {
                if word != ":" {
                    let start = self.code_len;
                    let instruction = self.compile(word)?;
                    self.emit(instruction)?;
                    self.emit(Instruction::Return)?;
                    let done = self.execute(start);
                    self.code_len = start;
                    done?;
                    continue;
                }
                let name =
                    words.next().filter(|name| name.parse::<Value>().is_err()).ok_or(Error::InvalidWord)?;
                let at = self.code_len;
                loop {
                    match words.next() {
                        None => return Err(Error::InvalidWord),
                        Some(";") => break,
                        Some(word) => {
                            let instruction = self.compile(word)?;
                            self.emit(instruction)?;
                        }
                    }
                }
                self.emit(Instruction::Return)?;
                let free = self.words.iter_mut().find(|w| w.is_none()).ok_or(Error::StackOverflow)?;
                *free = Some(Definition { name, at });
            }
            Ok(())
        }

        fn execute(&mut self, start: usize) -> Result {
            let mut pc = start;
            loop {
                self.fuel = self.fuel.checked_sub(1).ok_or(Error::OutOfFuel)?;
                match self.step(&mut pc)? {
                    ControlFlow::Continue(()) => {}
                    ControlFlow::Break(()) => return Ok(()),
                }
            }
        }

        fn step(&mut self, pc: &mut usize) -> Result<ControlFlow<()>> {
            let instruction = self.code[*pc];
            *pc += 1;
            match instruction {
                Instruction::Push(n) => self.stack.push(n)?,
                Instruction::Do(op) => self.apply(op)?,
                Instruction::Call(at) => {
                    self.calls.push(core::mem::replace(pc, at))?;
                }
                Instruction::Return => match self.calls.pop() {
                    Ok(at) => *pc = at,
                    Err(_) => return Ok(ControlFlow::Break(())),
                },
            }
            Ok(ControlFlow::Continue(()))
        }

        fn apply(&mut self, op: Op) -> Result {
            let stack = &mut self.stack;
            match op {
                Op::Add | Op::Sub | Op::Mul | Op::Div => {
                    let (a, b) = stack.pop2()?;
                    let f: fn(Value, Value) -> Option<Value> = match op {
                        Op::Add => |a, b| Some(a.wrapping_add(b)),
                        Op::Sub => |a, b| Some(a.wrapping_sub(b)),
                        Op::Mul => |a, b| Some(a.wrapping_mul(b)),
                        _ => i32::checked_div,
                    };
                    stack.push(f(a, b).ok_or(Error::DivisionByZero)?)
                }
                Op::Dup => {
                    let a = stack.pop()?;
                    [a, a].into_iter().try_for_each(|x| stack.push(x))
                }
                Op::Drop => stack.pop().map(|_| ()),
                Op::Swap => {
                    let (a, b) = stack.pop2()?;
                    stack.push(b).and_then(|()| stack.push(a))
                }
                Op::Over => {
                    let (a, b) = stack.pop2()?;
                    for x in [a, b, a] {
                        stack.push(x)?;
                    }
                    Ok(())
                }
                Op::Rot => match stack.items[..stack.len].last_chunk_mut::<3>() {
                    Some(top) => {
                        top.rotate_left(1);
                        Ok(())
                    }
                    None => Err(Error::StackUnderflow),
                },
            }
        }
    }

    pub fn run(i: u32) -> u64 {
        let programs = [
            ": sq dup * ; : cube dup sq * ; 3 sq 4 cube -",
            "1 2 3 rot swap OVER drop",
            ": a 1 2 ; : b a + a ; b b / 0 /",
            "7 foo",
            ": 5 7 ;",
            "1 2 3 4 5 6 7 8 9",
            ": x dup 1 + ; 5 x x x * *",
        ];
        let mut forth = Forth::new(20 + i);
        let result = forth.eval(programs[i as usize % programs.len()]);
        let code = match result {
            Ok(()) => 0,
            Err(e) => e as u64 + 1,
        };
        let sum = forth.stack().iter().fold(code, |h, &v| h.wrapping_mul(1_000_003) ^ v as u32 as u64);
        sum ^ (forth.fuel as u64) << 40
    }
}

#[kernel]
pub fn forth_words(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&FORTH_WORDS, program::run)
}
