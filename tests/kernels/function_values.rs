//! Functions and methods of the standard library where a closure could be, and operators that are called as the methods that they are.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;
use std::cmp::{self, Ordering, Reverse};
use std::ops::{Add, AddAssign, BitXor, Index, IndexMut, Mul, MulAssign, Neg, Not, RangeInclusive, Shl, Sub};

#[device]
#[derive(Clone, Copy)]
struct Wrapper(u32);

/// Whatever can be added up.
#[device]
fn total<T: Copy + Add<Output = T>>(items: &[T], zero: T) -> T {
    items.iter().copied().fold(zero, Add::add)
}

#[device]
fn of_bytes(x: &[u8]) -> [u32; 10] {
    let double = u32::wrapping_add;
    let wide = [1_u8, 2].map(u32::from);
    [
        x.iter().all(u8::is_ascii_digit) as u32,
        x.iter().copied().map(u32::from).sum(),
        x.iter().copied().map(Some).flatten().map(u32::from).max().unwrap_or(7),
        x.iter().copied().map(u32::from).map(Wrapper).map(|wrapper| wrapper.0).fold(0, u32::wrapping_add),
        x.iter().copied().map(char::from).filter(char::is_ascii_digit).filter_map(|c| c.to_digit(10)).sum(),
        x.iter()
            .copied()
            .map(char::from)
            .map(|c| c.to_ascii_uppercase())
            .filter(char::is_ascii_uppercase)
            .count() as u32,
        double(wide[1], 3),
        x.iter().map(Clone::clone).map(u8::count_ones).fold(0, u32::max),
        x.iter().copied().map(u8::checked_ilog2).filter(Option::is_some).count() as u32,
        x.first().copied().map(u32::from).map(u32::reverse_bits).map_or(1, u32::trailing_zeros),
    ]
}

#[device]
fn of_integers(x: &[i32]) -> [i32; 12] {
    let mut sorted = [3, 1, 4, 1];
    sorted.sort_by(Ord::cmp);
    let least = sorted[0];
    sorted.sort_by_key(|value| Reverse(*value));
    let (a, b) = (x[0], x[1]);
    let mut c = a.wrapping_mul(3).bitxor(b).shl(2_u32).not();
    c.add_assign(5);
    AddAssign::add_assign(&mut c, 2);
    let mut row = [1, 2, 3];
    row.index_mut(1).mul_assign(4);
    for value in row.iter_mut() {
        value.add_assign(1);
    }
    [
        x.iter().copied().fold(i32::MIN, cmp::max),
        x.iter().copied().reduce(cmp::min).unwrap_or(0),
        x.iter().copied().fold(0, i32::wrapping_add),
        x.iter().copied().map(i32::wrapping_abs).map(|v| v % 7).fold(1, Mul::mul),
        total(&row, 0),
        (a % 100).add(b % 100).sub(3).neg(),
        c,
        *x.index(1),
        x.index(1..).len() as i32,
        least * 10 + sorted[0],
        i32::cmp(&a, &b) as i32,
        x.iter().copied().map(i32::signum).filter(|v| i32::ne(v, &0)).count() as i32,
    ]
}

#[device]
fn of_floats(x: &[f32]) -> [f32; 8] {
    let mut sorted = [x[0], x[1], x[2]];
    sorted.sort_unstable_by(f32::total_cmp);
    let root = f32::sqrt;
    let mut scaled = x[0];
    scaled.mul_assign(2.0);
    [
        x.iter().copied().map(f32::abs).fold(0.0, f32::max),
        x.iter().copied().map(f32::floor).fold(0.0, |a, b| a.add(b)),
        x.iter().copied().min_by(f32::total_cmp).unwrap_or(0.5),
        sorted[0],
        sorted[2],
        root(x[0] * x[0]),
        scaled.neg(),
        match f32::total_cmp(&x[0], &x[1]) {
            Ordering::Less => -1.0,
            Ordering::Equal => 0.0,
            Ordering::Greater => 1.0,
        },
    ]
}

