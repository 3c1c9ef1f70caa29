//! What a kernel learns of the format of an image.

use super::case::Case;
use kernel_core::KernelDescriptor;
use kernel_core::image::Channel;
use kernel_runtime::prelude::*;

/// How many bytes a channel has.
#[device]
fn bytes(channel: ChannelType) -> u32 {
    match channel {
        ChannelType::Snorm8 | ChannelType::Unorm8 | ChannelType::Sint8 | ChannelType::Uint8 => 1,
        ChannelType::Float32 | ChannelType::Sint32 | ChannelType::Uint32 => 4,
        _ => 2,
    }
}

/// How many channels there are.
#[device]
fn channels(order: ChannelOrder) -> u32 {
    use ChannelOrder::*;
    match order {
        R => 1,
        Rg => 2,
        Rgba | Bgra => 4,
    }
}

#[device]
fn described(order: ChannelOrder, channel: ChannelType) -> [u32; 4] {
    let size = channels(order) * bytes(channel);
    let is_swapped = order == ChannelOrder::Bgra;
    [order as u32, channel as u32, size, is_swapped as u32]
}

#[kernel(requires(global_size(0) == 1))]
pub fn formats(
    floats: &Image2d<f32>,
    signed: &Image1d<i32>,
    written: &mut Image3d<u32, WriteOnly>,
    depth: &Image2dDepth,
    result: &mut [[u32; 4]],
) {
    result[0] = described(floats.channel_order(), floats.channel_type());
    result[1] = described(signed.channel_order(), signed.channel_type());
    result[2] = described(written.channel_order(), written.channel_type());
    result[3][0] = depth.channel_type() as u32;
    if floats.channel_order() > signed.channel_order() {
        result[3][1] = 1;
    }
    written.write((0, 0, 0), u32x4::splat(bytes(depth.channel_type())));
}

/// The same for images of several types.
#[kernel(T = [f32, f16, i32, u32])]
pub fn turned<T: Channel>(src: &Image1d<T>, dst: &mut Image1d<T, WriteOnly>) {
    let x = global_id(0);
    if x < src.width() && x < dst.width() {
        dst.write(src.width() - 1 - x, src.read(x));
    }
}

fn turned_case<T: Channel>(kernel: &'static KernelDescriptor, format: ImageFormat) -> Case {
    let bytes: Vec<u8> = (0..5 * format.texel_size()).map(|k| (k * 7 % 64) as u8).collect();
    let src: Image1d<T> = Image1d::from_bytes(format, 5, &bytes);
    let mut dst: Image1d<T, WriteOnly> = Image1d::from_bytes(format, 5, &bytes);
    (0..5).for_each(|x| dst.write(4 - x, src.read(x)));
    Case::of(kernel).image(&src).image_output(&dst).items([6]).label(format!("{format}"))
}

fn case(floats: ImageFormat, signed: ImageFormat, written: ImageFormat, depth: ChannelType) -> Case {
    let zeros = |format: ImageFormat, texels: usize| vec![0; format.texel_size() * texels];
    let f: Image2d<f32> = Image2d::from_bytes(floats, (2, 1), &zeros(floats, 2));
    let s: Image1d<i32> = Image1d::from_bytes(signed, 3, &zeros(signed, 3));
    let depth = ImageFormat::new(ChannelOrder::R, depth);
    let d: Image2dDepth = Image2dDepth::from_bytes(depth, (1, 2), &zeros(depth, 2));
    let mut w: Image3d<u32, WriteOnly> = Image3d::from_bytes(written, (1, 1, 1), &zeros(written, 1));
    w.write((0, 0, 0), u32x4::splat(bytes(d.channel_type())));
    let mut result: Vec<[u32; 4]> =
        [floats, signed, written].map(|format| described(format.order, format.channel)).into();
    result.push([depth.channel as u32, u32::from(floats.order > signed.order), 0, 0]);
    let before = [[0; 4]; 4];
    let case = Case::of(&FORMATS).image(&f).image(&s).image_output(&w).image(&d).update(&before, &result);
    case.label(format!("{floats}, {signed}, {written}, {depth}"))
}

pub fn cases() -> Vec<Case> {
    use ChannelOrder::{Bgra, R, Rg, Rgba};
    use ChannelType::{Float16, Float32, Sint8, Sint16, Sint32, Uint8, Uint16, Uint32, Unorm8, Unorm16};
    let format = ImageFormat::new;
    vec![
        case(format(Rgba, Float32), format(R, Sint8), format(Rgba, Uint8), Float32),
        case(format(Bgra, Unorm8), format(Rg, Sint16), format(R, Uint16), Unorm16),
        case(format(R, Float16), format(Rgba, Sint32), format(Rg, Uint32), Float32),
        case(format(Rg, Unorm16), format(R, Sint32), format(Rgba, Uint32), Float32),
        turned_case::<f32>(&TURNED_F32, format(Rgba, Float32)),
        turned_case::<f16>(&TURNED_F16, format(Rg, Float16)),
        turned_case::<i32>(&TURNED_I32, format(Rg, Sint16)),
        turned_case::<u32>(&TURNED_U32, format(R, Uint8)),
    ]
}
