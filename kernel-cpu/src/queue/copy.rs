//! Copies of memory: long ones by several threads, since one alone does not use all that memory can do.

use crate::exec::thread_count;
use std::thread;

/// How many bytes a thread copies at least, which takes much longer than starting the thread.
const BYTES_OF_THREAD: usize = 8 << 20;

/// How many threads copy together at most; with more, memory is no faster.
const MOST_THREADS: usize = 4;

/// Copies bytes between places that may overlap.
///
/// # Safety
///
/// Both must be valid for so many bytes.
pub(super) unsafe fn copy(to: u64, from: u64, size: usize) {
    let threads = (size / BYTES_OF_THREAD).min(MOST_THREADS);
    // How many threads there may be is only asked for where it matters.
    let threads = if threads < 2 { 1 } else { threads.min(thread_count()) };
    // Threads take an allocation, even if there are none.
    let is_one = threads < 2 || to.abs_diff(from) < size as u64;
    // SAFETY: the caller vouches for the places.
    unsafe { if is_one { copy_part(to, from, size) } else { copy_by(threads, to, from, size) } }
}

/// Copies bytes by so many threads, this one among them.
///
/// # Safety
///
/// Both must be valid for so many bytes, and they do not overlap.
unsafe fn copy_by(threads: usize, to: u64, from: u64, size: usize) {
    // Parts start at whole pages, so that no two threads write one line.
    let part = size.div_ceil(threads.max(1)).max(1).next_multiple_of(4096);
    thread::scope(|scope| {
        for start in (part..size).step_by(part) {
            let (to, from, size) = (to + start as u64, from + start as u64, part.min(size - start));
            // SAFETY: the part is in the places, and no other thread has it.
            let copy = move || unsafe { copy_part(to, from, size) };
            if thread::Builder::new().spawn_scoped(scope, copy).is_err() {
                // There can be no more threads.
                copy();
            }
        }
        // SAFETY: as above.
        unsafe { copy_part(to, from, part.min(size)) };
    });
}

/// Copies bytes by this thread.
///
/// # Safety
///
/// That of [`copy`].
unsafe fn copy_part(to: u64, from: u64, size: usize) {
    // SAFETY: the caller vouches for both ranges; `copy` allows them to overlap.
    unsafe { std::ptr::copy(from as *const u8, to as *mut u8, size) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(size: usize) -> Vec<u8> {
        (0..size).map(|index| (index % 251) as u8).collect()
    }

    #[test]
    fn each_byte_is_copied_whatever_the_number_of_threads() {
        for size in [0, 1, 4095, 4096, 4097, 50_001] {
            let from = pattern(size);
            for threads in 1..6 {
                let mut to = vec![0; size + 1];
                // SAFETY: both vectors have so many bytes.
                unsafe { copy_by(threads, to.as_mut_ptr() as u64, from.as_ptr() as u64, size) };
                assert!(to[..size] == from && to[size] == 0, "{size} bytes by {threads} threads");
            }
        }
    }

    #[test]
    fn long_copies_are_copies_even_where_they_overlap() {
        let size = 2 * BYTES_OF_THREAD + 5;
        let from = pattern(size);
        let mut to = vec![0; size];
        // SAFETY: both vectors have so many bytes.
        unsafe { copy(to.as_mut_ptr() as u64, from.as_ptr() as u64, size) };
        assert!(to == from);
        let start = to.as_mut_ptr() as u64;
        // SAFETY: the vector has the bytes of both places.
        unsafe { copy(start + 3, start, size - 3) };
        assert!(to[3..] == from[..size - 3]);
    }
}
