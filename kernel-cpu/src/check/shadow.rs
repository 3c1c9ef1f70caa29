//! The histories of a piece of memory.

use super::history::{ALL_BYTES, AccessKind, Cell, Now, Side};
use super::record::Record;
use crate::memory::prefer_large;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::cell::UnsafeCell;
use std::ptr::NonNull;
use std::slice;
use std::sync::atomic::{AtomicBool, Ordering};

/// The bytes of a word, which has one history as long as it is accessed as a whole.
pub(super) const WORD: u64 = 4;

/// How many words in a row have one lock, as a power of two.
const ROW_SHIFT: u64 = 8;

/// How many locks there are.
const STRIPES: usize = 64;

/// A race with an earlier access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) earlier: Record,
    /// The offset of the first byte of which both are, in the memory.
    pub(super) byte: u64,
}

/// The histories of some bytes. Each row of words is behind one of the locks, so that all threads that execute a launch may note accesses.
#[derive(Debug)]
pub(super) struct Shadow {
    /// A cell for each word; none if there is no memory for that.
    cells: Option<NonNull<Cell>>,
    words: u64,
    stripes: Box<[Stripe]>,
}

/// A lock, and what those words need besides that it is for. It is held for some instructions only, so that waiting for it is spinning.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Stripe {
    is_taken: AtomicBool,
    side: UnsafeCell<Side>,
}

// SAFETY: cells and sides are accessed behind the locks of their stripes only.
unsafe impl Send for Shadow {}
// SAFETY: as above.
unsafe impl Sync for Shadow {}

/// A lock that is held.
pub(super) struct Held<'a> {
    shadow: &'a Shadow,
    stripe: usize,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.shadow.stripes[self.stripe].is_taken.store(false, Ordering::Release);
    }
}

impl Shadow {
    /// Of memory of this size that nobody has accessed.
    pub(super) fn new(bytes: u64) -> Self {
        let words = bytes.div_ceil(WORD).max(1);
        let cells = Self::layout(words).and_then(|layout| {
            // SAFETY: the size of the layout is not zero. A cell of zeros is one without accesses.
            let memory = NonNull::new(unsafe { alloc_zeroed(layout) })?;
            // SAFETY: there are so many bytes, and nobody else knows of them yet.
            prefer_large(unsafe { slice::from_raw_parts_mut(memory.as_ptr().cast(), layout.size()) });
            Some(memory.cast())
        });
        Self { cells, words, stripes: std::iter::repeat_with(Stripe::default).take(STRIPES).collect() }
    }

    fn layout(words: u64) -> Option<Layout> {
        Layout::array::<Cell>(usize::try_from(words).ok()?).ok()
    }

    /// Forgets all accesses of the first bytes, if nobody else can know of the memory.
    pub(super) fn forget(&mut self, bytes: u64) {
        let words = bytes.div_ceil(WORD).min(self.words);
        if let Some(cells) = self.cells {
            // SAFETY: there are so many cells, and a cell of zeros is one without accesses.
            unsafe { cells.as_ptr().write_bytes(0, words as usize) }
        }
        self.stripes.iter_mut().for_each(|stripe| stripe.side.get_mut().clear());
    }

