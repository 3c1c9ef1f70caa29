//! How a fault of a kernel reaches the host.
//!
//! The launch that faulted ends early; the commands after it are executed, so that nothing that waits for
//! them hangs. The stream keeps the failure until a synchronisation reports it: of the stream itself, of a
//! fence, or of an event that was signalled after the fault. Each failure is reported by every event that
//! carries it, but by the stream only once.

use crate::fault::FaultReport;
use std::sync::{Mutex, PoisonError};

/// The failures of one stream that no synchronisation has reported.
#[derive(Debug, Default)]
pub(crate) struct Failure(Mutex<bool>);

impl Failure {
    /// Notes a fault.
    pub(super) fn record(&self, report: &FaultReport) {
        note_failure(report.to_string());
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
    }

    /// Whether there is one.
    pub(super) fn is_pending(&self) -> bool {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports it, if there is one, and forgets it.
    pub(crate) fn take(&self) -> bool {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What the last fault of the process was.
static LAST: Mutex<String> = Mutex::new(String::new());

/// Lets this be the text of what went wrong last.
pub(crate) fn note_failure(text: String) {
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = text;
}

/// The text of the last fault, empty if there was none.
pub(crate) fn last_failure() -> String {
    LAST.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
