//! Buffers with a part on each device.

use crate::error::{Result, SplitError, SplitProblem};
use crate::memory::buffer::Buffer;
use crate::queue::Queue;
use crate::queue::asynchronous::Download;
use crate::split::cuts::Cuts;
use crate::split::{Part, Split};
use core::fmt;
use core::ops::{Index, IndexMut};
use kernel_core::Element;
use std::sync::Arc;

/// Elements that are cut like a [`Split`], each part of which is a [`Buffer`] on its device: `&x[part]` for kernels that read, `&mut x[part]` for those that write.
///
/// With a [halo](Split::halo) a part's buffer holds some elements of its neighbours before and after its [own](Part::own).
pub struct SplitBuffer<T> {
    cuts: Arc<Cuts>,
    parts: Vec<Buffer<T>>,
}

impl<T> SplitBuffer<T> {
    pub(super) fn cuts(&self) -> &Arc<Cuts> {
        &self.cuts
    }

    /// The buffers of all parts.
    #[must_use]
    pub fn parts(&self) -> &[Buffer<T>] {
        &self.parts
    }

    /// The same to write.
    pub(super) fn parts_mut(&mut self) -> &mut [Buffer<T>] {
        &mut self.parts
    }

    /// The number of elements of all parts together, each counted once.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cuts.len()
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The buffer of a part; panics if the buffer has no such part, as of a split with fewer devices.
impl<T> Index<Part<'_>> for SplitBuffer<T> {
    type Output = Buffer<T>;

    fn index(&self, part: Part<'_>) -> &Buffer<T> {
        &self.parts[part.index()]
    }
}

/// The same to write.
impl<T> IndexMut<Part<'_>> for SplitBuffer<T> {
    fn index_mut(&mut self, part: Part<'_>) -> &mut Buffer<T> {
        &mut self.parts[part.index()]
    }
}

impl<T: Element> fmt::Debug for SplitBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.parts).finish()
    }
}

impl Split {
    /// Makes a buffer with the values of a slice, which has an element for each of the split. Waits until they are copied, to all devices at the same time.
    ///
    /// # Errors
    ///
    /// [`Error::Split`](crate::Error::Split) if the slice has another length, and those of [`Queue::upload`].
    pub fn upload<T: Element>(&self, values: &[T]) -> Result<SplitBuffer<T>> {
        self.check_len(values.len())?;
        let mut buffer = self.uninit::<T>()?;
        self.write(&mut buffer, values)?;
        Ok(buffer)
    }

    /// Makes a buffer whose elements are all the same value, without waiting.
    ///
    /// # Errors
    ///
    /// Those of [`Queue::filled`].
    pub fn filled<T: Element>(&self, value: T) -> Result<SplitBuffer<T>> {
        self.make(|queue, len| queue.filled(len, value))
    }

    /// Makes a buffer of zeros, without waiting.
    ///
    /// # Errors
    ///
    /// Those of [`Queue::zeros`].
    pub fn zeros<T: Element>(&self) -> Result<SplitBuffer<T>> {
        self.make(Queue::zeros)
    }

    /// Makes a buffer whose elements have any values, as [`Queue::uninit`] does.
    ///
    /// # Errors
    ///
    /// Those of [`Queue::uninit`].
    pub fn uninit<T: Element>(&self) -> Result<SplitBuffer<T>> {
        self.make(Queue::uninit)
    }

    fn make<T: Element>(&self, make: impl Fn(&Queue, usize) -> Result<Buffer<T>>) -> Result<SplitBuffer<T>> {
        let part = |part: Part<'_>| make(part.queue(), self.cuts.held(part.index()).len());
        Ok(SplitBuffer {
            cuts: Arc::clone(&self.cuts),
            parts: self.parts().map(part).collect::<Result<_>>()?,
        })
    }

    /// Copies the values of a slice into a buffer, with those that parts hold of their neighbours. Waits until they are copied, to all devices at the same time.
    ///
    /// # Errors
    ///
    /// [`Error::Split`](crate::Error::Split) if the slice has another length than the split, or the buffer is cut otherwise, and those of [`Queue::write`].
    pub fn write<T: Element>(&self, buffer: &mut SplitBuffer<T>, values: &[T]) -> Result<()> {
        self.check_len(values.len())?;
        self.check(buffer)?;
        self.write_from(0, &mut buffer.parts, values)
    }

    /// Copies values into the buffers of all parts from one on: starts the first, and waits for it when all others have been started.
    fn write_from<T: Element>(&self, first: usize, buffers: &mut [Buffer<T>], values: &[T]) -> Result<()> {
        let [buffer, others @ ..] = buffers else { return Ok(()) };
        self.queues[first].scope(|scope| {
            scope.write(buffer, &values[self.cuts.held(first)])?;
            self.write_from(first + 1, others, values)
        })
    }

    /// Copies the elements of a buffer to the host, from all devices at the same time, after all that was enqueued before.
    ///
    /// # Errors
    ///
    /// [`Error::Split`](crate::Error::Split) if the buffer is cut otherwise, and those of [`Queue::download`].
    pub fn download<T: Element>(&self, buffer: &SplitBuffer<T>) -> Result<Vec<T>> {
        self.check(buffer)?;
        let start = |part: Part<'_>| part.queue().download_async(&buffer[part].slice(part.own()));
        let downloads: Vec<Download<T>> = self.parts().map(start).collect::<Result<_>>()?;
        let mut values = Vec::with_capacity(self.len());
        for download in downloads {
            values.extend(download.wait()?);
        }
        Ok(values)
    }

    fn check_len(&self, slice: usize) -> Result<()> {
        match slice == self.len() {
            true => Ok(()),
            false => Err(SplitError::from(SplitProblem::Length { split: self.len(), slice }).into()),
        }
    }
}
