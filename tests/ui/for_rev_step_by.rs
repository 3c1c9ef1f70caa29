use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    for i in (0..y.len()).rev().step_by(2) {
        y[i] = 1.0;
    }
}

fn main() {}
