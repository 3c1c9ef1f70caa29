use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    if x.len() == 0 {
        panic!("empty");
    }
}

fn main() {}
