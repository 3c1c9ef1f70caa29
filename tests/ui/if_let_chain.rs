use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    if y[0] > 1.0 && let (1, b) = (y.len(), 2.0) {
        y[0] = b;
    }
}

fn main() {}
