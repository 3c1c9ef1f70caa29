//! Device memory is free for others once no queue can still be using it.
//!
//! Launches and copies are asynchronous and do not borrow the buffers that they use, so that a buffer may be dropped
//! while a kernel works on it. Its memory is then *retired*: it waits for every queue of the device to finish what was
//! submitted before the drop.

use crate::device::Device;
use crate::memory::{Resource, release};
use crate::queue::progress::Progress;
use crate::sync::atomic::{AtomicBool, Ordering};
use crate::sync::{Mutex, MutexGuard};
use std::sync::{Arc, PoisonError};

/// The memory of a device that waits for its queues.
#[derive(Debug, Default)]
pub(crate) struct Reclaimer {
    retired: Mutex<Vec<Retired>>,
    /// Whether there may be any, so that the others of a device's queues need not ask for the lock when they are done.
    has_some: AtomicBool,
}

/// Memory that nobody owns any more but that queues may still be using.
#[derive(Debug)]
struct Retired {
    resource: Resource,
    bytes: usize,
    /// The queues to wait for, each with the number of the command that must be complete.
    users: Vec<(Arc<Progress>, u64)>,
}

impl Retired {
    fn is_unused(&self) -> bool {
        self.users.iter().all(|(queue, command)| queue.has_completed(*command))
    }
}

impl Reclaimer {
    /// Releases memory at once if no queue has anything to do, or else later.
    pub(crate) fn retire(&self, device: &Device, resource: Resource, bytes: usize) {
        let users = device.queues().pending();
        match users.is_empty() {
            true => release(device, resource),
            false => {
                let mut retired = self.lock();
                retired.push(Retired { resource, bytes, users });
                self.has_some.store(true, Ordering::Release);
            }
        }
    }

    /// Releases the retired memory that no queue uses any more.
    pub(crate) fn sweep(&self, device: &Device) {
        if !self.has_some.load(Ordering::Acquire) {
            return;
        }
        let mut retired = self.lock();
        for unused in retired.extract_if(.., |retired| retired.is_unused()) {
            release(device, unused.resource);
        }
        self.has_some.store(!retired.is_empty(), Ordering::Release);
    }

    /// The bytes that are retired and not yet released.
    pub(crate) fn retired_bytes(&self) -> usize {
        self.lock().iter().map(|retired| retired.bytes).sum()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Retired>> {
        self.retired.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
