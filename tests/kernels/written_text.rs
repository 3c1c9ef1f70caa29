//! `write!` and `writeln!` into memory of a type's own: every form of integers, `bool`, `char` and text, types with a `Display` of their own, buffers that are too short,
//! and names that could be taken for those of the standard library.

use super::case::Case;
use super::seeded::case_by_seed;
use kernel_runtime::prelude::*;

#[device]
pub mod texts {
    use core::fmt::{self, Binary, Display, LowerHex, Write as _};

    #[derive(Clone, Copy)]
    pub struct Line<const N: usize> {
        bytes: [u8; N],
        len: usize,
    }

    impl<const N: usize> Line<N> {
        pub const fn new() -> Self {
            Self { bytes: [0; N], len: 0 }
        }

        pub fn hash(&self) -> u32 {
            let text = self.bytes[..self.len].iter();
            text.fold(0, |hash, &byte| hash.rotate_left(5) ^ u32::from(byte).wrapping_mul(0x9e37_79b9))
        }
    }

    impl<const N: usize> fmt::Write for Line<N> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for byte in text.bytes() {
                *self.bytes.get_mut(self.len).ok_or(fmt::Error)? = byte;
                self.len += 1;
            }
            Ok(())
        }
    }

    pub struct Temperature(i16);

    impl Display for Temperature {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            if f.alternate() {
                return write!(f, "{}/{}K", self.0, i32::from(self.0) + 2731);
            }
            let (whole, tenths) = (self.0 / 10, (self.0 % 10).unsigned_abs());
            write!(f, "{whole}.{tenths}")?;
            match f.width() {
                Some(width) if width > 8 => f.write_str(" degrees"),
                _ => f.write_char('C'),
            }
        }
    }

    pub struct Flags(u8);

    impl fmt::Binary for Flags {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            Binary::fmt(&self.0, f)
        }
    }

    impl fmt::Display for Flags {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.pad(if self.0 > 99 { "many" } else { "few" })
        }
    }

    pub struct Pair(u32, i8);

    impl Display for Pair {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{}", self.0)?;
            comma(f, "ab")?;
            if f.sign_plus() {
                write!(f, "{:+}", self.1)?;
            }
            Display::fmt(&self.1, f)?;
            Display::fmt(&self.0, f)
        }
    }

    fn comma(out: &mut impl fmt::Write, text: &str) -> fmt::Result {
        out.write_char(',')?;
        write!(out, "{text:>4}")
    }

    fn both<T: Display + LowerHex>(out: &mut impl fmt::Write, value: &T) -> fmt::Result {
        writeln!(out, "{value}={value:#x}")
    }

    pub fn integers(seed: u32) -> [u32; 4] {
        let (byte, signed) = (seed as u8, seed as i32 >> 3);
        let wide = u64::from(seed).wrapping_mul(0x0123_4567_89ab_cdef);

        let mut plain = Line::<64>::new();
        let first = write!(plain, "{}|{signed}|{0}{{}}{}|{}", byte, wide, i64::MIN);

        let mut aligned = Line::<96>::new();
        let _ = write!(aligned, "[{:6}][{:<6}][{:^7}][{:*>5}]", byte, byte, signed % 100, byte & 7);
        let _ = write!(aligned, "[{:+}][{:06}][{:+06}][{:-^9}]", byte, signed % 1000, byte, "mid");

        let mut based = Line::<128>::new();
        let _ =
            write!(based, "{:x} {:X} {:#010x} {:08b} {:#b} {:o}", seed, wide, byte, byte, byte & 3, signed);
        let _ = write!(based, " {:x} {:#X} {:02x}{:02x}", signed as i8, byte, byte >> 4, byte & 15);

        [plain.hash(), aligned.hash(), based.hash(), u32::from(first.is_ok())]
    }

    pub fn any(seed: u32) -> [u32; 5] {
        let (byte, signed) = (seed as u8, seed as i32 >> 3);
        let wide = u64::from(seed).wrapping_mul(0x0123_4567_89ab_cdef);

        let mut others = Line::<64>::new();
        let letter = (b'a' + byte % 26) as char;
        let (width, most) = (4 + usize::from(byte % 4), 2);
        let _ = write!(others, "{}{letter}{:3}{:>width$}{:.most$}", byte > 99, letter, "ab", "truncated");
        let _ = write!(others, "{:5}|{:.*}", seed % 2 == 0, most, "xyz");

        let mut own = Line::<80>::new();
        let temperature = Temperature(signed as i16);
        let _ = write!(
            own,
            "{temperature} {temperature:#} {temperature:9} {:b} {:#012b}",
            Flags(byte),
            Flags(byte)
        );
        let _ = write!(own, "{:>6}{}", Flags(byte), Flags(7));

        let mut nested = Line::<80>::new();
        let pair = Pair(seed, signed as i8);
        let _ = write!(nested, "{pair}{pair:6}{pair:+}{}", &&pair);

        let mut generic = Line::<40>::new();
        let short = both(&mut generic, &byte).and_then(|()| both(&mut generic, &wide));

        let mut full = Line::<10>::new();
        let mut counted = 0;
        let mut count = || {
            counted += 1;
            counted
        };
        let cut = write!(full, "{}{}{}{}", "head", wide, "tail", count());

        [
            others.hash(),
            own.hash() ^ nested.hash().rotate_left(1),
            generic.hash(),
            full.hash() ^ counted,
            u32::from(short.is_ok()) | u32::from(cut.is_ok()) << 1,
        ]
    }
}

