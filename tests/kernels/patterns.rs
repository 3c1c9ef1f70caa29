//! `match`, `if let` and `while let`: constants, ranges, alternatives, names, guards, tuples and references.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
const HUNDRED: i32 = 100;

#[device]
fn constants(x: i32) -> i32 {
    const FORTY: i32 = 40;
    match x {
        i32::MIN..=-1 => -1,
        0 => 20,
        1 | 2 | 3 => 30,
        FORTY => 35,
        n if n % 2 == 0 => 40 + n,
        HUNDRED.. => 50,
        n @ 5..10 => n * 1000,
        _ => 60,
    }
}

#[device]
fn floats(x: f32) -> u32 {
    match x {
        0.0 => 0,
        -1.5..=1.5 => 1,
        y if y > 100.0 => 2,
        _ => 3,
    }
}

#[device]
fn pairs(pair: (i32, bool)) -> i32 {
    match pair {
        (0, true) => 1,
        (0, false) => 2,
        (n, true) if n > 5 => n.wrapping_mul(2),
        (n, _) => n,
    }
}

/// Every arm leaves the function but one.
#[device]
fn leaving(x: i32) -> i32 {
    let kept = match x & 3 {
        0 => return -5,
        1 => x / 2,
        _ => return pairs((x, true)),
    };
    kept + 1
}

#[device]
fn tests(x: i32) -> i32 {
    let mut n = x;
    let mut steps = 0;
    while let 1..=1000 = n {
        n /= 2;
        steps += 1;
    }
    let shared = &(steps, x < 0);
    let bonus = match shared {
        (0, false) => 7,
        (count, true) => *count + 1,
        (count, _) => count * 3,
    };
    if let (2.., false) = shared { bonus + 100 } else { bonus }
}

#[device]
fn patterns(x: i32) -> i32 {
    let a = constants(x);
    let b = pairs((x % 7, x % 2 == 0));
    let c = floats(x as f32 * 0.75) as i32;
    a.wrapping_add(b).wrapping_mul(3).wrapping_add(c).wrapping_add(leaving(x)).wrapping_add(tests(x))
}

#[kernel]
pub fn pattern_values(x: &[i32], result: &mut [i32]) {
    let i = global_id(0);
    result[i] = patterns(x[i]);
}

pub fn cases() -> Vec<Case> {
    let x: Vec<i32> = (-20..250).chain([i32::MIN, i32::MAX]).collect();
    let expected = map(&x, patterns);
    vec![Case::of(&PATTERN_VALUES).input(&x).output(&expected).items([x.len()])]
}
