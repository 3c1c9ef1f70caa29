//! Combinators of parsers over bytes, for lengths and colors in style sheets.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    //! Parser combinators over byte slices.
    use core::fmt;
    pub type IResult<'a, O, E = Error<'a>> = Result<(&'a [u8], O), E>;
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ErrorKind {
        Tag,
        Digit,
        Alt,
        Eof,
        Verify,
    }
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Error<'a> {
        pub input: &'a [u8],
        pub code: ErrorKind,
    }
    impl<'a> Error<'a> {
        pub fn new(input: &'a [u8], code: ErrorKind) -> Self {
            Self { input, code }
        }
    }
    impl fmt::Display for Error<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "error {:?} with {} bytes left", self.code, self.input.len())
        }
    }
    pub fn tag<'a>(t: &'static str) -> impl Fn(&'a [u8]) -> IResult<'a, &'a [u8]> {
        move |i| {
            if i.starts_with(t.as_bytes()) {
                let (a, b) = i.split_at(t.len());
                Ok((b, a))
            } else {
                Err(Error::new(i, ErrorKind::Tag))
            }
        }
    }
    pub fn take_while<'a>(pred: impl Fn(u8) -> bool) -> impl Fn(&'a [u8]) -> IResult<'a, &'a [u8]> {
        move |i| {
            let n = i.iter().position(|&b| !pred(b)).unwrap_or(i.len());
            Ok((&i[n..], &i[..n]))
        }
    }
    pub fn verify<'a, O>(
        p: impl Fn(&'a [u8]) -> IResult<'a, O>,
        f: impl Fn(&O) -> bool,
    ) -> impl Fn(&'a [u8]) -> IResult<'a, O> {
        move |i| match p(i) {
            Ok((r, o)) if f(&o) => Ok((r, o)),
            Ok(_) => Err(Error::new(i, ErrorKind::Verify)),
            Err(e) => Err(e),
        }
    }
    pub fn map<'a, A, B>(
        p: impl Fn(&'a [u8]) -> IResult<'a, A>,
        f: impl Fn(A) -> B,
    ) -> impl Fn(&'a [u8]) -> IResult<'a, B> {
        move |i| p(i).map(|(r, a)| (r, f(a)))
    }
    pub fn preceded<'a, A, B>(
        a: impl Fn(&'a [u8]) -> IResult<'a, A>,
        b: impl Fn(&'a [u8]) -> IResult<'a, B>,
    ) -> impl Fn(&'a [u8]) -> IResult<'a, B> {
        move |i| {
            let (i, _) = a(i)?;
            b(i)
        }
    }
    pub fn opt<'a, A>(p: impl Fn(&'a [u8]) -> IResult<'a, A>) -> impl Fn(&'a [u8]) -> IResult<'a, Option<A>> {
        move |i| match p(i) {
            Ok((r, a)) => Ok((r, Some(a))),
            Err(_) => Ok((i, None)),
        }
    }
    pub fn fold_many<'a, A, B>(
        p: impl Fn(&'a [u8]) -> IResult<'a, A>,
        init: impl Fn() -> B,
        f: impl Fn(B, A) -> B,
    ) -> impl Fn(&'a [u8]) -> IResult<'a, B> {
        move |mut i| {
            let mut acc = init();
            while let Ok((rest, a)) = p(i) {
                if rest.len() == i.len() {
                    break;
                }
                acc = f(acc, a);
                i = rest;
            }
            Ok((i, acc))
        }
    }
    fn space(i: &[u8]) -> IResult<'_, ()> {
        map(take_while(|b| b == b' '), |_| ())(i)
    }
    fn number(i: &[u8]) -> IResult<'_, u32> {
        let (i, digits) = verify(take_while(|b| b.is_ascii_digit()), |d: &&[u8]| !d.is_empty())(i)
            .map_err(|e| Error { code: ErrorKind::Digit, ..e })?;
        Ok((i, digits.iter().fold(0u32, |n, d| n.wrapping_mul(10).wrapping_add((d - b'0').into()))))
    }
    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Unit {
        Px,
        Em,
        Percent,
    }
    fn unit(i: &[u8]) -> IResult<'_, Unit> {
        let alternatives = [("px", Unit::Px), ("em", Unit::Em), ("%", Unit::Percent)];
        for (text, unit) in alternatives {
            if let Ok((rest, _)) = tag(text)(i) {
                return Ok((rest, unit));
            }
        }
        Err(Error::new(i, ErrorKind::Alt))
    }
    #[derive(Debug, Clone, Copy, PartialEq)]
    struct Length {
        value: u32,
        unit: Option<Unit>,
    }
    fn length(i: &[u8]) -> IResult<'_, Length> {
        let (i, value) = preceded(space, number)(i)?;
        let (i, unit) = opt(unit)(i)?;
        Ok((i, Length { value, unit }))
    }
    fn hex_color(i: &[u8]) -> IResult<'_, [u8; 3]> {
        fn nibble(b: u8) -> Option<u8> {
            (b as char).to_digit(16).map(|d| d as u8)
        }
        let (rest, _) = tag("#")(i)?;
        let (digits, rest) = rest.split_first_chunk::<6>().ok_or(Error::new(rest, ErrorKind::Eof))?;
        let mut out = [0; 3];
        for (o, pair) in out.iter_mut().zip(digits.chunks_exact(2)) {
            let &[a, b] = pair else { unreachable!() };
            *o = nibble(a).zip(nibble(b)).map(|(a, b)| a << 4 | b).ok_or(Error::new(i, ErrorKind::Digit))?;
        }
        Ok((rest, out))
    }
    fn finish<'a, O>(p: impl Fn(&'a [u8]) -> IResult<'a, O>) -> impl Fn(&'a [u8]) -> Result<O, Error<'a>> {
        move |i| match p(i)? {
            ([], o) => Ok(o),
            (rest, _) => Err(Error::new(rest, ErrorKind::Eof)),
        }
    }
    const INPUTS: [&[u8]; 6] =
        [b"12px 3em 50%", b"7 8 9zz", b"#ff8000", b"#12345", b"", b"100%  4294967299px"];
    struct Len(usize);
    impl fmt::Write for Len {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            self.0 = self.0 * 3 + s.len();
            Ok(())
        }
    }
    pub fn run(i: u32) -> u64 {
        let input = INPUTS[i as usize % INPUTS.len()];
        let lengths = fold_many(
            length,
            || (0u64, 0u64),
            |(n, s), l| (n + 1, s * 31 + u64::from(l.value) + l.unit.map_or(0, |u| u as u64 + 1)),
        );
        let color = hex_color(input).map(|(_, [r, g, b])| u32::from_be_bytes([0, r, g, b]));
        let mut n = Len(0);
        if let Err(e) = &color {
            use fmt::Write as _;
            write!(n, "{e}").unwrap();
        }
        let r = match finish(lengths)(input) {
            Ok((n, s)) => n << 56 ^ s,
            Err(Error { input: rest, code }) => rest.len() as u64 * 1000 + code as u64,
        };
        r ^ color.map_or_else(|e| e.code as u64, u64::from) << 20 ^ n.0 as u64
    }
}

#[kernel]
pub fn style_lengths(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&STYLE_LENGTHS, program::run)
}
