use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    #[cfg(any())]
    let n = 1;
}

fn main() {}
