//! Copies from and to the host for which nobody waits at once.

use crate::error::Result;
use crate::memory::Resource;
use crate::memory::buffer::{Buffer, HostValues};
use crate::memory::usm::UsmKind;
use crate::queue::Queue;
use crate::queue::event::Event;
use crate::queue::queue_core::QueueCore;
use core::any::Any;
use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use kernel_core::{Access, Element};
use std::sync::Arc;

impl Queue {
    /// Makes a buffer with the values of a vector, and returns without waiting until they are copied. The vector is kept until then.
    ///
    /// # Errors
    ///
    /// Those of [`upload`](Self::upload).
    pub fn upload_async<T: Element>(&self, values: Vec<T>) -> Result<Buffer<T>> {
        let mut buffer = self.allocate(UsmKind::Device, values.len())?;
        self.write_async(&mut buffer, values)?;
        Ok(buffer)
    }

    /// Copies the values of a vector into a buffer of the same length, and returns without waiting until they are copied. The vector is kept until then.
    ///
    /// # Errors
    ///
    /// Those of [`write`](Self::write).
    pub fn write_async<T: Element>(&self, buffer: &mut Buffer<T>, values: Vec<T>) -> Result<()> {
        buffer.check_copy(self.device(), values.len())?;
        if values.is_empty() {
            return Ok(());
        }
        let values = Lent::new(&self.core, Sendable(values), buffer.bytes());
        let from = values.get().0.as_ptr().cast();
        let (_in_use, mut state) = self.lock_buffer(buffer, Access::ReadWrite)?;
        // SAFETY: both have this size, and are kept until the queue is done with them.
        unsafe { state.stream.append_copy(buffer.address(), from, buffer.bytes()) }?;
        Ok(())
    }

    /// Starts to copy the elements of a buffer to the host, after all that was enqueued before, and returns without waiting.
    ///
    #[cfg_attr(feature = "cpu", doc = "```")]
    #[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
    /// use kernel_runtime::prelude::*;
    ///
    /// # fn main() -> Result<()> {
    /// let queue = Device::best()?.queue()?;
    /// let x = queue.upload_async(vec![1.0_f32, 2.0, 3.0])?;
    /// let download = queue.download_async(&x)?;
    /// // The host does something else here, or awaits the download in an asynchronous function.
    /// assert_eq!(download.wait()?, [1.0, 2.0, 3.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Buffer`](crate::Error::Buffer) if the buffer is of another device or viewed by the host;
    /// [`Error::Driver`](crate::Error::Driver) if the driver fails.
    pub fn download_async<T: Element>(&self, buffer: &Buffer<T>) -> Result<Download<T>> {
        buffer.check_device(self.device())?;
        let event = Event::new(self.device())?;
        let mut values =
            Lent::new(&self.core, Sendable(HostValues::<T>::zeroed(buffer.len())), buffer.bytes());
        if buffer.is_empty() {
            self.core.lock()?.stream.append_signal(&event)?;
            return Ok(Download { values, event });
        }
        let (in_use, mut state) = self.lock_buffer(buffer, Access::Read)?;
        let (to, from) = (values.get_mut().0.as_mut_ptr(), buffer.address());
        // SAFETY: both have this size, and are kept until the queue is done with them.
        unsafe { state.stream.append_signalling_copy("download", to, from, buffer.bytes(), &event) }?;
        drop((in_use, state));
        Ok(Download { values, event })
    }
}

/// Elements of a buffer on their way to the host, of [`Queue::download_async`].
///
/// As a future it is ready when they are there, and works with every executor. Dropping it is safe at any time.
#[must_use = "`wait` or `await` gives the elements"]
pub struct Download<T: Element> {
    values: Lent<Sendable<HostValues<T>>>,
    event: Event,
}

impl<T: Element> Download<T> {
    /// Waits for the elements.
    ///
    /// # Errors
    ///
    /// Those of [`Queue::download`]. To find out about faults, this also waits for what was enqueued later, if kernels that can fault were launched and
    /// nobody has synchronised the queue since.
    pub fn wait(self) -> Result<Vec<T>> {
        self.event.wait()?;
        self.finish()
    }

    /// Whether the elements are there, so that [`wait`](Self::wait) need not wait for them.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`](crate::Error::Driver) if the device is lost.
    pub fn is_complete(&self) -> Result<bool> {
        self.event.is_complete()
    }

    /// The elements, once the event is signalled.
    fn finish(mut self) -> Result<Vec<T>> {
        self.values.queue.report()?;
        let Some(Sendable(values)) = self.values.content.take() else { return Ok(Vec::new()) };
        Ok(values.check()?)
    }
}

/// Nothing in it points into it.
impl<T: Element> Unpin for Download<T> {}

/// Ready when the elements are there.
impl<T: Element> Future for Download<T> {
    type Output = Result<Vec<T>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        ready!(Pin::new(&mut self.event).poll(context))?;
        let Lent { bytes, queue, .. } = &self.values;
        let (bytes, queue) = (*bytes, Arc::clone(queue));
        let taken = Lent { content: self.values.content.take(), bytes, queue };
        Poll::Ready(Self { values: taken, event: self.event.clone() }.finish())
    }
}

impl<T: Element> fmt::Debug for Download<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Download").field("element", &T::TYPE).finish_non_exhaustive()
    }
}

/// Memory of the host program that commands of a queue use. If it is dropped before they are complete, it is kept until they are.
struct Lent<M: Any + Send> {
    content: Option<M>,
    /// Its size.
    bytes: usize,
    queue: Arc<QueueCore>,
}

impl<M: Any + Send> Lent<M> {
    fn new(queue: &Arc<QueueCore>, content: M, bytes: usize) -> Self {
        Self { content: Some(content), bytes, queue: Arc::clone(queue) }
    }

    fn get(&self) -> &M {
        self.content.as_ref().expect("it is there until it is taken at the end")
    }

    fn get_mut(&mut self) -> &mut M {
        self.content.as_mut().expect("it is there until it is taken at the end")
    }
}

impl<M: Any + Send> Drop for Lent<M> {
    fn drop(&mut self) {
        if let Some(content) = self.content.take() {
            let device = self.queue.device();
            device.reclaimer().retire(device, Resource::Host(Box::new(content)), self.bytes);
        }
    }
}

/// Elements that go to other threads, be they pointers.
struct Sendable<M>(M);

// SAFETY: elements are plain data; what those that are pointers lead to is only for `unsafe` code to use, on whatever thread.
unsafe impl<T: Element> Send for Sendable<Vec<T>> {}
// SAFETY: the same.
unsafe impl<T: Element> Send for Sendable<HostValues<T>> {}
