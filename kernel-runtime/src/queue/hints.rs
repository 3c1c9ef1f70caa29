//! What a program tells of how it will use shared memory.

use crate::error::driver::call;
use crate::error::last_error::explain;
use crate::error::{DriverError, Result};
use crate::memory::buffer::Buffer;
use crate::memory::usm::UsmKind;
use crate::queue::Queue;
use kernel_core::{Access, Element};
use level_zero_sys::{Api, ze_command_list_handle_t, ze_memory_advice_t, ze_result_t};

/// How shared memory will be used (`ze_memory_advice_t`), for [`Queue::advise`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MemoryAdvice {
    /// It is mostly read, so that several processors may have copies of it.
    ReadMostly,
    /// Takes [`ReadMostly`](Self::ReadMostly) back.
    NotReadMostly,
    /// The device of the queue is where it should be.
    PreferDevice,
    /// Takes [`PreferDevice`](Self::PreferDevice) back.
    PreferNone,
    /// It should be cached.
    Cached,
    /// It need not be cached.
    Uncached,
}

impl MemoryAdvice {
    fn of_driver(self) -> ze_memory_advice_t {
        match self {
            Self::ReadMostly => ze_memory_advice_t::ZE_MEMORY_ADVICE_SET_READ_MOSTLY,
            Self::NotReadMostly => ze_memory_advice_t::ZE_MEMORY_ADVICE_CLEAR_READ_MOSTLY,
            Self::PreferDevice => ze_memory_advice_t::ZE_MEMORY_ADVICE_SET_PREFERRED_LOCATION,
            Self::PreferNone => ze_memory_advice_t::ZE_MEMORY_ADVICE_CLEAR_PREFERRED_LOCATION,
            Self::Cached => ze_memory_advice_t::ZE_MEMORY_ADVICE_BIAS_CACHED,
            Self::Uncached => ze_memory_advice_t::ZE_MEMORY_ADVICE_BIAS_UNCACHED,
        }
    }
}

impl Queue {
    /// Lets the device fetch shared memory before kernels use it (`zeCommandListAppendMemoryPrefetch`), in the order of the queue. Changes nothing but how
    /// long things take; of memory that does not move, and where a driver has no such thing, it does nothing.
    ///
    #[cfg_attr(feature = "cpu", doc = "```")]
    #[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
    /// use kernel_runtime::{MemoryAdvice, prelude::*};
    ///
    /// # fn main() -> Result<()> {
    /// let queue = Device::best()?.queue()?;
    /// let table = queue.upload_shared(&[1.0_f32; 1000])?;
    /// queue.advise(&table, MemoryAdvice::ReadMostly)?;
    /// queue.prefetch(&table)?;
    /// assert_eq!(queue.download(&table)?[999], 1.0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Buffer`](crate::Error::Buffer) if the buffer is of another device, or the host has a view of it that is in the way;
    /// [`Error::Driver`](crate::Error::Driver) if the driver fails.
    pub fn prefetch<T: Element>(&self, buffer: &Buffer<T>) -> Result<()> {
        let (address, bytes) = (buffer.address(), buffer.bytes());
        // SAFETY: the list is live and open; the memory has this size, and is kept until the queue is done with it.
        self.hint(buffer, |api, list| unsafe {
            call!(api, zeCommandListAppendMemoryPrefetch(list, address, bytes))
        })
    }

    /// Tells the driver how shared memory will be used (`zeCommandListAppendMemAdvise`). Changes nothing but how long things take, as
    /// [`prefetch`](Self::prefetch).
    ///
    /// # Errors
    ///
    /// Those of [`prefetch`](Self::prefetch).
    pub fn advise<T: Element>(&self, buffer: &Buffer<T>, advice: MemoryAdvice) -> Result<()> {
        let (address, bytes) = (buffer.address(), buffer.bytes());
        let (device, advice) = (self.device().handle(), advice.of_driver());
        // SAFETY: the list is live and open, the device is that of the list; the memory has this size, and is kept until the queue is done with it.
        self.hint(buffer, |api, list| unsafe {
            call!(api, zeCommandListAppendMemAdvise(list, device, address, bytes, advice))
        })
    }

    /// Appends a command that only tells the driver something of a buffer in shared memory.
    fn hint<T: Element>(
        &self,
        buffer: &Buffer<T>,
        command: impl FnOnce(&Api, ze_command_list_handle_t) -> Result<(), DriverError>,
    ) -> Result<()> {
        buffer.check_device(self.device())?;
        if buffer.is_empty() || buffer.memory().kind() != UsmKind::Shared {
            return Ok(());
        }
        let (_in_use, mut state) = self.lock_buffer(buffer, Access::Read)?;
        match state.stream.append_to_list(command) {
            Err(error) if error.is(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) => Ok(()),
            appended => Ok(appended.map_err(|error| explain(self.device(), error))?),
        }
    }
}
