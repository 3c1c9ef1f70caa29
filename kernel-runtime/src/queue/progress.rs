//! How far a queue has come.

use crate::sync::atomic::{AtomicU64, Ordering};
use crate::sync::{Condvar, Mutex};
use std::sync::PoisonError;

/// How far a queue has come: the numbers of its last command that was submitted, and that is known to be complete.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    submitted: AtomicU64,
    completed: AtomicU64,
    /// Whether the queue has come to its end.
    has_ended: Mutex<bool>,
    ended: Condvar,
}

impl Progress {
    /// Counts a command, before it is handed to the driver; the caller lets nobody else submit meanwhile.
    #[inline]
    pub(crate) fn submit(&self) {
        self.submitted.store(self.submitted.load(Ordering::Relaxed) + 1, Ordering::Release);
    }

    /// The number of the last command that was submitted.
    #[inline]
    pub(crate) fn submitted(&self) -> u64 {
        self.submitted.load(Ordering::Acquire)
    }

    /// Notes that all that was submitted is complete; the caller lets nobody submit meanwhile.
    #[inline]
    pub(crate) fn complete(&self) {
        self.completed.store(self.submitted.load(Ordering::Acquire), Ordering::Release);
    }

    /// The number of the last submitted command, if it may still be running.
    pub(crate) fn pending(&self) -> Option<u64> {
        let submitted = self.submitted();
        (!self.has_completed(submitted)).then_some(submitted)
    }

    /// Notes that the queue has come to its end: what it has not completed then, nobody finds out about.
    pub(crate) fn end(&self) {
        *self.has_ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.ended.notify_all();
    }

    /// Waits until a queue that nobody has any more has come to its end.
    pub(crate) fn wait_for_end(&self) {
        let mut has_ended = self.has_ended.lock().unwrap_or_else(PoisonError::into_inner);
        while !*has_ended {
            has_ended = self.ended.wait(has_ended).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(crate) fn has_completed(&self, command: u64) -> bool {
        self.completed.load(Ordering::Acquire) >= command
    }
}
