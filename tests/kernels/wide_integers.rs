//! `u128` and `i128`: operators, methods, casts, constants, and where they fault.

use super::case::{Case, ExpectedFault};
use super::edge::{map, zip};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// The FNV-1a hash of 128 bits.
#[device]
fn fnv(bytes: &[u8]) -> [u64; 2] {
    const PRIME: u128 = 0x0000000001000000000000000000013B;
    let mut hash: u128 = 0x6c62272e07bb014262b821756295c58d;
    for byte in bytes {
        hash ^= *byte as u128;
        hash = hash.wrapping_mul(PRIME);
    }
    words(hash)
}

#[device]
fn words(value: u128) -> [u64; 2] {
    [value as u64, (value >> 64) as u64]
}

#[device]
fn signed(value: i128) -> [u64; 2] {
    words(value as u128)
}

#[device]
fn whole([low, high]: [u64; 2]) -> u128 {
    (high as u128) << 64 | low as u128
}

#[device]
fn of_unsigned(a: u128, b: u128) -> [[u64; 2]; 32] {
    let divisor = if b == 0 { 7 } else { b };
    let count = b as u32 % 128;
    let flag = |value: bool| words(value.into());
    let option = |value: Option<u128>| value.map_or([1, 2], words);
    let (product, overflows) = a.overflowing_mul(b);
    let mut changed = a.wrapping_add(1);
    changed ^= b & !0 | 1 << 100;
    changed >>= 3;
    changed |= 5;
    changed &= !b;
    changed /= divisor;
    changed %= 1 << 40;
    changed <<= 1_u8;
    [
        words(a.wrapping_add(b)),
        words(a.wrapping_sub(b)),
        words(a.wrapping_mul(b)),
        words(a / divisor),
        words(a % divisor),
        words(a << count),
        words(a >> count),
        words(a & b | !a ^ b),
        flag(a < b),
        flag(a >= b),
        words(a.max(b) ^ a.min(b)),
        option(a.checked_add(b)),
        option(a.checked_sub(b)),
        option(a.checked_mul(b)),
        option(a.checked_div(b)),
        words(a.saturating_add(b)),
        words(a.saturating_sub(b)),
        words(a.saturating_mul(b)),
        words(product),
        flag(overflows),
        words(a.rotate_left(count)),
        words(a.swap_bytes() ^ a.reverse_bits()),
        [a.count_ones() as u64, a.leading_zeros() as u64],
        [a.trailing_zeros() as u64, b.leading_ones() as u64],
        words(a.wrapping_pow(3)),
        option(b.checked_pow(5)),
        words(a.abs_diff(b)),
        words(changed),
        [(a as f64).to_bits(), (a as f32).to_bits() as u64],
        words(u128::from_be_bytes(a.to_be_bytes()) ^ u128::from_le_bytes(b.to_le_bytes())),
        [u64::try_from(a).unwrap_or(3), u8::try_from(b).unwrap_or(4) as u64],
        words([a >> 2, b >> 2].iter().sum::<u128>()),
    ]
}

#[device]
fn of_signed(a: i128, b: i128) -> [[u64; 2]; 24] {
    let divisor = if b == 0 || b == -1 { 7 } else { b };
    let count = b as u32 % 128;
    let flag = |value: bool| words(value as u128);
    let option = |value: Option<i128>| value.map_or([1, 2], signed);
    let (product, overflows) = a.overflowing_mul(b);
    [
        signed(a.wrapping_add(b)),
        signed(a.wrapping_sub(b)),
        signed(a.wrapping_mul(b)),
        signed(a / divisor),
        signed(a % divisor),
        signed(a.rem_euclid(divisor)),
        signed(a.div_euclid(divisor)),
        signed(a << count),
        signed(a >> count),
        flag(a < b),
        flag(a == b),
        option(a.checked_add(b)),
        option(a.checked_sub(b)),
        option(a.checked_mul(b)),
        option(a.checked_div(b)),
        signed(a.saturating_add(b)),
        signed(a.saturating_sub(b)),
        signed(a.saturating_mul(b)),
        signed(product),
        flag(overflows),
        words(a.unsigned_abs()),
        signed(a.signum() * 3 - 5),
        [(a as f64).to_bits(), (a as f32).to_bits() as u64],
        [a as i64 as u64, i64::try_from(a).unwrap_or(-1) as u64],
    ]
}

