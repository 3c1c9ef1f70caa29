//! One piece of memory.

use super::budget::Taken;
use super::exchange::{Held, alone};
use super::pages::prefer_large;
use super::physical::SharedFile;
use super::reservation::Mapped;
use super::{Span, Written, system};
use crate::check::checks;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// What memory was allocated for, which is the Level Zero type of the allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Usage {
    Host,
    Device,
    Shared,
    /// The variables of a module; hidden from the host.
    Module,
}

/// How memory has come about, which says what ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It was allocated, or imported as if it had been.
    Allocated,
    /// It is that of another process, whose handle was opened.
    Opened,
    /// It is physical memory that was mapped.
    Mapped,
    /// The driver has counters of events there.
    Counters,
}

/// What bytes are in the system.
#[derive(Debug)]
enum Backing {
    /// Some of the allocator's, where the system gives no pages.
    Heap { block: NonNull<u8>, layout: Layout },
    /// Pages of their own, and the file that they are of if others may have it: from an offset on.
    Pages { block: NonNull<u8>, length: usize, file: OnceLock<Arc<SharedFile>>, offset: usize },
    /// The program's own, which stay when this is gone.
    Program,
    /// Pages in a reservation.
    Mapped(#[allow(dead_code, reason = "they stay as long as they are referred to")] Vec<Arc<Mapped>>),
}

impl Backing {
    /// Zeroed memory of at least so many bytes.
    fn new(size: usize) -> Option<Self> {
        let layout = Layout::from_size_align(size, USUAL_ALIGN).ok()?;
        // Memory of a device may be shared with other processes at any time, and only whole pages can be. And pages of the allocator may be imported, with all that is in them.
        let length = size.checked_next_multiple_of(system::page_size())?;
        if let Some(block) = system::anonymous(length) {
            return Some(Self::Pages { block, length, file: OnceLock::new(), offset: 0 });
        }
        // SAFETY: the size of the layout is not zero.
        let block = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        Some(Self::Heap { block, layout })
    }

    /// All of its bytes.
    fn block(&self) -> (NonNull<u8>, usize) {
        match *self {
            Self::Heap { block, layout } => (block, layout.size()),
            Self::Pages { block, length, .. } => (block, length),
            Self::Program | Self::Mapped(_) => (NonNull::dangling(), 0),
        }
    }
}

impl Drop for Backing {
    fn drop(&mut self) {
        match *self {
            // SAFETY: it was allocated with this layout, and nothing refers to it any more.
            Self::Heap { block, layout } => unsafe { dealloc(block.as_ptr(), layout) },
            // SAFETY: the pages are its own, and nothing refers to them any more.
            Self::Pages { block, length, .. } => unsafe { system::unmap(block, length) },
            Self::Program | Self::Mapped(_) => {}
        }
    }
}

/// Memory that lives as long as anything refers to it.
///
/// A launch holds on to the allocations that were live when it was enqueued, so that freeing one under a
/// running kernel is harmless: the memory goes when the launch does.
#[derive(Debug)]
pub(crate) struct Allocation {
    start: NonNull<u8>,
    /// What its bytes are, which may start earlier.
    backing: Backing,
    /// The size that was asked for.
    size: usize,
    #[allow(dead_code, reason = "it is given back when the memory is")]
    taken: Taken,
    pub(crate) usage: Usage,
    /// The number of the device whose it is.
    pub(crate) device: u32,
    /// Who may end it.
    pub(crate) origin: Origin,
    /// Whether it was allocated for others to have it too.
    pub(crate) is_exported: bool,
    /// Whether kernels and commands may only read it.
    pub(crate) is_read_only: bool,
    /// Whether the host has made it resident, so that every kernel may access it.
    resident: AtomicBool,
    /// What the host says of atomics in it: flags of the API.
    pub(crate) atomics: AtomicU32,
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
        let taken = Taken::new(size)?;
        let wanted = Layout::from_size_align(size.max(1), align).ok()?;
        // Memory with more than the usual alignment is zeroed by the thread that asks for it, which takes time and has all of its pages touched there, so
        // that room for aligning it is asked for instead.
        // Where memory is checked there is room around it too, so that what is a little outside is in no other allocation.
        let around = if checks().memory { AROUND.next_multiple_of(align) } else { 0 };
        let room = wanted.size().checked_add(align)?.checked_add(2 * around)?;
        let backing = Backing::new(room)?;
        let (block, length) = backing.block();
        // SAFETY: these are the bytes of the block, of which nobody knows yet.
        prefer_large(unsafe { std::slice::from_raw_parts_mut(block.as_ptr().cast(), length) });
        let before_start = block.align_offset(align) + around;
        // SAFETY: what is left out is less than `align` bytes and what is around, so that both ends are in the block.
        let start = unsafe { block.add(before_start) };
        let is_watched = checks().memory && usage == Usage::Device;
        let written = is_watched.then(|| Arc::new(Written::new(size as u64)));
        Some(Self { taken, written, ..Self::of(backing, start, size, usage, Origin::Allocated) })
    }

    /// Lets it be that of another device than the first.
    pub(crate) fn on(self, device: u32) -> Self {
        Self { device, ..self }
    }

    /// Memory for so many bytes of counters of events.
    pub(crate) fn of_counters(size: usize) -> Option<Self> {
        let memory = Self::new(size, align_of::<u64>(), Usage::Device)?;
        Some(Self { origin: Origin::Counters, written: None, ..memory })
    }

