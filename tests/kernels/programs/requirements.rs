//! Semantic versions and what requires them.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! Semantic versions and what requires them.
    use core::cmp::Ordering;
    use core::num::ParseIntError;
    use core::str::FromStr;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Version<'a> {
        pub major: u64,
        pub minor: u64,
        pub patch: u64,
        pub pre: Option<&'a str>,
    }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum ErrorKind {
        Empty,
        Number(ParseIntError),
        LeadingZero(Position),
        MissingPart(Position),
        UnexpectedChar(Position, char),
    }

    #[derive(Debug, Copy, Clone, Eq, PartialEq, PartialOrd, Ord)]
    pub enum Position {
        Major,
        Minor,
        Patch,
        Pre,
    }

    impl From<ParseIntError> for ErrorKind {
        fn from(e: ParseIntError) -> Self {
            ErrorKind::Number(e)
        }
    }

    fn numeric(text: &str, at: Position) -> Result<(u64, &str), ErrorKind> {
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (digits, rest) = text.split_at(end);
        match digits.as_bytes() {
            [] => Err(match text.chars().next() {
                Some(c) => ErrorKind::UnexpectedChar(at, c),
                None => ErrorKind::MissingPart(at),
            }),
            [b'0', _, ..] => Err(ErrorKind::LeadingZero(at)),
            _ => Ok((u64::from_str(digits)?, rest)),
        }
    }

    fn dot(text: &str, at: Position) -> Result<&str, ErrorKind> {
        text.strip_prefix('.').ok_or_else(|| match text.chars().next() {
            Some(c) => ErrorKind::UnexpectedChar(at, c),
            None => ErrorKind::MissingPart(at),
        })
    }

    impl<'a> Version<'a> {
        pub const fn new(major: u64, minor: u64, patch: u64) -> Self {
            Version { major, minor, patch, pre: None }
        }

        pub fn parse(text: &'a str) -> Result<Self, ErrorKind> {
            if text.is_empty() {
                return Err(ErrorKind::Empty);
            }
            let (major, text) = numeric(text, Position::Major)?;
            let text = dot(text, Position::Major)?;
            let (minor, text) = numeric(text, Position::Minor)?;
            let text = dot(text, Position::Minor)?;
            let (patch, text) = numeric(text, Position::Patch)?;
            let pre = match text.strip_prefix('-') {
                _ if text.is_empty() => None,
                Some(pre) => {
                    if let Some(c) =
                        pre.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-')))
                    {
                        return Err(ErrorKind::UnexpectedChar(Position::Pre, c));
                    }
                    Some(pre)
                }
                None => return Err(ErrorKind::UnexpectedChar(Position::Patch, text.chars().next().unwrap())),
            };
            Ok(Version { major, minor, patch, pre })
        }
    }

    fn compare_pre(a: &str, b: &str) -> Ordering {
        let mut ours = a.split('.');
        let mut theirs = b.split('.');
        loop {
            return match (ours.next(), theirs.next()) {
                (None, None) => Ordering::Equal,
                (None, Some(_)) => Ordering::Less,
                (Some(_), None) => Ordering::Greater,
                (Some(x), Some(y)) => {
                    let order = match (x.parse::<u64>(), y.parse::<u64>()) {
                        (Ok(x), Ok(y)) => x.cmp(&y),
                        (Ok(_), Err(_)) => Ordering::Less,
                        (Err(_), Ok(_)) => Ordering::Greater,
                        (Err(_), Err(_)) => x.cmp(y),
                    };
                    if order.is_eq() {
                        continue;
                    }
                    order
                }
            };
        }
    }

    impl Ord for Version<'_> {
        fn cmp(&self, other: &Self) -> Ordering {
            (self.major, self.minor, self.patch).cmp(&(other.major, other.minor, other.patch)).then_with(
                || match (self.pre, other.pre) {
                    (None, None) => Ordering::Equal,
                    (None, Some(_)) => Ordering::Greater,
                    (Some(_), None) => Ordering::Less,
                    (Some(a), Some(b)) => compare_pre(a, b),
                },
            )
        }
    }

    impl PartialOrd for Version<'_> {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    #[derive(Debug, Clone, Copy)]
    pub enum Op {
        Exact,
        Caret,
        Tilde,
        GreaterEq,
    }

    pub fn matches(op: Op, requirement: &Version<'_>, version: &Version<'_>) -> bool {
        match op {
            Op::Exact => requirement == version,
            Op::GreaterEq => version >= requirement,
            _ if version < requirement => false,
            Op::Tilde => version.major == requirement.major && version.minor == requirement.minor,
            Op::Caret if requirement.major > 0 => version.major == requirement.major,
            Op::Caret => version.major == 0 && version.minor == requirement.minor,
        }
    }

    const TEXTS: &[&str] = &[
        "1.2.3",
        "1.2.3-alpha.1",
        "1.2.3-alpha.beta",
        "1.10.0",
        "0.2.7",
        "1.02.0",
        "1.2",
        "",
        "1.2.x",
        "1.2.3-rc!",
        "99999999999999999999.0.0",
        "1.2.3-alpha.10",
    ];

    pub fn run(seed: u32) -> [u32; 4] {
        let pick = |n: u32| Version::parse(TEXTS[n as usize % TEXTS.len()]);
        let code = |e: &ErrorKind| match e {
            ErrorKind::Empty => 1,
            ErrorKind::Number(e) => 2 + u32::from(*e.kind() == core::num::IntErrorKind::PosOverflow),
            ErrorKind::LeadingZero(at) => 10 + *at as u32,
            ErrorKind::MissingPart(at) => 20 + *at as u32,
            ErrorKind::UnexpectedChar(at, c) => 1000 * (*at as u32 + 1) + *c as u32,
        };
        match (pick(seed), pick(seed / 12)) {
            (Ok(a), Ok(b)) => {
                let ops = [Op::Exact, Op::Caret, Op::Tilde, Op::GreaterEq];
                let flags =
                    ops.iter().enumerate().fold(0, |f, (i, &op)| f | u32::from(matches(op, &a, &b)) << i);
                let newest = [a, b, Version::new(1, 2, 3)].into_iter().max().unwrap();
                [
                    0,
                    a.cmp(&b) as i32 as u32,
                    flags,
                    newest.minor as u32 * 100 + newest.pre.map_or(0, str::len) as u32,
                ]
            }
            (a, b) => [
                1,
                a.as_ref().err().map_or(0, code),
                b.as_ref().err().map_or(0, |e| code(e)),
                u32::from(a == b),
            ],
        }
    }
}

#[kernel]
pub fn requirements(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&REQUIREMENTS, program::run)
}
