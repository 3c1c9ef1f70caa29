//! How queues make buffers.

use crate::error::{BufferProblem, DriverError, Refused, Result};
use crate::memory::Allocation;
use crate::memory::buffer::{Buffer, checked_bytes, error};
use crate::memory::import::{Imported, VecParts};
use crate::memory::usm::UsmKind;
use crate::memory::usm_buffer::UsmBuffer;
use crate::queue::Queue;
use kernel_core::{Access, Element};
use std::iter;
use std::thread;
use std::time::{Duration, Instant};

/// The part of a device's memory that may wait to be freed before an allocation waits for it.
const RETIRED_SHARE: u64 = 8;

/// How long an allocation waits at most for memory that other queues still use.
const LONGEST_WANT: Duration = Duration::from_secs(2);

/// How long it waits before it looks again.
const PAUSE: Duration = Duration::from_millis(1);

impl Queue {
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

    /// Makes a buffer of a vector. Where the device can, the memory of the vector becomes that of the buffer, and nothing is copied
    /// ([`UsmBuffer::is_imported`]); elsewhere the values are copied to host memory, as by [`upload_host`](Self::upload_host).
    /// [`UsmBuffer::into_vec`] makes a vector of it again.
    ///
    /// Devices whose driver has `ZE_extension_external_memmap_sysmem` can ([`Limits::host_import`](crate::Limits::host_import)), the CPU device among them. Kernels access the elements where they
    /// are: right for what they access once, or for more than the device has memory for. Whole pages are handed to the driver, which takes
    /// longer than a copy of a small vector by [`upload`](Self::upload). What shares a page with an imported vector, or does not fill words of 4 bytes, is copied.
    ///
    #[cfg_attr(feature = "cpu", doc = "```")]
    #[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
    /// use kernel_runtime::prelude::*;
    ///
    /// #[kernel]
    /// fn double(x: &mut [f32]) {
    ///     x[global_id(0)] *= 2.0;
    /// }
    ///
    /// # fn main() -> Result<()> {
    /// let queue = Device::best()?.queue()?;
    /// let mut x = queue.import_vec(vec![1.5_f32; 1_000_000])?;
    /// double(&mut x).launch(&queue, x.len())?;
    /// let values: Vec<f32> = x.into_vec(&queue)?;
    /// assert_eq!(values[999_999], 3.0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`upload_host`](Self::upload_host), with the vector ([`Refused`]).
    pub fn import_vec<T: Element>(&self, values: Vec<T>) -> Result<UsmBuffer<T>, Refused<Vec<T>>> {
        if let Err(error) = self.check_allocation::<T>(UsmKind::Host, values.len()) {
            return Err(Refused { error: Box::new(error), value: values });
        }
        let (device, parts) = (self.device(), VecParts::new(values));
        // Whatever a driver does not like about the pages, it can be given a copy.
        if let Ok(Some(pages)) = parts.import(device) {
            let (elements, len) = (parts.elements(), parts.len());
            let imported = Imported { pages, lender: Box::new(parts) };
            let memory = Allocation::imported(device, elements, len * size_of::<T>(), imported);
            return Ok(UsmBuffer::new(Buffer::new(memory, len)));
        }
        // SAFETY: nobody has written the elements since they came from a vector.
        let values = unsafe { parts.into_vec() };
        self.upload_host(&values).map_err(|error| Refused { error: Box::new(error), value: values })
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

    /// Makes a buffer of this many elements that are all this value.
    ///
    /// # Errors
    ///
    /// Those of [`upload`](Self::upload).
    pub fn filled<T: Element>(&self, len: usize, value: T) -> Result<Buffer<T>> {
        let mut buffer = self.allocate(UsmKind::Device, len)?;
        self.fill(&mut buffer, value)?;
        Ok(buffer)
    }

    /// Makes a buffer of this many elements that may have any values, without writing them: for kernels that write all of it before anybody reads
    /// it. What the values are is not specified, and it may be what was once in other buffers of this program.
    ///
    /// Elements that cannot have any bytes, such as `bool`, are made as by [`zeros`](Self::zeros).
    ///
    #[cfg_attr(feature = "cpu", doc = "```")]
    #[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
    /// # use kernel_runtime::prelude::*;
    /// #[kernel]
    /// fn squares(y: &mut [u32]) {
    ///     y[global_id(0)] = (global_id(0) * global_id(0)) as u32;
    /// }
    /// # fn main() -> Result<()> {
    /// # let queue = Device::best()?.queue()?;
    /// let mut y = queue.uninit::<u32>(100)?;
    /// squares(&mut y).launch(&queue, 100)?;
    /// assert_eq!(queue.download(&y)?[99], 9801);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`upload`](Self::upload).
    pub fn uninit<T: Element>(&self, len: usize) -> Result<Buffer<T>> {
        self.uninit_in(UsmKind::Device, len)
    }

    /// The same in memory of the host, as of [`upload_host`](Self::upload_host).
    ///
    /// # Errors
    ///
    /// Those of [`upload_host`](Self::upload_host).
    pub fn uninit_host<T: Element>(&self, len: usize) -> Result<UsmBuffer<T>> {
        self.uninit_in(UsmKind::Host, len).map(UsmBuffer::new)
    }

    /// The same in memory that moves between host and device, as of [`upload_shared`](Self::upload_shared).
    ///
    /// # Errors
    ///
    /// Those of [`upload_host`](Self::upload_host).
    pub fn uninit_shared<T: Element>(&self, len: usize) -> Result<UsmBuffer<T>> {
        self.uninit_in(UsmKind::Shared, len).map(UsmBuffer::new)
    }

    fn uninit_in<T: Element>(&self, kind: UsmKind, len: usize) -> Result<Buffer<T>> {
        if T::TYPE.takes_any_bytes() { self.allocate(kind, len) } else { self.zeros_in(kind, len) }
    }

    fn zeros_in<T: Element>(&self, kind: UsmKind, len: usize) -> Result<Buffer<T>> {
        let buffer = self.allocate(kind, len)?;
        if !buffer.is_empty() {
            let mut state = self.lock_for(iter::once((buffer.memory().usage(), Access::ReadWrite)))?;
            // The bytes of 0, of 0.0 and of `false` are all zero, and so are those of what consists of them.
            // SAFETY: the buffer has this size, and its memory is kept until the queue is done with it.
            unsafe { state.stream.append_zeros(buffer.address(), buffer.bytes()) }?;
        }
        Ok(buffer)
    }

    /// Makes a buffer whose elements the caller must write before anyone else sees it.
    pub(super) fn allocate<T: Element>(&self, kind: UsmKind, len: usize) -> Result<Buffer<T>> {
        let (device, limits) = (self.device(), self.device().limits());
        let bytes = self.check_allocation::<T>(kind, len)?;
        if device.reclaimer().retired_bytes() as u64 > limits.memory / RETIRED_SHARE {
            self.core.wait(&mut *self.core.lock()?)?;
        }
        let allocate = || Allocation::aligned(device, kind, bytes, align_of::<T>());
        let memory = match allocate() {
            Err(error) if error.is_out_of_memory() => self.allocate_in_want(allocate)?,
            result => result?,
        };
        Ok(Buffer::new(memory, len))
    }

    /// The bytes of so many elements, if kernels of the device can use such memory and it may have so much in one piece.
    fn check_allocation<T: Element>(&self, kind: UsmKind, len: usize) -> Result<usize> {
        let limits = self.device().limits();
        if !limits.usm.of(kind).read_write {
            let device = self.device().name().into();
            return Err(error::<T>(BufferProblem::NotAccessible { memory: kind, device }).into());
        }
        Ok(checked_bytes::<T>(len, limits.max_allocation)?)
    }

    /// Allocates when there is too little memory: what dropped buffers had can be used again once no queue uses it, whichever it is, and what is kept may be of other sizes.
    fn allocate_in_want(&self, allocate: impl Fn() -> Result<Allocation, DriverError>) -> Result<Allocation> {
        let (device, start) = (self.device(), Instant::now());
        self.core.wait(&mut *self.core.lock()?)?;
        loop {
            device.release_kept_memory();
            match allocate() {
                Err(error)
                    if error.is_out_of_memory()
                        && device.reclaimer().retired_bytes() > 0
                        && start.elapsed() < LONGEST_WANT =>
                {
                    device.queues().wait_for_idle()?;
                    device.reclaimer().sweep(device);
                    thread::sleep(PAUSE);
                }
                result => return Ok(result?),
            }
        }
    }
}
