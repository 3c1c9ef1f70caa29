//! What a thread that executes a launch needs to note accesses.

use super::choice::{Checks, checks};
use super::fence::{Sync, Syncs};
use super::history::{AccessKind, Now};
use super::launch::LaunchCheck;
use super::race::{Accessed, Finding, Note, NoteAction, Place, Race, Unwritten};
use super::record::Record;
use super::segment::{CLASSES, COPIES, Class, Segment};
use super::shadow::{Found, Held, Shadow, WORD};
use crate::fault::FaultKind;
use crate::memory::{Allocation, Span, Written};
use crate::program::{LANES, Site};
use std::sync::Arc;

/// The accesses of some lanes by one instruction.
#[derive(Clone, Copy)]
pub(crate) struct Accesses<'a> {
    /// The number of the instruction among those that are noted.
    pub(crate) note: u32,
    /// The lane of the subgroup that the first of the addresses is of.
    pub(crate) first_lane: u32,
    pub(crate) kind: AccessKind,
    /// Whether they are part of an asynchronous copy.
    pub(crate) by_group: bool,
    /// Whether they are those of a copy, which may copy what nobody has written.
    pub(crate) is_copy: bool,
    pub(crate) addresses: &'a [u64; LANES],
    pub(crate) mask: u16,
    pub(crate) size: u64,
}

/// Lanes whose bytes follow each other.
#[derive(Clone, Copy)]
struct Row {
    first_lane: u32,
    lanes: u32,
    /// Where the bytes of the first begin, in a piece of memory.
    offset: u64,
}

impl Accesses<'_> {
    /// The lanes whose bytes follow those of the lane before them, if all are accessed by themselves.
    #[inline(always)]
    fn followers(&self) -> u16 {
        if self.kind.is_atomic() || self.by_group || self.is_copy {
            return 0;
        }
        let mut followers = 0;
        for (lane, pair) in (1..).zip(self.addresses.array_windows()) {
            let [before, address] = *pair;
            followers |= u16::from(address.wrapping_sub(before) == self.size) << lane;
        }
        followers & self.mask & self.mask << 1
    }

    /// How many lanes of a row have a word together that begins with the bytes of the first, if more than one has.
    #[inline(always)]
    fn lanes_of_word(&self, offset: u64, left: u32) -> Option<u32> {
        let lanes = match self.size {
            1 => 4,
            2 => 2,
            _ => return None,
        };
        (lanes <= left && offset.is_multiple_of(WORD)).then_some(lanes)
    }
}

/// An allocation, or local memory, with its histories.
#[derive(Debug)]
struct Known {
    span: Span,
    /// None if races are not looked for.
    shadow: Option<Arc<Shadow>>,
    /// None if it is not watched which bytes are written.
    written: Option<Arc<Written>>,
    is_image: bool,
}

/// What is wrong with the access of a lane.
#[derive(Clone, Copy, Debug)]
struct Wrong {
    lane: u32,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Race(Found),
    /// Nobody has written the byte at this offset.
    Unwritten(u64),
}

/// A subgroup of the current group.
#[derive(Clone, Copy, Debug, Default)]
struct OfSubgroup {
    /// What it does at the moment, and its number.
    segment: Segment,
    number: u32,
    /// How many of its own barriers it has come by, for each class of memory.
    steps: [u32; CLASSES],
    /// How many asynchronous copies it has begun.
    copies: usize,
}

/// What a thread needs to note the accesses of the groups that it executes.
#[derive(Debug)]
pub(crate) struct Checker {
    launch: Arc<LaunchCheck>,
    notes: Arc<[Note]>,
    syncs: Arc<Syncs>,
    subgroup_size: usize,
    items_per_group: usize,
    checks: Checks,
    local: Shadow,
    /// Which bytes of local memory have been written.
    local_written: Written,
    local_bytes: u64,
    /// The allocation that each instruction found last.
    found: Vec<Option<Known>>,
    /// What all subgroups of the group have come by.
    group: Segment,
    subgroups: Vec<OfSubgroup>,
    /// The subgroup that is executed.
    current: usize,
    /// The copies that the group has begun.
    copies: Vec<(u32, Segment)>,
    /// Nothing is noted any more, since there are more segments than can be told apart.
    is_off: bool,
}

/// The shape of a launch, as far as it is needed to note accesses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CheckedShape {
    pub(crate) subgroup_size: u32,
    pub(crate) items_per_group: usize,
    pub(crate) local_bytes: u32,
}

