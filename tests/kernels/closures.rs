//! Closures: called in place and passed to device functions, capturing by reference and by `move`, with patterns, `return` and `?`.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
fn apply<F: Fn(i32) -> i32>(f: F, x: i32) -> i32 {
    f(x).wrapping_add(f(1))
}

#[device]
fn twice<T, F>(mut f: F, x: T) -> T
where
    F: FnMut(T) -> T,
{
    let once = f(x);
    f(once)
}

#[device]
fn each(count: i32, f: &mut impl FnMut(i32)) {
    for i in 0..count {
        f(i);
    }
}

#[device]
fn chained<A, B, C>(f: impl Fn(A) -> B, g: &impl Fn(B) -> C, x: A) -> C {
    g(f(x))
}

#[device]
fn half(x: i32) -> Option<i32> {
    if x % 2 == 0 { Some(x / 2) } else { None }
}

#[device]
fn increment(x: i32) -> i32 {
    x.wrapping_add(1)
}

#[device(impl)]
#[derive(Clone, Copy)]
struct Range {
    low: i32,
    high: i32,
}

#[device]
impl Range {
    fn map<F: Fn(i32) -> i32>(self, f: F) -> Range {
        Range { low: f(self.low), high: f(self.high) }
    }
}

#[device]
fn closures(x: i32) -> (i32, f32) {
    let offset = 10;
    let add = |a: i32, b| a.wrapping_add(b).wrapping_sub(offset);
    let mut sum = add(x, 3);
    // Through a reference, and several times.
    let mut calls = 0;
    let mut count = |by: i32| {
        calls += by;
        calls
    };
    sum = sum.wrapping_add(count(2)).wrapping_add(count(x & 3));
    sum = sum.wrapping_add(calls);
    // A copy of its own.
    let mut state = x;
    let mut next = move || {
        state = state.wrapping_mul(3).wrapping_add(1);
        state
    };
    sum = sum.wrapping_add(next()).wrapping_sub(next()).wrapping_add(state);
    state = 5;
    sum = sum.wrapping_add(apply(|v| v.wrapping_mul(state), x)).wrapping_add(apply(self::increment, 4));
    // Leaves from its middle, alone.
    let sign = |(a, b): (i32, i32)| {
        if a < b {
            return -1;
        }
        for i in 0..4 {
            if a == b + i {
                return i;
            }
        }
        100
    };
    sum = sum.wrapping_add(sign((x, 2))).wrapping_add(sign((2, x)));
    let quarter = |v| -> Option<i32> { Some(half(half(v)?)? + 1) };
    if let Some(q) = quarter(x) {
        sum = sum.wrapping_add(q);
    }
    let mut table = [0; 4];
    each(4, &mut |i| table[i as usize] = i * x.wrapping_add(sum));
    let range = Range { low: x, high: 7 }.map(|v| if v > 3 { v - 1 } else { v });
    let scaled = chained(|v: i32| v as f32, &|v| v * 0.5, x) + twice(|v: f32| v + 0.25, 1.0);
    let inner = (|a| a | 1)(x);
    let total = table[1].wrapping_add(table[3]).wrapping_add(range.low).wrapping_add(range.high);
    (total.wrapping_add(inner).wrapping_add(twice(|v| v ^ 5, 9)), scaled)
}

#[kernel]
pub fn closures_in_kernels(x: &[i32], n: &mut [i32], y: &mut [f32]) {
    let i = global_id(0);
    let mut store = |value| n[i] = value;
    let (sum, scaled) = closures(x[i]);
    store(sum);
    y[i] = scaled;
}

pub fn cases() -> Vec<Case> {
    let x = [0, 1, -1, 2, 3, 4, 5, 8, 100, -100];
    vec![
        Case::of(&CLOSURES_IN_KERNELS)
            .input(&x)
            .output(&map(&x, |x| closures(x).0))
            .output(&map(&x, |x| closures(x).1))
            .items([x.len()]),
    ]
}
