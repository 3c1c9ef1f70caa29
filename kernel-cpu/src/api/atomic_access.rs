//! What the host says of atomics in shared memory, of version 1.7. They are always possible, for device and host at once, so that this is only kept.

use super::context::allocation_of;
use super::{Answer, describe, guard, write};
use crate::memory::{Allocation, Usage};
use level_zero_sys::{ze_context_handle_t, ze_device_handle_t, ze_result_t};
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// `ze_memory_atomic_attr_exp_flag_t`.
mod flags {
    /// No atomics at all, on the host, on the device, and on both at once.
    pub(super) const NONE: u32 = 1;
    pub(super) const PAIRS: [(u32, u32); 3] = [(1 << 1, 1 << 2), (1 << 3, 1 << 4), (1 << 5, 1 << 6)];
    pub(super) const KNOWN: u32 = (1 << 7) - 1;
}

/// The shared allocation that a range is in.
fn shared(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    pointer: *const c_void,
    size: usize,
) -> Answer<Arc<Allocation>> {
    let found = allocation_of(context, device, pointer, size)?;
    found.filter(|found| found.usage == Usage::Shared).ok_or_else(|| {
        describe("the range is in no memory of the context that zeMemAllocShared has allocated");
        ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT
    })
}

/// `zeMemSetAtomicAccessAttributeExp`: of the whole allocation, as which the range may be taken.
pub(super) unsafe extern "C" fn set(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    pointer: *const c_void,
    size: usize,
    attributes: u32,
) -> ze_result_t {
    guard(|| {
        let memory = shared(context, device, pointer, size)?;
        if attributes & !flags::KNOWN != 0 {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
        }
        let has = |flag| attributes & flag != 0;
        let is_contradiction =
            flags::PAIRS.iter().any(|&(no, yes)| has(yes) && (has(no) || has(flags::NONE)));
        if is_contradiction {
            describe("atomics are said to be allowed and not to be");
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
        }
        memory.atomics.store(attributes, Ordering::Relaxed);
        Ok(())
    })
}

/// `zeMemGetAtomicAccessAttributeExp`.
pub(super) unsafe extern "C" fn get_attributes(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    pointer: *const c_void,
    size: usize,
    attributes: *mut u32,
) -> ze_result_t {
    guard(|| {
        let memory = shared(context, device, pointer, size)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(attributes, memory.atomics.load(Ordering::Relaxed)) }
    })
}
