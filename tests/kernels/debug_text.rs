//! `{:?}` into memory of a type's own: numbers, characters and text with what is escaped of them, tuples, arrays, what derives `Debug`, an `impl` by hand, and in which
//! parts each is written.

use super::case::{Case, ExpectedFault};
use super::seeded::case_by_seed;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

#[device]
pub mod texts {
    use core::cmp::{Ordering, Reverse};
    use core::fmt::{self, Debug, Write};
    use core::num::{NonZeroU8, ParseIntError, Wrapping};

    /// Hashes what is written, and each end of a part.
    pub struct Parts(u32);

    impl fmt::Write for Parts {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for byte in text.bytes() {
                self.0 = (self.0 ^ u32::from(byte)).wrapping_mul(0x0100_0193);
            }
            self.0 = self.0.rotate_left(3) ^ 0x55;
            Ok(())
        }
    }

    fn hash(value: impl Debug) -> u32 {
        let mut parts = Parts(0x811c_9dc5);
        let is_written = write!(parts, "<{value:?}>").is_ok();
        parts.0 ^ u32::from(is_written)
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Unit;

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Pair<A, B>(A, B);

    #[derive(Clone, Copy, Debug)]
    pub enum Shape<'a> {
        Empty,
        Circle { radius: u16, r#type: &'a str },
        Polygon([Pair<i8, u16>; 2], Option<&'a str>),
    }

    #[derive(Debug, Clone, Copy)]
    pub enum Never {}

    pub struct ByHand<'a> {
        bytes: &'a [u8],
        count: u32,
    }

    impl fmt::Debug for ByHand<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self.count % 4 {
                0 => {
                    f.debug_struct("ByHand").field("bytes", &self.bytes).field("count", &self.count).finish()
                }
                1 => f.debug_tuple("ByHand").field(&self.count).finish(),
                2 => f.debug_list().entries(self.bytes.iter()).entry(&self.count).finish(),
                _ => f.debug_set().entries(self.bytes.iter().map(|byte| byte % 3)).finish(),
            }
        }
    }

    /// Which trait `fmt` is of follows from what is imported.
    pub mod shown {
        use core::fmt::{self, Debug};

        pub struct Name<'a>(pub &'a str, pub u16);

        impl Debug for Name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)?;
                Some(3_u8).fmt(f)?;
                self.1.fmt(f)
            }
        }
    }

    pub mod displayed {
        use core::fmt::{self, Display};

        pub struct Name<'a>(pub super::shown::Name<'a>);

        impl Display for Name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let Self(name) = self;
                name.0.fmt(f)?;
                f.write_str(" ")?;
                name.1.fmt(f)
            }
        }

        impl fmt::Debug for Name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                use core::fmt::Write as _;
                f.write_char('!')?;
                fmt::Debug::fmt(&self.0, f)
            }
        }
    }

    /// That of the `impl` around is there without an import.
    pub mod implied {
        use core::fmt;

        #[derive(Debug)]
        pub struct Inner(pub u32);

        impl fmt::Display for Inner {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "number {}", self.0)
            }
        }

        pub struct Outer(pub Inner);

        impl fmt::Display for Outer {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for Outer {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    }

    pub fn by_implied_traits(seed: u32) -> [u32; 2] {
        let outer = implied::Outer(implied::Inner(seed));
        let (mut displayed, mut debugged) = (Parts(1), Parts(1));
        let _ = write!(displayed, "{outer}");
        let _ = write!(debugged, "{outer:?}");
        [displayed.0, debugged.0]
    }

    pub fn integers(seed: u32) -> [u32; 3] {
        let mut parts = Parts(1);
        let signed = seed.cast_signed() >> 5;
        let _ = write!(parts, "{:?} {signed:>9?} {:+?} {:06?}", seed, seed as u8, signed % 100);
        [parts.0, hash(Wrapping(signed)), hash(u128::from(seed) << 70)]
    }

    pub fn singles(seed: u32) -> [u32; 1] {
        [hash(f32::from_bits(seed.wrapping_mul(0x9e37_79b9)))]
    }

    fn double(seed: u32) -> f64 {
        let small = f64::from(seed % 1000) * [1e-30, 1e-7, 1e-5, 0.0625, 1e6, 1e15, 1e22][seed as usize % 7];
        let edges = [
            0.0,
            -0.0,
            1.0,
            1e16,
            9_999_999_999_999_998.0,
            1e-4,
            0.000_099_999,
            1e-5,
            f64::INFINITY,
            f64::NAN,
        ];
        match seed % 3 {
            0 => small,
            1 => edges[seed as usize / 3 % 10],
            _ => f64::from_bits(u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        }
    }

    pub fn doubles(seed: u32) -> [u32; 1] {
        [hash(double(seed))]
    }

    pub fn padded_doubles(seed: u32) -> [u32; 1] {
        let (mut parts, double) = (Parts(1), double(seed));
        let (width, digits) = (seed as usize % 14, seed as usize / 5 % 4);
        let _ = match seed % 4 {
            0 => write!(parts, "{double:+012?}"),
            _ => write!(parts, "{double:width$.digits$?}"),
        };
        [parts.0]
    }

    pub fn quoted(seed: u32) -> [u32; 3] {
        const TEXTS: [&str; 8] = [
            "",
            "plain",
            "tab\tand \"quotes\"",
            "it's",
            "new\nline\r\0\x07\x7f",
            "Äpfel\u{301} \u{200b}x",
            "\\",
            "日本\u{e000}\u{10ffff}!",
        ];
        let text = TEXTS[seed as usize % TEXTS.len()];
        let code = seed % 0x11_0000;
        let character = char::from_u32(code).unwrap_or('\'');
        let low = char::from((seed % 256) as u8);
        [hash(text), hash((character, low)), hash(&[Some(text), None])]
    }

    fn shape(seed: u32) -> Shape<'static> {
        match seed % 3 {
            0 => Shape::Empty,
            1 => Shape::Circle { radius: (seed % 64) as u16, r#type: "round" },
            _ => Shape::Polygon([Pair(-1, 2), Pair(seed as i8, 7)], Some("inner")),
        }
    }

    pub fn derived(seed: u32) -> [u32; 3] {
        let parsed: Result<u8, ParseIntError> = ["12", "", "x", "300"][seed as usize % 4].parse();
        let none: Option<Never> = None;
        [
            hash(shape(seed)),
            hash(parsed),
            hash(((), Unit, none, Reverse(seed.cmp(&7)), Ordering::Less, NonZeroU8::new(seed as u8))),
        ]
    }

    pub fn by_hand(seed: u32) -> [u32; 2] {
        let bytes = seed.to_le_bytes();
        [hash(ByHand { bytes: &bytes, count: seed }), hash(&bytes[..seed as usize % 5])]
    }

    pub fn by_imported_traits(seed: u32) -> [u32; 2] {
        let (mut displayed, mut padded) = (Parts(3), Parts(3));
        let name = displayed::Name(shown::Name("a\"b", (seed % 9) as u16));
        let _ = write!(displayed, "{name} {name:?}");
        let _ = write!(padded, "{:4?} {:?}", Pair(Some(seed % 10), [true, false]), (shape(seed),));
        [displayed.0, padded.0]
    }
}

#[kernel]
pub fn debug_integers(seeds: &[u32], y: &mut [[u32; 3]]) {
    let i = global_id(0);
    y[i] = texts::integers(seeds[i]);
}

#[kernel]
pub fn debug_singles(seeds: &[u32], y: &mut [[u32; 1]]) {
    let i = global_id(0);
    y[i] = texts::singles(seeds[i]);
}

#[kernel]
pub fn debug_doubles(seeds: &[u32], y: &mut [[u32; 1]]) {
    let i = global_id(0);
    y[i] = texts::doubles(seeds[i]);
}

#[kernel]
pub fn debug_padded_doubles(seeds: &[u32], y: &mut [[u32; 1]]) {
    let i = global_id(0);
    y[i] = texts::padded_doubles(seeds[i]);
}

#[kernel]
pub fn debug_derived(seeds: &[u32], y: &mut [[u32; 3]]) {
    let i = global_id(0);
    y[i] = texts::derived(seeds[i]);
}

#[kernel]
pub fn debug_by_hand(seeds: &[u32], y: &mut [[u32; 2]]) {
    let i = global_id(0);
    y[i] = texts::by_hand(seeds[i]);
}

#[kernel]
pub fn debug_imported(seeds: &[u32], y: &mut [[u32; 2]]) {
    let i = global_id(0);
    y[i] = texts::by_imported_traits(seeds[i]);
}

#[kernel]
pub fn debug_quoted(seeds: &[u32], y: &mut [[u32; 3]]) {
    let i = global_id(0);
    y[i] = texts::quoted(seeds[i]);
}

#[kernel]
pub fn debug_implied(seeds: &[u32], y: &mut [[u32; 2]]) {
    let i = global_id(0);
    y[i] = texts::by_implied_traits(seeds[i]);
}

/// Whether a character is a letter, a number, either of these, a small letter or a capital, by bits.
#[device]
fn kinds(character: char) -> u32 {
    u32::from(character.is_alphabetic())
        | u32::from(character.is_numeric()) << 1
        | u32::from(character.is_alphanumeric()) << 2
        | u32::from(character.is_lowercase()) << 3
        | u32::from(character.is_uppercase()) << 4
}

#[kernel]
pub fn kinds_of_characters(codes: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = char::from_u32(codes[i]).map_or(99, |character| kinds(character));
}

#[kernel]
pub fn character_refused(codes: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let character = char::from_u32(codes[i]).unwrap_or('?');
    if character != 'a' {
        panic!("no {character}, {:?}", Some(character));
    }
    y[i] = 1;
}

pub fn cases() -> Vec<Case> {
    // Every character of the first planes at which something changes is among these.
    let codes: Vec<u32> = (0..0x3400).chain((0x3400..0x11_0000).step_by(37)).collect();
    let kinds: Vec<u32> = codes.iter().map(|&code| char::from_u32(code).map_or(99, kinds)).collect();
    let items = kinds.len();
    vec![
        case_by_seed(&DEBUG_INTEGERS, texts::integers),
        case_by_seed(&DEBUG_SINGLES, texts::singles),
        case_by_seed(&DEBUG_DOUBLES, texts::doubles),
        case_by_seed(&DEBUG_PADDED_DOUBLES, texts::padded_doubles),
        case_by_seed(&DEBUG_DERIVED, texts::derived),
        case_by_seed(&DEBUG_BY_HAND, texts::by_hand),
        case_by_seed(&DEBUG_IMPORTED, texts::by_imported_traits),
        case_by_seed(&DEBUG_QUOTED, texts::quoted),
        case_by_seed(&DEBUG_IMPLIED, texts::by_implied_traits),
        Case::of(&CHARACTER_REFUSED)
            .input(&[u32::from('é')])
            .update(&[0_u32], &[0_u32])
            .faults(ExpectedFault::new(FaultKind::Panic).message("no é, Some('é')")),
        Case::of(&KINDS_OF_CHARACTERS).input(&codes).output(&kinds).items([items]),
    ]
}
