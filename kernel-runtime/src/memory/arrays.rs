//! Arrays of the crate `ndarray`, whose elements are in buffers row by row.

use crate::error::{BufferProblem, Result};
use crate::memory::buffer::{Buffer, error};
use crate::memory::usm_buffer::{View, ViewMut};
use crate::queue::Queue;
use kernel_core::Element;
use ndarray::{Array, ArrayRef, ArrayView, ArrayViewMut, Dimension, IntoDimension};
use std::borrow::Cow;

impl Queue {
    /// Makes a buffer with the elements of an array in logical order, the last index running fastest, whatever its layout in memory is. Waits until
    /// they are copied.
    ///
    #[cfg_attr(feature = "cpu", doc = "```")]
    #[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
    /// use kernel_runtime::prelude::*;
    /// use ndarray::array;
    ///
    /// #[kernel]
    /// fn double(x: &mut [f32]) {
    ///     if let Some(x) = x.get_mut(global_id(0)) {
    ///         *x *= 2.0;
    ///     }
    /// }
    ///
    /// # fn main() -> Result<()> {
    /// let queue = Device::best()?.queue()?;
    /// let a = array![[1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0]];
    /// let mut x = queue.upload_array(&a.t())?; // Three rows of two.
    /// double(&mut x).launch(&queue, x.len())?;
    /// assert_eq!(queue.download_array(&x, (3, 2))?, array![[2.0, 8.0], [4.0, 10.0], [6.0, 12.0]]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`upload`](Self::upload).
    pub fn upload_array<T: Element, D: Dimension>(&self, array: &ArrayRef<T, D>) -> Result<Buffer<T>> {
        self.upload(&elements(array))
    }

    /// Copies the elements of an array into a buffer of as many, as [`upload_array`](Self::upload_array) does.
    ///
    /// # Errors
    ///
    /// Those of [`write`](Self::write), but [`BufferProblem::ShapeMismatch`] for another number of elements.
    pub fn write_array<T: Element, D: Dimension>(
        &self,
        buffer: &mut Buffer<T>,
        array: &ArrayRef<T, D>,
    ) -> Result<()> {
        check_shape(buffer, array.raw_dim())?;
        self.write(buffer, &elements(array))
    }

    /// Makes an array of the elements of a buffer, in the order in which [`upload_array`](Self::upload_array) has them. Waits for all that was enqueued before.
    ///
    /// # Errors
    ///
    /// Those of [`download`](Self::download), and [`BufferProblem::ShapeMismatch`] if the buffer has another number of elements than the shape.
    pub fn download_array<T: Element, D: Dimension>(
        &self,
        buffer: &Buffer<T>,
        shape: impl IntoDimension<Dim = D>,
    ) -> Result<Array<T, D>> {
        let shape = check_shape(buffer, shape.into_dimension())?;
        let array = Array::from_shape_vec(shape.clone(), self.download(buffer)?);
        array.map_err(|_| mismatch(buffer, &shape))
    }

    /// Copies the elements of a buffer into an array of as many, whatever its layout in memory is. Waits for all that was enqueued before. If something
    /// goes wrong, the array may have been written in part.
    ///
    /// # Errors
    ///
    /// Those of [`download_array`](Self::download_array).
    pub fn download_into_array<T: Element, D: Dimension>(
        &self,
        buffer: &Buffer<T>,
        array: &mut ArrayRef<T, D>,
    ) -> Result<()> {
        let shape = check_shape(buffer, array.raw_dim())?;
        match array.as_slice_mut() {
            Some(elements) => self.download_into(buffer, elements),
            None => {
                array.assign(&self.download_array(buffer, shape)?);
                Ok(())
            }
        }
    }
}

impl<T: Element> View<'_, T> {
    /// The elements as an array of a shape, without a copy.
    ///
    #[cfg_attr(feature = "cpu", doc = "```")]
    #[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
    /// use kernel_runtime::prelude::*;
    /// use ndarray::array;
    ///
    /// # fn main() -> Result<()> {
    /// let queue = Device::best()?.queue()?;
    /// let mut x = queue.upload_shared(&[1.0_f32, 2.0, 3.0, 4.0])?;
    /// x.view_mut(&queue)?.as_array_mut((2, 2))?.row_mut(1).fill(0.0);
    /// let view = x.view(&queue)?;
    /// assert_eq!(view.as_array((2, 2))?, array![[1.0, 2.0], [0.0, 0.0]]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`BufferProblem::ShapeMismatch`] if the buffer has another number of elements.
    pub fn as_array<D: Dimension>(&self, shape: impl IntoDimension<Dim = D>) -> Result<ArrayView<'_, T, D>> {
        let shape = check_shape(self.buffer(), shape.into_dimension())?;
        ArrayView::from_shape(shape.clone(), self).map_err(|_| mismatch(self.buffer(), &shape))
    }
}

impl<T: Element> ViewMut<'_, T> {
    /// The elements as an array of a shape, without a copy, as [`View::as_array`].
    ///
    /// # Errors
    ///
    /// That of [`View::as_array`].
    pub fn as_array_mut<D: Dimension>(
        &mut self,
        shape: impl IntoDimension<Dim = D>,
    ) -> Result<ArrayViewMut<'_, T, D>> {
        let shape = check_shape(self.buffer(), shape.into_dimension())?;
        let of_shape = mismatch(self.buffer(), &shape);
        ArrayViewMut::from_shape(shape, self).map_err(|_| of_shape)
    }
}

/// The elements of an array in logical order; a copy only where they are in another one in memory.
fn elements<T: Element, D: Dimension>(array: &ArrayRef<T, D>) -> Cow<'_, [T]> {
    match array.as_slice() {
        Some(elements) => Cow::Borrowed(elements),
        None => Cow::Owned(array.iter().copied().collect()),
    }
}

/// The shape, if arrays of it have as many elements as a buffer.
fn check_shape<T: Element, D: Dimension>(buffer: &Buffer<T>, shape: D) -> Result<D> {
    match shape.size_checked() == Some(buffer.len()) {
        true => Ok(shape),
        false => Err(mismatch(buffer, &shape)),
    }
}

fn mismatch<T: Element, D: Dimension>(buffer: &Buffer<T>, shape: &D) -> crate::Error {
    error::<T>(BufferProblem::ShapeMismatch { buffer: buffer.len(), shape: shape.slice().into() }).into()
}
