//! Instructions on images, for all lanes that use the same one at once.
//!
//! Coordinates and texels are in registers of the subgroup: numbers of 32 bits, which [`operand`] sets and [`result`] reads.

#[cfg(all(target_arch = "x86_64", unix))]
mod surface;
#[cfg(all(test, target_arch = "x86_64", unix))]
mod tests;
mod texels;
mod touched;

use super::code::Op;
use super::frame::{Frame, Lane, Mask, Slot};
use super::isa::{Handler, Isa, Shape};
use super::map::each;
use crate::fault::FaultKind;
use crate::image::{self, Object};
use crate::program::{IMAGE_PARTS, ImageAction, ImageOp, Kind, LANES, TEXEL, TexelKind};
use kernel_core::ChannelClass;
use kernel_core::image::filter::limited;
use kernel_core::image::{AddressMode, FilterMode, ImageFormat, SamplerState, TexelBits};
use std::marker::PhantomData;
use texels::Texels;
pub(super) use touched::touched;

#[cfg(all(target_arch = "x86_64", unix))]
pub(super) use surface::surface;

/// A number of 32 bits for each lane.
type Numbers = [u32; LANES];

/// Puts a value among the numbers, for all lanes.
struct Operand<T>(PhantomData<T>);

impl<T: Lane + Into<u32>> Shape for Operand<T> {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        let value = frame.read::<T>(op.a);
        let mut numbers = [0; LANES];
        for lane in 0..LANES {
            numbers[lane] = value[lane].into();
        }
        frame.write(op.result, numbers);
    }
}

/// Takes a value from the numbers, for the lanes that are here.
struct Taken<T>(PhantomData<T>);

impl Shape for Taken<u32> {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        let numbers = frame.read::<u32>(op.a);
        frame.write_masked(op.result, frame.mask, numbers);
    }
}

impl Shape for Taken<u16> {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        let numbers = frame.read::<u32>(op.a);
        frame.write_masked(op.result, frame.mask, std::array::from_fn(|lane| numbers[lane] as u16));
    }
}

/// The handler of [`crate::program::Inst::ImageOperand`].
pub(super) fn operand(isa: Isa, kind: Kind) -> Handler {
    if kind.size() == 2 { isa.handler::<Operand<u16>>() } else { isa.handler::<Operand<u32>>() }
}

/// The handler of [`crate::program::Inst::ImageResult`].
pub(super) fn result(isa: Isa, kind: Kind) -> Handler {
    if kind.size() == 2 { isa.handler::<Taken<u16>>() } else { isa.handler::<Taken<u32>>() }
}

struct Image;

impl Shape for Image {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        run(frame, op);
    }
}

/// The handler of [`crate::program::Inst::Image`].
pub(super) fn handler(isa: Isa) -> Handler {
    isa.handler::<Image>()
}

#[inline(always)]
fn run(frame: &mut Frame<'_>, op: &Op) {
    let (images, samplers) = (frame.read::<u64>(op.a), frame.read::<u64>(op.b));
    let mut left = frame.mask;
    let objects = frame.objects;
    while left != 0 {
        let first = left.trailing_zeros() as usize;
        let numbers = [images[first], samplers[first]];
        let mut alike = 0;
        for lane in 0..LANES {
            alike |= Mask::from([images[lane], samplers[lane]] == numbers) << lane;
        }
        alike &= left;
        left &= !alike;
        let lanes = Lanes { op, mask: alike };
        match Target::find(objects, op.image, numbers) {
            Ok(target) => target.execute(frame, &lanes),
            Err(kind) => frame.fail(kind, op.site, first),
        }
    }
}

/// The lanes that do something to the same image.
#[derive(Clone, Copy)]
struct Lanes<'a> {
    op: &'a Op,
    mask: Mask,
}

