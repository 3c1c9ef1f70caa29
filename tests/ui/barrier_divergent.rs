use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    if local_id(0) < 3 {
        y[global_id(0)] = x[0];
        barrier();
    }
}

fn main() {}
