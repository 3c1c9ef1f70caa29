//! Queues: what is enqueued runs in order, while the host goes on.

pub(crate) mod print_buffer;
pub(crate) mod progress;
mod queue_core;
pub(crate) mod queue_set;
pub(crate) mod stream;
#[cfg(test)]
pub(crate) mod tests;

use crate::device::Device;
use crate::error::{BufferProblem, DriverError, Result};
use crate::launch::dispatch::LaunchSize;
use crate::launch::{Enqueuing, LaunchArgument, check_arguments, check_constants};
use crate::library::Library;
use crate::memory::Allocation;
use crate::memory::buffer::{Buffer, HostValues, checked_bytes, error};
use crate::memory::image::Texels;
use crate::memory::usage::Usage;
use crate::memory::usm::UsmKind;
use crate::memory::usm_buffer::UsmBuffer;
use crate::module::specialized::Variant;
use crate::queue::queue_core::QueueCore;
use core::ffi::c_void;
use core::fmt;
use kernel_core::{Access, Element, KernelDescriptor, PrintStream};
use level_zero_sys::{Api, ze_command_list_handle_t};
use std::sync::Arc;

/// The part of a device's memory that may wait to be freed before an allocation waits for it.
const RETIRED_SHARE: u64 = 8;

/// A queue of a device: launches and copies run one after the other, in the order of the calls.
///
/// A launch returns at once. [`download`](Self::download) and [`synchronize`](Self::synchronize) wait for all that was
/// enqueued before, and report a fault in any kernel of it.
///
/// Several queues of a device run side by side, except where they use the same buffer: a call on one queue that uses what
/// another has written, or writes what another uses, first waits on the host until that other queue is done.
///
/// A queue may be used from several threads; each call has it for itself. When a queue is dropped, it waits for its work to
/// complete; a fault that nobody has read is then written to standard error. A kernel that never ends is waited for too, unless something limits
/// its time, as `KERNEL_CPU_TIMEOUT` does on the CPU device.
pub struct Queue {
    core: Arc<QueueCore>,
}

impl Queue {
    pub(crate) fn new(device: &Device) -> Result<Self> {
        Ok(Self { core: QueueCore::new(device)? })
    }

    /// The device of the queue.
    #[must_use]
    pub fn device(&self) -> &Device {
        self.core.device()
    }

    /// Makes a buffer with the values of a slice. Waits until they are copied.
    ///
    /// # Errors
    ///
    /// [`Error::Buffer`](crate::Error::Buffer) if it is larger than the device allows;
    /// [`Error::Driver`](crate::Error::Driver) if the device has no memory left or the copy fails.
    pub fn upload<T: Element>(&self, values: &[T]) -> Result<Buffer<T>> {
        self.upload_to(UsmKind::Device, values)
    }

    /// Makes a buffer with the values of a slice in memory of the host, which kernels access where it is: right for what they
    /// access once, or for more than the device has memory for. Waits until they are copied.
    ///
    /// # Errors
    ///
    /// Those of [`upload`](Self::upload), and [`Error::Buffer`](crate::Error::Buffer) if kernels of the device cannot read and write such memory
    /// ([`Limits::usm`](crate::Limits::usm)).
    pub fn upload_host<T: Element>(&self, values: &[T]) -> Result<UsmBuffer<T>> {
        self.upload_to(UsmKind::Host, values).map(UsmBuffer::new)
    }

    /// Makes a buffer with the values of a slice in memory that moves between host and device: right for what both access
    /// often. Waits until they are copied.
    ///
    /// # Errors
    ///
    /// Those of [`upload_host`](Self::upload_host).
    pub fn upload_shared<T: Element>(&self, values: &[T]) -> Result<UsmBuffer<T>> {
        self.upload_to(UsmKind::Shared, values).map(UsmBuffer::new)
    }

    fn upload_to<T: Element>(&self, kind: UsmKind, values: &[T]) -> Result<Buffer<T>> {
        let mut buffer = self.allocate(kind, values.len())?;
        self.write(&mut buffer, values)?;
        Ok(buffer)
    }

    /// Makes a buffer of this many elements that are all zero or `false`, or have only such fields.
    ///
    /// # Errors
    ///
    /// Those of [`upload`](Self::upload).
    pub fn zeros<T: Element>(&self, len: usize) -> Result<Buffer<T>> {
        self.zeros_in(UsmKind::Device, len)
    }

    /// The same in memory of the host, as of [`upload_host`](Self::upload_host).
    ///
    /// # Errors
    ///
    /// Those of [`upload_host`](Self::upload_host).
    pub fn zeros_host<T: Element>(&self, len: usize) -> Result<UsmBuffer<T>> {
        self.zeros_in(UsmKind::Host, len).map(UsmBuffer::new)
    }

