use kernel_runtime::prelude::*;

#[kernel(nontemporal(z, n, counts, tile, image, x, x))]
fn run(
    x: &[f32],
    n: u32,
    counts: &[AtomicU32],
    tile: &mut Local<[f32]>,
    image: &Image2d<f32>,
    y: &mut [f32],
) {
    y[0] = x[0];
}

#[kernel(nontemporal)]
fn bare(x: &[f32]) {}

#[kernel(nontemporal())]
fn of_none(x: &[f32]) {}

#[kernel(nontemporal(x[0]))]
fn of_an_element(x: &[f32]) {}

#[kernel(nontemporal(x), nontemporal(y))]
fn twice(x: &[f32], y: &[f32]) {}

fn main() {}
