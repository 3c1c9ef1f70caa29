use kernel_runtime::prelude::*;

use std::thread;

#[kernel]
fn run(y: &mut [f32]) {
    thread::spawn(|| {});
    y[0] = 1.0;
}

fn main() {}
