//! Counter-based events without a pool, of versions 1.15 to 1.17: where they count, and how other processes have them.
//!
//! An event stands for the command that was appended last with it as its signal. It has no counter in memory unless somebody asks for one, or says where to count.

use super::context::Context;
use super::device::Device;
use super::event::end;
use super::graph::check_use;
use super::ipc::{Bytes, IpcHandle, Kind};
use super::registry::{Object, get, insert};
use super::structures::{complete, structures};
use super::{Answer, describe, guard, read, write};
use crate::memory::{Allocation, Origin as MemoryOrigin, SharedFile, Usage, page_size};
use crate::queue::{CounterAddress, Event, Origin, SharedCounter, Watched};
use level_zero_sys::{
    find_in_chain, ze_context_handle_t, ze_device_handle_t, ze_event_handle_t, ze_result_t,
};
use std::ffi::c_void;
use std::sync::Arc;

/// `ze_event_counter_based_flag_t`.
mod flags {
    pub(super) const IPC: u32 = 1 << 3;
    pub(super) const DEVICE_TIMESTAMP: u32 = 1 << 4;
    pub(super) const HOST_TIMESTAMP: u32 = 1 << 5;
    /// All that the version has.
    pub(super) const KNOWN: u32 = (1 << 7) - 1;
}

structures! {
    /// `ze_event_counter_based_desc_t`.
    Descriptor = 0x0002_003a { flags: u32 = 0, signal: u32 = 0, wait: u32 = 0, }
    /// `ze_event_counter_based_external_sync_allocation_desc_t`.
    SyncAllocation = 0x0002_003b {
        device: *mut u64 = std::ptr::null_mut(), host: *mut u64 = std::ptr::null_mut(), value: u64 = 0,
    }
    /// `ze_event_sync_mode_desc_t`.
    SyncMode = 0x0002_003c { flags: u32 = 0, interrupt: u32 = 0, }
    /// `ze_device_event_properties_t`.
    Properties = 0x0002_003e { flags: u32 = 0, }
    /// `ze_event_counter_based_external_aggregate_storage_desc_t`.
    AggregateStorage = 0x0002_003f {
        device: *mut u64 = std::ptr::null_mut(), increment: u64 = 0, value: u64 = 0,
    }
}

/// Says in the properties of the device what such events can do, if they are asked.
///
/// # Safety
///
/// The chain must be valid, and nobody else may look at it meanwhile.
pub(super) unsafe fn fill_properties(next: *const c_void) {
    /// Counters of the host program's, of both kinds; and events for other processes, where there are files for them. There are no interrupts to wait for.
    const FLAGS: u32 = 1 | 1 << 2 | if cfg!(target_os = "linux") { 1 << 1 } else { 0 };
    // SAFETY: the caller vouches for the chain.
    unsafe { complete::<Properties>(next, |properties| properties.flags = FLAGS) }
}

/// `zeDeviceGetCounterBasedEventMaxValue` of version 1.17: a counter may have any value.
pub(super) unsafe extern "C" fn get_max_value(device: ze_device_handle_t, value: *mut u64) -> ze_result_t {
    guard(|| {
        get::<Device>(device)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(value, u64::MAX) }
    })
}

/// `zeDeviceGetAggregatedCopyOffloadIncrementValue` of version 1.15: a command is done as one, whatever it is, and so counts once.
pub(super) unsafe extern "C" fn get_increment(device: ze_device_handle_t, value: *mut u32) -> ze_result_t {
    guard(|| {
        get::<Device>(device)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(value, 1) }
    })
}

/// `zeEventCounterBasedCreate` of version 1.15.
pub(super) unsafe extern "C" fn create(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    descriptor: *const Descriptor,
    event: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        let owner = get::<Context>(context)?;
        get::<Device>(device)?;
        // SAFETY: the host passes valid pointers or null, and a valid chain.
        let (descriptor, watched) = unsafe {
            write(event, ze_event_handle_t::NULL)?;
            let descriptor = read(descriptor)?;
            check(&descriptor)?;
            (descriptor, watched(&owner, descriptor.next)?)
        };
        let Descriptor { flags, signal, wait, .. } = descriptor;
        let origin = Origin {
            signal_scope: signal,
            wait_scope: wait,
            counter_flags: flags,
            context: context.0.addr(),
            ..Origin::default()
        };
        let created = match (watched, flags & flags::IPC != 0) {
            (None, false) => Event::counter_based(origin),
            (None, true) => Event::numbered(origin, Arc::new(shared_counter()?)),
            (Some(watched), false) => Event::watched(origin, watched),
            (Some(_), true) => {
                describe("other processes do not have the counters of this one");
                return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
            }
        };
        // SAFETY: as above.
        unsafe { write(event, insert(Arc::new(created))?) }
    })
}

