use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    while true {
        break 1;
    }
}

fn main() {}
