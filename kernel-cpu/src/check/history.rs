//! Which accesses of a word of memory are remembered, and which of them race with another one.
//!
//! # Why so few are enough
//!
//! Say that no race has been found yet. Then all that was done to a byte before its last write happens before that write, so that whatever does not race with the write
//! does not race with it either: of writes the last one is enough, and nothing that is older. Of reads since then those can be forgotten that happen before
//! another read, since happening before is transitive. The others are not ordered with each other, and two of them stand for all: if they are of different groups, any
//! later write is of another group than one of them. Else they are all of one group, between the same two barriers; two of different subgroups
//! race with any write until the next barrier, and so do two work-items of one subgroup until its next barrier. Reads by copies of groups are remembered by
//! themselves, since no barrier ends them. For atomic accesses, which do not race with each other, the same holds as for reads.

use super::record::Record;
use super::segment::{COPIES, Class, Relation, Segment, Segments};

/// What is done to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AccessKind {
    /// A load, or a read of an image.
    Read,
    /// A store, or a write of an image.
    Write,
    /// An atomic load.
    AtomicRead,
    /// An atomic store.
    AtomicStore,
    /// Any other atomic operation.
    AtomicWrite,
}

impl AccessKind {
    /// Whether what is there matters.
    pub(super) fn reads(self) -> bool {
        !matches!(self, Self::Write | Self::AtomicStore)
    }

    /// Whether no other work-item sees half of it.
    pub(super) fn is_atomic(self) -> bool {
        !matches!(self, Self::Read | Self::Write)
    }

    /// Whether something else may be there afterwards.
    pub(super) fn writes(self) -> bool {
        !matches!(self, Self::Read | Self::AtomicRead)
    }
}

/// An access that happens now.
#[derive(Clone, Copy)]
pub(super) struct Now<'a> {
    pub(super) record: Record,
    /// Its segment.
    pub(super) segment: &'a Segment,
    pub(super) class: Class,
    pub(super) segments: &'a Segments,
}

impl Now<'_> {
    /// Whether it is part of a copy by a group.
    #[inline(always)]
    fn is_copy(&self) -> bool {
        self.segment.subgroup == COPIES
    }

    /// Whether nothing orders an access with this one; two of one work-item are always ordered.
    #[inline(always)]
    fn is_concurrent(&self, earlier: Record) -> bool {
        if earlier.segment() == self.record.segment() {
            return earlier.lane() != self.record.lane();
        }
        !earlier.is_none() && self.is_concurrent_segment(earlier)
    }

    #[inline(never)]
    fn is_concurrent_segment(&self, earlier: Record) -> bool {
        let same_lane = earlier.lane() == self.record.lane();
        self.segments.get(earlier.segment()).relation(self.segment, self.class, same_lane)
            == Relation::Concurrent
    }

    /// Whether an access is of the same group, and no barrier of the group stood in between.
    #[inline(always)]
    fn is_of_phase(&self, earlier: Record) -> bool {
        let segment = self.segments.get(earlier.segment());
        let phase = |segment: &Segment| segment.orders[self.class as usize].phase;
        segment.group == self.segment.group && phase(&segment) == phase(self.segment)
    }

    /// An access that stands beside this one, of which nothing orders it.
    fn beside(&self, other: Record) -> Record {
        let segment = self.segments.get(other.segment());
        let is_apart = segment.group == self.segment.group && segment.subgroup != self.segment.subgroup;
        other.with_apart(is_apart)
    }

    /// The first of some accesses that nothing orders with this one.
    #[inline(always)]
    fn race<const COUNT: usize>(&self, earlier: [Record; COUNT]) -> Option<Record> {
        earlier.into_iter().find(|&earlier| self.is_concurrent(earlier))
    }
}

/// Two accesses that stand for all of a kind.
type Two = [Record; 2];

/// Adds an access to those for which two stand.
#[inline(always)]
fn add(two: &mut Two, now: &Now<'_>) {
    let [first, second] = *two;
    if second.is_spread() || first.is_of_same(now.record) || second.is_of_same(now.record) {
        return;
    }
    if first.is_none() {
        two[0] = now.record;
        return;
    }
    let segment = now.record.segment();
    if first.segment() == segment {
        if second.is_none() {
            two[1] = now.record;
        }
        if second.is_none() || second.segment() == segment {
            return;
        }
    }
    // Two of different subgroups stand for all until the next barrier of the group.
    if second.is_apart() && now.is_of_phase(first) {
        return;
    }
    add_slowly(two, now);
}

