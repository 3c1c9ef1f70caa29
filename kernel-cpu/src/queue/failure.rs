//! How a fault of a kernel reaches the host.
//!
//! The launch that faulted ends early; the commands after it are executed, so that nothing that waits for
//! them hangs. The stream keeps the failure until a synchronisation reports it: of the stream itself, of a
//! fence, or of an event that was signalled after the fault. Each failure is reported by every event that
//! carries it, but by the stream only once.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The first failure of a stream that no synchronisation has reported.
#[derive(Debug, Default)]
pub(crate) struct Failure(Mutex<Option<Arc<str>>>);

impl Failure {
    /// Notes what has failed.
    pub(super) fn record(&self, what: impl FnOnce() -> String) {
        self.state().get_or_insert_with(|| what().into());
    }

    /// What has failed, if anything has.
    pub(super) fn pending(&self) -> Option<Arc<str>> {
        self.state().clone()
    }

    /// Reports it, if there is one, and forgets it.
    pub(crate) fn take(&self) -> Option<Arc<str>> {
        self.state().take()
    }

    fn state(&self) -> MutexGuard<'_, Option<Arc<str>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
