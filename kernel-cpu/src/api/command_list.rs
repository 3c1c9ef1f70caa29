//! Command lists, and what can be appended to them besides launches.

use super::command_queue::{Wanted, stream};
use super::context::Context;
use super::device::Device;
use super::event::of_host;
use super::mutable::wants_changes;
use super::recording::{Appended, Recorder};
use super::registry::{each, get, insert, objects, remove};
use super::{Answer, describe, fail, guard, read, write};
use crate::memory::{Snapshot, Span};
use crate::queue::{Action, Event, FillPattern, HostFunction, Region};
use level_zero_sys::{
    ze_bool_t, ze_command_list_desc_t, ze_command_list_flags_t, ze_command_list_handle_t,
    ze_command_queue_desc_t, ze_command_queue_flags_t, ze_command_queue_mode_t, ze_command_queue_priority_t,
    ze_context_handle_t, ze_copy_region_t, ze_device_handle_t, ze_event_handle_t,
    ze_kernel_timestamp_result_t, ze_memory_advice_t, ze_result_t,
};
use std::ffi::c_void;
use std::sync::Arc;

/// A command list.
pub(super) type CommandList = Recorder;

objects! { CommandList: ze_command_list_handle_t = 11; }

pub(super) unsafe extern "C" fn create(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    descriptor: *const ze_command_list_desc_t,
    list: *mut ze_command_list_handle_t,
) -> ze_result_t {
    guard(|| {
        let context = get::<Context>(context)?;
        get::<Device>(device)?;
        // SAFETY: the host passes valid pointers or null.
        unsafe {
            let descriptor = read(descriptor)?;
            if descriptor.commandQueueGroupOrdinal != 0 {
                return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
            }
            let is_mutable = wants_changes(descriptor.pNext);
            write(list, ze_command_list_handle_t::NULL)?;
            write(list, insert(Arc::new(Recorder::regular((context, device), descriptor.flags, is_mutable)))?)
        }
    })
}

pub(super) unsafe extern "C" fn create_immediate(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    descriptor: *const ze_command_queue_desc_t,
    list: *mut ze_command_list_handle_t,
) -> ze_result_t {
    guard(|| {
        let context = get::<Context>(context)?;
        get::<Device>(device)?;
        // SAFETY: the host passes valid pointers or null.
        unsafe {
            write(list, ze_command_list_handle_t::NULL)?;
            let (stream, synchronous, wanted) = stream(&context, descriptor)?;
            write(
                list,
                insert(Arc::new(Recorder::immediate((context, device), stream, synchronous, wanted)))?,
            )
        }
    })
}

/// Stops what an immediate list is doing.
pub(super) unsafe extern "C" fn destroy(list: ze_command_list_handle_t) -> ze_result_t {
    // Others may be waiting for the list, and keep it alive so long.
    guard(|| remove::<CommandList>(list).map(|list| list.stop()))
}

pub(super) unsafe extern "C" fn close(list: ze_command_list_handle_t) -> ze_result_t {
    guard(|| get::<CommandList>(list)?.close())
}

pub(super) unsafe extern "C" fn reset(list: ze_command_list_handle_t) -> ze_result_t {
    guard(|| get::<CommandList>(list)?.reset())
}

/// `zeCommandListHostSynchronize` of version 1.6: waits for an immediate list.
pub(super) unsafe extern "C" fn host_synchronize(
    list: ze_command_list_handle_t,
    nanoseconds: u64,
) -> ze_result_t {
    guard(|| get::<CommandList>(list)?.synchronize(nanoseconds))
}

/// `zeCommandListGetDeviceHandle` of version 1.9.
pub(super) unsafe extern "C" fn get_device_handle(
    list: ze_command_list_handle_t,
    device: *mut ze_device_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(device, list.device) }
    })
}

/// `zeCommandListGetContextHandle` of version 1.9.
pub(super) unsafe extern "C" fn get_context_handle(
    list: ze_command_list_handle_t,
    context: *mut ze_context_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(context, list.context.handle()) }
    })
}

