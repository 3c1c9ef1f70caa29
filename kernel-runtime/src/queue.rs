//! Queues: what is enqueued runs in order, while the host goes on.

use crate::buffer::{Buffer, HostValues, checked_bytes};
use crate::device::Device;
use crate::dispatch::LaunchSize;
use crate::error::{DriverError, LaunchError, Result};
use crate::fault_records::FaultRecords;
use crate::kernel::Kernel;
use crate::launch::{LaunchArgument, check_arguments};
use crate::memory::Allocation;
use crate::module::KernelId;
use crate::stream::Stream;
use core::ffi::c_void;
use core::fmt;
use core::mem::ManuallyDrop;
use kernel_core::{Element, KernelDescriptor, Scalar};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The part of a device's memory that may wait to be freed before an allocation waits for it.
const RETIRED_SHARE: u64 = 8;

/// A queue of a device: launches and copies run one after the other, in the order of the calls.
///
/// A launch returns at once. [`download`](Self::download) and [`synchronize`](Self::synchronize) wait for all that was
/// enqueued before, and report a fault in any kernel of it. Several queues of a device run side by side.
///
/// A queue may be used from several threads; each call has it for itself. When a queue is dropped, it waits for its work to
/// complete; a fault that nobody has read is then written to standard error.
pub struct Queue {
    device: Device,
    /// Dropped only when nothing of it is in use by the device any more.
    state: Mutex<ManuallyDrop<State>>,
}

/// What a queue owns of the driver's. None of it may be used by two threads at once.
struct State {
    kernels: HashMap<KernelId, Kernel>,
    records: FaultRecords,
    stream: Stream,
}

impl Queue {
    pub(crate) fn new(device: &Device) -> Result<Self> {
        let (kernels, records) = (HashMap::new(), FaultRecords::default());
        let state = State { kernels, records, stream: Stream::new(device)? };
        Ok(Self { device: device.clone(), state: Mutex::new(ManuallyDrop::new(state)) })
    }

    /// The device of the queue.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Makes a buffer with the values of a slice. Waits until they are copied.
    ///
    /// # Errors
    ///
    /// [`Error::Buffer`](crate::Error::Buffer) if it is larger than the device allows;
    /// [`Error::Driver`](crate::Error::Driver) if the device has no memory left or the copy fails.
    pub fn upload<T: Element>(&self, values: &[T]) -> Result<Buffer<T>> {
        let mut buffer = self.allocate(values.len())?;
        self.write(&mut buffer, values)?;
        Ok(buffer)
    }