/// Whether there can be such an event.
///
/// # Safety
///
/// The chain of the descriptor must be valid.
unsafe fn check(descriptor: &Descriptor) -> Answer {
    let Descriptor { flags, signal, wait, .. } = *descriptor;
    if (flags & !flags::KNOWN) | ((signal | wait) & !7) != 0 {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
    }
    let times = flags & (flags::DEVICE_TIMESTAMP | flags::HOST_TIMESTAMP);
    if times.count_ones() > 1 || times != 0 && flags & flags::IPC != 0 {
        describe("an event has one kind of timestamps, and none if other processes have it");
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    /// `ZE_EVENT_SYNC_MODE_FLAG_EXTERNAL_INTERRUPT_WAIT`, and all flags of such modes.
    const INTERRUPT: u32 = 1 << 2;
    const MODES: u32 = (1 << 3) - 1;
    // SAFETY: the caller vouches for the chain, and what is in it is valid for reads.
    let mode = unsafe { find_in_chain::<SyncMode>(descriptor.next).map(|mode| mode.read()) };
    match mode.map_or(0, |mode| mode.flags) {
        mode if mode & !MODES != 0 => Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION),
        mode if mode & INTERRUPT != 0 => {
            describe("there are no interrupts that the host could wait for");
            Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION)
        }
        _ => Ok(()),
    }
}

/// The counter of the host program's that a descriptor names, if it names one.
///
/// # Safety
///
/// The chain must be valid.
unsafe fn watched(context: &Context, next: *const c_void) -> Answer<Option<Watched>> {
    // SAFETY: the caller vouches for the chain, and what is in it is valid for reads.
    let (allocation, storage) = unsafe {
        let allocation = find_in_chain::<SyncAllocation>(next).map(|found| found.read());
        (allocation, find_in_chain::<AggregateStorage>(next).map(|found| found.read()))
    };
    let memory = context.memory.snapshot();
    let place = |address| {
        CounterAddress::new(address, &memory).ok_or_else(|| {
            describe("a counter is at an address that is a multiple of 8, and all of it is in the allocation that it begins in");
            ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT
        })
    };
    match (allocation, storage) {
        (None, None) => Ok(None),
        (Some(SyncAllocation { device, host, value, .. }), None) => {
            Ok(Some(Watched { device: place(device)?, host: place(host)?, value, increment: None }))
        }
        (None, Some(AggregateStorage { device, increment, value, .. })) => {
            let (device, host) = (place(device)?, place(device)?);
            if increment == 0 || !device.is_written_by_device() {
                describe("signals add something to a counter in memory of the context that may be written");
                return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
            }
            Ok(Some(Watched { device, host, value, increment: Some(increment) }))
        }
        (Some(_), Some(_)) => {
            describe("an event has one counter, which either the host program sets or signals add to");
            Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)
        }
    }
}

/// The state of an event that other processes will have.
fn shared_counter() -> Answer<SharedCounter> {
    let made = || {
        let bytes = SharedCounter::BYTES.next_multiple_of(page_size());
        let file = Arc::new(SharedFile::new(bytes)?);
        let memory = Allocation::of_file(file, 0, bytes, Usage::Device, MemoryOrigin::Counters)?;
        SharedCounter::new(Arc::new(memory))
    };
    made().ok_or(ze_result_t::ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY)
}

/// A counter-based event.
fn counter_based(event: ze_event_handle_t, code: ze_result_t) -> Answer<Arc<Event>> {
    let event = get::<Event>(event)?;
    if event.is_counter_based() {
        return Ok(event);
    }
    describe("the event is not counter-based");
    Err(code)
}

/// `zeEventGetCounterBasedFlags` of version 1.17.
pub(super) unsafe extern "C" fn get_flags(event: ze_event_handle_t, flags: *mut u32) -> ze_result_t {
    guard(|| {
        let event = counter_based(event, ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(flags, event.origin.counter_flags) }
    })
}

