//! A range in a variable is not advanced, but for `a..b` by `next` and `next_back`.

use kernel_runtime::prelude::*;

#[kernel]
fn endless(y: &mut [u32]) {
    let mut numbers = 5_u32..;
    y[0] = numbers.next().unwrap_or(0);
}

#[kernel]
fn with_last(y: &mut [u32]) {
    let mut numbers = 5_u32..=9;
    y[0] = numbers.next_back().unwrap_or(0);
}

#[kernel]
fn by_number(y: &mut [u32]) {
    let mut numbers = 5_u32..9;
    y[0] = numbers.nth(2).unwrap_or(0);
    y[1] = numbers.next().unwrap_or(0);
}

fn main() {}
