//! The print buffer of a queue, which its kernels that print share.
//!
//! It is in device memory, where the atomic operations of kernels are sure to work. When the queue is synchronised, its header is
//! copied to the host, and the words that were used if there are any.

use crate::device::Device;
use crate::error::{DriverError, Error, InternalError};
use crate::memory::usm::UsmKind;
use crate::memory::{Allocation, HostAllocation};
use crate::queue::stream::Stream;
use core::ffi::c_void;
use kernel_core::print::take_record;
use kernel_core::{KernelDescriptor, PrintHeader, PrintStream};
use std::{ptr, slice};

/// How many bytes kernels can print between two synchronisations, in the form that they have on the device.
pub(crate) const CAPACITY_BYTES: usize = 1 << 20;

const CAPACITY: u32 = (CAPACITY_BYTES / size_of::<u32>()) as u32;
const HEADER_BYTES: usize = size_of::<PrintHeader>();

/// The buffer of a queue.
#[derive(Default)]
pub(crate) struct PrintBuffer {
    /// The kernels that print; the number of each is one more than its position.
    kernels: Vec<&'static KernelDescriptor>,
    /// There if there are such kernels.
    memory: Option<Memory>,
    /// Whether one was launched since the last look.
    is_used: bool,
    /// How many words were taken, if they could not be cleared.
    stale: Option<u32>,
}

/// What a kernel gets as its arguments.
pub(crate) struct PrintArguments {
    pub(crate) buffer: *mut c_void,
    pub(crate) kernel: u32,
}

/// The buffer on the device, and the place on the host that it is copied to.
struct Memory {
    device: Allocation,
    host: HostAllocation,
}

/// A piece of text that a kernel printed.
pub(crate) type Text = (PrintStream, String);

impl PrintBuffer {
    /// Adds a kernel that prints.
    pub(crate) fn add(
        &mut self,
        device: &Device,
        stream: &mut Stream,
        descriptor: &'static KernelDescriptor,
    ) -> Result<PrintArguments, DriverError> {
        let memory = match &mut self.memory {
            Some(memory) => memory,
            empty => {
                let memory = Memory::new(device)?;
                memory.clear(stream, CAPACITY)?;
                empty.insert(memory)
            }
        };
        self.kernels.push(descriptor);
        let kernel = u32::try_from(self.kernels.len()).unwrap_or(u32::MAX);
        Ok(PrintArguments { buffer: memory.device.address(), kernel })
    }

    /// Clears what was taken.
    pub(crate) fn refresh(&mut self, stream: &mut Stream) -> Result<(), DriverError> {
        if let (Some(memory), Some(used)) = (&self.memory, self.stale) {
            memory.clear(stream, used)?;
            self.stale = None;
        }
        Ok(())
    }

    /// Notes that a kernel that prints was launched.
    pub(crate) fn note_launch(&mut self) {
        self.is_used = true;
    }

    /// Whether a kernel that prints was launched since the last look.
    pub(crate) fn is_used(&self) -> bool {
        self.is_used
    }

    /// Appends the copy of the header.
    pub(crate) fn fetch(&self, stream: &mut Stream) -> Result<(), DriverError> {
        match &self.memory {
            Some(memory) if self.is_used => memory.fetch(stream, 0, HEADER_BYTES),
            _ => Ok(()),
        }
    }

    /// Takes what was printed, once the stream has been waited for after [`fetch`](Self::fetch).
    pub(crate) fn take(&mut self, stream: &mut Stream) -> Result<Vec<Text>, Error> {
        let Some(memory) = self.memory.as_ref().filter(|_| self.is_used) else { return Ok(Vec::new()) };
        let PrintHeader { used, calls, .. } = memory.header();
        if calls == 0 && used == 0 {
            self.is_used = false;
            return Ok(Vec::new());
        }
        let used = used.min(CAPACITY);
        memory.fetch(stream, HEADER_BYTES, used as usize * size_of::<u32>())?;
        stream.wait()?;
        let texts = self.texts(memory.words(used), calls);
        (self.is_used, self.stale) = (false, Some(used));
        // Whether it can be cleared now or before the next launch, the text is what the host wants.
        let _ = self.refresh(stream);
        texts.map_err(Error::from)
    }

    fn texts(&self, mut words: &[u32], calls: u32) -> Result<Vec<Text>, InternalError> {
        let sites = |kernel: u32| {
            let position = (kernel as usize).checked_sub(1)?;
            self.kernels.get(position).map(|descriptor| descriptor.print_sites)
        };
        let mut texts = Vec::new();
        while let Some(printed) =
            take_record(&mut words, sites).map_err(|malformed| InternalError::new(malformed.to_string()))?
        {
            texts.push((printed.site.stream, printed.to_string()));
        }
        let lost = calls.wrapping_sub(texts.len() as u32);
        if lost > 0 {
            let text = format!(
                "[{lost} more lines of kernels are lost: between two synchronisations there is room for \
                 {CAPACITY_BYTES} bytes]\n"
            );
            texts.push((PrintStream::Error, text));
        }
        Ok(texts)
    }
}

impl Memory {
    fn new(device: &Device) -> Result<Self, DriverError> {
        let host = HostAllocation::new(device, HEADER_BYTES + CAPACITY_BYTES)?;
        // SAFETY: the memory has this size and nothing else uses it; all zero is a valid header.
        unsafe { ptr::write_bytes(host.address().cast::<u8>(), 0, HEADER_BYTES + CAPACITY_BYTES) };
        Ok(Self { device: Allocation::new(device, UsmKind::Device, HEADER_BYTES + CAPACITY_BYTES)?, host })
    }

    /// Appends the copy of some bytes to the host.
    fn fetch(&self, stream: &mut Stream, offset: usize, bytes: usize) -> Result<(), DriverError> {
        let [to, from] = [self.host.address(), self.device.address()];
        // SAFETY: both allocations have room for these bytes, and the queue keeps them until the stream is idle.
        unsafe { stream.append_copy(to.wrapping_byte_add(offset), from.wrapping_byte_add(offset), bytes) }
    }

    /// Empties the buffer, of which so many words were used. The stream must be idle.
    fn clear(&self, stream: &mut Stream, used: u32) -> Result<(), DriverError> {
        let header = PrintHeader { capacity: CAPACITY, ..PrintHeader::default() };
        // SAFETY: the memory starts with a header, and nothing uses it while the stream is idle.
        unsafe { self.host.address().cast::<PrintHeader>().write(header) };
        let words = self.device.address().wrapping_byte_add(HEADER_BYTES);
        // SAFETY: the allocations have room for these bytes, and the queue keeps them until the stream is idle. What is copied
        // changes only after a wait.
        unsafe {
            stream.append_copy(self.device.address(), self.host.address(), HEADER_BYTES)?;
            stream.append_zeros(words, used as usize * size_of::<u32>())
        }
    }

    fn header(&self) -> PrintHeader {
        // SAFETY: the memory starts with a header, for which any bytes will do; the stream is idle, so that nothing writes to it.
        unsafe { self.host.address().cast::<PrintHeader>().read() }
    }

    fn words(&self, used: u32) -> &[u32] {
        assert!(used <= CAPACITY, "there are not more words");
        let words = self.host.address().wrapping_byte_add(HEADER_BYTES).cast::<u32>();
        // SAFETY: the memory has as many words, aligned and zeroed when it was made; the stream is idle, so that nothing writes to
        // them as long as they are borrowed, which is as long as the buffer is.
        unsafe { slice::from_raw_parts(words, used as usize) }
    }
}