impl Lanes<'_> {
    fn slot(&self, part: usize) -> Slot {
        debug_assert!(part < IMAGE_PARTS);
        Slot(self.op.c.0 + (part * size_of::<Numbers>()) as u32)
    }

    /// Their coordinates.
    #[inline(always)]
    fn at(&self, frame: &Frame<'_>) -> [Numbers; 3] {
        [0, 1, 2].map(|axis| frame.read(self.slot(axis)))
    }

    /// The channels of their texels.
    #[inline(always)]
    fn texels(&self, frame: &Frame<'_>) -> [Numbers; 4] {
        [0, 1, 2, 3].map(|channel| frame.read(self.slot(usize::from(TEXEL) + channel)))
    }

    /// Leaves them texels.
    #[inline(always)]
    fn leave(&self, frame: &mut Frame<'_>, texels: &[Numbers; 4]) {
        for (channel, numbers) in texels.iter().enumerate() {
            frame.write_masked(self.slot(usize::from(TEXEL) + channel), self.mask, *numbers);
        }
    }

    /// Has each lane make a texel of its coordinates and of the one that it has.
    fn each(&self, frame: &mut Frame<'_>, target: &Target<'_>) {
        let (at, mut texels) = (self.at(frame), self.texels(frame));
        each(self.mask, |lane| {
            let mut texel = texels.map(|numbers| numbers[lane]);
            match target.other([at[0][lane], at[1][lane]], &mut texel) {
                Ok(()) => (0..4).for_each(|channel| texels[channel][lane] = texel[channel]),
                Err(kind) => frame.fail(kind, self.op.site, lane),
            }
        });
        self.leave(frame, &texels);
    }
}

/// Where the texels of lanes are: their numbers in the order of the addresses, and which of them are inside.
#[derive(Clone, Copy)]
struct Indices {
    numbers: [u64; LANES],
    inside: Mask,
}

impl Indices {
    /// Those at the places that are `at` for each lane.
    #[inline(always)]
    fn new(extent: kernel_core::image::Extent, at: impl Fn(usize) -> [i64; 3]) -> Self {
        let mut numbers = [0; LANES];
        let mut is_inside = [false; LANES];
        for lane in 0..LANES {
            (numbers[lane], is_inside[lane]) = extent.place(at(lane));
        }
        let mut inside = 0;
        for (lane, &is_inside) in is_inside.iter().enumerate() {
            inside |= Mask::from(is_inside) << lane;
        }
        Self { numbers, inside }
    }
}

/// Bytes of a row of an image. Where a texel has as many as a number, the nearest one is read beyond the edge, as the environment says.
fn read_bytes(image: &image::Image, at: [u32; 2], count: u32) -> Result<u32, FaultKind> {
    let at = nearest_bytes(image, at, count);
    image.read_bytes(at, count).ok_or(FaultKind::BadTexel { at: [at[0], at[1], 0] })
}

