//! One piece of memory.

use super::Span;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
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
    layout: Layout,
    /// The size that was asked for.
    size: usize,
    pub(crate) usage: Usage,
    /// Whether the host has made it resident, so that every kernel may access it.
    resident: AtomicBool,
    /// A number that no other allocation of the process has.
    pub(crate) id: u64,
}

// SAFETY: the memory is plain bytes that any thread may access; what races on them is the kernels' own doing.
unsafe impl Send for Allocation {}
// SAFETY: as above.
unsafe impl Sync for Allocation {}

impl Allocation {
    /// Zeroed memory; `None` if there is none, or the size or alignment is impossible.
    pub(crate) fn new(size: usize, align: usize, usage: Usage) -> Option<Self> {
        static NEXT_ID: AtomicU64 = AtomicU64::new(1);
        let layout = Layout::from_size_align(size.max(1), align).ok()?;
        // SAFETY: the size of the layout is not zero.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        Some(Self { start, layout, size, usage, resident: AtomicBool::new(false), id })
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
        unsafe { dealloc(self.start.as_ptr(), self.layout) }
    }
}
