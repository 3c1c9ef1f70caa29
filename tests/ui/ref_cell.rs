use kernel_runtime::prelude::*;
use std::cell::RefCell;

#[kernel]
fn add(x: &[f32], y: &mut [f32]) {
    let sum = RefCell::new(0.0);
    for v in x {
        *sum.borrow_mut() += *v;
    }
    let i = global_id(0);
    if i < y.len() {
        y[i] = sum.into_inner();
    }
}

fn main() {}
