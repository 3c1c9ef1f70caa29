//! Device functions that are generic over what may be done with an image, over its channels, and over samplers.

use super::case::Case;
use kernel_runtime::images::{Access, Channel, Coordinates, Filter, Filtered, Readable, Writable};
use kernel_runtime::prelude::*;

/// Of images that are read only, and of those that are written too.
#[device]
fn brightness<A: Readable>(image: &Image2d<f32, A>, x: usize, y: usize) -> f32 {
    let texel = image.read((x, y));
    texel.x + texel.y + texel.z
}

#[device]
fn clear<T: Channel + Number, A: Writable>(image: &mut Image2d<T, A>, at: (usize, usize)) {
    image.write(at, Vector::splat(T::ZERO));
}

#[device]
fn texels<T: Channel, A: Access>(image: &Image2d<T, A>) -> usize {
    image.width() * image.height()
}

#[device]
fn sampled<F: Filter, C: Coordinates>(image: &Image2d<f32>, sampler: Sampler<F, C>, at: (f32, f32)) -> f32
where
    f32: Filtered<F>,
{
    image.sample(sampler, at).x
}

/// An image with the sampler that it is looked at by.
#[device(impl)]
#[derive(Clone, Copy)]
struct Texture<'a, F, C> {
    image: &'a Image2d<f32>,
    sampler: Sampler<F, C>,
}

#[device]
impl<F: Filter, C: Coordinates> Texture<'_, F, C>
where
    f32: Filtered<F>,
{
    fn at(&self, x: f32, y: f32) -> f32 {
        sampled(self.image, self.sampler, (x, y))
    }
}

#[kernel(requires(global_size(0) <= src.width()))]
pub fn image_generics(
    src: &Image2d<f32>,
    smooth: Sampler<Linear, Normalized>,
    exact: Sampler<Nearest, Unnormalized>,
    both: &mut Image2d<f32, ReadWrite>,
    marks: &mut Image2d<u32, WriteOnly>,
    result: &mut [f32],
) {
    let (x, y) = (global_id(0), global_id(1));
    let i = (y * src.width() + x) * 4;
    result[i] = brightness(src, x, y) + brightness(both, x, y);
    result[i + 1] = Texture { image: src, sampler: smooth }.at(0.5, 0.5);
    result[i + 2] = Texture { image: src, sampler: exact }.at(x as f32 + 0.5, y as f32 + 0.5);
    result[i + 3] = (texels(src) + texels(both) + texels(marks)) as f32;
    clear(both, (x, y));
    clear(marks, (x, y));
}

pub fn cases() -> Vec<Case> {
    let rgba = ImageFormat::new(ChannelOrder::Rgba, ChannelType::Float32);
    let numbers = ImageFormat::new(ChannelOrder::R, ChannelType::Uint32);
    let mut cases = Vec::new();
    for (width, height) in [(2, 2), (4, 2)] {
        let count = width * height;
        let texel = |k: usize| [k as f32, 0.5, 2.0 * k as f32, 9.0];
        let bytes: Vec<u8> = (0..count).flat_map(texel).flat_map(f32::to_le_bytes).collect();
        let src: Image2d<f32> = Image2d::from_bytes(rgba, (width, height), &bytes);
        let before: Image2d<f32, ReadWrite> = Image2d::from_bytes(rgba, (width, height), &bytes);
        let after: Image2d<f32, ReadWrite> =
            Image2d::from_bytes(rgba, (width, height), &vec![0; bytes.len()]);
        let marks: Image2d<u32, WriteOnly> =
            Image2d::from_bytes(numbers, (width, height), &vec![0; 4 * count]);
        // Between the four texels in the middle, the first of which is this one.
        let first = (height / 2 - 1) * width + width / 2 - 1;
        let middle = first as f32 + (width as f32 + 1.0) / 2.0;
        let result: Vec<f32> =
            (0..count).flat_map(|k| [6.0 * k as f32 + 1.0, middle, k as f32, 3.0 * count as f32]).collect();
        let case = Case::of(&IMAGE_GENERICS)
            .image(&src)
            .sampler(Sampler::<Linear, Normalized>::clamp_to_edge())
            .sampler(Sampler::<Nearest, Unnormalized>::clamp_to_edge());
        let case = case.image_update(&before, &after).image_output(&marks).output(&result);
        cases.push(case.items([width, height]).label(format!("{width} by {height}")));
    }
    cases
}
