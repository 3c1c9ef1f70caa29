//! What an instruction works on: the registers of a subgroup, its mask, and the memory it may touch.

use super::code::Op;
use super::collective::Exchange;
use super::halt::Halt;
use super::reach::Reach;
use crate::check::Checker;
use crate::fault::{Access, Fault, FaultKind, Near};
use crate::image::Object;
use crate::limits::MAX_VARIABLE_ALIGNMENT;
use crate::memory::{Snapshot, Span, Usage};
use crate::program::{LANES, MAX_STRIPS, Site, Space};

/// A type that a lane of a register can have.
///
/// # Safety
///
/// Every bit pattern must be a valid value.
pub(super) unsafe trait Lane: Copy + Default + 'static {}

// SAFETY: primitive numbers have no invalid bit patterns.
unsafe impl Lane for u8 {}
// SAFETY: as above.
unsafe impl Lane for u16 {}
// SAFETY: as above.
unsafe impl Lane for u32 {}
// SAFETY: as above.
unsafe impl Lane for u64 {}
// SAFETY: as above.
unsafe impl Lane for f32 {}
// SAFETY: as above.
unsafe impl Lane for f64 {}

/// The byte offset of a value in a register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot(pub(super) u32);

/// A set of lanes of a strip.
pub(super) type Mask = u16;

/// All lanes.
pub(super) const FULL: Mask = Mask::MAX;

/// A set of lanes of a subgroup.
pub(super) type Lanes = u32;

const _: () = assert!(Lanes::BITS as usize == MAX_STRIPS * LANES && Mask::BITS as usize == LANES);

/// The alignment of a register file and of arenas, in bytes: that of the largest vectors.
pub(super) const ALIGNMENT: usize = 128;

const _: () = assert!(ALIGNMENT as u64 == MAX_VARIABLE_ALIGNMENT);

/// One line of memory for registers and arenas.
#[derive(Clone, Copy)]
#[repr(C, align(128))]
pub(super) struct Line([u8; ALIGNMENT]);

impl Line {
    pub(super) const ZERO: Self = Self::filled(0);

    pub(super) const fn filled(byte: u8) -> Self {
        Self([byte; ALIGNMENT])
    }
}

/// The private memory of a strip's lanes.
///
/// Each lane has a piece of its own, all of one length; the next lane's follows after a gap that no access may touch, if there is one.
/// An address says by itself whose memory it is, and is checked against the piece of the lane that uses it. So a pointer which a
/// work-item gets from another one, by memory or by a shuffle, leads to nothing that it may access. The variables of one work-item
/// lie side by side, and an access that goes from one into another is not noticed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Private {
    starts: [u64; LANES],
    length: u64,
}

impl Private {
    /// The pieces from `start` on, `stride` bytes from one to the next.
    pub(super) fn new(start: u64, stride: u32, length: u32) -> Self {
        let starts = std::array::from_fn(|lane| start + lane as u64 * u64::from(stride));
        Self { starts, length: length.into() }
    }

    /// The address of an offset in each lane's piece.
    pub(super) fn at(&self, offset: u32) -> [u64; LANES] {
        self.starts.map(|start| start + u64::from(offset))
    }

    fn of(&self, lane: usize) -> Span {
        Span { start: self.starts[lane], length: self.length }
    }

    /// The lanes whose accesses are not within their pieces.
    #[inline(always)]
    fn outside(&self, addresses: &[u64; LANES], size: u64) -> Mask {
        outside(&self.starts, self.length, addresses, size)
    }
}

/// The state of a subgroup while its instructions run.
pub(super) struct Frame<'a> {
    /// The register files of the strips, one after the other.
    files: *mut u8,
    /// The size of one of them.
    size: u32,
    strips: usize,
    /// The strip that instructions work on, and its register file.
    strip: usize,
    registers: *mut u8,
    /// The lanes of the strip that are here.
    pub(super) mask: Mask,
    /// The lanes that are here.
    pub(super) lanes: Lanes,
    /// The lanes that exist.
    pub(super) all: Lanes,
    /// What the subgroups of the group hand each other.
    pub(super) exchange: &'a mut Exchange,
    /// The number of the subgroup in its group.
    pub(super) subgroup: usize,
    /// The first fault.
    pub(super) fault: Option<Fault>,
    /// The live allocations.
    pub(super) snapshot: &'a Snapshot,
    /// For each instruction that accesses global memory, the allocation that it last found.
    pub(super) found: &'a mut [Span],
    pub(super) local: Span,
    private: [Private; MAX_STRIPS],
    /// The images and samplers, by the positions of the arguments.
    pub(super) objects: &'a [Object],
    /// What of the live allocations it may access.
    pub(super) reach: Reach<'a>,
    /// Raised when the launch has to stop.
    pub(super) halt: &'a Halt,
    /// What notes accesses, if races are looked for.
    pub(super) checker: Option<&'a mut Checker>,
}

