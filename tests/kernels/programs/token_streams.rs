//! Tokens of a small language.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::iter::Peekable;
    use core::str::CharIndices;
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum Token<'a> {
        Num(f64),
        Ident(&'a str),
        Str(&'a str),
        Sym(char),
        Arrow,
    }
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct LexError {
        pub at: usize,
        pub kind: ErrorKind,
    }
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum ErrorKind {
        UnexpectedChar(char),
        UnterminatedString,
        BadNumber,
    }
    pub struct Lexer<'a> {
        src: &'a str,
        it: Peekable<CharIndices<'a>>,
    }
    impl<'a> Lexer<'a> {
        pub fn new(src: &'a str) -> Self {
            Lexer { src, it: src.char_indices().peekable() }
        }
        fn take_while(&mut self, start: usize, mut pred: impl FnMut(char) -> bool) -> &'a str {
            let mut end = start;
            while let Some(&(at, c)) = self.it.peek() {
                if !pred(c) {
                    break;
                }
                end = at + c.len_utf8();
                self.it.next();
            }
            &self.src[start..end]
        }
        fn number(s: &str) -> Option<f64> {
            let (int, frac) = match s.split_once('.') {
                Some((a, b)) => (a, b),
                None => (s, ""),
            };
            let mut v = int.parse::<u32>().ok()? as f64;
            let mut scale = 0.1;
            for d in frac.chars() {
                v += d.to_digit(10)? as f64 * scale;
                scale *= 0.1;
            }
            Some(v)
        }
    }
    impl<'a> Iterator for Lexer<'a> {
        type Item = Result<Token<'a>, LexError>;
        fn next(&mut self) -> Option<Self::Item> {
            while self.it.next_if(|(_, c)| c.is_whitespace()).is_some() {}
            let &(at, c) = self.it.peek()?;
            Some(match c {
                '0'..='9' => {
                    let s = self.take_while(at, |c| c.is_ascii_digit() || c == '.');
                    Self::number(s).map(Token::Num).ok_or(LexError { at, kind: ErrorKind::BadNumber })
                }
                c if c.is_alphabetic() || c == '_' => {
                    Ok(Token::Ident(self.take_while(at, |c| c.is_alphanumeric() || c == '_')))
                }
                '"' => {
                    self.it.next();
                    let s = self.take_while(at + 1, |c| c != '"');
                    match self.it.next() {
                        Some(_) => Ok(Token::Str(s)),
                        None => Err(LexError { at, kind: ErrorKind::UnterminatedString }),
                    }
                }
                '-' => {
                    self.it.next();
                    if self.it.next_if(|&(_, c)| c == '>').is_some() {
                        Ok(Token::Arrow)
                    } else {
                        Ok(Token::Sym('-'))
                    }
                }
                '+' | '*' | '/' | '(' | ')' | ',' => {
                    self.it.next();
                    Ok(Token::Sym(c))
                }
                _ => {
                    self.it.next();
                    Err(LexError { at, kind: ErrorKind::UnexpectedChar(c) })
                }
            })
        }
    }
    const SOURCES: [&str; 4] = ["let x1 = 3.25 -> \"hé\" * (a - 42)", "foo_bar(1, 2.5,   \"open", "7.x", ""];
    pub fn run(i: u32) -> u64 {
        let src = SOURCES[i as usize % SOURCES.len()];
        let mut h = i as u64;
        for t in Lexer::new(src) {
            h = h.wrapping_mul(0x9E37_79B9).rotate_left(5)
                ^ match t {
                    Ok(Token::Num(x)) => x.to_bits(),
                    Ok(Token::Ident(s)) if s == "let" => 1,
                    Ok(Token::Ident(s) | Token::Str(s)) => s.chars().map(|c| c as u64).sum(),
                    Ok(Token::Sym(c)) => c.into(),
                    Ok(Token::Arrow) => 99,
                    Err(LexError { at, kind: ErrorKind::UnexpectedChar(c) }) => {
                        at as u64 * u64::from(u32::from(c))
                    }
                    Err(e) => e.at as u64 + (e.kind == ErrorKind::BadNumber) as u64,
                };
        }
        let idents = Lexer::new(SOURCES[0]).flatten().filter(|t| matches!(t, Token::Ident(_))).count();
        let first_err = Lexer::new(src).find_map(Result::err).map(|e| e.at);
        let all: Result<u32, LexError> = Lexer::new(src).try_fold(0, |n, t| t.map(|_| n + 1));
        h ^ idents as u64 ^ (first_err.unwrap_or(77) as u64) << 9 ^ all.map_or(5, u64::from) << 20
    }
}

#[kernel]
pub fn token_streams(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&TOKEN_STREAMS, program::run)
}
