//! Fields of a line of text that borrow from it, in the style of `csv-core`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod csv {
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum Field<'a> {
        Empty,
        Int(i64),
        Float { mantissa: i64, exponent: i32 },
        Text(&'a [u8]),
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Error<'a> {
        UnterminatedQuote { at: usize },
        TooManyFields(usize),
        Garbage(&'a [u8]),
    }

    pub struct Record<'a, const N: usize> {
        fields: [Field<'a>; N],
        len: usize,
    }

    pub fn parse_line<'a, const N: usize>(line: &'a [u8]) -> Result<Record<'a, N>, Error<'a>> {
        let mut record = Record { fields: [Field::Empty; N], len: 0 };
        let mut rest = line;
        loop {
            let (raw, tail) = match rest {
                [b'"', inner @ ..] => {
                    let end = inner
                        .iter()
                        .position(|&b| b == b'"')
                        .ok_or(Error::UnterminatedQuote { at: line.len() - rest.len() })?;
                    let after = &inner[end + 1..];
                    match after {
                        [] => (Field::Text(&inner[..end]), None),
                        [b',', tail @ ..] => (Field::Text(&inner[..end]), Some(tail)),
                        garbage => return Err(Error::Garbage(garbage)),
                    }
                }
                _ => match rest.iter().position(|&b| b == b',') {
                    Some(i) => (classify(rest[..i].trim_ascii()), Some(&rest[i + 1..])),
                    None => (classify(rest.trim_ascii()), None),
                },
            };
            *record.fields.get_mut(record.len).ok_or(Error::TooManyFields(N))? = raw;
            record.len += 1;
            match tail {
                Some(t) => rest = t,
                None => return Ok(record),
            }
        }
    }

    fn digits(text: &[u8]) -> Option<i64> {
        if text.is_empty() {
            return None;
        }
        text.iter().try_fold(0i64, |n, b| {
            let d = b.checked_sub(b'0').filter(|&d| d < 10)?;
            n.checked_mul(10)?.checked_add(d.into())
        })
    }

    fn classify(text: &[u8]) -> Field<'_> {
        let (negative, body) = match text {
            [] => return Field::Empty,
            [b'-', body @ ..] => (true, body),
            [b'+', body @ ..] | body => (false, body),
        };
        let sign = if negative { -1 } else { 1 };
        if let Some(n) = digits(body) {
            return Field::Int(sign * n);
        }
        let Some(dot) = body.iter().position(|b| *b == b'.') else {
            return Field::Text(text);
        };
        let (int, frac) = (&body[..dot], &body[dot + 1..]);
        match (digits(int), digits(frac)) {
            (Some(i), Some(f)) => Field::Float {
                mantissa: sign * (i * 10i64.pow(frac.len() as u32) + f),
                exponent: -(frac.len() as i32),
            },
            _ => Field::Text(text),
        }
    }

    impl<'a, const N: usize> Record<'a, N> {
        pub fn iter(&self) -> impl Iterator<Item = &Field<'a>> {
            self.fields[..self.len].iter()
        }
        pub fn get(&self, i: usize) -> Option<Field<'a>> {
            self.fields[..self.len].get(i).copied()
        }
    }

    impl Field<'_> {
        pub fn weight(&self) -> i64 {
            match *self {
                Field::Empty => 1,
                Field::Int(n) => n,
                Field::Float { mantissa, exponent } => mantissa ^ i64::from(exponent),
                Field::Text(t) => t.iter().map(|&b| i64::from(b)).sum(),
            }
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    let mut line = *b"12, -3.25,\"a,b\",, +7,x1";
    line[(seed % 23) as usize] = b"0,\". -z"[(seed / 23 % 7) as usize];
    match csv::parse_line::<6>(&line) {
        Ok(record) => {
            let sum: i64 = record.iter().map(|f| f.weight()).sum();
            let first = record.get(0).map_or(0, |f| f.weight());
            sum as u32 ^ (first as u32) << 16
        }
        Err(csv::Error::UnterminatedQuote { at }) => 0xffff0000 | at as u32,
        Err(csv::Error::TooManyFields(n)) => 0xeeee0000 | n as u32,
        Err(csv::Error::Garbage(g)) => 0xdddd0000 | g.len() as u32,
    }
}

#[kernel]
pub fn csv(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&CSV, |i| program(seed(i)))
}
