//! The methods of integers whose result is of another type, or that not all of them have.

use super::case::Case;
use super::edge::{map, pairs, zip};
use kernel_runtime::prelude::*;

#[kernel]
pub fn of_signed(a: &[i32], b: &[i32], result: &mut [u32], sign: &mut [i8]) {
    let i = global_id(0);
    result[i] = a[i].abs_diff(b[i]) ^ a[i].unsigned_abs() ^ (a[i].wrapping_abs() as u32 >> 3);
    sign[i] = (a[i] as i8).signum();
    if a[i].is_positive() != b[i].is_negative() {
        result[i] += 1;
    }
}

#[kernel]
pub fn of_unsigned(a: &[u16], b: &[u16], result: &mut [u16], multiple: &mut [bool], power: &mut [bool]) {
    let i = global_id(0);
    result[i] = a[i].abs_diff(b[i]) ^ a[i].div_ceil(b[i].max(1));
    multiple[i] = a[i].is_multiple_of(b[i]);
    power[i] = a[i].is_power_of_two();
}

fn on_host(a: i32, b: i32) -> u32 {
    let mixed = a.abs_diff(b) ^ a.unsigned_abs() ^ (a.wrapping_abs() as u32 >> 3);
    mixed.wrapping_add(u32::from(a.is_positive() != b.is_negative()))
}

pub fn cases() -> Vec<Case> {
    let (a, b) = pairs::<i32>();
    let (c, d) = pairs::<u16>();
    vec![
        Case::of(&OF_SIGNED)
            .input(&a)
            .input(&b)
            .output(&zip(&a, &b, on_host))
            .output(&map(&a, |a| (a as i8).signum()))
            .items([a.len()]),
        Case::of(&OF_UNSIGNED)
            .input(&c)
            .input(&d)
            .output(&zip(&c, &d, |a, b| a.abs_diff(b) ^ a.div_ceil(b.max(1))))
            .output(&zip(&c, &d, |a, b| a.is_multiple_of(b)))
            .output(&map(&c, |a| a.is_power_of_two()))
            .items([c.len()]),
    ]
}
