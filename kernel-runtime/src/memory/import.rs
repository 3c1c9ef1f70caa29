//! Memory of the program that devices use where it is: the elements of a vector.
//!
//! Drivers take whole pages (`ZE_extension_external_memmap_sysmem`): those that the elements are in, with what else is there, which the host goes on
//! using and no kernel reaches. They may refuse for reasons of their own, such as pages that are imported already; then the elements are copied.

use crate::device::Device;
use crate::error::DriverError;
use crate::error::driver::call;
use crate::error::last_error::explain;
use crate::memory::allocation::{Address, free};
use crate::sync::{RwLock, RwLockReadGuard};
use core::any::Any;
use core::ffi::c_void;
use core::mem::{ManuallyDrop, MaybeUninit};
use core::ops::Range;
use kernel_core::Element;
use level_zero_sys::{ze_external_memmap_sysmem_ext_desc_t, ze_host_mem_alloc_desc_t};
use std::collections::BTreeMap;
use std::ptr;
use std::sync::PoisonError;

/// The size of a page: of the largest one that systems on other processors have. A driver with larger ones refuses what is not whole pages of its own.
const PAGE: usize = if cfg!(any(target_arch = "x86", target_arch = "x86_64")) { 1 << 12 } else { 1 << 16 };

/// What atomics access at once at least, in bytes, so that memory has to be whole words of it.
const WORD: usize = 4;

/// A vector that has been taken apart, so that nothing but the device, and views of its buffer, refers to the elements.
pub(crate) struct VecParts<T: Element> {
    elements: *mut T,
    len: usize,
    capacity: usize,
}

// SAFETY: the elements are plain data that this owns; what those that are pointers lead to is only for `unsafe` code to use, on whatever thread.
unsafe impl<T: Element> Send for VecParts<T> {}
// SAFETY: the same, and by reference nothing is done with the elements.
unsafe impl<T: Element> Sync for VecParts<T> {}

impl<T: Element> VecParts<T> {
    pub(crate) fn new(values: Vec<T>) -> Self {
        let mut values = ManuallyDrop::new(values);
        Self { elements: values.as_mut_ptr(), len: values.len(), capacity: values.capacity() }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The vector again.
    ///
    /// # Safety
    ///
    /// The elements must be values of their type.
    pub(crate) unsafe fn into_vec(self) -> Vec<T> {
        let parts = ManuallyDrop::new(self);
        // SAFETY: these are the parts of a vector, which are given away here; the caller vouches for the elements.
        unsafe { Vec::from_raw_parts(parts.elements, parts.len, parts.capacity) }
    }

    /// The whole pages that the elements are in, if their memory can be a buffer's.
    fn pages(&self) -> Option<Range<*mut c_void>> {
        let (start, bytes) = (self.elements.addr(), self.len * size_of::<T>());
        if bytes == 0 || !start.is_multiple_of(WORD) || !bytes.is_multiple_of(WORD) {
            return None;
        }
        let before = start % PAGE;
        let whole = (before + bytes).checked_next_multiple_of(PAGE)?;
        let first = self.elements.cast::<c_void>().wrapping_byte_sub(before);
        Some(first..first.wrapping_byte_add(whole))
    }

    /// Makes the memory that of a driver, if it can be. If it is, nobody but the device and views may use the elements until the pages are given back.
    pub(crate) fn import(&self, device: &Device) -> Result<Option<Pages>, DriverError> {
        match self.pages() {
            Some(pages) if device.limits().host_import => device.imports().import(device, pages),
            _ => Ok(None),
        }
    }

    pub(crate) fn elements(&self) -> Address {
        Address::new(self.elements.cast())
    }
}

impl<T: Element> Drop for VecParts<T> {
    fn drop(&mut self) {
        // SAFETY: these are the parts of a vector; elements of this type need not be values, and nothing is done with them.
        drop(unsafe { Vec::from_raw_parts(self.elements.cast::<MaybeUninit<T>>(), 0, self.capacity) });
    }
}

/// Pages of the program that are memory of a driver, by the address of the first one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pages(Address);

/// Memory that was lent to a device, and the pages of it that the driver has.
#[derive(Debug)]
pub(crate) struct Imported {
    pub(crate) pages: Pages,
    pub(crate) lender: Box<dyn Any + Send + Sync>,
}

/// The pages of the program that a driver has: where each range starts, and where it ends.
///
/// What shares a page with an imported vector is memory of the driver too, as far as that page. Drivers take no copy from or to what is theirs in part, so
/// that a copy is made in pieces which are theirs, or not.
#[derive(Debug, Default)]
pub(crate) struct Imports(RwLock<BTreeMap<usize, usize>>);

impl Imports {
    /// Lets a driver have pages, if it has none of them already.
    fn import(&self, device: &Device, pages: Range<*mut c_void>) -> Result<Option<Pages>, DriverError> {
        let range = pages.start.addr()..pages.end.addr();
        if !self.insert(range.clone()) {
            return Ok(None);
        }
        let imported = import(device, pages.start, range.len());
        if imported.is_err() {
            self.remove(range.start);
        }
        imported.map(Some)
    }

    /// Takes pages back from a driver.
    pub(crate) fn give_back(&self, device: &Device, pages: Pages) -> Result<(), DriverError> {
        free(device, pages.0)?;
        self.remove(pages.0.addr());
        Ok(())
    }

