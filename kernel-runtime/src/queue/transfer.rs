//! Copies and fills.

use crate::error::{BufferError, BufferProblem, Result};
use crate::launch::argument_bytes::ArgumentBytes;
use crate::launch::dispatch::GroupsAt;
use crate::memory::Allocation;
use crate::memory::buffer::{Buffer, HostValues, error};
use crate::memory::usm::UsmKind;
use crate::memory::views::Views;
use crate::queue::Queue;
use crate::queue::queue_core::{Locked, State};
use core::ffi::c_void;
use core::ops::Range;
use kernel_core::{Access, Element};
use std::iter;
use std::ptr;
use std::sync::Arc;

impl Queue {
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
        // SAFETY: both have this size, and the values are borrowed.
        unsafe { self.write_from(buffer, values.as_ptr().cast()) }
    }

    /// Copies values of the host into a buffer that is not empty, and waits.
    ///
    /// # Safety
    ///
    /// `from` must have as many elements until this returns.
    unsafe fn write_from<T: Element>(&self, buffer: &mut Buffer<T>, from: *const c_void) -> Result<()> {
        let (_in_use, mut state) = self.lock_buffer(buffer, Access::ReadWrite)?;
        // SAFETY: the caller vouches for the values, and the memory is kept until the queue is done with it.
        unsafe { state.stream.run_copy("upload", buffer.address(), from, buffer.bytes()) }?;
        self.core.wait(&mut state)?;
        buffer.memory().usage().written(self.core.mask());
        Ok(())
    }

    /// Copies the elements of a buffer into one of the same length, on the device, and returns without waiting.
    ///
    /// The buffers may be of two devices, and the queue of any. Where its device can [access](crate::Device::can_access) both, it copies from one to the other. Else the elements go
    /// through the host, which waits for them here.
    ///
    /// # Errors
    ///
    /// [`Error::Buffer`](crate::Error::Buffer) if the lengths differ, or a buffer is viewed by the host;
    /// [`Error::Driver`](crate::Error::Driver) if a driver fails.
    pub fn copy<T: Element>(&self, from: &Buffer<T>, to: &mut Buffer<T>) -> Result<()> {
        to.check_len(from.len())?;
        if to.is_empty() {
            return Ok(());
        }
        let device = self.device();
        if !(device.reach_of(from.memory())?.access && device.reach_of(to.memory())?.access) {
            return self.copy_through_host(from, to);
        }
        check_apart((from, 0..from.bytes()), (to, 0..to.bytes()))?;
        let (_in_use, mut state) = self.lock_buffers(from, to)?;
        // SAFETY: both have this size and do not overlap, and their memory is kept until the queue is done with it.
        unsafe { state.stream.append_copy(to.address(), from.address(), to.bytes()) }?;
        Ok(())
    }

    /// Copies between buffers of which one is out of reach, and waits.
    fn copy_through_host<T: Element>(&self, from: &Buffer<T>, to: &mut Buffer<T>) -> Result<()> {
        let mut values = HostValues::<T>::zeroed(from.len());
        let source = self.near(from)?;
        // SAFETY: the memory has room for the elements, and may hold any bytes.
        unsafe { source.get().read(from, values.as_mut_ptr()) }?;
        let target = self.near(to)?;
        // SAFETY: the values have this size and are kept until the copy is complete.
        unsafe { target.get().write_from(to, values.as_mut_ptr()) }
    }

    /// This queue if the buffer is within reach, or else a queue of the buffer's device.
    fn near<T: Element>(&self, buffer: &Buffer<T>) -> Result<Near<'_>> {
        match self.device().reach_of(buffer.memory())?.access {
            true => Ok(Near::Own(self)),
            false => Ok(Near::Other(buffer.device().queue()?)),
        }
    }

    /// Makes all elements of a buffer the same value, on the device, and returns without waiting.
    ///
    /// # Errors
    ///
    /// [`Error::Buffer`](crate::Error::Buffer) if the buffer is of another device or viewed by the host;
    /// [`Error::Driver`](crate::Error::Driver) if the driver fails.
    pub fn fill<T: Element>(&self, buffer: &mut Buffer<T>, value: T) -> Result<()> {
        buffer.check_device(self.device())?;
        if buffer.is_empty() {
            return Ok(());
        }
        let (_in_use, mut state) = self.lock_buffer(buffer, Access::ReadWrite)?;
        let value = ArgumentBytes::of(&value);
        let pattern = pattern(&value);
        if is_repeated(self, pattern) {
            // SAFETY: the buffer has this size, and its memory is kept until the queue is done with it.
            unsafe { state.stream.append_fill(buffer.address(), pattern, buffer.bytes()) }?;
            return Ok(());
        }
        self.repeat(&mut state, buffer, pattern)
    }

    /// Fills a buffer that is not empty with an element that the driver does not repeat: the elements that are there are copied to those that follow,
    /// twice as many each time.
    fn repeat<T: Element>(&self, state: &mut State, buffer: &Buffer<T>, element: &[u8]) -> Result<()> {
        let first = Allocation::new(self.device(), UsmKind::Host, element.len())?;
        // SAFETY: the memory is the host's too and has this size; nothing else uses it yet.
        unsafe { ptr::copy_nonoverlapping(element.as_ptr(), first.address().cast(), element.len()) };
        let (to, bytes) = (buffer.address(), buffer.bytes());
        let mut filled = element.len();
        // SAFETY: the buffer has room for an element, and both memories are kept until the queue is done with them.
        unsafe { state.stream.append_copy(to, first.address(), filled) }?;
        while filled < bytes {
            let more = filled.min(bytes - filled);
            // SAFETY: the buffer has this size, and the two parts do not overlap.
            unsafe { state.stream.append_copy(to.wrapping_byte_add(filled), to, more) }?;
            filled += more;
        }
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
        // SAFETY: the memory has room for the elements and may hold any bytes.
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

    /// Copies the elements of a buffer to the host and finishes.
    ///
    /// # Safety
    ///
    /// `to` must have room for them until this returns.
    unsafe fn read<T: Element>(&self, buffer: &Buffer<T>, to: *mut c_void) -> Result<()> {
        let (_in_use, state) = self.lock_buffer(buffer, Access::Read)?;
        let (from, bytes) = (buffer.address(), buffer.bytes());
        self.core.finish_after(state, |stream| match bytes {
            0 => Ok(()),
            // SAFETY: the buffer has this size, and `to` has room for it.
            _ => unsafe { stream.run_copy("download", to, from, bytes) },
        })
    }

    /// Where the number of work-groups of a launch is, in a buffer that it is about to use.
    pub(crate) fn use_groups<'b>(&self, groups: &'b Buffer<[u32; 3]>) -> Result<(InUse<'b>, GroupsAt<'b>)> {
        groups.check_device(self.device())?;
        let in_use = self.check_views(groups, Access::Read)?;
        let (address, usage) = (groups.address().cast_const().cast(), groups.memory().usage());
        Ok((in_use, GroupsAt { address, usage }))
    }

    /// Locks the queue for a copy that uses a buffer, after what other queues do with it. Refuses it if the host has a view in the way, and lets it have none
    /// as long as the first of both is there.
    pub(super) fn lock_buffer<'b, T: Element>(
        &self,
        buffer: &'b Buffer<T>,
        access: Access,
    ) -> Result<(InUse<'b>, Locked<'_>)> {
        let in_use = self.check_views(buffer, access)?;
        Ok((in_use, self.lock_for(iter::once((buffer.memory().usage(), access)))?))
    }

    /// The same for a copy from one buffer to another.
    pub(super) fn lock_buffers<'b, T: Element>(
        &self,
        from: &'b Buffer<T>,
        to: &'b Buffer<T>,
    ) -> Result<([InUse<'b>; 2], Locked<'_>)> {
        let in_use = [self.check_views(from, Access::Read)?, self.check_views(to, Access::ReadWrite)?];
        let uses = [(from.memory().usage(), Access::Read), (to.memory().usage(), Access::ReadWrite)];
        Ok((in_use, self.lock_for(uses.into_iter())?))
    }

    /// Refuses a use of a buffer if the host has a view in the way, and lets it have none meanwhile.
    fn check_views<'b, T: Element>(&self, buffer: &'b Buffer<T>, access: Access) -> Result<InUse<'b>> {
        let memory = buffer.memory();
        let concurrent = self.device().limits().usm.of(memory.kind()).concurrent;
        Ok(InUse::new(memory, access, concurrent).ok_or_else(|| error::<T>(BufferProblem::Viewed))?)
    }
}

