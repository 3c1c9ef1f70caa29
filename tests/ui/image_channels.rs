use kernel_runtime::prelude::*;

#[kernel]
fn run(image: &Image2d<f64>, y: &mut [f64]) {
    y[0] = image.read((0, 0)).x;
}

fn main() {}
