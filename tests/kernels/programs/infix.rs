//! A lexer that is an iterator, and infix expressions by two stacks, with errors that say where.
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::fmt;
    use core::iter::Peekable;
    use core::str::CharIndices;

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum Token<'a> {
        Number(f64),
        Ident(&'a str),
        Op(char),
        LParen,
        RParen,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ErrorKind {
        UnexpectedChar(char),
        BadNumber,
        UnknownVariable,
        StackOverflow,
        StackUnderflow,
        Unbalanced,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Error {
        pub at: usize,
        pub kind: ErrorKind,
    }

    pub type Result<T, E = Error> = core::result::Result<T, E>;

    impl fmt::Display for Error {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{:?} at {}", self.kind, self.at)
        }
    }

    pub struct Lexer<'a> {
        src: &'a str,
        chars: Peekable<CharIndices<'a>>,
    }

    impl<'a> Lexer<'a> {
        pub fn new(src: &'a str) -> Self {
            Self { src, chars: src.char_indices().peekable() }
        }

        fn take_while(&mut self, start: usize, pred: impl Fn(char) -> bool) -> &'a str {
            let mut end = start;
            while let Some(&(i, c)) = self.chars.peek() {
                if !pred(c) {
                    break;
                }
                end = i + c.len_utf8();
                self.chars.next();
            }
            &self.src[start..end]
        }
    }

    impl<'a> Iterator for Lexer<'a> {
        type Item = Result<(usize, Token<'a>)>;

        fn next(&mut self) -> Option<Self::Item> {
            while self.chars.next_if(|(_, c)| c.is_whitespace()).is_some() {}
            let &(at, c) = self.chars.peek()?;
            let token = match c {
                '0'..='9' | '.' => {
                    let text = self.take_while(at, |c| c.is_ascii_digit() || c == '.');
                    match text.parse() {
                        Ok(n) => Token::Number(n),
                        Err(_) => return Some(Err(Error { at, kind: ErrorKind::BadNumber })),
                    }
                }
                'a'..='z' | 'A'..='Z' | '_' => {
                    Token::Ident(self.take_while(at, |c| c.is_alphanumeric() || c == '_'))
                }
                '+' | '-' | '*' | '/' | '^' => {
                    self.chars.next();
                    Token::Op(c)
                }
                '(' => {
                    self.chars.next();
                    Token::LParen
                }
                ')' => {
                    self.chars.next();
                    Token::RParen
                }
                other => {
                    self.chars.next();
                    return Some(Err(Error { at, kind: ErrorKind::UnexpectedChar(other) }));
                }
            };
            Some(Ok((at, token)))
        }
    }

    struct Stack<T: Copy, const N: usize> {
        data: [T; N],
        top: usize,
    }

    impl<T: Copy, const N: usize> Stack<T, N> {
        fn new(fill: T) -> Self {
            Stack { data: [fill; N], top: 0 }
        }
        fn push(&mut self, value: T) -> core::result::Result<(), ErrorKind> {
            *self.data.get_mut(self.top).ok_or(ErrorKind::StackOverflow)? = value;
            self.top += 1;
            Ok(())
        }
        fn pop(&mut self) -> core::result::Result<T, ErrorKind> {
            self.top = self.top.checked_sub(1).ok_or(ErrorKind::StackUnderflow)?;
            Ok(self.data[self.top])
        }
        fn last(&self) -> Option<&T> {
            self.data[..self.top].last()
        }
    }

    fn precedence(op: char) -> (u8, bool) {
        match op {
            '+' | '-' => (1, false),
            '*' | '/' => (2, false),
            '^' => (3, true),
            _ => (0, false),
        }
    }

    fn apply(values: &mut Stack<f64, 16>, op: char) -> core::result::Result<(), ErrorKind> {
        let (b, a) = (values.pop()?, values.pop()?);
        values.push(match op {
            '+' => a + b,
            '-' => a - b,
            '*' => a * b,
            '/' => a / b,
            '^' => a.powi(b as i32),
            _ => unreachable!("operator {op}"),
        })
    }

    pub fn evaluate(src: &str, lookup: impl Fn(&str) -> Option<f64>) -> Result<f64> {
        let mut values = Stack::<f64, 16>::new(0.0);
        let mut ops = Stack::<char, 16>::new(' ');
        let mut last_at = 0;
        for token in Lexer::new(src) {
            let (at, token) = token?;
            last_at = at;
            let fail = |kind| Error { at, kind };
            match token {
                Token::Number(n) => values.push(n).map_err(fail)?,
                Token::Ident(name) => {
                    let value = lookup(name).ok_or_else(|| fail(ErrorKind::UnknownVariable))?;
                    values.push(value).map_err(fail)?;
                }
                Token::Op(op) => {
                    let (p, right) = precedence(op);
                    while let Some(&top) = ops.last() {
                        let (q, _) = precedence(top);
                        if q > p || (q == p && !right) {
                            ops.pop().and_then(|op| apply(&mut values, op)).map_err(fail)?;
                        } else {
                            break;
                        }
                    }
                    ops.push(op).map_err(fail)?;
                }
                Token::LParen => ops.push('(').map_err(fail)?,
                Token::RParen => loop {
                    match ops.pop() {
                        Ok('(') => break,
                        Ok(op) => apply(&mut values, op).map_err(fail)?,
                        Err(_) => return Err(fail(ErrorKind::Unbalanced)),
                    }
                },
            }
        }
        let fail = |kind| Error { at: last_at, kind };
        while let Ok(op) = ops.pop() {
            if op == '(' {
                return Err(fail(ErrorKind::Unbalanced));
            }
            apply(&mut values, op).map_err(fail)?;
        }
        values.pop().map_err(fail)
    }

    const SOURCES: &[&str] = &[
        "1 + 2 * 3",
        "(x + 1) * (y_1 - 2.5) / 4",
        "2 ^ 3 ^ 2 - x",
        "1 + $",
        "((1)",
        "1 + + 2",
        "foo * 2",
        "1.2.3",
    ];

    fn result(seed: u32) -> u64 {
        let source = SOURCES[seed as usize % SOURCES.len()];
        let result = evaluate(source, |name| match name {
            "x" => Some(seed as f64),
            "y_1" => Some(seed as f64 * 0.5),
            _ => None,
        });
        match result {
            Ok(value) => value.to_bits(),
            Err(Error { at, kind }) => {
                let code = match kind {
                    ErrorKind::UnexpectedChar(c) => 1000 + u32::from(c),
                    ErrorKind::BadNumber => 1,
                    ErrorKind::UnknownVariable => 2,
                    ErrorKind::StackOverflow => 3,
                    ErrorKind::StackUnderflow => 4,
                    ErrorKind::Unbalanced => 5,
                };
                (at as u64) << 32 | code as u64
            }
        }
    }

    pub fn run(seed: u32) -> [u32; 2] {
        let result = result(seed);
        [result as u32, (result >> 32) as u32]
    }
}

#[kernel]
pub fn infix_evaluated(seeds: &[u32], y: &mut [[u32; 2]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&INFIX_EVALUATED, program::run)
}
