//! Pools of events: how many there may be, and for whom.

use super::context::{Context, check_devices};
use super::ipc::{IpcHandle, Kind};
use super::registry::{get, insert, objects, remove};
use super::structures::structures;
use super::{Answer, describe, guard, read, write};
use crate::memory::{Allocation, Origin as MemoryOrigin, SharedFile, Usage, page_size};
use crate::queue::{Event, Origin, SharedEvent, SharedEvents};
use level_zero_sys::{
    find_in_chain, ze_context_handle_t, ze_device_handle_t, ze_event_pool_desc_t, ze_event_pool_flags_t,
    ze_event_pool_handle_t, ze_ipc_event_pool_handle_t, ze_result_t,
};
use std::ffi::c_void;
use std::sync::Arc;

/// A pool: a number of events, and where their states are if other processes see them.
pub(super) struct EventPool {
    count: u32,
    flags: ze_event_pool_flags_t,
    context: Arc<Context>,
    shared: Option<Arc<SharedEvents>>,
    /// Whether it is that of another process.
    is_opened: bool,
    /// The flags of its events, if they are counter-based.
    counts: Option<u32>,
}

objects! { EventPool: ze_event_pool_handle_t = 7; }

impl EventPool {
    /// Whether it was made in a context.
    pub(super) fn is_of(&self, context: &Arc<Context>) -> bool {
        Arc::ptr_eq(&self.context, context)
    }

    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// An event of the pool.
    pub(super) fn event(&self, origin: Origin, index: u32) -> Answer<Event> {
        if let Some(counter_flags) = self.counts {
            let context = self.context.handle().0.addr();
            return Ok(Event::counter_based(Origin { counter_flags, context, ..origin }));
        }
        let Some(pool) = &self.shared else { return Ok(Event::new(origin)) };
        let shared = SharedEvent::new(pool, index).ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
        // Who opens an event of another process does not make it.
        if !self.is_opened {
            shared.reset();
        }
        Ok(Event::shared(origin, shared))
    }
}

pub(super) unsafe extern "C" fn create(
    context: ze_context_handle_t,
    descriptor: *const ze_event_pool_desc_t,
    count: u32,
    devices: *mut ze_device_handle_t,
    pool: *mut ze_event_pool_handle_t,
) -> ze_result_t {
    guard(|| {
        let context = get::<Context>(context)?;
        // SAFETY: the host passes valid pointers or null, and an array of `count` handles.
        let descriptor = unsafe {
            check_devices(count, devices)?;
            read(descriptor)?
        };
        if descriptor.count == 0 {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
        }
        let ze_event_pool_desc_t { count, flags, .. } = descriptor;
        let is_shared = flags.contains(ze_event_pool_flags_t::ZE_EVENT_POOL_FLAG_IPC);
        // SAFETY: the host passes a valid chain.
        let counts = unsafe { counter_flags(descriptor.pNext)? };
        if is_shared && counts.is_some() {
            describe("counter-based events are not shared with other processes");
            return Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
        }
        let shared = if is_shared { Some(Arc::new(states(count)?)) } else { None };
        let created = EventPool { count, flags, context, shared, is_opened: false, counts };
        // SAFETY: as above.
        unsafe { write(pool, insert(Arc::new(created))?) }
    })
}

structures! {
    /// `ze_event_pool_counter_based_exp_desc_t` of version 1.9.
    CounterBased = 0x0002_0014 { flags: u32 = 0, }
}

/// The flags of counter-based events, if the extensions of a descriptor want these.
///
/// # Safety
///
/// The chain must be valid.
unsafe fn counter_flags(next: *const c_void) -> Answer<Option<u32>> {
    // SAFETY: the caller vouches for the chain, and what is in it is valid for reads.
    let wanted = unsafe { find_in_chain::<CounterBased>(next).map(|wanted| wanted.read()) };
    match wanted {
        Some(CounterBased { flags, .. }) if flags >> 2 != 0 => {
            Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION)
        }
        wanted => Ok(wanted.map(|wanted| wanted.flags)),
    }
}

