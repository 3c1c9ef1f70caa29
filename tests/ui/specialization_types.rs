use kernel_runtime::prelude::*;

type Count = u32;

#[kernel(K = _)]
fn run_char<const K: char>(y: &mut [u32]) {
    y[0] = K as u32;
}

#[kernel(K = _)]
fn run_wide<const K: u128>(y: &mut [u32]) {
    y[0] = K as u32;
}

#[kernel(K = _)]
fn run_alias<const K: Count>(y: &mut [u32]) {
    y[0] = K;
}

#[kernel(K = _)]
fn run_float<const K: f32>(y: &mut [f32]) {
    y[0] = K;
}

fn main() {}
