use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f16], y: &mut [f32]) {
    let class = x[0].classify();
}

fn main() {}
