//! Instructions on images, one lane after the other.

use super::code::Op;
use super::frame::{Frame, Mask, PRIVATE};
use super::isa::{Handler, Isa, Shape};
use super::map::each;
use crate::fault::{Access, FaultKind};
use crate::image::{self, Object};
use crate::program::{ImageAction, ImageOp, LANES, TexelKind};
use kernel_core::ChannelClass;
use kernel_core::image::{AddressMode, FilterMode, ImageFormat, Position, SamplerState, TexelBits};

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

#[inline(always)]
fn run(frame: &mut Frame<'_>, op: &Op) {
    let (images, samplers) = (frame.read::<u64>(op.a), frame.read::<u64>(op.b));
    let scratch = frame.read::<u64>(op.c);
    let mut left = frame.check::<PRIVATE>(op, &scratch, size_of::<Scratch>() as u64, Access::Write);
    let objects = frame.objects;
    while left != 0 {
        let first = left.trailing_zeros() as usize;
        let numbers = [images[first], samplers[first]];
        let mut alike = 0;
        each(left, |lane| alike |= Mask::from([images[lane], samplers[lane]] == numbers) << lane);
        left &= !alike;
        let lanes = Lanes { op, mask: alike, scratch: &scratch };
        match Target::find(objects, op.image, numbers) {
            Ok(target) => target.execute(frame, &lanes),
            Err(kind) => each(alike, |lane| frame.fail(kind, op.site, lane)),
        }
    }
}

/// The lanes that do something to the same image.
struct Lanes<'a> {
    op: &'a Op,
    mask: Mask,
    /// Where each has its [`Scratch`], which may be read and written.
    scratch: &'a [u64; LANES],
}

impl Lanes<'_> {
    /// Has each lane make a texel of its coordinates and of the one that it has.
    #[inline(always)]
    fn each<S: Step>(&self, frame: &mut Frame<'_>, target: &Target<'_>) {
        let mut left = self.mask;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let address = self.scratch[lane] as *mut Scratch;
            // SAFETY: the access was checked, and any bytes are numbers.
            let [[x, y, z, _], mut texel] = unsafe { address.read_unaligned() };
            match S::compute(target, [x, y, z], &mut texel) {
                // SAFETY: as above.
                Ok(()) => unsafe { (&raw mut (*address)[1]).write_unaligned(texel) },
                Err(kind) => frame.fail(kind, self.op.site, lane),
            }
        }
    }
}

/// Bytes of a row of an image. Where a texel has as many as a number, the nearest one is read beyond the edge, as the environment says.
fn read_bytes(image: &image::Image, [x, y]: [u32; 2], count: u32) -> Result<u32, FaultKind> {
    let mut at = [x as i32, y as i32];
    if image.format.texel_size() == 4 {
        let [width, height, _] = image.extent.size.map(|size| i32::try_from(size).unwrap_or(i32::MAX));
        let last = width.saturating_mul(4) - count as i32;
        at = [at[0].clamp(0, last), at[1].clamp(0, height - 1)];
    }
    image.read_bytes(at, count).ok_or(FaultKind::BadTexel { at: [at[0], at[1], 0] })
}

/// Whether the texels of a format are such numbers.
fn fits(format: ImageFormat, texel: TexelKind) -> bool {
    match texel {
        TexelKind::Float => format.goes_with(ChannelClass::Float),
        TexelKind::Half => format.goes_with(ChannelClass::Half),
        TexelKind::Integer => !format.class().is_float(),
    }
}

/// What an operation is done to: the same for all lanes that have the same numbers for it.
struct Target<'a> {
    op: ImageOp,
    image: &'a image::Image,
    sampler: SamplerState,
    /// Where integer positions are taken to.
    limits: [[i64; 2]; 3],
}

impl<'a> Target<'a> {
    /// The image and the sampler that numbers stand for, if the operation can be done to them.
    fn find(objects: &'a [Object], op: ImageOp, [image, sampler]: [u64; 2]) -> Result<Self, FaultKind> {
        let image = image::image(objects, image, op.shape).ok_or(FaultKind::BadImage)?;
        let action = op.action;
        if matches!(action, ImageAction::Read | ImageAction::Write | ImageAction::Sample { .. })
            && !fits(image.format, op.texel)
        {
            return Err(FaultKind::BadImage);
        }
        let sampler = match action {
            ImageAction::Sample { .. } => image::sampler(objects, sampler).ok_or(FaultKind::BadImage)?,
            _ => SamplerState { address: AddressMode::None, filter: FilterMode::Nearest, normalized: false },
        };
        Ok(Self { op, image, sampler, limits: image.extent.limits(sampler.address) })
    }

