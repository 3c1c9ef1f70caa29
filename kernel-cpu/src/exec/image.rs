//! Instructions on images, one lane after the other.

use super::code::Op;
use super::frame::{Frame, PRIVATE};
use super::isa::{Handler, Isa, Shape};
use super::map::each;
use crate::fault::{Access, FaultKind};
use crate::image::{self, Object};
use crate::program::{ImageAction, ImageOp, TexelKind};
use kernel_core::ChannelClass;
use kernel_core::image::{ImageFormat, Position, TexelBits};

/// What lowering puts into the memory of the work-item: three coordinates and a fourth number that means nothing, then the texel.
pub(crate) type Scratch = [[u32; 4]; 2];

struct Image;

impl Shape for Image {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        run(frame, op);
    }
}

/// The handler of all of them.
pub(super) fn handler(isa: Isa) -> Handler {
    isa.handler::<Image>()
}

#[inline(never)]
fn run(frame: &mut Frame<'_>, op: &Op) {
    let (images, samplers) = (frame.read::<u64>(op.a), frame.read::<u64>(op.b));
    let scratch = frame.read::<u64>(op.c);
    let mask = frame.check::<PRIVATE>(op, &scratch, size_of::<Scratch>() as u64, Access::Write);
    each(mask, |lane| {
        let address = scratch[lane] as *mut Scratch;
        // SAFETY: the access was checked, and any bytes are numbers.
        let [at, texel] = unsafe { address.read_unaligned() };
        match execute(frame.objects, op.image, [images[lane], samplers[lane]], at, texel) {
            // SAFETY: as above.
            Ok(texel) => unsafe { address.write_unaligned([at, texel]) },
            Err(kind) => frame.fail(kind, op.site, lane),
        }
    });
}

/// Bytes of a row of an image. Where a texel has as many as a number, the nearest one is read beyond the edge, as the environment says.
fn read_bytes(image: &image::Image, [x, y]: [u32; 2], count: u32) -> Result<TexelBits, FaultKind> {
    let mut at = [x as i32, y as i32];
    if image.format.texel_size() == 4 {
        let [width, height, _] = image.extent.size.map(|size| i32::try_from(size).unwrap_or(i32::MAX));
        let last = width.saturating_mul(4) - count as i32;
        at = [at[0].clamp(0, last), at[1].clamp(0, height - 1)];
    }
    let number = image.read_bytes(at, count).ok_or(FaultKind::BadTexel { at: [at[0], at[1], 0] })?;
    Ok([number, 0, 0, 0])
}

/// Whether the texels of a format are such numbers.
fn fits(format: ImageFormat, texel: TexelKind) -> bool {
    match texel {
        TexelKind::Float => format.goes_with(ChannelClass::Float),
        TexelKind::Half => format.goes_with(ChannelClass::Half),
        TexelKind::Integer => !format.class().is_float(),
    }
}

/// Executes the operation of one lane: the texel that it reads, or its sizes.
fn execute(
    objects: &[Object],
    op: ImageOp,
    [image, sampler]: [u64; 2],
    [x, y, z, _]: [u32; 4],
    texel: TexelBits,
) -> Result<TexelBits, FaultKind> {
    let image = image::image(objects, image, op.shape).ok_or(FaultKind::BadImage)?;
    let extent = image.extent;
    match op.action {
        ImageAction::Size => {
            let [width, height, depth] = extent.size;
            return Ok([width, height, depth, 0]);
        }
        ImageAction::ReadBytes(count) => return read_bytes(image, [x, y], count),
        ImageAction::WriteBytes(count) => {
            return image
                .write_bytes([x as i32, y as i32], count, texel[0])
                .then_some(texel)
                .ok_or(FaultKind::BadTexel { at: [x as i32, y as i32, 0] });
        }
        ImageAction::Channels => return Ok([image.format.channel as u32, image.format.order as u32, 0, 0]),
        _ if !fits(image.format, op.texel) => return Err(FaultKind::BadImage),
        _ => {}
    }
    let mut at = [x, y, z];
    at[op.shape.coordinates()..].fill(0);
    let integers = at.map(|at| at as i32);
    let index = || {
        let at = integers.map(i64::from);
        extent.index(at).ok_or(FaultKind::BadTexel { at: integers })
    };
    match op.action {
        ImageAction::Write => {
            image.write(index()?, texel);
            Ok(texel)
        }
        ImageAction::Sample { integer } => {
            let sampler = image::sampler(objects, sampler).ok_or(FaultKind::BadImage)?;
            let position = match integer {
                true => Position::Integer(integers),
                false => Position::Float(at.map(f32::from_bits)),
            };
            let border = if op.shape.is_depth() { [0; 4] } else { image.format.border() };
            Ok(extent.sample(sampler, position, border, |index| image.read(index)))
        }
        _ => Ok(image.read(index()?)),
    }
}
