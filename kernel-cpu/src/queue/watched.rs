//! Counters of the host program's, which say whether an event is signalled.

use super::outside::Who;
use crate::memory::{Allocation, Snapshot};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// An event is signalled while a counter in memory is as large as a value, or larger.
#[derive(Debug)]
pub(crate) struct Watched {
    /// Where commands look.
    pub(crate) device: CounterAddress,
    /// Where the host does.
    pub(crate) host: CounterAddress,
    pub(crate) value: u64,
    /// What a signal adds to it. Without this only the host program counts.
    pub(crate) increment: Option<u64>,
}

/// The address of a counter, which is aligned and not null.
#[derive(Debug)]
pub(crate) struct CounterAddress {
    address: u64,
    /// Keeps the memory, if it is the driver's; what is the host program's own lives as long as the event.
    memory: Option<Arc<Allocation>>,
}

impl CounterAddress {
    /// None if a counter cannot be there.
    pub(crate) fn new(address: *mut u64, memory: &Snapshot) -> Option<Self> {
        if address.is_null() || !address.is_aligned() {
            return None;
        }
        let address = address.addr() as u64;
        let memory = memory.find(address).cloned();
        let fits =
            memory.as_ref().is_none_or(|found| found.span().contains(address, size_of::<u64>() as u64));
        fits.then_some(Self { address, memory })
    }

    /// Whether the memory is the driver's, and may be written.
    pub(crate) fn is_written_by_device(&self) -> bool {
        self.memory.as_ref().is_some_and(|memory| !memory.is_read_only)
    }

    pub(crate) fn address(&self) -> u64 {
        self.address
    }

    fn counter(&self) -> &AtomicU64 {
        // SAFETY: it is aligned, in memory that is kept or that the host program vouches for, and all bits are those of a number.
        unsafe { AtomicU64::from_ptr(self.address as *mut u64) }
    }
}

impl Watched {
    pub(super) fn is_reached(&self, who: Who) -> bool {
        let place = if who == Who::Host { &self.host } else { &self.device };
        place.counter().load(Ordering::Acquire) >= self.value
    }

    pub(super) fn count(&self) {
        if let Some(increment) = self.increment {
            self.device.counter().fetch_add(increment, Ordering::AcqRel);
        }
    }
}
