//! One work-group on one thread.

use super::code::{Code, Placed};
use super::collective::Exchange;
use super::frame::{Frame, Lanes, Line, Private, Slot};
use super::launch::{Geometry, Kernel, Work};
use super::reach::Reach;
use super::subgroup::{Barrier, Stop, Subgroup, fault};
use crate::check::{CheckedShape, Checker};
use crate::fault::{Fault, FaultKind};
use crate::limits::MAX_LOCAL_MEMORY;
use crate::memory::Span;
use crate::program::{BuiltIn, Kind, LANES, MAX_STRIPS, Preset, Program};
use std::sync::Arc;

/// What local memory holds before the first write, so that reading it without writing shows.
pub(crate) const POISON: u8 = 0xcb;

/// The memory in which a thread executes groups, kept from launch to launch.
#[derive(Default)]
pub(super) struct Worker {
    /// A register file for each strip of the subgroups that must be kept, one after the other.
    pub(super) registers: Vec<Line>,
    /// The local memory of the group.
    arena: Vec<Line>,
    /// The private memory of each strip's lanes.
    private: Vec<Line>,
    pub(super) found: Vec<Span>,
    subgroups: Vec<Subgroup>,
    pub(super) exchange: Exchange,
    /// What notes accesses, if races are looked for.
    checker: Option<Box<Checker>>,
    /// What native code works on.
    pub(super) context: Vec<Line>,
    /// The images that native code accesses.
    #[cfg(all(target_arch = "x86_64", unix))]
    pub(super) surfaces: Vec<crate::native::Surface>,
}

impl Worker {
    /// Makes room for the groups of a launch, and fills in what is the same for all of them.
    pub(super) fn prepare(&mut self, kernel: &Kernel, code: &Code, work: &Work) {
        self.make_room(kernel, code, work);
        self.checker = checker(kernel, work);
        let strips = code.strips();
        for index in 0..kept_subgroups(code, work.geometry) {
            let (private, arena) = (self.private_of(kernel, code, index), self.arena_span(work));
            let (_, mut frame) = self.frame(kernel, code, work, index);
            for (strip, &private) in private.iter().enumerate().take(strips) {
                frame.enter(strip);
                for preset in &code.presets {
                    let lanes = preset_lanes(preset.what, kernel, work, arena, private);
                    write_lanes(&mut frame, preset.slot, preset.kind, lanes);
                }
            }
        }
    }

    /// Makes room for the groups of a launch.
    pub(super) fn make_room(&mut self, kernel: &Kernel, code: &Code, work: &Work) {
        let kept = kept_subgroups(code, work.geometry);
        reserve(&mut self.registers, kept * lines(code.files_bytes()));
        // As much as a group may have, so that nothing else is at addresses that could be local.
        reserve(&mut self.arena, lines(MAX_LOCAL_MEMORY));
        let private = private_bytes(kernel, code) as usize;
        reserve(&mut self.private, kept * private.div_ceil(size_of::<Line>()));
        self.found.clear();
        self.found.resize(code.accesses as usize, Span::default());
        if self.subgroups.len() < kept {
            self.subgroups.resize_with(kept, Subgroup::default);
        }
    }

    /// Makes private memory that a kernel reads before it has written it the same for every launch that follows.
    #[cfg(all(target_arch = "x86_64", unix))]
    pub(super) fn forget(&mut self) {
        self.private.clear();
    }