/// `zeCommandListGetOrdinal` of version 1.9: there is one group of queues.
pub(super) unsafe extern "C" fn get_ordinal(
    list: ze_command_list_handle_t,
    ordinal: *mut u32,
) -> ze_result_t {
    guard(|| {
        get::<CommandList>(list)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(ordinal, 0) }
    })
}

/// `zeCommandListImmediateGetIndex` of version 1.9.
pub(super) unsafe extern "C" fn immediate_get_index(
    list: ze_command_list_handle_t,
    index: *mut u32,
) -> ze_result_t {
    guard(|| {
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(index, wanted(list)?.index) }
    })
}

/// What the host has said of the queue of an immediate list.
fn wanted(list: ze_command_list_handle_t) -> Answer<Wanted> {
    get::<CommandList>(list)?.wanted().ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE)
}

/// `zeCommandListImmediateGetFlags` of version 1.17.
pub(super) unsafe extern "C" fn immediate_get_flags(
    list: ze_command_list_handle_t,
    flags: *mut ze_command_queue_flags_t,
) -> ze_result_t {
    // SAFETY: the host passes a valid pointer or null.
    guard(|| unsafe { write(flags, wanted(list)?.flags) })
}

/// `zeCommandListImmediateGetMode` of version 1.17.
pub(super) unsafe extern "C" fn immediate_get_mode(
    list: ze_command_list_handle_t,
    mode: *mut ze_command_queue_mode_t,
) -> ze_result_t {
    // SAFETY: the host passes a valid pointer or null.
    guard(|| unsafe { write(mode, wanted(list)?.mode) })
}

/// `zeCommandListImmediateGetPriority` of version 1.17.
pub(super) unsafe extern "C" fn immediate_get_priority(
    list: ze_command_list_handle_t,
    priority: *mut ze_command_queue_priority_t,
) -> ze_result_t {
    // SAFETY: the host passes a valid pointer or null.
    guard(|| unsafe { write(priority, wanted(list)?.priority) })
}

/// `zeCommandListGetFlags` of version 1.17, of lists that are not immediate.
pub(super) unsafe extern "C" fn get_flags(
    list: ze_command_list_handle_t,
    flags: *mut ze_command_list_flags_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        if list.wanted().is_some() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
        }
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(flags, list.flags) }
    })
}

/// `zeCommandListIsMutableExp` of version 1.17.
pub(super) unsafe extern "C" fn is_mutable(
    list: ze_command_list_handle_t,
    mutable: *mut ze_bool_t,
) -> ze_result_t {
    // SAFETY: the host passes a valid pointer or null.
    guard(|| unsafe { write(mutable, get::<CommandList>(list)?.is_mutable.into()) })
}

/// `zeCommandListIsImmediate` of version 1.9.
pub(super) unsafe extern "C" fn is_immediate(
    list: ze_command_list_handle_t,
    immediate: *mut ze_bool_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(immediate, list.wanted().is_some().into()) }
    })
}

/// `zeCommandListImmediateAppendCommandListsExp` of version 1.9.
pub(super) unsafe extern "C" fn immediate_append_command_lists(
    list: ze_command_list_handle_t,
    count: u32,
    lists: *mut ze_command_list_handle_t,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        if lists.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        // All lists are checked before the first is submitted.
        // SAFETY: the host passes an array of `count` handles.
        let lists = unsafe { each::<CommandList>(count, lists) };
        let closed = lists.map(|list| list?.closed().map(Appended::List)).collect::<Answer<Vec<_>>>()?;
        if !list.is_immediate() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
        }
        // SAFETY: the host passes an array of `wait_count` handles.
        unsafe { list.append_all(closed, signal, wait_count, waits) }
    })
}

/// `zeCommandListAppendHostFunction` of version 1.15: has the host program's function called when all before it is done. There are no
/// extensions of it here.
pub(super) unsafe extern "C" fn append_host_function(
    list: ze_command_list_handle_t,
    function: Option<unsafe extern "C" fn(*mut c_void)>,
    data: *mut c_void,
    extensions: *const c_void,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        let function = function.ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER)?;
        check_extensions(extensions)?;
        let action = Action::HostFunction(HostFunction { function, data });
        // SAFETY: the host passes an array of `wait_count` handles.
        unsafe { list.append(action, signal, wait_count, waits) }
    })
}

