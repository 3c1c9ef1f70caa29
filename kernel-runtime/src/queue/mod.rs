//! Queues: what is enqueued runs in order, while the host goes on.

mod allocate;
pub(crate) mod asynchronous;
pub(crate) mod event;
pub(crate) mod graph;
pub(crate) mod hints;
pub(crate) mod host;
#[cfg(test)]
mod injection_tests;
mod kernels;
#[cfg(test)]
mod kinds_tests;
#[cfg(all(test, kernel_model))]
mod models;
pub(crate) mod options;
mod overlap;
pub(crate) mod precedence;
pub(crate) mod print_buffer;
pub(crate) mod progress;
mod queue_core;
pub(crate) mod queue_set;
mod region;
pub(crate) mod scope;
pub(crate) mod stream;
#[cfg(test)]
pub(crate) mod tests;
mod transfer;
mod waiter;

use crate::device::Device;
use crate::error::{DriverError, Result};
use crate::launch::dispatch::{GroupsAt, LaunchSize, Manner};
use crate::launch::kernel::Said;
use crate::launch::{Enqueuing, LaunchArgument};
use crate::library::Library;
use crate::memory::image::Texels;
use crate::memory::{Allocation, HostAllocation};
use crate::module::specialized::Variant;
use crate::queue::event::{Event, Visible};
use crate::queue::options::QueueOptions;
use crate::queue::queue_core::{QueueCore, State};
use crate::trace::Label;
use core::ffi::c_void;
use core::fmt;
use kernel_core::{Access, KernelDescriptor, PrintStream};
use level_zero_sys::{Api, ze_command_list_handle_t, ze_event_handle_t};
use std::sync::Arc;
use std::{iter, ptr};

/// A queue of a device: launches and copies run one after the other, in the order of the calls.
///
/// A launch returns at once. [`download`](Self::download) and [`synchronize`](Self::synchronize) wait for all that was
/// enqueued before, and report a fault in any kernel of it.
///
/// Several queues of a device run side by side, except where they use the same buffer: what uses what another queue has written, or writes what
/// another uses, runs once that other queue is done with what it was given before. The host does not wait for it.
///
/// A queue may be used from several threads; each call has it for itself. If several threads enqueue at the same time what uses the same buffer, on whatever queues,
/// one of these commands runs after the other, in one order or the other. When a queue is dropped, it waits for its work to
/// complete; a fault that nobody has read is then written to standard error. A kernel that never ends is waited for too, unless something limits
/// its time, as `KERNEL_CPU_TIMEOUT` does on the CPU device.
///
#[cfg_attr(feature = "cpu", doc = "```")]
#[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
/// use kernel_runtime::prelude::*;
///
/// #[kernel]
/// fn double(x: &[f32], y: &mut [f32]) {
///     let i = global_id(0);
///     if i < x.len() && i < y.len() {
///         y[i] = 2.0 * x[i];
///     }
/// }
///
/// # fn main() -> Result<()> {
/// let queue = Device::best()?.queue()?;
/// let x = queue.upload(&[1.0_f32; 1000])?;
/// let (mut y, mut z) = (queue.zeros::<f32>(1000)?, queue.zeros::<f32>(1000)?);
/// double(&x, &mut y).launch(&queue, 1000)?; // Returns at once.
/// double(&y, &mut z).launch(&queue, 1000)?; // Runs after the first.
/// assert_eq!(queue.download(&z)?[999], 4.0); // Waits for both.
/// # Ok(())
/// # }
/// ```
pub struct Queue {
    core: Arc<QueueCore>,
}

impl Queue {
    pub(crate) fn new(device: &Device, options: QueueOptions) -> Result<Self> {
        Ok(Self { core: QueueCore::new(device, options)? })
    }

    /// The device of the queue.
    #[must_use]
    pub fn device(&self) -> &Device {
        self.core.device()
    }

    /// Waits until all that was enqueued is complete.
    ///
    /// # Errors
    ///
    /// [`Error::Fault`](crate::Error::Fault) if a kernel has faulted since the last synchronisation;
    /// [`Error::Driver`](crate::Error::Driver) if the device is lost.
    pub fn synchronize(&self) -> Result<()> {
        self.core.finish(self.core.lock()?)
    }

    /// An event that is complete when all is that was enqueued so far.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`](crate::Error::Driver) if the driver fails.
    pub fn record(&self) -> Result<Event> {
        Ok(self.core.lock()?.record(Visible::Device)?)
    }

    /// Lets what is enqueued from now on run when an event is complete, and returns without waiting. Only if the event is of another device, the host
    /// waits for it here.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`](crate::Error::Driver) if the driver fails.
    pub fn wait_for(&self, event: &Event) -> Result<()> {
        if event.device() != self.device() {
            return event.wait();
        }
        self.core.lock()?.stream.append_wait(event)?;
        Ok(())
    }

    /// Sets who gets what kernels of this queue print, with the stream it is meant for, one call of `println!` at a time. Otherwise it
    /// is printed.
    ///
    /// The text comes when the queue is synchronised, in an order of work-items that is not specified. `sink` may use the queue, but
    /// not synchronise it.
    pub fn on_print(&self, sink: impl FnMut(PrintStream, &str) + Send + 'static) {
        self.core.set_sink(Box::new(sink));
    }