    /// Executes one group; a fault comes with the number of the work-item.
    pub(super) fn run(
        &mut self,
        kernel: &Kernel,
        work: &Work,
        group: [u32; 3],
    ) -> Result<(), (Fault, usize)> {
        self.poison(work);
        self.exchange.start(work.geometry.subgroups());
        let geometry = work.geometry;
        if let Some(checker) = &mut self.checker {
            checker.start_group(geometry.number(group));
        }
        let located = |subgroup: usize| {
            move |fault: Fault| (fault, geometry.first_item(subgroup) + fault.lane as usize)
        };
        if !kernel.code.has_barriers {
            for index in 0..work.geometry.subgroups() {
                self.enter(index);
                let (subgroup, mut frame) = self.frame(kernel, &kernel.code, work, 0);
                start(kernel, work, group, index, subgroup, &mut frame);
                if let Stop::Fault(fault) = subgroup.run(&kernel.code, &mut frame) {
                    return Err(located(index)(fault));
                }
            }
            return Ok(());
        }
        for index in 0..work.geometry.subgroups() {
            let (subgroup, mut frame) = self.frame(kernel, &kernel.code, work, index);
            start(kernel, work, group, index, subgroup, &mut frame);
        }
        while let Some(barrier) = self.round(kernel, work)? {
            debug_assert!(barrier.site.0 > 0);
            if let Some(checker) = &mut self.checker {
                checker.meet(barrier.site);
            }
            if work.geometry.group_count() != Some(1)
                && kernel.program.device_barriers.contains(&barrier.site)
            {
                let is_over = || work.has_failed() || work.halt.is_raised();
                let met = work.meeting.wait(barrier.site, is_over);
                met.map_err(|kind| (fault(kind, barrier.site, 1), 0))?;
            }
            self.subgroups[..work.geometry.subgroups()].iter_mut().for_each(Subgroup::release);
        }
        Ok(())
    }

    /// Runs every subgroup to the next barrier, or to the end.
    fn round(&mut self, kernel: &Kernel, work: &Work) -> Result<Option<Barrier>, (Fault, usize)> {
        in_step(work, |index| {
            self.enter(index);
            let (subgroup, mut frame) = self.frame(kernel, &kernel.code, work, index);
            subgroup.run(&kernel.code, &mut frame)
        })
    }

    /// Says which subgroup goes on.
    fn enter(&mut self, subgroup: usize) {
        if let Some(checker) = &mut self.checker {
            checker.enter(subgroup);
        }
    }

    /// The control state and the registers of one subgroup, for a code of the kernel.
    pub(super) fn frame<'a>(
        &'a mut self,
        kernel: &'a Kernel,
        code: &Code,
        work: &'a Work,
        index: usize,
    ) -> (&'a mut Subgroup, Frame<'a>) {
        let (arena, private) = (self.arena_span(work), self.private_of(kernel, code, index));
        let strips = code.strips();
        let size = lines(code.files_bytes());
        let registers = &mut self.registers[index * size..(index + 1) * size];
        let registers = (&mut registers[..strips * lines(code.frame_bytes)], strips);
        let exchange = (&mut self.exchange, index);
        let halt = &work.halt;
        let mut frame =
            Frame::new(registers, &work.snapshot, &mut self.found, arena, private, exchange, halt);
        frame.objects = &work.arguments.objects;
        frame.reach = Reach::of(kernel, work);
        frame.checker = self.checker.as_deref_mut();
        (&mut self.subgroups[index], frame)
    }

    pub(super) fn poison(&mut self, work: &Work) {
        if work.local_bytes > 0 {
            self.arena[..lines(work.local_bytes)].fill(Line::filled(POISON));
        }
    }

    /// Where the memory ends that is filled before a group starts.
    #[cfg(all(target_arch = "x86_64", unix))]
    pub(super) fn arena_end(&self, work: &Work) -> u64 {
        self.arena.as_ptr() as u64 + (lines(work.local_bytes) * size_of::<Line>()) as u64
    }

    pub(super) fn arena_span(&self, work: &Work) -> Span {
        Span { start: self.arena.as_ptr() as u64, length: work.local_bytes.into() }
    }

    /// Where the private memory of a subgroup starts.
    pub(super) fn private_start(&self, kernel: &Kernel, code: &Code, index: usize) -> u64 {
        self.private.as_ptr() as u64 + index as u64 * private_bytes(kernel, code)
    }

    /// The private memory of the lanes of a subgroup's strips.
    fn private_of(&self, kernel: &Kernel, code: &Code, index: usize) -> [Private; MAX_STRIPS] {
        let (program, start) = (&kernel.program, self.private_start(kernel, code, index));
        std::array::from_fn(|strip| {
            let start = start + strip as u64 * strip_private_bytes(program);
            Private::new(start, program.private_stride(), program.private_bytes)
        })
    }
}

