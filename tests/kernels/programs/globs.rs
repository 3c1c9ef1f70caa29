//! Patterns of file names: `*`, `?`, sets and alternatives.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::iter::Peekable;
    use core::ops::RangeInclusive;
    use core::str::Chars;

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Token {
        Literal(char),
        Any,
        Sequence,
        Within { negated: bool, ranges: [Option<RangeInclusive<char>>; 4] },
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct PatternError {
        pub position: usize,
        pub message: &'static str,
    }

    pub struct Pattern<const N: usize> {
        tokens: [Token; N],
        len: usize,
    }

    impl<const N: usize> Pattern<N> {
        pub fn new(pattern: &str) -> Result<Self, PatternError> {
            let mut tokens = [const { Token::Any }; N];
            let mut len = 0;
            let mut chars = pattern.chars().peekable();
            while let Some(c) = chars.next() {
                let position = len;
                let token = match c {
                    '?' => Token::Any,
                    '*' => {
                        while chars.next_if_eq(&'*').is_some() {}
                        Token::Sequence
                    }
                    '[' => Self::set(&mut chars).map_err(|message| PatternError { position, message })?,
                    '\\' => Token::Literal(
                        chars.next().ok_or(PatternError { position, message: "nothing is escaped" })?,
                    ),
                    other => Token::Literal(other),
                };
                let slot = tokens.get_mut(len).ok_or(PatternError { position, message: "too long" })?;
                *slot = token;
                len += 1;
            }
            Ok(Self { tokens, len })
        }

        fn set(chars: &mut Peekable<Chars<'_>>) -> Result<Token, &'static str> {
            let negated = chars.next_if(|c| matches!(c, '!' | '^')).is_some();
            let mut ranges = [const { None }; 4];
            for range in ranges.iter_mut() {
                let start = match chars.next() {
                    None => return Err("unclosed set"),
                    Some(']') => return Ok(Token::Within { negated, ranges }),
                    Some(start) => start,
                };
                let end = if chars.peek() == Some(&'-') {
                    chars.next();
                    chars.next().ok_or("unclosed range")?
                } else {
                    start
                };
                if end < start {
                    return Err("empty range");
                }
                *range = Some(start..=end);
            }
            match chars.next() {
                Some(']') => Ok(Token::Within { negated, ranges }),
                _ => Err("too many ranges"),
            }
        }

        pub fn matches(&self, text: &str) -> bool {
            let tokens = &self.tokens[..self.len];
            let (mut at, mut rest) = (0, text);
            let mut retry: Option<(usize, &str)> = None;
            loop {
                let mut ahead = rest.chars();
                let advanced = match (tokens.get(at), ahead.next()) {
                    (None, None) => return true,
                    (Some(Token::Sequence), _) => {
                        at += 1;
                        retry = Some((at, rest));
                        continue;
                    }
                    (Some(token), Some(c)) => token.accepts(c),
                    (None, Some(_)) => false,
                    (Some(_), None) => return false,
                };
                if advanced {
                    at += 1;
                    rest = rest.split_at(rest.chars().next().map_or(0, char::len_utf8)).1;
                } else if let Some((token, start)) = &mut retry {
                    let Some(c) = start.chars().next() else { return false };
                    *start = &start[c.len_utf8()..];
                    (at, rest) = (*token, *start);
                } else {
                    return false;
                }
            }
        }
    }

    impl Token {
        fn accepts(&self, c: char) -> bool {
            match self {
                Token::Literal(literal) => *literal == c,
                Token::Any => c != '/',
                Token::Sequence => unreachable!(),
                Token::Within { negated, ranges } => {
                    ranges.iter().flatten().any(|range| range.contains(&c)) != *negated
                }
            }
        }
    }

    const PATTERNS: [&str; 12] = [
        "*.rs",
        "src/**/mod?.r[a-s]",
        "[!a-m]*",
        "a*b*c",
        "*",
        "",
        "\\*x",
        "[a-c1-3_]?z*e",
        "[z-a]",
        "[abc",
        "x\\",
        "*aab*aab",
    ];
    const NAMES: [&str; 8] =
        ["main.rs", "src/lower/mod1.rs", "zebra", "abxbcxc", "*x", "2yzoe", "aaaabaaabaab", "a/b"];

    pub fn run(seed: u32) -> [u32; 5] {
        let mut out = [0; 5];
        for (n, out) in out.iter_mut().take(4).enumerate() {
            let pattern = Pattern::<12>::new(PATTERNS[((seed >> (n * 7)) % 12) as usize]);
            *out = match pattern {
                Ok(pattern) => {
                    NAMES.iter().rev().fold(0, |bits, name| bits << 1 | u32::from(pattern.matches(name)))
                }
                Err(PatternError { position, message }) => {
                    1000 + position as u32 * 100 + message.len() as u32
                }
            };
        }
        out[4] = match Pattern::<3>::new("a**b?d") {
            Err(error) => error.position as u32,
            Ok(_) => 99,
        };
        out
    }
}

#[kernel]
pub fn globs_matched(seeds: &[u32], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&GLOBS_MATCHED, program::run)
}
