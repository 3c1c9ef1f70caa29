//! Takes text apart into tokens.

use super::{ParseError, Result};
use crate::hash::HashMap;

/// The symbols, of which the longest that fits is meant.
const SYMBOLS: [&str; 32] = [
    "<<", ">>", "==", "!=", "<=", ">=", "->", "..", "+", "-", "*", "/", "%", "&", "|", "^", "<", ">", "=",
    "(", ")", "{", "}", "[", "]", ",", ":", ";", ".", "~", "!", "?",
];

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind<'t> {
    /// Letters and digits, not starting with a digit.
    Word(&'t str),
    /// What starts with a digit, or with a minus and a digit or `inf`.
    Number(&'t str),
    /// A string, without its quotation marks.
    Text(String),
    /// `%3`
    Value(u32),
    /// `%x` or `%"x"`
    Named(String),
    /// `$3`, `@3`, `#3`, `!3` or `?3`
    Sigil(char, u32),
    /// `'l3`
    Label(u32),
    Symbol(&'static str),
    /// The end of the text.
    End,
}

/// A part of the text.
#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind<'t>,
    /// Where it starts, in bytes.
    pub(super) start: usize,
    /// The number of a value that a word or a number has: 12 in `0_u32%12`.
    pub(super) number: Option<u32>,
}

/// The tokens of a text, and the numbers of values in it, each with where it is first.
pub(super) fn tokens(text: &str) -> Result<(Vec<Token<'_>>, HashMap<u32, usize>)> {
    let mut lexer = Lexer { text, at: 0 };
    let (mut tokens, mut mentioned) = (Vec::new(), HashMap::default());
    loop {
        lexer.skip_blanks();
        let start = lexer.at;
        let kind = lexer.kind()?;
        let number = match kind {
            Kind::Word(_) | Kind::Number(_) => lexer.attached()?,
            _ => None,
        };
        if let (Kind::Value(number), _) | (_, Some(number)) = (&kind, &number) {
            mentioned.entry(*number).or_insert(start);
        }
        let is_end = kind == Kind::End;
        tokens.push(Token { kind, start, number });
        if is_end {
            return Ok((tokens, mentioned));
        }
    }
}

/// The first line of a part of the text, without blanks at its end.
pub(super) fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim_end()
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn skip_blanks(&mut self) {
        loop {
            let blanks = self.rest().len() - self.rest().trim_start().len();
            self.at += blanks;
            if !self.rest().starts_with("//") {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn kind(&mut self) -> Result<Kind<'t>> {
        let first = self.byte(0);
        let second = self.byte(1);
        match first {
            _ if self.rest().is_empty() => Ok(Kind::End),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Ok(Kind::Word(self.take(0, is_word))),
            b'0'..=b'9' => Ok(Kind::Number(self.literal())),
            b'-' if second.is_ascii_digit() || self.rest().starts_with("-inf") => {
                Ok(Kind::Number(self.literal()))
            }
            b'"' => self.string().map(Kind::Text),
            b'%' if second.is_ascii_digit() => self.number(1).map(Kind::Value),
            b'%' if second == b'"' => {
                self.at += 1;
                self.string().map(Kind::Named)
            }
            b'%' if is_word(second) => Ok(Kind::Named(self.take(1, is_word).to_owned())),
            b'$' | b'@' | b'#' | b'!' | b'?' if second.is_ascii_digit() => {
                self.number(1).map(|number| Kind::Sigil(char::from(first), number))
            }
            b'\'' if second == b'l' && self.byte(2).is_ascii_digit() => self.number(2).map(Kind::Label),
            _ => {
                let symbol = SYMBOLS.into_iter().find(|symbol| self.rest().starts_with(symbol));
                let symbol = symbol.ok_or_else(|| self.error("a word, a number, a string or a symbol"))?;
                self.at += symbol.len();
                Ok(Kind::Symbol(symbol))
            }
        }
    }

    /// What of the text from some bytes on consists of certain bytes of ASCII.
    fn take(&mut self, skipped: usize, takes: impl Fn(u8) -> bool) -> &'t str {
        self.at += skipped;
        let len = self.rest().bytes().take_while(|byte| takes(*byte)).count();
        let taken = &self.rest()[..len];
        self.at += len;
        taken
    }

    /// A number with its type: digits, words, points between digits and signs of exponents.
    fn literal(&mut self) -> &'t str {
        let start = self.at;
        self.at += 1;
        loop {
            let (byte, next) = (self.byte(0), self.byte(1));
            let is_exponent = self.text.as_bytes()[self.at - 1] == b'e' && next.is_ascii_digit();
            let goes_on = match byte {
                b'.' => next.is_ascii_digit(),
                b'-' | b'+' => is_exponent && !self.text[start..].starts_with("0x"),
                _ => is_word(byte),
            };
            if !goes_on {
                return &self.text[start..self.at];
            }
            self.at += 1;
        }
    }

    /// A number after some bytes.
    fn number(&mut self, skipped: usize) -> Result<u32> {
        let start = self.at;
        let digits = self.take(skipped, |byte| byte.is_ascii_digit());
        digits.parse().map_err(|_| ParseError::at(self.text, start, "a number below 2^32", digits))
    }

    /// The number of a value behind a word or a number.
    fn attached(&mut self) -> Result<Option<u32>> {
        let is_there = self.byte(0) == b'%' && self.byte(1).is_ascii_digit();
        is_there.then(|| self.number(1)).transpose()
    }

    /// A string as Rust writes it.
    fn string(&mut self) -> Result<String> {
        let mut text = String::new();
        let mut letters = self.rest().char_indices().skip(1);
        while let Some((position, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.at += position + 1;
                    return Ok(text);
                }
                '\\' => {
                    let escape = letters.next().map(|(_, letter)| letter);
                    let meant = match escape {
                        Some('n') => Some('\n'),
                        Some('r') => Some('\r'),
                        Some('t') => Some('\t'),
                        Some('0') => Some('\0'),
                        Some(same @ ('\\' | '"' | '\'')) => Some(same),
                        Some('u') => {
                            let rest = &self.rest()[position..];
                            let code = rest.strip_prefix("\\u{").and_then(|rest| rest.split_once('}'));
                            let code = code.map_or("", |(code, _)| code).to_owned();
                            // The letters that are skipped: those of the code and its braces.
                            letters.by_ref().take(code.chars().count() + 2).for_each(drop);
                            u32::from_str_radix(&code, 16).ok().and_then(char::from_u32)
                        }
                        _ => None,
                    };
                    let Some(meant) = meant else {
                        self.at += position;
                        return Err(self.error("an escape of Rust"));
                    };
                    text.push(meant);
                }
                _ => text.push(letter),
            }
        }
        Err(self.error("a string that ends"))
    }

    fn error(&self, expected: &str) -> ParseError {
        let found = self.rest().chars().next().map_or_else(String::new, |letter| format!("{letter:?}"));
        ParseError::at(self.text, self.at, expected, &found)
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
