//! The fault records of a queue: one for each of its kernels that can fault.
//!
//! The records are in device memory, where the atomic count of a faulting kernel is sure to work, and are copied to
//! the host when the queue is synchronised. One record for each kernel is enough to name the kernel; launches of the
//! same kernel between two synchronisations share it, so that the first fault among them is kept.

use crate::device::Device;
use crate::error::{DriverError, Error, InternalError};
use crate::fault::{KernelFault, decode};
use crate::memory::{Allocation, HostAllocation};
use crate::stream::Stream;
use core::ffi::c_void;
use kernel_core::{FaultRecord, KernelDescriptor};
use std::ptr;

/// How many records are allocated together.
const SLAB_LEN: usize = 64;
const SLAB_BYTES: usize = SLAB_LEN * size_of::<FaultRecord>();

/// The records of a queue.
#[derive(Default)]
pub(crate) struct FaultRecords {
    kernels: Vec<Entry>,
    slabs: Vec<Slab>,
    /// The kernels launched since the last check, in the order of their first launch.
    launched: Vec<RecordIndex>,
}

/// The number of a record among those of its queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordIndex(usize);

struct Entry {
    descriptor: &'static KernelDescriptor,
    is_launched: bool,
}

/// Several records on the device, and the place on the host that they are copied to.
struct Slab {
    device: Allocation,
    host: HostAllocation,
    /// Whether a kernel of this slab was launched since the last check.
    is_used: bool,
}

impl FaultRecords {
    /// Adds the record of a kernel.
    pub(crate) fn add(
        &mut self,
        device: &Device,
        stream: &mut Stream,
        descriptor: &'static KernelDescriptor,
    ) -> Result<RecordIndex, DriverError> {
        let index = self.kernels.len();
        if index == self.slabs.len() * SLAB_LEN {
            self.slabs.push(Slab::new(device, stream)?);
        }
        self.kernels.push(Entry { descriptor, is_launched: false });
        // Launches must not allocate.
        self.launched.reserve(self.kernels.len());
        Ok(RecordIndex(index))
    }

    /// The address of a record on the device, which is the last argument of its kernel.
    pub(crate) fn address(&self, RecordIndex(index): RecordIndex) -> *mut c_void {
        self.slabs[index / SLAB_LEN]
            .device
            .address()
            .wrapping_byte_add(index % SLAB_LEN * size_of::<FaultRecord>())
    }

    /// Notes that a kernel was launched, so that its record is looked at.
    pub(crate) fn note_launch(&mut self, RecordIndex(index): RecordIndex) {
        let entry = &mut self.kernels[index];
        if !entry.is_launched {
            entry.is_launched = true;
            self.slabs[index / SLAB_LEN].is_used = true;
            self.launched.push(RecordIndex(index));
        }
    }

    /// Appends the copies of all records that kernels may have written.
    pub(crate) fn fetch(&self, stream: &mut Stream) -> Result<(), DriverError> {
        self.slabs.iter().filter(|slab| slab.is_used).try_for_each(|slab| slab.fetch(stream))
    }

    /// Reads the records that [`fetch`](Self::fetch) copied, once the stream has been waited for, and clears them.
    pub(crate) fn check(&mut self, stream: &mut Stream) -> Result<(), Error> {
        let mut found = Ok(None);
        for RecordIndex(index) in self.launched.drain(..) {
            let entry = &mut self.kernels[index];
            entry.is_launched = false;
            let record = self.slabs[index / SLAB_LEN].read(index % SLAB_LEN);
            if let Some(fault) = decode(entry.descriptor, &record) {
                found = join(found, fault);
            }
        }
        for slab in self.slabs.iter_mut().filter(|slab| slab.is_used) {
            slab.is_used = false;
            if !matches!(found, Ok(None)) {
                slab.clear(stream)?;
            }
        }
        match found {
            Ok(None) => Ok(()),
            Ok(Some(fault)) => Err(fault.into()),
            Err(bug) => Err(bug.into()),
        }
    }
}

/// Adds a fault to those found before; a bug counts for more than any of them.
fn join(
    found: Result<Option<KernelFault>, InternalError>,
    fault: Result<KernelFault, String>,
) -> Result<Option<KernelFault>, InternalError> {
    let fault = fault.map_err(InternalError::new)?;
    match found? {
        None => Ok(Some(fault)),
        Some(mut first) => {
            first.others.push(fault);
            Ok(Some(first))
        }
    }
}

impl Slab {
    fn new(device: &Device, stream: &mut Stream) -> Result<Self, DriverError> {
        let host = HostAllocation::new(device, SLAB_BYTES)?;
        // SAFETY: the memory has this size and nothing else uses it. All zero is a valid record: no fault.
        unsafe { ptr::write_bytes(host.address().cast::<u8>(), 0, SLAB_BYTES) };
        let slab = Self { device: Allocation::new(device, SLAB_BYTES)?, host, is_used: false };
        slab.clear(stream)?;
        Ok(slab)
    }

    fn fetch(&self, stream: &mut Stream) -> Result<(), DriverError> {
        // SAFETY: both allocations have this size, and the queue keeps them until the stream is idle.
        unsafe { stream.append_copy(self.host.address(), self.device.address(), SLAB_BYTES) }
    }

    fn clear(&self, stream: &mut Stream) -> Result<(), DriverError> {
        // SAFETY: the allocation has this size, and the queue keeps it until the stream is idle.
        unsafe { stream.append_zeros(self.device.address(), SLAB_BYTES) }
    }

    fn read(&self, index: usize) -> FaultRecord {
        assert!(index < SLAB_LEN, "the index is a remainder of the slab's length");
        let records = self.host.address().cast::<FaultRecord>();
        // SAFETY: the slab has `SLAB_LEN` records, zeroed when it was made; the stream is idle, so that nothing writes to
        // them now, and any bytes are a record.
        unsafe { records.add(index).read() }
    }
}