impl Checker {
    pub(crate) fn new(
        launch: Arc<LaunchCheck>,
        notes: Arc<[Note]>,
        syncs: Arc<Syncs>,
        shape: CheckedShape,
    ) -> Self {
        let CheckedShape { subgroup_size, items_per_group, local_bytes } = shape;
        Self {
            launch,
            found: notes.iter().map(|_| None).collect(),
            notes,
            syncs,
            subgroup_size: subgroup_size as usize,
            items_per_group,
            checks: checks(),
            local: Shadow::new(local_bytes.into()),
            local_written: Written::new(local_bytes.into()),
            local_bytes: local_bytes.into(),
            group: Segment::default(),
            subgroups: vec![OfSubgroup::default(); items_per_group.div_ceil(subgroup_size as usize)],
            current: 0,
            copies: Vec::new(),
            is_off: false,
        }
    }

    /// What the instruction with a number does.
    pub(crate) fn note(&self, number: u32) -> Note {
        self.notes[number as usize]
    }

    /// Begins a group, by its number in the launch.
    pub(crate) fn start_group(&mut self, group: u64) {
        self.group = Segment { group, ..Segment::default() };
        self.subgroups.fill(OfSubgroup::default());
        self.copies.clear();
        if self.checks.races {
            self.local.forget(self.local_bytes);
        }
        if self.checks.memory {
            self.local_written.clear(0, self.local_bytes);
        }
    }

    /// Goes on with a subgroup, which has not been executed since the last barrier of the group.
    pub(crate) fn enter(&mut self, subgroup: usize) {
        self.current = subgroup;
        self.renew();
    }

    /// All subgroups have come to the barrier at a site.
    pub(crate) fn meet(&mut self, Site(site): Site) {
        match self.syncs.at(site) {
            Some(Sync::Barrier(fence)) => {
                self.group.barriers += 1;
                for class in 0..CLASSES {
                    self.group.orders[class].phase += u32::from(fence.all[class]);
                    for subgroup in &mut self.subgroups {
                        subgroup.steps[class] += u32::from(fence.subgroup[class]);
                    }
                }
            }
            Some(Sync::Wait) => self.group.waits += 1,
            Some(Sync::Copy) | None => {}
        }
    }

    /// The current subgroup comes to a barrier of its own, or to the begin of a copy.
    pub(crate) fn sync(&mut self, Site(site): Site) {
        match self.syncs.at(site) {
            Some(Sync::Barrier(fence)) => {
                for class in 0..CLASSES {
                    self.subgroups[self.current].steps[class] += u32::from(fence.subgroup[class]);
                }
                self.renew();
            }
            Some(Sync::Copy) => self.begin_copy(),
            Some(Sync::Wait) | None => {}
        }
    }

    /// Gives the current subgroup a segment.
    fn renew(&mut self) {
        let mut segment = Segment { subgroup: self.current as u32, ..self.group };
        let subgroup = &mut self.subgroups[self.current];
        for (order, step) in segment.orders.iter_mut().zip(subgroup.steps) {
            order.step = step;
        }
        match self.launch.segments.push(segment) {
            Some(number) => (subgroup.segment, subgroup.number) = (segment, number),
            None => self.is_off = true,
        }
    }

    fn begin_copy(&mut self) {
        let begun = &mut self.subgroups[self.current].copies;
        *begun += 1;
        if *begun > self.copies.len() {
            let segment = Segment { subgroup: COPIES, ..self.group };
            match self.launch.segments.push(segment) {
                Some(number) => self.copies.push((number, segment)),
                None => self.is_off = true,
            }
        }
    }

    /// Notes accesses of local memory; the lane whose access is wrong, and how.
    pub(crate) fn access_local(&mut self, accesses: &Accesses<'_>, local: Span) -> Option<(u32, FaultKind)> {
        let shadow = self.checks.races.then_some(&self.local);
        let written = self.checks.memory.then_some(&self.local_written);
        // What is outside is the fault of who accesses it.
        let (_, wrong) = self.access_in(accesses, accesses.mask, local, (shadow, written), Class::Local);
        self.report(accesses, wrong?, Class::Local, |offset| Place::Local { offset })
    }