    /// Makes a buffer of this many elements that are all zero, or `false`.
    ///
    /// # Errors
    ///
    /// Those of [`upload`](Self::upload).
    pub fn zeros<T: Element>(&self, len: usize) -> Result<Buffer<T>> {
        let buffer = self.allocate(len)?;
        if !buffer.is_empty() {
            // The bytes of 0, of 0.0 and of `false` are all zero.
            // SAFETY: the buffer has this size, and its memory is kept until the queue is done with it.
            unsafe { self.lock().stream.append_zeros(buffer.memory().address(), buffer.bytes()) }?;
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
        buffer.check_copy(&self.device, values.len())?;
        if values.is_empty() {
            return Ok(());
        }
        let mut state = self.lock();
        let (to, from) = (buffer.memory().address(), values.as_ptr().cast());
        // SAFETY: both have this size. The values are borrowed until the end of the wait, and if that fails, the device is
        // lost and reads no more.
        unsafe { state.stream.append_copy(to, from, buffer.bytes()) }?;
        Ok(self.wait(&mut state)?)
    }

    /// Copies the elements of a buffer to the host, after all that was enqueued before.
    ///
    /// # Errors
    ///
    /// [`Error::Fault`](crate::Error::Fault) if a kernel that was enqueued before has faulted;
    /// [`Error::Buffer`](crate::Error::Buffer) if the buffer is of another device, or holds what is no `bool`;
    /// [`Error::Driver`](crate::Error::Driver) if the copy fails.
    pub fn download<T: Element>(&self, buffer: &Buffer<T>) -> Result<Vec<T>> {
        buffer.check_device(&self.device)?;
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
        buffer.check_copy(&self.device, values.len())?;
        if T::SCALAR == Scalar::Bool {
            // The device may have written bytes that must never be in a slice of `bool`.
            values.copy_from_slice(&self.download(buffer)?);
            return Ok(());
        }
        // SAFETY: as for `download`; any bytes are values of the other types.
        unsafe { self.read(buffer, values.as_mut_ptr().cast()) }
    }

    /// Waits until all that was enqueued is complete.
    ///
    /// # Errors
    ///
    /// [`Error::Fault`](crate::Error::Fault) if a kernel has faulted since the last synchronisation;
    /// [`Error::Driver`](crate::Error::Driver) if the device is lost.
    pub fn synchronize(&self) -> Result<()> {
        self.finish(&mut self.lock())
    }

    /// Builds a kernel for the device now, so that its first launch need not.
    ///
    /// # Errors
    ///
    /// [`Error::MissingFeature`](crate::Error::MissingFeature) or [`Error::Build`](crate::Error::Build) if the device cannot run
    /// the kernel.
    pub fn prepare(&self, descriptor: &'static KernelDescriptor) -> Result<()> {
        let mut state = self.lock();
        let State { kernels, records, stream } = &mut **state;
        find_kernel(&self.device, kernels, records, stream, descriptor).map(|_| ())
    }

    /// Enqueues a launch, or finds out why it cannot be.
    pub(crate) fn launch(
        &self,
        descriptor: &'static KernelDescriptor,
        arguments: &[LaunchArgument],
        size: LaunchSize,
    ) -> Result<()> {
        check_arguments(descriptor, &self.device, arguments)?;
        let mut state = self.lock();
        let State { kernels, records, stream } = &mut **state;
        let kernel = find_kernel(&self.device, kernels, records, stream, descriptor)?;
        let dispatch = kernel
            .dispatch(self.device.limits(), size)
            .map_err(|problem| LaunchError { kernel: descriptor.name, problem })?;
        kernel.launch(stream, size, dispatch, arguments)?;
        if let Some(record) = kernel.record() {
            records.note_launch(record);
        }
        Ok(())
    }

    /// Makes a buffer whose elements the caller must write before anyone else sees it.
    fn allocate<T: Element>(&self, len: usize) -> Result<Buffer<T>> {
        let limits = self.device.limits();
        let bytes = checked_bytes::<T>(len, limits.max_allocation)?;
        if self.device.reclaimer().retired_bytes() as u64 > limits.memory / RETIRED_SHARE {
            self.wait(&mut self.lock())?;
        }
        let memory = match Allocation::new(&self.device, bytes) {
            // Waiting lets the memory of dropped buffers be freed.
            Err(error) if error.is_out_of_memory() => {
                self.wait(&mut self.lock())?;
                Allocation::new(&self.device, bytes)
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
        let mut state = self.lock();
        if !buffer.is_empty() {
            let from = buffer.memory().address();
            // SAFETY: the buffer has this size, and `to` has room for it.
            unsafe { state.stream.append_copy(to, from, buffer.bytes()) }?;
        }
        self.finish(&mut state)
    }

    /// Waits, and then looks for faults.
    fn finish(&self, state: &mut State) -> Result<()> {
        state.records.fetch(&mut state.stream)?;
        self.wait(state)?;
        state.records.check(&mut state.stream)
    }

    /// Waits until all that was enqueued is complete, and frees the memory that waited for it.
    fn wait(&self, state: &mut State) -> Result<(), DriverError> {
        state.stream.wait()?;
        self.device.reclaimer().sweep(&self.device);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, ManuallyDrop<State>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The kernel object of this queue, made now if it was not before.
fn find_kernel<'k>(
    device: &Device,
    kernels: &'k mut HashMap<KernelId, Kernel>,
    records: &mut FaultRecords,
    stream: &mut Stream,
    descriptor: &'static KernelDescriptor,
) -> Result<&'k mut Kernel> {
    match kernels.entry(KernelId::of(descriptor)) {
        Entry::Occupied(entry) => Ok(entry.into_mut()),
        Entry::Vacant(entry) => {
            let mut kernel = Kernel::new(device, descriptor)?;
            if descriptor.has_fault_record() {
                let record = records.add(device, stream, descriptor)?;
                kernel.set_record(record, records.address(record))?;
            }
            Ok(entry.insert(kernel))
        }
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        let mut state = self.lock();
        match self.finish(&mut state) {
            Ok(()) => {}
            Err(error) => eprintln!("a queue was dropped with an unread error: {error}"),
        }
        // The check for faults may have appended commands.
        if self.wait(&mut state).is_ok() {
            // SAFETY: nothing runs any more, and the queue is not used again. Otherwise the state is leaked, since the
            // device may still be using it.
            unsafe { ManuallyDrop::drop(&mut state) };
        }
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").field("device", &self.device.name()).finish_non_exhaustive()
    }
}
