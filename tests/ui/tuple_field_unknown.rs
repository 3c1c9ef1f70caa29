use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let pair = (1.0, 2.0);
    y[0] = pair.2;
}

fn main() {}
