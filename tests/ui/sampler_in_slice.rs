use kernel_runtime::prelude::*;

#[kernel]
fn run(image: &Image2d<f32>, samplers: &[Sampler<Linear, Normalized>], y: &mut [f32]) {
    y[0] = image.sample(samplers[0], (0.5, 0.5)).x;
}

fn main() {}
