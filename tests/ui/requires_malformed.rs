//! What is written where conditions are.

use kernel_runtime::prelude::*;

#[kernel(requires = true)]
fn not_in_parentheses(x: &mut [u32]) {
    x[0] = 1;
}

#[kernel(requires())]
fn none(x: &mut [u32]) {
    x[0] = 1;
}

#[kernel(requires(x.len() > 1), requires(x.len() > 2))]
fn twice(x: &mut [u32]) {
    x[0] = 1;
}

#[kernel(requires(x.len() >))]
fn cut_off(x: &mut [u32]) {
    x[0] = 1;
}

fn main() {}
