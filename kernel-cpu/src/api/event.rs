//! Events and the pools that they come from.

use super::context::{Context, check_devices};
use super::registry::{get, insert, objects, remove};
use super::{guard, lost, read, timeout, write};
use crate::queue::{Event, Waited};
use level_zero_sys::{
    ze_context_handle_t, ze_device_handle_t, ze_event_desc_t, ze_event_handle_t, ze_event_pool_desc_t,
    ze_event_pool_handle_t, ze_kernel_timestamp_data_t, ze_kernel_timestamp_result_t, ze_result_t,
};
use std::sync::Arc;
use std::time::Duration;

/// A pool: only a number of events.
pub(super) struct EventPool {
    count: u32,
}

objects! {
    EventPool: ze_event_pool_handle_t = 7;
    Event: ze_event_handle_t = 8;
}

pub(super) unsafe extern "C" fn pool_create(
    context: ze_context_handle_t,
    descriptor: *const ze_event_pool_desc_t,
    count: u32,
    devices: *mut ze_device_handle_t,
    pool: *mut ze_event_pool_handle_t,
) -> ze_result_t {
    guard(|| {
        get::<Context>(context)?;
        // SAFETY: the host passes valid pointers or null, and an array of `count` handles.
        let descriptor = unsafe {
            check_devices(count, devices)?;
            read(descriptor)?
        };
        if descriptor.count == 0 {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
        }
        // SAFETY: as above.
        unsafe { write(pool, insert(Arc::new(EventPool { count: descriptor.count }))?) }
    })
}

pub(super) unsafe extern "C" fn pool_destroy(pool: ze_event_pool_handle_t) -> ze_result_t {
    guard(|| remove::<EventPool>(pool).map(drop))
}

pub(super) unsafe extern "C" fn create(
    pool: ze_event_pool_handle_t,
    descriptor: *const ze_event_desc_t,
    event: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        let pool = get::<EventPool>(pool)?;
        // SAFETY: the host passes valid pointers or null.
        let descriptor = unsafe { read(descriptor)? };
        if descriptor.index >= pool.count {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
        }
        // SAFETY: as above.
        unsafe { write(event, insert(Arc::new(Event::default()))?) }
    })
}

pub(super) unsafe extern "C" fn destroy(event: ze_event_handle_t) -> ze_result_t {
    guard(|| remove::<Event>(event).map(drop))
}

pub(super) unsafe extern "C" fn host_signal(event: ze_event_handle_t) -> ze_result_t {
    guard(|| {
        get::<Event>(event)?.signal();
        Ok(())
    })
}

pub(super) unsafe extern "C" fn host_reset(event: ze_event_handle_t) -> ze_result_t {
    guard(|| {
        get::<Event>(event)?.reset();
        Ok(())
    })
}

pub(super) unsafe extern "C" fn host_synchronize(event: ze_event_handle_t, nanoseconds: u64) -> ze_result_t {
    guard(|| answer(get::<Event>(event)?.wait(timeout(nanoseconds))))
}

pub(super) unsafe extern "C" fn query_status(event: ze_event_handle_t) -> ze_result_t {
    guard(|| answer(get::<Event>(event)?.wait(Some(Duration::ZERO))))
}

/// A kernel that faulted is to the host what a page fault is to a GPU: the device is lost, though ours comes
/// back at once.
pub(super) fn answer(waited: Waited) -> super::Answer {
    match waited {
        Waited::Signalled => Ok(()),
        Waited::Failed(what) => Err(lost(what)),
        Waited::TimedOut => Err(ze_result_t::ZE_RESULT_NOT_READY),
    }
}

pub(super) unsafe extern "C" fn query_kernel_timestamp(
    event: ze_event_handle_t,
    to: *mut ze_kernel_timestamp_result_t,
) -> ze_result_t {
    guard(|| {
        let event = get::<Event>(event)?;
        let times = event.timestamps().ok_or(ze_result_t::ZE_RESULT_NOT_READY)?;
        let data = ze_kernel_timestamp_data_t { kernelStart: times.start, kernelEnd: times.end };
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(to, ze_kernel_timestamp_result_t { global: data, context: data }) }
    })
}
