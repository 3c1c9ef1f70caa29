use kernel_runtime::prelude::*;

#[kernel]
fn run(image: Image2d<f32>, y: &mut [f32]) {
    y[0] = image.read((0, 0)).x;
}

fn main() {}