/// Writes into places that are more than names.
#[device]
pub mod places {
    use super::texts::Line;
    use core::fmt::{self, Write};

    struct Pages<'a> {
        lines: [Line<24>; 3],
        last: &'a mut Line<24>,
    }

    impl Pages<'_> {
        fn line(&mut self, index: usize) -> &mut Line<24> {
            &mut self.lines[index]
        }

        fn this(&mut self) -> &mut Self {
            self
        }

        fn write_all(&mut self, x: u32) -> fmt::Result {
            write!(self.lines[0], "{x:>3}")?;
            write!(self.lines[x as usize % 3], "<")?;
            write!(*self.line(2), "{:x}", x ^ 5)?;
            write!(self.line(1), "{}", x % 7)?;
            write!((&mut self.lines[1..])[0], "{x:+}")?;
            write!(self.this().last, "{}", x & 15)?;
            write!(&mut self.this().lines[x as usize % 2], "\n")
        }
    }

    pub fn run(seed: u32) -> [u32; 5] {
        let mut last = Line::<24>::new();
        let mut pages = Pages { lines: [Line::new(); 3], last: &mut last };
        let done = pages.write_all(seed);
        let [first, second, third] = pages.lines.map(|line| line.hash());
        [first, second, third, last.hash(), u32::from(done.is_ok())]
    }
}

#[kernel]
pub fn places_written(seeds: &[u32], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    y[i] = places::run(seeds[i]);
}

#[kernel]
pub fn integers_written(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = texts::integers(seeds[i]);
}

#[kernel]
pub fn text_written(seeds: &[u32], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    y[i] = texts::any(seeds[i]);
}

/// The least and greatest integers, and each way to name an argument, by the number of the work-item.
#[device]
pub mod limits {
    use super::texts::Line;
    use core::fmt::{self, Write};

    macro_rules! every_form {
        ($out:ident, $value:expr) => {
            write!(
                $out,
                "{0} {0:>5} {0:<5}|{0:^6}|{0:05} {0:x} {0:#x} {0:X} {0:b} {0:o} {0:+} {0:+05} {0:#06x} {0:-<4} {0:.3}",
                $value
            )
        };
    }

    fn write_all(out: &mut Line<256>, k: usize) -> fmt::Result {
        match k {
            0 => write!(out, "{} {} {} {} {}", u8::MAX, u16::MAX, u32::MAX, u64::MAX, usize::MAX),
            1 => write!(out, "{} {} {} {} {}", i8::MIN, i16::MIN, i32::MIN, i64::MIN, isize::MIN),
            2 => write!(out, "{:x} {:X} {:o} {:#b} {:x}", i8::MIN, i16::MIN, i32::MIN, i8::MIN, i64::MIN),
            3 => write!(out, "{} {} {} {} {}", i8::MAX, i16::MAX, i32::MAX, i64::MAX, isize::MAX),
            4 => write!(out, "{} {} {:x} {:o} {:b}", 0u8, 0i64, 0usize, 0u16, 0i32),
            5 => write!(out, "{:+} {:+} {:#X} {:#o} {:#b}", -1i16, 1i16, 255u16, 8u8, 5u64),
            6 => writeln!(out, "{k}{b:>4}{0}{1}{0:?<3}{b}", 1 + k, true, b = 'q'),
            7 => write!(out, ""),
            8 => writeln!(out),
            9 => write!(out, "{{}} {{{}}}", 3),
            10 => write!(out, "{:1$} {:.*} {:>w$.p$}|{:<+7}", 5, 6, "abc", "defgh", -3, w = 6, p = 3),
            11 => {
                let once = &k;
                let twice = &once;
                write!(out, "{once} {twice:3} {}", &&7u8)
            }
            12 => write!(out, "{:5}|{:<7}|{:>7}|{:^7}|{:.2}", true, false, true, false, true),
            13 => write!(out, "{:3}|{:<3}|{:>3}|{:*^5}|{}", 'a', 'b', 'c', 'd', 'e'),
            14 => {
                let text = if k > 3 { "long one" } else { "s" };
                write!(out, "{text:3}{text:.3}{text:<10}{text:>10}{text:^11}|{text:#>9}{text:05}")
            }
            15 => every_form!(out, u8::MAX),
            16 => every_form!(out, i8::MIN),
            17 => every_form!(out, k as i32 - 20),
            _ => every_form!(out, u64::MAX - k as u64),
        }
    }

