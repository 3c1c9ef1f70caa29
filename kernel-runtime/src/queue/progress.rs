//! How far a queue has come.

use crate::sync::atomic::{AtomicU64, Ordering};

/// How far a queue has come: the numbers of its last command that was submitted, and that is known to be complete.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    submitted: AtomicU64,
    completed: AtomicU64,
}

impl Progress {
    /// Counts a command, before it is handed to the driver.
    pub(crate) fn submit(&self) {
        self.submitted.fetch_add(1, Ordering::SeqCst);
    }

    /// The number of the last command that was submitted.
    pub(crate) fn submitted(&self) -> u64 {
        self.submitted.load(Ordering::SeqCst)
    }

    /// Notes that all that was submitted is complete; the caller lets nobody submit meanwhile.
    pub(crate) fn complete(&self) {
        self.completed.store(self.submitted.load(Ordering::Acquire), Ordering::Release);
    }

    /// The number of the last submitted command, if it may still be running.
    pub(crate) fn pending(&self) -> Option<u64> {
        let submitted = self.submitted.load(Ordering::SeqCst);
        (!self.has_completed(submitted)).then_some(submitted)
    }

    pub(crate) fn has_completed(&self, command: u64) -> bool {
        self.completed.load(Ordering::Acquire) >= command
    }
}
