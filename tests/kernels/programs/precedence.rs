//! Expressions by precedence, with two stacks over a peekable iterator of bytes.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::iter::Peekable;
    use core::str::Bytes;

    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Token {
        Number(i64),
        Op(Op),
        Open,
        Close,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Op {
        Add,
        Sub,
        Mul,
        Div,
        Pow,
        Neg,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Error {
        Unexpected(u8),
        Unbalanced,
        DivisionByZero,
        Overflow,
        Empty,
        TooDeep,
    }

    impl Op {
        /// (left, right) binding power
        const fn power(self) -> (u8, u8) {
            match self {
                Op::Add | Op::Sub => (1, 2),
                Op::Mul | Op::Div => (3, 4),
                Op::Neg => (5, 5),
                Op::Pow => (8, 7),
            }
        }

        fn apply(self, a: i64, b: i64) -> Result<i64, Error> {
            let value = match self {
                Op::Add => a.checked_add(b),
                Op::Sub => a.checked_sub(b),
                Op::Mul => a.checked_mul(b),
                Op::Div if b == 0 => return Err(Error::DivisionByZero),
                Op::Div => a.checked_div(b),
                Op::Pow => u32::try_from(b).ok().and_then(|e| a.checked_pow(e)),
                Op::Neg => b.checked_neg(),
            };
            value.ok_or(Error::Overflow)
        }
    }

    struct Lexer<'a> {
        bytes: Peekable<Bytes<'a>>,
    }

    impl<'a> Lexer<'a> {
        fn new(text: &'a str) -> Self {
            Lexer { bytes: text.bytes().peekable() }
        }
    }

    impl Iterator for Lexer<'_> {
        type Item = Result<Token, Error>;

        fn next(&mut self) -> Option<Self::Item> {
            while self.bytes.next_if(|b| b.is_ascii_whitespace()).is_some() {}
            let byte = self.bytes.next()?;
            Some(Ok(match byte {
                b'0'..=b'9' => {
                    let mut n = i64::from(byte - b'0');
                    while let Some(d) = self.bytes.next_if(u8::is_ascii_digit) {
                        n = match n.checked_mul(10).and_then(|n| n.checked_add((d - b'0').into())) {
                            Some(n) => n,
                            None => return Some(Err(Error::Overflow)),
                        };
                    }
                    Token::Number(n)
                }
                b'(' => Token::Open,
                b')' => Token::Close,
                b'+' => Token::Op(Op::Add),
                b'-' => Token::Op(Op::Sub),
                b'*' => {
                    if self.bytes.peek() == Some(&b'*') {
                        self.bytes.next();
                        Token::Op(Op::Pow)
                    } else {
                        Token::Op(Op::Mul)
                    }
                }
                b'/' => Token::Op(Op::Div),
                other => return Some(Err(Error::Unexpected(other))),
            }))
        }
    }

    #[derive(Clone, Copy)]
    struct Stack<T: Copy, const N: usize> {
        items: [Option<T>; N],
        len: usize,
    }

    impl<T: Copy, const N: usize> Stack<T, N> {
        fn new() -> Self {
            Stack { items: [None; N], len: 0 }
        }
        fn push(&mut self, t: T) -> Result<(), Error> {
            *self.items.get_mut(self.len).ok_or(Error::TooDeep)? = Some(t);
            self.len += 1;
            Ok(())
        }
        fn pop(&mut self) -> Option<T> {
            let n = self.len.checked_sub(1)?;
            self.len = n;
            self.items[n].take()
        }
        fn last(&self) -> Option<&T> {
            self.items[..self.len].last().and_then(Option::as_ref)
        }
    }

    fn reduce(values: &mut Stack<i64, 8>, op: Op) -> Result<(), Error> {
        let b = values.pop().ok_or(Error::Empty)?;
        let a = if op == Op::Neg { 0 } else { values.pop().ok_or(Error::Empty)? };
        values.push(op.apply(a, b)?)
    }

    pub fn evaluate(text: &str) -> Result<i64, Error> {
        let mut values = Stack::<i64, 8>::new();
        let mut ops: Stack<Option<Op>, 8> = Stack::new();
        let mut operand = true;
        for token in Lexer::new(text) {
            match (token?, operand) {
                (Token::Number(n), true) => {
                    values.push(n)?;
                    operand = false;
                }
                (Token::Open, true) => ops.push(None)?,
                (Token::Op(Op::Sub), true) => ops.push(Some(Op::Neg))?,
                (Token::Op(op), false) => {
                    while let Some(&Some(top)) = ops.last() {
                        if top.power().1 < op.power().0 {
                            break;
                        }
                        ops.pop();
                        reduce(&mut values, top)?;
                    }
                    ops.push(Some(op))?;
                    operand = true;
                }
                (Token::Close, false) => loop {
                    match ops.pop() {
                        Some(Some(op)) => reduce(&mut values, op)?,
                        Some(None) => break,
                        None => return Err(Error::Unbalanced),
                    }
                },
                (Token::Number(_) | Token::Open, false) | (Token::Op(_) | Token::Close, true) => {
                    return Err(Error::Unexpected(b'?'));
                }
            }
        }
        while let Some(op) = ops.pop() {
            reduce(&mut values, op.ok_or(Error::Unbalanced)?)?;
        }
        values.pop().ok_or(Error::Empty)
    }

    const SOURCES: [&str; 8] = [
        "1 + 2 * 3 - 4",
        "-(7 - 10) ** 2 / 3",
        "2 ** 3 ** 2 - -5",
        "((1)",
        "99999999999999999999",
        "8 / (4 - 2 * 2)",
        "3 $ 4",
        "10 * (2 + 3) ** 2 - 100 / 7",
    ];

    pub fn run(seed: u32) -> [u32; 8] {
        let mut out = [0; 8];
        for (o, i) in out.iter_mut().zip(0usize..) {
            let source = SOURCES[(seed as usize + i * 3) % SOURCES.len()];
            *o = match evaluate(source) {
                Ok(v) => v as u32,
                Err(Error::Unexpected(b)) => 0x8000_0000 + b as u32,
                Err(Error::Unbalanced) => 0x8000_1000,
                Err(Error::DivisionByZero) => 0x8000_2000,
                Err(Error::Overflow) => 0x8000_3000,
                Err(Error::Empty | Error::TooDeep) => 0x8000_4000,
            };
        }
        out
    }
}

#[kernel]
pub fn precedence_parsed(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&PRECEDENCE_PARSED, program::run)
}
