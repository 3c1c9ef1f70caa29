//! Copies of regions.

use crate::error::{BufferProblem, RegionProblem, Result};
use crate::memory::buffer::{Buffer, HostValues, error};
use crate::memory::region::Region;
use crate::queue::Queue;
use crate::queue::transfer::check_apart;
use kernel_core::{Access, Element};

impl Queue {
    /// Copies a region of a buffer to one of the same size of another, on the device, and returns without waiting.
    ///
    /// # Errors
    ///
    /// [`Error::Buffer`](crate::Error::Buffer) if a region is not in its buffer, the sizes differ, or a buffer is of another device or viewed by the
    /// host; [`Error::Driver`](crate::Error::Driver) if the driver fails.
    pub fn copy_region<T: Element>(
        &self,
        (from, from_region): (&Buffer<T>, Region),
        (to, to_region): (&mut Buffer<T>, Region),
    ) -> Result<()> {
        from.check_device(self.device())?;
        to.check_device(self.device())?;
        if from_region.size() != to_region.size() {
            let what = RegionProblem::SizesDiffer { from: from_region.size(), to: to_region.size() };
            return Err(error::<T>(BufferProblem::Region { what }).into());
        }
        let (read, written) = (from_region.place::<T>(from.len())?, to_region.place::<T>(to.len())?);
        if written.is_empty() {
            return Ok(());
        }
        check_apart((from, read.span()), (to, written.span()))?;
        let (_in_use, mut state) = self.lock_buffers(from, to)?;
        // SAFETY: the regions are in the buffers, whose memory is kept until the queue is done with it.
        unsafe { state.stream.append_region_copy((to.address(), written), (from.address(), read)) }?;
        Ok(())
    }

    /// Copies the values of a slice into a region of as many elements, row after row. Waits until they are copied.
    ///
    /// # Errors
    ///
    /// Those of [`copy_region`](Self::copy_region).
    pub fn write_region<T: Element>(&self, to: &mut Buffer<T>, region: Region, values: &[T]) -> Result<()> {
        to.check_device(self.device())?;
        if region.len() != values.len() {
            let what = RegionProblem::LengthMismatch { region: region.len(), slice: values.len() };
            return Err(error::<T>(BufferProblem::Region { what }).into());
        }
        let written = region.place::<T>(to.len())?;
        if written.is_empty() {
            return Ok(());
        }
        let read = region.packed().place::<T>(values.len())?;
        let (_in_use, mut state) = self.lock_buffer(to, Access::ReadWrite)?;
        // SAFETY: the region is in the buffer, whose memory is kept until the queue is done with it, and the values are as many and borrowed.
        unsafe {
            state.stream.run_region_copy("upload", (to.address(), written), (values.as_ptr().cast(), read))
        }?;
        self.core.wait(&mut state)?;
        to.memory().usage().written(self.core.mask());
        Ok(())
    }

    /// Copies a region to the host, row after row, after all that was enqueued before.
    ///
    /// # Errors
    ///
    /// Those of [`copy_region`](Self::copy_region) and [`download`](Self::download).
    pub fn download_region<T: Element>(&self, from: &Buffer<T>, region: Region) -> Result<Vec<T>> {
        from.check_device(self.device())?;
        let read = region.place::<T>(from.len())?;
        let mut values = HostValues::<T>::zeroed(region.len());
        let written = region.packed().place::<T>(region.len())?;
        let (_in_use, state) = self.lock_buffer(from, Access::Read)?;
        let to = values.as_mut_ptr();
        self.core.finish_after(state, |stream| match read.is_empty() {
            true => Ok(()),
            // SAFETY: the region is in the buffer, whose memory is kept until the queue is done with it, and there is room for its elements.
            false => unsafe { stream.run_region_copy("download", (to, written), (from.address(), read)) },
        })?;
        Ok(values.check()?)
    }
}
