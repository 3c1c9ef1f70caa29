//! A JSON parser that is pulled for events.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use std::iter::Peekable;
    use std::str::Chars;

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum Event {
        BeginObject,
        EndObject,
        BeginArray,
        EndArray,
        Key(u32),
        Str(u32),
        Number(f64),
        Bool(bool),
        Null,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ErrorKind {
        UnexpectedEnd,
        Unexpected(char),
        TooDeep,
        BadNumber,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Error {
        kind: ErrorKind,
        column: usize,
    }

    pub type Result<T, E = Error> = core::result::Result<T, E>;

    impl From<(ErrorKind, usize)> for Error {
        fn from((kind, column): (ErrorKind, usize)) -> Self {
            Error { kind, column }
        }
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Scope {
        Array,
        Object,
    }

    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Expect {
        Value,
        KeyOrEnd,
        CommaOrEnd,
        Done,
    }

    pub struct Parser<'a> {
        chars: Peekable<Chars<'a>>,
        column: usize,
        scopes: [Option<Scope>; 4],
        depth: usize,
        expect: Expect,
    }

    impl<'a> Parser<'a> {
        pub fn new(text: &'a str) -> Self {
            Parser {
                chars: text.chars().peekable(),
                column: 0,
                scopes: [None; 4],
                depth: 0,
                expect: Expect::Value,
            }
        }

        fn bump(&mut self) -> Result<char> {
            let c = self.chars.next().ok_or((ErrorKind::UnexpectedEnd, self.column))?;
            self.column += 1;
            Ok(c)
        }

        fn skip_whitespace(&mut self) {
            while self.chars.next_if(|c| c.is_ascii_whitespace()).is_some() {
                self.column += 1;
            }
        }

        fn fail<T>(&self, c: char) -> Result<T> {
            Err(Error { kind: ErrorKind::Unexpected(c), column: self.column })
        }

        fn literal(&mut self, rest: &str, event: Event) -> Result<Event> {
            for wanted in rest.chars() {
                match self.bump()? {
                    c if c == wanted => (),
                    c => return self.fail(c),
                }
            }
            Ok(event)
        }

        fn string(&mut self) -> Result<u32> {
            let mut hash = 5381u32;
            loop {
                let c = match self.bump()? {
                    '"' => return Ok(hash),
                    '\\' => match self.bump()? {
                        'n' => '\n',
                        't' => '\t',
                        'u' => {
                            let mut code = 0;
                            for _ in 0..4 {
                                let c = self.bump()?;
                                code = code << 4
                                    | c.to_digit(16).ok_or((ErrorKind::Unexpected(c), self.column))?;
                            }
                            char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
                        }
                        c @ ('"' | '\\' | '/') => c,
                        other => return self.fail(other),
                    },
                    c if c.is_control() => return self.fail(c),
                    c => c,
                };
                hash = hash.wrapping_mul(33) ^ c as u32;
            }
        }

        fn number(&mut self, first: char) -> Result<f64> {
            let negative = first == '-';
            let mut value = if negative { 0.0 } else { first.to_digit(10).unwrap_or(0) as f64 };
            let mut scale = None::<f64>;
            while let Some(&c) = self.chars.peek() {
                match c {
                    '0'..='9' => {
                        let digit = f64::from(c as u8 - b'0');
                        if let Some(s) = scale.as_mut() {
                            *s *= 10.0;
                            value += digit / *s;
                        } else {
                            value = value * 10.0 + digit;
                        }
                    }
                    '.' if scale.is_none() => scale = Some(1.0),
                    '.' => return Err((ErrorKind::BadNumber, self.column).into()),
                    _ => break,
                }
                self.bump()?;
            }
            Ok(if negative { -value } else { value })
        }

        fn open(&mut self, scope: Scope) -> Result<()> {
            let slot = self
                .scopes
                .get_mut(self.depth)
                .ok_or(Error { kind: ErrorKind::TooDeep, column: self.column })?;
            *slot = Some(scope);
            self.depth += 1;
            self.expect = if scope == Scope::Object { Expect::KeyOrEnd } else { Expect::Value };
            Ok(())
        }

        fn close(&mut self) -> Option<Scope> {
            self.depth = self.depth.checked_sub(1)?;
            self.expect = if self.depth == 0 { Expect::Done } else { Expect::CommaOrEnd };
            self.scopes[self.depth].take()
        }

        fn event(&mut self) -> Result<Option<Event>> {
            self.skip_whitespace();
            if self.expect == Expect::Done {
                return match self.chars.peek() {
                    None => Ok(None),
                    Some(&c) => self.fail(c),
                };
            }
            let c = self.bump()?;
            match (self.expect, c) {
                (Expect::CommaOrEnd, ',') => {
                    self.expect = match self.scopes[self.depth - 1] {
                        Some(Scope::Object) => Expect::KeyOrEnd,
                        _ => Expect::Value,
                    };
                    self.event_after_comma()
                }
                (Expect::CommaOrEnd | Expect::KeyOrEnd, '}')
                    if self.scopes[self.depth - 1] == Some(Scope::Object) =>
                {
                    self.close();
                    Ok(Some(Event::EndObject))
                }
                (Expect::CommaOrEnd | Expect::Value, ']')
                    if self.depth > 0 && self.scopes[self.depth - 1] == Some(Scope::Array) =>
                {
                    self.close();
                    Ok(Some(Event::EndArray))
                }
                (Expect::KeyOrEnd, '"') => {
                    let key = self.string()?;
                    self.skip_whitespace();
                    match self.bump()? {
                        ':' => self.expect = Expect::Value,
                        c => return self.fail(c),
                    }
                    Ok(Some(Event::Key(key)))
                }
                (Expect::Value, c) => self.value(c).map(Some),
                (_, c) => self.fail(c),
            }
        }

        fn event_after_comma(&mut self) -> Result<Option<Event>> {
            self.skip_whitespace();
            match self.bump()? {
                '"' if self.expect == Expect::KeyOrEnd => {
                    let key = self.string()?;
                    self.skip_whitespace();
                    let ':' = self.bump()? else { return self.fail(':') };
                    self.expect = Expect::Value;
                    Ok(Some(Event::Key(key)))
                }
                c if self.expect == Expect::Value => self.value(c).map(Some),
                c => self.fail(c),
            }
        }

        fn value(&mut self, c: char) -> Result<Event> {
            let event = match c {
                '{' => return self.open(Scope::Object).map(|()| Event::BeginObject),
                '[' => return self.open(Scope::Array).and(Ok(Event::BeginArray)),
                '"' => Event::Str(self.string()?),
                't' => self.literal("rue", Event::Bool(true))?,
                'f' => self.literal("alse", Event::Bool(false))?,
                'n' => self.literal("ull", Event::Null)?,
                '-' | '0'..='9' => Event::Number(self.number(c)?),
                _ => return self.fail(c),
            };
            self.expect = if self.depth == 0 { Expect::Done } else { Expect::CommaOrEnd };
            Ok(event)
        }
    }

    impl Iterator for Parser<'_> {
        type Item = Result<Event>;
        fn next(&mut self) -> Option<Self::Item> {
            self.event().transpose()
        }
    }

    const TEXTS: [&str; 6] = [
        r#"{"a": [1, 2.5, -3], "b": {"c": null, "d": "x\n\u0041"}, "e": true}"#,
        "[1, 2, [3, [4, [5]]]]",
        "[1.2.3]",
        r#"{"k" 1}"#,
        "  \"just text\"  ",
        "[false, tru]",
    ];

    pub fn run(seed: u32) -> [u32; 8] {
        let text = TEXTS[seed as usize % TEXTS.len()];
        let (mut events, mut sum, mut hash, mut deepest) = (0, 0.0, 0u32, 0);
        let mut failure = None;
        let mut parser = Parser::new(text);
        while let Some(event) = parser.next() {
            match event {
                Ok(Event::Number(x)) => sum += x,
                Ok(Event::Key(h) | Event::Str(h)) => hash = hash.rotate_left(3) ^ h,
                Ok(Event::Bool(b)) => hash += u32::from(b),
                Ok(_) => {}
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            }
            events += 1;
            deepest = deepest.max(parser.depth);
        }
        let sum = f64::to_bits(sum);
        let code = match failure {
            None => 0,
            Some(Error { kind: ErrorKind::Unexpected(c), .. }) => c as u32,
            Some(Error { kind, .. }) if kind == ErrorKind::TooDeep => 1000,
            Some(_) => 2000,
        };
        [
            events,
            sum as u32,
            (sum >> 32) as u32,
            hash,
            deepest as u32,
            code,
            failure.map_or(0, |e| e.column as u32),
            text.len() as u32,
        ]
    }
}

#[kernel]
pub fn json_pulled(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&JSON_PULLED, program::run)
}
