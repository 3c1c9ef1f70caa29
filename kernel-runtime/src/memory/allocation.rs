//! Memory of the driver, with an owner that gives it back.

use crate::device::Device;
use crate::error::DriverError;
use crate::error::driver::call;
use crate::memory::image::ImageHandle;
use crate::memory::usage::Usage;
use crate::memory::usm::UsmKind;
use crate::memory::views::Views;
use core::ffi::c_void;
use kernel_core::BUFFER_ALIGNMENT;
use level_zero_sys::{ze_device_mem_alloc_desc_t, ze_host_mem_alloc_desc_t};
use std::ptr;

/// The alignment of all memory at least, in bytes, which kernels rely on.
const ALIGNMENT: usize = BUFFER_ALIGNMENT as usize;

/// An address in memory of the driver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address(*mut c_void);

// SAFETY: the address is never dereferenced on this side except by its one owner; it is passed to the driver, whose
// memory functions may be called from any thread.
unsafe impl Send for Address {}
// SAFETY: as for `Send`.
unsafe impl Sync for Address {}

/// Memory that kernels of a device can use. Dropping it retires it.
pub(crate) struct Allocation {
    device: Device,
    kind: UsmKind,
    address: Address,
    bytes: usize,
    usage: Usage,
    views: Views,
}

impl Allocation {
    /// Allocates at least this many bytes, and at least one; their contents are unspecified.
    pub(crate) fn new(device: &Device, kind: UsmKind, bytes: usize) -> Result<Self, DriverError> {
        Self::aligned(device, kind, bytes, ALIGNMENT)
    }

    /// The same at an address for elements of an alignment, a power of two.
    pub(crate) fn aligned(
        device: &Device,
        kind: UsmKind,
        bytes: usize,
        alignment: usize,
    ) -> Result<Self, DriverError> {
        let alignment = alignment.max(ALIGNMENT);
        let descriptor = ze_device_mem_alloc_desc_t::default();
        let host_descriptor = ze_host_mem_alloc_desc_t::default();
        let mut address = ptr::null_mut();
        let (context, bytes) = (device.context()?, whole_words(bytes));
        let (api, handle) = (device.api(), device.handle());
        // SAFETY: context and device are live handles of one driver, and all pointers are to live variables.
        unsafe {
            match kind {
                UsmKind::Device => {
                    call!(api, zeMemAllocDevice(context, &descriptor, bytes, alignment, handle, &mut address))
                }
                UsmKind::Host => {
                    call!(api, zeMemAllocHost(context, &host_descriptor, bytes, alignment, &mut address))
                }
                UsmKind::Shared => call!(
                    api,
                    zeMemAllocShared(
                        context,
                        &descriptor,
                        &host_descriptor,
                        bytes,
                        alignment,
                        handle,
                        &mut address
                    )
                ),
            }
        }?;
        let (usage, views) = (Usage::default(), Views::default());
        Ok(Self { device: device.clone(), kind, address: Address(address), bytes, usage, views })
    }

    /// Where it is.
    pub(crate) fn kind(&self) -> UsmKind {
        self.kind
    }

    /// The host's views of it.
    pub(crate) fn views(&self) -> &Views {
        &self.views
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// The queues that use it.
    pub(crate) fn usage(&self) -> &Usage {
        &self.usage
    }

    /// The address on the device.
    pub(crate) fn address(&self) -> *mut c_void {
        self.address.0
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        self.device.reclaimer().retire(&self.device, Resource::Memory(self.address), self.bytes);
    }
}

/// As many bytes in whole words of 4, at least one: atomics of fewer bytes are parts of one.
fn whole_words(bytes: usize) -> usize {
    let bytes = bytes.max(1);
    bytes.checked_next_multiple_of(4).unwrap_or(bytes)
}

/// Memory of the host that the device can copy to directly. Its owner frees it only once no command uses it.
pub(crate) struct HostAllocation {
    device: Device,
    address: Address,
}

impl HostAllocation {
    /// Allocates this many bytes, which must not be 0; their contents are unspecified.
    pub(crate) fn new(device: &Device, bytes: usize) -> Result<Self, DriverError> {
        let descriptor = ze_host_mem_alloc_desc_t::default();
        let mut address = ptr::null_mut();
        let context = device.context()?;
        // SAFETY: the context is a live handle, and both pointers are to live variables.
        unsafe { call!(device.api(), zeMemAllocHost(context, &descriptor, bytes, ALIGNMENT, &mut address)) }?;
        Ok(Self { device: device.clone(), address: Address(address) })
    }

    pub(crate) fn address(&self) -> *mut c_void {
        self.address.0
    }
}

impl Drop for HostAllocation {
    fn drop(&mut self) {
        free(&self.device, Resource::Memory(self.address));
    }
}

/// What the driver gave and is given back.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Resource {
    /// Memory.
    Memory(Address),
    /// An image.
    Image(ImageHandle),
}

/// Returns something to the driver.
pub(crate) fn free(device: &Device, resource: Resource) {
    let Ok(context) = device.context() else { return };
    // SAFETY: the resource is the driver's, and its owner is gone, with everything that used it. A failure leaves it behind.
    let _ = unsafe {
        match resource {
            Resource::Memory(address) => device.api().zeMemFree(context, address.0),
            Resource::Image(image) => device.api().zeImageDestroy(image.0),
        }
    };
}
