use kernel_runtime::prelude::*;

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
struct Pair<T> {
    first: T,
    second: T,
}

#[kernel]
fn sampler(image: &Image2d<f32>, s: Sampler, y: &mut [f32]) {
    y[0] = image.sample(s, (0.0, 0.0)).x;
}

#[kernel]
fn image(x: &Image2d, y: &mut [f32]) {
    y[0] = x.read((0, 0)).x;
}

#[kernel]
fn pair(p: Pair, y: &mut [f32]) {
    y[0] = p.first;
}

#[kernel]
fn vectors(x: &[Vector<f32>], y: &mut [f32]) {
    y[0] = x[0].x;
}

#[device]
fn first(p: &Pair) -> f32 {
    p.first
}

#[device]
struct Holder {
    pair: Pair,
}

#[kernel]
fn held(y: &mut [f32]) {
    let holder = Holder { pair: Pair { first: 1.0, second: y[0] } };
    y[0] = first(&holder.pair) + holder.pair.second;
}

fn main() {}
