//! UTF-8 by characters, in the style of `core::str`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod utf8 {
    use core::ops::ControlFlow;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Utf8Error {
        valid_up_to: usize,
        error_len: Option<u8>,
    }

    impl Utf8Error {
        pub const fn valid_up_to(&self) -> usize {
            self.valid_up_to
        }
        pub const fn error_len(&self) -> Option<usize> {
            match self.error_len {
                Some(n) => Some(n as usize),
                None => None,
            }
        }
    }

    #[inline]
    const fn is_continuation(byte: u8) -> bool {
        byte & 0xC0 == 0x80
    }

    pub struct Decoder<'a> {
        bytes: &'a [u8],
        pos: usize,
    }

    impl<'a> Decoder<'a> {
        pub const fn new(bytes: &'a [u8]) -> Self {
            Decoder { bytes, pos: 0 }
        }

        fn err(&self, len: Option<u8>) -> Option<Result<char, Utf8Error>> {
            Some(Err(Utf8Error { valid_up_to: self.pos, error_len: len }))
        }
    }

    impl<'a> Iterator for Decoder<'a> {
        type Item = Result<char, Utf8Error>;

        fn next(&mut self) -> Option<Self::Item> {
            let rest = &self.bytes[self.pos..];
            let first = *rest.first()?;
            let width = match first {
                0x00..=0x7F => 1,
                0xC2..=0xDF => 2,
                0xE0..=0xEF => 3,
                0xF0..=0xF4 => 4,
                _ => {
                    let e = self.err(Some(1));
                    self.pos = self.bytes.len();
                    return e;
                }
            };
            let Some(seq) = rest.get(..width) else {
                let e = self.err(None);
                self.pos = self.bytes.len();
                return e;
            };
            let mut code = if width == 1 { first as u32 } else { (first & (0x7F >> width)) as u32 };
            for (i, &b) in seq.iter().enumerate().skip(1) {
                if !is_continuation(b) {
                    let e = self.err(Some(i as u8));
                    self.pos = self.bytes.len();
                    return e;
                }
                code = code << 6 | (b & 0x3F) as u32;
            }
            match char::from_u32(code) {
                Some(c) => {
                    self.pos += width;
                    Some(Ok(c))
                }
                None => {
                    let e = self.err(Some(1));
                    self.pos = self.bytes.len();
                    e
                }
            }
        }
    }

    pub fn encode(c: char, out: &mut [u8; 4]) -> &[u8] {
        let code = c as u32;
        match c.len_utf8() {
            1 => out[0] = code as u8,
            2 => {
                out[0] = 0xC0 | (code >> 6) as u8;
                out[1] = 0x80 | (code & 0x3F) as u8;
            }
            3 => {
                out[0] = 0xE0 | (code >> 12) as u8;
                out[1] = 0x80 | (code >> 6 & 0x3F) as u8;
                out[2] = 0x80 | (code & 0x3F) as u8;
            }
            _ => {
                out[0] = 0xF0 | (code >> 18) as u8;
                out[1] = 0x80 | (code >> 12 & 0x3F) as u8;
                out[2] = 0x80 | (code >> 6 & 0x3F) as u8;
                out[3] = 0x80 | (code & 0x3F) as u8;
            }
        }
        &out[..c.len_utf8()]
    }

    pub fn count(bytes: &[u8]) -> Result<usize, Utf8Error> {
        let flow = Decoder::new(bytes).try_fold(0usize, |n, c| match c {
            Ok(_) => ControlFlow::Continue(n + 1),
            Err(e) => ControlFlow::Break(e),
        });
        match flow {
            ControlFlow::Continue(n) => Ok(n),
            ControlFlow::Break(e) => Err(e),
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    let mut text = [0u8; 16];
    let mut len = 0;
    let mut s = seed;
    for _ in 0..4 {
        s = s.wrapping_mul(1664525).wrapping_add(1013904223);
        let limit = [0x80, 0x800, 0xD800, 0x11_0000][(s >> 28 & 3) as usize];
        let c = char::from_u32((s >> 4) % limit).unwrap_or(char::REPLACEMENT_CHARACTER);
        let mut buf = [0; 4];
        let enc = utf8::encode(c, &mut buf);
        text[len..][..enc.len()].copy_from_slice(enc);
        len += enc.len();
    }
    let mut hash = 0u32;
    for c in utf8::Decoder::new(&text[..len]).flatten() {
        hash = hash.wrapping_mul(16777619) ^ c as u32;
    }
    hash = hash.wrapping_add(utf8::count(&text[..len]).unwrap() as u32);
    if seed % 3 == 0 {
        text[len / 2] = 0xFF;
    }
    let cut = &text[..len - (seed % 2) as usize];
    match utf8::count(cut) {
        Ok(n) => hash ^ n as u32,
        Err(e) => hash ^ (e.valid_up_to() as u32) << 8 ^ e.error_len().map_or(99, |n| n as u32),
    }
}

#[kernel]
pub fn utf8(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&UTF8, |i| program(seed(i)))
}
