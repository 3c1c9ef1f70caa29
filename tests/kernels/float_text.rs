//! Floating-point numbers as text: what parses, and what is written.

use super::case::Case;
use super::seeded::case_by_seed;
use kernel_runtime::prelude::*;

#[device]
pub mod texts {
    use core::fmt::{self, Write};
    use core::str::FromStr;

    /// Depends on which text is written at once.
    struct Sum(u32);

    impl Write for Sum {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 =
                text.bytes().fold(self.0, |h, b| h.wrapping_mul(31).wrapping_add(b.into())).rotate_left(3);
            Ok(())
        }
    }

    const TEXTS: [&str; 24] = [
        "1.5",
        "-0.1e-3",
        "1e400",
        "nan",
        "-Infinity",
        "12345678901234567890123.5",
        "0x1",
        "",
        "1e",
        "3.4028236e38",
        "5e-324",
        ".5",
        "+1.",
        "1_0",
        "2.4703282292062328e-324",
        "16777217",
        "9007199254740993",
        "9007199254740993.00000000000000000000000000000000001",
        "7.0064923216240853e-46",
        "-0",
        ".",
        "1e-99999999999999999999",
        "179769313486231580793e289",
        "0.000000000000000000000000000000000000011754943508222875",
    ];

    pub fn parsed(seed: u32) -> [u32; 3] {
        let text = TEXTS[seed as usize % TEXTS.len()];
        let single = text.parse::<f32>().map_or(3, f32::to_bits);
        let double: u64 = match f64::from_str(text) {
            Ok(x) => x.to_bits(),
            Err(e) => {
                let mut told = Sum(5);
                let _ = write!(told, "{e}");
                told.0.into()
            }
        };
        [single, double as u32, (double >> 32) as u32]
    }

    pub fn single(seed: u32) -> [u32; 4] {
        let all = f32::from_bits(seed.wrapping_mul(0x9e37_79b9));
        let near = seed as f32 / 64.0;
        let mut sums = [1, 2, 3, 4].map(Sum);
        let _ = write!(sums[0], "{all}");
        let _ = write!(sums[1], "{near}");
        let _ = write!(sums[2], "{near:.2}");
        let _ = write!(sums[3], "{all:+012.3}");
        sums.map(|sum| sum.0)
    }

    pub fn double(seed: u32) -> [u32; 3] {
        let all = f64::from_bits(u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(seed % 64));
        let mut sums = [1, 2, 3].map(Sum);
        let _ = write!(sums[0], "{all}");
        let _ = write!(sums[1], "{:.3}", f64::from(seed) / 1000.0);
        let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, f64::MAX, 5e-324, 0.1, 1e21];
        let _ = write!(sums[2], "{:>9}", special[seed as usize % 8]);
        sums.map(|sum| sum.0)
    }
}

#[kernel]
pub fn floats_parsed(y: &mut [[u32; 3]]) {
    let i = global_id(0);
    y[i] = texts::parsed(i as u32);
}

#[kernel]
pub fn floats_single(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = texts::single(seeds[i]);
}

#[kernel]
pub fn floats_double(seeds: &[u32], y: &mut [[u32; 3]]) {
    let i = global_id(0);
    y[i] = texts::double(seeds[i]);
}

pub fn cases() -> Vec<Case> {
    let parsed: Vec<_> = (0..24).map(texts::parsed).collect();
    vec![
        Case::of(&FLOATS_PARSED).output(&parsed).items([24]),
        case_by_seed(&FLOATS_SINGLE, texts::single),
        case_by_seed(&FLOATS_DOUBLE, texts::double),
    ]
}
