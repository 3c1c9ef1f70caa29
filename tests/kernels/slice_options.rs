//! Elements and parts of slices that may not be there, arrays made by closures, and exchanges through references.

use super::case::{Case, ExpectedFault};
use super::edge::map;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

#[device]
fn mix(sum: i32, number: i32) -> i32 {
    sum.wrapping_mul(31).wrapping_add(number)
}

/// What is there, and what is not.
#[device]
fn looked_up(x: &[i32], n: usize) -> i32 {
    let part = &x[..n];
    let mut sum = part.first().copied().unwrap_or(-1);
    sum = mix(sum, part.last().map_or(-2, |v| v * 2));
    sum = mix(sum, x.get(n * 3).copied().unwrap_or(-3));
    sum = mix(sum, *x.get(n).unwrap_or(&-4));
    if let Some(v) = x.get(n + 4) {
        sum = mix(sum, *v);
    }
    match (x.get(n), x.get(n + 1)) {
        (Some(a), Some(b)) => sum = mix(sum, a * b),
        (Some(&5), None) => sum = mix(sum, 55),
        (Some(a), None) => sum = mix(sum, *a),
        _ => sum = mix(sum, -5),
    }
    if let Some(part) = x.get(n..n + 3) {
        sum = mix(sum, part.iter().sum());
    }
    let Some(rest) = x.get(n * 2..) else {
        return mix(sum, -6);
    };
    sum = mix(sum, rest.len() as i32);
    sum = mix(sum, x.get(3..n).is_some() as i32 + x.get(..=n).is_some() as i32 * 2);
    if let Some((first, others)) = rest.split_first()
        && let Some((last, middle)) = others.split_last()
    {
        sum = mix(sum, first * last + middle.len() as i32);
    }
    mix(sum, x.partition_point(|v| *v < n as i32 * 2) as i32)
}

/// Stores through what was found.
#[device]
fn stored(n: usize) -> i32 {
    let mut own = [1, 2, 3, 4, 5];
    if let Some(v) = own.get_mut(n) {
        *v += 10;
    }
    if let Some(v) = own[n.min(5)..].first_mut() {
        *v *= 3;
    }
    if let Some(part) = own.get_mut(n..n + 2) {
        part.reverse();
    }
    if let Some((last, others)) = own.split_last_mut() {
        std::mem::swap(last, &mut others[n % 4]);
    }
    let old = std::mem::replace(&mut own[0], n as i32);
    let squares: [i32; 4] = std::array::from_fn(|i| (i * i + n) as i32);
    let squares = squares.map(|v| v * std::array::from_fn::<i32, 3, _>(|i| i as i32)[2]);
    let pairs = own.map(|v| (v, v % 2 == 0));
    let mut sum = old;
    for (v, even) in pairs {
        sum = mix(sum, v * 2 + even as i32);
    }
    squares.map(|v| v - 1).iter().fold(sum, |sum, v| mix(sum, *v))
}

#[device]
fn all(x: &[i32], n: usize) -> i32 {
    looked_up(x, n) ^ stored(n).wrapping_mul(7)
}

#[kernel]
pub fn slice_option_values(x: &[i32], result: &mut [i32]) {
    let i = global_id(0);
    result[i] = all(x, i);
}

/// Work-items beyond the end have no element.
#[kernel]
pub fn guarded_by_get(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if let (Some(x), Some(y)) = (x.get(i), y.get_mut(i)) {
        *y += 2.0 * x;
    }
}

/// Who takes what is not there has a fault, and touches nothing.
#[kernel(requires(global_size(0) == 1))]
pub fn taken_all_the_same(n: usize, x: &mut [u32]) {
    let found = x.get(n).unwrap();
    let value = *found + 1;
    *x.get_mut(n).unwrap() = value;
    let last = x[n..].chunks(2).last().unwrap();
    let sum = last.iter().sum::<u32>();
    x[0] += sum;
}

pub fn cases() -> Vec<Case> {
    let x = [1, 2, 4, 5, 7, 7, 9, 12];
    let numbers: Vec<usize> = (0..9).collect();
    let expected = map(&numbers, |n| all(&x, n));
    let floats = [1.0_f32, 2.0, 3.0];
    vec![
        Case::of(&SLICE_OPTION_VALUES).input(&x).output(&expected).items([numbers.len()]),
        Case::of(&GUARDED_BY_GET)
            .input(&floats)
            .update(&[10.0_f32, 20.0, 30.0, 40.0], &[12.0_f32, 24.0, 36.0, 40.0])
            .items([7]),
        Case::of(&TAKEN_ALL_THE_SAME).scalar(1_usize).update(&[1_u32, 2, 3], &[7_u32, 3, 3]).items([1]),
        Case::of(&TAKEN_ALL_THE_SAME)
            .scalar(3_usize)
            .update(&[1_u32, 2, 3], &[1_u32, 2, 3])
            .items([1])
            .faults(ExpectedFault::new(FaultKind::UnwrapNone).global_id([0; 3]))
            .label("what is not there"),
    ]
}
