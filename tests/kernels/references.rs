//! References to variables, elements and fields, in variables and as parameters.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
fn swap(a: &mut i32, b: &mut i32) {
    let old = *a;
    *a = *b;
    *b = old;
}

/// Elements of one array through references to it and to them.
#[device]
fn sorted(mut values: [i32; 4]) -> [i32; 4] {
    let all = &mut values;
    for last in 0..3 {
        for i in 0..3 - last {
            if all[i] > all[i + 1] {
                let (mut a, mut b) = (all[i], all[i + 1]);
                swap(&mut a, &mut b);
                (all[i], all[i + 1]) = (a, b);
            }
        }
    }
    values
}

/// A slice of any memory.
#[device]
fn sum(values: &[i32]) -> i32 {
    let mut sum = 0_i32;
    for i in 0..values.len() {
        let value = &values[i];
        sum = sum.wrapping_add(*value);
    }
    sum
}

/// Shared references as operands, and a reference to a tuple taken apart by a pattern.
#[device]
fn distance(pair: &(i32, i32), origin: &mut (i32, i32)) -> i32 {
    let (x, y) = pair;
    origin.0 += 1;
    let (column, row) = origin;
    *column += 1;
    *row -= 1;
    let (dx, dy) = (x - *column, y - *row);
    let &(first, _) = pair;
    dx.wrapping_mul(dx).wrapping_add(dy.wrapping_mul(dy)) ^ first
}

/// A reference in a tuple, and one to an element that changes.
#[device]
fn references(x: i32) -> i32 {
    let low = x & 0xff;
    let mut values = sorted([low, 3, -low, low / 2]);
    let element = &mut values[(x & 3) as usize];
    *element += 5;
    let total = sum(&values);
    let mut origin = (2, 3);
    let apart = distance(&(low, total), &mut origin);
    let named = (&origin, low);
    apart.wrapping_add(named.0.0 * 100 + named.0.1 * 10 + named.1) ^ chosen(low, &values)
}

/// The greater of two, wherever they are.
#[device]
fn greater<'a>(a: &'a i32, b: &'a i32) -> &'a i32 {
    if *a < *b {
        return b;
    }
    a
}

/// Shared references that depend on conditions, and that change.
#[device]
fn chosen(x: i32, values: &[i32; 4]) -> i32 {
    let (a, b) = (x, [x + 1, 7]);
    let one = if x % 3 == 0 { &a } else { &b[0] };
    let pair = match x & 3 {
        0 => (&values[0], one),
        1 => (one, &values[1]),
        _ => (&b[1], &b[1]),
    };
    let mut best = &values[0];
    for value in values {
        if value > best {
            best = value;
        }
    }
    // Each step exchanges two references.
    let (first, second) =
        values.iter().fold((one, best), |(p, q), value| if value > q { (value, p) } else { (q, p) });
    let row = if x > 40 { &b } else { &[x, 9] };
    let some = if x % 2 == 0 { Some(best) } else { None };
    let later;
    if x > 10 {
        later = greater(one, pair.0);
    } else {
        later = pair.1;
    }
    let total =
        one * 3 + pair.0 * 5 + pair.1 * 7 + best * 11 + first * 13 + second * 17 + row[0] * 19 + row[1];
    total.wrapping_add(some.copied().unwrap_or(4) * 23 + later * 29 + some.map_or(0, |v| *v))
}

#[kernel]
pub fn reference_values(x: &[i32], result: &mut [i32]) {
    let i = global_id(0);
    let place = &mut result[i];
    *place = references(x[i]);
}

pub fn cases() -> Vec<Case> {
    let x: Vec<i32> = (-40..40).chain([i32::MIN, i32::MAX]).collect();
    let expected = map(&x, references);
    vec![Case::of(&REFERENCE_VALUES).input(&x).output(&expected).items([x.len()])]
}
