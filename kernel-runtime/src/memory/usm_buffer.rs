//! Buffers that host and device both address, and the host's views of them.

use crate::error::{BufferProblem, Refused, Result};
use crate::memory::Allocation;
use crate::memory::buffer::{Buffer, error, first_invalid};
use crate::memory::import::VecParts;
use crate::memory::usm::UsmKind;
use crate::queue::Queue;
use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};
use core::slice;
use kernel_core::{Access, Element};
use std::sync::Arc;

/// A [`Buffer`] whose elements the host reads and writes where they are, without a copy.
///
/// It is in [host memory](Queue::upload_host), which the device accesses across the bus, or in [shared
/// memory](Queue::upload_shared), which moves to whoever uses it. A kernel takes it as it takes any buffer.
///
/// The host looks at the elements by [`view`](Self::view) and [`view_mut`](Self::view_mut). While there is a view, rustc
/// refuses to make a launch that changes the buffer, and the queue refuses to enqueue one that was made before:
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
/// let mut x = queue.upload_shared(&[1.0, 2.0, 3.0])?;
/// x.view_mut(&queue)?[2] = 21.0;
/// double(&mut x).launch(&queue, x.len())?;
/// assert_eq!(x.view(&queue)?[..], [2.0, 4.0, 42.0]);
/// # Ok(())
/// # }
/// ```
///
/// ```compile_fail,E0502
/// # use kernel_runtime::prelude::*;
/// # #[kernel]
/// # fn double(x: &mut [f32]) {
/// #     x[global_id(0)] *= 2.0;
/// # }
/// # fn main() -> Result<()> {
/// # let queue = Device::best()?.queue()?;
/// let mut x = queue.upload_shared(&[1.0, 2.0, 3.0])?;
/// let view = x.view(&queue)?;
/// double(&mut x).launch(&queue, 3)?; // The buffer is borrowed by the view.
/// assert_eq!(view[0], 1.0);
/// # Ok(())
/// # }
/// ```
pub struct UsmBuffer<T>(Buffer<T>);

impl<T: Element> UsmBuffer<T> {
    pub(crate) fn new(buffer: Buffer<T>) -> Self {
        Self(buffer)
    }

    /// Which kind of memory it is in.
    #[must_use]
    pub fn kind(&self) -> UsmKind {
        self.0.memory().kind()
    }

    /// Whether its memory is that of the vector that it was made of ([`Queue::import_vec`]), so that nothing was copied.
    #[must_use]
    pub fn is_imported(&self) -> bool {
        self.0.memory().is_imported()
    }

    /// Makes a vector of it, after all that was enqueued before on this queue and all that uses the elements on others. It is the vector that the
    /// buffer was made of, if that lent its memory ([`is_imported`](Self::is_imported)) and nothing else leads to it, such as a launch that was made and not
    /// enqueued, or a graph; else the elements are copied.
    ///
    /// # Errors
    ///
    /// Those of [`view`](Self::view), with the buffer ([`Refused`]).
    pub fn into_vec(mut self, queue: &Queue) -> Result<Vec<T>, Refused<Self>> {
        let values = match self.take(queue) {
            Ok(None) => queue.download(&self.0),
            Ok(Some(values)) => Ok(values),
            Err(error) => Err(error),
        };
        values.map_err(|error| Refused { error: Box::new(error), value: self })
    }

    /// The vector that lent the memory, if nothing else leads to it. If it is taken, nobody may use the buffer afterwards.
    fn take(&mut self, queue: &Queue) -> Result<Option<Vec<T>>> {
        if !self.is_imported() || !self.0.is_all_of_memory() || self.0.sole_memory().is_none() {
            return Ok(None);
        }
        // This finds out that the elements are values.
        drop(self.view_mut(queue)?);
        let Some(memory) = self.0.sole_memory() else { return Ok(None) };
        let parts = memory.give_back::<VecParts<T>>()?;
        // SAFETY: the elements are values, all of them are in the buffer, and no queue uses them any more.
        Ok(parts.map(|parts| unsafe { parts.into_vec() }))
    }

    /// Lets the host read the elements, after all that was enqueued before on this queue and all that writes them on others.
    ///
    /// # Errors
    ///
    /// [`Error::Fault`](crate::Error::Fault) if a kernel that was enqueued on this queue before has faulted;
    /// [`Error::Buffer`](crate::Error::Buffer) if the buffer is of another device than the queue, holds what is no value of `T`, or
    /// has been exchanged for one in device memory or a part that there is another view of; [`Error::Driver`](crate::Error::Driver) if the device is lost.
    pub fn view(&self, queue: &Queue) -> Result<View<'_, T>> {
        Ok(View(Opened::new(&self.0, queue, Access::Read)?))
    }

    /// Lets the host read and write the elements, after all that was enqueued before on this queue and all that uses them
    /// on others. Launches that are enqueued once the view is gone see what was written.
    ///
    /// # Errors
    ///
    /// Those of [`view`](Self::view).
    pub fn view_mut(&mut self, queue: &Queue) -> Result<ViewMut<'_, T>> {
        Ok(ViewMut(Opened::new(&self.0, queue, Access::ReadWrite)?, PhantomData))
    }
}

