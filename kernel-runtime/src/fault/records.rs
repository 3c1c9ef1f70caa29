//! The fault records of a queue: one for each of its kernels that can fault, and for each size of work-groups that it is in flight with.
//!
//! The records are in device memory, where the atomic count of a faulting kernel is sure to work, and are copied to
//! the host when the queue is synchronised. One record for each kernel is enough to name the kernel; launches of the
//! same kernel between two synchronisations share it, so that the first fault among them is kept. Launches of different group
//! sizes do not, since the work-group of a fault is not in the record: it follows from the id of the work-item.

use crate::device::Device;
use crate::error::{DriverError, Error, InternalError};
use crate::fault::{KernelFault, decode};
use crate::memory::usm::UsmKind;
use crate::memory::{Allocation, HostAllocation};
use crate::queue::stream::Stream;
use core::ffi::c_void;
use kernel_core::{FaultRecord, KernelDescriptor, MAX_FAULT_WORDS};
use std::{ptr, slice};

/// How many bytes are allocated together, for the records of several kernels.
const SLAB_BYTES: usize = 4096;

const _: () = assert!(size_of::<FaultRecord>() + size_of::<u32>() * MAX_FAULT_WORDS as usize <= SLAB_BYTES);

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
    /// The kernel's first record, by which it is known.
    kernel: usize,
    /// Its next record, for launches with groups of another size.
    next: Option<RecordIndex>,
    is_launched: bool,
    /// The size of the groups since the last check, if it is launched.
    group_size: [u32; 3],
    /// The slab that has the record, and where it starts there.
    slab: usize,
    offset: usize,
}

/// Several records on the device, and the place on the host that they are copied to.
struct Slab {
    device: Allocation,
    host: HostAllocation,
    /// How many of the bytes are given away.
    filled: usize,
    /// Whether a kernel of this slab was launched since the last check.
    is_used: bool,
    /// Whether there are faults in it that were reported, since it could not be cleared.
    is_stale: bool,
}

impl FaultRecords {
    /// The record for a launch of a kernel, of which this is any record, with groups of this size; the launch is noted only by
    /// [`note_launch`](Self::note_launch).
    pub(crate) fn for_launch(
        &mut self,
        device: &Device,
        stream: &mut Stream,
        RecordIndex(any): RecordIndex,
        group_size: [u32; 3],
    ) -> Result<RecordIndex, DriverError> {
        let (mut last, mut idle) = (self.kernels[any].kernel, None);
        loop {
            let entry = &self.kernels[last];
            match entry.is_launched {
                true if entry.group_size == group_size => return Ok(RecordIndex(last)),
                true => {}
                false => idle = idle.or(Some(RecordIndex(last))),
            }
            let Some(RecordIndex(next)) = entry.next else { break };
            last = next;
        }
        if let Some(idle) = idle {
            return Ok(idle);
        }
        let Entry { descriptor, kernel, .. } = self.kernels[last];
        let added = self.add(device, stream, descriptor)?;
        self.kernels[added.0].kernel = kernel;
        self.kernels[last].next = Some(added);
        Ok(added)
    }

    /// A record of a kernel, of which this is any record, that no other launch gets until it is [given back](Self::give_back).
    pub(crate) fn reserve(
        &mut self,
        device: &Device,
        stream: &mut Stream,
        RecordIndex(any): RecordIndex,
    ) -> Result<RecordIndex, DriverError> {
        let Entry { descriptor, kernel, .. } = self.kernels[any];
        let added = self.add(device, stream, descriptor)?;
        // It is not among those that follow the kernel's first one.
        self.kernels[added.0].kernel = kernel;
        Ok(added)
    }

    /// Lets other launches have a record that was reserved.
    pub(crate) fn give_back(&mut self, RecordIndex(record): RecordIndex) {
        let first = self.kernels[record].kernel;
        self.kernels[record].next = self.kernels[first].next.replace(RecordIndex(record));
    }

    /// Whether two records are of the same kernel.
    pub(crate) fn are_of_one_kernel(
        &self,
        RecordIndex(one): RecordIndex,
        RecordIndex(other): RecordIndex,
    ) -> bool {
        self.kernels[one].kernel == self.kernels[other].kernel
    }

    /// Adds the record of a kernel.
    pub(crate) fn add(
        &mut self,
        device: &Device,
        stream: &mut Stream,
        descriptor: &'static KernelDescriptor,
    ) -> Result<RecordIndex, DriverError> {
        let index = self.kernels.len();
        let bytes = descriptor.fault_record_bytes().next_multiple_of(align_of::<FaultRecord>());
        if self.slabs.last().is_none_or(|slab| slab.filled + bytes > SLAB_BYTES) {
            self.slabs.push(Slab::new(device, stream)?);
        }
        let slab = self.slabs.len() - 1;
        let offset = self.slabs[slab].filled;
        self.slabs[slab].filled += bytes;
        self.kernels.push(Entry {
            descriptor,
            kernel: index,
            next: None,
            is_launched: false,
            group_size: [1; 3],
            slab,
            offset,
        });
        // Launches must not allocate.
        self.launched.reserve(self.kernels.len());
        Ok(RecordIndex(index))
    }

