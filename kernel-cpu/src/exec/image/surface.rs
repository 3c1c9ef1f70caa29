//! Images as native code accesses them.

use super::Target;
use crate::image::Object;
use crate::native::{Layout, Surface, UsedImage};
use crate::program::{ImageAction, LANES};
use kernel_core::image::{AddressMode, ChannelOrder, ChannelType, FilterMode, ImageFormat};

/// The largest size along which coordinates that are floats are exact.
const MAX_EXACT: u32 = 1 << 24;

/// The surface for an operation on what numbers stand for; one of the layout [`Layout::Other`] is the interpreter's.
pub(in crate::exec) fn surface(objects: &[Object], used: &UsedImage) -> Surface {
    let Ok(target) = Target::find(objects, used.op, used.numbers) else { return Surface::NONE };
    let (image, extent) = (target.image, target.image.extent);
    let format = image.format;
    let bytes = extent.texels().saturating_mul(format.texel_size() as u64);
    let layout = layout(format).filter(|_| bytes <= i32::MAX as u64);
    let mut surface = Surface {
        base: image.texels().start().addr() as u64,
        layout: layout.unwrap_or_default() as u32,
        is_there: 1,
        size: extent.size,
        starts: extent.size[0].saturating_sub(LANES as u32 - 1),
        channels: [format.channel as u32, format.order as u32],
        ..Surface::NONE
    };
    if used.op.action == (ImageAction::Sample { integer: false }) {
        set_float_limits(&mut surface, &target);
    } else {
        let limits = extent.limits(target.sampler.address);
        let narrow = |limit: i64| limit.clamp(i32::MIN.into(), i32::MAX.into()) as i32 as u32;
        surface.first = limits.map(|[first, _]| narrow(first));
        surface.last = limits.map(|[_, last]| narrow(last));
    }
    surface
}

fn layout(format: ImageFormat) -> Option<Layout> {
    match (format.order, format.channel) {
        (ChannelOrder::Rgba, ChannelType::Unorm8 | ChannelType::Uint8) => Some(Layout::Bytes),
        (ChannelOrder::R, channel) if channel.size() == 4 => Some(Layout::Single),
        _ => format.is_plain().then_some(Layout::Words),
    }
}

/// Sets where positions are taken to that are floats, if that is by limits alone.
fn set_float_limits(surface: &mut Surface, target: &Target<'_>) {
    let (extent, sampler) = (target.image.extent, target.sampler);
    let is_simple = sampler.filter == FilterMode::Nearest
        && !extent.shape.is_array()
        && !matches!(sampler.address, AddressMode::Repeat | AddressMode::MirroredRepeat)
        && extent.size.iter().all(|&size| size <= MAX_EXACT);
    if !is_simple {
        surface.layout = Layout::Other as u32;
        return;
    }
    for axis in 0..3 {
        let size = extent.size[axis] as f32;
        let [first, last] = match sampler.address {
            AddressMode::ClampToEdge => [0.0, size - 1.0],
            // The nearest places that are outside stand for all that are.
            _ => [-1.0, size],
        };
        surface.first[axis] = first.to_bits();
        surface.last[axis] = last.to_bits();
        surface.scale[axis] = if sampler.normalized { size } else { 1.0 };
    }
}
