//! Where the state of an event is that is not in the event.

use super::event::{Timestamps, Waited};
use super::numbered::Numbered;
use super::shared_event::SharedEvent;
use super::watched::Watched;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Memory that says whether an event is signalled, and that others write too: nobody is told when they do.
#[derive(Debug)]
pub(super) enum Outside {
    /// An event of a pool that other processes have.
    Shared(SharedEvent),
    /// A counter of the host program's.
    Watched(Watched),
    /// One of the signals of a counter-based event that other processes have.
    Numbered(Numbered),
}

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    Host,
    Device,
}

impl Outside {
    pub(super) fn is_signalled(&self, who: Who) -> bool {
        match self {
            Self::Shared(shared) => shared.is_signalled(),
            Self::Watched(watched) => watched.is_reached(who),
            Self::Numbered(numbered) => numbered.is_signalled(),
        }
    }

    pub(super) fn signal(&self, timestamps: Timestamps, failed: bool) {
        match self {
            Self::Shared(shared) => shared.signal(timestamps, failed),
            Self::Watched(watched) => watched.count(),
            Self::Numbered(numbered) => numbered.signal(failed),
        }
    }

    pub(super) fn reset(&self) {
        match self {
            Self::Shared(shared) => shared.reset(),
            // It is the host program that does this.
            Self::Watched(_) => {}
            Self::Numbered(numbered) => numbered.renew(),
        }
    }

    /// Waits for the signal until a moment, or for ever.
    pub(super) fn wait(&self, deadline: Option<Instant>) -> Waited {
        let is_late = || deadline.is_some_and(|deadline| deadline <= Instant::now());
        if !self.wait_until(Who::Host, is_late) {
            return Waited::TimedOut;
        }
        let failure = match self {
            Self::Shared(shared) => shared.failure(),
            Self::Watched(_) => None,
            Self::Numbered(numbered) => numbered.failure(),
        };
        failure.map_or(Waited::Signalled, Waited::Failed)
    }

    /// Waits for the signal, or until somebody sets `given_up`.
    pub(super) fn wait_unless(&self, given_up: &AtomicBool) {
        self.wait_until(Who::Device, || given_up.load(Ordering::Acquire));
    }

    /// Whether it is signalled before there is no time any more. It is looked for again and again, at longer and longer intervals.
    fn wait_until(&self, who: Who, is_over: impl Fn() -> bool) -> bool {
        const LONGEST: Duration = Duration::from_millis(1);
        let mut pause = Duration::from_micros(10);
        loop {
            if self.is_signalled(who) {
                return true;
            }
            if is_over() {
                return false;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(LONGEST);
        }
    }
}
