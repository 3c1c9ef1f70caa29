//! Formats of `printf`, as OpenCL C has them ("The OpenCL C Specification", "printf"): those of C, and vectors.

use crate::program::Kind;
use kernel_core::f16;

/// An argument: numbers of one kind, by their bits.
pub(super) struct Argument {
    pub(super) kind: Kind,
    pub(super) values: Vec<u64>,
}

/// One conversion of a format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// How many bits an integer is taken to have, if the format says so.
    bits: Option<u32>,
    letter: u8,
}

/// The widest field, since a format may ask for any.
const MAX_WIDTH: usize = 1 << 12;

/// Appends what a format makes of arguments; `string` finds what an address of text leads to.
pub(super) fn print(
    format: &[u8],
    arguments: &[Argument],
    string: impl Fn(u64) -> Option<Vec<u8>>,
    text: &mut Vec<u8>,
) {
    let mut arguments = arguments.iter();
    let mut rest = format;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            text.push(byte);
            continue;
        }
        let Some((conversion, after)) = parse(rest) else { return };
        rest = after;
        if conversion.letter == b'%' {
            text.push(b'%');
            continue;
        }
        // What C leaves undefined is nothing.
        let Some(argument) = arguments.next() else { continue };
        for (number, &bits) in argument.values.iter().enumerate() {
            if number > 0 {
                text.push(b',');
            }
            if conversion.letter == b's' {
                let shown = string(bits).unwrap_or_else(|| b"(null)".to_vec());
                let length = conversion.precision.unwrap_or(shown.len()).min(shown.len());
                pad(text, &conversion, b"", &shown[..length], false);
            } else {
                conversion.number(argument.kind, bits, text);
            }
        }
    }
}

/// The conversion that follows a percent sign, and what is after it.
fn parse(mut rest: &[u8]) -> Option<(Conversion, &[u8])> {
    let mut conversion = Conversion::default();
    let next = |rest: &mut &[u8], is: fn(u8) -> bool| {
        let (&byte, after) = rest.split_first()?;
        is(byte).then(|| {
            *rest = after;
            byte
        })
    };
    while let Some(flag) = next(&mut rest, |byte| b"-+ #0".contains(&byte)) {
        match flag {
            b'-' => conversion.left = true,
            b'+' => conversion.plus = true,
            b' ' => conversion.space = true,
            b'#' => conversion.alternative = true,
            _ => conversion.zero = true,
        }
    }
    let number = |rest: &mut &[u8]| {
        let mut number = 0_usize;
        while let Some(digit) = next(rest, |byte| byte.is_ascii_digit()) {
            number = (10 * number + usize::from(digit - b'0')).min(MAX_WIDTH);
        }
        number
    };
    conversion.width = number(&mut rest);
    if next(&mut rest, |byte| byte == b'.').is_some() {
        conversion.precision = Some(number(&mut rest));
    }
    // How many components there are the argument says itself.
    if next(&mut rest, |byte| byte == b'v').is_some() {
        number(&mut rest);
    }
    for (length, bits) in
        [(&b"hh"[..], Some(8)), (b"hl", Some(32)), (b"h", Some(16)), (b"ll", Some(64)), (b"l", Some(64))]
    {
        if let Some(after) = rest.strip_prefix(length) {
            (rest, conversion.bits) = (after, bits);
            break;
        }
    }
    let (&letter, rest) = rest.split_first()?;
    conversion.letter = letter;
    Some((conversion, rest))
}

