use kernel_runtime::prelude::*;

#[kernel]
fn run(image: &Image2d<u32>, sampler: Sampler<Linear, Normalized>, y: &mut [u32]) {
    y[0] = image.sample(sampler, (0.5, 0.5)).x;
}

fn main() {}