/// Those of ranges, and the one that changes nothing.
#[device]
fn of_ranges(x: u32) -> [u32; 4] {
    let ranges = [1..=3, x..=7];
    let ends = ranges.iter().cloned().map(RangeInclusive::into_inner);
    [
        ends.fold(0, |sum, (start, end)| sum * 10 + start * end),
        ranges.iter().map(RangeInclusive::start).sum(),
        ranges.iter().filter(|range| range.contains(&3)).map(RangeInclusive::end).sum(),
        [Some(x), None].into_iter().filter_map(std::convert::identity).sum(),
    ]
}

#[device]
fn double(x: u32) -> u32 {
    x.wrapping_mul(2)
}

#[device]
fn triple(x: u32) -> u32 {
    x.wrapping_mul(3)
}

/// Functions that stand elsewhere, by names in lower case.
#[device]
mod tables {
    use super::{double, triple};

    pub const BOTH: [fn(u32) -> u32; 2] = [double, triple];

    pub fn of_functions(x: u32) -> [u32; 4] {
        let chosen: fn(u32) -> u32 = if x % 2 == 0 { double } else { triple };
        let sum = [1, x].iter().copied().map(double).fold(0, u32::wrapping_add);
        [chosen(x), sum, BOTH[(x % 2) as usize](5), Some(x).map_or(0, super::triple)]
    }
}

#[kernel]
pub fn functions_of_devices(x: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    let chosen: fn(u32) -> u32 = if x[i] % 3 == 0 { triple } else { double };
    let [a, b, c, d] = tables::of_functions(x[i]);
    y[i] = [a, b, Some(c).map(double).unwrap_or(1), chosen(d)];
}

fn of_devices(x: u32) -> [u32; 4] {
    let [a, b, c, d] = tables::of_functions(x);
    [a, b, double(c), if x % 3 == 0 { triple(d) } else { double(d) }]
}

#[kernel]
pub fn functions_of_ranges(x: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = of_ranges(x[i]);
}

#[kernel]
pub fn functions_of_bytes(x: &[u8], y: &mut [[u32; 10]]) {
    let i = global_id(0);
    y[i] = of_bytes(&x[i..]);
}

#[kernel]
pub fn functions_of_integers(x: &[i32], y: &mut [[i32; 12]]) {
    let i = global_id(0);
    y[i] = of_integers(&x[i..]);
}

#[kernel]
pub fn functions_of_floats(x: &[f32], y: &mut [[f32; 8]]) {
    let i = global_id(0);
    y[i] = of_floats(&x[i..]);
}

pub fn cases() -> Vec<Case> {
    let bytes = b"42aB7 z90";
    let starts: Vec<usize> = (0..bytes.len()).collect();
    let numbers = [5, -3, i32::MAX, 0, 7, i32::MIN, 100, 2];
    let floats = [1.5, -2.25, 0.0, -0.0, 7.75, f32::INFINITY, -3.5, 9.0];
    let pairs: Vec<usize> = (0..6).collect();
    let x: Vec<u32> = (0..7).collect();
    let results = map(&starts, |i| of_bytes(&bytes[i..]));
    vec![
        Case::of(&FUNCTIONS_OF_DEVICES).input(&x).output(&map(&x, of_devices)).items([x.len()]),
        Case::of(&FUNCTIONS_OF_RANGES).input(&x).output(&map(&x, of_ranges)).items([x.len()]),
        Case::of(&FUNCTIONS_OF_BYTES).input(bytes).output(&results).items([starts.len()]),
        Case::of(&FUNCTIONS_OF_INTEGERS)
            .input(&numbers)
            .output(&map(&pairs, |i| of_integers(&numbers[i..])))
            .items([6]),
        Case::of(&FUNCTIONS_OF_FLOATS)
            .input(&floats)
            .output(&map(&pairs, |i| of_floats(&floats[i..])))
            .items([6]),
    ]
}
