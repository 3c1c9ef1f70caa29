//! Segments: what a subgroup does between two barriers.

use std::cell::UnsafeCell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The kinds of memory that barriers order each by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Local,
    Global,
    Image,
}

/// How many there are.
pub(super) const CLASSES: usize = 3;

/// How far a kind of memory has been ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Order {
    /// How many barriers of the group there were.
    pub(super) phase: u32,
    /// How many of the subgroup.
    pub(super) step: u32,
}

/// The subgroup that stands for the asynchronous copies of a group.
pub(super) const COPIES: u32 = u32::MAX;

/// What a subgroup does between two barriers, or a copy that a group has begun.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Segment {
    /// The number of the work-group in the launch.
    pub(super) group: u64,
    /// The number of the subgroup in its group, or [`COPIES`].
    pub(super) subgroup: u32,
    /// How often the group has waited for copies.
    pub(super) waits: u32,
    /// How many barriers of the group there were, whatever they order.
    pub(super) barriers: u32,
    /// How far each class of memory has been ordered.
    pub(super) orders: [Order; CLASSES],
}

/// How an access stands to a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// It happens before, or is of the same work-item.
    Before,
    /// Nothing orders the two.
    Concurrent,
}

impl Segment {
    /// How an access of this segment stands to one of `later`, which is another segment that was begun or goes on after it; `same_lane` says whether
    /// both are of the same lane of their subgroups.
    pub(super) fn relation(&self, later: &Self, class: Class, same_lane: bool) -> Relation {
        let (order, later_order) = (self.orders[class as usize], later.orders[class as usize]);
        let is_before = self.group == later.group
            && if self.subgroup == COPIES {
                self.waits < later.waits
            } else {
                order.phase < later_order.phase
                    || self.subgroup == later.subgroup && (order.step < later_order.step || same_lane)
            };
        if is_before { Relation::Before } else { Relation::Concurrent }
    }
}

/// How many segments the first chunk has; each other one has twice as many as the one before.
const FIRST_CHUNK: u32 = 1024;
const CHUNKS: usize = 21;

/// The segments of a launch, which all threads that execute it add to; their numbers count from 1.
///
/// A segment never changes once it is there, and its number gets to other threads only by histories, behind the locks of those.
#[derive(Debug)]
pub(super) struct Segments {
    chunks: [OnceLock<Box<[Slot]>>; CHUNKS],
    next: AtomicU32,
}

#[derive(Debug, Default)]
struct Slot(UnsafeCell<Segment>);

// SAFETY: a slot is written by the one thread that got its number, before any other knows of it; see `Segments`.
unsafe impl Sync for Slot {}

impl Default for Segments {
    fn default() -> Self {
        Self { chunks: [const { OnceLock::new() }; CHUNKS], next: AtomicU32::new(0) }
    }
}

/// The chunk of a number that counts from 0, and the place in it.
fn place(index: u32) -> (usize, usize) {
    let chunk = (index / FIRST_CHUNK + 1).ilog2();
    let start = FIRST_CHUNK * ((1 << chunk) - 1);
    (chunk as usize, (index - start) as usize)
}

impl Segments {
    /// Adds a segment; none if there are more than can be told apart.
    pub(super) fn push(&self, segment: Segment) -> Option<u32> {
        let mut index = self.next.load(Ordering::Relaxed);
        loop {
            if place(index).0 >= CHUNKS {
                return None;
            }
            match self.next.compare_exchange_weak(index, index + 1, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => break,
                Err(now) => index = now,
            }
        }
        let (chunk, place) = place(index);
        let slots = self.chunks[chunk].get_or_init(|| {
            std::iter::repeat_with(Slot::default).take((FIRST_CHUNK as usize) << chunk).collect()
        });
        // SAFETY: nobody else has this number, and nobody knows it yet.
        unsafe { *slots[place].0.get() = segment };
        Some(index + 1)
    }

    /// The segment with a number that `push` has returned.
    pub(super) fn get(&self, number: u32) -> Segment {
        let (chunk, place) = place(number.wrapping_sub(1));
        match self.chunks.get(chunk).and_then(OnceLock::get) {
            // SAFETY: it was written before the number was passed on, and does not change any more.
            Some(slots) => unsafe { *slots[place].0.get() },
            None => Segment::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_found_by_their_numbers() {
        let segments = Segments::default();
        let threads = 4;
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let segments = &segments;
                scope.spawn(move || {
                    for k in 0..5000 {
                        let segment = Segment { group: k * threads + thread, ..Segment::default() };
                        let number = segments.push(segment).unwrap();
                        assert!(number > 0);
                        assert_eq!(segments.get(number), segment);
                    }
                });
            }
        });
        let mut groups: Vec<u64> =
            (1..=5000 * threads as u32).map(|number| segments.get(number).group).collect();
        groups.sort_unstable();
        assert!(groups.iter().copied().eq(0..5000 * threads));
    }

    #[test]
    fn chunks_follow_each_other() {
        let mut expected = (0, 0);
        for index in 0..100_000 {
            assert_eq!(place(index), expected);
            expected.1 += 1;
            if expected.1 == (FIRST_CHUNK as usize) << expected.0 {
                expected = (expected.0 + 1, 0);
            }
        }
        // The last number that there can be has a chunk of its own.
        assert!(place(u32::MAX).0 > CHUNKS);
    }
}