/// Commands are in order, so that a barrier has nothing to do but to signal.
pub(super) unsafe extern "C" fn append_barrier(
    list: ze_command_list_handle_t,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    // SAFETY: the host passes an array of `wait_count` handles.
    guard(|| unsafe { get::<CommandList>(list)?.append(Action::Nothing, signal, wait_count, waits) })
}

pub(super) unsafe extern "C" fn append_memory_ranges_barrier(
    list: ze_command_list_handle_t,
    _count: u32,
    sizes: *const usize,
    ranges: *mut *const c_void,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    if sizes.is_null() || ranges.is_null() {
        return fail(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    // SAFETY: the host passes what a barrier needs.
    unsafe { append_barrier(list, signal, wait_count, waits) }
}

/// How the range of a command is checked: [`range`] or [`target`].
pub(super) type CheckRange = fn(&Snapshot, *const c_void, usize) -> Answer<u64>;

/// The address of a range that a command may read.
///
/// A range that starts in an allocation must lie in it. One elsewhere is memory of the host program, and its
/// own affair, unless the program has reserved it.
pub(super) fn range(memory: &Snapshot, pointer: *const c_void, size: usize) -> Answer<u64> {
    if pointer.is_null() {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    let address = pointer.addr() as u64;
    address.checked_add(size as u64).ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE)?;
    match memory.find(address) {
        Some(found) if found.span().contains(address, size as u64) => Ok(address),
        Some(_) => Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE),
        None if memory.is_reserved(Span { start: address, length: size as u64 }) => {
            describe("the addresses are reserved, and nothing is mapped there that may be accessed");
            Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)
        }
        None => Ok(address),
    }
}

/// The address of a range that a command may write to, as by [`range`].
pub(super) fn target(memory: &Snapshot, pointer: *const c_void, size: usize) -> Answer<u64> {
    let address = range(memory, pointer, size)?;
    if memory.find(address).is_some_and(|found| found.is_read_only) {
        describe("a command is to write to memory that may only be read");
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    Ok(address)
}

fn overlap(a: u64, b: u64, size: usize) -> bool {
    let inside = |start: u64, address: u64| Span { start, length: size as u64 }.contains(address, 1);
    inside(a, b) || inside(b, a)
}

pub(super) unsafe extern "C" fn append_memory_copy(
    list: ze_command_list_handle_t,
    to: *mut c_void,
    from: *const c_void,
    size: usize,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        let memory = list.memory();
        let (to, from) = (target(&memory, to, size)?, range(&memory, from, size)?);
        if overlap(to, from, size) {
            return Err(ze_result_t::ZE_RESULT_ERROR_OVERLAPPING_REGIONS);
        }
        // SAFETY: the host passes an array of `wait_count` handles.
        unsafe { list.append(Action::Copy { to, from, size, memory }, signal, wait_count, waits) }
    })
}

/// Refuses what is said of a command beside what it has always taken, since nothing of that is known.
pub(super) fn check_extensions(extensions: *const c_void) -> Answer {
    if extensions.is_null() { Ok(()) } else { Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) }
}

/// Appends a command of which nothing else is said.
fn without_extensions(extensions: *const c_void, append: impl FnOnce() -> ze_result_t) -> ze_result_t {
    match guard(|| check_extensions(extensions)) {
        ze_result_t::ZE_RESULT_SUCCESS => append(),
        code => code,
    }
}

/// `zeCommandListAppendMemoryCopyWithParameters` of version 1.16.
pub(super) unsafe extern "C" fn append_memory_copy_with_parameters(
    list: ze_command_list_handle_t,
    to: *mut c_void,
    from: *const c_void,
    size: usize,
    extensions: *const c_void,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    // SAFETY: the host passes what `zeCommandListAppendMemoryCopy` needs.
    without_extensions(extensions, || unsafe {
        append_memory_copy(list, to, from, size, signal, wait_count, waits)
    })
}

