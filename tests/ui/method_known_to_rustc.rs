use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let digits = x[0].to_string();
}

fn main() {}
