//! Fences: what a queue signals when the lists that were executed with them are done.

use super::command_queue::Queue;
use super::event::answer;
use super::registry::{get, insert, objects, remove};
use super::{guard, read, timeout, write};
use crate::queue::Event;
use level_zero_sys::{
    ze_command_queue_handle_t, ze_fence_desc_t, ze_fence_flags_t, ze_fence_handle_t, ze_result_t,
};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// A fence.
pub(super) struct Fence {
    pub(super) event: Arc<Event>,
    queue: Weak<Queue>,
}

impl Fence {
    /// Whether a queue may signal the fence: it belongs to one.
    pub(super) fn is_of(&self, queue: &Arc<Queue>) -> bool {
        Weak::ptr_eq(&self.queue, &Arc::downgrade(queue))
    }
}

objects! { Fence: ze_fence_handle_t = 9; }

pub(super) unsafe extern "C" fn create(
    queue: ze_command_queue_handle_t,
    descriptor: *const ze_fence_desc_t,
    fence: *mut ze_fence_handle_t,
) -> ze_result_t {
    guard(|| {
        let queue = Arc::downgrade(&get::<Queue>(queue)?);
        // SAFETY: the host passes valid pointers or null.
        let descriptor = unsafe { read(descriptor)? };
        let event = Arc::new(Event::default());
        if descriptor.flags.contains(ze_fence_flags_t::ZE_FENCE_FLAG_SIGNALED) {
            event.signal();
        }
        // SAFETY: as above.
        unsafe { write(fence, insert(Arc::new(Fence { event, queue }))?) }
    })
}

pub(super) unsafe extern "C" fn destroy(fence: ze_fence_handle_t) -> ze_result_t {
    guard(|| remove::<Fence>(fence).map(drop))
}

pub(super) unsafe extern "C" fn host_synchronize(fence: ze_fence_handle_t, nanoseconds: u64) -> ze_result_t {
    guard(|| answer(get::<Fence>(fence)?.event.wait(timeout(nanoseconds))))
}

pub(super) unsafe extern "C" fn query_status(fence: ze_fence_handle_t) -> ze_result_t {
    guard(|| answer(get::<Fence>(fence)?.event.wait(Some(Duration::ZERO))))
}

pub(super) unsafe extern "C" fn reset(fence: ze_fence_handle_t) -> ze_result_t {
    guard(|| {
        get::<Fence>(fence)?.event.reset();
        Ok(())
    })
}
