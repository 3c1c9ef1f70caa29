//! Buffers: typed memory of a device.

use crate::device::Device;
use crate::error::{BufferError, BufferProblem, Result};
use crate::memory::Allocation;
use core::ffi::c_void;
use core::fmt;
use core::marker::PhantomData;
use core::mem::{ManuallyDrop, MaybeUninit};
use core::ops::Range;
use kernel_core::Element;
use std::alloc::{Layout, alloc_zeroed, handle_alloc_error};
use std::ptr;
use std::sync::Arc;

/// Elements of type `T` in the memory of a device, which kernels take as `&[T]` or `&mut [T]`.
///
/// A [`Queue`](crate::Queue) makes it, and every queue of the same device can use it: what one queue did with it is seen by
/// the next.
///
/// It may be dropped while kernels still work on it; the memory is freed once they are done.
///
/// Kernels and copies take parts of it too: [`slice`](Self::slice), [`slice_mut`](Self::slice_mut) and
/// [`split_at_mut`](Self::split_at_mut).
///
#[cfg_attr(feature = "cpu", doc = "```")]
#[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
/// use kernel_runtime::prelude::*;
///
/// #[kernel]
/// fn halve(x: &mut [f32]) {
///     let i = global_id(0);
///     if i < x.len() {
///         x[i] *= 0.5;
///     }
/// }
///
/// # fn main() -> Result<()> {
/// let queue = Device::best()?.queue()?;
/// let mut x = queue.upload(&[2.0_f32, 4.0, 6.0])?; // Memory of the device, with a copy of these.
/// halve(&mut x).launch(&queue, x.len())?;
/// assert_eq!(queue.download(&x)?, [1.0, 2.0, 3.0]);
/// queue.write(&mut x, &[8.0, 8.0, 8.0])?; // Other values in the same memory.
/// assert_eq!(queue.download(&x.slice(1..))?, [8.0, 8.0]);
/// # Ok(())
/// # }
/// ```
pub struct Buffer<T> {
    memory: Arc<Allocation>,
    /// Where the first element is in the memory, in bytes.
    start: usize,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Element> Buffer<T> {
    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The device whose memory it is.
    #[must_use]
    pub fn device(&self) -> &Device {
        self.memory.device()
    }

    /// The address of the elements on the device, for kernels that take a `*const T`, and for structs with such a field.
    ///
    /// On the host it may only be followed in a [`UsmBuffer`](crate::UsmBuffer) of which there is a view. A kernel that gets it must be launched on a queue of the same device, and what the runtime does for
    /// buffers is left to the caller then: the buffer must be kept until the launch is complete, and other queues must be waited
    /// for ([`Queue::synchronize`](crate::Queue::synchronize)) where they use it.
    #[must_use]
    pub fn as_ptr(&self) -> *const T {
        self.address().cast_const().cast()
    }

    /// The address of the elements on the device, for kernels that take a `*mut T` and for structs; see [`as_ptr`](Self::as_ptr).
    #[must_use]
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.address().cast()
    }

    /// Wraps memory that is large enough for the elements and holds valid ones before anyone reads it.
    pub(crate) fn new(memory: Allocation, len: usize) -> Self {
        Self { memory: Arc::new(memory), start: 0, len, element: PhantomData }
    }

    /// The elements of a range, which must be in the buffer, as a buffer that shares the memory.
    pub(crate) fn part(&self, range: Range<usize>) -> Self {
        let (memory, start) = (Arc::clone(&self.memory), self.start + range.start * size_of::<T>());
        Self { memory, start, len: range.len(), element: PhantomData }
    }

    pub(crate) fn memory(&self) -> &Arc<Allocation> {
        &self.memory
    }

    /// Whether it has all bytes of the memory.
    pub(crate) fn is_all_of_memory(&self) -> bool {
        self.start == 0 && self.bytes() == self.memory.bytes()
    }

    /// The memory, if nothing else leads to it.
    pub(crate) fn sole_memory(&mut self) -> Option<&mut Allocation> {
        Arc::get_mut(&mut self.memory)
    }

    /// The address of the first element on the device.
    pub(crate) fn address(&self) -> *mut c_void {
        self.memory.address().wrapping_byte_add(self.start)
    }

    /// Where the first element is in the memory, in bytes.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// The size in bytes; making the buffer checked that it does not overflow.
    pub(crate) fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }

    /// Checks that a slice on the host has as many elements, and that the buffer is within reach of the device.
    pub(crate) fn check_copy(&self, device: &Device, slice: usize) -> Result<()> {
        self.check_len(slice)?;
        self.check_device(device)
    }

    /// Checks that there are as many elements as in something else.
    pub(crate) fn check_len(&self, slice: usize) -> Result<()> {
        let buffer = self.len;
        match buffer == slice {
            true => Ok(()),
            false => Err(error::<T>(BufferProblem::LengthMismatch { buffer, slice }).into()),
        }
    }

    /// Checks that the buffer is of the device, or of one whose memory the device can access.
    pub(crate) fn check_device(&self, device: &Device) -> Result<()> {
        if self.device() == device || device.reach_of(&self.memory)?.access {
            return Ok(());
        }
        let (buffer, queue) = (self.device().name().into(), device.name().into());
        Err(error::<T>(BufferProblem::OtherDevice { buffer, queue }).into())
    }
}

