use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let tile: Local<[f32; 4]> = Default::default();
}

fn main() {}
