//! The pages of large allocations.

/// From how many bytes on memory is large: fewer do not fill two large pages, wherever they start.
#[cfg(target_os = "linux")]
const LARGE: usize = 4 << 20;

/// Asks the system for large pages, of 2 MiB, for memory that is large, before anything is in it. Kernels whose work-items are far apart in it
/// then seldom wait for the address of a page. A page still comes when it is first touched; a system that has no large pages, or is not to give any, gives usual ones.
#[cfg(target_os = "linux")]
pub(crate) fn prefer_large(memory: &mut [std::mem::MaybeUninit<u8>]) {
    use std::ffi::{c_int, c_void};

    /// The number of the advice `MADV_HUGEPAGE`, from `linux/mman.h`.
    const HUGE: c_int = 14;
    /// No page is smaller, and a start that is not one of a page is refused.
    const PAGE: usize = 1 << 16;

    unsafe extern "C" {
        fn madvise(start: *mut c_void, length: usize, advice: c_int) -> c_int;
    }

    if memory.len() < LARGE {
        return;
    }
    let before = memory.as_ptr().align_offset(PAGE);
    let Some(pages) = memory.get_mut(before..) else { return };
    let length = pages.len() & !(PAGE - 1);
    // SAFETY: the pages are all in the memory, and the advice changes neither what is in them nor who may access them.
    // What the system answers does not matter, as the memory can be used either way.
    let _ = unsafe { madvise(pages.as_mut_ptr().cast(), length, HUGE) };
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn prefer_large(_: &mut [std::mem::MaybeUninit<u8>]) {}