#[inline(never)]
fn add_slowly(two: &mut Two, now: &Now<'_>) {
    let [first, second] = *two;
    let is_there = now.is_concurrent(second);
    if !now.is_concurrent(first) {
        // What happens before this one is not needed any more.
        let second = if is_there { now.beside(second) } else { Record::NONE };
        *two = [now.record, second];
        return;
    }
    let of_first = now.segments.get(first.segment());
    let is_apart = of_first.subgroup != now.segment.subgroup;
    if of_first.group != now.segment.group {
        two[1] = now.record.spread();
    } else if !is_there || is_apart && now.segments.get(second.segment()).subgroup == of_first.subgroup {
        two[1] = now.record.with_apart(is_apart);
    }
}

/// The bit of a word whose accesses are in [`Side::whole`], at the index in the higher half.
const WHOLE: u64 = 2;
/// The same for [`Side::bytes`].
const BYTES: u64 = 4;

/// All bytes of a word.
pub(super) const ALL_BYTES: u8 = 0b1111;

/// The accesses of a word of four bytes, or of one of them. Where some were atomic, by a copy of a group, or of some of the bytes of a word, they are elsewhere; but where all of
/// them were by lanes in a row, of which each had a part of the word, they are here: what holds of the first part holds of the others, each by the lane that is as much further on.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct Cell {
    write: Record,
    reads: Two,
}

/// The accesses of bytes that were all accessed together.
#[derive(Clone, Copy, Debug, Default)]
struct Full {
    plain: Cell,
    /// The reads of copies.
    copies: Two,
    loads: Two,
    updates: Two,
}

/// The accesses of those words for which a [`Cell`] is too small.
#[derive(Debug, Default)]
pub(super) struct Side {
    whole: Vec<Full>,
    bytes: Vec<[Cell; 4]>,
}

impl Side {
    pub(super) fn clear(&mut self) {
        self.whole.clear();
        self.bytes.clear();
    }
}

impl Cell {
    /// Notes an access of some bytes of the word; returns one that it races with, if there is one, and the first byte that both have.
    #[inline(always)]
    pub(super) fn access(
        &mut self,
        side: &mut Side,
        bytes: u8,
        kind: AccessKind,
        now: &Now<'_>,
    ) -> Option<(Record, u32)> {
        if bytes == ALL_BYTES && self.is_of_form(now.record) && !now.is_copy() {
            match kind {
                AccessKind::Read => return whole(self.read(now)),
                AccessKind::Write => return whole(self.write(now)),
                _ => {}
            }
        }
        self.access_elsewhere(side, bytes, kind, now)
    }

    /// Whether all accesses of the word are here, and are by lanes in a row as this one, if this one is.
    #[inline(always)]
    fn is_of_form(&self, record: Record) -> bool {
        let earlier = Record(self.write.0 | self.reads[0].0);
        earlier.is_none() || self.write.0 & (WHOLE | BYTES) == 0 && earlier.is_striped_as(record)
    }

    #[inline(always)]
    fn read(&mut self, now: &Now<'_>) -> Option<Record> {
        if now.is_concurrent(self.write) {
            return Some(self.write);
        }
        add(&mut self.reads, now);
        None
    }

    #[inline(always)]
    fn write(&mut self, now: &Now<'_>) -> Option<Record> {
        let race = now.race([self.write, self.reads[0], self.reads[1]]);
        if race.is_none() {
            *self = Self { write: now.record, reads: [Record::NONE; 2] };
        }
        race
    }

    #[inline(never)]
    fn access_elsewhere(
        &mut self,
        side: &mut Side,
        bytes: u8,
        kind: AccessKind,
        now: &Now<'_>,
    ) -> Option<(Record, u32)> {
        if self.write.0 & BYTES == 0 {
            if bytes == ALL_BYTES && self.is_whole() && !now.record.is_striped() {
                return whole(self.access_one(&mut side.whole, kind, now));
            }
            let cells = self.split(&mut side.whole)?;
            *self = Self::elsewhere(push(&mut side.bytes, cells)?, BYTES);
        }
        let cells = &mut side.bytes[self.write.segment() as usize];
        let (mut left, mut race) = (bytes & ALL_BYTES, None);
        while left != 0 {
            let byte = left.trailing_zeros();
            left &= left - 1;
            let now = Now { record: now.record.of_byte(byte), ..*now };
            let earlier = cells[byte as usize].access_one(&mut side.whole, kind, &now);
            race = race.or(earlier.map(|earlier| (earlier, byte)));
        }
        race
    }

    /// Notes an access of all that the cell is for.
    #[inline(always)]
    fn access_one(&mut self, all: &mut Vec<Full>, kind: AccessKind, now: &Now<'_>) -> Option<Record> {
        if self.write.0 & WHOLE == 0 {
            match kind {
                AccessKind::Read if !now.is_copy() => return self.read(now),
                AccessKind::Write if !now.is_copy() => return self.write(now),
                _ => {}
            }
        }
        self.access_full(all, kind, now)
    }

