//! What is said where more is known of a race than its class. The imports are used, though the kernels are refused.

use kernel_runtime::atomic::{AtomicU32, Ordering};
use kernel_runtime::prelude::*;

#[kernel(group_size = [16, 16])]
fn multiply(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    let mut tile = Local::<[[f32; 16]; 16]>::new();
    let (x, y) = (local_id(0), local_id(1));
    let (column, row) = (global_id(0), global_id(1));
    let mut sum = 0.0;
    for t in 0..n / 16 {
        tile[y][x] = a[row * n + t * 16 + x];
        barrier();
        for k in 0..16 {
            sum += tile[y][k] * b[(t * 16 + k) * n + column];
        }
    }
    if column < n {
        c[row * n + column] = sum;
    }
}

#[kernel(group_size = 64)]
fn persistent(jobs: u32, next: &AtomicU32, y: &mut [u32]) {
    let mut job = Local::<u32>::new();
    let mut count = 0;
    loop {
        if local_id(0) == 0 {
            *job = next.fetch_add(1, Ordering::Relaxed);
        }
        barrier();
        if work_group::all(*job >= jobs) {
            break;
        }
        count += 1;
    }
    y[global_id(0)] = count;
}

#[kernel(group_size = 64)]
fn tree(x: &[f32], y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let l = local_id(0);
    tile[l] = x[global_id(0)];
    barrier();
    let mut half = 32;
    while half > 0 {
        if l < half {
            tile[l] += tile[l + half];
        }
        half /= 2;
    }
    if l == 0 {
        y[group_id(0)] = tile[0];
    }
}

#[kernel(group_size = 64)]
fn unseen(y: &mut [u32]) {
    let mut number = Local::<u32>::new();
    if local_id(0) == 0 {
        *number = 5;
    }
    y[global_id(0)] = *number;
}

#[kernel]
fn polled(data: &mut [u32], flag: &AtomicU32, y: &mut [u32]) {
    let i = global_id(0);
    if i == 0 {
        data[0] = 42;
        flag.store(1, Ordering::Release);
    } else {
        while flag.load(Ordering::Acquire) == 0 {}
        y[i] = data[0];
    }
}

#[kernel]
fn ring(len: usize, y: &mut [u32]) {
    y[global_id(0) % len] = 1;
}

#[kernel]
fn ring_of_slice(y: &mut [u32]) {
    let i = global_id(0);
    let slot = i % y.len();
    y[slot] = 1;
}

#[kernel]
fn masked(y: &mut [u32]) {
    y[global_id(0) & 1023] = 1;
}

#[kernel]
fn cut_off(y: &mut [u32]) {
    y[global_id(0) as u16 as usize] = 1;
}

#[kernel]
fn halved(y: &mut [u32]) {
    y[global_id(0) / 2] = 1;
}

#[kernel]
fn shifted(y: &mut [u32]) {
    y[global_id(0) >> 3] = 1;
}

#[kernel(group_size = 64)]
fn of_subgroups(x: &[f32], y: &mut [f32]) {
    let mut totals = Local::<[f32; 64]>::new();
    if subgroup::local_id() + 1 >= subgroup::size() / 2 {
        totals[subgroup::id()] = x[global_id(0)];
    }
    barrier();
    y[global_id(0)] = totals[0];
}

#[kernel]
fn appended(times: &[u32], next: &AtomicU32, y: &mut [u32]) {
    for _ in 0..times[0] {
        y[next.fetch_add(1, Ordering::Relaxed) as usize] = 1;
    }
}

#[kernel]
fn backwards(y: &mut [u32], w: usize) {
    let i = global_id(0);
    y[63 - i] = y[i * w - w];
}

#[kernel]
fn hashed(key: u32, y: &mut [u32]) {
    y[(key.rotate_left(4) % 16) as usize] = 1;
}

fn main() {}