    /// Makes a record ready for a launch.
    pub(crate) fn refresh(
        &mut self,
        stream: &mut Stream,
        RecordIndex(index): RecordIndex,
    ) -> Result<(), DriverError> {
        self.slabs[self.kernels[index].slab].refresh(stream)
    }

    /// The address of a record on the device, which is the last argument of its kernel.
    pub(crate) fn address(&self, RecordIndex(index): RecordIndex) -> *mut c_void {
        let Entry { slab, offset, .. } = self.kernels[index];
        self.slabs[slab].device.address().wrapping_byte_add(offset)
    }

    /// Notes that a kernel was launched with groups of this size, so that its record is looked at.
    pub(crate) fn note_launch(&mut self, RecordIndex(index): RecordIndex, group_size: [u32; 3]) {
        let entry = &mut self.kernels[index];
        if !entry.is_launched {
            entry.is_launched = true;
            entry.group_size = group_size;
            self.slabs[entry.slab].is_used = true;
            self.launched.push(RecordIndex(index));
        }
    }

    /// Whether a kernel was launched since the last check.
    pub(crate) fn is_used(&self) -> bool {
        !self.launched.is_empty()
    }

    /// Appends the copies of all records that kernels may have written.
    pub(crate) fn fetch(&self, stream: &mut Stream) -> Result<(), DriverError> {
        self.slabs.iter().filter(|slab| slab.is_used).try_for_each(|slab| slab.fetch(stream))
    }

    /// Reads the records that [`fetch`](Self::fetch) copied, once the stream has been waited for, and clears them.
    pub(crate) fn check(&mut self, stream: &mut Stream) -> Result<(), Error> {
        if self.launched.is_empty() {
            return Ok(());
        }
        let mut found = Ok(Vec::new());
        for RecordIndex(index) in self.launched.drain(..) {
            let entry = &mut self.kernels[index];
            entry.is_launched = false;
            let (record, words) = self.slabs[entry.slab].read(entry.offset, entry.descriptor.fault_words());
            if let Some(fault) = decode(entry.descriptor, &record, words, entry.group_size) {
                found = join(found, entry.kernel, fault);
            }
        }
        for slab in self.slabs.iter_mut().filter(|slab| slab.is_used) {
            slab.is_used = false;
            slab.is_stale |= !found.as_ref().is_ok_and(Vec::is_empty);
            // Whether it can be cleared now or before the next launch, the fault is what the host wants to know.
            let _ = slab.refresh(stream);
        }
        let mut faults = found?.into_iter().map(|(_, fault)| fault);
        match faults.next() {
            None => Ok(()),
            Some(first) => Err(KernelFault { others: faults.collect(), ..first }.into()),
        }
    }
}

/// The faults found so far, one for each kernel.
type Found = Result<Vec<(usize, KernelFault)>, InternalError>;

/// Adds a fault of a kernel to those found before; a bug counts for more than any of them.
fn join(found: Found, kernel: usize, fault: Result<KernelFault, String>) -> Found {
    let fault = fault.map_err(InternalError::new)?;
    let mut found = found?;
    match found.iter_mut().find(|(other, _)| *other == kernel) {
        Some((_, first)) => first.count = first.count.wrapping_add(fault.count),
        None => found.push((kernel, fault)),
    }
    Ok(found)
}

impl Slab {
    /// Clears what was reported.
    fn refresh(&mut self, stream: &mut Stream) -> Result<(), DriverError> {
        if self.is_stale {
            self.clear(stream)?;
            self.is_stale = false;
        }
        Ok(())
    }

    fn new(device: &Device, stream: &mut Stream) -> Result<Self, DriverError> {
        let host = HostAllocation::new(device, SLAB_BYTES)?;
        // SAFETY: the memory has this size and nothing else uses it. All zero is a valid record: no fault.
        unsafe { ptr::write_bytes(host.address().cast::<u8>(), 0, SLAB_BYTES) };
        let slab = Self {
            device: Allocation::new(device, UsmKind::Device, SLAB_BYTES)?,
            host,
            filled: 0,
            is_used: false,
            is_stale: false,
        };
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

    /// The record that starts at an offset, and so many words that follow it.
    fn read(&self, offset: usize, words: u32) -> (FaultRecord, &[u32]) {
        let after = offset + size_of::<FaultRecord>();
        let len = words as usize;
        assert!(after + len * size_of::<u32>() <= self.filled, "the record was added to this slab");
        let record = self.host.address().wrapping_byte_add(offset).cast::<FaultRecord>();
        // SAFETY: the slab has a record there, aligned and zeroed when it was made; the stream is idle, so that nothing writes to it
        // now, and any bytes are a record.
        let record = unsafe { record.read() };
        let words = self.host.address().wrapping_byte_add(after).cast::<u32>();
        // SAFETY: the slab has as many words there, aligned and zeroed when it was made; the stream is idle, and what is borrowed
        // with them is what would be copied to them.
        (record, unsafe { slice::from_raw_parts(words, len) })
    }
}