    /// Executes the operation of some lanes.
    #[inline(always)]
    fn execute(&self, frame: &mut Frame<'_>, lanes: &Lanes<'_>) {
        match self.op.action {
            ImageAction::Read => lanes.each::<Read>(frame, self),
            ImageAction::Write => lanes.each::<Write>(frame, self),
            ImageAction::Sample { integer: true } => lanes.each::<SampleInteger>(frame, self),
            ImageAction::Sample { integer: false } => lanes.each::<SampleFloat>(frame, self),
            _ => lanes.each::<Other>(frame, self),
        }
    }

    /// The number of the texel at a position, as the sampler finds it, if it is inside.
    #[inline(always)]
    fn inside(&self, at: [u32; 3]) -> Option<u64> {
        self.image.extent.clamped(&self.limits, at.map(|at| at as i32))
    }

    /// The number of the texel at a position, which must be inside.
    #[inline(always)]
    fn index(&self, at: [u32; 3]) -> Result<u64, FaultKind> {
        self.inside(at).ok_or_else(|| FaultKind::BadTexel { at: self.known(at).map(|at| at as i32) })
    }

    /// The coordinates that the image has, and zeros.
    fn known(&self, mut at: [u32; 3]) -> [u32; 3] {
        at[self.op.shape.coordinates()..].fill(0);
        at
    }

    /// What the sampler finds outside.
    fn border(&self) -> TexelBits {
        if self.op.shape.is_depth() { [0; 4] } else { self.image.format.border() }
    }
}

/// What one lane does: of its coordinates and its texel it makes the texel that it has then.
trait Step {
    /// Does it; must be `#[inline(always)]` where it is to be fast.
    fn compute(target: &Target<'_>, at: [u32; 3], texel: &mut TexelBits) -> Result<(), FaultKind>;
}

struct Read;
struct Write;
struct SampleInteger;
struct SampleFloat;
struct Other;

impl Step for Read {
    #[inline(always)]
    fn compute(target: &Target<'_>, at: [u32; 3], texel: &mut TexelBits) -> Result<(), FaultKind> {
        *texel = target.image.read(target.index(at)?);
        Ok(())
    }
}

impl Step for Write {
    #[inline(always)]
    fn compute(target: &Target<'_>, at: [u32; 3], texel: &mut TexelBits) -> Result<(), FaultKind> {
        target.image.write(target.index(at)?, *texel);
        Ok(())
    }
}

impl Step for SampleInteger {
    #[inline(always)]
    fn compute(target: &Target<'_>, at: [u32; 3], texel: &mut TexelBits) -> Result<(), FaultKind> {
        *texel = target.inside(at).map_or_else(|| target.border(), |index| target.image.read(index));
        Ok(())
    }
}

impl Step for SampleFloat {
    fn compute(target: &Target<'_>, at: [u32; 3], texel: &mut TexelBits) -> Result<(), FaultKind> {
        let Target { image, sampler, .. } = *target;
        let position = Position::Float(target.known(at).map(f32::from_bits));
        *texel = image.extent.sample(sampler, position, target.border(), |index| image.read(index));
        Ok(())
    }
}

impl Step for Other {
    fn compute(target: &Target<'_>, [x, y, _]: [u32; 3], texel: &mut TexelBits) -> Result<(), FaultKind> {
        let image = target.image;
        match target.op.action {
            ImageAction::Size => texel[..3].copy_from_slice(&image.extent.size),
            ImageAction::Channels => {
                texel[..2].copy_from_slice(&[image.format.channel as u32, image.format.order as u32]);
            }
            ImageAction::ReadBytes(count) => texel[0] = read_bytes(image, [x, y], count)?,
            ImageAction::WriteBytes(count) => {
                let at = [x as i32, y as i32];
                if !image.write_bytes(at, count, texel[0]) {
                    return Err(FaultKind::BadTexel { at: [at[0], at[1], 0] });
                }
            }
            // Those have steps of their own.
            ImageAction::Read | ImageAction::Write | ImageAction::Sample { .. } => {
                return Err(FaultKind::BadImage);
            }
        }
        Ok(())
    }
}