    #[inline(never)]
    fn access_full(&mut self, all: &mut Vec<Full>, kind: AccessKind, now: &Now<'_>) -> Option<Record> {
        if self.write.0 & WHOLE == 0 {
            let full = Full { plain: *self, ..Full::default() };
            *self = Self::elsewhere(push(all, full)?, WHOLE);
        }
        all[self.write.segment() as usize].access(kind, now)
    }

    /// Whether no access is by lanes in a row.
    fn is_whole(&self) -> bool {
        self.write.0 & WHOLE != 0 || !(self.write.is_striped() || self.reads[0].is_striped())
    }

    /// The same for each byte.
    fn split(&self, all: &mut Vec<Full>) -> Option<[Self; 4]> {
        if self.write.0 & WHOLE == 0 {
            return Some([0, 1, 2, 3].map(|byte| Self {
                write: self.write.of_byte(byte),
                reads: self.reads.map(|read| read.of_byte(byte)),
            }));
        }
        let full = all[self.write.segment() as usize];
        let mut cells = [*self; 4];
        for cell in &mut cells[1..] {
            *cell = Self::elsewhere(push(all, full)?, WHOLE);
        }
        Some(cells)
    }

    /// One whose accesses are at an index of the vector that a bit stands for.
    fn elsewhere(index: u64, bit: u64) -> Self {
        Self { write: Record(index << 32 | bit), reads: [Record::NONE; 2] }
    }
}

/// Appends an element; returns its index. Where there is no memory for it, none: then races of this word go unnoticed.
fn push<T>(to: &mut Vec<T>, element: T) -> Option<u64> {
    to.try_reserve(1).ok()?;
    to.push(element);
    Some(to.len() as u64 - 1)
}

/// What races with an access of all bytes.
#[inline(always)]
fn whole(earlier: Option<Record>) -> Option<(Record, u32)> {
    earlier.map(|earlier| (earlier, 0))
}

impl Full {
    fn access(&mut self, kind: AccessKind, now: &Now<'_>) -> Option<Record> {
        let Self { plain: Cell { write, reads }, copies, loads, updates } = *self;
        match kind {
            AccessKind::Read => {
                let race = now.race([write, updates[0], updates[1]]);
                add(if now.is_copy() { &mut self.copies } else { &mut self.plain.reads }, now);
                race
            }
            AccessKind::Write => {
                let others = [reads, copies, loads, updates].into_iter().find_map(|two| now.race(two));
                let plain = Cell { write: now.record, reads: [Record::NONE; 2] };
                *self = Self { plain, ..Self::default() };
                now.race([write]).or(others)
            }
            AccessKind::AtomicRead => {
                add(&mut self.loads, now);
                now.race([write])
            }
            AccessKind::AtomicStore | AccessKind::AtomicWrite => {
                add(&mut self.updates, now);
                now.race([write, reads[0], reads[1]]).or(now.race(copies))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::segment::Order;
    use super::*;

    /// An access of a trace.
    #[derive(Clone, Copy, Debug)]
    struct Access {
        number: u32,
        segment: Segment,
        lane: u32,
        bytes: u8,
        kind: AccessKind,
        step: u32,
    }

    /// Whether two accesses race by their definition, the first of which comes earlier in the trace.
    fn races(first: &Access, second: &Access) -> bool {
        use AccessKind as K;
        let atomic = |access: &Access| matches!(access.kind, K::AtomicRead | K::AtomicWrite);
        let reads = |access: &Access| matches!(access.kind, K::Read | K::AtomicRead);
        let is_conflict = first.bytes & second.bytes != 0
            && !(atomic(first) && atomic(second))
            && !(reads(first) && reads(second));
        let same_lane = first.lane == second.lane;
        let is_ordered = if first.number == second.number {
            same_lane
        } else {
            first.segment.relation(&second.segment, Class::Global, same_lane) == Relation::Before
        };
        is_conflict && !is_ordered
    }

    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % bound
        }
    }

    /// A trace of some groups, each of which goes from barrier to barrier.
    struct Trace<'a> {
        segments: &'a Segments,
        /// The segment of each subgroup of each group, and that of its copies.
        current: Vec<[(u32, Segment); 4]>,
    }

    impl<'a> Trace<'a> {
        fn new(segments: &'a Segments, groups: u64) -> Self {
            let of = |group, subgroup| {
                let segment = Segment { group, subgroup, ..Segment::default() };
                (segments.push(segment).unwrap(), segment)
            };
            let current = (0..groups)
                .map(|group| [of(group, 0), of(group, 1), of(group, 2), of(group, COPIES)])
                .collect();
            Self { segments, current }
        }

