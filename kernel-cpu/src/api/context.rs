//! Contexts: what owns memory, modules and queues.

use super::device::Device;
use super::driver::Driver;
use super::registry::{each, get, insert, objects, remove};
use super::virtual_mem::VirtualRange;
use super::{Answer, guard, leaks, read, write};
use crate::image::Image;
use crate::memory::{Allocation, Table};
use crate::queue::{Closer, Counters, Stream};
use level_zero_sys::{
    ze_context_desc_t, ze_context_handle_t, ze_device_handle_t, ze_driver_handle_t, ze_image_handle_t,
    ze_result_t,
};
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// A context.
#[derive(Default)]
pub(super) struct Context {
    /// The allocations that were made in it.
    pub(super) memory: Table,
    /// Those of its counter-based events.
    pub(super) counters: Counters,
    /// The addresses that the host has reserved in it.
    virtual_ranges: Mutex<Vec<VirtualRange>>,
    /// What executes commands in it, and ends with it.
    streams: Mutex<Vec<Closer>>,
    /// Its handle, which what is made in it is asked for.
    handle: OnceLock<ze_context_handle_t>,
    /// Whether it is meant to be there until the process ends.
    lasts: AtomicBool,
}

impl Context {
    /// Takes in a stream, so that it ends with the context.
    pub(super) fn adopt(&self, stream: &Stream) {
        let mut streams = self.streams();
        streams.retain(Closer::is_live);
        streams.push(stream.closer());
    }

    /// The handle that the host has of it.
    pub(super) fn handle(&self) -> ze_context_handle_t {
        self.handle.get().copied().unwrap_or(ze_context_handle_t::NULL)
    }

    /// Whether it is meant to be there until the process ends.
    pub(super) fn lasts(&self) -> bool {
        self.lasts.load(Ordering::Relaxed)
    }

    /// Registers a new one.
    fn register() -> Answer<ze_context_handle_t> {
        leaks::watch();
        let context = Arc::new(Self::default());
        let handle = insert(Arc::clone(&context))?;
        Ok(*context.handle.get_or_init(|| handle))
    }

    /// Waits for everything that runs in it; what has failed, if anything has.
    pub(super) fn wait(&self) -> Option<Arc<str>> {
        // Others may make streams meanwhile.
        let streams = self.streams().clone();
        streams.iter().fold(None, |failure, stream| {
            let of_stream = stream.wait();
            failure.or(of_stream)
        })
    }

    /// Waits for everything that runs in it, but not for what waits for the host itself: no longer than this for each of its streams.
    pub(super) fn settle(&self, timeout: Duration) {
        let streams = self.streams().clone();
        streams.iter().for_each(|stream| stream.wait_at_most(timeout));
    }

