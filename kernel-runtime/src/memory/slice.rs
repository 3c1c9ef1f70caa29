//! Parts of buffers.

use crate::memory::buffer::Buffer;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Bound, Deref, DerefMut, Range, RangeBounds};
use kernel_core::Element;

/// A part of a [`Buffer`] that kernels and copies may read: what `&x[a..b]` is of a slice.
///
/// It is used like a buffer, of which [`Buffer::slice`] makes it:
///
#[cfg_attr(feature = "cpu", doc = "```")]
#[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
/// use kernel_runtime::prelude::*;
///
/// #[kernel]
/// fn add(x: &[f32], y: &mut [f32]) {
///     let i = global_id(0);
///     y[i] += x[i];
/// }
///
/// # fn main() -> Result<()> {
/// let queue = Device::best()?.queue()?;
/// let x = queue.upload(&[1.0_f32; 64])?;
/// let mut y = queue.zeros::<f32>(64)?;
/// add(&x.slice(..16), &mut y.slice_mut(48..)).launch(&queue, 16)?;
/// assert_eq!(queue.download(&y.slice(47..50))?, [0.0, 1.0, 1.0]);
/// # Ok(())
/// # }
/// ```
///
/// For the order of commands of several queues, and for the host's views, the use of a part is a use of the whole buffer.
pub struct BufferSlice<'b, T> {
    part: Buffer<T>,
    whole: PhantomData<&'b Buffer<T>>,
}

/// A part of a [`Buffer`] that kernels and copies may write: what `&mut x[a..b]` is of a slice. See [`BufferSlice`].
///
/// ```compile_fail,E0499
/// # use kernel_runtime::prelude::*;
/// # fn main() -> Result<()> {
/// # let queue = Device::best()?.queue()?;
/// let mut x = queue.zeros::<f32>(64)?;
/// let mut first = x.slice_mut(..16);
/// let mut second = x.slice_mut(16..); // The buffer is borrowed already; `split_at_mut` makes two parts at once.
/// queue.write(&mut first, &[1.0; 16])?;
/// # Ok(())
/// # }
/// ```
pub struct BufferSliceMut<'b, T> {
    part: Buffer<T>,
    whole: PhantomData<&'b mut Buffer<T>>,
}

impl<T: Element> Buffer<T> {
    /// A part to read.
    ///
    /// # Panics
    ///
    /// If the range is not in the buffer, or ends before it starts, as slices do; [`get`](Self::get) does not.
    #[must_use]
    #[track_caller]
    pub fn slice(&self, range: impl RangeBounds<usize>) -> BufferSlice<'_, T> {
        BufferSlice { part: self.part(self.expect_range(&range)), whole: PhantomData }
    }

    /// A part to write.
    ///
    /// # Panics
    ///
    /// As [`slice`](Self::slice); [`get_mut`](Self::get_mut) does not.
    #[must_use]
    #[track_caller]
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> BufferSliceMut<'_, T> {
        BufferSliceMut { part: self.part(self.expect_range(&range)), whole: PhantomData }
    }

    /// A part to read; `None` if the range is not in the buffer.
    #[must_use]
    pub fn get(&self, range: impl RangeBounds<usize>) -> Option<BufferSlice<'_, T>> {
        let range = self.range(&range).ok()?;
        Some(BufferSlice { part: self.part(range), whole: PhantomData })
    }

    /// A part to write; `None` if the range is not in the buffer.
    #[must_use]
    pub fn get_mut(&mut self, range: impl RangeBounds<usize>) -> Option<BufferSliceMut<'_, T>> {
        let range = self.range(&range).ok()?;
        Some(BufferSliceMut { part: self.part(range), whole: PhantomData })
    }

    /// The elements before an index, and those from there on, to read.
    ///
    /// # Panics
    ///
    /// If the index is greater than the length.
    #[must_use]
    #[track_caller]
    pub fn split_at(&self, middle: usize) -> (BufferSlice<'_, T>, BufferSlice<'_, T>) {
        (self.slice(..middle), self.slice(middle..))
    }

    /// The elements before an index, and those from there on, to write.
    ///
    #[cfg_attr(feature = "cpu", doc = "```")]
    #[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
    /// # use kernel_runtime::prelude::*;
    /// #[kernel]
    /// fn shift(x: &[f32], y: &mut [f32]) {
    ///     y[global_id(0)] = 1.0 + x[global_id(0)];
    /// }
    /// # fn main() -> Result<()> {
    /// # let queue = Device::best()?.queue()?;
    /// let mut x = queue.zeros::<f32>(64)?;
    /// let (first, mut second) = x.split_at_mut(32);
    /// shift(&first, &mut second).launch(&queue, 32)?;
    /// assert_eq!(queue.download(&x.slice(31..33))?, [0.0, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Panics
    ///
    /// If the index is greater than the length.
    #[must_use]
    #[track_caller]
    pub fn split_at_mut(&mut self, middle: usize) -> (BufferSliceMut<'_, T>, BufferSliceMut<'_, T>) {
        let part = |range| BufferSliceMut { part: self.part(range), whole: PhantomData };
        (part(self.expect_range(&(..middle))), part(self.expect_range(&(middle..))))
    }

    /// A range that is in the buffer; panics at the caller's if it is not.
    #[track_caller]
    fn expect_range(&self, range: &impl RangeBounds<usize>) -> Range<usize> {
        match self.range(range) {
            Ok(range) => range,
            Err(Range { start, end }) => {
                panic!("the part {start}..{end} is not in the buffer, which has {} elements", self.len())
            }
        }
    }

    /// The indices of a range; an error if they are not in the buffer, or it ends before it starts.
    fn range(&self, range: &impl RangeBounds<usize>) -> Result<Range<usize>, Range<usize>> {
        let start = match range.start_bound() {
            Bound::Included(&start) => start,
            Bound::Excluded(&before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&last) => last.saturating_add(1),
            Bound::Excluded(&end) => end,
            Bound::Unbounded => self.len(),
        };
        if start <= end && end <= self.len() { Ok(start..end) } else { Err(start..end) }
    }
}

impl<T> Deref for BufferSlice<'_, T> {
    type Target = Buffer<T>;

    fn deref(&self) -> &Buffer<T> {
        &self.part
    }
}

impl<T> Deref for BufferSliceMut<'_, T> {
    type Target = Buffer<T>;

    fn deref(&self) -> &Buffer<T> {
        &self.part
    }
}

/// The buffer behind it may be exchanged for another one, so that a part outlives its borrow. What could go wrong then is checked again wherever
/// memory is used: launches compare the bytes of their arguments, copies those of both sides, and all look for the host's views.
impl<T> DerefMut for BufferSliceMut<'_, T> {
    fn deref_mut(&mut self) -> &mut Buffer<T> {
        &mut self.part
    }
}

impl<T: Element> Clone for BufferSlice<'_, T> {
    fn clone(&self) -> Self {
        Self { part: self.part.part(0..self.part.len()), whole: PhantomData }
    }
}

impl<T: Element> fmt::Debug for BufferSlice<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.part.fmt(f)
    }
}

impl<T: Element> fmt::Debug for BufferSliceMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.part.fmt(f)
    }
}