    /// Notes an access of bytes from an offset on. Locks that are needed are taken; the one that was taken last is left in `held`, since the next access may
    /// well need it too.
    #[inline(always)]
    pub(super) fn access<'a>(
        &'a self,
        held: &mut Option<Held<'a>>,
        (offset, size): (u64, u64),
        kind: AccessKind,
        now: &Now<'_>,
    ) -> Option<Found> {
        if size == WORD && offset.is_multiple_of(WORD) {
            return self.access_word(held, offset / WORD, ALL_BYTES, kind, now);
        }
        self.access_words(held, (offset, size), kind, now)
    }

    fn access_words<'a>(
        &'a self,
        held: &mut Option<Held<'a>>,
        (offset, size): (u64, u64),
        kind: AccessKind,
        now: &Now<'_>,
    ) -> Option<Found> {
        let end = offset + size;
        for word in offset / WORD..end.div_ceil(WORD) {
            let first = offset.saturating_sub(word * WORD);
            let last = (end - word * WORD).min(WORD);
            let bytes = ALL_BYTES >> (WORD - last) & ALL_BYTES << first;
            if let Some(found) = self.access_word(held, word, bytes, kind, now) {
                return Some(found);
            }
        }
        None
    }

    #[inline(always)]
    fn access_word<'a>(
        &'a self,
        held: &mut Option<Held<'a>>,
        word: u64,
        bytes: u8,
        kind: AccessKind,
        now: &Now<'_>,
    ) -> Option<Found> {
        let cells = self.cells.filter(|_| word < self.words)?;
        let stripe = (word >> ROW_SHIFT) as usize % STRIPES;
        if held.as_ref().is_none_or(|held| held.stripe != stripe || !std::ptr::eq(held.shadow, self)) {
            // The other one is given back first, so that nobody who waits holds one.
            *held = None;
            *held = Some(self.hold(stripe));
        }
        // SAFETY: the cell is one of the words, and its lock is held.
        let (cell, side) =
            unsafe { (&mut *cells.as_ptr().add(word as usize), &mut *self.stripes[stripe].side.get()) };
        let (earlier, byte) = cell.access(side, bytes, kind, now)?;
        Some(Found { earlier, byte: word * WORD + u64::from(byte) })
    }

    fn hold(&self, stripe: usize) -> Held<'_> {
        let is_taken = &self.stripes[stripe].is_taken;
        while is_taken.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            std::hint::spin_loop();
        }
        Held { shadow: self, stripe }
    }
}

impl Drop for Shadow {
    fn drop(&mut self) {
        if let (Some(cells), Some(layout)) = (self.cells, Self::layout(self.words)) {
            // SAFETY: they were allocated with this layout.
            unsafe { dealloc(cells.as_ptr().cast(), layout) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::segment::{Class, Segment, Segments};
    use super::*;

    /// Two work-items of different groups access bytes, the second one writing; the first byte of the race.
    fn race(first: (u64, u64), second: (u64, u64)) -> Option<u64> {
        let (segments, shadow) = (Segments::default(), Shadow::new(64));
        let mut held = None;
        let mut access = |group, range, kind| {
            let segment = Segment { group, ..Segment::default() };
            let record = Record::new(segments.push(segment).unwrap(), 0, group as u32);
            let now = Now { record, segment: &segment, class: Class::Global, segments: &segments };
            shadow.access(&mut held, range, kind, &now)
        };
        assert_eq!(access(0, first, AccessKind::Read), None);
        access(1, second, AccessKind::Write).map(|found| {
            assert_eq!(found.earlier.note(), 0);
            found.byte
        })
    }

    #[test]
    fn accesses_race_if_they_share_a_byte() {
        for size in [1, 2, 3, 4, 8, 11, 16] {
            for other in [1, 2, 4, 8] {
                for (start, at) in (0..24).flat_map(|start| (0..40).map(move |at| (start, at))) {
                    let common = start.max(at)..(start + size).min(at + other);
                    let expected = (!common.is_empty()).then_some(common.start);
                    assert_eq!(race((start, size), (at, other)), expected, "{start} {size} {at} {other}");
                }
            }
        }
    }

    #[test]
    fn what_is_outside_is_left_out() {
        let (segments, shadow) = (Segments::default(), Shadow::new(6));
        let segment = Segment::default();
        let record = Record::new(segments.push(segment).unwrap(), 0, 0);
        let now = Now { record, segment: &segment, class: Class::Global, segments: &segments };
        for offset in [0, 4, 6, 100, u64::MAX - 8] {
            assert_eq!(shadow.access(&mut None, (offset, 4), AccessKind::Write, &now), None);
        }
    }
}
