//! Parser combinators in the style of `nom`.

use crate::kernels::case::Case;
use crate::kernels::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod nom {
    pub type Input<'a> = &'a [u8];

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ErrorKind {
        Tag,
        Digit,
        Eof,
        Verify,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Error {
        pub left: usize,
        pub kind: ErrorKind,
    }

    pub type IResult<'a, O> = Result<(Input<'a>, O), Error>;

    fn error(input: Input<'_>, kind: ErrorKind) -> Error {
        Error { left: input.len(), kind }
    }

    pub fn byte(wanted: u8) -> impl Fn(Input<'_>) -> IResult<'_, u8> {
        move |input| match input {
            [first, rest @ ..] if *first == wanted => Ok((rest, wanted)),
            [] => Err(error(input, ErrorKind::Eof)),
            _ => Err(error(input, ErrorKind::Tag)),
        }
    }

    pub fn take_while<P: Fn(u8) -> bool>(input: Input<'_>, predicate: P) -> (Input<'_>, Input<'_>) {
        let end = input.iter().position(|&b| !predicate(b)).unwrap_or(input.len());
        let (taken, rest) = input.split_at(end);
        (rest, taken)
    }

    pub fn space(input: Input<'_>) -> IResult<'_, ()> {
        let (rest, _) = take_while(input, |b| b == b' ');
        Ok((rest, ()))
    }

    pub fn digits(input: Input<'_>) -> IResult<'_, u32> {
        let (rest, digits) = take_while(input, |b| b.is_ascii_digit());
        if digits.is_empty() {
            return Err(error(input, ErrorKind::Digit));
        }
        let value = digits
            .iter()
            .try_fold(0u32, |value, digit| value.checked_mul(10)?.checked_add((digit - b'0') as u32));
        match value {
            Some(value) => Ok((rest, value)),
            None => Err(error(input, ErrorKind::Verify)),
        }
    }

    pub fn map<'a, A, B>(
        parser: impl Fn(Input<'a>) -> IResult<'a, A>,
        f: impl Fn(A) -> B,
    ) -> impl Fn(Input<'a>) -> IResult<'a, B> {
        move |input| {
            let (rest, value) = parser(input)?;
            Ok((rest, f(value)))
        }
    }

    pub fn opt<'a, A: Copy>(
        parser: impl Fn(Input<'a>) -> IResult<'a, A>,
    ) -> impl Fn(Input<'a>) -> IResult<'a, Option<A>> {
        move |input| match parser(input) {
            Ok((rest, value)) => Ok((rest, Some(value))),
            Err(_) => Ok((input, None)),
        }
    }

    pub fn preceded<'a, A, B>(
        first: impl Fn(Input<'a>) -> IResult<'a, A>,
        second: impl Fn(Input<'a>) -> IResult<'a, B>,
    ) -> impl Fn(Input<'a>) -> IResult<'a, B> {
        move |input| {
            let (input, _) = first(input)?;
            second(input)
        }
    }

    pub fn separated_pair<'a, A, S, B>(
        first: impl Fn(Input<'a>) -> IResult<'a, A>,
        separator: impl Fn(Input<'a>) -> IResult<'a, S>,
        second: impl Fn(Input<'a>) -> IResult<'a, B>,
    ) -> impl Fn(Input<'a>) -> IResult<'a, (A, B)> {
        move |input| {
            let (input, a) = first(input)?;
            let (input, _) = separator(input)?;
            let (input, b) = second(input)?;
            Ok((input, (a, b)))
        }
    }

    /// `12 : -7, 3:4`
    pub fn signed(input: Input<'_>) -> IResult<'_, i32> {
        let (input, sign) = opt(byte(b'-'))(input)?;
        let (input, value) = preceded(space, digits)(input)?;
        let value = value as i32;
        Ok((input, if sign.is_some() { -value } else { value }))
    }

    pub fn pair(input: Input<'_>) -> IResult<'_, (i32, i32)> {
        let (input, _) = space(input)?;
        let colon = |input| {
            let (input, _) = space(input)?;
            let (input, found) = byte(b':')(input)?;
            let (input, _) = space(input)?;
            Ok((input, found))
        };
        separated_pair(signed, colon, signed)(input)
    }

    pub fn list(mut input: Input<'_>) -> Result<(usize, i32), Error> {
        let (mut count, mut sum) = (0, 0);
        loop {
            let (rest, (a, b)) = pair(input)?;
            count += 1;
            sum += a * b;
            let (rest, _) = space(rest)?;
            if rest.is_empty() {
                return Ok((count, sum));
            }
            let (rest, double) = map(byte(b','), |comma| comma as i32)(rest)?;
            sum += double - 43;
            input = rest;
        }
    }
}

#[device]
fn parsed(line: &[u8]) -> [i32; 3] {
    use nom::{Error, ErrorKind};
    match nom::list(line) {
        Ok((count, sum)) => [0, count as i32, sum],
        Err(Error { left, kind: ErrorKind::Eof }) => [1, left as i32, 0],
        Err(Error { left, kind }) => [2, left as i32, kind as i32],
    }
}

#[kernel]
pub fn combinators(text: &[u8], y: &mut [[i32; 3]]) {
    let i = global_id(0);
    y[i] = parsed(&text[i * 16..][..16]);
}

pub fn case() -> Case {
    let text = b"12 : -7, 3:4    1:2             -5:-6, 77 : 8 ,9    :           1:x             99999999999: 2  5:5,6:6,7:7,8:88";
    let lines: Vec<&[u8]> = text.chunks_exact(16).collect();
    let y = map(&lines, parsed);
    Case::of(&COMBINATORS).input(text).output(&y).items([y.len()])
}