impl<T: Element> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer<{}>({} elements on \"{}\")", T::TYPE, self.len, self.device().name())
    }
}

/// The size of so many elements in bytes, where a device can have it in one piece.
pub(crate) fn checked_bytes<T: Element>(len: usize, limit: u64) -> Result<usize, BufferError> {
    let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| isize::try_from(bytes).is_ok());
    bytes
        .filter(|&bytes| bytes as u64 <= limit)
        .ok_or_else(|| error::<T>(BufferProblem::TooLarge { len, limit }))
}

/// Values on the host that the device is about to write.
///
/// They are no values until they have been checked, because not all bytes are a `bool`.
pub(crate) struct HostValues<T: Element>(Vec<MaybeUninit<T>>);

impl<T: Element> HostValues<T> {
    /// Memory for so many elements, all of whose bytes are zero.
    pub(crate) fn zeroed(len: usize) -> Self {
        let layout = Layout::array::<T>(len).expect("a buffer of this size exists");
        if layout.size() == 0 {
            return Self(Vec::new());
        }
        // SAFETY: the layout is not empty; the memory is of the global allocator with the layout of the vector, and its
        // elements need not be initialised.
        Self(unsafe {
            let memory = alloc_zeroed(layout);
            if memory.is_null() {
                handle_alloc_error(layout);
            }
            Vec::from_raw_parts(memory.cast(), len, len)
        })
    }

    pub(crate) fn as_mut_ptr(&mut self) -> *mut core::ffi::c_void {
        self.0.as_mut_ptr().cast()
    }

    /// The values, if the bytes of each are one.
    pub(crate) fn check(self) -> Result<Vec<T>, BufferError> {
        if let Some(index) = first_invalid(&self.0) {
            return Err(error::<T>(BufferProblem::InvalidElement { index }));
        }
        let mut values = ManuallyDrop::new(self.0);
        let (pointer, len, capacity) = (values.as_mut_ptr(), values.len(), values.capacity());
        // SAFETY: these are the parts of a vector that is not dropped, and its elements are values of the type.
        Ok(unsafe { Vec::from_raw_parts(pointer.cast::<T>(), len, capacity) })
    }
}

/// The index of the first element whose bytes are no value of its type. All must have been written, be it by the device.
pub(crate) fn first_invalid<T: Element>(elements: &[MaybeUninit<T>]) -> Option<usize> {
    if const { T::TYPE.takes_any_bytes() } {
        return None;
    }
    elements.iter().position(|element| {
        let bytes = ptr::from_ref(element).cast::<MaybeUninit<u8>>();
        // SAFETY: these are the bytes of the element. They are initialised where the type has no padding, since the element was
        // written, or zeroed before the device wrote it.
        !unsafe { T::TYPE.is_valid(std::slice::from_raw_parts(bytes, size_of::<T>())) }
    })
}

pub(crate) fn error<T: Element>(problem: BufferProblem) -> BufferError {
    BufferError { element: T::TYPE, problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_checked_for_overflow_and_limits() {
        assert_eq!(checked_bytes::<f64>(10, 80), Ok(80));
        assert_eq!(checked_bytes::<f64>(0, 80), Ok(0));
        for len in [11, usize::MAX, usize::MAX / 8 + 1] {
            let error = checked_bytes::<f64>(len, 80).unwrap_err();
            assert_eq!(error.problem, BufferProblem::TooLarge { len, limit: 80 });
        }
        assert!(checked_bytes::<u8>(isize::MAX as usize + 1, u64::MAX).is_err());
    }

    #[test]
    fn zeroed_values_are_zero() {
        assert_eq!(HostValues::<f32>::zeroed(3).check().unwrap(), [0.0; 3]);
        assert_eq!(HostValues::<bool>::zeroed(2).check().unwrap(), [false; 2]);
        assert!(HostValues::<u64>::zeroed(0).check().unwrap().is_empty());
    }

    #[test]
    fn bytes_that_are_no_bool_are_found() {
        let mut values = HostValues::<bool>::zeroed(4);
        // SAFETY: there are four bytes.
        unsafe { values.as_mut_ptr().cast::<[u8; 4]>().write([1, 0, 2, 255]) };
        let error = values.check().unwrap_err();
        assert_eq!(error.problem, BufferProblem::InvalidElement { index: 2 });
    }
}
