//! Images whose channels are `f16` to a kernel: halves in memory as they are, and other formats converted by the device.

use super::case::{Case, ExpectedFault};
use kernel_runtime::FaultKind;
use kernel_runtime::prelude::*;

/// Turns an image upside down, whatever its format.
#[kernel]
pub fn half_flip(src: &Image2d<f16>, dst: &mut Image2d<f16, WriteOnly>) {
    let (x, y) = (global_id(0), global_id(1));
    if x < src.width() && y < src.height() {
        dst.write((x, y), src.read((x, src.height() - 1 - y)));
    }
}

/// Halves in memory as single precision, and back: both conversions are the device's.
#[kernel]
pub fn half_from_single(src: &Image2d<f32>, dst: &mut Image2d<f16, WriteOnly>) {
    let (x, y) = (global_id(0), global_id(1));
    let texel = src.read((x, y));
    dst.write((x, y), (texel + 1.0).cast::<f16>());
}

/// Halves computed with as such, and written to what may be an image of single precision.
#[kernel]
pub fn half_to_single(src: &Image2d<f16>, factor: f16, dst: &mut Image2d<f32, WriteOnly>) {
    let (x, y) = (global_id(0), global_id(1));
    dst.write((x, y), (src.read((x, y)) * factor).cast::<f32>());
}

/// The same texel is read and written.
#[kernel]
pub fn half_update(image: &mut Image2d<f16, ReadWrite>) {
    let (x, y) = (global_id(0), global_id(1));
    let texel = image.read((x, y));
    image.write((x, y), f16x4::new(texel.w, texel.z, texel.y, texel.x) + texel);
}

/// Images of the other dimensions.
#[kernel]
pub fn half_shapes(
    row: &Image1d<f16>,
    rows: &Image1dArray<f16>,
    array: &Image2dArray<f16>,
    volume: &Image3d<f16>,
    buffer: &ImageBuffer<f16>,
    result: &mut [f16],
) {
    let i = global_id(0);
    let sum =
        row.read(i) + rows.read((i, 1)) + array.read((i, 0, 1)) + volume.read((i, 1, 1)) + buffer.read(i);
    sum.copy_to_slice(&mut result[4 * i..]);
}

/// What is found beyond the edge, or nearest, by a function that the host calls too.
#[device]
fn nearest(image: &Image2d<f16>, at: (f32, f32)) -> f16x4 {
    image.sample(Sampler::<Nearest, Normalized>::clamp_to_border(), at)
}

#[kernel]
pub fn half_sample(src: &Image2d<f16>, smooth: Sampler<Linear, Normalized>, at: &[f32], result: &mut [f16]) {
    let i = global_id(0);
    let at = (at[2 * i], at[2 * i + 1]);
    src.sample(smooth, at).copy_to_slice(&mut result[8 * i..]);
    nearest(src, at).copy_to_slice(&mut result[8 * i + 4..]);
}

/// A texel that is not there is a fault, and zero.
#[kernel(requires(global_size(0) == 1))]
pub fn half_at(src: &Image2d<f16>, at: &[usize], result: &mut [f16]) {
    result[0] = src.read((at[0], at[1])).x;
}

fn halves(count: usize) -> Vec<u8> {
    (0..count).flat_map(|k| f16::from_f32((k * 37 % 101) as f32 * 0.25 - 3.0).to_le_bytes()).collect()
}

fn bytes(format: ImageFormat, texels: usize) -> Vec<u8> {
    match format.channel {
        ChannelType::Float16 => halves(texels * format.texel_size() / 2),
        _ => (0..texels * format.texel_size()).map(|k| (k * 89 % 251) as u8).collect(),
    }
}

fn flip_case(format: ImageFormat, size: (usize, usize)) -> Case {
    let (width, height) = size;
    let src: Image2d<f16> = Image2d::from_bytes(format, size, &bytes(format, width * height));
    let mut dst: Image2d<f16, WriteOnly> = Image2d::from_bytes(format, size, src.bytes());
    for y in 0..height {
        (0..width).for_each(|x| dst.write((x, y), src.read((x, height - 1 - y))));
    }
    // Two bits of 16 are lost in a half, and each device rounds these in its own way.
    let ulps = if format.channel == ChannelType::Float16 { 0 } else { 32 };
    let case = Case::of(&HALF_FLIP).image(&src).image_output(&dst).items([width + 1, height]);
    case.ulps(ulps).label(format!("{format}, {size:?}"))
}

/// Halves that are special, and their neighbours.
fn special() -> Vec<u8> {
    let numbers =
        [0x0000_u16, 0x8000, 0x3c00, 0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x0400, 0x8400, 0x3c01, 0x3555];
    numbers.into_iter().flat_map(u16::to_le_bytes).collect()
}

const RGBA: ImageFormat = ImageFormat::new(ChannelOrder::Rgba, ChannelType::Float16);
const WIDE: ImageFormat = ImageFormat::new(ChannelOrder::Rgba, ChannelType::Float32);

