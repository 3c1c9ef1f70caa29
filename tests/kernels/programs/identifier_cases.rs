//! Conversion of identifiers between cases, in the manner of `heck`, into text that has a fixed capacity.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::fmt;

    #[derive(Clone)]
    pub struct Str<const N: usize> {
        buf: [u8; N],
        len: usize,
    }

    impl<const N: usize> Str<N> {
        pub const fn new() -> Self {
            Str { buf: [0; N], len: 0 }
        }

        pub fn push(&mut self, c: char) -> Result<(), fmt::Error> {
            let mut utf8 = [0; 4];
            self.push_str(c.encode_utf8(&mut utf8))
        }

        pub fn push_str(&mut self, s: &str) -> Result<(), fmt::Error> {
            let free = &mut self.buf[self.len..];
            if free.len() < s.len() {
                return Err(fmt::Error);
            }
            free[..s.len()].copy_from_slice(s.as_bytes());
            self.len += s.len();
            Ok(())
        }

        pub fn as_str(&self) -> &str {
            // What was pushed is text.
            core::str::from_utf8(&self.buf[..self.len]).unwrap()
        }
    }

    impl<const N: usize> fmt::Write for Str<N> {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            self.push_str(s)
        }

        fn write_char(&mut self, c: char) -> fmt::Result {
            self.push(c)
        }
    }

    #[derive(Clone, Copy, PartialEq, Debug)]
    enum WordMode {
        /// There have been no lowercase or uppercase characters in the current word.
        Boundary,
        Lowercase,
        Uppercase,
    }

    fn capitalize<W: fmt::Write>(word: &str, out: &mut W) -> fmt::Result {
        let mut chars = word.char_indices();
        if let Some((_, first)) = chars.next() {
            out.write_char(first.to_ascii_uppercase())?;
            for (_, c) in chars {
                out.write_char(c.to_ascii_lowercase())?;
            }
        }
        Ok(())
    }

    fn lowercase<W: fmt::Write>(word: &str, out: &mut W) -> fmt::Result {
        for c in word.chars() {
            out.write_char(c.to_ascii_lowercase())?;
        }
        Ok(())
    }

    fn uppercase<W: fmt::Write>(word: &str, out: &mut W) -> fmt::Result {
        word.chars().map(|c| c.to_ascii_uppercase()).try_for_each(|c| out.write_char(c))
    }

    fn transform<W, F, G>(s: &str, mut with_word: F, mut boundary: G, f: &mut W) -> fmt::Result
    where
        W: fmt::Write,
        F: FnMut(&str, &mut W) -> fmt::Result,
        G: FnMut(&mut W) -> fmt::Result,
    {
        let mut first_word = true;
        for word in s.split(|c: char| !c.is_alphanumeric()) {
            let mut char_indices = word.char_indices().peekable();
            let mut init = 0;
            let mut mode = WordMode::Boundary;

            while let Some((i, c)) = char_indices.next() {
                if let Some(&(next_i, next)) = char_indices.peek() {
                    let next_mode = if c.is_lowercase() {
                        WordMode::Lowercase
                    } else if c.is_uppercase() {
                        WordMode::Uppercase
                    } else {
                        mode
                    };

                    if next_mode == WordMode::Lowercase && next.is_uppercase() {
                        if !first_word {
                            boundary(f)?;
                        }
                        with_word(&word[init..next_i], f)?;
                        first_word = false;
                        init = next_i;
                        mode = WordMode::Boundary;
                    } else if mode == WordMode::Uppercase && c.is_uppercase() && next.is_lowercase() {
                        if !first_word {
                            boundary(f)?;
                        } else {
                            first_word = false;
                        }
                        with_word(&word[init..i], f)?;
                        init = i;
                        mode = WordMode::Boundary;
                    } else {
                        mode = next_mode;
                    }
                } else {
                    if !first_word {
                        boundary(f)?;
                    } else {
                        first_word = false;
                    }
                    with_word(&word[init..], f)?;
                    break;
                }
            }
        }
        Ok(())
    }

    pub trait ToSnakeCase {
        fn write_snake_case<W: fmt::Write>(&self, out: &mut W) -> fmt::Result;
    }

    pub trait ToUpperCamelCase {
        fn write_upper_camel_case<W: fmt::Write>(&self, out: &mut W) -> fmt::Result;
    }

    pub trait ToShoutyKebabCase {
        fn write_shouty_kebab_case<W: fmt::Write>(&self, out: &mut W) -> fmt::Result;
    }

    impl ToSnakeCase for str {
        fn write_snake_case<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
            transform(self, lowercase, |f| f.write_char('_'), out)
        }
    }

    impl ToUpperCamelCase for str {
        fn write_upper_camel_case<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
            transform(self, capitalize, |_| Ok(()), out)
        }
    }

    impl ToShoutyKebabCase for str {
        fn write_shouty_kebab_case<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
            transform(self, uppercase, |f| f.write_str("-"), out)
        }
    }

    const NAMES: &[&str] =
        &["XMLHttpRequest", "some_mixedString", "FieldNamE11", "aB", "__ä99°C", "kebab-case name"];

    pub fn run(i: u32) -> u64 {
        let name = NAMES[i as usize % NAMES.len()];
        let mut out = Str::<40>::new();
        let mut total = 0u64;
        name.write_snake_case(&mut out).expect("it fits");
        out.push('/').unwrap();
        name.write_upper_camel_case(&mut out).expect("it fits");
        let mut short = Str::<12>::new();
        if name.write_shouty_kebab_case(&mut short).is_err() {
            total += 1 << 60;
        }
        for b in out.as_str().bytes().chain(short.as_str().bytes()) {
            total = total.rotate_left(5) ^ u64::from(b);
        }
        total.wrapping_mul(i as u64 + 1)
    }
}

#[kernel]
pub fn identifier_cases(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&IDENTIFIER_CASES, program::run)
}