/// What notes the accesses of a launch, if races are looked for.
fn checker(kernel: &Kernel, work: &Work) -> Option<Box<Checker>> {
    let syncs = Arc::clone(&kernel.module.as_ref()?.syncs);
    let shape = CheckedShape {
        subgroup_size: kernel.program.subgroup_size,
        items_per_group: work.geometry.items_per_group(),
        local_bytes: work.local_bytes,
    };
    Some(Box::new(Checker::new(work.check()?, Arc::clone(&kernel.code.notes), syncs, shape)))
}

/// How many subgroups must keep their registers at the same time.
fn kept_subgroups(code: &Code, geometry: Geometry) -> usize {
    let subgroup_size = code.subgroup_size;
    if code.has_barriers { Geometry { subgroup_size, ..geometry }.subgroups() } else { 1 }
}

pub(super) fn lines(bytes: u32) -> usize {
    (bytes as usize).div_ceil(size_of::<Line>())
}

/// The bytes of the private memory of a subgroup.
fn private_bytes(kernel: &Kernel, code: &Code) -> u64 {
    strip_private_bytes(&kernel.program) * code.strips() as u64 + code.private_bytes
}

fn private_lines(program: &Program) -> usize {
    lines(program.private_stride() * LANES as u32)
}

/// How far the private memory of a strip is from that of the next one.
pub(crate) fn strip_private_bytes(program: &Program) -> u64 {
    (private_lines(program) * size_of::<Line>()) as u64
}

pub(super) fn reserve(memory: &mut Vec<Line>, lines: usize) {
    if memory.len() < lines {
        memory.resize(lines, Line::ZERO);
    }
}

/// What a preset is in each lane.
fn preset_lanes(preset: Preset, kernel: &Kernel, work: &Work, arena: Span, private: Private) -> [u64; LANES] {
    let value = match preset {
        Preset::Constant(bits) => bits,
        Preset::Argument(offset) => argument(&work.arguments.bytes, offset as usize),
        Preset::Local(offset) => arena.start + u64::from(offset),
        Preset::LocalArgument(index) => {
            arena.start + u64::from(work.local_offsets.get(index as usize).copied().unwrap_or(0))
        }
        Preset::ModuleData(offset) => {
            kernel.data.as_ref().map_or(0, |data| data.span().start + u64::from(offset))
        }
        Preset::Private { start: offset, .. } => return private.at(offset),
        // These change from group to group; see `start`.
        Preset::BuiltIn(_) => 0,
    };
    [value; LANES]
}

/// Up to eight bytes of the argument block; the reader takes as many as it needs.
fn argument(block: &[u8], offset: usize) -> u64 {
    let mut bytes = [0; 8];
    let rest = block.get(offset..).unwrap_or_default();
    let size = rest.len().min(8);
    bytes[..size].copy_from_slice(&rest[..size]);
    u64::from_le_bytes(bytes)
}

fn write_lanes(frame: &mut Frame<'_>, slot: Slot, kind: Kind, lanes: [u64; LANES]) {
    match kind.size() {
        1 => frame.write(slot, lanes.map(|bits| bits as u8)),
        2 => frame.write(slot, lanes.map(|bits| bits as u16)),
        4 => frame.write(slot, lanes.map(|bits| bits as u32)),
        _ => frame.write(slot, lanes),
    }
}

/// Puts a subgroup at the start of the kernel, with its ids in its registers.
fn start(
    kernel: &Kernel,
    work: &Work,
    group: [u32; 3],
    index: usize,
    subgroup: &mut Subgroup,
    frame: &mut Frame<'_>,
) {
    let (first, present) = (work.geometry.first_item(index), work.geometry.present(index));
    for strip in 0..frame.strips() {
        frame.enter(strip);
        let items = items(work.geometry, first + strip * LANES);
        let ids = Ids { geometry: work.geometry, group, first, strip, present, items };
        for &Placed { slot, kind, what } in &kernel.code.built_ins {
            write_lanes(frame, slot, kind, ids.built_in(what));
        }
    }
    subgroup.start(&kernel.code, Lanes::MAX >> (Lanes::BITS - present as u32));
}