    pub fn run(k: usize) -> [u32; 2] {
        let mut out = Line::<256>::new();
        let result = write_all(&mut out, k);
        [out.hash(), u32::from(result.is_ok())]
    }
}

#[kernel]
pub fn limits_written(y: &mut [[u32; 2]]) {
    let i = global_id(0);
    y[i] = limits::run(i);
}

/// Names of the user's own that the standard library has too.
#[device]
pub mod names {
    use core::fmt::{self, Write};

    pub type Result<T> = core::result::Result<T, u32>;

    #[derive(Clone, Copy, PartialEq)]
    enum Token {
        None,
        Some(usize),
        #[expect(dead_code, reason = "is there for its name alone")]
        Ok,
        #[expect(dead_code, reason = "is there for its name alone")]
        Err,
    }

    struct Sum(u32);

    impl Sum {
        #[expect(dead_code, reason = "the method of the trait has this name too")]
        fn write_str(&mut self, text: &str) {
            self.0 += 1_000_000 + text.len() as u32;
        }
    }

    impl Write for Sum {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 =
                text.bytes().fold(self.0, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte)));
            core::result::Result::Ok(())
        }
    }

    fn token(out: &mut Sum, k: usize) -> Result<u32> {
        use Token::*;
        let token = if k == 3 { None } else { Some(k) };
        write!(out, "{k:5} {}", k * 3).map_err(|_| 5u32)?;
        Result::Ok(u32::from(token == None))
    }

    pub fn run(k: usize) -> [u32; 2] {
        let mut out = Sum(0);
        let token = token(&mut out, k).unwrap_or(9);
        let _ = out.write_char('c');
        [out.0, token]
    }
}

/// What is written by `format_args!`, and a method of the type's own that has the name of the trait's.
#[device]
mod arguments {
    use core::fmt::{self, Display, Write};

    pub struct Sum(pub u32);

    impl Write for Sum {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            text.bytes().for_each(|byte| self.0 = self.0.rotate_left(5) ^ u32::from(byte));
            Ok(())
        }
    }

    pub struct Ratio(u32, u32);

    impl Ratio {
        fn fmt(&self, scale: u32) -> u32 {
            self.0 * scale / self.1
        }
    }

    impl Display for Ratio {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_fmt(format_args!("{}/{:02}", self.0, self.1))
        }
    }

    pub fn run(k: usize) -> [u32; 2] {
        let mut out = Sum(0);
        let ratio = Ratio(k as u32 * 5, 7);
        fmt::write(&mut out, format_args!("{k:>4}|{ratio}|")).unwrap();
        let written = out.write_fmt(format_args!("{:x}", ratio.1));
        [out.0, ratio.fmt(10) + u32::from(written.is_ok())]
    }
}

#[kernel]
pub fn arguments_written(y: &mut [[u32; 2]]) {
    let i = global_id(0);
    y[i] = arguments::run(i);
}

#[kernel]
pub fn names_written(y: &mut [[u32; 2]]) {
    let i = global_id(0);
    y[i] = names::run(i);
}

pub fn cases() -> Vec<Case> {
    let (limits, names): (Vec<_>, Vec<_>) = (0..20).map(|k| (limits::run(k), names::run(k))).unzip();
    let arguments: Vec<_> = (0..20).map(arguments::run).collect();
    vec![
        Case::of(&ARGUMENTS_WRITTEN).output(&arguments).items([arguments.len()]),
        // By vectors of the width that it chooses itself it gives wrong numbers; of 4, 8 or 16 work-items (CL_CONFIG_CPU_VECTORIZER_MODE), or without them, all are right.
        case_by_seed(&INTEGERS_WRITTEN, texts::integers)
            .wrong_on_intel_opencl("lose the results of some work-items by its vectoriser"),
        case_by_seed(&TEXT_WRITTEN, texts::any),
        case_by_seed(&PLACES_WRITTEN, places::run),
        Case::of(&LIMITS_WRITTEN).output(&limits).items([limits.len()]),
        Case::of(&NAMES_WRITTEN).output(&names).items([names.len()]),
    ]
}
