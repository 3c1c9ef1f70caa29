//! Parsers over bytes with errors that say what was expected.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    pub type PResult<'a, T> = Result<(T, &'a [u8]), Error<'a>>;
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Error<'a> {
        rest: &'a [u8],
        want: Expected,
    }
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Expected {
        Byte(u8),
        Digit,
        End,
        Number,
    }
    fn byte<'a>(b: u8) -> impl Fn(&'a [u8]) -> PResult<'a, u8> {
        move |s| match s {
            [c, rest @ ..] if *c == b => Ok((b, rest)),
            _ => Err(Error { rest: s, want: Expected::Byte(b) }),
        }
    }
    fn digits(s: &[u8]) -> PResult<'_, u32> {
        let n = s.iter().take_while(|b| b.is_ascii_digit()).count();
        if n == 0 {
            return Err(Error { rest: s, want: Expected::Digit });
        }
        let (d, rest) = s.split_at(n);
        let v = d
            .iter()
            .try_fold(0u32, |v, &b| v.checked_mul(10)?.checked_add(u32::from(b - b'0')))
            .ok_or(Error { rest: s, want: Expected::Number })?;
        Ok((v, rest))
    }
    fn map<'a, A, B>(
        p: impl Fn(&'a [u8]) -> PResult<'a, A>,
        f: impl Fn(A) -> B,
    ) -> impl Fn(&'a [u8]) -> PResult<'a, B> {
        move |s| p(s).map(|(a, rest)| (f(a), rest))
    }
    fn pair<'a, A, B>(
        p: impl Fn(&'a [u8]) -> PResult<'a, A>,
        q: impl Fn(&'a [u8]) -> PResult<'a, B>,
    ) -> impl Fn(&'a [u8]) -> PResult<'a, (A, B)> {
        move |s| {
            let (a, s) = p(s)?;
            let (b, s) = q(s)?;
            Ok(((a, b), s))
        }
    }
    fn alt<'a, A>(
        p: impl Fn(&'a [u8]) -> PResult<'a, A>,
        q: impl Fn(&'a [u8]) -> PResult<'a, A>,
    ) -> impl Fn(&'a [u8]) -> PResult<'a, A> {
        move |s| p(s).or_else(|_| q(s))
    }
    fn many<'a, A, S>(
        p: impl Fn(&'a [u8]) -> PResult<'a, A>,
        init: S,
        f: impl Fn(S, A) -> S,
    ) -> impl FnOnce(&'a [u8]) -> PResult<'a, S> {
        move |mut s| {
            let mut acc = init;
            while let Ok((a, rest)) = p(s) {
                acc = f(acc, a);
                s = rest;
            }
            Ok((acc, s))
        }
    }
    fn end(s: &[u8]) -> PResult<'_, ()> {
        if s.is_empty() { Ok(((), s)) } else { Err(Error { rest: s, want: Expected::End }) }
    }
    fn sum(text: &[u8]) -> Result<i64, Error<'_>> {
        let signed = |s| alt(map(pair(byte(b'-'), digits), |(_, n)| -(n as i64)), map(digits, i64::from))(s);
        let (first, rest) = signed(text)?;
        let (total, rest) =
            many(
                pair(alt(byte(b'+'), byte(b'*')), signed),
                first,
                |t, (op, n)| if op == b'+' { t + n } else { t * n },
            )(rest)?;
        end(rest)?;
        Ok(total)
    }
    pub fn run(i: u32) -> u64 {
        let inputs: [&[u8]; 6] = [b"1+2+39", b"-4*12+7", b"5+x", b"", b"99999999999", b"3*3 "];
        let one = sum(inputs[i as usize % 6]);
        inputs
            .iter()
            .map(|t| match sum(t) {
                Ok(v) => v as u64,
                Err(Error { rest, want: Expected::Byte(b) }) => rest.len() as u64 + b as u64,
                Err(e) => e.rest.len() as u64 * 10 + (e.want == Expected::Digit) as u64,
            })
            .fold(1, |a: u64, b| a.wrapping_mul(31) ^ b)
            .wrapping_add(
                one.map_or_else(|e| e.rest.first().copied().unwrap_or(1) as u64, |v| v.unsigned_abs()),
            )
    }
}

#[kernel]
pub fn result_parsers(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&RESULT_PARSERS, program::run)
}
