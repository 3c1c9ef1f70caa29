//! How a launch that runs is told to stop.

use crate::fault::FaultKind;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A word of a launch that is zero as long as it may go on.
///
/// Whatever executes a kernel looks at it on every way back to the head of a loop, so that no kernel goes on for ever. It is a plain word, at
/// an address that stays the same while the launch runs, so that machine code can do so too.
#[derive(Debug, Default)]
#[repr(transparent)]
pub(crate) struct Halt(AtomicU32);

/// Why a launch has to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Reason {
    /// Its list, queue or context was destroyed.
    Destroyed = 1,
    /// It ran longer than the limit.
    TimedOut = 2,
}

impl Halt {
    /// Whether the launch has to stop. What is read with it need not be ordered: the reason is looked at later.
    #[inline(always)]
    pub(super) fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    /// Where machine code looks.
    #[cfg(all(target_arch = "x86_64", unix))]
    pub(super) fn word(&self) -> *const u32 {
        self.0.as_ptr()
    }

    /// Tells the launch to stop; the first reason counts.
    pub(super) fn raise(&self, reason: Reason) {
        let _ = self.0.compare_exchange(0, reason as u32, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Lets a launch begin.
    pub(super) fn lower(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// What the launch ends with.
    #[cold]
    pub(super) fn fault(&self) -> FaultKind {
        match self.0.load(Ordering::Relaxed) == Reason::TimedOut as u32 {
            true => FaultKind::TimedOut { limit: super::watchdog::limit().unwrap_or(Duration::ZERO) },
            false => FaultKind::Destroyed,
        }
    }
}