/// Where such bytes are read.
fn nearest_bytes(image: &image::Image, [x, y]: [u32; 2], count: u32) -> [i32; 2] {
    let mut at = [x as i32, y as i32];
    if image.format.texel_size() == 4 {
        let [width, height, _] = image.extent.size.map(|size| i32::try_from(size).unwrap_or(i32::MAX));
        let last = width.saturating_mul(4) - count as i32;
        at = [at[0].clamp(0, last), at[1].clamp(0, height - 1)];
    }
    at
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
        Ok(Self { op, image, sampler })
    }

    /// Executes the operation of some lanes.
    #[inline(always)]
    fn execute(&self, frame: &mut Frame<'_>, lanes: &Lanes<'_>) {
        match self.op.action {
            ImageAction::Read => self.read(frame, lanes),
            ImageAction::Write => self.write(frame, lanes),
            ImageAction::Sample { integer: true } => self.sample_integer(frame, lanes),
            ImageAction::Sample { integer: false } if self.sampler.filter == FilterMode::Nearest => {
                self.sample_nearest(frame, lanes);
            }
            ImageAction::Sample { integer: false } => self.sample_linear(frame, lanes),
            _ => lanes.each(frame, self),
        }
    }

    #[inline(always)]
    fn read(&self, frame: &mut Frame<'_>, lanes: &Lanes<'_>) {
        let (indices, mask) = self.checked(frame, lanes);
        let mut texels = lanes.texels(frame);
        Texels::of(self.image).fetch(&indices.numbers, mask, &mut texels);
        lanes.leave(frame, &texels);
    }

    #[inline(always)]
    fn write(&self, frame: &mut Frame<'_>, lanes: &Lanes<'_>) {
        let (indices, mask) = self.checked(frame, lanes);
        Texels::of(self.image).put(&indices.numbers, mask, &lanes.texels(frame));
    }

    /// Where the texels of lanes are that must be inside, and the lanes for which they are.
    #[inline(always)]
    fn checked(&self, frame: &mut Frame<'_>, lanes: &Lanes<'_>) -> (Indices, Mask) {
        let at = self.known(lanes.at(frame));
        let of = |lane: usize| [0, 1, 2].map(|axis: usize| at[axis][lane] as i32);
        let indices = Indices::new(self.image.extent, |lane| of(lane).map(i64::from));
        let outside = lanes.mask & !indices.inside;
        if outside != 0 {
            let lane = outside.trailing_zeros() as usize;
            frame.fail(FaultKind::BadTexel { at: of(lane) }, lanes.op.site, lane);
        }
        (indices, lanes.mask & indices.inside)
    }

    #[inline(always)]
    fn sample_integer(&self, frame: &mut Frame<'_>, lanes: &Lanes<'_>) {
        let at = lanes.at(frame);
        let limits = self.image.extent.limits(self.sampler.address);
        let of = |lane: usize| [0, 1, 2].map(|axis: usize| at[axis][lane] as i32);
        self.leave_at(frame, lanes, |lane| limited(&limits, of(lane)));
    }

    #[inline(always)]
    fn sample_nearest(&self, frame: &mut Frame<'_>, lanes: &Lanes<'_>) {
        let at = self.known(lanes.at(frame));
        let of = |lane: usize| [0, 1, 2].map(|axis: usize| f32::from_bits(at[axis][lane]));
        self.leave_at(frame, lanes, |lane| self.image.extent.nearest(self.sampler, of(lane)));
    }

    /// Leaves the texels at places, or what the sampler finds outside.
    #[inline(always)]
    fn leave_at(&self, frame: &mut Frame<'_>, lanes: &Lanes<'_>, at: impl Fn(usize) -> [i64; 3]) {
        let indices = Indices::new(self.image.extent, at);
        let mut texels = self.border().map(|channel| [channel; LANES]);
        Texels::of(self.image).fetch(&indices.numbers, lanes.mask & indices.inside, &mut texels);
        lanes.leave(frame, &texels);
    }

    #[inline(always)]
    fn sample_linear(&self, frame: &mut Frame<'_>, lanes: &Lanes<'_>) {
        let (at, extent) = (self.known(lanes.at(frame)), self.image.extent);
        let texels = Texels::of(self.image);
        let border = self.border().map(|channel| [channel; LANES]);
        let mut pairs = [[Default::default(); 3]; LANES];
        for lane in 0..LANES {
            pairs[lane] =
                extent.pairs(self.sampler, [0, 1, 2].map(|axis: usize| f32::from_bits(at[axis][lane])));
        }
        let mut sums = [[0.0_f32; LANES]; 4];
        for corner in 0..extent.corners() {
            let indices = Indices::new(extent, |lane| extent.corner(&pairs[lane], corner).0);
            let mut found = border;
            texels.fetch(&indices.numbers, lanes.mask & indices.inside, &mut found);
            for (sum, found) in sums.iter_mut().zip(&found) {
                for lane in 0..LANES {
                    sum[lane] += extent.corner(&pairs[lane], corner).1 * f32::from_bits(found[lane]);
                }
            }
        }
        lanes.leave(frame, &sums.map(|sum| sum.map(f32::to_bits)));
    }

    /// The coordinates that the image has, and zeros.
    #[inline(always)]
    fn known(&self, mut at: [Numbers; 3]) -> [Numbers; 3] {
        at[self.op.shape.coordinates()..].fill([0; LANES]);
        at
    }

    /// What the sampler finds outside.
    fn border(&self) -> TexelBits {
        if self.op.shape.is_depth() { [0; 4] } else { self.image.format.border() }
    }

    /// What one lane does that neither reads, writes nor samples a texel.
    fn other(&self, [x, y]: [u32; 2], texel: &mut TexelBits) -> Result<(), FaultKind> {
        let image = self.image;
        match self.op.action {
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
            // Those are for several lanes at once.
            ImageAction::Read | ImageAction::Write | ImageAction::Sample { .. } => {
                return Err(FaultKind::BadImage);
            }
        }
        Ok(())
    }
}
