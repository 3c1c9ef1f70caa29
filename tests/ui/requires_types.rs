//! Conditions are Rust, and rustc checks them.

use kernel_runtime::prelude::*;

#[kernel(requires(x.len() >= n))]
fn other_type(x: &mut [u32], n: u32) {
    x[0] = n;
}

#[kernel(requires(n + 1))]
fn no_truth(x: &mut [u32], n: u32) {
    x[0] = n;
}

#[kernel(requires(threshold > 1))]
fn unknown(x: &mut [u32], n: u32) {
    x[0] = n;
}

#[kernel(requires(global_size(0) <= n, x.len() > n))]
fn other_type_of_size(x: &mut [u32], n: u32) {
    x[0] = n;
}

fn main() {}
