use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let order = x[0].total_cmp(&1.0);
}

fn main() {}
