//! Bencode: tokens that are pulled, a check of their structure, an encoder over anything that takes bytes, in the manner of `bendy`.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::fmt::{self, Display, Write};
    use core::iter::from_fn;
    use core::num::ParseIntError;
    use core::str::{Utf8Error, from_utf8};

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Token<'a> {
        List,
        Dict,
        String(&'a [u8]),
        Num(i64),
        End,
    }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum ErrorKind {
        UnexpectedEof,
        UnexpectedByte(u8),
        Number(ParseIntError),
        Utf8(Utf8Error),
        UnsortedKeys,
        NestingTooDeep,
    }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Error {
        kind: ErrorKind,
        at: usize,
    }

    impl From<ParseIntError> for ErrorKind {
        fn from(e: ParseIntError) -> Self {
            ErrorKind::Number(e)
        }
    }

    impl From<Utf8Error> for ErrorKind {
        fn from(e: Utf8Error) -> Self {
            Self::Utf8(e)
        }
    }

    impl Display for ErrorKind {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Self::UnexpectedEof => write!(f, "unexpected end"),
                Self::UnexpectedByte(b) => write!(f, "unexpected byte {:?}", *b as char),
                Self::Number(e) => write!(f, "number: {e}"),
                Self::Utf8(e) => write!(f, "text: {}", e),
                Self::UnsortedKeys => f.write_str("keys are not sorted"),
                Self::NestingTooDeep => f.write_str("too deep"),
            }
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum State<'a> {
        List,
        Key(Option<&'a [u8]>),
        Value(&'a [u8]),
    }

    pub struct Decoder<'a, const DEPTH: usize = 8> {
        source: &'a [u8],
        offset: usize,
        stack: [State<'a>; DEPTH],
        depth: usize,
    }

    impl<'a, const DEPTH: usize> Decoder<'a, DEPTH> {
        pub fn new(source: &'a [u8]) -> Self {
            Decoder { source, offset: 0, stack: [State::List; DEPTH], depth: 0 }
        }

        fn take_byte(&mut self) -> Option<u8> {
            let ret = self.source.get(self.offset).copied();
            if ret.is_some() {
                self.offset += 1;
            }
            ret
        }

        fn take_until(&mut self, end: u8) -> Result<&'a str, ErrorKind> {
            let rest = &self.source[self.offset..];
            let len = rest.iter().position(|&b| b == end).ok_or(ErrorKind::UnexpectedEof)?;
            self.offset += len + 1;
            Ok(from_utf8(&rest[..len])?)
        }

        fn raw_token(&mut self) -> Result<Token<'a>, ErrorKind> {
            Ok(match self.take_byte().ok_or(ErrorKind::UnexpectedEof)? {
                b'e' => Token::End,
                b'l' => Token::List,
                b'd' => Token::Dict,
                b'i' => Token::Num(self.take_until(b'e')?.parse()?),
                b'0'..=b'9' => {
                    self.offset -= 1;
                    let len: usize = self.take_until(b':')?.parse()?;
                    let text = self.source[self.offset..].get(..len).ok_or(ErrorKind::UnexpectedEof)?;
                    self.offset += len;
                    Token::String(text)
                }
                other => return Err(ErrorKind::UnexpectedByte(other)),
            })
        }

        fn observe(&mut self, token: &Token<'a>) -> Result<(), ErrorKind> {
            let top = match self.depth {
                0 => None,
                depth => Some(&mut self.stack[depth - 1]),
            };
            match (top, token) {
                (Some(top @ State::Key(_)), Token::String(label)) => {
                    if let State::Key(Some(old)) = *top {
                        if old >= *label {
                            return Err(ErrorKind::UnsortedKeys);
                        }
                    }
                    *top = State::Value(label);
                    return Ok(());
                }
                (Some(State::List | State::Key(_)), Token::End) => {
                    self.depth -= 1;
                    return Ok(());
                }
                (Some(State::Value(_)) | None, Token::End) => {
                    return Err(ErrorKind::UnexpectedByte(b'e'));
                }
                (Some(State::Key(_)), _) => {
                    return Err(ErrorKind::UnexpectedByte(self.source[self.offset - 1]));
                }
                (Some(top @ State::Value(_)), _) => {
                    let State::Value(label) = *top else { unreachable!() };
                    *top = State::Key(Some(label));
                }
                _ => {}
            }
            let entered = match token {
                Token::List => State::List,
                Token::Dict => State::Key(None),
                _ => return Ok(()),
            };
            *self.stack.get_mut(self.depth).ok_or(ErrorKind::NestingTooDeep)? = entered;
            self.depth += 1;
            Ok(())
        }

        pub fn next_token(&mut self) -> Result<Option<Token<'a>>, Error> {
            if self.depth == 0 && self.offset == self.source.len() {
                return Ok(None);
            }
            let at = self.offset;
            self.raw_token()
                .and_then(|token| self.observe(&token).map(|()| Some(token)))
                .map_err(|kind| Error { kind, at })
        }

        pub fn tokens(mut self) -> impl Iterator<Item = Result<Token<'a>, Error>> + 'a {
            from_fn(move || self.next_token().transpose())
        }
    }

    pub trait ToBencode {
        fn encode<W: Write>(&self, to: &mut W) -> fmt::Result;
    }

    impl ToBencode for i64 {
        fn encode<W: Write>(&self, to: &mut W) -> fmt::Result {
            write!(to, "i{self}e")
        }
    }

    impl ToBencode for str {
        fn encode<W: Write>(&self, to: &mut W) -> fmt::Result {
            write!(to, "{}:{}", self.len(), self)
        }
    }

    impl<T: ToBencode> ToBencode for [T] {
        fn encode<W: Write>(&self, to: &mut W) -> fmt::Result {
            to.write_char('l')?;
            self.iter().try_for_each(|item| item.encode(to))?;
            to.write_char('e')
        }
    }

    impl<T: ToBencode + ?Sized> ToBencode for &T {
        fn encode<W: Write>(&self, to: &mut W) -> fmt::Result {
            (**self).encode(to)
        }
    }

    impl<V: ToBencode, const N: usize> ToBencode for [(&str, V); N] {
        fn encode<W: Write>(&self, to: &mut W) -> fmt::Result {
            to.write_str("d")?;
            for (key, value) in self {
                key.encode(to)?;
                value.encode(to)?;
            }
            to.write_str("e")
        }
    }

    #[derive(Debug)]
    pub struct Text<const N: usize> {
        bytes: [u8; N],
        len: usize,
    }

    impl<const N: usize> Write for Text<N> {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            let room =
                self.bytes.get_mut(self.len..).and_then(|rest| rest.get_mut(..s.len())).ok_or(fmt::Error)?;
            room.copy_from_slice(s.as_bytes());
            self.len += s.len();
            Ok(())
        }
    }

    fn digest(source: &[u8]) -> u64 {
        let mut h = 7u64;
        for token in Decoder::<4>::new(source).tokens() {
            h = h.wrapping_mul(0x100_0000_01b3)
                ^ match token {
                    Ok(Token::Num(n)) => n as u64,
                    Ok(Token::String(s)) => s.iter().map(|&b| u64::from(b)).sum(),
                    Ok(Token::List | Token::Dict) => 1,
                    Ok(Token::End) => 2,
                    Err(Error { kind, at }) => {
                        let mut text = Text::<48> { bytes: [0; 48], len: 0 };
                        let fits = write!(text, "{kind}").is_ok();
                        let sum = text.bytes[..text.len]
                            .iter()
                            .fold(0u64, |h, &b| h.wrapping_mul(31) ^ u64::from(b));
                        return h ^ sum << 8 ^ at as u64 ^ u64::from(fits) << 60;
                    }
                };
        }
        h
    }

    pub fn run(i: u32) -> u64 {
        let fixed: [&[u8]; 8] = [
            b"d3:cow3:moo4:spam4:eggse",
            b"d4:spam4:eggs3:cow3:mooe",
            b"lli1ei-2eeli3eeee",
            b"lllllleeeeee",
            b"i12x4e",
            b"5:abc",
            b"di1ei2ee",
            b"i99999999999999999999e",
        ];
        let mut out = Text::<64> { bytes: [0; 64], len: 0 };
        let n = i64::from(i) * 1001 - 7;
        let wrote = match i % 3 {
            0 => [n, -n, 3].encode(&mut out),
            1 => [("a", &[n, 1][..]), ("bc", &[])].encode(&mut out),
            _ => [("x", "yes"), ("z", "no and more")].encode(&mut out),
        };
        let own = digest(&out.bytes[..out.len - (i % 5 == 4) as usize]);
        own ^ digest(fixed[i as usize % 8]).rotate_left(17) ^ wrote.is_ok() as u64
    }
}

#[kernel]
pub fn bencode(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&BENCODE, program::run)
}
