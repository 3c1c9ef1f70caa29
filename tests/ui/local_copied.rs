use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let tile = Local::<[f32; 4]>::new();
    let copy = tile;
    y[0] = copy[0];
}

fn main() {}
