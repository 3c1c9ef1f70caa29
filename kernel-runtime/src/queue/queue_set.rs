//! The queues of a device, for those who must wait for some or all of them.

use crate::error::Error;
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

/// A queue that may have something to do.
pub(crate) enum Busy {
    Queue(Arc<QueueCore>),
    /// One that nobody has any more, and that waits for what it has to do.
    Ending(Arc<Progress>),
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
    pub(crate) fn wait_for(&self, mask: QueueMask) -> Result<(), Error> {
        self.of(mask).into_iter().try_for_each(|busy| match busy {
            Busy::Queue(queue) if queue.progress().pending().is_none() => Ok(()),
            Busy::Queue(queue) => Ok(queue.wait(&mut *queue.lock()?)?),
            Busy::Ending(progress) => {
                progress.wait_for_end();
                Ok(())
            }
        })
    }

    /// Waits for all queues that no other thread has to itself, and that call no functions of the host, which may wait for this thread.
    pub(crate) fn wait_for_idle(&self) -> Result<(), Error> {
        for busy in self.of(QueueMask::ALL) {
            if let Busy::Queue(queue) = busy
                && queue.progress().pending().is_some()
                && let Some(mut state) = queue.try_lock()
                && !state.host.is_used()
            {
                queue.wait(&mut state)?;
            }
        }
        Ok(())
    }

    /// Finds out which queues have nothing to do, of those that no other thread has to itself.
    pub(crate) fn poll(&self) {
        for busy in self.of(QueueMask::ALL) {
            if let Busy::Queue(queue) = busy
                && queue.progress().pending().is_some()
                && let Some(mut state) = queue.try_lock()
            {
                state.stream.poll();
            }
        }
    }

    /// The queues of a set that may have something to do.
    pub(crate) fn of(&self, mask: QueueMask) -> Vec<Busy> {
        let entries = self.lock();
        let chosen = entries.iter().filter(|entry| entry.mask.intersects(mask));
        let busy = |entry: &Entry| match entry.queue.upgrade() {
            Some(queue) => Some(Busy::Queue(queue)),
            None => entry.progress.upgrade().map(Busy::Ending),
        };
        chosen.filter_map(busy).collect()
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
