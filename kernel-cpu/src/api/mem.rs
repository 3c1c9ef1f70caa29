//! Unified shared memory. All kinds are memory of the host.

use super::context::Context;
use super::device::Device;
use super::devices::devices;
use super::registry::get;
use super::{Answer, describe, external, fail, guard, read, write};
use crate::limits;
use crate::memory::{Allocation, Origin, Usage, page_size};
use level_zero_sys::{
    ze_context_handle_t, ze_device_handle_t, ze_device_mem_alloc_desc_t, ze_host_mem_alloc_desc_t,
    ze_memory_allocation_properties_t, ze_memory_free_ext_desc_t, ze_memory_type_t, ze_result_t,
};
use std::ffi::c_void;
use std::sync::Arc;

/// The alignment where none is asked for: that of the largest vector.
const DEFAULT_ALIGNMENT: usize = 128;

/// Allocates in a context.
///
/// # Safety
///
/// `pointer` must be null or valid for a write.
unsafe fn allocate(
    context: ze_context_handle_t,
    size: usize,
    alignment: usize,
    make: impl FnOnce(usize, usize) -> Answer<Allocation>,
    pointer: *mut *mut c_void,
) -> Answer {
    let object = get::<Context>(context)?;
    // SAFETY: the caller vouches for the pointer.
    unsafe { write(pointer, std::ptr::null_mut())? };
    if size == 0 || size as u64 > limits::max_allocation() {
        return Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    }
    if alignment != 0 && (!alignment.is_power_of_two() || alignment > limits::MAX_ALIGNMENT) {
        return Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
    }
    let allocation = make(size, alignment.max(DEFAULT_ALIGNMENT))?;
    let start = allocation.start();
    object.memory.insert(Arc::new(allocation));
    // SAFETY: as above.
    unsafe { write(pointer, start.cast()) }
}

/// Lets memory be that of a device.
pub(super) fn on(device: &Device, allocation: Answer<Allocation>) -> Answer<Allocation> {
    Ok(allocation?.on(devices()?.number(*device)))
}

/// What makes memory of a kind that nobody else has.
fn of(usage: Usage) -> impl FnOnce(usize, usize) -> Answer<Allocation> {
    move |size, alignment| {
        let allocation = Allocation::new(size, alignment, usage);
        allocation.ok_or(ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)
    }
}

pub(super) unsafe extern "C" fn alloc_shared(
    context: ze_context_handle_t,
    device_descriptor: *const ze_device_mem_alloc_desc_t,
    host_descriptor: *const ze_host_mem_alloc_desc_t,
    size: usize,
    alignment: usize,
    device: ze_device_handle_t,
    pointer: *mut *mut c_void,
) -> ze_result_t {
    guard(|| {
        // Who names none has that of the first.
        let device = if device.is_null() { Arc::new(devices()?.first()) } else { get::<Device>(device)? };
        let make = |size, alignment| on(&device, of(Usage::Shared)(size, alignment));
        // SAFETY: the host passes valid pointers or null.
        unsafe {
            read(device_descriptor)?;
            read(host_descriptor)?;
            allocate(context, size, alignment, make, pointer)
        }
    })
}

pub(super) unsafe extern "C" fn alloc_device(
    context: ze_context_handle_t,
    descriptor: *const ze_device_mem_alloc_desc_t,
    size: usize,
    alignment: usize,
    device: ze_device_handle_t,
    pointer: *mut *mut c_void,
) -> ze_result_t {
    guard(|| {
        let device = get::<Device>(device)?;
        // SAFETY: the host passes valid pointers or null.
        unsafe {
            let request = external::request(read(descriptor)?.pNext)?;
            let make = |size, alignment| match &request {
                None => on(&device, of(Usage::Device)(size, alignment)),
                Some(request) => on(&device, request.allocation(size, alignment)),
            };
            allocate(context, size, alignment, make, pointer)
        }
    })
}

pub(super) unsafe extern "C" fn alloc_host(
    context: ze_context_handle_t,
    descriptor: *const ze_host_mem_alloc_desc_t,
    size: usize,
    alignment: usize,
    pointer: *mut *mut c_void,
) -> ze_result_t {
    // SAFETY: the host passes valid pointers or null.
    guard(|| unsafe {
        let descriptor = read(descriptor)?;
        let object = get::<Context>(context)?;
        let Some(memory) = external::of_program(&descriptor, size, alignment)? else {
            return allocate(context, size, alignment, of(Usage::Host), pointer);
        };
        let start = memory.start();
        // SAFETY: as above.
        write(pointer, std::ptr::null_mut())?;
        if !object.memory.insert_apart(Arc::new(memory)) {
            describe("some of the memory of the program is in an allocation of the context already");
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
        }
        write(pointer, start.cast())
    })
}