impl<'a> Frame<'a> {
    /// A frame over the register files of so many strips.
    ///
    /// Each must be as large as the code's frame size for the instructions that will run on it.
    pub(super) fn new(
        (registers, strips): (&'a mut [Line], usize),
        snapshot: &'a Snapshot,
        found: &'a mut [Span],
        local: Span,
        private: [Private; MAX_STRIPS],
        exchange: (&'a mut Exchange, usize),
        halt: &'a Halt,
    ) -> Self {
        let objects = &[];
        let size = (registers.len() / strips * size_of::<Line>()) as u32;
        let files = registers.as_mut_ptr().cast();
        let (exchange, subgroup) = exchange;
        Self {
            files,
            size,
            strips,
            strip: 0,
            registers: files,
            mask: 0,
            lanes: 0,
            all: 0,
            exchange,
            subgroup,
            fault: None,
            snapshot,
            found,
            local,
            private,
            objects,
            reach: Reach::default(),
            halt,
            checker: None,
        }
    }

    /// The lane of the subgroup that is the first of the strip.
    pub(super) fn first_lane(&self) -> u32 {
        (self.strip * LANES) as u32
    }

    /// How many strips the subgroup has.
    pub(super) fn strips(&self) -> usize {
        self.strips
    }

    /// Says which lanes are here; instructions work on the first strip.
    #[inline(always)]
    pub(super) fn set_lanes(&mut self, lanes: Lanes) {
        self.lanes = lanes;
        self.enter(0);
    }

    /// Has instructions work on a strip, which must be one of the subgroup; says whether any of its lanes are here.
    #[inline(always)]
    pub(super) fn enter(&mut self, strip: usize) -> bool {
        debug_assert!(strip < self.strips);
        self.strip = strip;
        // SAFETY: there are the files of so many strips.
        self.registers = unsafe { self.files.add(strip * self.size as usize) };
        self.mask = (self.lanes >> (strip * LANES)) as Mask;
        self.mask != 0
    }

    /// The same, but with the registers of another strip.
    #[cfg(all(target_arch = "x86_64", unix))]
    pub(super) fn enter_with(&mut self, strip: usize, file: usize) {
        assert!(strip < self.strips && file < self.strips);
        self.enter(strip);
        // SAFETY: there are the files of so many strips.
        self.registers = unsafe { self.files.add(file * self.size as usize) };
    }

    /// The lanes of a register.
    #[inline(always)]
    pub(super) fn read<T: Lane>(&self, slot: Slot) -> [T; LANES] {
        debug_assert!(slot.0 as usize + size_of::<[T; LANES]>() <= self.size as usize);
        // SAFETY: the slots of a code lie within its frame size, aligned for their kind, and the frame was
        // made for that code, with a file for each strip. Every bit pattern is a valid lane.
        unsafe { self.registers.add(slot.0 as usize).cast::<[T; LANES]>().read() }
    }

    /// Sets all lanes of a register.
    #[inline(always)]
    pub(super) fn write<T: Lane>(&mut self, slot: Slot, lanes: [T; LANES]) {
        debug_assert!(slot.0 as usize + size_of::<[T; LANES]>() <= self.size as usize);
        // SAFETY: as in `read`; the frame has the register file to itself.
        unsafe { self.registers.add(slot.0 as usize).cast::<[T; LANES]>().write(lanes) }
    }

    /// Sets the lanes of a register that are in `mask`.
    #[inline(always)]
    pub(super) fn write_masked<T: Lane>(&mut self, slot: Slot, mask: Mask, lanes: [T; LANES]) {
        if mask == FULL {
            return self.write(slot, lanes);
        }
        let old = self.read::<T>(slot);
        self.write(
            slot,
            std::array::from_fn(|lane| if mask >> lane & 1 != 0 { lanes[lane] } else { old[lane] }),
        );
    }

    /// The lanes in which a boolean register is true.
    #[inline(always)]
    pub(super) fn truth(&self, slot: Slot) -> Mask {
        let lanes = self.read::<u8>(slot);
        let mut mask = 0;
        for (lane, &byte) in lanes.iter().enumerate() {
            // A lane that was not there when the value was written holds what the register held before, which may be
            // no boolean; it must not be taken for other lanes.
            mask |= Mask::from(byte & 1) << lane;
        }
        mask
    }

    /// The lanes of the mask that may access `size` bytes at their addresses; the first that may not is a
    /// fault.
    #[inline(always)]
    pub(super) fn check<const SPACE: u8>(
        &mut self,
        op: &Op,
        addresses: &[u64; LANES],
        size: u64,
        access: Access,
    ) -> Mask {
        let in_span = |span: Span| outside(&[span.start; LANES], span.length, addresses, size);
        let outside = match SPACE {
            LOCAL => in_span(self.local),
            PRIVATE => self.private[self.strip].outside(addresses, size),
            _ => in_span(self.found[op.extra as usize]),
        };
        let outside = outside & self.mask;
        if outside == 0 { self.mask } else { self.resolve::<SPACE>(op, addresses, size, access) }
    }

    /// As [`Self::check`], lane by lane.
    #[cold]
    #[inline(never)]
    fn resolve<const SPACE: u8>(
        &mut self,
        op: &Op,
        addresses: &[u64; LANES],
        size: u64,
        access: Access,
    ) -> Mask {
        let mut allowed = 0;
        for (lane, &address) in addresses.iter().enumerate() {
            if self.mask >> lane & 1 == 0 {
                continue;
            }
            match self.allows::<SPACE>(op, lane, address, size, access) {
                Ok(()) => allowed |= 1 << lane,
                Err(Refusal::Unknown) => {
                    let near = self.near::<SPACE>(lane, address);
                    let kind = FaultKind::BadAddress { address, size, access, space: space_of(SPACE), near };
                    self.fail(kind, op.site, lane);
                }
                Err(Refusal::OutOfReach(memory)) => {
                    self.fail(FaultKind::OutOfReach { address, memory }, op.site, lane);
                }
                Err(Refusal::ReadOnly) => {
                    self.fail(FaultKind::ReadOnly { address, access }, op.site, lane);
                }
            }
        }
        allowed
    }

    /// The memory that an address which is not allowed is near to.
    fn near<const SPACE: u8>(&self, lane: usize, address: u64) -> Option<Near> {
        let span = match SPACE {
            LOCAL => self.local,
            PRIVATE => self.private[self.strip].of(lane),
            _ => self.snapshot.nearest(address)?.span(),
        };
        Near::new(span, address)
    }

    /// Whether an access is allowed; if not, why.
    fn allows<const SPACE: u8>(
        &mut self,
        op: &Op,
        lane: usize,
        address: u64,
        size: u64,
        access: Access,
    ) -> Result<(), Refusal> {
        let inside = |span: Span| if span.contains(address, size) { Ok(()) } else { Err(Refusal::Unknown) };
        let private = self.private[self.strip].of(lane);
        match SPACE {
            LOCAL => return inside(self.local),
            PRIVATE => return inside(private),
            GENERIC if inside(self.local).is_ok() || inside(private).is_ok() => return Ok(()),
            _ => {}
        }
        let allocation = self.snapshot.find(address).ok_or(Refusal::Unknown)?;
        inside(allocation.span())?;
        if !self.reach.has(allocation) {
            return Err(Refusal::OutOfReach(allocation.usage));
        }
        if allocation.is_read_only {
            // A copy looks for both of its sides in one place, so that what may only be read is not kept there.
            return if access == Access::Read { Ok(()) } else { Err(Refusal::ReadOnly) };
        }
        self.found[op.extra as usize] = allocation.span();
        Ok(())
    }

    /// Records a fault of a lane of the strip, if it is the first.
    pub(super) fn fail(&mut self, kind: FaultKind, site: Site, lane: usize) {
        let lane = (self.strip * LANES + lane) as u32;
        self.fault.get_or_insert(Fault { kind, site, lane });
    }
}

/// Why an access is not allowed.
enum Refusal {
    /// There is no memory of the kernel.
    Unknown,
    /// There is memory of this kind, which the launch was not given access to.
    OutOfReach(Usage),
    /// There is memory that may only be read.
    ReadOnly,
}

/// The lanes whose accesses are not within spans of one length that start here.
#[inline(always)]
fn outside(starts: &[u64; LANES], length: u64, addresses: &[u64; LANES], size: u64) -> Mask {
    if length < size {
        return FULL;
    }
    let last = length - size;
    let mut outside = 0;
    for (lane, (&address, &start)) in addresses.iter().zip(starts).enumerate() {
        outside |= Mask::from(address.wrapping_sub(start) > last) << lane;
    }
    outside
}

/// The spaces as the parameter of instructions: what is in the table of allocations.
pub(super) const GLOBAL: u8 = 0;
pub(super) const LOCAL: u8 = 1;
pub(super) const PRIVATE: u8 = 2;
pub(super) const GENERIC: u8 = 3;

fn space_of(parameter: u8) -> Space {
    match parameter {
        LOCAL => Space::Local,
        PRIVATE => Space::Private,
        GENERIC => Space::Generic,
        _ => Space::Global,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_absent_lane_holds_is_not_taken_for_other_lanes() {
        let mut registers = [Line::ZERO; 1];
        let snapshot = Snapshot::default();
        let (local, private) = (Span::default(), [Private::default(); MAX_STRIPS]);
        let mut exchange = Exchange::default();
        let exchange = (&mut exchange, 0);
        let halt = Halt::default();
        let registers = (&mut registers[..], 1);
        let mut frame = Frame::new(registers, &snapshot, &mut [], local, private, exchange, &halt);
        let mut lanes = [0_u8; LANES];
        (lanes[0], lanes[3], lanes[5]) = (0xff, 1, 0x5c);
        frame.write(Slot(0), lanes);
        assert_eq!(frame.truth(Slot(0)), 0b1001);
    }
}