fn conversion_cases(cases: &mut Vec<Case>) {
    let src: Image2d<f16> = Image2d::from_bytes(RGBA, (3, 1), &special());
    let mut dst: Image2d<f16, WriteOnly> = Image2d::from_bytes(RGBA, (3, 1), &special());
    (0..3).for_each(|x| dst.write((x, 0), src.read((x, 0))));
    assert_eq!(dst.bytes(), src.bytes(), "halves are kept as they are");
    cases.push(Case::of(&HALF_FLIP).image(&src).image_output(&dst).items([3, 1]).label("special"));

    let single: Image2d<f32> = Image2d::from_bytes(RGBA, (5, 3), &halves(60));
    let half: Image2d<f16> = Image2d::from_bytes(RGBA, (5, 3), &halves(60));
    let mut narrow: Image2d<f16, WriteOnly> = Image2d::from_bytes(RGBA, (5, 3), &halves(60));
    let mut wide: Image2d<f32, WriteOnly> = Image2d::from_bytes(WIDE, (5, 3), &[0; 16 * 15]);
    let mut updated: Image2d<f16, ReadWrite> = Image2d::from_bytes(RGBA, (5, 3), &halves(60));
    let factor = f16::from_f32(0.3);
    for at in (0..15).map(|k| (k % 5, k / 5)) {
        narrow.write(at, (single.read(at) + 1.0).cast::<f16>());
        wide.write(at, (half.read(at) * factor).cast::<f32>());
        let texel = updated.read(at);
        updated.write(at, f16x4::new(texel.w, texel.z, texel.y, texel.x) + texel);
    }
    cases.push(Case::of(&HALF_FROM_SINGLE).image(&single).image_output(&narrow).items([5, 3]));
    cases.push(Case::of(&HALF_TO_SINGLE).image(&half).value(factor).image_output(&wide).items([5, 3]));
    cases.push(Case::of(&HALF_UPDATE).image_update(&half, &updated).items([5, 3]));
}

fn shape_case() -> Case {
    let texels = halves(4 * 3 * 2 * 2);
    let row: Image1d<f16> = Image1d::from_bytes(RGBA, 3, &texels[..24]);
    let rows: Image1dArray<f16> = Image1dArray::from_bytes(RGBA, (3, 2), &texels[..48]);
    let array: Image2dArray<f16> = Image2dArray::from_bytes(RGBA, (3, 2, 2), &texels);
    let volume: Image3d<f16> = Image3d::from_bytes(RGBA, (3, 2, 2), &texels);
    let buffer: ImageBuffer<f16> = ImageBuffer::from_bytes(RGBA, 3, &texels[..24]);
    let mut result = Vec::new();
    for i in 0..3 {
        let sum =
            row.read(i) + rows.read((i, 1)) + array.read((i, 0, 1)) + volume.read((i, 1, 1)) + buffer.read(i);
        result.extend(sum.to_array());
    }
    let case = Case::of(&HALF_SHAPES).image(&row).image(&rows).image(&array).image(&volume).image(&buffer);
    case.output(&result).items([3])
}

fn sample_case(format: ImageFormat) -> Case {
    let (width, height) = (4, 3);
    let src: Image2d<f16> = Image2d::from_bytes(format, (width, height), &bytes(format, width * height));
    let smooth = Sampler::<Linear, Normalized>::clamp_to_edge();
    let at = [0.125_f32, 0.2, 0.5, 0.5, 0.375, 0.75, 0.9, 0.1, -0.5, 0.5, 1.5, 1.25];
    let mut result = Vec::new();
    for at in at.chunks(2).map(|at| (at[0], at[1])) {
        result.extend(src.sample(smooth, at).to_array());
        result.extend(nearest(&src, at).to_array());
    }
    let case = Case::of(&HALF_SAMPLE).image(&src).sampler(smooth).input(&at).output(&result);
    // Weights and sums may be of half precision.
    case.items([at.len() / 2]).ulps(16).label(format!("{format}"))
}

fn fault_case(at: [usize; 2]) -> Case {
    let src: Image2d<f16> = Image2d::from_bytes(RGBA, (3, 2), &halves(24));
    let result = if at[1] < 2 { src.read((at[0], at[1])).x } else { f16::ONE };
    let case = Case::of(&HALF_AT).image(&src).input(&at).update(&[f16::ONE], &[result]).items([1]);
    case.label(format!("{at:?}"))
}

pub fn cases() -> Vec<Case> {
    use ChannelOrder::{Bgra, R, Rg, Rgba};
    use ChannelType::{Float16, Snorm8, Snorm16, Unorm8, Unorm16};
    let mut cases = Vec::new();
    for order in [R, Rg, Rgba] {
        cases.push(flip_case(ImageFormat::new(order, Float16), (7, 3)));
    }
    cases.push(flip_case(RGBA, (1, 1)));
    for format in [(Bgra, Unorm8), (Rgba, Unorm8), (R, Snorm8), (Rg, Unorm16), (Rgba, Snorm16)] {
        cases.push(flip_case(ImageFormat::new(format.0, format.1), (5, 4)));
    }
    conversion_cases(&mut cases);
    cases.push(shape_case());
    cases.push(sample_case(RGBA));
    cases.push(sample_case(ImageFormat::new(R, Float16)));
    cases.push(sample_case(ImageFormat::new(Rgba, Unorm8)));
    cases.push(fault_case([2, 1]));
    let fault = ExpectedFault::new(FaultKind::IndexOutOfBounds).values([2, 2]);
    cases.push(fault_case([2, 2]).faults(fault.at("read((at[0], at[1]))")));
    cases
}