#[device]
fn of_scalars(x: i64, y: u64, f: f64) -> [[u64; 2]; 10] {
    [
        signed(x as i128 * y as i128),
        words(x as u128),
        words((y as u128 * y as u128) >> 64),
        signed(i128::from(x) - i128::from(y)),
        words(u128::from(y) << 3),
        words(f as u128),
        signed(f as i128),
        words(f as f32 as u128),
        words((y % 2 == 0) as u128 + u128::from(x < 0)),
        signed((-170141183460469231731687303715884105728_i128).wrapping_add(x as i128)),
    ]
}

#[kernel]
pub fn wide_hashes(text: &[u8], y: &mut [[u64; 2]]) {
    let i = global_id(0);
    y[i] = fnv(&text[i..]);
}

#[kernel]
pub fn wide_unsigned(a: &[[u64; 2]], b: &[[u64; 2]], y: &mut [[[u64; 2]; 32]]) {
    let i = global_id(0);
    y[i] = of_unsigned(whole(a[i]), whole(b[i]));
}

#[kernel]
pub fn wide_signed(a: &[[u64; 2]], b: &[[u64; 2]], y: &mut [[[u64; 2]; 24]]) {
    let i = global_id(0);
    y[i] = of_signed(whole(a[i]) as i128, whole(b[i]) as i128);
}

#[kernel]
pub fn wide_scalars(x: &[i64], z: &[u64], f: &[f64], y: &mut [[[u64; 2]; 10]]) {
    let i = global_id(0);
    y[i] = of_scalars(x[i], z[i], f[i]);
}

/// What does not fit faults where overflow is checked.
#[kernel(overflow = "check", requires(global_size(0) == 1))]
pub fn wide_overflow(form: u32, n: u64, y: &mut [u64]) {
    let big = u128::MAX - 9 + n as u128;
    let least = i128::MIN + n as i128;
    y[0] = match form {
        0 => big + 10 - n as u128,
        1 => n as u128 - 1,
        2 => big * 2,
        3 => 1_u128 << (n + 128),
        4 => big / n as u128,
        5 => -least as u128,
        6 => (least / -1) as u128,
        7 => (n as u128 + 3).pow(90),
        _ => big - 1,
    } as u64;
}

/// And wraps where it is not.
#[kernel(overflow = "wrap", requires(global_size(0) == 1))]
pub fn wide_wrapping(n: u64, y: &mut [u64]) {
    let big = u128::MAX - n as u128;
    y[0] = (big + 10) as u64;
    y[1] = ((n as u128 - 1) >> 64) as u64;
    y[2] = (big * big) as u64;
    y[3] = (1_u128 << (n + 130)) as u64;
}

/// Numbers that are used before it is known that they have 128 bits.
#[device]
fn known_late(n: u64) -> [u64; 3] {
    let mut k = 1;
    let mut count = 7;
    let mut seen = 0;
    while k < 60 && count != 100 {
        count += k % 4;
        count -= 1;
        seen |= 1 << (k & 63);
        if count == 9 || 40 <= k {
            count <<= 1;
        }
        k += 2;
    }
    let narrow = (k as u32 + 1) * if let 61 = k { 3 } else { 5 };
    let least = if count > k { k } else { count };
    let big = i128::from(n) * 3 + k - count;
    [
        (big >> 2) as u64 ^ (least * big) as u64,
        (u128::from(n) ^ seen) as u64 + u64::from(narrow),
        (least == 61) as u64,
    ]
}

