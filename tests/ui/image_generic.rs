use kernel_core::image::Channel;
use kernel_runtime::prelude::*;

#[kernel(T = [f32, f64])]
fn first<T: Channel>(src: &Image1d<T>, y: &mut [T]) {
    y[global_id(0)] = src.read(0).x;
}

fn main() {}
