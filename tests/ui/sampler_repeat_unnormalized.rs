use kernel_runtime::prelude::*;

#[device]
const TILES: Sampler<Nearest, Unnormalized> = Sampler::repeat();

#[kernel]
fn run(image: &Image2d<f32>, y: &mut [f32]) {
    y[0] = image.sample(TILES, (0.5, 0.5)).x;
}

fn main() {}
