//! Kernels that use memory in several ways, and hardly compute.

use kernel_runtime::atomic::{AtomicU32, Ordering};
use kernel_runtime::prelude::*;

#[kernel]
pub fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i < x.len() && i < y.len() {
        y[i] += a * x[i];
    }
}

/// Each reads what its neighbours read too.
#[kernel]
pub fn smooth(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i > 0 && i + 1 < x.len() {
        y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3.0;
    }
}

/// Local memory, with a barrier for each step.
#[kernel(group_size = 256)]
pub fn sums(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 256]>::new();
    let l = local_id(0);
    tile[l] = x[global_id(0)];
    barrier();
    let mut half = 128;
    while half > 0 {
        if l < half {
            tile[l] += tile[l + half];
        }
        barrier();
        half /= 2;
    }
    if l == 0 {
        y[group_id(0)] = tile[0];
    }
}

/// Squares of matrices of 16 by 16, in local memory.
#[kernel(group_size = 256)]
pub fn squares(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 256]>::new();
    let l = local_id(0);
    tile[l] = x[global_id(0)];
    barrier();
    let mut sum = 0.0;
    for k in 0..16 {
        sum += tile[l / 16 * 16 + k] * tile[k * 16 + l % 16];
    }
    y[global_id(0)] = sum;
}

#[kernel]
pub fn histogram(keys: &[u32], counts: &[AtomicU32]) {
    counts[keys[global_id(0)] as usize].fetch_add(1, Ordering::Relaxed);
}

/// Bytes, four of which are a word.
#[kernel]
pub fn invert(x: &[u8], y: &mut [u8]) {
    let i = global_id(0);
    if i < x.len() {
        y[i] = 255 - x[i];
    }
}

/// Nothing but arithmetic.
#[kernel]
pub fn collatz(y: &mut [u32]) {
    let i = global_id(0);
    let (mut n, mut steps) = (i as u32 + 1, 0);
    while n != 1 && steps < 200 {
        n = if n % 2 == 0 { n / 2 } else { n.wrapping_mul(3).wrapping_add(1) };
        steps += 1;
    }
    y[i] = steps;
}