    /// The same in memory that moves between host and device, as of [`upload_shared`](Self::upload_shared).
    ///
    /// # Errors
    ///
    /// Those of [`upload_host`](Self::upload_host).
    pub fn zeros_shared<T: Element>(&self, len: usize) -> Result<UsmBuffer<T>> {
        self.zeros_in(UsmKind::Shared, len).map(UsmBuffer::new)
    }

    fn zeros_in<T: Element>(&self, kind: UsmKind, len: usize) -> Result<Buffer<T>> {
        let buffer = self.allocate(kind, len)?;
        if !buffer.is_empty() {
            self.use_memory(buffer.memory().usage(), Access::ReadWrite)?;
            // The bytes of 0, of 0.0 and of `false` are all zero, and so are those of what consists of them.
            // SAFETY: the buffer has this size, and its memory is kept until the queue is done with it.
            unsafe { self.core.lock().stream.append_zeros(buffer.memory().address(), buffer.bytes()) }?;
        }
        Ok(buffer)
    }

    /// Copies the values of a slice into a buffer of the same length. Waits until they are copied.
    ///
    /// # Errors
    ///
    /// [`Error::Buffer`](crate::Error::Buffer) if the lengths differ or the buffer is of another device;
    /// [`Error::Driver`](crate::Error::Driver) if the copy fails.
    pub fn write<T: Element>(&self, buffer: &mut Buffer<T>, values: &[T]) -> Result<()> {
        buffer.check_copy(self.device(), values.len())?;
        if values.is_empty() {
            return Ok(());
        }
        let memory = buffer.memory();
        self.use_memory(memory.usage(), Access::ReadWrite)?;
        let mut state = self.core.lock();
        // SAFETY: both have this size. The values are borrowed until the end of the wait, and if that fails, the device is
        // lost and reads no more.
        unsafe { state.stream.append_copy(memory.address(), values.as_ptr().cast(), buffer.bytes()) }?;
        self.core.wait(&mut state)?;
        memory.usage().written(self.core.mask());
        Ok(())
    }

    /// Copies the elements of a buffer to the host, after all that was enqueued before.
    ///
    /// # Errors
    ///
    /// [`Error::Fault`](crate::Error::Fault) if a kernel that was enqueued before has faulted;
    /// [`Error::Buffer`](crate::Error::Buffer) if the buffer is of another device, or holds what is no value of `T`;
    /// [`Error::Driver`](crate::Error::Driver) if the copy fails.
    pub fn download<T: Element>(&self, buffer: &Buffer<T>) -> Result<Vec<T>> {
        buffer.check_device(self.device())?;
        let mut values = HostValues::<T>::zeroed(buffer.len());
        // SAFETY: the memory has room for the elements and may hold any bytes; it is kept until the end of the wait, and
        // if that fails, the device is lost and writes no more.
        unsafe { self.read(buffer, values.as_mut_ptr()) }?;
        Ok(values.check()?)
    }

    /// Copies the elements of a buffer into a slice of the same length, after all that was enqueued before.
    ///
    /// # Errors
    ///
    /// Those of [`download`](Self::download), and [`Error::Buffer`](crate::Error::Buffer) if the lengths differ. The slice is
    /// then unchanged, or holds what the buffer does.
    pub fn download_into<T: Element>(&self, buffer: &Buffer<T>, values: &mut [T]) -> Result<()> {
        buffer.check_copy(self.device(), values.len())?;
        if const { !T::TYPE.takes_any_bytes() } {
            // The device may have written bytes that must never be in the slice, such as a `bool` of 2.
            values.copy_from_slice(&self.download(buffer)?);
            return Ok(());
        }
        // SAFETY: as for `download`; any bytes are a value of the type.
        unsafe { self.read(buffer, values.as_mut_ptr().cast()) }
    }

    /// Waits until all that was enqueued is complete.
    ///
    /// # Errors
    ///
    /// [`Error::Fault`](crate::Error::Fault) if a kernel has faulted since the last synchronisation;
    /// [`Error::Driver`](crate::Error::Driver) if the device is lost.
    pub fn synchronize(&self) -> Result<()> {
        self.core.finish(self.core.lock())
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
        self.core.lock().prepare(descriptor, Variant::default())
    }