/// A queue that can copy a buffer.
enum Near<'q> {
    Own(&'q Queue),
    Other(Queue),
}

impl Near<'_> {
    fn get(&self) -> &Queue {
        match self {
            Self::Own(queue) => queue,
            Self::Other(queue) => queue,
        }
    }
}

/// The shortest pattern that repeats the bytes of a value again and again: one byte, if all are the same.
pub(super) fn pattern(value: &ArgumentBytes) -> &[u8] {
    match value.as_slice() {
        [byte, others @ ..] if others.iter().all(|other| other == byte) => &value.as_slice()[..1],
        whole => whole,
    }
}

/// Whether a fill by the device repeats a pattern.
pub(super) fn is_repeated(queue: &Queue, pattern: &[u8]) -> bool {
    pattern.len().is_power_of_two() && pattern.len() <= queue.core.max_fill_pattern()
}

/// Memory that a copy is about to use, of which the host gets no view until this is dropped.
pub(crate) struct InUse<'b>(Option<&'b Views>);

impl<'b> InUse<'b> {
    /// Notes the copy, if there is no view in the way.
    fn new(memory: &'b Allocation, access: Access, concurrent: bool) -> Option<Self> {
        match memory.kind() {
            UsmKind::Device => Some(Self(None)),
            _ if memory.views().begin_launch(access, concurrent) => Some(Self(Some(memory.views()))),
            _ => None,
        }
    }
}

impl Drop for InUse<'_> {
    fn drop(&mut self) {
        if let Some(views) = self.0 {
            views.end_launch();
        }
    }
}

/// Checks that ranges of bytes of two buffers do not overlap. With two buffers they cannot, but parts of one may have been exchanged.
pub(super) fn check_apart<T: Element>(
    (from, from_bytes): (&Buffer<T>, Range<usize>),
    (to, to_bytes): (&Buffer<T>, Range<usize>),
) -> Result<(), BufferError> {
    let absolute =
        |buffer: &Buffer<T>, bytes: Range<usize>| buffer.start() + bytes.start..buffer.start() + bytes.end;
    let (from_bytes, to_bytes) = (absolute(from, from_bytes), absolute(to, to_bytes));
    let overlap = from_bytes.start.max(to_bytes.start) < from_bytes.end.min(to_bytes.end);
    match overlap && Arc::ptr_eq(from.memory(), to.memory()) {
        true => Err(error::<T>(BufferProblem::Overlap)),
        false => Ok(()),
    }
}
