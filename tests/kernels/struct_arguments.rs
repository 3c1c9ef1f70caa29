//! Structs and arrays by value as arguments of kernels: with padding, nested, with members of every size, indexed by what is not known.

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// Members of 1, 2, 4 and 8 bytes, each after padding.
#[device]
#[repr(C)]
#[derive(Clone, Copy, PartialEq)]
pub struct Mixed {
    flag: bool,
    wide: u64,
    byte: u8,
    short: i16,
    tiny: i8,
    single: f32,
    last: bool,
    double: f64,
    count: usize,
    tail: u8,
}

#[device]
#[repr(C)]
#[derive(Clone, Copy, PartialEq)]
pub struct Inner {
    tag: u8,
    weights: [i16; 3],
}

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Outer {
    first: Inner,
    both: [Inner; 2],
    matrix: [[f32; 3]; 2],
    last: Inner,
}

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pair<A, B>(A, B);

#[device]
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Metres(f32);

#[device(impl)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Line {
    slope: f32,
    offset: f32,
}

#[device]
impl Line {
    fn at(&self, x: f32) -> f32 {
        self.slope * x + self.offset
    }

    fn moved(self, by: f32) -> Self {
        Self { offset: self.offset + by, ..self }
    }
}

#[device]
fn mix(mixed: Mixed, index: usize) -> i64 {
    let Mixed { flag, wide, short, last, .. } = mixed;
    let sum = (wide as i64).wrapping_add(mixed.byte as i64).wrapping_add((short as i64).wrapping_mul(3));
    let floats = (mixed.single as f64 + mixed.double) as i64;
    let sum = sum.wrapping_add(mixed.tiny as i64).wrapping_add(floats).wrapping_add(mixed.tail as i64);
    let sign = if flag != last { -1 } else { 1 };
    sum.wrapping_mul(sign).wrapping_add((mixed.count + index) as i64)
}

#[kernel]
pub fn mixed_argument(mixed: Mixed, out: &mut [i64]) {
    let i = global_id(0);
    out[i] = mix(mixed, i);
}

#[device]
fn weigh(inner: &Inner, i: usize) -> i32 {
    inner.tag as i32 * 1000 + inner.weights[i % 3] as i32
}

#[device]
fn nested(outer: Outer, i: usize) -> f32 {
    let copy = outer;
    let pair = outer.both;
    let mut sum = weigh(&outer.first, i) + weigh(&copy.both[i % 2], i) + weigh(&pair[(i + 1) % 2], i + 1);
    if outer.last == outer.first {
        sum = -sum;
    }
    sum as f32 + outer.matrix[1][2] + outer.matrix[i % 2][i % 3]
}

#[kernel]
pub fn nested_argument(outer: Outer, out: &mut [f32]) {
    let i = global_id(0);
    out[i] = nested(outer, i);
}

#[device]
fn change(mut inner: Inner, i: usize) -> i32 {
    inner.tag = inner.tag.wrapping_add(i as u8);
    inner.weights[i % 3] = 7;
    weigh(&inner, i) + inner.weights[0] as i32
}

#[kernel]
pub fn mutable_argument(mut inner: Inner, out: &mut [i32]) {
    let i = global_id(0);
    let before = change(inner, i);
    inner.weights[1] += i as i16;
    out[i] = before + change(inner, i + 1);
}

#[device]
fn small(pair: Pair<u8, Pair<u64, bool>>, length: Metres, line: Line, x: f32) -> f32 {
    let Pair(a, Pair(b, c)) = pair;
    let sign = if c { 1.0 } else { -1.0 };
    sign * line.moved(length.0).at(x) + a as f32 + b as f32
}

#[kernel]
pub fn small_arguments(pair: Pair<u8, Pair<u64, bool>>, length: Metres, line: Line, out: &mut [f32]) {
    let i = global_id(0);
    out[i] = small(pair, length, line, i as f32);
}

#[device]
fn tables(table: &[i32], rows: [[u8; 2]; 3], inners: [Inner; 2], i: usize) -> i32 {
    let mut sum = 0;
    for value in table {
        sum += *value;
    }
    sum + table[i % 5] * rows[i % 3][i % 2] as i32 + weigh(&inners[i % 2], i)
}

#[kernel]
pub fn array_arguments(table: [i32; 5], rows: [[u8; 2]; 3], inners: [Inner; 2], out: &mut [i32]) {
    let i = global_id(0);
    out[i] = tables(&table, rows, inners, i);
}

#[kernel(requires(global_size(0) == 1))]
pub fn array_beyond_the_end(table: [i32; 5], at: usize, out: &mut [i32]) {
    out[0] = table[at];
}

fn inner(tag: u8) -> Inner {
    Inner { tag, weights: [i16::from(tag) * 10, -i16::from(tag), 300] }
}

const ITEMS: usize = 12;

/// The results of all work-items.
fn results<T>(result: impl FnMut(usize) -> T) -> Vec<T> {
    (0..ITEMS).map(result).collect()
}

fn mixed_cases() -> Vec<Case> {
    let base = Mixed {
        flag: true,
        wide: 1 << 40,
        byte: 200,
        short: -300,
        tiny: -5,
        single: 1.5,
        last: true,
        double: -2e9,
        count: 17,
        tail: 255,
    };
    let extreme = Mixed {
        flag: false,
        wide: u64::MAX,
        short: i16::MIN,
        tiny: i8::MIN,
        double: 1e300,
        count: 0,
        ..base
    };
    [base, Mixed { last: false, ..base }, extreme]
        .map(|mixed| {
            Case::of(&MIXED_ARGUMENT).value(mixed).output(&results(|i| mix(mixed, i))).items([ITEMS])
        })
        .into()
}

pub fn cases() -> Vec<Case> {
    let outer = Outer {
        first: inner(1),
        both: [inner(2), inner(3)],
        matrix: [[0.5, 1.5, 2.5], [-0.5, 1e10, 0.25]],
        last: inner(4),
    };
    let same = Outer { last: inner(1), ..outer };
    let table = [3, -1, 4, 1, -5];
    let (rows, inners) = ([[1, 2], [3, 4], [5, 6]], [inner(7), inner(8)]);
    let (pair, length) = (Pair(9, Pair(1 << 33, true)), Metres(0.125));
    let line = Line { slope: 2.0, offset: -1.0 };
    let mut cases = mixed_cases();
    cases.extend([
        Case::of(&NESTED_ARGUMENT).value(outer).output(&results(|i| nested(outer, i))).items([ITEMS]),
        Case::of(&NESTED_ARGUMENT).value(same).output(&results(|i| nested(same, i))).items([ITEMS]),
        Case::of(&MUTABLE_ARGUMENT)
            .value(inner(5))
            .output(&results(|i| {
                let mut changed = inner(5);
                changed.weights[1] += i as i16;
                change(inner(5), i) + change(changed, i + 1)
            }))
            .items([ITEMS]),
        Case::of(&SMALL_ARGUMENTS)
            .value(pair)
            .value(length)
            .value(line)
            .output(&results(|i| small(pair, length, line, i as f32)))
            .items([ITEMS]),
        Case::of(&ARRAY_ARGUMENTS)
            .value(table)
            .value(rows)
            .value(inners)
            .output(&results(|i| tables(&table, rows, inners, i)))
            .items([ITEMS]),
        Case::of(&ARRAY_BEYOND_THE_END)
            .value(table)
            .scalar(5_usize)
            .update(&[7], &[7])
            .faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).values([5, 5])),
    ]);
    cases
}