    fn of(backing: Backing, start: NonNull<u8>, size: usize, usage: Usage, origin: Origin) -> Self {
        static NEXT_ID: AtomicU64 = AtomicU64::new(1);
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        let (is_exported, is_read_only, resident, written) = (false, false, AtomicBool::new(false), None);
        let atomics = AtomicU32::new(0);
        Self {
            start,
            backing,
            size,
            taken: Taken::default(),
            usage,
            device: 0,
            origin,
            is_exported,
            is_read_only,
            resident,
            atomics,
            id,
            written,
        }
    }

    /// Memory of a file that others have too: so many bytes from an offset on. None if they are not in the file, or the system refuses to map it.
    pub(crate) fn of_file(
        file: Arc<SharedFile>,
        offset: usize,
        size: usize,
        usage: Usage,
        origin: Origin,
    ) -> Option<Self> {
        let end = offset.checked_add(size)?;
        if size == 0 || end > file.size() {
            return None;
        }
        let inside = offset % system::page_size();
        let length = inside + size;
        let block = system::of_file(file.file(), offset - inside, length)?;
        // SAFETY: the bytes are in the pages that have been mapped.
        let start = unsafe { block.add(inside) };
        let backing = Backing::Pages { block, length, file: OnceLock::from(file), offset: offset - inside };
        Some(Self::of(backing, start, size, usage, origin))
    }

    /// Memory that the program has from elsewhere: whole pages that it may access, and which it has to keep so long. None if they are not that.
    pub(crate) fn of_program(start: *mut u8, size: usize, is_read_only: bool) -> Option<Self> {
        let is_whole =
            start.addr().is_multiple_of(system::page_size()) && size.is_multiple_of(system::page_size());
        if !is_whole || size == 0 || !system::is_accessible(start.addr(), size, !is_read_only) {
            return None;
        }
        let memory = Self::of(Backing::Program, NonNull::new(start)?, size, Usage::Host, Origin::Allocated);
        Some(Self { is_read_only, ..memory })
    }

    /// Whether its bytes are the program's own.
    pub(crate) fn is_of_program(&self) -> bool {
        matches!(self.backing, Backing::Program)
    }

    /// Pages next to each other in a reservation, of which these are the mappings.
    pub(crate) fn of_pages(
        start: NonNull<u8>,
        size: usize,
        is_read_only: bool,
        pages: Vec<Arc<Mapped>>,
    ) -> Self {
        let all = Self::of(Backing::Mapped(pages), start, size, Usage::Device, Origin::Mapped);
        Self { is_read_only, ..all }
    }

    /// The same memory, which others may have too.
    pub(crate) fn exported(self) -> Self {
        Self { is_exported: true, ..self }
    }

    /// The file that its bytes are in, with the offset of the first one. If they are in none yet, they are moved into one, at their addresses; commands wait so
    /// long, and the host must not write to them meanwhile. None if the memory is in no file and not a device's, or the system has no file.
    pub(crate) fn share(&self) -> Option<(Arc<SharedFile>, usize)> {
        let Backing::Pages { block, length, file, offset } = &self.backing else { return None };
        if file.get().is_none() {
            if self.usage != Usage::Device {
                return None;
            }
            let _alone: Held = alone();
            if file.get().is_none() {
                // SAFETY: the pages are this allocation's, and nobody accesses them meanwhile, as the caller knows.
                let moved = unsafe { moved(*block, *length)? };
                file.get_or_init(|| moved);
            }
        }
        let before = self.start.as_ptr().addr() - block.as_ptr().addr();
        Some((Arc::clone(file.get()?), offset + before))
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

/// Moves what pages hold into a file, which is at their addresses then.
///
/// # Safety
///
/// The pages must be the caller's, and nobody may access them meanwhile.
unsafe fn moved(block: NonNull<u8>, length: usize) -> Option<Arc<SharedFile>> {
    let file = SharedFile::new(length)?;
    let copy = system::of_file(file.file(), 0, length)?;
    // SAFETY: both are so many bytes, and nobody knows of the copy.
    let is_moved = unsafe {
        copy.copy_from_nonoverlapping(block, length);
        let is_moved = system::replace_by_file(block, length, file.file(), 0);
        system::unmap(copy, length);
        is_moved
    };
    is_moved.then(|| Arc::new(file))
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
    fn memory_that_is_shared_stays_where_it_is() {
        let memory = Allocation::new(10_000, 256, Usage::Device).unwrap();
        let bytes = |memory: &Allocation| {
            // SAFETY: the memory has this size, and nobody writes to it.
            unsafe { std::slice::from_raw_parts(memory.start(), 10_000).to_vec() }
        };
        // SAFETY: the memory has this size.
        unsafe { memory.start().write_bytes(7, 9_999) };
        let before = bytes(&memory);
        let (file, offset) = memory.share().unwrap();
        assert_eq!(bytes(&memory), before);
        let other = Allocation::of_file(file, offset, 10_000, Usage::Device, Origin::Opened).unwrap();
        assert_eq!(bytes(&other), before);
        // SAFETY: as above.
        unsafe { other.start().add(5).write(8) };
        assert_eq!((bytes(&memory)[5], memory.share().unwrap().1), (8, offset));
        let (file, _) = other.share().unwrap();
        let beyond = Allocation::of_file(file, 4096, usize::MAX - 5000, Usage::Device, Origin::Opened);
        assert!(beyond.is_none() && Allocation::new(8, 8, Usage::Host).unwrap().share().is_none());
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
