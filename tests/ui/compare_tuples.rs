use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    if (y[0], 1) == (2.0, 1) {
        y[0] = 0.0;
    }
}

fn main() {}
