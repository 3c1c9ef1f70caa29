//! Images of one and three dimensions, arrays, depths and buffers.

use super::case::{Case, ExpectedFault};
use kernel_runtime::FaultKind;
use kernel_runtime::prelude::*;

/// Each texel to the place as far from the end.
#[kernel]
pub fn image_1d(src: &Image1d<f32>, dst: &mut Image1d<f32, WriteOnly>, size: &mut [usize]) {
    let x = global_id(0);
    dst.write(src.width() - 1 - x, src.read(x));
    size[x] = dst.width();
}

/// Each layer to the next one.
#[kernel(requires(global_size(1) <= dst.layers()))]
pub fn image_1d_array(src: &Image1dArray<u32>, dst: &mut Image1dArray<u32, WriteOnly>) {
    let (x, layer) = (global_id(0), global_id(1));
    dst.write((x, (layer + 1) % dst.layers()), src.read((x, layer)) + src.width() as u32);
}

#[kernel]
pub fn image_2d_array(src: &Image2dArray<f32>, dst: &mut Image2dArray<f32, WriteOnly>, sizes: &mut [usize]) {
    let (x, y, layer) = (global_id(0), global_id(1), global_id(2));
    dst.write((src.width() - 1 - x, y, layer), src.read((x, src.height() - 1 - y, src.layers() - 1 - layer)));
    if x + y + layer == 0 {
        sizes[0] = dst.width();
        sizes[1] = dst.height();
        sizes[2] = dst.layers();
    }
}

#[kernel(requires(global_size(0) <= src.width(), global_size(1) <= src.height()))]
pub fn image_3d(src: &Image3d<i32>, result: &mut [i32]) {
    let (x, y, z) = (global_id(0), global_id(1), global_id(2));
    let i = (z * src.height() + y) * src.width() + x;
    result[i] = src.read((x, y, src.depth() - 1 - z)).x;
}

#[kernel]
pub fn write_3d(dst: &mut Image3d<f32, WriteOnly>) {
    let (x, y, z) = (global_id(0), global_id(1), global_id(2));
    dst.write((x, y, z), f32x4::new(x as f32, y as f32, z as f32, dst.depth() as f32));
}

/// A depth is one number.
#[kernel(requires(global_size(0) <= src.width()))]
pub fn image_depth(src: &Image2dDepth, result: &mut [f32]) {
    let (x, y) = (global_id(0), global_id(1));
    result[y * src.width() + x] = src.read((x, y)) + src.height() as f32;
}

#[kernel(requires(global_size(0) <= src.width(), global_size(1) <= src.height()))]
pub fn image_depth_array(src: &Image2dArrayDepth, result: &mut [f32]) {
    let (x, y, layer) = (global_id(0), global_id(1), global_id(2));
    result[(layer * src.height() + y) * src.width() + x] = src.read((x, y, layer)) - 1.0;
}

#[kernel]
pub fn write_depth(dst: &mut Image2dDepth<WriteOnly>) {
    let (x, y) = (global_id(0), global_id(1));
    dst.write((x, y), (x * 10 + y) as f32);
}

#[kernel]
pub fn image_buffer(src: &ImageBuffer<f32>, dst: &mut ImageBuffer<f32, WriteOnly>) {
    let x = global_id(0);
    dst.write(x, src.read(src.width() - 1 - x) * 2.0);
}

/// Samples of all that can be sampled.
#[kernel]
pub fn sample_shapes(
    row: &Image1d<f32>,
    rows: &Image1dArray<f32>,
    array: &Image2dArray<f32>,
    volume: &Image3d<f32>,
    at: &[f32],
    result: &mut [f32],
) {
    const SMOOTH: Sampler<Linear, Unnormalized> = Sampler::clamp_to_edge();
    let i = global_id(0);
    let (x, y, z) = (at[3 * i], at[3 * i + 1], at[3 * i + 2]);
    result[4 * i] = row.sample(SMOOTH, x).x;
    result[4 * i + 1] = rows.sample(SMOOTH, (x, y)).y;
    result[4 * i + 2] = array.sample(SMOOTH, (x, y, z)).z;
    result[4 * i + 3] = volume.sample(SMOOTH, (x, y, z)).w;
}

