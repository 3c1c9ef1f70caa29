//! Events.

use super::counter_event::forget_counter;
use super::device::Device;
use super::event_pool::EventPool;
use super::graph::{check_use, check_wait};
use super::registry::{Object, get, insert, objects, remove};
use super::{Answer, describe, guard, list, lost, read, timeout, write};
use crate::queue::{Event, Origin, Waited};
use level_zero_sys::{
    ze_device_handle_t, ze_event_desc_t, ze_event_handle_t, ze_event_pool_handle_t, ze_event_scope_flags_t,
    ze_kernel_timestamp_data_t, ze_kernel_timestamp_result_t, ze_result_t, ze_structure_type_t,
};
use std::ffi::c_void;
use std::sync::Arc;
use std::time::Duration;

objects! { Event: ze_event_handle_t = 8; }

pub(super) unsafe extern "C" fn create(
    pool: ze_event_pool_handle_t,
    descriptor: *const ze_event_desc_t,
    event: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        let of = get::<EventPool>(pool)?;
        // SAFETY: the host passes valid pointers or null.
        let descriptor = unsafe { read(descriptor)? };
        if descriptor.index >= of.count() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
        }
        let origin = Origin {
            pool: pool.0.addr(),
            signal_scope: descriptor.signal.0,
            wait_scope: descriptor.wait.0,
            ..Origin::default()
        };
        // SAFETY: as above.
        unsafe { write(event, insert(Arc::new(of.event(origin, descriptor.index)?))?) }
    })
}

pub(super) unsafe extern "C" fn destroy(event: ze_event_handle_t) -> ze_result_t {
    guard(|| end(event, false))
}

/// Ends an event that was created here, or one that was opened.
pub(super) fn end(event: ze_event_handle_t, is_opened: bool) -> Answer {
    let object = get::<Event>(event)?;
    if object.origin.is_opened != is_opened {
        describe("what is opened is closed, and what is created is destroyed");
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    remove::<Event>(event)?;
    forget_counter(&object);
    Ok(())
}

/// An event that can be signalled and reset, which one that counts cannot.
pub(super) fn of_host(event: ze_event_handle_t) -> Answer<Arc<Event>> {
    let event = get::<Event>(event)?;
    if event.is_counter_based() {
        describe("a counter-based event is neither signalled by the host nor reset");
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    Ok(event)
}

pub(super) unsafe extern "C" fn host_signal(event: ze_event_handle_t) -> ze_result_t {
    guard(|| {
        of_host(event)?.signal();
        Ok(())
    })
}

pub(super) unsafe extern "C" fn host_reset(event: ze_event_handle_t) -> ze_result_t {
    guard(|| {
        of_host(event)?.reset();
        Ok(())
    })
}

pub(super) unsafe extern "C" fn host_synchronize(event: ze_event_handle_t, nanoseconds: u64) -> ze_result_t {
    guard(|| {
        let event = get::<Event>(event)?;
        check_wait(&event)?;
        answer(event.wait(timeout(nanoseconds)))
    })
}

pub(super) unsafe extern "C" fn query_status(event: ze_event_handle_t) -> ze_result_t {
    guard(|| {
        let event = get::<Event>(event)?;
        check_use(&event)?;
        answer(event.wait(Some(Duration::ZERO)))
    })
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

/// The timestamps of an event that has been signalled.
fn timestamps(event: ze_event_handle_t) -> Answer<ze_kernel_timestamp_result_t> {
    let event = get::<Event>(event)?;
    check_use(&event)?;
    let times = event.timestamps().ok_or(ze_result_t::ZE_RESULT_NOT_READY)?;
    let data = ze_kernel_timestamp_data_t { kernelStart: times.start, kernelEnd: times.end };
    Ok(ze_kernel_timestamp_result_t { global: data, context: data })
}

pub(super) unsafe extern "C" fn query_kernel_timestamp(
    event: ze_event_handle_t,
    to: *mut ze_kernel_timestamp_result_t,
) -> ze_result_t {
    // SAFETY: the host passes a valid pointer or null.
    guard(|| unsafe { write(to, timestamps(event)?) })
}

/// A command is one piece of work to the device, so there is one result.
pub(super) unsafe extern "C" fn query_timestamps(
    event: ze_event_handle_t,
    device: ze_device_handle_t,
    count: *mut u32,
    to: *mut ze_kernel_timestamp_result_t,
) -> ze_result_t {
    guard(|| {
        get::<Device>(device)?;
        let result = timestamps(event)?;
        // SAFETY: the host passes pointers as the specification says.
        unsafe { list(count, to, &[result]) }
    })
}

/// `ze_event_query_kernel_timestamps_results_ext_properties_t` of version 1.6.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct TimestampResults {
    stype: ze_structure_type_t,
    next: *mut c_void,
    /// Where the timestamps of the device go.
    kernel: *mut ze_kernel_timestamp_result_t,
    /// Where those of the host's clock go.
    synchronized: *mut ze_kernel_timestamp_result_t,
}

/// `zeEventQueryKernelTimestampsExt` of version 1.6. The device's clock is the host's, so that the times of both are the same.
pub(super) unsafe extern "C" fn query_kernel_timestamps(
    event: ze_event_handle_t,
    device: ze_device_handle_t,
    count: *mut u32,
    results: *mut TimestampResults,
) -> ze_result_t {
    guard(|| {
        get::<Device>(device)?;
        let result = timestamps(event)?;
        // SAFETY: the host passes valid pointers or null, and arrays of `count` results or null.
        unsafe {
            if results.is_null() || read(count)? == 0 {
                return write(count, 1);
            }
            let results = read(results)?;
            let room = read(count)?;
            if !results.synchronized.is_null() {
                list(count, results.synchronized, &[result])?;
                write(count, room)?;
            }
            list(count, results.kernel, &[result])
        }
    })
}

/// `zeEventGetEventPool` of version 1.9.
pub(super) unsafe extern "C" fn get_event_pool(
    event: ze_event_handle_t,
    pool: *mut ze_event_pool_handle_t,
) -> ze_result_t {
    guard(|| {
        let origin = get::<Event>(event)?.origin.pool;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(pool, EventPool::to_handle(origin)) }
    })
}

/// `zeEventGetSignalScope` of version 1.9.
pub(super) unsafe extern "C" fn get_signal_scope(
    event: ze_event_handle_t,
    scope: *mut ze_event_scope_flags_t,
) -> ze_result_t {
    guard(|| {
        let origin = get::<Event>(event)?.origin;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(scope, ze_event_scope_flags_t(origin.signal_scope)) }
    })
}

/// `zeEventGetWaitScope` of version 1.9.
pub(super) unsafe extern "C" fn get_wait_scope(
    event: ze_event_handle_t,
    scope: *mut ze_event_scope_flags_t,
) -> ze_result_t {
    guard(|| {
        let origin = get::<Event>(event)?.origin;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(scope, ze_event_scope_flags_t(origin.wait_scope)) }
    })
}
