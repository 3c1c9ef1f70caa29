//! Expressions, from text over tokens to code for a small machine.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum Token<'s> {
        Number(i64),
        Ident(&'s str),
        Op(Op),
        Open,
        Close,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Op {
        Add,
        Sub,
        Mul,
        Div,
        Pow,
    }

    impl TryFrom<u8> for Op {
        type Error = LexError;
        fn try_from(byte: u8) -> Result<Self, Self::Error> {
            Ok(match byte {
                b'+' => Op::Add,
                b'-' => Op::Sub,
                b'*' => Op::Mul,
                b'/' => Op::Div,
                b'^' => Op::Pow,
                other => return Err(LexError(other)),
            })
        }
    }

    impl Op {
        fn binding_power(self) -> (u8, u8) {
            use Op::*;
            match self {
                Add | Sub => (1, 2),
                Mul | Div => (3, 4),
                Pow => (6, 5),
            }
        }

        fn apply(self, a: i64, b: i64) -> Result<i64, RunError> {
            match self {
                Op::Add => a.checked_add(b),
                Op::Sub => a.checked_sub(b),
                Op::Mul => a.checked_mul(b),
                Op::Div => return a.checked_div(b).ok_or(RunError::DivideByZero),
                Op::Pow => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
            }
            .ok_or(RunError::Overflow)
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct LexError(u8);

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RunError {
        Overflow,
        DivideByZero,
        Underflow,
        Unbound,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Error {
        Lex(LexError),
        Run(RunError),
        Parse { at: usize },
    }

    impl From<LexError> for Error {
        fn from(e: LexError) -> Self {
            Self::Lex(e)
        }
    }

    impl From<RunError> for Error {
        fn from(e: RunError) -> Self {
            Self::Run(e)
        }
    }

    #[derive(Clone)]
    pub struct Lexer<'s> {
        source: &'s str,
        at: usize,
    }

    impl<'s> Lexer<'s> {
        fn take_while(&mut self, f: impl Fn(u8) -> bool) -> &'s str {
            let rest = &self.source[self.at..];
            let end = rest.bytes().position(|b| !f(b)).unwrap_or(rest.len());
            self.at += end;
            &rest[..end]
        }
    }

    impl<'s> Iterator for Lexer<'s> {
        type Item = Result<Token<'s>, LexError>;

        fn next(&mut self) -> Option<Self::Item> {
            self.take_while(|b| b == b' ');
            let byte = *self.source.as_bytes().get(self.at)?;
            Some(Ok(match byte {
                b'0'..=b'9' => {
                    Token::Number(self.take_while(|b| b.is_ascii_digit()).parse().unwrap_or(i64::MAX))
                }
                b'a'..=b'z' | b'_' => {
                    Token::Ident(self.take_while(|b| b.is_ascii_alphanumeric() || b == b'_'))
                }
                b'(' | b')' => {
                    self.at += 1;
                    if byte == b'(' { Token::Open } else { Token::Close }
                }
                other => {
                    self.at += 1;
                    match Op::try_from(other) {
                        Ok(op) => Token::Op(op),
                        Err(e) => return Some(Err(e)),
                    }
                }
            }))
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum Instruction {
        Push(i64),
        Load(usize),
        Binary(Op),
        Negate,
    }

    #[derive(Clone)]
    pub struct Code {
        instructions: [Instruction; 32],
        len: usize,
    }

    impl Code {
        fn emit(&mut self, instruction: Instruction) {
            self.instructions[self.len] = instruction;
            self.len += 1;
        }
    }

    impl AsRef<[Instruction]> for Code {
        fn as_ref(&self) -> &[Instruction] {
            &self.instructions[..self.len]
        }
    }

    #[derive(Clone, Copy)]
    enum Pending {
        Operator(Op),
        Negation,
        Paren,
    }

    pub fn compile(source: &str, names: &[&str]) -> Result<Code, Error> {
        let mut code = Code { instructions: [Instruction::Push(0); 32], len: 0 };
        let mut stack: [Option<Pending>; 16] = [None; 16];
        let mut depth = 0;
        let mut operand = true;
        for (at, token) in (Lexer { source, at: 0 }).enumerate() {
            match (token?, operand) {
                (Token::Number(n), true) => {
                    code.emit(Instruction::Push(n));
                    operand = false;
                }
                (Token::Ident(name), true) => {
                    let index = names.iter().position(|n| *n == name).ok_or(RunError::Unbound)?;
                    code.emit(Instruction::Load(index));
                    operand = false;
                }
                (Token::Open, true) => {
                    stack[depth] = Some(Pending::Paren);
                    depth += 1;
                }
                (Token::Op(Op::Sub), true) => {
                    stack[depth] = Some(Pending::Negation);
                    depth += 1;
                }
                (Token::Op(op), false) => {
                    let (left, _) = op.binding_power();
                    while let Some(pending) = depth.checked_sub(1).and_then(|top| stack[top]) {
                        let instruction = match pending {
                            Pending::Operator(other) if other.binding_power().1 > left => {
                                Instruction::Binary(other)
                            }
                            Pending::Negation if left < 5 => Instruction::Negate,
                            _ => break,
                        };
                        code.emit(instruction);
                        depth -= 1;
                    }
                    stack[depth] = Some(Pending::Operator(op));
                    depth += 1;
                    operand = true;
                }
                (Token::Close, false) => loop {
                    depth = depth.checked_sub(1).ok_or(Error::Parse { at })?;
                    match stack[depth].take() {
                        Some(Pending::Operator(op)) => code.emit(Instruction::Binary(op)),
                        Some(Pending::Negation) => code.emit(Instruction::Negate),
                        Some(Pending::Paren) | None => break,
                    }
                },
                _ => return Err(Error::Parse { at }),
            }
        }
        for pending in stack[..depth].iter().rev().flatten() {
            match pending {
                Pending::Operator(op) => code.emit(Instruction::Binary(*op)),
                Pending::Negation => code.emit(Instruction::Negate),
                Pending::Paren => return Err(Error::Parse { at: usize::MAX }),
            }
        }
        Ok(code)
    }

    pub struct Machine<'e, const DEPTH: usize = 16> {
        stack: [i64; DEPTH],
        top: usize,
        environment: &'e [i64],
    }

    impl<'e, const DEPTH: usize> Machine<'e, DEPTH> {
        fn new(environment: &'e [i64]) -> Self {
            Self { stack: [0; DEPTH], top: 0, environment }
        }

        fn pop(&mut self) -> Result<i64, RunError> {
            self.top = self.top.checked_sub(1).ok_or(RunError::Underflow)?;
            Ok(self.stack[self.top])
        }

        fn run(&mut self, code: impl AsRef<[Instruction]>) -> Result<i64, RunError> {
            for instruction in code.as_ref() {
                let value = match *instruction {
                    Instruction::Push(value) => value,
                    Instruction::Load(index) => *self.environment.get(index).ok_or(RunError::Unbound)?,
                    Instruction::Negate => self.pop()?.checked_neg().ok_or(RunError::Overflow)?,
                    Instruction::Binary(op) => {
                        let (b, a) = (self.pop()?, self.pop()?);
                        op.apply(a, b)?
                    }
                };
                self.stack[self.top] = value;
                self.top += 1;
            }
            self.pop()
        }
    }

    fn evaluate(source: &str, x: i64) -> Result<i64, Error> {
        let code = compile(source, &["x", "y"])?;
        let environment = [x, 7];
        Ok(Machine::<16>::new(&environment).run(code)?)
    }

    const SOURCES: [&str; 8] = [
        "1 + 2 * x - -3",
        "(x + y) * (x - y) / 2",
        "2 ^ 3 ^ 2 - x",
        "x / (y - 7)",
        "9223372036854775807 + x",
        "x % 3",
        "(1 + x",
        "-x ^ 2 + z",
    ];

    pub fn run(seed: u32) -> [u32; 8] {
        let mut out = [0; 8];
        for (slot, source) in out.iter_mut().zip(SOURCES) {
            *slot = match evaluate(source, i64::from(seed % 1000)) {
                Ok(value) => value as u32,
                Err(Error::Lex(LexError(byte))) => 1000 + u32::from(byte),
                Err(Error::Run(e)) => 2000 + e as u32,
                Err(Error::Parse { at }) => 3000u32.wrapping_add(at as u32),
            };
        }
        out
    }
}

#[kernel]
pub fn expressions_run(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&EXPRESSIONS_RUN, program::run)
}
