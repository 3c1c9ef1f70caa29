use kernel_runtime::prelude::*;

// Each of these has a race too. What rustc would say of borrows it says once that is gone.

#[kernel]
fn mismatched(y: &mut [f32]) {
    y[0] = 1_u32;
}

#[kernel]
fn borrowed(y: &mut [f32]) {
    let first = &mut y[0];
    y[0] = 2.0;
    *first = 1.0;
}

#[kernel]
fn immutable(x: &[f32], y: &mut [f32]) {
    x[0] = 1.0;
    y[0] = 2.0;
}

#[kernel]
fn unassigned(y: &mut [f32]) {
    let value: f32;
    if y.len() > 3 {
        value = 1.0;
    }
    y[0] = value;
}

#[kernel]
fn moved_twice(y: &mut [f32]) {
    let rest = y;
    rest[0] = 1.0;
    y[0] = 2.0;
}

fn main() {}
