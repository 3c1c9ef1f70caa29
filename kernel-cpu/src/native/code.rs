//! Memory that holds code: written first, executed then, never both at once.

use std::ffi::c_void;
use std::ptr::NonNull;

mod c {
    use std::ffi::{c_int, c_void};

    pub(super) const PROT_READ: c_int = 1;
    pub(super) const PROT_WRITE: c_int = 2;
    pub(super) const PROT_EXEC: c_int = 4;
    pub(super) const MAP_PRIVATE: c_int = 2;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub(super) const MAP_ANONYMOUS: c_int = 0x20;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    pub(super) const MAP_ANONYMOUS: c_int = 0x1000;

    unsafe extern "C" {
        pub(super) fn mmap(
            at: *mut c_void,
            length: usize,
            protection: c_int,
            flags: c_int,
            file: c_int,
            offset: i64,
        ) -> *mut c_void;
        pub(super) fn mprotect(at: *mut c_void, length: usize, protection: c_int) -> c_int;
        pub(super) fn munmap(at: *mut c_void, length: usize) -> c_int;
    }
}

/// Code that can be called.
#[derive(Debug)]
pub(super) struct Executable {
    start: NonNull<c_void>,
    length: usize,
}

// SAFETY: nobody writes to it any more.
unsafe impl Send for Executable {}
// SAFETY: as above.
unsafe impl Sync for Executable {}

impl Executable {
    /// Memory with this code; none if the system refuses it.
    pub(super) fn new(code: &[u8]) -> Option<Self> {
        let length = code.len().max(1);
        // SAFETY: a new mapping of its own.
        let start = unsafe {
            c::mmap(
                std::ptr::null_mut(),
                length,
                c::PROT_READ | c::PROT_WRITE,
                c::MAP_PRIVATE | c::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        // What is -1 is the error.
        if start.addr() == usize::MAX {
            return None;
        }
        let this = Self { start: NonNull::new(start)?, length };
        // SAFETY: the mapping is writable and as long as the code; then its protection is changed as a whole.
        let failed = unsafe {
            start.cast::<u8>().copy_from_nonoverlapping(code.as_ptr(), code.len());
            c::mprotect(start, length, c::PROT_READ | c::PROT_EXEC) != 0
        };
        (!failed).then_some(this)
    }

    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// The code, as it was given.
    pub(super) fn bytes(&self) -> &[u8] {
        // SAFETY: the mapping is so long, can be read, and is not written to any more.
        unsafe { std::slice::from_raw_parts(self.start.cast().as_ptr(), self.length) }
    }

    pub(super) fn start(&self) -> *const c_void {
        self.start.as_ptr()
    }
}

impl Drop for Executable {
    fn drop(&mut self) {
        // SAFETY: the mapping is this one's, and nobody can call into it any more.
        unsafe {
            c::munmap(self.start.as_ptr(), self.length);
        }
    }
}
