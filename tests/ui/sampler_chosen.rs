use kernel_runtime::prelude::*;

#[kernel]
fn run(image: &Image2d<f32>, one: Sampler<Linear, Normalized>, two: Sampler<Linear, Normalized>, y: &mut [f32]) {
    let sampler = if y.len() > 1 { one } else { two };
    y[0] = image.sample(sampler, (0.5, 0.5)).x;
}

fn main() {}
