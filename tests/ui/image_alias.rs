use kernel_runtime::prelude::*;

#[device]
type Picture = Image2d<f32>;

#[kernel]
fn first(src: &Picture, y: &mut [f32]) {
    y[0] = src.read((0, 0)).x;
}

fn main() {}