#[kernel]
pub fn sample_depth(
    src: &Image2dDepth,
    sampler: Sampler<Nearest, Normalized>,
    at: &[f32],
    result: &mut [f32],
) {
    let i = global_id(0);
    result[i] = src.sample(sampler, (at[2 * i], at[2 * i + 1]));
}

/// Texels outside in the last dimension.
#[kernel(requires(global_size(0) == 1))]
pub fn image_layer_at(src: &Image2dArray<f32>, layer: usize, result: &mut [f32]) {
    result[0] = src.read((0, 0, layer)).x;
}

const RGBA: ImageFormat = ImageFormat::new(ChannelOrder::Rgba, ChannelType::Float32);
const R: ImageFormat = ImageFormat::new(ChannelOrder::R, ChannelType::Float32);

fn floats(count: usize) -> Vec<u8> {
    (0..count).flat_map(|k| ((k * 13 % 97) as f32 * 0.5).to_le_bytes()).collect()
}

fn row_cases(cases: &mut Vec<Case>) {
    for width in [1, 7, 64] {
        let src: Image1d<f32> = Image1d::from_bytes(RGBA, width, &floats(4 * width));
        let mut dst: Image1d<f32, WriteOnly> = Image1d::from_bytes(RGBA, width, src.bytes());
        (0..width).for_each(|x| dst.write(width - 1 - x, src.read(x)));
        let case = Case::of(&IMAGE_1D).image(&src).image_output(&dst).output(&vec![width; width]);
        cases.push(case.items([width]).label(format!("{width}")));

        let src: ImageBuffer<f32> = ImageBuffer::from_bytes(RGBA, width, &floats(4 * width));
        let mut dst: ImageBuffer<f32, WriteOnly> = ImageBuffer::from_bytes(RGBA, width, src.bytes());
        (0..width).for_each(|x| dst.write(x, src.read(width - 1 - x) * 2.0));
        let case = Case::of(&IMAGE_BUFFER).image(&src).image_output(&dst);
        cases.push(case.items([width]).label(format!("{width}")));
    }
    let (width, layers) = (5, 3);
    let format = ImageFormat::new(ChannelOrder::Rg, ChannelType::Uint16);
    let bytes: Vec<u8> = (0..4 * width * layers).map(|k| (k * 3) as u8).collect();
    let src: Image1dArray<u32> = Image1dArray::from_bytes(format, (width, layers), &bytes);
    let mut dst: Image1dArray<u32, WriteOnly> = Image1dArray::from_bytes(format, (width, layers), &bytes);
    for layer in 0..layers {
        for x in 0..width {
            dst.write((x, (layer + 1) % layers), src.read((x, layer)) + width as u32);
        }
    }
    cases.push(Case::of(&IMAGE_1D_ARRAY).image(&src).image_output(&dst).items([width, layers]));
}

fn array_cases(cases: &mut Vec<Case>) {
    let (width, height, layers) = (4, 3, 2);
    let bytes = floats(4 * width * height * layers);
    let src: Image2dArray<f32> = Image2dArray::from_bytes(RGBA, (width, height, layers), &bytes);
    let mut dst: Image2dArray<f32, WriteOnly> =
        Image2dArray::from_bytes(RGBA, (width, height, layers), &bytes);
    for layer in 0..layers {
        for y in 0..height {
            for x in 0..width {
                let texel = src.read((x, height - 1 - y, layers - 1 - layer));
                dst.write((width - 1 - x, y, layer), texel);
            }
        }
    }
    let case = Case::of(&IMAGE_2D_ARRAY).image(&src).image_output(&dst);
    cases.push(case.output(&[width, height, layers]).items([width, height, layers]));
    let inside = Case::of(&IMAGE_LAYER_AT).image(&src).scalar(1_usize).output(&[src.read((0, 0, 1)).x]);
    let outside = Case::of(&IMAGE_LAYER_AT).image(&src).scalar(2_usize).output(&[0.0_f32]).unwritten([0]);
    let fault = ExpectedFault::new(FaultKind::IndexOutOfBounds).values([2, 2]).at("read(");
    cases.extend([inside, outside.faults(fault)]);
}

