//! Device memory is free for others once no queue can still be using it.
//!
//! Launches and copies are asynchronous and do not borrow the buffers that they use, so that a buffer may be dropped
//! while a kernel works on it. Its memory is then *retired*: it waits for every queue of the device to finish what was
//! submitted before the drop. That is found out whenever a queue is waited for, and else once there is twice as much as was left the last time.

use crate::device::Device;
use crate::memory::{Resource, release};
use crate::queue::progress::Progress;
use crate::sync::atomic::{AtomicBool, Ordering};
use crate::sync::{Mutex, MutexGuard};
use std::sync::{Arc, PoisonError};

/// How much may be retired, at least, before queues are asked how far they are: how many resources, and bytes.
const LEAST: Amount = Amount { resources: 64, bytes: 1 << 24 };

/// So many resources, with so many bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Amount {
    resources: usize,
    bytes: usize,
}

/// The memory of a device that waits for its queues.
#[derive(Debug, Default)]
pub(crate) struct Reclaimer {
    retired: Mutex<AllRetired>,
    /// Whether there may be any, so that the others of a device's queues need not ask for the lock when they are done.
    has_some: AtomicBool,
}

#[derive(Debug, Default)]
struct AllRetired {
    all: Vec<Retired>,
    bytes: usize,
    /// What was left the last time that queues were asked.
    left: Amount,
}

impl AllRetired {
    fn push(&mut self, retired: Retired) {
        self.bytes += retired.bytes;
        self.all.push(retired);
    }

    fn amount(&self) -> Amount {
        Amount { resources: self.all.len(), bytes: self.bytes }
    }

    /// Returns whether there is so much that it is worth while to look what can be released.
    fn is_much(&self) -> bool {
        let (now, left) = (self.amount(), self.left);
        now.resources > LEAST.resources.max(2 * left.resources) || now.bytes > LEAST.bytes.max(2 * left.bytes)
    }

    /// Takes what no queue uses any more.
    fn take_unused(&mut self) -> Vec<Retired> {
        let unused: Vec<Retired> = self.all.extract_if(.., |retired| retired.is_unused()).collect();
        self.bytes -= unused.iter().map(|retired| retired.bytes).sum::<usize>();
        unused
    }
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
                let is_much = retired.is_much();
                drop(retired);
                if is_much {
                    device.queues().poll();
                    self.sweep(device);
                    let mut retired = self.lock();
                    retired.left = retired.amount();
                }
            }
        }
    }

    /// Releases the retired memory that no queue uses any more.
    pub(crate) fn sweep(&self, device: &Device) {
        if !self.has_some.load(Ordering::Acquire) {
            return;
        }
        let mut retired = self.lock();
        let unused = retired.take_unused();
        self.has_some.store(!retired.all.is_empty(), Ordering::Release);
        drop(retired);
        unused.into_iter().for_each(|unused| release(device, unused.resource));
    }

    /// The bytes that are retired and not yet released.
    pub(crate) fn retired_bytes(&self) -> usize {
        self.lock().bytes
    }

    fn lock(&self) -> MutexGuard<'_, AllRetired> {
        self.retired.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
