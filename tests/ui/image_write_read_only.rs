use kernel_runtime::prelude::*;

#[kernel]
fn run(image: &mut Image2d<f32>) {
    image.write((0, 0), f32x4::splat(1.0));
}

fn main() {}
