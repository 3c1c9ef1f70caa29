//! A lexer and an evaluator of expressions over `&str`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod calc {
    use core::iter::Peekable;
    use core::str::Chars;

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum Token<'a> {
        Num(f32),
        Ident(&'a str),
        Op(char),
        LParen,
        RParen,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ParseError {
        UnexpectedChar(char),
        UnexpectedEnd,
        Unbalanced,
        UnknownName,
        TooDeep,
    }

    pub struct Lexer<'a> {
        src: &'a str,
        pos: usize,
    }

    impl<'a> Lexer<'a> {
        pub fn new(src: &'a str) -> Self {
            Lexer { src, pos: 0 }
        }

        fn peek(&self) -> Option<u8> {
            self.src.as_bytes().get(self.pos).copied()
        }

        fn bump_while<F>(&mut self, f: F) -> &'a str
        where
            F: Fn(u8) -> bool,
        {
            let start = self.pos;
            while let Some(c) = self.peek() {
                if !f(c) {
                    break;
                }
                self.pos += 1;
            }
            &self.src[start..self.pos]
        }
    }

    impl<'a> Iterator for Lexer<'a> {
        type Item = Result<Token<'a>, ParseError>;

        fn next(&mut self) -> Option<Self::Item> {
            self.bump_while(|c| c == b' ');
            let c = self.peek()?;
            let token = match c {
                b'0'..=b'9' => {
                    let digits = self.bump_while(|c| c.is_ascii_digit());
                    let n = digits.bytes().fold(0.0, |n, d| n * 10.0 + f32::from(d - b'0'));
                    Token::Num(n)
                }
                b'a'..=b'z' => Token::Ident(self.bump_while(|c| c.is_ascii_lowercase())),
                b'+' | b'-' | b'*' | b'/' => {
                    self.pos += 1;
                    Token::Op(c as char)
                }
                b'(' => {
                    self.pos += 1;
                    Token::LParen
                }
                b')' => {
                    self.pos += 1;
                    Token::RParen
                }
                other => return Some(Err(ParseError::UnexpectedChar(other.into()))),
            };
            Some(Ok(token))
        }
    }

    fn prec(op: char) -> u8 {
        match op {
            '+' | '-' => 1,
            '*' | '/' => 2,
            _ => 0,
        }
    }

    fn apply(values: &mut [f32; 8], n: &mut usize, op: char) -> Result<(), ParseError> {
        if *n < 2 {
            return Err(ParseError::UnexpectedEnd);
        }
        let (a, b) = (values[*n - 2], values[*n - 1]);
        *n -= 1;
        values[*n - 1] = match op {
            '+' => a + b,
            '-' => a - b,
            '*' => a * b,
            '/' => a / b,
            _ => return Err(ParseError::Unbalanced),
        };
        Ok(())
    }

    pub fn eval(src: &str, vars: &[(&str, f32)]) -> Result<f32, ParseError> {
        let (mut values, mut n) = ([0.0f32; 8], 0);
        let (mut ops, mut m) = (['\0'; 8], 0usize);
        for token in Lexer::new(src) {
            match token? {
                Token::Num(v) => {
                    *values.get_mut(n).ok_or(ParseError::TooDeep)? = v;
                    n += 1;
                }
                Token::Ident(name) => {
                    let (_, v) = vars.iter().find(|(key, _)| *key == name).ok_or(ParseError::UnknownName)?;
                    values[n] = *v;
                    n += 1;
                }
                Token::Op(op) => {
                    while m > 0 && prec(ops[m - 1]) >= prec(op) {
                        m -= 1;
                        apply(&mut values, &mut n, ops[m])?;
                    }
                    ops[m] = op;
                    m += 1;
                }
                Token::LParen => {
                    ops[m] = '(';
                    m += 1;
                }
                Token::RParen => loop {
                    m = m.checked_sub(1).ok_or(ParseError::Unbalanced)?;
                    match ops[m] {
                        '(' => break,
                        op => apply(&mut values, &mut n, op)?,
                    }
                },
            }
        }
        while m > 0 {
            m -= 1;
            apply(&mut values, &mut n, ops[m])?;
        }
        if n == 1 { Ok(values[0]) } else { Err(ParseError::UnexpectedEnd) }
    }

    pub fn words(s: &str) -> usize {
        let mut it: Peekable<Chars<'_>> = s.chars().peekable();
        let mut n = 0;
        while let Some(c) = it.next() {
            if c != ' ' && it.peek().map_or(true, |&next| next == ' ') {
                n += 1;
            }
        }
        n
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    const SOURCES: [&str; 6] =
        ["1 + 2 * 3", "(x + 4) * (y - 2) / 2", "x * x * x - y", "2 * (3 + 4", "x ? 3", "7 * unknown"];
    let vars = [("x", (seed % 10) as f32), ("y", (seed % 7) as f32 * 0.5)];
    let src = SOURCES[(seed % 6) as usize];
    let w = calc::words(src) as u32;
    match calc::eval(src, &vars) {
        Ok(v) => v.to_bits() ^ w,
        Err(calc::ParseError::UnexpectedChar(c)) => c as u32,
        Err(e) => match e {
            calc::ParseError::Unbalanced => 1 + w,
            calc::ParseError::UnknownName => 2,
            _ => 3,
        },
    }
}

#[kernel]
pub fn tokens(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&TOKENS, |i| program(seed(i)))
}