/// Ends an allocation; its memory goes when the commands that were appended before are done.
pub(super) unsafe extern "C" fn free(context: ze_context_handle_t, pointer: *mut c_void) -> ze_result_t {
    guard(|| {
        let context = get::<Context>(context)?;
        if pointer.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        let matches = |allocation: &Allocation| {
            let is_hosts = allocation.usage != Usage::Module && allocation.origin == Origin::Allocated;
            is_hosts && allocation.start() == pointer.cast()
        };
        let removed = context.memory.remove(matches);
        removed.map(drop).ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)
    })
}

pub(super) unsafe extern "C" fn free_ext(
    context: ze_context_handle_t,
    descriptor: *const ze_memory_free_ext_desc_t,
    pointer: *mut c_void,
) -> ze_result_t {
    if descriptor.is_null() {
        return fail(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    // SAFETY: the host passes what `zeMemFree` needs.
    unsafe { free(context, pointer) }
}

/// Says what a pointer points into; for one that is not of this context, that its type is unknown.
pub(super) unsafe extern "C" fn get_alloc_properties(
    context: ze_context_handle_t,
    pointer: *const c_void,
    properties: *mut ze_memory_allocation_properties_t,
    device: *mut ze_device_handle_t,
) -> ze_result_t {
    guard(|| {
        let context = get::<Context>(context)?;
        if pointer.is_null() || properties.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        let snapshot = context.memory.snapshot();
        let allocation = snapshot.find(pointer.addr() as u64);
        let (kind, id) = allocation.map_or((ze_memory_type_t::ZE_MEMORY_TYPE_UNKNOWN, 0), |allocation| {
            (memory_type(allocation), allocation.id)
        });
        // SAFETY: the host passes a structure whose first two fields are set.
        let properties = unsafe { &mut *properties };
        (properties.type_, properties.id, properties.pageSize) = (kind, id, page_size() as u64);
        // SAFETY: the host passes a valid chain.
        unsafe { external::export(properties, allocation.map(|allocation| &**allocation))? };
        if !device.is_null() {
            let of_device = allocation.filter(|allocation| allocation.usage != Usage::Host);
            let devices = devices()?;
            let owner = of_device.and_then(|allocation| devices.at(allocation.device));
            let handle = owner.map_or(ze_device_handle_t::NULL, |owner| devices.handle(owner));
            // SAFETY: the host passes a valid pointer or null.
            unsafe { write(device, handle)? };
        }
        Ok(())
    })
}

/// The kind of memory that it is to the host.
pub(super) fn memory_type(allocation: &Allocation) -> ze_memory_type_t {
    /// `ZE_MEMORY_TYPE_HOST_IMPORTED`, of version 1.10.
    const HOST_IMPORTED: ze_memory_type_t = ze_memory_type_t(4);
    match allocation.usage {
        Usage::Host if allocation.is_of_program() => HOST_IMPORTED,
        Usage::Host => ze_memory_type_t::ZE_MEMORY_TYPE_HOST,
        Usage::Device | Usage::Module => ze_memory_type_t::ZE_MEMORY_TYPE_DEVICE,
        Usage::Shared => ze_memory_type_t::ZE_MEMORY_TYPE_SHARED,
    }
}

pub(super) unsafe extern "C" fn get_address_range(
    context: ze_context_handle_t,
    pointer: *const c_void,
    base: *mut *mut c_void,
    size: *mut usize,
) -> ze_result_t {
    guard(|| {
        let context = get::<Context>(context)?;
        if pointer.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        let snapshot = context.memory.snapshot();
        let allocation = snapshot.find(pointer.addr() as u64);
        let allocation = allocation.ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
        // SAFETY: the host passes valid pointers or null; both are optional.
        unsafe {
            if !base.is_null() {
                write(base, allocation.start().cast())?;
            }
            if !size.is_null() {
                write(size, allocation.span().length as usize)?;
            }
        }
        Ok(())
    })
}