    /// What is imported, which stays so until this is dropped.
    pub(crate) fn now(&self) -> ImportsNow<'_> {
        ImportsNow(self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes a range, if it overlaps no other one.
    fn insert(&self, range: Range<usize>) -> bool {
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let before = all.range(..range.end).next_back();
        let is_apart = before.is_none_or(|(_, end)| *end <= range.start);
        if is_apart {
            all.insert(range.start, range.end);
        }
        is_apart
    }

    fn remove(&self, start: usize) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(&start);
    }
}

/// What is imported, as long as nothing more can be.
pub(crate) struct ImportsNow<'i>(RwLockReadGuard<'i, BTreeMap<usize, usize>>);

impl ImportsNow<'_> {
    /// Whether some of a range is imported and some is not.
    pub(crate) fn cut(&self, start: *const c_void, bytes: usize) -> bool {
        self.ends_within(start, bytes).next().is_some()
    }

    /// Where the pieces of a copy end but for the last one, in bytes from its start.
    pub(crate) fn cuts(&self, to: *const c_void, from: *const c_void, bytes: usize) -> Vec<usize> {
        let mut cuts: Vec<usize> = self.ends_within(to, bytes).chain(self.ends_within(from, bytes)).collect();
        cuts.sort_unstable();
        cuts.dedup();
        cuts
    }

    /// The ends of imported ranges within so many bytes, from the start of these.
    fn ends_within(&self, start: *const c_void, bytes: usize) -> impl Iterator<Item = usize> {
        let (start, end) = (start.addr(), start.addr().saturating_add(bytes));
        let overlapping = self.0.range(..end).rev().take_while(move |(_, last)| **last > start);
        let ends = overlapping.flat_map(|(first, last)| [*first, *last]);
        ends.filter(move |at| start < *at && *at < end).map(move |at| at - start)
    }
}

fn import(device: &Device, start: *mut c_void, size: usize) -> Result<Pages, DriverError> {
    let memory = ze_external_memmap_sysmem_ext_desc_t {
        pSystemMemory: start,
        size: size as u64,
        ..Default::default()
    };
    let descriptor = ze_host_mem_alloc_desc_t { pNext: (&raw const memory).cast(), ..Default::default() };
    let mut address = ptr::null_mut();
    let (context, api) = (device.context()?, device.api());
    // SAFETY: the context is a live handle, all pointers are to live variables, and whoever asks for this keeps the pages.
    unsafe { call!(api, zeMemAllocHost(context, &descriptor, size, 0, &mut address)) }
        .map_err(|error| explain(device, error))?;
    Ok(Pages(Address::new(address)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_whole_and_have_the_elements() {
        for len in [1, 2, 1023, 1024, 1025, 100_000] {
            let parts = VecParts::new(vec![0_u32; len]);
            let pages = parts.pages().expect("words are whole words");
            let (start, end) = (pages.start.addr(), pages.end.addr());
            assert!(start.is_multiple_of(PAGE) && end.is_multiple_of(PAGE));
            let first = parts.elements.addr();
            assert!(start <= first && first < start + PAGE);
            assert!(first + 4 * len <= end && end < first + 4 * len + PAGE);
        }
    }

    #[test]
    fn what_is_not_whole_words_has_no_pages() {
        assert!(VecParts::new(Vec::<u32>::new()).pages().is_none());
        for len in [1, 2, 3, 5] {
            assert!(VecParts::new(vec![0_u8; len]).pages().is_none());
        }
    }

    #[test]
    fn copies_are_cut_where_pages_are_imported() {
        let imports = Imports::default();
        assert!(imports.insert(100..200) && imports.insert(200..250) && imports.insert(300..400));
        for taken in [100..101, 50..101, 199..200, 0..1000, 249..300, 399..500, 110..120] {
            assert!(!imports.insert(taken));
        }
        let at = |address| ptr::without_provenance::<c_void>(address);
        let now = imports.now();
        let inside = |start: usize, end: usize| now.cut(at(start), end - start);
        assert!(!inside(0, 100) && !inside(100, 200) && !inside(120, 130) && !inside(250, 300));
        assert!(inside(0, 101) && inside(199, 201) && inside(399, 401) && inside(240, 260));
        assert_eq!(now.cuts(at(90), at(1000), 400), [10, 110, 160, 210, 310]);
        assert_eq!(now.cuts(at(1000), at(290), 20), [10]);
        assert_eq!(now.cuts(at(190), at(295), 20), [5, 10]);
        assert_eq!(now.cuts(at(190), at(290), 20), [10]);
        assert_eq!(now.cuts(at(350), at(usize::MAX - 3), 3), []);
        drop(now);
        imports.remove(300);
        assert_eq!(imports.now().cuts(at(240), at(0), 200), [10, 100]);
        assert!(imports.insert(300..301));
    }

    #[test]
    fn a_vector_is_put_together_again() {
        let mut values = Vec::with_capacity(100);
        values.extend([1_u16, 2, 3]);
        let (address, parts) = (values.as_ptr().addr(), VecParts::new(values));
        assert_eq!(parts.len(), 3);
        // SAFETY: these are numbers.
        let values = unsafe { parts.into_vec() };
        assert_eq!((values.as_ptr().addr(), values.capacity()), (address, 100));
        assert_eq!(values, [1, 2, 3]);
        // Elements that are no values are not looked at.
        let flags = VecParts::new(vec![false; 4]);
        // SAFETY: there are four bytes.
        unsafe { flags.elements.cast::<u8>().write(7) };
        drop(flags);
    }
}
