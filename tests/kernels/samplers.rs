//! Samplers: as arguments and as constants, with each address mode, both filters and both kinds of coordinates.

use super::case::Case;
use kernel_runtime::prelude::*;

/// What a sampler finds at given positions.
#[kernel]
pub fn sample_nearest(
    src: &Image2d<f32>,
    sampler: Sampler<Nearest, Unnormalized>,
    at: &[f32],
    result: &mut [f32],
) {
    let i = global_id(0);
    let texel = src.sample(sampler, (at[2 * i], at[2 * i + 1]));
    texel.copy_to_slice(&mut result[4 * i..]);
}

#[kernel]
pub fn sample_linear(
    src: &Image2d<f32>,
    sampler: Sampler<Linear, Unnormalized>,
    at: &[f32],
    result: &mut [f32],
) {
    let i = global_id(0);
    let texel = src.sample(sampler, (at[2 * i], at[2 * i + 1]));
    texel.copy_to_slice(&mut result[4 * i..]);
}

#[kernel]
pub fn sample_nearest_normalized(
    src: &Image2d<f32>,
    sampler: Sampler<Nearest, Normalized>,
    at: &[f32],
    result: &mut [f32],
) {
    let i = global_id(0);
    let texel = src.sample(sampler, (at[2 * i], at[2 * i + 1]));
    texel.copy_to_slice(&mut result[4 * i..]);
}

#[kernel]
pub fn sample_linear_normalized(
    src: &Image2d<f32>,
    sampler: Sampler<Linear, Normalized>,
    at: &[f32],
    result: &mut [f32],
) {
    let i = global_id(0);
    let texel = src.sample(sampler, (at[2 * i], at[2 * i + 1]));
    texel.copy_to_slice(&mut result[4 * i..]);
}

/// Integer positions, which may be outside.
#[kernel]
pub fn sample_integers(
    src: &Image2d<f32>,
    sampler: Sampler<Nearest, Unnormalized>,
    at: &[i32],
    result: &mut [f32],
) {
    let i = global_id(0);
    src.sample(sampler, (at[2 * i], at[2 * i + 1])).copy_to_slice(&mut result[4 * i..]);
}

/// Images of integers are sampled too, but not filtered.
#[kernel]
pub fn sample_unsigned(
    src: &Image2d<u32>,
    sampler: Sampler<Nearest, Unnormalized>,
    at: &[i32],
    result: &mut [u32],
) {
    let i = global_id(0);
    result[i] = src.sample(sampler, (at[2 * i], at[2 * i + 1])).x;
}

#[device]
const EDGE: Sampler<Nearest, Unnormalized> = Sampler::clamp_to_edge();

#[device]
pub const TILED: Sampler<Linear, Normalized> = Sampler::repeat();

#[device]
fn corner(image: &Image2d<f32>, sampler: Sampler<Nearest, Unnormalized>, side: i32) -> f32 {
    image.sample(sampler, (side, side)).x
}

/// Constants of the crate, of the kernel, and samplers where they are used; passed on, and by another name.
#[kernel]
pub fn constant_samplers(src: &Image2d<f32>, at: &[f32], result: &mut [f32]) {
    const BORDER: Sampler<Nearest, Unnormalized> = Sampler::clamp_to_border();
    let i = global_id(0);
    let (u, v) = (at[2 * i], at[2 * i + 1]);
    let mirrored = Sampler::<Linear, Normalized>::mirrored_repeat();
    result[6 * i] = src.sample(EDGE, (u, v)).x;
    result[6 * i + 1] = src.sample(BORDER, (u, v)).y;
    result[6 * i + 2] = src.sample(TILED, (u, v)).z;
    result[6 * i + 3] = src.sample(mirrored, (u, v)).w;
    result[6 * i + 4] = corner(src, EDGE, -1) + corner(src, BORDER, 100);
    let another = mirrored;
    result[6 * i + 5] = src.sample(another, (v, u)).x;
}

const WIDTH: usize = 6;
const HEIGHT: usize = 4;

fn source() -> Image2d<f32> {
    let texel = |k: usize| (k * 7 % 64) as f32 * 0.25;
    let bytes: Vec<u8> = (0..4 * WIDTH * HEIGHT).flat_map(|k| texel(k).to_le_bytes()).collect();
    Image2d::from_bytes(ImageFormat::new(ChannelOrder::Rgba, ChannelType::Float32), (WIDTH, HEIGHT), &bytes)
}

/// An image whose format has no alpha, so that the border has one.
fn narrow_source() -> Image2d<f32> {
    let bytes: Vec<u8> = (0..WIDTH * HEIGHT).flat_map(|k| (k as f32 + 1.0).to_le_bytes()).collect();
    Image2d::from_bytes(ImageFormat::new(ChannelOrder::R, ChannelType::Float32), (WIDTH, HEIGHT), &bytes)
}

/// Positions in texels, inside and outside, whose weights are exact in few bits: a GPU filters with eight.
fn positions() -> Vec<f32> {
    let mut positions = Vec::new();
    for y in [-2.5_f32, -0.25, 0.25, 0.75, 1.5, 3.25, 3.75, 9.0] {
        for x in [-8.25_f32, -0.75, 0.0, 0.5, 2.25, 5.5, 5.75, 6.25, 13.0] {
            positions.extend([x, y]);
        }
    }
    positions
}

