use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [u32]) {
    if matches!(y[0], 1.0 | 2.0) {
        y[0] = 1;
    }
}

fn main() {}
