//! A tokenizer and a precedence climber with a stack, for arithmetic.

use crate::kernels::case::Case;
use crate::kernels::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod calc {
    use core::iter::Peekable;
    use core::slice::Iter;

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Token {
        Number(f32),
        Operator(Op),
        Open,
        Close,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Op {
        Add,
        Sub,
        Mul,
        Div,
        Pow,
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Error {
        Unexpected(u8),
        Unbalanced,
        Missing,
        TooDeep,
    }

    impl Op {
        const fn precedence(self) -> u8 {
            match self {
                Op::Add | Op::Sub => 1,
                Op::Mul | Op::Div => 2,
                Op::Pow => 3,
            }
        }

        const fn is_right(self) -> bool {
            matches!(self, Op::Pow)
        }

        fn apply(self, a: f32, b: f32) -> f32 {
            match self {
                Op::Add => a + b,
                Op::Sub => a - b,
                Op::Mul => a * b,
                Op::Div => a / b,
                Op::Pow => a.powi(b as i32),
            }
        }
    }

    impl TryFrom<u8> for Op {
        type Error = Error;

        fn try_from(byte: u8) -> Result<Self, Self::Error> {
            Ok(match byte {
                b'+' => Op::Add,
                b'-' => Op::Sub,
                b'*' => Op::Mul,
                b'/' => Op::Div,
                b'^' => Op::Pow,
                other => return Err(Error::Unexpected(other)),
            })
        }
    }

    pub struct Lexer<'a> {
        bytes: Peekable<Iter<'a, u8>>,
    }

    impl<'a> Lexer<'a> {
        pub fn new(text: &'a [u8]) -> Self {
            Lexer { bytes: text.iter().peekable() }
        }

        fn number(&mut self, first: u8) -> f32 {
            let mut value = f32::from(first - b'0');
            let mut scale = None;
            while let Some(&&byte) = self.bytes.peek() {
                match (byte, scale) {
                    (b'0'..=b'9', None) => value = value * 10.0 + f32::from(byte - b'0'),
                    (b'0'..=b'9', Some(s)) => {
                        value += f32::from(byte - b'0') * s;
                        scale = Some(s * 0.1);
                    }
                    (b'.', None) => scale = Some(0.1),
                    _ => break,
                }
                self.bytes.next();
            }
            value
        }
    }

    impl Iterator for Lexer<'_> {
        type Item = Result<Token, Error>;

        fn next(&mut self) -> Option<Self::Item> {
            loop {
                let token = match *self.bytes.next()? {
                    b' ' => continue,
                    b'(' => Token::Open,
                    b')' => Token::Close,
                    digit if digit.is_ascii_digit() => Token::Number(self.number(digit)),
                    other => match Op::try_from(other) {
                        Ok(op) => Token::Operator(op),
                        Err(error) => return Some(Err(error)),
                    },
                };
                return Some(Ok(token));
            }
        }
    }

    #[derive(Clone, Copy)]
    struct Stack<T, const N: usize> {
        items: [Option<T>; N],
        len: usize,
    }

    impl<T: Copy, const N: usize> Stack<T, N> {
        const EMPTY: Self = Self { items: [None; N], len: 0 };

        fn push(&mut self, item: T) -> Result<(), Error> {
            *self.items.get_mut(self.len).ok_or(Error::TooDeep)? = Some(item);
            self.len += 1;
            Ok(())
        }

        fn pop(&mut self) -> Option<T> {
            self.len = self.len.checked_sub(1)?;
            self.items[self.len].take()
        }

        fn peek(&self) -> Option<&T> {
            self.len.checked_sub(1).and_then(|top| self.items[top].as_ref())
        }
    }

    fn reduce(values: &mut Stack<f32, 8>, op: Op) -> Result<(), Error> {
        let (Some(b), Some(a)) = (values.pop(), values.pop()) else {
            return Err(Error::Missing);
        };
        values.push(op.apply(a, b))
    }

    pub fn evaluate(text: &[u8]) -> Result<f32, Error> {
        let mut values = Stack::EMPTY;
        let mut operators = Stack::<Token, 8>::EMPTY;
        for token in Lexer::new(text) {
            match token? {
                Token::Number(value) => values.push(value)?,
                Token::Open => operators.push(Token::Open)?,
                Token::Close => loop {
                    match operators.pop() {
                        Some(Token::Open) => break,
                        Some(Token::Operator(op)) => reduce(&mut values, op)?,
                        _ => return Err(Error::Unbalanced),
                    }
                },
                Token::Operator(op) => {
                    while let Some(&Token::Operator(top)) = operators.peek() {
                        let binds = top.precedence() > op.precedence()
                            || top.precedence() == op.precedence() && !op.is_right();
                        if !binds {
                            break;
                        }
                        operators.pop();
                        reduce(&mut values, top)?;
                    }
                    operators.push(Token::Operator(op))?;
                }
            }
        }
        while let Some(token) = operators.pop() {
            match token {
                Token::Operator(op) => reduce(&mut values, op)?,
                _ => return Err(Error::Unbalanced),
            }
        }
        values.pop().filter(|_| values.len == 0).ok_or(Error::Missing)
    }
}

#[device]
fn answer(line: &[u8]) -> [f32; 2] {
    match calc::evaluate(line) {
        Ok(value) => [0.0, value],
        Err(calc::Error::Unexpected(byte)) => [1.0, byte as f32],
        Err(error) => [2.0, if error == calc::Error::Missing { 0.5 } else { 0.25 }],
    }
}

#[kernel]
pub fn calculator(text: &[u8], y: &mut [[f32; 2]]) {
    let i = global_id(0);
    y[i] = answer(&text[i * 16..(i + 1) * 16]);
}

pub fn case() -> Case {
    let text = b"1 + 2 * 3       (1 + 2) * 3.5   2 ^ 3 ^ 2 - 1   8 / 4 / 2       (1 + 2          1 + $           1 + + 2         4 5             (((((((((1      10-3-2*2+1      )               ";
    let lines: Vec<&[u8]> = text.chunks_exact(16).collect();
    let y = map(&lines, answer);
    // OpenCL lets powers to integers be 16 units in the last place away.
    Case::of(&CALCULATOR).input(text).output(&y).items([y.len()]).ulps(16)
}