/// The same from 0 to 1 over the image, at positions that are not on the border between two texels.
fn normalized() -> Vec<f32> {
    let mut positions = Vec::new();
    for y in [-1.4375_f32, -0.1875, 0.0625, 0.3125, 0.6875, 0.9375, 1.0625, 2.3125] {
        for x in [-2.3125_f32, -0.5625, 0.0625, 0.4375, 0.8125, 1.1875, 1.9375] {
            positions.extend([x, y]);
        }
    }
    positions
}

fn texels(count: usize, texel: impl Fn(usize) -> f32x4) -> Vec<f32> {
    (0..count).flat_map(|i| texel(i).to_array()).collect()
}

macro_rules! sampled {
    ($kernel:expr, $src:expr, $sampler:expr, $at:expr, $label:expr) => {{
        let (src, at, sampler) = ($src, $at, $sampler);
        let count = at.len() / 2;
        let result = texels(count, |i| src.sample(sampler, (at[2 * i], at[2 * i + 1])));
        let case = Case::of($kernel).image(&src).sampler(sampler).input(&at).output(&result);
        case.items([count]).ulps(4).label($label)
    }};
}

fn integer_positions() -> Vec<i32> {
    (-3..8).flat_map(|y| (-4..10).flat_map(move |x| [x, y])).collect()
}

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        sampled!(
            &SAMPLE_NEAREST,
            source(),
            Sampler::<Nearest, Unnormalized>::clamp_to_edge(),
            positions(),
            "edge"
        ),
        sampled!(
            &SAMPLE_NEAREST,
            source(),
            Sampler::<Nearest, Unnormalized>::clamp_to_border(),
            positions(),
            "border"
        ),
        sampled!(
            &SAMPLE_NEAREST,
            narrow_source(),
            Sampler::<Nearest, Unnormalized>::clamp_to_border(),
            positions(),
            "border with alpha"
        ),
        sampled!(
            &SAMPLE_LINEAR,
            source(),
            Sampler::<Linear, Unnormalized>::clamp_to_edge(),
            positions(),
            "edge"
        ),
        sampled!(
            &SAMPLE_LINEAR,
            source(),
            Sampler::<Linear, Unnormalized>::clamp_to_border(),
            positions(),
            "border"
        ),
        sampled!(
            &SAMPLE_LINEAR,
            narrow_source(),
            Sampler::<Linear, Unnormalized>::clamp_to_border(),
            positions(),
            "border with alpha"
        ),
        sampled!(
            &SAMPLE_INTEGERS,
            source(),
            Sampler::<Nearest, Unnormalized>::clamp_to_edge(),
            integer_positions(),
            "edge"
        ),
        sampled!(
            &SAMPLE_INTEGERS,
            source(),
            Sampler::<Nearest, Unnormalized>::clamp_to_border(),
            integer_positions(),
            "border"
        ),
    ];
    macro_rules! normalized_cases {
        ($kernel:expr, $filter:ty) => {
            cases.extend([
                sampled!(
                    $kernel,
                    source(),
                    Sampler::<$filter, Normalized>::clamp_to_edge(),
                    normalized(),
                    "edge"
                ),
                sampled!(
                    $kernel,
                    source(),
                    Sampler::<$filter, Normalized>::clamp_to_border(),
                    normalized(),
                    "border"
                ),
                sampled!($kernel, source(), Sampler::<$filter, Normalized>::repeat(), normalized(), "repeat"),
                sampled!(
                    $kernel,
                    source(),
                    Sampler::<$filter, Normalized>::mirrored_repeat(),
                    normalized(),
                    "mirrored"
                ),
            ]);
        };
    }
    normalized_cases!(&SAMPLE_NEAREST_NORMALIZED, Nearest);
    normalized_cases!(&SAMPLE_LINEAR_NORMALIZED, Linear);
    let bytes: Vec<u8> = (0..(4 * WIDTH * HEIGHT) as u8).map(|k| k.wrapping_mul(23)).collect();
    let format = ImageFormat::new(ChannelOrder::Rgba, ChannelType::Uint8);
    let unsigned: Image2d<u32> = Image2d::from_bytes(format, (WIDTH, HEIGHT), &bytes);
    let (at, edge) = (integer_positions(), Sampler::<Nearest, Unnormalized>::clamp_to_edge());
    let result: Vec<u32> = at.chunks(2).map(|at| unsigned.sample(edge, (at[0], at[1])).x).collect();
    let case = Case::of(&SAMPLE_UNSIGNED).image(&unsigned).sampler(edge).input(&at).output(&result);
    cases.push(case.items([result.len()]));
    cases.push(constant_case());
    cases
}

fn constant_case() -> Case {
    let (src, at) = (source(), normalized());
    let border = Sampler::<Nearest, Unnormalized>::clamp_to_border();
    let mirrored = Sampler::<Linear, Normalized>::mirrored_repeat();
    let mut result = Vec::new();
    for at in at.chunks(2) {
        let (u, v) = (at[0], at[1]);
        result.push(src.sample(EDGE, (u, v)).x);
        result.push(src.sample(border, (u, v)).y);
        result.push(src.sample(TILED, (u, v)).z);
        result.push(src.sample(mirrored, (u, v)).w);
        result.push(corner(&src, EDGE, -1) + corner(&src, border, 100));
        result.push(src.sample(mirrored, (v, u)).x);
    }
    Case::of(&CONSTANT_SAMPLERS).image(&src).input(&at).output(&result).items([at.len() / 2]).ulps(4)
}
