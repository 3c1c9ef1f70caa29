use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    for d in 0..3 {
        y[0] += global_id(d) as f32;
    }
}

fn main() {}
