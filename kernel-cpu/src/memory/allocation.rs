//! One piece of memory.

use super::pages::prefer_large;
use super::{Span, Written};
use crate::check::checks;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What memory was allocated for, which is the Level Zero type of the allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Usage {
    Host,
    Device,
    Shared,
    /// The variables of a module; hidden from the host.
    Module,
}

/// Memory that lives as long as anything refers to it.
///
/// A launch holds on to the allocations that were live when it was enqueued, so that freeing one under a
/// running kernel is harmless: the memory goes when the launch does.
#[derive(Debug)]
pub(crate) struct Allocation {
    start: NonNull<u8>,
    /// What the system gave, which may start earlier.
    block: NonNull<u8>,
    layout: Layout,
    /// The size that was asked for.
    size: usize,
    pub(crate) usage: Usage,
    /// Whether the host has made it resident, so that every kernel may access it.
    resident: AtomicBool,
    /// A number that no other allocation of the process has.
    pub(crate) id: u64,
    /// Which bytes have been written, if that is checked, and if nobody else than the driver writes it: the host may write to what is its own too.
    pub(crate) written: Option<Arc<Written>>,
}

// SAFETY: the memory is plain bytes that any thread may access; what races on them is the kernels' own doing.
unsafe impl Send for Allocation {}
// SAFETY: as above.
unsafe impl Sync for Allocation {}

impl Allocation {
    /// Zeroed memory; `None` if there is none, or the size or alignment is impossible.
    pub(crate) fn new(size: usize, align: usize, usage: Usage) -> Option<Self> {
        static NEXT_ID: AtomicU64 = AtomicU64::new(1);
        let wanted = Layout::from_size_align(size.max(1), align).ok()?;
        // Memory with more than the usual alignment is zeroed by the thread that asks for it, which takes time and has all of its pages touched there, so
        // that room for aligning it is asked for instead.
        // Where memory is checked there is room around it too, so that what is a little outside is in no other allocation.
        let around = if checks().memory { AROUND.next_multiple_of(align) } else { 0 };
        let room = wanted.size().checked_add(align)?.checked_add(2 * around)?;
        let layout = Layout::from_size_align(room, USUAL_ALIGN).ok()?;
        // SAFETY: the size of the layout is not zero.
        let block = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        // SAFETY: these are the bytes of the block, of which nobody knows yet.
        prefer_large(unsafe { std::slice::from_raw_parts_mut(block.as_ptr().cast(), layout.size()) });
        let before_start = block.align_offset(align) + around;
        // SAFETY: what is left out is less than `align` bytes and what is around, so that both ends are in the block.
        let start = unsafe { block.add(before_start) };
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        let is_watched = checks().memory && usage == Usage::Device;
        let written = is_watched.then(|| Arc::new(Written::new(size as u64)));
        Some(Self { start, block, layout, size, usage, resident: AtomicBool::new(false), id, written })
    }

    pub(crate) fn is_resident(&self) -> bool {
        self.resident.load(Ordering::Relaxed)
    }

    pub(crate) fn set_resident(&self, resident: bool) {
        self.resident.store(resident, Ordering::Relaxed);
    }

    pub(crate) fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    pub(crate) fn span(&self) -> Span {
        Span { start: self.start.as_ptr() as u64, length: self.size as u64 }
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout, and nothing refers to it any more.
        unsafe { dealloc(self.block.as_ptr(), self.layout) }
    }
}

/// The bytes that are left free on both sides of memory that is checked.
const AROUND: usize = 1024;

/// The alignment that the system's allocator gives to everything.
const USUAL_ALIGN: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_aligned_as_asked_and_zeroed() {
        for size in [0, 1, 63, 64, 100_000, 10 << 20] {
            for align in [1, 4, 64, 4096, 1 << 21] {
                let memory = Allocation::new(size, align, Usage::Device).expect("there is memory");
                assert_eq!(memory.start().addr() % align, 0, "{size} bytes, aligned to {align}");
                // SAFETY: the memory has this size, and nobody else knows of it.
                let bytes = unsafe { std::slice::from_raw_parts_mut(memory.start(), size) };
                assert!(bytes.iter().all(|byte| *byte == 0));
                bytes.fill(1);
            }
        }
        assert!(Allocation::new(usize::MAX - 8, 64, Usage::Device).is_none());
        assert!(Allocation::new(64, 3, Usage::Device).is_none(), "alignments are powers of two");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn pages_come_when_they_are_used() {
        let resident = || -> usize {
            let pages = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
            pages.split(' ').nth(1).and_then(|pages| pages.parse().ok()).expect("the second number is it")
        };
        let before = resident();
        let memory = Allocation::new(256 << 20, 4096, Usage::Device).expect("there is memory");
        let pages = resident().saturating_sub(before);
        assert!(pages < 64 << 20 >> 12, "{pages} pages of {} bytes", memory.span().length);
    }
}
