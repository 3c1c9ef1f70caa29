//! Command queues.

use super::command_list::CommandList;
use super::context::Context;
use super::device::Device;
use super::fence::Fence;
use super::registry::{each, get, insert, objects, remove};
use super::{Answer, guard, lost, read, timeout, write};
use crate::queue::{Pending, Stream};
use level_zero_sys::{
    ze_command_list_handle_t, ze_command_queue_desc_t, ze_command_queue_flags_t, ze_command_queue_handle_t,
    ze_command_queue_mode_t, ze_command_queue_priority_t, ze_context_handle_t, ze_device_handle_t,
    ze_fence_handle_t, ze_result_t,
};
use std::sync::Arc;

/// A queue.
pub(super) struct Queue {
    stream: Stream,
    /// Whether executing lists waits for them.
    synchronous: bool,
    wanted: Wanted,
}

/// What the host has said of a queue when it made it, and may ask for.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// Its number in the group of queues.
    pub(super) index: u32,
    pub(super) flags: ze_command_queue_flags_t,
    pub(super) mode: ze_command_queue_mode_t,
    pub(super) priority: ze_command_queue_priority_t,
}

objects! { Queue: ze_command_queue_handle_t = 10; }

/// Makes the stream of a context that a descriptor asks for; also says whether it is synchronous, and what was asked for.
///
/// # Safety
///
/// The pointer must be null or valid for a read.
pub(super) unsafe fn stream(
    context: &Context,
    descriptor: *const ze_command_queue_desc_t,
) -> Answer<(Stream, bool, Wanted)> {
    // SAFETY: the caller vouches for the pointer.
    let descriptor = unsafe { read(descriptor)? };
    if descriptor.ordinal != 0 {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    let synchronous = match descriptor.mode {
        ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS => true,
        ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_DEFAULT
        | ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS => false,
        _ => return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION),
    };
    let stream = Stream::new().ok_or(ze_result_t::ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY)?;
    context.adopt(&stream);
    let ze_command_queue_desc_t { index, flags, mode, priority, .. } = descriptor;
    Ok((stream, synchronous, Wanted { index, flags, mode, priority }))
}

/// Waits for a stream and reports its failure.
pub(super) fn synchronize_stream(stream: &Stream, nanoseconds: u64) -> Answer {
    if !stream.wait(timeout(nanoseconds)) {
        return Err(ze_result_t::ZE_RESULT_NOT_READY);
    }
    stream.failure().take().map_or(Ok(()), |what| Err(lost(what)))
}

pub(super) unsafe extern "C" fn create(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    descriptor: *const ze_command_queue_desc_t,
    queue: *mut ze_command_queue_handle_t,
) -> ze_result_t {
    guard(|| {
        let context = get::<Context>(context)?;
        get::<Device>(device)?;
        // SAFETY: the host passes valid pointers or null.
        unsafe {
            write(queue, ze_command_queue_handle_t::NULL)?;
            let (stream, synchronous, wanted) = stream(&context, descriptor)?;
            write(queue, insert(Arc::new(Queue { stream, synchronous, wanted }))?)
        }
    })
}

/// Stops what the queue is doing.
pub(super) unsafe extern "C" fn destroy(queue: ze_command_queue_handle_t) -> ze_result_t {
    // Others may be waiting for the queue, and keep it alive so long.
    guard(|| remove::<Queue>(queue).map(|queue| queue.stream.close()))
}

pub(super) unsafe extern "C" fn execute_command_lists(
    queue: ze_command_queue_handle_t,
    count: u32,
    lists: *mut ze_command_list_handle_t,
    fence: ze_fence_handle_t,
) -> ze_result_t {
    guard(|| {
        let queue = get::<Queue>(queue)?;
        if count == 0 {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
        }
        if lists.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        let fence = if fence.is_null() { None } else { Some(get::<Fence>(fence)?) };
        if fence.as_ref().is_some_and(|fence| !fence.is_of(&queue)) {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT);
        }
        // All lists are checked before the first is submitted.
        // SAFETY: the host passes an array of `count` handles.
        let lists = unsafe { each::<CommandList>(count, lists) };
        let closed = lists.map(|list| list?.closed()).collect::<Answer<Vec<_>>>()?;
        closed.into_iter().for_each(|list| list.submit(&queue.stream));
        if let Some(fence) = fence {
            queue.stream.submit(Pending::Signal(Arc::clone(&fence.event)));
        }
        if queue.synchronous { synchronize_stream(&queue.stream, u64::MAX) } else { Ok(()) }
    })
}

pub(super) unsafe extern "C" fn synchronize(
    queue: ze_command_queue_handle_t,
    nanoseconds: u64,
) -> ze_result_t {
    guard(|| synchronize_stream(&get::<Queue>(queue)?.stream, nanoseconds))
}

/// `zeCommandQueueGetOrdinal` of version 1.9: there is one group of queues.
pub(super) unsafe extern "C" fn get_ordinal(
    queue: ze_command_queue_handle_t,
    ordinal: *mut u32,
) -> ze_result_t {
    guard(|| {
        get::<Queue>(queue)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(ordinal, 0) }
    })
}

/// `zeCommandQueueGetIndex` of version 1.9.
pub(super) unsafe extern "C" fn get_index(queue: ze_command_queue_handle_t, index: *mut u32) -> ze_result_t {
    guard(|| {
        let queue = get::<Queue>(queue)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(index, queue.wanted.index) }
    })
}

/// `zeCommandQueueGetFlags` of version 1.17.
pub(super) unsafe extern "C" fn get_flags(
    queue: ze_command_queue_handle_t,
    flags: *mut ze_command_queue_flags_t,
) -> ze_result_t {
    // SAFETY: the host passes a valid pointer or null.
    guard(|| unsafe { write(flags, get::<Queue>(queue)?.wanted.flags) })
}

/// `zeCommandQueueGetMode` of version 1.17.
pub(super) unsafe extern "C" fn get_mode(
    queue: ze_command_queue_handle_t,
    mode: *mut ze_command_queue_mode_t,
) -> ze_result_t {
    // SAFETY: the host passes a valid pointer or null.
    guard(|| unsafe { write(mode, get::<Queue>(queue)?.wanted.mode) })
}

/// `zeCommandQueueGetPriority` of version 1.17.
pub(super) unsafe extern "C" fn get_priority(
    queue: ze_command_queue_handle_t,
    priority: *mut ze_command_queue_priority_t,
) -> ze_result_t {
    // SAFETY: the host passes a valid pointer or null.
    guard(|| unsafe { write(priority, get::<Queue>(queue)?.wanted.priority) })
}
