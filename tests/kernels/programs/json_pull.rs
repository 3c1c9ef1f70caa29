//! A parser of JSON that hands out events, with a stack whose depth is a constant of its type.
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::fmt;

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Event<'a> {
        ObjectStart,
        ObjectEnd,
        ArrayStart,
        ArrayEnd,
        Key(&'a str),
        String(&'a str),
        Number(f64),
        Bool(bool),
        Null,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ParseError {
        UnexpectedEnd,
        UnexpectedByte { at: usize, byte: u8 },
        BadNumber(usize),
        TooDeep,
    }

    impl fmt::Display for ParseError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Self::UnexpectedEnd => write!(f, "unexpected end of input"),
                Self::UnexpectedByte { at, byte } => write!(f, "unexpected {:?} at {at}", *byte as char),
                Self::BadNumber(at) => write!(f, "bad number at {at}"),
                Self::TooDeep => write!(f, "nested more than {} levels", Parser::MAX_DEPTH),
            }
        }
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Context {
        Object { expects_value: bool },
        Array,
    }

    pub struct Parser<'a> {
        text: &'a str,
        pos: usize,
        stack: [Context; Parser::MAX_DEPTH],
        depth: usize,
        started: bool,
    }

    impl Parser<'_> {
        const MAX_DEPTH: usize = 8;
    }

    impl<'a> Parser<'a> {
        pub fn new(text: &'a str) -> Self {
            Self { text, pos: 0, stack: [Context::Array; Parser::MAX_DEPTH], depth: 0, started: false }
        }

        fn peek(&self) -> Option<u8> {
            self.text.as_bytes().get(self.pos).copied()
        }

        fn skip_whitespace(&mut self) {
            while self.peek().is_some_and(|b| b.is_ascii_whitespace() || b == b',' || b == b':') {
                self.pos += 1;
            }
        }

        fn expect(&mut self, word: &str) -> Result<(), ParseError> {
            let rest = &self.text[self.pos..];
            if rest.starts_with(word) {
                self.pos += word.len();
                Ok(())
            } else {
                Err(self.unexpected())
            }
        }

        fn unexpected(&self) -> ParseError {
            match self.peek() {
                Some(byte) => ParseError::UnexpectedByte { at: self.pos, byte },
                None => ParseError::UnexpectedEnd,
            }
        }

        fn string(&mut self) -> Result<&'a str, ParseError> {
            self.pos += 1;
            let start = self.pos;
            let len = self.text[start..].find('"').ok_or(ParseError::UnexpectedEnd)?;
            self.pos = start + len + 1;
            Ok(&self.text[start..start + len])
        }

        fn number(&mut self) -> Result<f64, ParseError> {
            let start = self.pos;
            let is_part = |b: u8| matches!(b, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
            while self.peek().map(is_part).unwrap_or(false) {
                self.pos += 1;
            }
            self.text[start..self.pos].parse().map_err(|_| ParseError::BadNumber(start))
        }

        fn enter(&mut self, context: Context) -> Result<(), ParseError> {
            let slot = self.stack.get_mut(self.depth).ok_or(ParseError::TooDeep)?;
            *slot = context;
            self.depth += 1;
            self.pos += 1;
            Ok(())
        }

        fn step(&mut self) -> Result<Option<Event<'a>>, ParseError> {
            self.skip_whitespace();
            if self.depth == 0 && self.started {
                return match self.peek() {
                    None => Ok(None),
                    Some(_) => Err(self.unexpected()),
                };
            }
            self.started = true;
            let byte = self.peek().ok_or(ParseError::UnexpectedEnd)?;
            let top = self.depth.checked_sub(1).map(|d| &mut self.stack[d]);
            if let Some(Context::Object { expects_value }) = top {
                *expects_value = !*expects_value;
                if *expects_value {
                    return match byte {
                        b'"' => self.string().map(|key| Some(Event::Key(key))),
                        b'}' => {
                            self.depth -= 1;
                            self.pos += 1;
                            Ok(Some(Event::ObjectEnd))
                        }
                        _ => Err(self.unexpected()),
                    };
                }
            }
            Ok(Some(match byte {
                b'{' => {
                    self.enter(Context::Object { expects_value: false })?;
                    Event::ObjectStart
                }
                b'[' => {
                    self.enter(Context::Array)?;
                    Event::ArrayStart
                }
                b']' if self.depth > 0 => {
                    self.depth -= 1;
                    self.pos += 1;
                    Event::ArrayEnd
                }
                b'"' => Event::String(self.string()?),
                b't' => self.expect("true").map(|()| Event::Bool(true))?,
                b'f' => self.expect("false").map(|()| Event::Bool(false))?,
                b'n' => {
                    self.expect("null")?;
                    Event::Null
                }
                b'-' | b'0'..=b'9' => Event::Number(self.number()?),
                _ => return Err(self.unexpected()),
            }))
        }
    }

    impl<'a> Iterator for Parser<'a> {
        type Item = Result<Event<'a>, ParseError>;
        fn next(&mut self) -> Option<Self::Item> {
            self.step().transpose()
        }
    }

    const DOCUMENTS: [&str; 7] = [
        r#"{"name": "kernel", "size": [3, -4.5, 1e2], "ok": true}"#,
        r#"[null, {"a": {"b": [1, 2, [3]]}}, "x y", false]"#,
        "[1, 2",
        "[[[[[[[[[1]]]]]]]]]",
        "{\"a\": tru}",
        "[1.2.3]",
        "42 43",
    ];

    struct Sum(u64);
    impl fmt::Write for Sum {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            self.0 = s.bytes().fold(self.0, |a, b| a.wrapping_mul(257).wrapping_add(b.into()));
            Ok(())
        }
    }

    fn result(seed: u32) -> u64 {
        use fmt::Write as _;
        let mut sum = Sum(u64::from(seed));
        let mut key_length = 0;
        for event in Parser::new(DOCUMENTS[seed as usize % DOCUMENTS.len()]) {
            match event {
                Ok(Event::Key(k)) => key_length += k.len(),
                Ok(e) => write!(sum, "{e:?};").unwrap(),
                Err(e) => {
                    let _ = write!(sum, "{e}");
                    break;
                }
            }
        }
        sum.0 ^ (key_length as u64) << 56
    }

    pub fn run(seed: u32) -> [u32; 2] {
        let result = result(seed);
        [result as u32, (result >> 32) as u32]
    }
}

#[kernel]
pub fn json_pulled(seeds: &[u32], y: &mut [[u32; 2]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&JSON_PULLED, program::run)
}