fn volume_cases(cases: &mut Vec<Case>) {
    let (width, height, depth) = (3, 2, 4);
    let format = ImageFormat::new(ChannelOrder::R, ChannelType::Sint32);
    let count = width * height * depth;
    let bytes: Vec<u8> = (0..count as i32).flat_map(|k| (100 - 9 * k).to_le_bytes()).collect();
    let src: Image3d<i32> = Image3d::from_bytes(format, (width, height, depth), &bytes);
    let mut result = Vec::new();
    let mut written: Image3d<f32, WriteOnly> =
        Image3d::from_bytes(RGBA, (width, height, depth), &floats(4 * count));
    for z in 0..depth {
        for y in 0..height {
            for x in 0..width {
                result.push(src.read((x, y, depth - 1 - z)).x);
                written.write((x, y, z), f32x4::new(x as f32, y as f32, z as f32, depth as f32));
            }
        }
    }
    cases.push(Case::of(&IMAGE_3D).image(&src).output(&result).items([width, height, depth]));
    cases.push(Case::of(&WRITE_3D).image_output(&written).items([width, height, depth]));
}

fn depth_cases(cases: &mut Vec<Case>) {
    let (width, height, layers) = (5, 4, 3);
    let src: Image2dDepth = Image2dDepth::from_bytes(R, (width, height), &floats(width * height));
    let mut dst: Image2dDepth<WriteOnly> = Image2dDepth::from_bytes(R, (width, height), src.bytes());
    let mut result = Vec::new();
    for y in 0..height {
        for x in 0..width {
            result.push(src.read((x, y)) + height as f32);
            dst.write((x, y), (x * 10 + y) as f32);
        }
    }
    cases.push(Case::of(&IMAGE_DEPTH).image(&src).output(&result).items([width, height]));
    cases.push(Case::of(&WRITE_DEPTH).image_output(&dst).items([width, height]));
    let at = [0.1_f32, 0.1, 0.5, 0.4, 0.95, 0.9, -1.0, 2.0];
    for sampler in [Sampler::<Nearest, Normalized>::clamp_to_edge(), Sampler::clamp_to_border()] {
        let result: Vec<f32> = at.chunks(2).map(|at| src.sample(sampler, (at[0], at[1]))).collect();
        let case = Case::of(&SAMPLE_DEPTH).image(&src).sampler(sampler).input(&at).output(&result);
        cases.push(case.items([4]).label(format!("{:?}", sampler.state().address)));
    }
    let bytes = floats(width * height * layers);
    let array: Image2dArrayDepth = Image2dArrayDepth::from_bytes(R, (width, height, layers), &bytes);
    let texels = (0..width * height * layers)
        .map(|i| array.read((i % width, i / width % height, i / width / height)) - 1.0);
    let result: Vec<f32> = texels.collect();
    cases.push(Case::of(&IMAGE_DEPTH_ARRAY).image(&array).output(&result).items([width, height, layers]));
}

fn sample_case() -> Case {
    let (width, height, depth) = (6, 4, 3);
    let bytes = floats(4 * width * height * depth);
    let row: Image1d<f32> = Image1d::from_bytes(RGBA, width, &bytes[..16 * width]);
    let rows: Image1dArray<f32> =
        Image1dArray::from_bytes(RGBA, (width, height), &bytes[..16 * width * height]);
    let array: Image2dArray<f32> = Image2dArray::from_bytes(RGBA, (width, height, depth), &bytes);
    let volume: Image3d<f32> = Image3d::from_bytes(RGBA, (width, height, depth), &bytes);
    let smooth = Sampler::<Linear, Unnormalized>::clamp_to_edge();
    let mut at = Vec::new();
    for z in [-1.0_f32, 0.25, 0.75, 1.25, 2.0, 7.0] {
        for y in [-0.25_f32, 0.75, 2.0, 3.25, 9.0] {
            at.extend([-2.0, y, z, 0.75, y, z, 2.25, y, z, 5.5, y, z]);
        }
    }
    let mut result = Vec::new();
    for at in at.chunks(3) {
        let (x, y, z) = (at[0], at[1], at[2]);
        result.push(row.sample(smooth, x).x);
        result.push(rows.sample(smooth, (x, y)).y);
        result.push(array.sample(smooth, (x, y, z)).z);
        result.push(volume.sample(smooth, (x, y, z)).w);
    }
    let case = Case::of(&SAMPLE_SHAPES).image(&row).image(&rows).image(&array).image(&volume);
    case.input(&at).output(&result).items([at.len() / 3]).ulps(4)
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    row_cases(&mut cases);
    array_cases(&mut cases);
    volume_cases(&mut cases);
    depth_cases(&mut cases);
    cases.push(sample_case());
    cases
}
