//! Device memory, which is freed once no queue can still be using it.
//!
//! Launches and copies are asynchronous and do not borrow the buffers that they use, so that a buffer may be dropped
//! while a kernel works on it. Its memory is then *retired*: it waits for every queue of the device to finish what was
//! submitted before the drop. Which queue used which buffer is not recorded, to keep launches cheap; waiting for all
//! of them is right for any use.

use crate::device::Device;
use crate::error::DriverError;
use crate::error::driver::call;
use core::ffi::c_void;
use level_zero_sys::{ze_device_mem_alloc_desc_t, ze_host_mem_alloc_desc_t};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// The alignment of all memory, in bytes: that of the widest vector, and a cache line.
const ALIGNMENT: usize = 64;

/// An address in memory of the driver.
#[derive(Clone, Copy, Debug)]
struct Address(*mut c_void);

// SAFETY: the address is never dereferenced on this side except by its one owner; it is passed to the driver, whose
// memory functions may be called from any thread.
unsafe impl Send for Address {}
// SAFETY: as for `Send`.
unsafe impl Sync for Address {}

/// Memory of a device that kernels can use. Dropping it retires it.
pub(crate) struct Allocation {
    device: Device,
    address: Address,
    bytes: usize,
}

impl Allocation {
    /// Allocates at least this many bytes, and at least one; their contents are unspecified.
    pub(crate) fn new(device: &Device, bytes: usize) -> Result<Self, DriverError> {
        let descriptor = ze_device_mem_alloc_desc_t::default();
        let mut address = ptr::null_mut();
        let (context, bytes) = (device.context()?, bytes.max(1));
        // SAFETY: context and device are live handles of one driver, and both pointers are to live variables.
        unsafe {
            call!(
                device.api(),
                zeMemAllocDevice(context, &descriptor, bytes, ALIGNMENT, device.handle(), &mut address)
            )
        }?;
        Ok(Self { device: device.clone(), address: Address(address), bytes })
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// The address on the device.
    pub(crate) fn address(&self) -> *mut c_void {
        self.address.0
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        self.device.reclaimer().retire(&self.device, self.address, self.bytes);
    }
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
        free(&self.device, self.address);
    }
}

/// How far a queue has come: the numbers of its last command that was submitted, and that is known to be complete.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    submitted: AtomicU64,
    completed: AtomicU64,
}

impl Progress {
    /// Counts a command, before it is handed to the driver.
    pub(crate) fn submit(&self) {
        self.submitted.fetch_add(1, Ordering::Release);
    }

    /// Notes that all that was submitted is complete; the caller lets nobody submit meanwhile.
    pub(crate) fn complete(&self) {
        self.completed.store(self.submitted.load(Ordering::Acquire), Ordering::Release);
    }

    /// The number of the last submitted command, if it may still be running.
    fn pending(&self) -> Option<u64> {
        let submitted = self.submitted.load(Ordering::Acquire);
        (!self.has_completed(submitted)).then_some(submitted)
    }

    fn has_completed(&self, command: u64) -> bool {
        self.completed.load(Ordering::Acquire) >= command
    }
}

/// The queues of a device, and the memory that waits for them.
#[derive(Debug, Default)]
pub(crate) struct Reclaimer(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    queues: Vec<Weak<Progress>>,
    retired: Vec<Retired>,
}

/// Memory that nobody owns any more but that queues may still be using.
#[derive(Debug)]
struct Retired {
    address: Address,
    bytes: usize,
    /// The queues to wait for, each with the number of the command that must be complete.
    ///
    /// These are strong references: where a queue was dropped without its commands being known to be complete, the
    /// memory is never freed.
    users: Vec<(Arc<Progress>, u64)>,
}

impl Retired {
    fn is_unused(&self) -> bool {
        self.users.iter().all(|(queue, command)| queue.has_completed(*command))
    }
}

impl Reclaimer {
    /// Makes memory that is retired from now on wait for this queue.
    pub(crate) fn register(&self, queue: &Arc<Progress>) {
        let mut state = self.lock();
        state.queues.retain(|queue| queue.strong_count() > 0);
        state.queues.push(Arc::downgrade(queue));
    }

    /// Frees memory at once if no queue has anything to do, or else later.
    fn retire(&self, device: &Device, address: Address, bytes: usize) {
        let mut state = self.lock();
        let queues = state.queues.iter().filter_map(Weak::upgrade);
        let users = queues.filter_map(|queue| queue.pending().map(|command| (queue, command)));
        let retired = Retired { address, bytes, users: users.collect() };
        if retired.is_unused() {
            drop(state);
            free(device, address);
        } else {
            state.retired.push(retired);
        }
    }

    /// Frees the retired memory that no queue uses any more.
    pub(crate) fn sweep(&self, device: &Device) {
        let mut state = self.lock();
        for unused in state.retired.extract_if(.., |retired| retired.is_unused()) {
            free(device, unused.address);
        }
    }

    /// The bytes that are retired and not yet free.
    pub(crate) fn retired_bytes(&self) -> usize {
        self.lock().retired.iter().map(|retired| retired.bytes).sum()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns memory to the driver.
fn free(device: &Device, address: Address) {
    let Ok(context) = device.context() else { return };
    // SAFETY: the address came from this context, its owner is gone, and no command that uses it is still running.
    // A failure leaves the memory allocated, about which nothing can be done here.
    let _ = unsafe { device.api().zeMemFree(context, address.0) };
}
