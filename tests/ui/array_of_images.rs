use kernel_runtime::prelude::*;

#[kernel]
fn run(a: &Image2d<f32>, b: &Image2d<f32>, y: &mut [f32]) {
    let i = global_id(0);
    let images = [a, b];
    y[i] = images[i % 2].read((i as i32, 0)).x;
}

fn main() {}
