//! Tokens, then reverse Polish notation, then a value.

use crate::kernels::case::Case;
use crate::kernels::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod shunting_yard {
    use core::iter::Peekable;
    use core::str::Chars;

    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Token {
        Number(i64),
        Op(Op),
        Open,
        Close,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    enum Op {
        Add,
        Sub,
        Mul,
        Div,
        Pow,
        Neg,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub enum EvalError {
        UnexpectedChar(char),
        MismatchedParens,
        StackUnderflow,
        DivisionByZero,
        Overflow,
    }

    impl Op {
        const fn precedence(self) -> u8 {
            match self {
                Self::Add | Self::Sub => 1,
                Self::Mul | Self::Div => 2,
                Self::Neg => 3,
                Self::Pow => 4,
            }
        }

        fn is_right(&self) -> bool {
            matches!(self, Op::Pow | Op::Neg)
        }
    }

    struct Lexer<'a> {
        chars: Peekable<Chars<'a>>,
        operand_expected: bool,
    }

    impl<'a> Lexer<'a> {
        fn new(text: &'a str) -> Self {
            Self { chars: text.chars().peekable(), operand_expected: true }
        }
    }

    impl Iterator for Lexer<'_> {
        type Item = Result<Token, EvalError>;

        fn next(&mut self) -> Option<Self::Item> {
            while self.chars.next_if(|c| c.is_whitespace()).is_some() {}
            let c = self.chars.next()?;
            let token = match c {
                '0'..='9' => {
                    let mut value = c.to_digit(10)? as i64;
                    while let Some(digit) = self.chars.peek().and_then(|c| c.to_digit(10)) {
                        value = value * 10 + i64::from(digit);
                        self.chars.next();
                    }
                    Token::Number(value)
                }
                '(' => Token::Open,
                ')' => Token::Close,
                '+' => Token::Op(Op::Add),
                '-' if self.operand_expected => Token::Op(Op::Neg),
                '-' => Token::Op(Op::Sub),
                '*' => Token::Op(Op::Mul),
                '/' => Token::Op(Op::Div),
                '^' => Token::Op(Op::Pow),
                other => return Some(Err(EvalError::UnexpectedChar(other))),
            };
            self.operand_expected = !matches!(token, Token::Number(_) | Token::Close);
            Some(Ok(token))
        }
    }

    struct Stack<T, const N: usize> {
        items: [Option<T>; N],
        len: usize,
    }

    impl<T: Copy, const N: usize> Stack<T, N> {
        fn new() -> Self {
            Stack { items: [None; N], len: 0 }
        }
        fn push(&mut self, item: T) -> Result<(), EvalError> {
            let slot = self.items.get_mut(self.len).ok_or(EvalError::Overflow)?;
            *slot = Some(item);
            self.len += 1;
            Ok(())
        }
        fn pop(&mut self) -> Option<T> {
            self.len = self.len.checked_sub(1)?;
            self.items[self.len].take()
        }
        fn last(&self) -> Option<&T> {
            self.items[..self.len].last()?.as_ref()
        }
    }

    type Values = Stack<i64, 16>;

    fn apply(op: Op, values: &mut Values) -> Result<(), EvalError> {
        let right = values.pop().ok_or(EvalError::StackUnderflow)?;
        let value = if op == Op::Neg {
            right.checked_neg()
        } else {
            let left = values.pop().ok_or(EvalError::StackUnderflow)?;
            match op {
                Op::Add => left.checked_add(right),
                Op::Sub => left.checked_sub(right),
                Op::Mul => left.checked_mul(right),
                Op::Div if right == 0 => return Err(EvalError::DivisionByZero),
                Op::Div => left.checked_div(right),
                Op::Pow => u32::try_from(right).ok().and_then(|e| left.checked_pow(e)),
                Op::Neg => unreachable!(),
            }
        };
        values.push(value.ok_or(EvalError::Overflow)?)
    }

    pub fn eval(text: &str) -> Result<i64, EvalError> {
        let mut values = Values::new();
        let mut ops: Stack<Token, 16> = Stack::new();
        for token in Lexer::new(text) {
            match token? {
                Token::Number(n) => values.push(n)?,
                Token::Open => ops.push(Token::Open)?,
                Token::Close => loop {
                    match ops.pop() {
                        Some(Token::Op(op)) => apply(op, &mut values)?,
                        Some(Token::Open) => break,
                        _ => return Err(EvalError::MismatchedParens),
                    }
                },
                Token::Op(op) => {
                    while let Some(&Token::Op(top)) = ops.last() {
                        let first = top.precedence() > op.precedence()
                            || (top.precedence() == op.precedence() && !op.is_right());
                        if !first || op == Op::Neg {
                            break;
                        }
                        ops.pop();
                        apply(top, &mut values)?;
                    }
                    ops.push(Token::Op(op))?;
                }
            }
        }
        while let Some(token) = ops.pop() {
            let Token::Op(op) = token else { return Err(EvalError::MismatchedParens) };
            apply(op, &mut values)?;
        }
        values.pop().ok_or(EvalError::StackUnderflow)
    }

    const CASES: [&str; 8] = [
        "1 + 2 * 3",
        "(1+2)*3",
        "2^3^2",
        "-2^2 + 10",
        "7 / (3 - 3)",
        "((4)",
        "12 $ 3",
        "100 - 7*(2 + -3) / 2",
    ];

    pub fn run(seed: u32) -> [u32; 8] {
        let text = CASES[seed as usize % CASES.len()];
        let mut out = [0; 8];
        match eval(text) {
            Ok(value) => {
                out[0] = value as u32;
                out[1] = (value >> 32) as u32;
            }
            Err(EvalError::UnexpectedChar(c)) => out[2] = c as u32,
            Err(e) => {
                out[3] = if e == EvalError::DivisionByZero {
                    1
                } else if matches!(e, EvalError::MismatchedParens) {
                    2
                } else {
                    3
                }
            }
        }
        out
    }
}

#[kernel]
pub fn evaluated(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = shunting_yard::run(seeds[i]);
}

pub fn case() -> Case {
    let seeds: Vec<u32> = (0..24_u32).map(|i| i * i * 7919 + i).collect();
    let y = map(&seeds, shunting_yard::run);
    Case::of(&EVALUATED).input(&seeds).output(&y).items([y.len()])
}
