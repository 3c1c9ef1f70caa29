//! Ranges of addresses in which pages of physical memory are mapped.
//!
//! A page that is mapped is readable and writable for the process as long as a launch could access it, whatever the host has said of it since: what kernels may
//! access is checked where they do.

use super::intervals::Intervals;
use super::physical::SharedFile;
use super::{Span, system};
use std::ffi::c_void;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Addresses that are nobody else's.
#[derive(Debug)]
pub(crate) struct Reservation {
    start: NonNull<u8>,
    length: usize,
    pages: Mutex<Pages>,
}

/// Which mappings there are.
#[derive(Debug, Default)]
struct Pages {
    /// The number of the mapping that has to see to what is at an offset.
    owners: Intervals<u64>,
    /// All that something refers to, whether their pages are still there or others are in their place.
    live: Vec<(u64, Range<usize>)>,
}

impl Pages {
    /// Gives what a mapping had in a range to others that were there, since launches that may access these come upon what is there now. Returns the parts where there
    /// is none.
    fn hand_over(&mut self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut rest = vec![range];
        for (id, other) in &self.live {
            let mut left = Vec::new();
            for part in rest {
                let both = part.start.max(other.start)..part.end.min(other.end);
                if both.is_empty() {
                    left.push(part);
                    continue;
                }
                let around = [part.start..both.start, both.end..part.end];
                left.extend(around.into_iter().filter(|part| !part.is_empty()));
                self.owners.set(both, *id);
            }
            rest = left;
        }
        rest
    }
}

// SAFETY: the addresses are plain memory, or none; who maps and unmaps holds the lock.
unsafe impl Send for Reservation {}
// SAFETY: as above.
unsafe impl Sync for Reservation {}

impl Reservation {
    /// So many bytes of addresses, at a place if it is free; none if the system has none.
    pub(crate) fn new(at: *const c_void, length: usize) -> Option<Self> {
        Some(Self { start: system::reserve(at, length)?, length, pages: Mutex::default() })
    }

    /// The addresses.
    pub(crate) fn span(&self) -> Span {
        Span { start: self.start.as_ptr().addr() as u64, length: self.length as u64 }
    }

    pub(crate) fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// The place of what is at an offset.
    fn at(&self, offset: usize) -> NonNull<u8> {
        assert!(offset <= self.length, "a range is in its reservation");
        // SAFETY: the offset is in the reservation.
        unsafe { self.start.add(offset) }
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        // SAFETY: the addresses are its own, and nobody refers to them any more.
        unsafe { system::unmap(self.start, self.length) }
    }
}

/// Pages of physical memory that are somewhere. They stay until nothing refers to the mapping any more, or other pages are put in their place.
#[derive(Debug)]
pub(crate) struct Mapped {
    reservation: Arc<Reservation>,
    range: Range<usize>,
    _memory: Arc<SharedFile>,
    id: u64,
}

impl Mapped {
    /// Maps pages of a file from an offset on into a range of a reservation. None if the system refuses to.
    pub(crate) fn new(
        reservation: &Arc<Reservation>,
        range: Range<usize>,
        memory: &Arc<SharedFile>,
        offset: usize,
    ) -> Option<Self> {
        static NEXT_ID: AtomicU64 = AtomicU64::new(1);
        let is_inside = |end: Option<usize>, size| end.is_some_and(|end| end <= size);
        assert!(is_inside(Some(range.end), reservation.length), "pages are in their reservation");
        assert!(is_inside(offset.checked_add(range.len()), memory.size()), "pages are in their file");
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        let mut pages = reservation.pages();
        // SAFETY: the pages are those of the reservation. What of them a launch may still access becomes other memory, which it may access as well.
        let is_mapped = unsafe {
            system::replace_by_file(reservation.at(range.start), range.len(), memory.file(), offset)
        };
        if !is_mapped {
            return None;
        }
        pages.owners.set(range.clone(), id);
        pages.live.push((id, range.clone()));
        drop(pages);
        let (reservation, memory) = (Arc::clone(reservation), Arc::clone(memory));
        Some(Self { reservation, range, _memory: memory, id })
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        let mut pages = self.reservation.pages();
        pages.live.retain(|(id, _)| *id != self.id);
        let own = pages.owners.within(&self.range).filter(|(_, id)| **id == self.id);
        let own: Vec<_> = own.map(|(range, _)| range).collect();
        for range in own.into_iter().flat_map(|range| pages.hand_over(range)).collect::<Vec<_>>() {
            // SAFETY: the pages are those of this mapping, to which nothing refers any more. Where the system refuses, they stay as they are.
            let _ = unsafe { system::clear(self.reservation.at(range.start), range.len()) };
            pages.owners.clear(&range);
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    const PAGE: usize = 1 << 16;

    fn byte(reservation: &Reservation, offset: usize) -> *mut u8 {
        reservation.start().wrapping_add(offset)
    }

    #[test]
    fn pages_are_where_they_are_mapped() {
        let reservation = Arc::new(Reservation::new(std::ptr::null(), 4 * PAGE).unwrap());
        let memory = Arc::new(SharedFile::new(2 * PAGE).unwrap());
        let first = Mapped::new(&reservation, 0..2 * PAGE, &memory, 0).unwrap();
        let second = Mapped::new(&reservation, 3 * PAGE..4 * PAGE, &memory, PAGE).unwrap();
        // SAFETY: the pages are mapped.
        unsafe {
            byte(&reservation, PAGE + 5).write(7);
            assert_eq!(byte(&reservation, 3 * PAGE + 5).read(), 7, "it is the same memory");
        }
        drop(first);
        // SAFETY: this page is still mapped.
        assert_eq!(unsafe { byte(&reservation, 3 * PAGE + 5).read() }, 7);
        drop(second);
    }

    #[test]
    fn what_is_unmapped_late_leaves_newer_pages_alone() {
        let reservation = Arc::new(Reservation::new(std::ptr::null(), 2 * PAGE).unwrap());
        let [old, new] = [1_u8, 2].map(|value| {
            let memory = Arc::new(SharedFile::new(2 * PAGE).unwrap());
            let mapped = Mapped::new(&reservation, 0..2 * PAGE, &memory, 0).unwrap();
            // SAFETY: the page is mapped.
            unsafe { byte(&reservation, 0).write(value) };
            mapped
        });
        drop(old);
        // SAFETY: the page is that of the newer mapping.
        assert_eq!(unsafe { byte(&reservation, 0).read() }, 2);
        drop(new);
    }

    #[test]
    fn what_takes_the_place_of_pages_stays_as_long_as_they_would() {
        let reservation = Arc::new(Reservation::new(std::ptr::null(), 4 * PAGE).unwrap());
        let memory = Arc::new(SharedFile::new(4 * PAGE).unwrap());
        let old = Mapped::new(&reservation, 0..2 * PAGE, &memory, 0).unwrap();
        let new = Mapped::new(&reservation, PAGE..4 * PAGE, &memory, 0).unwrap();
        drop(new);
        // SAFETY: a launch that was appended when the old pages were there may still do so.
        unsafe { byte(&reservation, PAGE).write(1) };
        let owners = |place: usize| reservation.pages().owners.within(&(place..place + PAGE)).count();
        assert_eq!([0, PAGE, 2 * PAGE, 3 * PAGE].map(owners), [1, 1, 0, 0]);
        drop(old);
        assert_eq!([0, PAGE].map(owners), [0, 0]);
    }
}