/// The context of an event.
fn context_of(event: &Event) -> Answer<Arc<Context>> {
    get::<Context>(Context::to_handle(event.origin.context))
}

/// `zeEventCounterBasedGetDeviceAddress` of version 1.15: where the counter is of the command that the event stands for now, and what it is when the command is done.
pub(super) unsafe extern "C" fn get_device_address(
    event: ze_event_handle_t,
    value: *mut u64,
    address: *mut u64,
) -> ze_result_t {
    guard(|| {
        let event = counter_based(event, ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
        check_use(&event)?;
        if value.is_null() || address.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        let (place, reached) = place(&event)?;
        // SAFETY: the host passes valid pointers.
        unsafe {
            write(value, reached)?;
            write(address, place)
        }
    })
}

/// Where kernels find the counter of what an event stands for, and what it reaches.
fn place(event: &Arc<Event>) -> Answer<(u64, u64)> {
    let current = event.latest().unwrap_or_else(|| Arc::clone(event));
    let context = context_of(event)?;
    if let Some(shared) = event.shared_counter() {
        let memory = shared.memory();
        if context.memory.snapshot().find(memory.span().start).is_none() {
            context.memory.insert(Arc::clone(memory));
        }
    }
    if let Some(place) = current.place() {
        return Ok(place);
    }
    let counter = context.counters.give(&current, |bytes| {
        let memory = Arc::new(Allocation::of_counters(bytes)?);
        context.memory.insert(Arc::clone(&memory));
        Some(memory)
    });
    counter.map(|counter| counter.place()).ok_or(ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)
}

/// Has kernels not find the counter any more of an event that other processes have, and that ends here.
pub(super) fn forget_counter(event: &Event) {
    if let (Some(shared), Ok(context)) = (event.shared_counter(), context_of(event)) {
        let id = shared.memory().id;
        context.memory.remove(|allocation| allocation.id == id);
    }
}

/// `ze_ipc_event_counter_based_handle_t`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct CounterHandle {
    data: Bytes,
}

/// `zeEventCounterBasedGetIpcHandle` of version 1.15: by its handle other processes have the event as long as it is not destroyed.
pub(super) unsafe extern "C" fn get_ipc_handle(
    event: ze_event_handle_t,
    handle: *mut CounterHandle,
) -> ze_result_t {
    guard(|| {
        let event = counter_based(event, ze_result_t::ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT)?;
        if handle.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        let shared = event.shared_counter().and_then(|shared| shared.memory().share());
        let (file, offset) = shared.ok_or_else(|| {
            describe("the event was created without ZE_EVENT_COUNTER_BASED_FLAG_IPC");
            ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT
        })?;
        let Origin { counter_flags, signal_scope, wait_scope, .. } = event.origin;
        let flags = counter_flags | signal_scope << 8 | wait_scope << 16;
        let made = IpcHandle::new(Kind::Counter, &file, offset, SharedCounter::BYTES, flags)?;
        // SAFETY: the host passes a valid pointer.
        unsafe { write(handle, CounterHandle { data: made.bytes() }) }
    })
}

/// `zeEventCounterBasedOpenIpcHandle` of version 1.15.
pub(super) unsafe extern "C" fn open_ipc_handle(
    context: ze_context_handle_t,
    handle: CounterHandle,
    event: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        get::<Context>(context)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(event, ze_event_handle_t::NULL)? };
        let handle = IpcHandle::parse(&handle.data, Kind::Counter)?;
        if (handle.offset, handle.size) != (0, SharedCounter::BYTES as u64) {
            describe("it is no handle of a whole event");
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
        }
        let memory = Arc::new(handle.open_as(MemoryOrigin::Counters)?);
        let shared = SharedCounter::new(memory).ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
        let origin = Origin {
            signal_scope: handle.flags >> 8 & 7,
            wait_scope: handle.flags >> 16 & 7,
            counter_flags: handle.flags & flags::KNOWN,
            context: context.0.addr(),
            is_opened: true,
            ..Origin::default()
        };
        // SAFETY: as above.
        unsafe { write(event, insert(Arc::new(Event::numbered(origin, Arc::new(shared))))?) }
    })
}

/// `zeEventCounterBasedCloseIpcHandle` of version 1.15.
pub(super) unsafe extern "C" fn close_ipc_handle(event: ze_event_handle_t) -> ze_result_t {
    guard(|| {
        counter_based(event, ze_result_t::ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT)?;
        end(event, true)
    })
}
