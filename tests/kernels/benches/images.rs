//! The blur of the benchmark corpus.

use super::super::case::Case;
use kernel_runtime::prelude::*;

#[device]
const PIXELS: Sampler<Nearest, Unnormalized> = Sampler::clamp_to_edge();

/// The mean of the texels around, by binomial weights.
#[device]
fn blurred(src: &Image2d<f32>, x: i32, y: i32) -> f32x4 {
    let mut sum = f32x4::splat(0.0);
    for dy in -1..=1_i32 {
        for dx in -1..=1_i32 {
            let weight = ((2 - dx.abs()) * (2 - dy.abs())) as f32 * 0.0625;
            sum += src.sample(PIXELS, (x + dx, y + dy)) * weight;
        }
    }
    sum
}

/// A work-item for each texel.
#[kernel(fp = "opencl")]
pub fn image_blur(src: &Image2d<f32>, dst: &mut Image2d<f32, WriteOnly>) {
    let (x, y) = (global_id(0), global_id(1));
    dst.write((x, y), blurred(src, x as i32, y as i32));
}

/// The same for launches of more work-items than there are texels, so that no check is left.
#[kernel(fp = "opencl")]
pub fn image_blur_guarded(src: &Image2d<f32>, dst: &mut Image2d<f32, WriteOnly>) {
    let (x, y) = (global_id(0), global_id(1));
    if x < dst.width() && y < dst.height() {
        dst.write((x, y), blurred(src, x as i32, y as i32));
    }
}

/// The same with the check opted out.
#[kernel(fp = "opencl")]
pub fn image_blur_unchecked(src: &Image2d<f32>, dst: &mut Image2d<f32, WriteOnly>) {
    let (x, y) = (global_id(0), global_id(1));
    // SAFETY: every launch has a work-item for each texel.
    unsafe { dst.write_unchecked((x, y), blurred(src, x as i32, y as i32)) };
}

const FORMAT: ImageFormat = ImageFormat::new(ChannelOrder::Rgba, ChannelType::Float32);

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (width, height) in [(1, 1), (3, 2), (33, 17)] {
        let bytes: Vec<u8> =
            (0..4 * width * height).flat_map(|k| ((k * 7 % 31) as f32).to_le_bytes()).collect();
        let src: Image2d<f32> = Image2d::from_bytes(FORMAT, (width, height), &bytes);
        let mut dst: Image2d<f32, WriteOnly> = Image2d::from_bytes(FORMAT, (width, height), &bytes);
        for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
            dst.write((x, y), blurred(&src, x as i32, y as i32));
        }
        for kernel in [&IMAGE_BLUR, &IMAGE_BLUR_GUARDED, &IMAGE_BLUR_UNCHECKED] {
            let case = Case::of(kernel).image(&src).image_output(&dst).items([width, height]);
            cases.push(case.label(format!("{width} by {height}")));
        }
        let case =
            Case::of(&IMAGE_BLUR_GUARDED).image(&src).image_output(&dst).items([width + 3, height + 1]);
        cases.push(case.label(format!("{width} by {height}, by more work-items")));
    }
    cases
}
