use kernel_runtime::prelude::*;

#[kernel]
fn run(image: &ImageBuffer<f32>, sampler: Sampler<Nearest, Unnormalized>, y: &mut [f32]) {
    y[0] = image.sample(sampler, 1.5).x;
}

fn main() {}
