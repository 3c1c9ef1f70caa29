//! `write!` of integers of 128 bits, and of `Wrapping`, `Saturating` and `NonZero`.

use super::case::Case;
use super::seeded::case_by_seed;
use kernel_runtime::prelude::*;

#[device]
pub mod texts {
    use core::fmt::{self, Write};
    use core::num::{NonZeroI16, NonZeroU32, Saturating, Wrapping};

    pub struct Line {
        hash: u32,
        len: u32,
    }

    impl Write for Line {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for byte in text.bytes() {
                self.hash = self.hash.rotate_left(5) ^ u32::from(byte).wrapping_mul(0x9e37_79b9);
                self.len += 1;
            }
            Ok(())
        }
    }

    pub fn wide(seed: u32) -> [u32; 4] {
        let mut line = Line { hash: 0, len: 0 };
        let small = u128::from(seed);
        let large = small.wrapping_mul(small).wrapping_mul(small).wrapping_mul(0x1_0000_0001_2345_6789);
        let signed = (large as i128).wrapping_neg();
        let _ = write!(line, "{small} {large} {signed} {:>+45}|{:<7}|", signed, small % 1000);
        let decimal = line.hash;
        let _ =
            write!(line, "{large:x} {signed:#X} {small:#o} {:b} {:#034x} {:?<3}", large >> 64, small, 0u128);
        let hexadecimal = line.hash;
        let _ = write!(line, "{} {} {}", u128::MAX, i128::MIN, i128::MAX);
        [decimal, hexadecimal, line.hash, line.len]
    }

    pub fn wrapped(seed: u32) -> [u32; 4] {
        let mut line = Line { hash: 0, len: 0 };
        let Some(number) = NonZeroU32::new(seed | 1) else { return [0; 4] };
        let Some(negative) = NonZeroI16::new(seed as i16 | i16::MIN) else { return [1; 4] };
        let _ = write!(line, "{} {:6} {:+}", Wrapping(seed), Wrapping(seed as i8), Saturating(seed % 300));
        let first = line.hash;
        let _ = write!(
            line,
            "{number} {negative:>9} {number:#x} {:b} {:X}",
            Wrapping(seed as u8),
            Wrapping(seed)
        );
        [first, line.hash, line.len, 0]
    }
}

#[kernel]
pub fn wide_written(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = texts::wide(seeds[i]);
}

#[kernel]
pub fn wrapped_written(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = texts::wrapped(seeds[i]);
}

pub fn cases() -> Vec<Case> {
    vec![case_by_seed(&WIDE_WRITTEN, texts::wide), case_by_seed(&WRAPPED_WRITTEN, texts::wrapped)]
}
