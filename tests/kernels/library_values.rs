//! What `core` says of a `char` and of a byte, the categories of floats, `Bound` and `Poll`.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;
use std::num::{FpCategory, NonZeroU32};
use std::ops::Bound;
use std::task::Poll;

#[device]
fn of_char(code: u32) -> [u32; 8] {
    let Some(c) = char::from_u32(code) else { return [9; 8] };
    let mut upper = c;
    upper.make_ascii_uppercase();
    let mut lower = c;
    lower.make_ascii_lowercase();
    [
        c.len_utf8() as u32 * 10 + c.len_utf16() as u32,
        c.is_control() as u32 * 2 + c.is_whitespace() as u32,
        c.is_ascii_control() as u32 * 2 + c.is_ascii_graphic() as u32,
        upper as u32,
        lower as u32,
        c.eq_ignore_ascii_case(&upper) as u32,
        c.to_digit(16).map_or(99, |digit| digit),
        char::from_digit(code % 36, 36).map_or(0, |c| c as u32),
    ]
}

#[device]
fn of_byte(byte: u8) -> [u8; 4] {
    let mut upper = byte;
    upper.make_ascii_uppercase();
    let mut bytes = [byte, b'x'];
    bytes[0].make_ascii_lowercase();
    [upper, bytes[0], byte.eq_ignore_ascii_case(&upper) as u8, bytes[1].eq_ignore_ascii_case(&byte) as u8]
}

#[device]
fn category(x: f32) -> u32 {
    match x.classify() {
        FpCategory::Nan => 0,
        FpCategory::Infinite => 1,
        FpCategory::Zero => 2,
        FpCategory::Subnormal => 3,
        FpCategory::Normal => 4 + (x.classify() == FpCategory::Normal) as u32,
    }
}

#[device]
fn is_below(x: u32, bound: Bound<u32>) -> bool {
    match bound {
        Bound::Included(last) => x <= last,
        Bound::Excluded(end) => x < end,
        Bound::Unbounded => true,
    }
}

#[device]
fn bounded(x: u32) -> u32 {
    let bounds = [Bound::Included(3), Bound::Excluded(3), Bound::Unbounded];
    let below = bounds.iter().filter(|bound| is_below(x, **bound)).count() as u32;
    let next = bounds[0].map(|last| last + 1);
    let range = 2..=5;
    let ones = NonZeroU32::new(x).map_or(0, |x| x.count_ones().get() + x.isqrt().get());
    below * 100
        + is_below(x, next) as u32 * 10
        + range.contains(&x) as u32
        + range.start()
        + range.end()
        + ones * 1000
}

#[device]
fn polled(x: u32) -> Poll<Option<u32>> {
    match x % 3 {
        0 => Poll::Pending,
        1 => Poll::Ready(None),
        _ => Poll::from(Some(x)),
    }
}

#[device]
fn waited(x: u32) -> u32 {
    let first = polled(x).map(|value| value.unwrap_or(7));
    let mut steps = 0;
    let found = loop {
        match polled(x + steps) {
            Poll::Ready(Some(value)) => break value,
            Poll::Ready(None) | Poll::Pending => steps += 1,
        }
    };
    found * 100 + steps * 10 + u32::from(first.is_pending()) * 2 + u32::from(first == Poll::Ready(x))
}

#[kernel]
pub fn char_values(x: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = of_char(x[i]);
}

#[kernel]
pub fn byte_values(x: &[u8], y: &mut [[u8; 4]]) {
    let i = global_id(0);
    y[i] = of_byte(x[i]);
}

#[kernel]
pub fn float_categories(x: &[f32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = category(x[i]);
}

#[kernel]
pub fn bounded_values(y: &mut [u32]) {
    let i = global_id(0);
    y[i] = bounded(i as u32) + waited(i as u32);
}

pub fn cases() -> Vec<Case> {
    let mut codes: Vec<u32> = (0..0x180).collect();
    codes.extend([
        0x7ff, 0x800, 0x1680, 0x2000, 0x200a, 0x200b, 0x2028, 0x202f, 0x205f, 0x3000, 0xd7ff, 0xd800,
    ]);
    codes.extend([0xdfff, 0xe000, 0xffff, 0x10000, 0x10ffff, 0x110000]);
    let bytes: Vec<u8> = (0..=255).collect();
    let floats = [0.0, -0.0, 1.0, 1e-40, f32::NAN, f32::INFINITY, -3.5, f32::NEG_INFINITY, f32::MIN_POSITIVE];
    let numbers: Vec<u32> = (0..8).collect();
    vec![
        Case::of(&CHAR_VALUES).input(&codes).output(&map(&codes, of_char)).items([codes.len()]),
        Case::of(&BYTE_VALUES).input(&bytes).output(&map(&bytes, of_byte)).items([bytes.len()]),
        Case::of(&FLOAT_CATEGORIES).input(&floats).output(&map(&floats, category)).items([floats.len()]),
        Case::of(&BOUNDED_VALUES).output(&map(&numbers, |x| bounded(x) + waited(x))).items([numbers.len()]),
    ]
}