    /// Builds a kernel for the device now, so that its first launch need not. Of a kernel that leaves constants to its launches each
    /// choice of these is built at its own first launch. One that calls functions of other modules is prepared by
    /// [`prepare_linked`](Self::prepare_linked).
    ///
    /// # Errors
    ///
    /// [`Error::MissingFeature`](crate::Error::MissingFeature) or [`Error::Build`](crate::Error::Build) if the device cannot run
    /// the kernel, [`Error::Link`](crate::Error::Link) if it calls functions of other modules.
    pub fn prepare(&self, descriptor: &'static KernelDescriptor) -> Result<()> {
        self.core.lock()?.prepare(descriptor, Variant::default())
    }

    /// Builds a kernel together with the library that has the functions of other modules which it calls, so that its first launch that is
    /// [`linked`](crate::Launch::linked) with this library need not. A kernel that calls none takes any library, and is as [`prepare`](Self::prepare)
    /// leaves it.
    ///
    /// # Errors
    ///
    /// Those of [`prepare`](Self::prepare), and [`Error::Link`](crate::Error::Link) if the library does not have what the kernel calls.
    pub fn prepare_linked(&self, descriptor: &'static KernelDescriptor, library: &Library) -> Result<()> {
        self.core.lock()?.prepare(descriptor, Variant::default().linked(descriptor, *library))
    }

    /// Enqueues a launch without any check if it says the same as the last one of its kernel, and no other queue uses its memory; whether it has been.
    pub(crate) fn launch_again(
        &self,
        descriptor: &'static KernelDescriptor,
        said: &Said,
        arguments: &[LaunchArgument],
        size: &LaunchSize,
        signal: Option<&Event>,
    ) -> Result<bool> {
        let mut state = self.core.lock()?;
        state.launch_again(self.core.mask(), (descriptor, said), arguments, size, signal)
    }

    /// Enqueues a launch whose arguments have been checked, and everything else if it is given what else was said.
    pub(crate) fn launch(
        &self,
        (descriptor, variant): (&'static KernelDescriptor, Variant),
        arguments: &[LaunchArgument],
        size: LaunchSize,
        manner: Manner<'_>,
        said: Option<Said>,
    ) -> Result<()> {
        let _enqueuing = Enqueuing::new(descriptor, self.device(), arguments)?;
        let of_arguments = arguments.iter().filter_map(LaunchArgument::memory);
        let uses =
            of_arguments.map(|used| (used.usage, used.access)).chain(manner.groups_at.map(GroupsAt::usage));
        self.lock_for(uses)?.launch((descriptor, variant), arguments, size, manner, said)
    }

    /// Asks about what the queue has of a kernel.
    pub(crate) fn with_state<R>(&self, ask: impl FnOnce(&mut State) -> Result<R>) -> Result<R> {
        ask(&mut *self.core.lock()?)
    }

    /// Waits until the host may access memory: finishes, and waits for other queues that use it.
    pub(crate) fn finish_for_host(&self, memory: &Allocation, access: Access) -> Result<()> {
        self.core.finish(self.core.lock()?)?;
        // Where host and device cannot even read at once, a reader waits for readers too.
        let concurrent = self.device().limits().usm.of(memory.kind()).concurrent;
        let access = if concurrent { access } else { Access::ReadWrite };
        self.device().queues().wait_for(memory.usage().of_host(access))?;
        Ok(())
    }

    /// Copies an image from or to so many bytes of the host, and waits; what is read is only given if no kernel has faulted before.
    ///
    /// # Safety
    ///
    /// The memory of the host must be valid for the bytes of the image until this returns. The command, which gets that memory or other one, must append a copy of the
    /// image from or to it that signals the event.
    pub(crate) unsafe fn copy_image(
        &self,
        texels: &Texels,
        access: Access,
        host: *mut c_void,
        command: impl FnOnce(
            &Api,
            ze_command_list_handle_t,
            ze_event_handle_t,
            *mut c_void,
        ) -> Result<(), DriverError>,
    ) -> Result<()> {
        let (device, bytes) = (self.device(), texels.bytes());
        let mut state = self.lock_for(iter::once((texels.usage(), access)))?;
        // Drivers take no copy from or to what is theirs in part.
        let mut staged = None;
        let command = |api: &Api, list, event| {
            let imports = device.imports().now();
            if !imports.cut(host, bytes) {
                return command(api, list, event, host);
            }
            let near = staged.insert(HostAllocation::new(device, bytes)?).address();
            if access == Access::ReadWrite {
                // SAFETY: both have this size and are the host's, and the copy is yet to come.
                unsafe { ptr::copy_nonoverlapping(host.cast::<u8>(), near.cast(), bytes) };
            }
            command(api, list, event, near)
        };
        let label = Label::copy("image copy", bytes);
        match access {
            Access::Read => {
                self.core.finish_after(state, |stream| stream.run(label, command))?;
                if let Some(staged) = staged {
                    // SAFETY: both have this size and are the host's, and the copy is complete.
                    unsafe { ptr::copy_nonoverlapping(staged.address().cast::<u8>(), host.cast(), bytes) };
                }
            }
            Access::ReadWrite => {
                state.stream.run(label, command)?;
                self.core.wait(&mut state)?;
                texels.usage().written(self.core.mask());
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").field("device", &self.device().name()).finish_non_exhaustive()
    }
}