    /// Notes accesses of global memory; `find` has the allocation at an address. The lane whose access is wrong, and how.
    ///
    /// What is in no allocation is left out: it is the fault of who accesses it.
    pub(crate) fn access_global<'m>(
        &mut self,
        accesses: &Accesses<'_>,
        mut find: impl FnMut(u64) -> Option<&'m Allocation>,
        class: Class,
    ) -> Option<(u32, FaultKind)> {
        let note = accesses.note as usize;
        let mut left = accesses.mask;
        while left != 0 {
            let address = accesses.addresses[left.trailing_zeros() as usize];
            let known = self.found[note].take().filter(|known| known.span.contains(address, accesses.size));
            let known = known.or_else(|| {
                let known = self.known(find(address)?, class);
                known.span.contains(address, accesses.size).then_some(known)
            });
            let Some(known) = known else {
                left &= left - 1;
                continue;
            };
            let noted = (known.shadow.as_deref(), known.written.as_deref());
            let (outside, wrong) = self.access_in(accesses, left, known.span, noted, class);
            if let Some(wrong) = wrong {
                let (Span { start, length: size }, is_image) = (known.span, known.is_image);
                let place = |offset| Place::Allocation { start, size, offset, is_image };
                return self.report(accesses, wrong, class, place);
            }
            self.found[note] = Some(known);
            left = outside;
        }
        None
    }

    fn known(&self, allocation: &Allocation, class: Class) -> Known {
        let span = allocation.span();
        Known {
            span,
            shadow: self.checks.races.then(|| self.launch.shadow(allocation.id, span.length)),
            written: allocation.written.clone(),
            is_image: class == Class::Image,
        }
    }

    /// Notes the accesses of those lanes that are in one piece of memory; the others, and the lane whose access is wrong.
    #[inline(always)]
    fn access_in(
        &self,
        accesses: &Accesses<'_>,
        mask: u16,
        span: Span,
        (shadow, written): (Option<&Shadow>, Option<&Written>),
        class: Class,
    ) -> (u16, Option<Wrong>) {
        if self.is_off {
            return (0, None);
        }
        let &Accesses { kind, addresses, size, .. } = accesses;
        let (mut left, mut outside, mut held) = (mask, 0, None);
        if kind == AccessKind::Read && is_one(addresses, mask) {
            // Two readers of a subgroup stand for all.
            let first = mask & mask.wrapping_neg();
            let rest = mask ^ first;
            left = first | rest & rest.wrapping_neg();
        }
        let followers = accesses.followers();
        while left != 0 {
            let first_lane = left.trailing_zeros();
            let address = addresses[first_lane as usize];
            let lanes = 1 + (u32::from(followers & left) >> (first_lane + 1)).trailing_ones();
            let lanes = if span.contains(address, size * u64::from(lanes)) { lanes } else { 1 };
            left &= !(((1_u32 << lanes) - 1) << first_lane) as u16;
            if !span.contains(address, size) {
                outside |= 1 << first_lane;
                continue;
            }
            let row = Row { first_lane, lanes, offset: address - span.start };
            if let Some(shadow) = shadow
                && let Some(wrong) = self.race_in(accesses, row, (shadow, class), &mut held)
            {
                return (0, Some(wrong));
            }
            if let Some(written) = written.filter(|_| !accesses.is_copy)
                && let Some(wrong) = note_written(accesses, row, written)
            {
                return (0, Some(wrong));
            }
        }
        (outside, None)
    }

    /// Notes the accesses of a row; the first race, if there is one.
    #[inline(always)]
    fn race_in<'s>(
        &self,
        accesses: &Accesses<'_>,
        row: Row,
        (shadow, class): (&'s Shadow, Class),
        held: &mut Option<Held<'s>>,
    ) -> Option<Wrong> {
        let &Accesses { note, kind, by_group, size, .. } = accesses;
        let (number, segment) = self.segment(by_group);
        let mut done = 0;
        while done < row.lanes {
            let lane = row.first_lane + done;
            let offset = row.offset + u64::from(done) * size;
            let lane_of_subgroup = if by_group { 0 } else { accesses.first_lane + lane };
            let record = Record::new(number, lane_of_subgroup, note);
            let (record, lanes) = match accesses.lanes_of_word(offset, row.lanes - done) {
                Some(lanes) => (record.striped(size), lanes),
                None => (record, 1),
            };
            let now = Now { record, segment, class, segments: &self.launch.segments };
            if let Some(found) = shadow.access(held, (offset, size * u64::from(lanes)), kind, &now) {
                return Some(Wrong { lane, what: What::Race(found) });
            }
            done += lanes;
        }
        None
    }

    /// Notes that bytes have been copied by a lane, which are then as they were where they come from.
    pub(crate) fn copied(&self, to: Copied<'_>, from: Copied<'_>, size: u64) {
        let written = |of: Copied<'_>| match of {
            Copied::Local(offset) => (None, offset),
            Copied::Global(allocation, offset) => {
                (allocation.and_then(|found| found.written.clone()), offset)
            }
        };
        let local = |of: &Copied<'_>| matches!(of, Copied::Local(_)).then_some(&self.local_written);
        let (to_local, from_local) = (local(&to), local(&from));
        let ((to, to_offset), (from, from_offset)) = (written(to), written(from));
        let Some(to) = to_local.or(to.as_deref()) else { return };
        to.copy(to_offset, from_local.or(from.as_deref()).map(|from| (from, from_offset)), size);
    }

    /// Whether it is watched which bytes are written.
    pub(crate) fn watches_memory(&self) -> bool {
        self.checks.memory
    }

    /// Whose accesses they are.
    fn segment(&self, by_group: bool) -> (u32, &Segment) {
        let subgroup = &self.subgroups[self.current];
        // A group of one work-item copies what that has written.
        if by_group
            && self.items_per_group > 1
            && let Some((number, segment)) =
                subgroup.copies.checked_sub(1).and_then(|copy| self.copies.get(copy))
        {
            return (*number, segment);
        }
        (subgroup.number, &subgroup.segment)
    }

    /// Notes what was found wrong; the lane and the kind of the fault.
    fn report(
        &self,
        accesses: &Accesses<'_>,
        Wrong { lane, what }: Wrong,
        class: Class,
        place: impl Fn(u64) -> Place,
    ) -> Option<(u32, FaultKind)> {
        let (_, segment) = self.segment(accesses.by_group);
        let later = Record::new(0, accesses.first_lane + lane, accesses.note);
        let later = Accessed { kind: accesses.kind, ..self.accessed(later, segment) };
        let size = accesses.size;
        let (finding, kind) = match what {
            What::Race(Found { earlier, byte }) => {
                let segment = self.launch.segments.get(earlier.segment());
                let earlier = self.accessed(earlier, &segment);
                (Finding::Race(Race { class, place: place(byte), size, earlier, later }), FaultKind::Race)
            }
            What::Unwritten(byte) => (
                Finding::Unwritten(Unwritten { place: place(byte), size, access: later }),
                FaultKind::Unwritten,
            ),
        };
        self.launch.note(finding);
        Some((lane, kind))
    }

    fn accessed(&self, record: Record, segment: &Segment) -> Accessed {
        let Note { site, action } = self.note(record.note());
        let is_copy = segment.subgroup == COPIES;
        let item = segment.subgroup as usize * self.subgroup_size + record.lane() as usize;
        Accessed {
            kind: action.kind(),
            site,
            group: segment.group,
            item: (!is_copy).then_some(item),
            barriers: segment.barriers,
        }
    }
}

