//! `if` as statement and expression, every loop, and every way out of one.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

/// Both forms of `if`, chained and nested.
#[kernel]
pub fn branches(x: &[i32], result: &mut [i32]) {
    let i = global_id(0);
    let v = x[i];
    let sign = if v < 0 {
        -1
    } else if v == 0 {
        0
    } else {
        1
    };
    let mut y = sign * 100;
    if v % 2 == 0 {
        if v > 10 {
            y += 3;
        }
        y += 1;
    } else {
        y -= 1;
    }
    result[i] = y;
}

fn branches_on_host(v: i32) -> i32 {
    let even = if v > 10 { 4 } else { 1 };
    v.signum() * 100 + if v % 2 == 0 { even } else { -1 }
}

/// The number of steps of the Collatz sequence to 1, but at most 50.
#[kernel]
pub fn while_loop(x: &[u32], steps: &mut [u32]) {
    let i = global_id(0);
    let mut v = x[i];
    let mut n = 0;
    while v > 1 && n < 50 {
        v = if v % 2 == 0 { v / 2 } else { 3 * v + 1 };
        n += 1;
    }
    steps[i] = n;
}

fn collatz(mut v: u32) -> u32 {
    let mut n = 0;
    while v > 1 && n < 50 {
        v = if v.is_multiple_of(2) { v / 2 } else { 3 * v + 1 };
        n += 1;
    }
    n
}

/// The integer square root by search, with `break` and `continue` in an endless loop.
#[kernel]
pub fn endless_loop(x: &[u32], root: &mut [u32]) {
    let i = global_id(0);
    let mut low = 0;
    let mut high = 65536;
    loop {
        if high - low <= 1 {
            break;
        }
        let middle = (low + high) / 2;
        if middle * middle <= x[i] {
            low = middle;
            continue;
        }
        high = middle;
    }
    root[i] = low;
}

/// Sums over a range that may be empty, leaving out multiples of three and stopping before a limit is passed.
#[kernel]
pub fn for_range(start: &[i32], end: &[i32], limit: i32, sum: &mut [i32]) {
    let i = global_id(0);
    let mut total = 0;
    for k in start[i]..end[i] {
        if k % 3 == 0 {
            continue;
        }
        if total + k > limit {
            break;
        }
        total += k;
    }
    sum[i] = total;
}

fn for_range_on_host(start: i32, end: i32, limit: i32) -> i32 {
    let mut total = 0;
    for k in (start..end).filter(|k| k % 3 != 0) {
        if total + k > limit {
            return total;
        }
        total += k;
    }
    total
}

/// Loops in loops, where `break` and `continue` belong to the inner one.
#[kernel]
pub fn nested_loops(n: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    let mut total = 0;
    for a in 0..n[i] {
        let mut b = 0;
        loop {
            b += 1;
            if b % 2 == 0 {
                continue;
            }
            if b > a {
                break;
            }
            total += a * b;
        }
        for _ in 0..2 {
            total += 1;
        }
    }
    result[i] = total;
}

fn nested_loops_on_host(n: u32) -> u32 {
    (0..n).map(|a| a * (1..=a).step_by(2).sum::<u32>() + 2).sum()
}

/// Returns from the middle of loops and branches.
#[kernel]
pub fn early_return(x: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    if i >= x.len() {
        return;
    }
    for k in 2..x[i] {
        if x[i] % k == 0 {
            result[i] = k;
            return;
        }
    }
    if x[i] < 2 {
        result[i] = 0;
        return;
    }
    result[i] = x[i];
}

fn least_divisor(x: u32) -> u32 {
    if x < 2 { 0 } else { (2..=x).find(|&k| x.is_multiple_of(k)).unwrap_or(x) }
}

/// A range of `usize` up to the length of a slice, and blocks as expressions.
#[kernel]
pub fn running_maximum(x: &[i32], result: &mut [i32]) {
    let i = global_id(0);
    let mut greatest = x[0];
    for k in 1..x.len() {
        if k <= i {
            greatest = {
                let candidate = x[k];
                if candidate > greatest { candidate } else { greatest }
            };
        }
    }
    result[i] = greatest;
}

pub fn cases() -> Vec<Case> {
    let signed: Vec<i32> = (-20..20).collect();
    let unsigned: Vec<u32> = (0..40).chain([97, 1000, 65535, 1_000_000]).collect();
    let starts = map(&signed, |k| k / 2);
    let zigzag = map(&signed, |k| (k * 37) % 23);
    let sums =
        |limit| starts.iter().zip(&signed).map(|(&a, &b)| for_range_on_host(a, b, limit)).collect::<Vec<_>>();
    let small: Vec<u32> = (0..12).collect();
    let divided: Vec<u32> = (0..60).collect();
    let maxima: Vec<i32> = (0..zigzag.len()).filter_map(|i| zigzag[..=i].iter().max().copied()).collect();
    let for_range = |limit| {
        Case::of(&FOR_RANGE)
            .input(&starts)
            .input(&signed)
            .scalar(limit)
            .output(&sums(limit))
            .items([signed.len()])
    };
    vec![
        Case::of(&BRANCHES).input(&signed).output(&map(&signed, branches_on_host)).items([signed.len()]),
        Case::of(&WHILE_LOOP).input(&unsigned).output(&map(&unsigned, collatz)).items([unsigned.len()]),
        Case::of(&ENDLESS_LOOP).input(&unsigned).output(&map(&unsigned, u32::isqrt)).items([unsigned.len()]),
        for_range(1_000_000).label("to the end"),
        for_range(20).label("with break"),
        Case::of(&NESTED_LOOPS).input(&small).output(&map(&small, nested_loops_on_host)).items([small.len()]),
        Case::of(&EARLY_RETURN)
            .input(&divided)
            .output(&map(&divided, least_divisor))
            .items([divided.len() + 4]),
        Case::of(&RUNNING_MAXIMUM).input(&zigzag).output(&maxima).items([zigzag.len()]),
    ]
}
