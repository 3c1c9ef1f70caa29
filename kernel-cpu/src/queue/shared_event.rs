//! The states of events that several processes share.
//!
//! Each event has a slot in a file that all of them map. What other processes write there is hostile: a slot is only ever a state, a flag and two times, whatever is in it.

use super::event::Timestamps;
use crate::memory::Allocation;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The events of a pool.
#[derive(Debug)]
pub(crate) struct SharedEvents(Allocation);

/// The state of an event in memory that processes share.
#[repr(C)]
struct Slot {
    /// Not zero once it is signalled.
    signalled: AtomicU32,
    /// Not zero if what signalled it has failed.
    failed: AtomicU32,
    start: AtomicU64,
    end: AtomicU64,
}

/// How many bytes of the file an event has.
const STRIDE: usize = 64;
const _: () = assert!(size_of::<Slot>() <= STRIDE && STRIDE.is_multiple_of(align_of::<Slot>()));

impl SharedEvents {
    /// How many bytes so many events take.
    pub(crate) fn bytes(count: u32) -> Option<usize> {
        (count as usize).checked_mul(STRIDE)
    }

    /// Those in memory that is large enough.
    pub(crate) fn new(memory: Allocation) -> Self {
        Self(memory)
    }

    /// The memory that they are in.
    pub(crate) fn memory(&self) -> &Allocation {
        &self.0
    }
}

/// One of the events of a pool.
#[derive(Clone, Debug)]
pub(crate) struct SharedEvent {
    pool: Arc<SharedEvents>,
    index: u32,
}

impl SharedEvent {
    /// The event with a number; none if the memory has no room for it.
    pub(crate) fn new(pool: &Arc<SharedEvents>, index: u32) -> Option<Self> {
        let end = SharedEvents::bytes(index.checked_add(1)?)?;
        let fits = end as u64 <= pool.0.span().length && pool.0.start().cast::<Slot>().is_aligned();
        fits.then(|| Self { pool: Arc::clone(pool), index })
    }

    fn slot(&self) -> &Slot {
        let slot = self.pool.0.start().wrapping_add(self.index as usize * STRIDE);
        // SAFETY: the slot is in the memory, which lives as long as the pool, is aligned, and all of its bits are those of atomics.
        unsafe { &*slot.cast() }
    }

    pub(super) fn signal(&self, timestamps: Timestamps, failed: bool) {
        let slot = self.slot();
        slot.start.store(timestamps.start, Ordering::Relaxed);
        slot.end.store(timestamps.end, Ordering::Relaxed);
        slot.failed.store(failed.into(), Ordering::Relaxed);
        slot.signalled.store(1, Ordering::Release);
    }

    pub(crate) fn reset(&self) {
        self.slot().signalled.store(0, Ordering::Release);
    }

    pub(super) fn timestamps(&self) -> Option<Timestamps> {
        let slot = self.slot();
        let load = |time: &AtomicU64| time.load(Ordering::Relaxed);
        self.is_signalled().then(|| Timestamps { start: load(&slot.start), end: load(&slot.end) })
    }

    pub(super) fn is_signalled(&self) -> bool {
        self.slot().signalled.load(Ordering::Acquire) != 0
    }

    /// Whether what has signalled it has failed.
    pub(super) fn failure(&self) -> Option<Arc<str>> {
        let failed = self.slot().failed.load(Ordering::Relaxed) != 0;
        failed.then(|| "what signals the event in another process has failed".into())
    }
}