/// Where bytes are that are copied: at an offset of local memory or of an allocation, or in what is no allocation.
#[derive(Clone, Copy)]
pub(crate) enum Copied<'a> {
    Local(u64),
    Global(Option<&'a Allocation>, u64),
}

/// Notes which bytes a row writes; the first lane that reads what nobody has written, if there is one.
#[inline(always)]
fn note_written(accesses: &Accesses<'_>, row: Row, written: &Written) -> Option<Wrong> {
    let &Accesses { kind, size, .. } = accesses;
    let Row { first_lane, lanes, offset } = row;
    let all = size * u64::from(lanes);
    if kind.reads()
        && let Some(byte) = written.first_unwritten(offset, all)
        && (!kind.is_atomic() || written.is_unwritten(offset, all))
    {
        // A lane of many has bytes of a fixed number; one by itself may copy any number.
        let lane = if lanes > 1 { first_lane + ((byte - offset) / size) as u32 } else { first_lane };
        return Some(Wrong { lane, what: What::Unwritten(byte) });
    }
    if kind.writes() {
        written.mark(offset, all);
    }
    None
}

/// Whether all lanes have one address.
fn is_one(addresses: &[u64; LANES], mask: u16) -> bool {
    let mut differ = 0;
    let first = addresses[mask.trailing_zeros() as usize % LANES];
    for (lane, &address) in addresses.iter().enumerate() {
        differ |= (address ^ first) & 0_u64.wrapping_sub(u64::from(mask >> lane & 1));
    }
    differ == 0
}

impl NoteAction {
    /// What an instruction does to memory. A copy has two numbers, one for what it reads and one for what it writes.
    fn kind(self) -> AccessKind {
        use crate::program::ImageAction;
        match self {
            Self::Access { kind, .. } => kind,
            Self::Image(op) => match op.action {
                ImageAction::Write | ImageAction::WriteBytes(_) => AccessKind::Write,
                _ => AccessKind::Read,
            },
            Self::CopyTo(_) => AccessKind::Write,
            Self::CopyFrom(_) | Self::Sync => AccessKind::Read,
        }
    }
}
