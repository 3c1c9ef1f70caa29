use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    y[0] = crate::maths::sq(x[0]);
}

fn main() {}