/// `zeCommandListAppendMemoryFillWithParameters` of version 1.16.
pub(super) unsafe extern "C" fn append_memory_fill_with_parameters(
    list: ze_command_list_handle_t,
    to: *mut c_void,
    pattern: *const c_void,
    pattern_size: usize,
    size: usize,
    extensions: *const c_void,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    // SAFETY: the host passes what `zeCommandListAppendMemoryFill` needs.
    without_extensions(extensions, || unsafe {
        append_memory_fill(list, to, pattern, pattern_size, size, signal, wait_count, waits)
    })
}

/// `zeCommandListImmediateAppendCommandListsWithParameters` of version 1.16.
pub(super) unsafe extern "C" fn immediate_append_command_lists_with_parameters(
    list: ze_command_list_handle_t,
    count: u32,
    lists: *mut ze_command_list_handle_t,
    extensions: *const c_void,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    // SAFETY: the host passes what `zeCommandListImmediateAppendCommandListsExp` needs.
    without_extensions(extensions, || unsafe {
        immediate_append_command_lists(list, count, lists, signal, wait_count, waits)
    })
}

pub(super) unsafe extern "C" fn append_memory_copy_from_context(
    list: ze_command_list_handle_t,
    to: *mut c_void,
    context: ze_context_handle_t,
    from: *const c_void,
    size: usize,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    let checked = guard(|| {
        let other = get::<Context>(context)?;
        range(&other.memory.snapshot(), from, size).map(drop)
    });
    if checked != ze_result_t::ZE_RESULT_SUCCESS {
        return checked;
    }
    // SAFETY: the host passes what `zeCommandListAppendMemoryCopy` needs.
    unsafe { append_memory_copy(list, to, from, size, signal, wait_count, waits) }
}

pub(super) unsafe extern "C" fn append_memory_fill(
    list: ze_command_list_handle_t,
    to: *mut c_void,
    pattern: *const c_void,
    pattern_size: usize,
    size: usize,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        let memory = list.memory();
        let to = target(&memory, to, size)?;
        if pattern.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        if pattern_size == 0 || !size.is_multiple_of(pattern_size) {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
        }
        // SAFETY: the host passes a pattern of `pattern_size` bytes.
        let pattern = unsafe { std::slice::from_raw_parts(pattern.cast::<u8>(), pattern_size) };
        let action = match *pattern {
            [byte] => Action::FillByte { to, size, byte, memory },
            _ => {
                let pattern = FillPattern::new(pattern).ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE)?;
                Action::Fill { to, size, pattern: Box::new(pattern), memory }
            }
        };
        // SAFETY: the host passes an array of `wait_count` handles.
        unsafe { list.append(action, signal, wait_count, waits) }
    })
}

pub(super) unsafe extern "C" fn append_memory_copy_region(
    list: ze_command_list_handle_t,
    to: *mut c_void,
    to_region: *const ze_copy_region_t,
    to_pitch: u32,
    to_slice_pitch: u32,
    from: *const c_void,
    from_region: *const ze_copy_region_t,
    from_pitch: u32,
    from_slice_pitch: u32,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        // SAFETY: the host passes valid pointers or null.
        let (to_region, from_region) = unsafe { (read(to_region)?, read(from_region)?) };
        let extent = |region: &ze_copy_region_t| (region.width, region.height.max(1), region.depth.max(1));
        if extent(&to_region) != extent(&from_region) {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
        }
        let memory = list.memory();
        let to = region_start(&memory, to, &to_region, [to_pitch, to_slice_pitch], target)?;
        let from = region_start(&memory, from, &from_region, [from_pitch, from_slice_pitch], range)?;
        let (width, rows, slices) = extent(&to_region);
        let region = Box::new(Region {
            width: width as usize,
            rows: rows as usize,
            slices: slices as usize,
            to_pitch: to_pitch as usize,
            to_slice_pitch: to_slice_pitch as usize,
            from_pitch: from_pitch as usize,
            from_slice_pitch: from_slice_pitch as usize,
        });
        // SAFETY: the host passes an array of `wait_count` handles.
        unsafe { list.append(Action::CopyRegion { to, from, region, memory }, signal, wait_count, waits) }
    })
}

