use kernel_runtime::prelude::*;

#[kernel]
fn run(left: &Image2d<f32>, right: &Image2d<f32>, first: bool, y: &mut [f32]) {
    let image = if first { left } else { right };
    y[0] = image.read((0, 0)).x;
}

fn main() {}