    /// The addresses that the host has reserved in it.
    pub(super) fn virtual_ranges(&self) -> MutexGuard<'_, Vec<VirtualRange>> {
        self.virtual_ranges.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn streams(&self) -> MutexGuard<'_, Vec<Closer>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

objects! { Context: ze_context_handle_t = 3; }

pub(super) unsafe extern "C" fn create(
    driver: ze_driver_handle_t,
    descriptor: *const ze_context_desc_t,
    context: *mut ze_context_handle_t,
) -> ze_result_t {
    guard(|| {
        get::<Driver>(driver)?;
        // SAFETY: the host passes valid pointers or null.
        unsafe {
            read(descriptor)?;
            write(context, ze_context_handle_t::NULL)?;
            write(context, Context::register()?)
        }
    })
}

/// `zeDriverGetDefaultContext` of version 1.14: a context that is always there, and that nobody can destroy for good; null if there is none.
pub(super) unsafe extern "C" fn get_default(driver: ze_driver_handle_t) -> ze_context_handle_t {
    static DEFAULT: Mutex<ze_context_handle_t> = Mutex::new(ze_context_handle_t::NULL);
    let mut handle = ze_context_handle_t::NULL;
    // What fails leaves the handle null, which is all that the function can say.
    let _ = guard(|| {
        get::<Driver>(driver)?;
        let mut default = DEFAULT.lock().unwrap_or_else(PoisonError::into_inner);
        if get::<Context>(*default).is_err() {
            *default = Context::register()?;
        }
        handle = *default;
        Ok(())
    });
    handle
}

pub(super) unsafe extern "C" fn create_ex(
    driver: ze_driver_handle_t,
    descriptor: *const ze_context_desc_t,
    count: u32,
    devices: *mut ze_device_handle_t,
    context: *mut ze_context_handle_t,
) -> ze_result_t {
    // SAFETY: the host passes an array of `count` handles or null.
    let checked = guard(|| unsafe { check_devices(count, devices) });
    if checked != ze_result_t::ZE_RESULT_SUCCESS {
        return checked;
    }
    // SAFETY: the host passes what `zeContextCreate` needs.
    unsafe { create(driver, descriptor, context) }
}

/// Says that a context is meant to be there until the process ends, so that what is in it then has not been forgotten. What is no context is left alone.
pub(crate) fn lasts(context: ze_context_handle_t) {
    if let Ok(context) = get::<Context>(context) {
        context.lasts.store(true, Ordering::Relaxed);
    }
}

/// Checks an optional array of devices.
///
/// # Safety
///
/// `devices` must be null or valid for reads of `count` handles.
pub(super) unsafe fn check_devices(count: u32, devices: *const ze_device_handle_t) -> super::Answer {
    if devices.is_null() {
        // No list means all devices; a count without a list means a mistake.
        return if count == 0 { Ok(()) } else { Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER) };
    }
    // SAFETY: the array has `count` handles.
    unsafe { each::<Device>(count, devices) }.try_for_each(|device| device.map(drop))
}

/// What runs in a context ends with it, and so do its allocations.
pub(super) unsafe extern "C" fn destroy(context: ze_context_handle_t) -> ze_result_t {
    guard(|| {
        let context = remove::<Context>(context)?;
        let streams = std::mem::take(&mut *context.streams());
        streams.iter().for_each(Closer::close);
        leaks::at_destruction(&context);
        Ok(())
    })
}

pub(super) unsafe extern "C" fn get_status(context: ze_context_handle_t) -> ze_result_t {
    guard(|| get::<Context>(context).map(drop))
}

pub(super) unsafe extern "C" fn system_barrier(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
) -> ze_result_t {
    guard(|| {
        get::<Context>(context)?;
        get::<Device>(device).map(drop)
    })
}

/// Lets every kernel access an allocation, even one that is no argument.
pub(super) unsafe extern "C" fn make_memory_resident(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    pointer: *mut c_void,
    size: usize,
) -> ze_result_t {
    guard(|| set_resident(context, device, pointer, size, true))
}

/// Takes that back.
pub(super) unsafe extern "C" fn evict_memory(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    pointer: *mut c_void,
    size: usize,
) -> ze_result_t {
    guard(|| set_resident(context, device, pointer, size, false))
}

fn set_resident(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    pointer: *mut c_void,
    size: usize,
    resident: bool,
) -> Answer {
    let found = allocation_of(context, device, pointer, size)?;
    found.ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)?.set_resident(resident);
    Ok(())
}

/// The allocation of a context that all of a range is in, if there is one; the device must be there.
pub(super) fn allocation_of(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    pointer: *const c_void,
    size: usize,
) -> Answer<Option<Arc<Allocation>>> {
    let context = get::<Context>(context)?;
    get::<Device>(device)?;
    if pointer.is_null() {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    let (memory, address) = (context.memory.snapshot(), pointer.addr() as u64);
    let found = memory.find(address).filter(|found| found.span().contains(address, size as u64));
    Ok(found.cloned())
}

/// The texels of an image are where every kernel that has it as an argument finds them, so that there is nothing to do for this, nor for taking it back.
pub(super) unsafe extern "C" fn make_image_resident(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    image: ze_image_handle_t,
) -> ze_result_t {
    guard(|| {
        get::<Context>(context)?;
        get::<Device>(device)?;
        get::<Image>(image).map(drop)
    })
}
