//! What the tests of `cargo kernel` show.

use kernel_runtime::prelude::*;

/// One check, which launches can make.
#[kernel]
pub fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] += a * x[i];
    }
}

/// Two instances.
#[kernel(T = [f32, f64])]
pub fn scale<T: Float>(factor: T, x: &mut [T]) {
    let i = global_id(0);
    if i < x.len() {
        x[i] *= factor;
    }
}

/// A check that stays, and races for which its author vouches; there are some.
#[kernel(unsafe(races(counts)), group_size = [64])]
pub fn count(keys: &[u32], counts: &mut [u32]) {
    let i = global_id(0);
    if i < keys.len() {
        counts[keys[i] as usize] += 1;
    }
}

/// No check, and no races if the author is right.
#[kernel]
pub fn permute(index: &[u32], x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i < index.len() && i < x.len() {
        // SAFETY: who launches it has a permutation.
        let place = unsafe { assume_distinct(index[i]) } as usize;
        if place < y.len() {
            y[place] = x[i];
        }
    }
}