/// The local ids of the lanes, counted up from the first.
fn items(geometry: Geometry, first: usize) -> [[u32; 3]; LANES] {
    let mut item = geometry.item(first);
    std::array::from_fn(|_| {
        let current = item;
        for (id, size) in item.iter_mut().zip(geometry.group_size) {
            *id += 1;
            if *id < size {
                break;
            }
            *id = 0;
        }
        current
    })
}

/// The ids of the work-items of a strip.
struct Ids {
    geometry: Geometry,
    group: [u32; 3],
    /// The number in the group of the first work-item of the subgroup.
    first: usize,
    /// The strip of the subgroup.
    strip: usize,
    /// How many work-items the subgroup has.
    present: usize,
    items: [[u32; 3]; LANES],
}

impl Ids {
    fn built_in(&self, what: BuiltIn) -> [u64; LANES] {
        let Geometry { groups, group_size, offset, subgroup_size } = self.geometry;
        let all = |value: u64| [value; LANES];
        match what {
            BuiltIn::GlobalId(d) => {
                let d = usize::from(d);
                let start = u64::from(self.group[d]) * u64::from(group_size[d]) + u64::from(offset[d]);
                self.items.map(|item| start + u64::from(item[d]))
            }
            BuiltIn::GlobalSize(d) => {
                all(u64::from(groups[usize::from(d)]) * u64::from(group_size[usize::from(d)]))
            }
            BuiltIn::GlobalOffset(d) => all(offset[usize::from(d)].into()),
            BuiltIn::LocalId(d) => self.items.map(|item| item[usize::from(d)].into()),
            BuiltIn::LocalSize(d) => all(group_size[usize::from(d)].into()),
            BuiltIn::GroupId(d) => all(self.group[usize::from(d)].into()),
            BuiltIn::GroupCount(d) => all(groups[usize::from(d)].into()),
            BuiltIn::GlobalLinearId => self.items.map(|item| self.global_linear(item)),
            BuiltIn::LocalLinearId => {
                std::array::from_fn(|lane| (self.first + self.strip * LANES + lane) as u64)
            }
            BuiltIn::WorkDim => all(3),
            BuiltIn::SubgroupSize => all(self.present as u64),
            BuiltIn::SubgroupMaxSize => all(subgroup_size.into()),
            BuiltIn::SubgroupCount => all(self.geometry.subgroups() as u64),
            BuiltIn::SubgroupId => all(self.first as u64 / u64::from(subgroup_size)),
            BuiltIn::SubgroupLane => std::array::from_fn(|lane| (self.strip * LANES + lane) as u64),
        }
    }

    fn global_linear(&self, item: [u32; 3]) -> u64 {
        let Geometry { groups, group_size, .. } = self.geometry;
        let size = |d: usize| u64::from(groups[d]) * u64::from(group_size[d]);
        let id = |d: usize| u64::from(self.group[d]) * u64::from(group_size[d]) + u64::from(item[d]);
        (id(2).wrapping_mul(size(1)).wrapping_add(id(1))).wrapping_mul(size(0)).wrapping_add(id(0))
    }
}

/// Has `run` take every subgroup to the next barrier, which must be the same for all, or to the end.
pub(super) fn in_step(
    work: &Work,
    mut run: impl FnMut(usize) -> Stop,
) -> Result<Option<Barrier>, (Fault, usize)> {
    let mut first = None;
    for index in 0..work.geometry.subgroups() {
        let stop = match run(index) {
            Stop::Fault(fault) => {
                return Err((fault, work.geometry.first_item(index) + fault.lane as usize));
            }
            Stop::Barrier(barrier) => Some(barrier),
            Stop::Done => None,
        };
        let expected = *first.get_or_insert(stop);
        if expected != stop {
            return Err((divergent(expected, stop), work.geometry.first_item(index)));
        }
    }
    Ok(first.flatten())
}

/// The fault of subgroups that stopped at different places.
pub(super) fn divergent(expected: Option<Barrier>, stop: Option<Barrier>) -> Fault {
    let (site, other) = match (expected, stop) {
        (Some(first), Some(second)) => (second.site, Some(first.site)),
        (Some(only), None) | (None, Some(only)) => (only.site, None),
        // Equal stops do not diverge.
        (None, None) => (crate::program::Site(0), None),
    };
    fault(FaultKind::DivergentBarrier { other }, site, 1)
}
