//! The queues of a device, for those who must wait for some or all of them.

use crate::error::DriverError;
use crate::memory::usage::QueueMask;
use crate::queue::progress::Progress;
use crate::queue::queue_core::QueueCore;
use crate::sync::{Mutex, MutexGuard};
use std::sync::{Arc, PoisonError, Weak};

/// The queues of a device.
#[derive(Default)]
pub(crate) struct QueueSet(Mutex<Vec<Entry>>);

struct Entry {
    mask: QueueMask,
    queue: Weak<QueueCore>,
    progress: Weak<Progress>,
}

impl QueueSet {
    /// Adds a queue, made with its bit.
    pub(crate) fn add(&self, make: impl FnOnce(QueueMask) -> QueueCore) -> Arc<QueueCore> {
        let mut entries = self.lock();
        entries.retain(|entry| entry.progress.strong_count() > 0);
        let used = entries.iter().fold(QueueMask::default(), |used, entry| used.union(entry.mask));
        let mask = QueueMask::allocate(used);
        let queue = Arc::new(make(mask));
        let progress = Arc::downgrade(queue.progress());
        entries.push(Entry { mask, queue: Arc::downgrade(&queue), progress });
        queue
    }

    /// Waits until the queues of a set have completed what was submitted to them; the caller must not hold any.
    pub(crate) fn wait_for(&self, mask: QueueMask) -> Result<(), DriverError> {
        self.busy(mask).iter().try_for_each(|queue| queue.wait(&mut queue.lock()))
    }

    /// The queues of a set that have something to do.
    pub(crate) fn busy(&self, mask: QueueMask) -> Vec<Arc<QueueCore>> {
        let entries = self.lock();
        let chosen = entries.iter().filter(|entry| entry.mask.intersects(mask));
        let mut queues: Vec<_> = chosen.filter_map(|entry| entry.queue.upgrade()).collect();
        // One that nobody else has is dropped here, which takes the lock.
        drop(entries);
        queues.retain(|queue| queue.progress().pending().is_some());
        queues
    }

    /// The queues that have something to do, each with the number of its last command.
    pub(crate) fn pending(&self) -> Vec<(Arc<Progress>, u64)> {
        let entries = self.lock();
        let queues = entries.iter().filter_map(|entry| entry.progress.upgrade());
        queues.filter_map(|progress| progress.pending().map(|command| (progress, command))).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
