//! Copies of memory: long ones by several threads, since one alone does not use all that memory can do.
//!
//! The threads take pieces of the copy one after the other, so that one which is slow, or which the system does not let run, takes few of them, and nobody waits for a thread that has taken none.

use crate::exec::thread_count;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

/// How many bytes a thread copies at least, which takes much longer than starting the thread.
const BYTES_OF_THREAD: usize = 8 << 20;

/// How many threads copy together at most; with more, memory is no faster.
const MOST_THREADS: usize = 4;

/// The bytes that a thread takes at a time: whole pages, so that no two threads write one line.
const PIECE: usize = 1 << 20;

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
    unsafe { if is_one { copy_part(to, from, size) } else { copy_by(threads, to, from, size, PIECE) } }
}

/// A copy that several threads do.
struct Shared {
    to: u64,
    from: u64,
    size: usize,
    piece: usize,
    /// How many pieces have been taken, or more.
    taken: AtomicUsize,
    /// How many are done.
    done: Mutex<usize>,
    all_done: Condvar,
}

impl Shared {
    fn pieces(&self) -> usize {
        self.size.div_ceil(self.piece)
    }

    /// Copies pieces as long as there are some.
    ///
    /// # Safety
    ///
    /// The places are valid, and do not overlap, until all pieces are done.
    unsafe fn work(&self) {
        let mut done = 0;
        loop {
            let start = self.taken.fetch_add(1, Ordering::Relaxed).saturating_mul(self.piece);
            if start >= self.size {
                break;
            }
            let (to, from) = (self.to + start as u64, self.from + start as u64);
            // SAFETY: the piece is in the places, which are valid since it is not done; no other thread has taken it.
            unsafe { copy_part(to, from, self.piece.min(self.size - start)) };
            done += 1;
        }
        if done > 0 {
            *self.done.lock().unwrap_or_else(PoisonError::into_inner) += done;
            self.all_done.notify_one();
        }
    }

    fn wait(&self) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        while *done < self.pieces() {
            done = self.all_done.wait(done).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Copies bytes by so many threads at most, this one among them, in pieces of so many bytes.
///
/// # Safety
///
/// Both must be valid for so many bytes, and they do not overlap.
unsafe fn copy_by(threads: usize, to: u64, from: u64, size: usize, piece: usize) {
    let (taken, done) = (AtomicUsize::new(0), Mutex::new(0));
    let shared = Arc::new(Shared { to, from, size, piece, taken, done, all_done: Condvar::new() });
    for _ in 1..threads {
        let shared = Arc::clone(&shared);
        // SAFETY: what it takes is done before this function returns, and it takes nothing later.
        let work = move || unsafe { shared.work() };
        // Where there can be no more threads, the others do it.
        let _ = thread::Builder::new().name("kernel-cpu-copy".into()).spawn(work);
    }
    // SAFETY: the caller vouches for the places.
    unsafe { shared.work() };
    shared.wait();
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
            for (threads, piece) in (1..6).flat_map(|threads| [(threads, 4096), (threads, 100_000)]) {
                let mut to = vec![0; size + 1];
                // SAFETY: both vectors have so many bytes.
                unsafe { copy_by(threads, to.as_mut_ptr() as u64, from.as_ptr() as u64, size, piece) };
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