    /// Builds a kernel together with the library that has the functions of other modules which it calls, so that its first launch that is
    /// [`linked`](crate::Launch::linked) with this library need not. A kernel that calls none takes any library, and is as [`prepare`](Self::prepare)
    /// leaves it.
    ///
    /// # Errors
    ///
    /// Those of [`prepare`](Self::prepare), and [`Error::Link`](crate::Error::Link) if the library does not have what the kernel calls.
    pub fn prepare_linked(&self, descriptor: &'static KernelDescriptor, library: &Library) -> Result<()> {
        self.core.lock().prepare(descriptor, Variant::default().linked(descriptor, *library))
    }

    /// Enqueues a launch, or finds out why it cannot be.
    pub(crate) fn launch(
        &self,
        (descriptor, variant): (&'static KernelDescriptor, Variant),
        arguments: &[LaunchArgument],
        size: LaunchSize,
    ) -> Result<()> {
        check_constants(descriptor, variant.specialized)?;
        check_arguments(descriptor, self.device(), arguments)?;
        let _enqueuing = Enqueuing::new(descriptor, self.device(), arguments)?;
        for (_, usage, access) in arguments.iter().filter_map(LaunchArgument::memory) {
            self.use_memory(usage, access)?;
        }
        self.core.lock().launch((descriptor, variant), arguments, size)
    }

    /// Makes a buffer whose elements the caller must write before anyone else sees it.
    fn allocate<T: Element>(&self, kind: UsmKind, len: usize) -> Result<Buffer<T>> {
        let (device, limits) = (self.device(), self.device().limits());
        if !limits.usm.of(kind).read_write {
            let device = device.name().into();
            return Err(error::<T>(BufferProblem::NotAccessible { memory: kind, device }).into());
        }
        let bytes = checked_bytes::<T>(len, limits.max_allocation)?;
        if device.reclaimer().retired_bytes() as u64 > limits.memory / RETIRED_SHARE {
            self.core.wait(&mut self.core.lock())?;
        }
        let allocate = || Allocation::aligned(device, kind, bytes, align_of::<T>());
        let memory = match allocate() {
            // Waiting lets the memory of dropped buffers be freed.
            Err(error) if error.is_out_of_memory() => {
                self.core.wait(&mut self.core.lock())?;
                allocate()
            }
            result => result,
        };
        Ok(Buffer::new(memory?, len))
    }

    /// Copies the elements of a buffer to the host and finishes.
    ///
    /// # Safety
    ///
    /// `to` must have room for them until this returns.
    unsafe fn read<T: Element>(&self, buffer: &Buffer<T>, to: *mut c_void) -> Result<()> {
        let memory = buffer.memory();
        self.use_memory(memory.usage(), Access::Read)?;
        let mut state = self.core.lock();
        if !buffer.is_empty() {
            // SAFETY: the buffer has this size, and `to` has room for it.
            unsafe { state.stream.append_copy(to, memory.address(), buffer.bytes()) }?;
        }
        self.core.finish(state)
    }

    /// Waits until the host may access memory: finishes, and waits for other queues that use it.
    pub(crate) fn finish_for_host(&self, memory: &Allocation, access: Access) -> Result<()> {
        self.core.finish(self.core.lock())?;
        // Where host and device cannot even read at once, a reader waits for readers too.
        let concurrent = self.device().limits().usm.of(memory.kind()).concurrent;
        let access = if concurrent { access } else { Access::ReadWrite };
        self.device().queues().wait_for(memory.usage().of_host(access))?;
        Ok(())
    }

    /// Copies an image from or to the host, and waits; what is read is only given if no kernel has faulted before.
    pub(crate) fn copy_image(
        &self,
        texels: &Texels,
        access: Access,
        command: impl FnOnce(&Api, ze_command_list_handle_t) -> Result<(), DriverError>,
    ) -> Result<()> {
        self.use_memory(texels.usage(), access)?;
        let mut state = self.core.lock();
        state.stream.append(command)?;
        match access {
            Access::Read => self.core.finish(state),
            Access::ReadWrite => {
                self.core.wait(&mut state)?;
                texels.usage().written(self.core.mask());
                Ok(())
            }
        }
    }

    /// Waits until other queues are done with memory, as far as this use of it needs. The queue must not be locked, because
    /// two queues could wait for each other.
    fn use_memory(&self, usage: &Usage, access: Access) -> Result<(), DriverError> {
        let mask = self.core.mask();
        let others = match access {
            Access::Read => usage.read(mask),
            Access::ReadWrite => usage.write(mask),
        };
        if others.is_empty() {
            return Ok(());
        }
        self.device().queues().wait_for(others)?;
        usage.written(others);
        Ok(())
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").field("device", &self.device().name()).finish_non_exhaustive()
    }
}