/// The address of the first byte of a region, once all of it is known to be accessible.
fn region_start(
    memory: &Snapshot,
    pointer: *const c_void,
    region: &ze_copy_region_t,
    [pitch, slice_pitch]: [u32; 2],
    check: CheckRange,
) -> Answer<u64> {
    let at = |x: u32, y: u32, z: u32| {
        let (pitch, slice_pitch) = (u128::from(pitch), u128::from(slice_pitch));
        u128::from(x) + u128::from(y) * pitch + u128::from(z) * slice_pitch
    };
    let start = at(region.originX, region.originY, region.originZ);
    let last = at(region.width, region.height.max(1) - 1, region.depth.max(1) - 1);
    let end = usize::try_from(start + last).map_err(|_| ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE)?;
    Ok(check(memory, pointer, end)? + start as u64)
}

/// All memory is the host's, and as near as it gets.
pub(super) unsafe extern "C" fn append_memory_prefetch(
    list: ze_command_list_handle_t,
    pointer: *const c_void,
    size: usize,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        range(&list.memory(), pointer, size).map(drop)
    })
}

/// As for a prefetch.
pub(super) unsafe extern "C" fn append_mem_advise(
    list: ze_command_list_handle_t,
    device: ze_device_handle_t,
    pointer: *const c_void,
    size: usize,
    _advice: ze_memory_advice_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        get::<Device>(device)?;
        range(&list.memory(), pointer, size).map(drop)
    })
}

pub(super) unsafe extern "C" fn append_signal_event(
    list: ze_command_list_handle_t,
    event: ze_event_handle_t,
) -> ze_result_t {
    if event.is_null() {
        return fail(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    }
    // SAFETY: there are no events to wait for.
    unsafe { append_barrier(list, event, 0, std::ptr::null_mut()) }
}

pub(super) unsafe extern "C" fn append_wait_on_events(
    list: ze_command_list_handle_t,
    count: u32,
    events: *mut ze_event_handle_t,
) -> ze_result_t {
    if events.is_null() {
        return fail(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    // SAFETY: the host passes an array of `count` handles.
    unsafe { append_barrier(list, ze_event_handle_t::NULL, count, events) }
}

pub(super) unsafe extern "C" fn append_event_reset(
    list: ze_command_list_handle_t,
    event: ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        let event = of_host(event)?;
        // SAFETY: there are no events to wait for.
        unsafe { list.append(Action::Reset(event), ze_event_handle_t::NULL, 0, std::ptr::null()) }
    })
}

pub(super) unsafe extern "C" fn append_write_global_timestamp(
    list: ze_command_list_handle_t,
    to: *mut u64,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        let memory = list.memory();
        let to = target(&memory, to.cast(), size_of::<u64>())?;
        // SAFETY: the host passes an array of `wait_count` handles.
        unsafe { list.append(Action::WriteTimestamp { to, memory }, signal, wait_count, waits) }
    })
}

pub(super) unsafe extern "C" fn append_query_kernel_timestamps(
    list: ze_command_list_handle_t,
    count: u32,
    events: *mut ze_event_handle_t,
    to: *mut c_void,
    offsets: *const usize,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    const SIZE: usize = size_of::<ze_kernel_timestamp_result_t>();
    guard(|| {
        let list = get::<CommandList>(list)?;
        if events.is_null() || to.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        let memory = list.memory();
        let mut actions = Vec::new();
        for index in 0..count as usize {
            // SAFETY: the host passes arrays of `count` handles and, if any, offsets.
            let (event, offset) = unsafe {
                let offset = if offsets.is_null() { index * SIZE } else { offsets.add(index).read() };
                (get::<Event>(events.add(index).read())?, offset)
            };
            let to = target(&memory, to.wrapping_byte_add(offset), SIZE)?;
            let memory = Arc::clone(&memory);
            actions.push(Appended::Action(Action::QueryTimestamps { event, to, memory }));
        }
        // SAFETY: the host passes an array of `wait_count` handles.
        unsafe { list.append_all(actions, signal, wait_count, waits) }
    })
}
