//! Which texels an instruction reads or writes, for who notes accesses.

use super::{Indices, Lanes, Target, nearest_bytes};
use crate::exec::code::Op;
use crate::exec::frame::{Frame, Mask};
use crate::exec::map::each;
use crate::memory::Allocation;
use crate::program::{ImageAction, LANES};
use kernel_core::image::FilterMode;
use kernel_core::image::filter::limited;

/// Calls `visit` with memory of an image, lanes, the address that each accesses there, and the number of bytes; several times if lanes access several texels. What is
/// outside of the image, or no image, is left out.
pub(in crate::exec) fn touched(
    frame: &Frame<'_>,
    op: &Op,
    mut visit: impl FnMut(&Allocation, Mask, &[u64; LANES], u64),
) {
    let (images, samplers) = (frame.read::<u64>(op.a), frame.read::<u64>(op.b));
    each(frame.mask, |lane| {
        let Ok(target) = Target::find(frame.objects, op.image, [images[lane], samplers[lane]]) else {
            return;
        };
        // One lane at a time: who wants to know does not mind the time.
        target.touched(frame, &super::Lanes { op, mask: 1 << lane }, lane, &mut visit);
    });
}

impl Target<'_> {
    fn touched(
        &self,
        frame: &Frame<'_>,
        lanes: &Lanes<'_>,
        lane: usize,
        visit: &mut impl FnMut(&Allocation, Mask, &[u64; LANES], u64),
    ) {
        let image = self.image;
        let mut texels = |places: &mut dyn Iterator<Item = [i64; 3]>| {
            for at in places {
                let Indices { numbers, inside } = Indices::new(image.extent, |_| at);
                let size = image.format.texel_size() as u64;
                let addresses = numbers.map(|number| image.start().wrapping_add(number.wrapping_mul(size)));
                visit(image.texels(), inside & lanes.mask, &addresses, size);
            }
        };
        let raw = lanes.at(frame).map(|numbers| numbers[lane]);
        let at = self.known(lanes.at(frame)).map(|numbers| numbers[lane]);
        let floats = at.map(f32::from_bits);
        match self.op.action {
            ImageAction::Size | ImageAction::Channels => {}
            ImageAction::Read | ImageAction::Write => {
                texels(&mut [at.map(|number| i64::from(number as i32))].into_iter());
            }
            ImageAction::Sample { integer: true } => {
                let limits = image.extent.limits(self.sampler.address);
                texels(&mut [limited(&limits, raw.map(|number| number as i32))].into_iter());
            }
            ImageAction::Sample { integer: false } if self.sampler.filter == FilterMode::Nearest => {
                texels(&mut [image.extent.nearest(self.sampler, floats)].into_iter());
            }
            ImageAction::Sample { integer: false } => {
                let pairs = image.extent.pairs(self.sampler, floats);
                texels(&mut (0..image.extent.corners()).map(|corner| image.extent.corner(&pairs, corner).0));
            }
            ImageAction::ReadBytes(count) | ImageAction::WriteBytes(count) => {
                let place = [raw[0], raw[1]];
                let is_read = matches!(self.op.action, ImageAction::ReadBytes(_));
                let at = if is_read { nearest_bytes(image, place, count) } else { place.map(|n| n as i32) };
                if let Some(address) = image.bytes_address(at, count) {
                    visit(image.texels(), lanes.mask, &[address; LANES], count.into());
                }
            }
        }
    }
}