impl Conversion {
    fn number(&self, kind: Kind, bits: u64, text: &mut Vec<u8>) {
        match self.letter {
            b'd' | b'i' => {
                let value = signed(bits, self.integer_bits(kind));
                self.integer(value < 0, value.unsigned_abs().to_string(), text);
            }
            b'u' => self.integer(false, self.unsigned(kind, bits).to_string(), text),
            b'o' => {
                let digits = self.at_least(format!("{:o}", self.unsigned(kind, bits)));
                let prefix = if self.alternative && !digits.starts_with('0') { "0" } else { "" };
                let digits = format!("{prefix}{digits}");
                pad(text, self, b"", digits.as_bytes(), self.precision.is_none());
            }
            b'x' => self.hexadecimal("0x", format!("{:x}", self.unsigned(kind, bits)), text),
            b'X' => self.hexadecimal("0X", format!("{:X}", self.unsigned(kind, bits)), text),
            b'c' => pad(text, self, b"", &[bits as u8], false),
            b'p' => pad(text, self, b"", format!("{bits:#x}").as_bytes(), false),
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => self.float(value(kind, bits), text),
            // What C leaves undefined is shown as it is.
            letter => text.extend([b'%', letter]),
        }
    }

    /// How many bits an integer has: as many as the format says, if it has no fewer, and at least those that C promotes it to.
    fn integer_bits(&self, kind: Kind) -> u32 {
        self.bits.unwrap_or(if kind.size() == 8 { 64 } else { 32 }).min(8 * kind.size())
    }

    fn unsigned(&self, kind: Kind, bits: u64) -> u64 {
        bits & (u64::MAX >> (64 - self.integer_bits(kind)))
    }

    fn hexadecimal(&self, prefix: &str, digits: String, text: &mut Vec<u8>) {
        let digits = self.at_least(digits);
        let prefix = if self.alternative && digits.bytes().any(|digit| digit != b'0') { prefix } else { "" };
        pad(text, self, prefix.as_bytes(), digits.as_bytes(), self.precision.is_none());
    }

    fn integer(&self, is_negative: bool, digits: String, text: &mut Vec<u8>) {
        let digits = self.at_least(digits);
        let sign = if matches!(self.letter, b'd' | b'i') { self.sign(is_negative) } else { "" };
        pad(text, self, sign.as_bytes(), digits.as_bytes(), self.precision.is_none());
    }

    /// As many digits as the precision asks for; a zero has none where that is zero.
    fn at_least(&self, digits: String) -> String {
        match self.precision {
            Some(0) if digits == "0" => String::new(),
            Some(precision) => format!("{digits:0>precision$}"),
            None => digits,
        }
    }

