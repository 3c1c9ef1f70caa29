//! Numbers of 128 bits and ranges as patterns.

use super::case::Case;
use super::seeded::case_by_seed;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use std::ops::Range;
    pub fn class(x: u128) -> u32 {
        match x {
            0 => 0,
            1..=9 => 1,
            0xFFFF_FFFF_FFFF_FFFF_FFFF => 2,
            100.. => 3,
            _ => 4,
        }
    }
    pub fn inside(r: &Range<u32>, x: u32) -> bool {
        let &Range { start, end } = r;
        matches!((start, end), (a, b) if a <= x && x < b)
    }
    pub fn run(seed: u32) -> [u32; 8] {
        let wide = (seed as u128) << 70;
        let r = seed..seed + 10;
        let label = match (seed % 3, Some(r.clone())) {
            (0, Some(Range { start: 0..=9, .. })) => 1,
            (_, Some(Range { start: s, end: e })) => e - s,
            _ => 7,
        };
        [
            class(wide),
            class(seed as u128 % 12),
            class(0xFFFF_FFFF_FFFF_FFFF_FFFF),
            inside(&r, seed) as u32,
            label,
            0,
            0,
            0,
        ]
    }
}

#[kernel]
pub fn wide_patterns_matched(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn cases() -> Vec<Case> {
    vec![case_by_seed(&WIDE_PATTERNS_MATCHED, program::run)]
}