/// Room for the states of events that other processes see.
fn states(count: u32) -> Answer<SharedEvents> {
    let bytes = SharedEvents::bytes(count).and_then(|bytes| bytes.checked_next_multiple_of(page_size()));
    let memory = bytes.and_then(|bytes| {
        let file = Arc::new(SharedFile::new(bytes)?);
        Allocation::of_file(file, 0, bytes, Usage::Host, MemoryOrigin::Allocated)
    });
    memory.map(SharedEvents::new).ok_or(ze_result_t::ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY)
}

/// Ends a pool that was created here.
pub(super) unsafe extern "C" fn destroy(pool: ze_event_pool_handle_t) -> ze_result_t {
    guard(|| end(pool, false))
}

/// Ends a pool that was opened here.
pub(super) unsafe extern "C" fn close_ipc_handle(pool: ze_event_pool_handle_t) -> ze_result_t {
    guard(|| end(pool, true))
}

fn end(pool: ze_event_pool_handle_t, is_opened: bool) -> Answer {
    if get::<EventPool>(pool)?.is_opened != is_opened {
        describe("what is opened is closed, and what is created is destroyed");
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    remove::<EventPool>(pool).map(drop)
}

/// Makes a handle of a pool, by which other processes can have it as long as it is not destroyed.
pub(super) unsafe extern "C" fn get_ipc_handle(
    pool: ze_event_pool_handle_t,
    handle: *mut ze_ipc_event_pool_handle_t,
) -> ze_result_t {
    guard(|| {
        let pool = get::<EventPool>(pool)?;
        if handle.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        let shared = pool.shared.as_ref().and_then(|shared| shared.memory().share());
        let (file, offset) = shared.ok_or_else(|| {
            describe("the pool was created without ZE_EVENT_POOL_FLAG_IPC");
            ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT
        })?;
        let size = SharedEvents::bytes(pool.count).unwrap_or(0);
        let made = IpcHandle::new(Kind::Events, &file, offset, size, pool.flags.0)?;
        // SAFETY: the host passes a valid pointer.
        unsafe { write(handle, ze_ipc_event_pool_handle_t { data: made.bytes() }) }
    })
}

pub(super) unsafe extern "C" fn open_ipc_handle(
    context: ze_context_handle_t,
    handle: ze_ipc_event_pool_handle_t,
    pool: *mut ze_event_pool_handle_t,
) -> ze_result_t {
    guard(|| {
        let context = get::<Context>(context)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(pool, ze_event_pool_handle_t::NULL)? };
        let handle = IpcHandle::parse(&handle.data, Kind::Events)?;
        let bytes = SharedEvents::bytes(1).unwrap_or(1) as u64;
        let count = u32::try_from(handle.size / bytes).ok().filter(|&count| count != 0);
        let count = count.ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
        let shared = Some(Arc::new(SharedEvents::new(handle.open()?)));
        let flags = ze_event_pool_flags_t(handle.flags);
        let opened = EventPool { count, flags, context, shared, is_opened: true, counts: None };
        // SAFETY: as above.
        unsafe { write(pool, insert(Arc::new(opened))?) }
    })
}

/// `zeEventPoolPutIpcHandle` of version 1.6: says that nobody will open a handle any more. It holds nothing that could be given back.
pub(super) unsafe extern "C" fn put_ipc_handle(
    context: ze_context_handle_t,
    handle: ze_ipc_event_pool_handle_t,
) -> ze_result_t {
    guard(|| {
        get::<Context>(context)?;
        IpcHandle::parse(&handle.data, Kind::Events).map(drop)
    })
}

/// `zeEventPoolGetContextHandle` of version 1.9.
pub(super) unsafe extern "C" fn get_context_handle(
    pool: ze_event_pool_handle_t,
    context: *mut ze_context_handle_t,
) -> ze_result_t {
    guard(|| {
        let pool = get::<EventPool>(pool)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(context, pool.context.handle()) }
    })
}

/// `zeEventPoolGetFlags` of version 1.9.
pub(super) unsafe extern "C" fn get_flags(
    pool: ze_event_pool_handle_t,
    flags: *mut ze_event_pool_flags_t,
) -> ze_result_t {
    guard(|| {
        let pool = get::<EventPool>(pool)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(flags, pool.flags) }
    })
}
