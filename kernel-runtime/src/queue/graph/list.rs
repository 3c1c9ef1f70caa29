//! A command list that is closed and executed again and again.

use crate::device::Device;
use crate::error::DriverError;
use crate::error::driver::call;
use crate::memory::Resource;
use level_zero_sys::{Api, ze_command_list_desc_t, ze_command_list_handle_t, ze_event_handle_t};
use std::ptr;

/// A command list of the driver. Dropping it retires it, since a queue may be executing it.
pub(crate) struct ClosedList {
    device: Device,
    handle: ListHandle,
}

/// A handle of a command list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListHandle(pub(crate) ze_command_list_handle_t);

// SAFETY: it is a name for what the driver keeps, and its owner lets one thread at a time use it.
unsafe impl Send for ListHandle {}
// SAFETY: the same.
unsafe impl Sync for ListHandle {}

impl ClosedList {
    /// Makes a list that is still open and empty, for a group of command queues.
    pub(crate) fn new(device: &Device, ordinal: u32) -> Result<Self, DriverError> {
        let descriptor = ze_command_list_desc_t { commandQueueGroupOrdinal: ordinal, ..Default::default() };
        let mut handle = ze_command_list_handle_t::NULL;
        let context = device.context()?;
        // SAFETY: context and device are live handles of one driver, and both pointers are to live variables.
        unsafe {
            call!(device.api(), zeCommandListCreate(context, device.handle(), &descriptor, &mut handle))
        }?;
        Ok(Self { device: device.clone(), handle: ListHandle(handle) })
    }

    /// Appends what a function appends to the list, which is open.
    pub(crate) fn append(
        &self,
        command: impl FnOnce(&Api, ze_command_list_handle_t) -> Result<(), DriverError>,
    ) -> Result<(), DriverError> {
        command(self.device.api(), self.handle.0)
    }

    /// Lets all later commands of the list wait for all earlier ones.
    pub(crate) fn append_barrier(&self) -> Result<(), DriverError> {
        let none = ze_event_handle_t::NULL;
        // SAFETY: the list is live and open, and no events are passed.
        self.append(|api, list| unsafe {
            call!(api, zeCommandListAppendBarrier(list, none, 0, ptr::null_mut()))
        })
    }

    /// Closes it.
    pub(crate) fn close(&self) -> Result<(), DriverError> {
        // SAFETY: the list is live and open.
        self.append(|api, list| unsafe { call!(api, zeCommandListClose(list)) })
    }

    pub(crate) fn handle(&self) -> ze_command_list_handle_t {
        self.handle.0
    }
}

impl Drop for ClosedList {
    fn drop(&mut self) {
        self.device.reclaimer().retire(&self.device, Resource::List(self.handle), 0);
    }
}