/// What can be done with any buffer can be done with this one.
impl<T> Deref for UsmBuffer<T> {
    type Target = Buffer<T>;

    fn deref(&self) -> &Buffer<T> {
        &self.0
    }
}

impl<T> DerefMut for UsmBuffer<T> {
    fn deref_mut(&mut self) -> &mut Buffer<T> {
        &mut self.0
    }
}

impl<T: Element> fmt::Debug for UsmBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UsmBuffer<{}>({} elements in {})", T::TYPE, self.len(), self.kind())
    }
}

/// The elements of a [`UsmBuffer`], for the host to read.
///
/// Launches that only read the buffer may run beside it, where the device can be read beside by the host
/// ([`MemoryAccess::concurrent`](crate::MemoryAccess::concurrent)).
pub struct View<'b, T: Element>(Opened<'b, T>);

/// The elements of a [`UsmBuffer`], for the host to read and write.
pub struct ViewMut<'b, T: Element>(Opened<'b, T>, PhantomData<&'b mut [T]>);

#[cfg(feature = "ndarray")]
impl<T: Element> View<'_, T> {
    pub(crate) fn buffer(&self) -> &Buffer<T> {
        self.0.buffer
    }
}

#[cfg(feature = "ndarray")]
impl<T: Element> ViewMut<'_, T> {
    pub(crate) fn buffer(&self) -> &Buffer<T> {
        self.0.buffer
    }
}

impl<T: Element> Deref for View<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_slice()
    }
}

impl<T: Element> Deref for ViewMut<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_slice()
    }
}

impl<T: Element> DerefMut for ViewMut<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        let (buffer, values) = (self.0.buffer, self.0.values());
        // SAFETY: as for `as_slice`; the view borrows the buffer exclusively, and no launch uses it meanwhile.
        unsafe { slice::from_raw_parts_mut(values, buffer.len()) }
    }
}

impl<T: Element + fmt::Debug> fmt::Debug for View<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Element + fmt::Debug> fmt::Debug for ViewMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// A buffer that no launch changes, and whose elements are values.
struct Opened<'b, T: Element> {
    buffer: &'b Buffer<T>,
    /// That there is a view, until this is dropped.
    _noted: Noted<'b>,
}

impl<'b, T: Element> Opened<'b, T> {
    fn new(buffer: &'b Buffer<T>, queue: &Queue, access: Access) -> Result<Self> {
        buffer.check_device(queue.device())?;
        let memory = buffer.memory();
        if memory.kind() == UsmKind::Device {
            return Err(error::<T>(BufferProblem::NotOnHost).into());
        }
        let noted = Noted::new(memory, access).ok_or_else(|| error::<T>(BufferProblem::Viewed))?;
        let opened = Self { buffer, _noted: noted };
        queue.finish_for_host(memory, access)?;
        // SAFETY: there is memory for the elements, which someone has written; no launch changes them any more.
        let elements =
            unsafe { slice::from_raw_parts(opened.values().cast::<MaybeUninit<T>>(), buffer.len()) };
        match first_invalid(elements) {
            Some(index) => Err(error::<T>(BufferProblem::InvalidElement { index }).into()),
            None => Ok(opened),
        }
    }

    fn values(&self) -> *mut T {
        self.buffer.address().cast()
    }

    fn as_slice(&self) -> &[T] {
        // SAFETY: the memory is the host's too, is aligned for every element and has room for so many; they have been checked to
        // be values. Until the view is gone no launch and no copy that writes them is enqueued.
        unsafe { slice::from_raw_parts(self.values(), self.buffer.len()) }
    }
}

/// The note that there is a view.
struct Noted<'b> {
    memory: &'b Arc<Allocation>,
    access: Access,
}

impl<'b> Noted<'b> {
    /// Notes it, if no other view is in the way.
    fn new(memory: &'b Arc<Allocation>, access: Access) -> Option<Self> {
        memory.views().open(access).then(|| Self { memory, access })
    }
}

impl Drop for Noted<'_> {
    fn drop(&mut self) {
        self.memory.views().close(self.access);
    }
}
