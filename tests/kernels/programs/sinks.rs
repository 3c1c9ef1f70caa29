//! Text that is written to a sink of one's own and read as numbers, closures and references behind traits, and imports of whole modules.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod shapes {
    use core::fmt::{self, Write};

    pub type Unit = Scale<1>;
    pub struct Scale<const N: u32>(pub u32);

    impl Unit {
        pub fn one(self) -> u32 {
            self.0
        }
    }

    pub trait Apply {
        fn apply(&self, x: u32) -> u32;
    }

    impl<F: Fn(u32) -> u32> Apply for F {
        fn apply(&self, x: u32) -> u32 {
            self(x)
        }
    }

    pub fn twice(a: &things::Thing, by: impl Apply) -> u32 {
        by.apply(by.apply(a.0))
    }

    pub mod things {
        pub struct Thing(pub u32);
        fn hidden() -> u32 {
            1
        }
        pub fn shown() -> u32 {
            use super::*;
            Scale::<1>(4).one() + hidden()
        }
    }

    pub struct Sink(pub u32);
    impl Write for Sink {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            for b in s.bytes() {
                if b == b'!' {
                    return Err(fmt::Error);
                }
                self.0 = self.0.wrapping_mul(31).wrapping_add(b.into());
            }
            Ok(())
        }
    }

    pub fn larger<'a>(a: &'a i32, b: &'a i32) -> &'a i32 {
        a.max(b)
    }

    pub fn half(x: impl Into<u64>) -> u32 {
        x.into().rotate_left(3) as u32
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use core::fmt::Write;
    use core::num::IntErrorKind;
    use shapes::things::*;
    use shapes::*;
    let mut sink = Sink(seed);
    let ok = sink.write_str("ab").and_then(|()| sink.write_char((b'a' + (seed % 26) as u8) as char)).is_ok();
    let bad = sink.write_str("x!y").is_err();
    let texts = ["17", "-4", "", "99999999999", "0x1f", "+8", "z"];
    let text = texts[seed as usize % 7];
    let parsed = match text.parse::<i32>() {
        Ok(v) => v as u32,
        Err(e) => match e.kind() {
            IntErrorKind::Empty => 100,
            IntErrorKind::InvalidDigit => 200,
            IntErrorKind::PosOverflow => 300,
            _ => 400,
        },
    };
    let byte: u8 = text.parse().unwrap_or(77);
    let hex = u32::from_str_radix(text, 36).unwrap_or(5);
    let (a, b) = (seed as i32, 1000);
    let least = <u8>::MAX as u32;
    twice(&Thing(seed), |x: u32| x ^ 5) + shown()
        ^ sink.0
        ^ parsed
        ^ (byte as u32) << 8
        ^ hex << 16
        ^ ok as u32
        ^ (bad as u32) << 1
        ^ *larger(&a, &b) as u32
        ^ half(seed)
        ^ half(3u8)
        ^ least
        ^ *[a, b].iter().fold(&a, |m, x| m.min(x)) as u32
}

#[kernel]
pub fn sinks(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&SINKS, |i| program(seed(i)))
}