    fn sign(&self, is_negative: bool) -> &'static str {
        match (is_negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    fn float(&self, value: f64, text: &mut Vec<u8>) {
        let size = value.abs();
        let mut prefix = self.sign(value.is_sign_negative()).to_owned();
        let mut digits = if size.is_nan() {
            "nan".to_owned()
        } else if size.is_infinite() {
            "inf".to_owned()
        } else {
            match self.letter.to_ascii_lowercase() {
                b'f' => self.fixed(size, self.precision.unwrap_or(6)),
                b'e' => self.exponential(size, self.precision.unwrap_or(6)),
                b'g' => self.general(size),
                _ => {
                    prefix.push_str("0x");
                    self.binary(size)
                }
            }
        };
        if self.letter.is_ascii_uppercase() {
            digits.make_ascii_uppercase();
            prefix.make_ascii_uppercase();
        }
        pad(text, self, prefix.as_bytes(), digits.as_bytes(), size.is_finite());
    }

    fn fixed(&self, size: f64, precision: usize) -> String {
        let point = if self.alternative && precision == 0 { "." } else { "" };
        format!("{size:.precision$}{point}")
    }

    fn exponential(&self, size: f64, precision: usize) -> String {
        let text = format!("{size:.precision$e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let point = if self.alternative && precision == 0 { "." } else { "" };
        let exponent: i32 = exponent.parse().unwrap_or(0);
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{mantissa}{point}e{sign}{:02}", exponent.unsigned_abs())
    }

    /// The shorter one of both, without zeros at the end.
    fn general(&self, size: f64) -> String {
        let digits = self.precision.unwrap_or(6).max(1);
        let scientific = format!("{size:.*e}", digits - 1);
        let exponent: i32 = scientific.split_once('e').and_then(|(_, text)| text.parse().ok()).unwrap_or(0);
        let is_fixed = exponent >= -4 && exponent < digits as i32;
        let text = match is_fixed {
            true => self.fixed(size, (digits as i32 - 1 - exponent) as usize),
            false => self.exponential(size, digits - 1),
        };
        if self.alternative || !text.contains('.') {
            return text;
        }
        let (mantissa, exponent) = text.find('e').map_or((&*text, ""), |at| text.split_at(at));
        let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
        format!("{mantissa}{exponent}")
    }

    /// Hexadecimal digits and a power of two.
    fn binary(&self, size: f64) -> String {
        const DIGITS: usize = 13;
        let bits = size.to_bits();
        let (mut exponent, mut mantissa) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
        match exponent {
            0 if mantissa == 0 => {}
            0 => exponent = -1022,
            _ => {
                mantissa |= 1 << 52;
                exponent -= 1023;
            }
        }
        let precision = self.precision.unwrap_or(DIGITS);
        if precision < DIGITS {
            let unused = 4 * (DIGITS - precision);
            let (rest, half) = (mantissa & ((1 << unused) - 1), 1 << (unused - 1));
            mantissa >>= unused;
            if rest > half || rest == half && mantissa & 1 == 1 {
                mantissa += 1;
            }
            mantissa <<= unused;
        }
        let digits = format!("{:013x}", mantissa & ((1 << 52) - 1));
        let digits = match self.precision {
            Some(precision) => format!("{digits:0<precision$}")[..precision].to_owned(),
            None => digits.trim_end_matches('0').to_owned(),
        };
        let point = if digits.is_empty() && !self.alternative { "" } else { "." };
        format!("{}{point}{digits}p{exponent:+}", mantissa >> 52)
    }
}

/// Appends a number or a text in a field; what is before the digits stays before zeros that fill it.
fn pad(text: &mut Vec<u8>, conversion: &Conversion, prefix: &[u8], digits: &[u8], may_be_zeros: bool) {
    let missing = conversion.width.saturating_sub(prefix.len() + digits.len());
    let fill = |byte, text: &mut Vec<u8>| text.resize(text.len() + missing, byte);
    let zeros = conversion.zero && may_be_zeros && !conversion.left;
    if !zeros && !conversion.left {
        fill(b' ', text);
    }
    text.extend_from_slice(prefix);
    if zeros {
        fill(b'0', text);
    }
    text.extend_from_slice(digits);
    if conversion.left {
        fill(b' ', text);
    }
}

fn signed(bits: u64, width: u32) -> i64 {
    let unused = 64 - width;
    (bits << unused) as i64 >> unused
}

/// A float of a kind by its bits; an integer by its value.
fn value(kind: Kind, bits: u64) -> f64 {
    match kind {
        Kind::F16 => f16::from_bits(bits as u16).into(),
        Kind::F32 => f32::from_bits(bits as u32).into(),
        Kind::F64 => f64::from_bits(bits),
        _ => signed(bits, 8 * kind.size()) as f64,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::ffi::{CString, c_char, c_int};

    unsafe extern "C" {
        fn snprintf(to: *mut c_char, size: usize, format: *const c_char, ...) -> c_int;
    }

    fn ours(format: &str, kind: Kind, bits: u64) -> String {
        let mut text = Vec::new();
        let argument = Argument { kind, values: vec![bits] };
        print(format.as_bytes(), &[argument], |_| None, &mut text);
        String::from_utf8(text).unwrap()
    }

    macro_rules! theirs {
        ($format:expr, $value:expr) => {{
            let format = CString::new($format).unwrap();
            let mut bytes = [0_u8; 1024];
            // SAFETY: the format takes one argument of this type, and the buffer is as large as is said.
            let length = unsafe { snprintf(bytes.as_mut_ptr().cast(), bytes.len(), format.as_ptr(), $value) };
            String::from_utf8(bytes[..length as usize].to_vec()).unwrap()
        }};
    }

    const FLAGS: [&str; 12] = ["", "-", "+", " ", "#", "0", "-+", "+0", "#0", " 0", "-#", "+#0"];
    const SIZES: [&str; 8] = ["", "1", "12", "30", ".0", ".3", "20.5", "8.20"];

    #[test]
    fn floats_are_those_of_c() {
        let values = [
            0.0,
            -0.0,
            1.0,
            -1.5,
            0.1,
            123_456.789,
            999_999.5,
            1e-5,
            0.000_123_4,
            1e20,
            1e100,
            -3.5e-300,
            5e-324,
            0.5,
            2.5,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ];
        for letter in ["f", "F", "e", "E", "g", "G", "a", "A"] {
            for (flags, size) in FLAGS.iter().flat_map(|flags| SIZES.map(|size| (flags, size))) {
                let format = format!("<%{flags}{size}{letter}>");
                for value in values {
                    // Which digit comes before the point of a subnormal number C leaves open.
                    if letter.eq_ignore_ascii_case("a") && value.is_subnormal() {
                        continue;
                    }
                    // The C library of Debian 12 leaves zeros out that it should keep.
                    if letter.eq_ignore_ascii_case("g") && flags.contains('#') && value == 999_999.5 {
                        continue;
                    }
                    assert_eq!(
                        ours(&format, Kind::F64, value.to_bits()),
                        theirs!(&*format, value),
                        "{format} {value:e}"
                    );
                }
            }
        }
        assert_eq!(ours("%g", Kind::F32, 0.1_f32.to_bits().into()), theirs!("%g", f64::from(0.1_f32)));
        assert_eq!(ours("%.3f", Kind::F16, 0x3555), "0.333");
    }

    #[test]
    fn integers_are_those_of_c() {
        let values = [
            0_i64,
            1,
            -1,
            42,
            -12345,
            i64::from(i32::MAX),
            i64::from(i32::MIN),
            i64::MAX,
            i64::MIN,
            0x1_2345_6789,
        ];
        for letter in ["d", "i", "u", "o", "x", "X"] {
            for (flags, size) in FLAGS.iter().flat_map(|flags| SIZES.map(|size| (flags, size))) {
                for value in values {
                    let format = format!("<%{flags}{size}l{letter}>");
                    assert_eq!(
                        ours(&format, Kind::I64, value as u64),
                        theirs!(&*format, value),
                        "{format} {value}"
                    );
                    let format = format!("<%{flags}{size}{letter}>");
                    let short = value as i32;
                    assert_eq!(
                        ours(&format, Kind::I32, u64::from(short as u32)),
                        theirs!(&*format, short),
                        "{format}"
                    );
                    let format = format!("<%{flags}{size}hh{letter}>");
                    assert_eq!(
                        ours(&format, Kind::I32, u64::from(short as u32)),
                        theirs!(&*format, short),
                        "{format}"
                    );
                }
            }
        }
        assert_eq!(ours("<%5c|%%>", Kind::I8, 65), "<    A|%>");
    }

    #[test]
    fn vectors_and_texts() {
        let shown = |format: &str, arguments: &[Argument]| {
            let mut text = Vec::new();
            let string = |address| (address == 5).then(|| b"five".to_vec());
            print(format.as_bytes(), arguments, string, &mut text);
            String::from_utf8(text).unwrap()
        };
        let vector = Argument { kind: Kind::I32, values: vec![1, 2, 3, 0xffff_ffff] };
        assert_eq!(shown("%v4hld!", &[vector]), "1,2,3,-1!");
        let floats = [1.5_f32, -2.0].map(|value| value.to_bits().into());
        assert_eq!(
            shown("<%5.1v2hlf>", &[Argument { kind: Kind::F32, values: floats.to_vec() }]),
            "<  1.5, -2.0>"
        );
        let text = |address| Argument { kind: Kind::I64, values: vec![address] };
        assert_eq!(
            shown("%s|%6s|%-6s|%.2s|%s", &[text(5), text(5), text(5), text(5), text(6)]),
            "five|  five|five  |fi|(null)"
        );
        // What is missing, and what ends too early.
        assert_eq!(shown("a%d%", &[]), "a");
    }
}
