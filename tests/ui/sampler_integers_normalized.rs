use kernel_runtime::prelude::*;

#[kernel]
fn run(image: &Image2d<f32>, sampler: Sampler<Nearest, Normalized>, y: &mut [f32]) {
    y[0] = image.sample(sampler, (1, 1)).x;
}

fn main() {}
