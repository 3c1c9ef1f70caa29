use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32x4]) {
    println!("{:?}", x[0].simd_lt(x[1]));
}

fn main() {}
