//! Tuples: as values, parameters and results, in arrays, taken apart and assigned to.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

/// A result of two, from two places.
#[device]
fn div_rem(a: i32, b: i32) -> (i32, i32) {
    if b == 0 {
        return (0, a);
    }
    (a / b, a % b)
}

/// A nested parameter, fields and `..`.
#[device]
fn weigh(pair: (i32, (bool, i32)), scale: i32) -> i32 {
    let (first, ..) = pair;
    let (_, (negate, weight)) = pair;
    let sum = first * scale + weight + pair.1.1;
    if negate { -sum } else { sum }
}

/// Variables that change, swaps by assignment, and `_` on the left.
#[device]
fn fibonacci(n: i32) -> i32 {
    let mut pair = (0_i32, 1_i32);
    for _ in 0..n {
        (pair.0, pair.1) = (pair.1, pair.0.wrapping_add(pair.1));
    }
    let (mut a, mut b) = pair;
    (a, b) = (b, a);
    (_, a) = (a, b.wrapping_sub(a));
    a
}

/// An array of tuples, and a loop with a tuple for a value.
#[device]
fn table(x: i32) -> (i32, bool) {
    let mut rows = [(1, false); 4];
    rows[1] = (x, true);
    rows[2].0 += x;
    let row = rows[(x & 3) as usize];
    let mut count = 0;
    let (limit, odd) = loop {
        if count * count > x & 63 {
            break (count, count % 2 == 1);
        }
        count += 1;
    };
    (row.0.wrapping_mul(limit), row.1 == odd)
}

#[device]
fn tuples(x: i32) -> (i32, bool) {
    let (quotient, remainder) = div_rem(x, 7);
    let weight = weigh((quotient & 0xff, (remainder < 0, remainder)), 3);
    let row = table(x & 0xff);
    (weight.wrapping_add(fibonacci(x & 15)).wrapping_add(row.0), row.1)
}

#[kernel]
pub fn tuple_values(x: &[i32], number: &mut [i32], flag: &mut [bool]) {
    let i = global_id(0);
    (number[i], flag[i]) = tuples(x[i]);
}

pub fn cases() -> Vec<Case> {
    let x: Vec<i32> = (-40..40).chain([i32::MIN, i32::MAX]).collect();
    let numbers = map(&x, |x| tuples(x).0);
    let flags = map(&x, |x| tuples(x).1);
    vec![Case::of(&TUPLE_VALUES).input(&x).output(&numbers).output(&flags).items([x.len()])]
}
