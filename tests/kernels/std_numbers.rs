//! `Wrapping` and `Saturating`: each operator and method, as on the host.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;
use std::num::{Saturating, Wrapping};

#[device]
fn wrapping(a: i32, b: i32) -> [i32; 17] {
    let (x, y) = (Wrapping(a), Wrapping(b));
    let divisor = if b == 0 { Wrapping(1) } else { y };
    let mut changed = x;
    changed += y;
    changed -= 3;
    changed *= y;
    changed /= divisor;
    changed %= divisor;
    let mut bits = x;
    bits &= y;
    bits |= 5;
    bits ^= y;
    bits <<= 3;
    bits >>= 1;
    [
        (x + y).0,
        (x - y).0,
        (x * y).0,
        (x / divisor).0,
        (x % divisor).0,
        (x & y).0,
        (x | y).0,
        (x ^ y).0,
        (-x).0,
        (!x).0,
        (x << 5).0,
        (x >> 5).0,
        changed.0,
        bits.0,
        x.reverse_bits().0,
        [x, y].into_iter().sum::<Wrapping<i32>>().0,
        [x, y].into_iter().product::<Wrapping<i32>>().0,
    ]
}

#[device]
fn saturating(a: i32, b: i32) -> [i32; 24] {
    let (x, y) = (Saturating(a), Saturating(b));
    // The remainder of the least number by -1 is a panic.
    let divisor = if b == 0 || b == -1 { Saturating(1) } else { y };
    let mut changed = x;
    changed += y;
    changed -= 3;
    changed *= y;
    changed /= divisor;
    changed %= divisor;
    let mut bits = x;
    bits &= y;
    bits |= 5;
    bits ^= y;
    [
        (x + y).0,
        (x - y).0,
        (x * y).0,
        (x / divisor).0,
        (x % divisor).0,
        (x & y).0,
        (x | y).0,
        (x ^ y).0,
        (-x).0,
        (!x).0,
        changed.0,
        bits.0,
        x.pow(3).0,
        x.abs().0,
        x.count_ones() as i32,
        x.count_zeros() as i32,
        x.leading_zeros() as i32,
        x.trailing_zeros() as i32,
        x.rotate_left(7).0,
        x.rotate_right(7).0,
        x.swap_bytes().0,
        x.reverse_bits().0,
        Saturating::<i32>::MIN.0,
        (x < y) as i32,
    ]
}

#[kernel]
pub fn wrapping_numbers(x: &[[i32; 2]], y: &mut [[i32; 17]]) {
    let i = global_id(0);
    if i < x.len() && i < y.len() {
        y[i] = wrapping(x[i][0], x[i][1]);
    }
}

#[kernel]
pub fn saturating_numbers(x: &[[i32; 2]], y: &mut [[i32; 24]]) {
    let i = global_id(0);
    if i < x.len() && i < y.len() {
        y[i] = saturating(x[i][0], x[i][1]);
    }
}

pub fn cases() -> Vec<Case> {
    let numbers = [0, 1, -1, 2, 7, -250, 65_537, i32::MIN, i32::MIN + 1, i32::MAX];
    let pairs: Vec<[i32; 2]> = numbers.iter().flat_map(|&a| numbers.map(|b| [a, b])).collect();
    let wrapped = map(&pairs, |[a, b]| wrapping(a, b));
    let saturated = map(&pairs, |[a, b]| saturating(a, b));
    vec![
        Case::of(&WRAPPING_NUMBERS).input(&pairs).output(&wrapped).items([pairs.len()]),
        Case::of(&SATURATING_NUMBERS).input(&pairs).output(&saturated).items([pairs.len()]),
    ]
}
