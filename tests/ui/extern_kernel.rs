use kernel_runtime::prelude::*;

#[kernel]
extern "C" fn run(y: &mut [f32]) {
    y[0] = 1.0;
}

fn main() {}
