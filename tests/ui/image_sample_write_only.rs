use kernel_runtime::prelude::*;

#[kernel]
fn run(image: &mut Image2d<f32, WriteOnly>, sampler: Sampler<Linear, Normalized>, y: &mut [f32]) {
    y[0] = image.sample(sampler, (0.5, 0.5)).x;
}

fn main() {}