        fn change(&mut self, group: usize, which: usize, change: impl Fn(&mut Segment)) {
            let (number, segment) = &mut self.current[group][which];
            change(segment);
            *number = self.segments.push(*segment).unwrap();
        }

        /// Has a group come to a barrier, a barrier of a subgroup, or a wait for its copies, if the number says so.
        fn maybe_order(&mut self, group: usize, what: u64) {
            let order = |change: fn(&mut Order)| {
                move |segment: &mut Segment| change(&mut segment.orders[Class::Global as usize])
            };
            match what {
                0 => (0..4).for_each(|which| {
                    self.change(group, which, order(|order| order.phase += 1));
                }),
                1..=3 => self.change(group, what as usize - 1, order(|order| order.step += 1)),
                4 => (0..4).for_each(|which| self.change(group, which, |segment| segment.waits += 1)),
                // One that orders other memory.
                5 => (0..4).for_each(|which| self.change(group, which, |segment| segment.barriers += 1)),
                _ => {}
            }
        }
    }

    /// In any order of the groups, an access is found to race exactly if it races with one before it.
    #[test]
    fn the_first_race_of_any_trace_is_found_and_nothing_else() {
        use AccessKind as K;
        let (mut found, mut silent) = (0, 0);
        for seed in 0..20_000 {
            let mut random = Random(seed);
            let segments = Segments::default();
            let groups = 1 + random.below(3);
            let mut trace = Trace::new(&segments, groups);
            let kinds: &[K] = match random.below(4) {
                0 => &[K::Read, K::Read, K::Read, K::Write],
                1 => &[K::AtomicRead, K::AtomicWrite, K::AtomicWrite, K::Read],
                2 => &[K::AtomicRead, K::AtomicWrite, K::Read, K::Write],
                _ => &[K::Read, K::Read, K::Read, K::Read, K::Read, K::AtomicWrite],
            };
            let (lanes, masks) = (1 + random.below(3), [1, 16][random.below(2) as usize]);
            let (mut cell, mut side, mut earlier) = (Cell::default(), Side::default(), Vec::new());
            for step in 0..40 {
                let group = random.below(groups) as usize;
                let what = random.below(14);
                trace.maybe_order(group, what);
                let which = [0, 1, 2, 0, 1, 2, 3][random.below(7) as usize];
                let (number, segment) = trace.current[group][which];
                let lane = if which == 3 { 0 } else { random.below(lanes) as u32 };
                let bytes = if masks == 1 { ALL_BYTES } else { 1 + random.below(15) as u8 };
                let kind = kinds[random.below(kinds.len() as u64) as usize];
                let kind = match kind {
                    K::AtomicRead if which == 3 => K::Read,
                    K::AtomicWrite if which == 3 => K::Write,
                    kind => kind,
                };
                let record = Record::new(number, lane, step);
                // Lanes in a row that have the word together are as many accesses at once.
                let part = [4, 1, 2][random.below(3) as usize];
                let is_striped =
                    part < 4 && bytes == ALL_BYTES && which < 3 && matches!(kind, K::Read | K::Write);
                let part = if is_striped { part } else { 4 };
                let record = if is_striped { record.striped(u64::from(part)) } else { record };
                let all: Vec<Access> = (0..4 / part)
                    .map(|k| {
                        let bytes = bytes & (ALL_BYTES >> (4 - part)) << (k * part);
                        Access { number, segment, lane: lane + k, bytes, kind, step }
                    })
                    .collect();
                let now = Now { record, segment: &segment, class: Class::Global, segments: &segments };
                let race = cell.access(&mut side, bytes, kind, &now);
                let pairs = || all.iter().flat_map(|access| earlier.iter().map(move |first| (first, access)));
                let expected = pairs().any(|(first, access)| races(first, access));
                assert_eq!(race.is_some(), expected, "seed {seed}: {all:?} after {earlier:#?}");
                if let Some((race, byte)) = race {
                    let mut found_pairs = pairs().filter(|(first, access)| {
                        first.step == race.note() && (first.bytes & access.bytes) >> byte & 1 == 1
                    });
                    let (first, access) = found_pairs.next().expect("the two have the byte");
                    assert_eq!(first.lane, race.lane(), "seed {seed}: byte {byte} of {first:?}");
                    assert!(races(first, access), "seed {seed}: {first:?} and {access:?}");
                    found += 1;
                    break;
                }
                silent += 1;
                earlier.extend(all);
            }
        }
        assert!(found > 5000 && silent > 20_000, "{found} {silent}");
    }
}