#[kernel]
pub fn wide_known_late(x: &[u64], y: &mut [[u64; 3]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = known_late(x[i]);
    }
}

/// Ends of ranges are compared where these are.
#[device]
fn same_ranges(n: u64) -> u64 {
    let ranges = [Some(0..n), Some(n..3), None];
    let closed = [(0..=n), (n..=n)];
    let first = ranges.iter().position(|range| *range == Some(2..3)).unwrap_or(9) as u64;
    let same = closed[0] == closed[1];
    first * 2
        + same as u64
        + 100 * (ranges[0] == ranges[1]) as u64
        + 1000 * (closed[1].clone() != (n..=2)) as u64
}

#[kernel]
pub fn equal_ranges(x: &[u64], y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = same_ranges(x[i]);
    }
}

fn faults(form: u32, message: &'static str) -> Case {
    Case::of(&WIDE_OVERFLOW)
        .label(message)
        .scalar(form)
        .scalar(0_u64)
        .input(&[7_u64])
        .faults(ExpectedFault::new(FaultKind::Panic).message(message))
}

pub fn cases() -> Vec<Case> {
    let edges: Vec<[u64; 2]> = [
        0,
        1,
        7,
        u64::MAX as u128,
        1 << 64,
        (1 << 64) + 1,
        0x1234_5678_9abc_def0_0fed_cba9_8765_4321,
        1 << 127,
        (1 << 127) - 1,
        u128::MAX - 1,
        u128::MAX,
        (1 << 53) + 1,
        ((1 << 53) + 1) << 60,
        (1 << 104) - 1,
    ]
    .map(words)
    .into();
    let pairs = edges.iter().flat_map(|a| edges.iter().map(|b| (*a, *b)));
    let (a, b): (Vec<[u64; 2]>, Vec<[u64; 2]>) = pairs.unzip();
    let unsigned = zip(&a, &b, |a, b| of_unsigned(whole(a), whole(b)));
    let signed = zip(&a, &b, |a, b| of_signed(whole(a) as i128, whole(b) as i128));
    let x = [0, 1, -1, i64::MIN, i64::MAX, 1 << 40];
    let z = [0, 1, 2, u64::MAX, 1 << 63, 12345];
    let f = [0.0, -1.5, 1e38, f64::NAN, -1e39, 3.9];
    let items: Vec<usize> = (0..6).collect();
    let scalars = map(&items, |i| of_scalars(x[i], z[i], f[i]));
    let text = b"foobar";
    let starts: Vec<usize> = (0..=text.len()).collect();
    vec![
        Case::of(&WIDE_KNOWN_LATE).input(&z).output(&map(&z, |n| known_late(n))).items([6]),
        Case::of(&EQUAL_RANGES).input(&z).output(&map(&z, |n| same_ranges(n))).items([6]),
        Case::of(&WIDE_HASHES).input(text).output(&map(&starts, |i| fnv(&text[i..]))).items([starts.len()]),
        Case::of(&WIDE_UNSIGNED).input(&a).input(&b).output(&unsigned).items([a.len()]),
        Case::of(&WIDE_SIGNED).input(&a).input(&b).output(&signed).items([a.len()]),
        Case::of(&WIDE_SCALARS).input(&x).input(&z).input(&f).output(&scalars).items([6]),
        faults(0, "attempt to add with overflow"),
        faults(1, "attempt to subtract with overflow"),
        faults(2, "attempt to multiply with overflow"),
        faults(3, "attempt to shift left with overflow"),
        faults(4, "attempt to divide by zero"),
        faults(5, "attempt to negate with overflow"),
        faults(6, "attempt to divide with overflow"),
        faults(7, "attempt to multiply with overflow"),
        Case::of(&WIDE_WRAPPING).scalar(3_u64).output(&[6_u64, 0, 16, 32]),
    ]
}
