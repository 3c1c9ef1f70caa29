//! The entry points: what the function tables point to.
//!
//! One file for each table. Every function checks its handles and pointers and answers with the error codes
//! of the specification; a panic, which would be a mistake of the driver, becomes `ZE_RESULT_ERROR_UNKNOWN`.

mod absent;
mod affinity;
mod atomic_access;
mod build_flags;
mod command_list;
mod command_queue;
mod context;
mod counter_event;
mod device;
mod devices;
mod driver;
mod event;
mod event_pool;
mod external;
mod fabric;
mod fence;
mod graph;
mod image;
mod injected;
mod ipc;
mod kernel;
mod last_error;
pub(crate) mod later;
mod launch;
mod leaks;
mod linkage;
mod mem;
mod module;
mod mutable;
mod recording;
mod registry;
mod requirements;
mod runtime;
mod structures;
mod stub;
pub(crate) mod sysman;
pub(crate) mod table;
mod virtual_mem;

pub(crate) use context::lasts as context_lasts;
pub(crate) use devices::problem;
use last_error::{describe, fail, lost};
use level_zero_sys::ze_result_t;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// The result of a function of the API; the error is its code.
type Answer<T = ()> = Result<T, ze_result_t>;

/// Runs the body of an entry point.
#[inline]
fn guard(body: impl FnOnce() -> Answer) -> ze_result_t {
    let mut body = Some(body);
    guarded(&mut || body.take().map_or(Ok(()), |body| body()))
}

/// The same, compiled once for all entry points.
fn guarded(body: &mut dyn FnMut() -> Answer) -> ze_result_t {
    // What a body changes it changes under locks that survive a panic, or not at all.
    match catch_unwind(AssertUnwindSafe(|| injected::check().and_then(|()| body()))) {
        Ok(Ok(())) => ze_result_t::ZE_RESULT_SUCCESS,
        Ok(Err(code)) => fail(code),
        Err(_) => {
            describe("the driver panicked");
            fail(ze_result_t::ZE_RESULT_ERROR_UNKNOWN)
        }
    }
}

/// Writes a result where the host wants it.
///
/// # Safety
///
/// The pointer must be null or valid for a write.
unsafe fn write<T>(to: *mut T, value: T) -> Answer {
    if to.is_null() {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    // SAFETY: it is not null, and the caller vouches for the rest.
    unsafe { to.write(value) };
    Ok(())
}

/// Reads a descriptor.
///
/// # Safety
///
/// The pointer must be null or valid for a read.
unsafe fn read<T: Copy>(from: *const T) -> Answer<T> {
    if from.is_null() {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    // SAFETY: it is not null, and the caller vouches for the rest.
    Ok(unsafe { from.read() })
}

/// Answers a query for a list: the count alone if there is no room or the count is zero, else as many items
/// as there is room for.
///
/// # Safety
///
/// `count` must be null or valid for reads and writes, and `to` null or valid for writes of `*count` items.
unsafe fn list<T: Copy>(count: *mut u32, to: *mut T, items: &[T]) -> Answer {
    // SAFETY: the caller vouches for the pointer.
    let room = unsafe { read(count)? };
    if room == 0 || to.is_null() {
        // SAFETY: as above.
        return unsafe { write(count, items.len() as u32) };
    }
    let given = items.len().min(room as usize);
    // SAFETY: there is room for `room` items.
    unsafe { to.copy_from_nonoverlapping(items.as_ptr(), given) };
    // SAFETY: as above.
    unsafe { write(count, given as u32) }
}

/// Answers a query for a text: its size with the final NUL, and the bytes if there is room for all.
///
/// # Safety
///
/// `size` must be null or valid for reads and writes, and `to` null or valid for writes of `*size` bytes.
unsafe fn text(size: *mut usize, to: *mut std::ffi::c_char, text: &std::ffi::CStr) -> Answer {
    // SAFETY: the caller vouches for the pointers.
    unsafe { blob(size, to.cast(), text.to_bytes_with_nul()) }
}

/// Answers a query for bytes: how many there are, and the bytes if there is room for all.
///
/// # Safety
///
/// As for [`text`].
unsafe fn blob(size: *mut usize, to: *mut u8, bytes: &[u8]) -> Answer {
    // SAFETY: the caller vouches for the pointer.
    let room = unsafe { read(size)? };
    // SAFETY: as above.
    unsafe { write(size, bytes.len())? };
    if !to.is_null() && room != 0 {
        if room < bytes.len() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
        }
        // SAFETY: there is room for `room` bytes.
        unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    }
    Ok(())
}

/// A timeout in nanoseconds, of which the largest is for ever.
fn timeout(nanoseconds: u64) -> Option<Duration> {
    (nanoseconds != u64::MAX).then(|| Duration::from_nanos(nanoseconds))
}
