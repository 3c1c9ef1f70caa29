//! A tokenizer of JSON without memory of its own, in the style of `jsmn`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod json {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub enum Kind {
        #[default]
        Undefined,
        Object,
        Array,
        Str,
        Primitive,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Error {
        NoMemory,
        Invalid,
        Part,
    }

    #[derive(Clone, Copy, Debug, Default)]
    pub struct Token {
        pub kind: Kind,
        pub start: usize,
        pub end: Option<usize>,
        pub size: usize,
        parent: Option<usize>,
    }

    pub struct Parser<'t, 's> {
        js: &'s [u8],
        tokens: &'t mut [Token],
        pos: usize,
        next: usize,
        sup: Option<usize>,
    }

    impl<'t, 's> Parser<'t, 's> {
        pub fn new(js: &'s str, tokens: &'t mut [Token]) -> Self {
            Self { js: js.as_bytes(), tokens, pos: 0, next: 0, sup: None }
        }

        fn alloc(&mut self, kind: Kind, start: usize, end: Option<usize>) -> Result<usize, Error> {
            let token = self.tokens.get_mut(self.next).ok_or(Error::NoMemory)?;
            *token = Token { kind, start, end, size: 0, parent: self.sup };
            self.next += 1;
            Ok(self.next - 1)
        }

        fn primitive(&mut self) -> Result<(), Error> {
            let start = self.pos;
            while let Some(&c) = self.js.get(self.pos) {
                match c {
                    b':' | b'\t' | b'\r' | b'\n' | b' ' | b',' | b']' | b'}' => break,
                    0..=31 | 127.. => return Err(Error::Invalid),
                    _ => self.pos += 1,
                }
            }
            self.alloc(Kind::Primitive, start, Some(self.pos))?;
            self.pos -= 1;
            Ok(())
        }

        fn string(&mut self) -> Result<(), Error> {
            let start = self.pos;
            self.pos += 1;
            while self.pos < self.js.len() {
                match self.js[self.pos] {
                    b'"' => {
                        self.alloc(Kind::Str, start + 1, Some(self.pos))?;
                        return Ok(());
                    }
                    b'\\' => {
                        self.pos += 1;
                        match self.js.get(self.pos) {
                            Some(b'"' | b'/' | b'\\' | b'b' | b'f' | b'r' | b'n' | b't') => {}
                            Some(b'u') => {
                                let digits = self.js.get(self.pos + 1..self.pos + 5).ok_or(Error::Part)?;
                                if !digits.iter().all(u8::is_ascii_hexdigit) {
                                    return Err(Error::Invalid);
                                }
                                self.pos += 4;
                            }
                            _ => return Err(Error::Invalid),
                        }
                    }
                    _ => (),
                }
                self.pos += 1;
            }
            Err(Error::Part)
        }

        pub fn parse(mut self) -> Result<usize, Error> {
            while self.pos < self.js.len() {
                match self.js[self.pos] {
                    c @ (b'{' | b'[') => {
                        let kind = if c == b'{' { Kind::Object } else { Kind::Array };
                        let token = self.alloc(kind, self.pos, None)?;
                        if let Some(sup) = self.sup {
                            self.tokens[sup].size += 1;
                        }
                        self.sup = Some(token);
                    }
                    c @ (b'}' | b']') => {
                        let kind = if c == b'}' { Kind::Object } else { Kind::Array };
                        let mut at = self.next.checked_sub(1).ok_or(Error::Invalid)?;
                        loop {
                            let end = self.pos + 1;
                            let token = &mut self.tokens[at];
                            if token.end.is_none() {
                                if token.kind != kind {
                                    return Err(Error::Invalid);
                                }
                                token.end = Some(end);
                                self.sup = token.parent;
                                break;
                            }
                            at = token.parent.ok_or(Error::Invalid)?;
                        }
                    }
                    b'"' => {
                        self.string()?;
                        if let Some(sup) = self.sup {
                            self.tokens[sup].size += 1;
                        }
                    }
                    b'\t' | b'\r' | b'\n' | b' ' => {}
                    b':' => self.sup = self.next.checked_sub(1),
                    b',' => {
                        if let Some(t) = self.sup.map(|i| self.tokens[i]) {
                            if !matches!(t.kind, Kind::Array | Kind::Object) {
                                self.sup = t.parent;
                            }
                        }
                    }
                    _ => {
                        self.primitive()?;
                        if let Some(ref sup) = self.sup {
                            self.tokens[*sup].size += 1;
                        }
                    }
                }
                self.pos += 1;
            }
            match self.tokens[..self.next].iter().any(|t| t.end.is_none()) {
                true => Err(Error::Part),
                false => Ok(self.next),
            }
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use json::{Error, Parser, Token};
    const DOCS: &[&str] = &[
        r#"{"a": 1, "b": [true, null, -2.5e3], "c": {"d": "x\ty"}}"#,
        r#"[1, 2, [3, [4, "\u00e9"]]]"#,
        "{\"open\": [1, 2",
        "[}",
        r#""bad \q""#,
    ];
    let doc = DOCS[seed as usize % DOCS.len()];
    let mut tokens = [Token::default(); 14];
    let room = tokens.len() - (seed >> 6) as usize % 10;
    match Parser::new(doc, &mut tokens[..room]).parse() {
        Ok(n) => tokens.iter().take(n).fold(n as u32, |h, t| {
            h.wrapping_mul(131)
                ^ (t.kind as u32) << 24
                ^ (t.start as u32) << 8
                ^ t.end.map_or(0, |e| e as u32)
                ^ (t.size as u32) << 16
        }),
        Err(e) => match e {
            Error::NoMemory => 0xffff_fff0,
            Error::Invalid => 0xffff_fff1,
            Error::Part => 0xffff_fff2,
        },
    }
}

#[kernel]
pub fn jsmn(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&JSMN, |i| program(seed(i)))
}
