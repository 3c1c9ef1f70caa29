//! Statics and constant arrays, which are tables in constant memory: computed when the kernel is compiled, indexed, borrowed, iterated
//! over, copied and taken apart.

use super::case::{Case, ExpectedFault};
use super::edge::map;
use kernel_runtime::FaultKind;
use kernel_runtime::prelude::*;

/// The polynomial of zlib, bit by bit.
#[device]
const fn checksum_of_byte(byte: u32) -> u32 {
    let mut value = byte;
    let mut bit = 0;
    while bit < 8 {
        value = if value & 1 == 1 { (value >> 1) ^ 0xEDB8_8320 } else { value >> 1 };
        bit += 1;
    }
    value
}

#[device]
const fn checksum_table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = checksum_of_byte(byte as u32);
        byte += 1;
    }
    table
}

#[device]
static CHECKSUMS: [u32; 256] = checksum_table();

#[device]
fn checksum(words: &[u32], table: &[u32]) -> u32 {
    let mut sum = !0;
    for word in words {
        for shift in [0, 8, 16, 24] {
            sum = table[((sum ^ (word >> shift)) & 0xFF) as usize] ^ (sum >> 8);
        }
    }
    !sum
}

#[kernel]
pub fn checksum_words(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = checksum(&x[i..i + 1], &CHECKSUMS) ^ checksum(x, &CHECKSUMS[..]);
}

#[device]
#[derive(Clone, Copy)]
struct Step {
    offset: [i8; 2],
    weight: f32,
    last: bool,
}

#[device]
mod shapes {
    use super::Step;

    const SIDE: f32 = 0.5 / 3.0;

    pub static STEPS: [Step; 4] = [
        Step { offset: [1, 0], weight: 1.0, last: false },
        Step { offset: [0, -1], weight: SIDE, last: false },
        Step { offset: [i8::MIN, i8::MAX], weight: -2.5e-3, last: false },
        Step { offset: [-1, 2], weight: SIDE * 3.0 + 1.0, last: true },
    ];

    pub static FIRST: Step = STEPS[0];

    pub static GRID: [[i64; 3]; 2] = [[1, -2, i64::MIN], [4, 0, i64::MAX]];

    pub const NAMES: [(u8, bool, f64); 3] = [(7, true, 0.1), (8, false, -1e300), (9, true, 2.0)];

    pub const STARTS: [Option<u16>; 4] = [None, Some(3), Some(u16::MAX), None];
}

#[device]
fn walk(x: i32) -> f64 {
    use_of_parts(x) + use_of_rows(x) as f64
}

#[device]
fn use_of_parts(x: i32) -> f64 {
    let step = shapes::STEPS[x as usize % 4];
    let Step { offset: [across, down], weight, last } = shapes::STEPS[(x as usize + 1) % 4];
    let mut sum = step.weight + weight * across as f32 + down as f32 + shapes::FIRST.weight;
    if last {
        sum += step.offset[x as usize % 2] as f32;
    }
    for (position, step) in shapes::STEPS.iter().enumerate() {
        if !step.last {
            sum += step.offset[position % 2] as f32;
        }
    }
    let (name, flag, value) = shapes::NAMES[x as usize % 3];
    if flag { sum as f64 + value } else { name as f64 }
}

#[device]
fn use_of_rows(x: i32) -> i64 {
    let row = &shapes::GRID[x as usize % 2];
    let mut sum = row[x as usize % 3] / 2;
    for row in &shapes::GRID {
        sum = sum.wrapping_add(row[0]);
    }
    match shapes::STARTS[x as usize % 4] {
        Some(start) => sum.wrapping_add(start as i64),
        None => sum.wrapping_sub(1),
    }
}

#[kernel]
pub fn structured(x: &[i32], y: &mut [f64]) {
    let i = global_id(0);
    y[i] = walk(x[i]);
}

/// In a body, and copies of the table that change.
#[device]
fn local_tables(x: u32) -> u32 {
    static BITS: [bool; 5] = [true, false, false, true, true];
    const PRIMES: [u32; 6] = [2, 3, 5, 7, 11, 13];
    static SCALE: u32 = PRIMES[2] + 1;
    let index = x as usize % 5;
    let mut copy = PRIMES;
    copy[index] += 100;
    copy.reverse();
    let part = &PRIMES[1..index + 2];
    let unchanged = PRIMES;
    let changed = &mut { PRIMES };
    changed[index] = 0;
    let bit = if BITS[index] { 1000 } else { 2000 };
    let [first, .., last] = PRIMES;
    bit + copy[1]
        + copy[5 - index]
        + part.iter().sum::<u32>() * SCALE
        + unchanged[index]
        + changed[index]
        + first
        + last
        + PRIMES[3]
}

#[kernel]
pub fn in_bodies(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = local_tables(x[i]);
}

#[device]
mod filters {
    pub trait Filter {
        const TAPS: [f32; 4];
    }

    #[derive(Clone, Copy)]
    pub struct Smooth;

    #[derive(Clone, Copy)]
    pub struct Sharp;

    impl Filter for Smooth {
        const TAPS: [f32; 4] = [0.25; 4];
    }

    impl Filter for Sharp {
        const TAPS: [f32; 4] = [-1.0, 3.0, -1.0, 0.0];
    }

    pub fn apply<F: Filter>(_: F, x: &[f32], start: usize) -> f32 {
        let mut sum = 0.0;
        for (tap, value) in F::TAPS.iter().zip(&x[start..]) {
            sum += tap * value;
        }
        sum + F::TAPS[start % 4]
    }
}

#[kernel]
pub fn associated(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = filters::apply(filters::Smooth, x, i) - filters::apply(filters::Sharp, x, i);
}

/// One past the end of the table in the last work-item.
#[kernel]
pub fn out_of_bounds(y: &mut [i64]) {
    let i = global_id(0);
    y[i] = shapes::GRID[1][i];
}

pub fn cases() -> Vec<Case> {
    let words = [0_u32, 1, 0xFF, 0x1234_5678, u32::MAX];
    let sums = map(&words, |word| checksum(&[word], &CHECKSUMS) ^ checksum(&words, &CHECKSUMS));
    let x: Vec<i32> = (0..24).collect();
    let small: Vec<u32> = (0..10).collect();
    let signal: Vec<f32> = (0..12).map(|i| (i * i) as f32 - 7.5).collect();
    let filtered: Vec<f32> = (0..12)
        .map(|i| filters::apply(filters::Smooth, &signal, i) - filters::apply(filters::Sharp, &signal, i))
        .collect();
    let fault = ExpectedFault::new(FaultKind::IndexOutOfBounds).values([3, 3]).at("shapes::GRID[1][i]");
    vec![
        Case::of(&CHECKSUM_WORDS).input(&words).output(&sums).items([words.len()]),
        Case::of(&STRUCTURED).input(&x).output(&map(&x, walk)).items([x.len()]),
        Case::of(&IN_BODIES).input(&small).output(&map(&small, local_tables)).items([small.len()]),
        Case::of(&ASSOCIATED).input(&signal).output(&filtered).items([signal.len()]),
        Case::of(&OUT_OF_BOUNDS).output(&[4_i64, 0, i64::MAX, 0]).unwritten([3]).items([4]).faults(fault),
    ]
}
