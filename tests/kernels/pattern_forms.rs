//! Patterns of arrays and slices, with alternatives that bind names, in `let … else`, chains of conditions, parameters and assignments.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Circle(i32),
    Square(i32),
    Rectangle { width: i32, height: i32 },
    Nothing,
}

#[device]
#[derive(Clone, Copy)]
struct Pair {
    first: i32,
    second: (i32, i32),
}

/// Arrays, from both ends, with what is left between.
#[device]
fn arrays(x: [i32; 4]) -> i32 {
    let [a, b, c, d] = x;
    let [first, .., last] = x;
    let [head, tail @ ..] = x;
    let [.., ref pair @ (_, _)] = [(a, b), (c, d)];
    let [e, middle @ .., _] = &x;
    let copy = *middle;
    let mut own = [[a, b], [c, d]];
    let [[one, _], rest @ ..] = &mut own;
    *one += 100;
    rest[0][1] -= 100;
    let code = match x {
        [0, ..] => 1,
        [.., 0] => 2,
        [1..=9, y, ..] if y > 3 => y,
        [_, y @ (5 | 6), z, _] => y * z,
        _ => 3,
    };
    let mut sum = a + b * 3 + c * 5 + d * 7 + first * 11 + last * 13 + head * 17;
    for v in tail {
        sum = sum * 3 + v;
    }
    sum + pair.0 * 19
        + e * 23
        + middle[0] * 29
        + middle[1] * 31
        + copy[1]
        + own[0][0]
        + own[1][1]
        + code * 1000
}

/// Slices, whose length is part of the test.
#[device]
fn slices(x: &[i32]) -> i32 {
    let code = match x {
        [] => 1,
        [a] => a * 2,
        [1, rest @ ..] => rest.len() as i32,
        [a, b] | [a, b, 7] => a * 10 + b,
        [a, .., 9] if *a > 2 => *a,
        [_, middle @ .., last] => middle.len() as i32 * 100 + last,
    };
    let [first, second, ..] = x else {
        return code;
    };
    if let [.., before, _] = x
        && *before > 3
        && let [_, a, b, ..] = x
    {
        return code + a * b + before;
    }
    code + first - second
}

/// Stores through the parts of a mutable slice.
#[device]
fn stores(x: &mut [i32]) {
    if let [first, middle @ .., last] = x {
        (*first, *last) = (*last, *first);
        for v in middle.iter_mut() {
            *v += 1;
        }
        if let [a, .., b] = middle {
            *a *= 2;
            *b *= 3;
        }
    }
}

/// Alternatives that bind values and references.
#[device]
fn alternatives(x: i32) -> i32 {
    let shape = match x & 3 {
        0 => Shape::Circle(x),
        1 => Shape::Square(x + 1),
        2 => Shape::Rectangle { width: x, height: x + 2 },
        _ => Shape::Nothing,
    };
    let by_value = match shape {
        Shape::Circle(size) | Shape::Square(size) | Shape::Rectangle { width: _, height: size } => size,
        Shape::Nothing => -1,
    };
    let by_reference = match &shape {
        Shape::Circle(size @ (0 | 4)) | Shape::Square(size) => *size,
        Shape::Rectangle { width: a, height: 6 } | Shape::Rectangle { height: a, .. } => *a * 2,
        _ => -2,
    };
    let mut changed = shape;
    if let Shape::Circle(size) | Shape::Square(size) = &mut changed {
        *size += 1000;
    }
    let after = if let Shape::Circle(size) | Shape::Square(size) = changed { size } else { 5 };
    let ((n, 0) | (_, n)) = (x, x & 4);
    let mut rounds = 0;
    let mut pair = (x & 7, 3);
    while let (3, k @ 1..) | (k @ 1.., _) = pair {
        pair = (pair.1 - 1, k - 1);
        rounds += 1;
    }
    by_value + by_reference * 3 + after * 5 + n * 7 + rounds * 11
}

#[device]
fn even(x: i32) -> Option<i32> {
    if x % 2 == 0 { Some(x / 2) } else { None }
}

/// `let … else`, and conditions with several `let`.
#[device]
fn conditions(x: i32) -> i32 {
    let Some(half) = even(x) else {
        return -x;
    };
    let mut sum = 0;
    for v in 0..8 {
        let (Some(a), 1..) = (even(v), v) else {
            continue;
        };
        sum += a;
    }
    let quarter = if half > 2
        && let Some(quarter) = even(half)
        && quarter != 7
    {
        quarter
    } else if let Some(1) = even(half) {
        500
    } else {
        half * 100
    };
    let mut left = x;
    while left > 0
        && let Some(next) = even(left)
        && let 2.. = next
    {
        left = next;
        sum += 1;
    }
    let test = matches!(even(x), Some(1..=5)) as i32 + matches!(x, n @ (4 | 6) if n > 4) as i32 * 2;
    let limit = const { 3 * 4 + 1 };
    quarter + left * 3 + sum * 5 + test * 7 + limit
}

/// Parameters that are taken apart.
#[device]
fn parameters(
    (a, b): (i32, i32),
    [c, .., d]: [i32; 3],
    &e: &i32,
    Pair { first, second: (f, _) }: Pair,
) -> i32 {
    a + b * 3 + c * 5 + d * 7 + e * 11 + first * 13 + f * 17
}

/// Assignments to all kinds of places at once.
#[device]
fn assignments(x: i32) -> i32 {
    let (mut a, mut b, mut c);
    let mut row = [x, x + 1, x + 2];
    let mut pair = Pair { first: 0, second: (0, 0) };
    [a, b, _] = row;
    [a, .., b] = [b, a, a * 2];
    (row[1], [_, c]) = (row[2], [a, b + 1]);
    Pair { first: pair.second.1, second: (pair.first, _) } = Pair { first: a, second: (b, c) };
    (pair.second.0, ..) = (row[0] + row[1], 1, 2);
    [row[0], row[2]] = [row[2], row[0]];
    (a, b, c) = (c, a, b);
    parameters((a, b), [c, x, row[0]], &row[2], pair)
}

#[device]
fn forms(x: i32) -> i32 {
    let row = [x & 3, x >> 2 & 7, x >> 4 & 7, x >> 1 & 1];
    let mut own = [x, 1, x & 7, 9, 5];
    let n = (x & 7) as usize % 6;
    stores(&mut own[..n]);
    let mut sum = arrays(row);
    sum = sum.wrapping_mul(31).wrapping_add(slices(&own[..n]));
    sum = sum.wrapping_mul(31).wrapping_add(slices(&row[..n.min(4)]));
    sum = sum.wrapping_mul(31).wrapping_add(slices(&[1, x, 7]));
    sum = sum.wrapping_mul(31).wrapping_add(slices(&[x, 4]));
    for v in own {
        sum = sum.wrapping_mul(31).wrapping_add(v);
    }
    sum ^ alternatives(x).wrapping_mul(3) ^ conditions(x).wrapping_mul(5) ^ assignments(x).wrapping_mul(7)
}

#[kernel]
pub fn pattern_form_values(x: &[i32], result: &mut [i32]) {
    let i = global_id(0);
    result[i] = forms(x[i]);
}

pub fn cases() -> Vec<Case> {
    let x: Vec<i32> = (-8..64).chain([100, 128, 255]).collect();
    let expected = map(&x, forms);
    vec![Case::of(&PATTERN_FORM_VALUES).input(&x).output(&expected).items([x.len()])]
}
