//! How the end of a stream ends what it is doing.

use super::event::Event;
use crate::exec::{Launch, Reason, run};
use crate::fault::FaultReport;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Whether a stream has been closed, and what has to be told so.
#[derive(Debug, Default)]
pub(super) struct Closing {
    is_closed: AtomicBool,
    current: Mutex<Option<Current>>,
}

/// What may take for ever.
#[derive(Debug)]
enum Current {
    Launch(Arc<Launch>),
    Wait(Arc<Event>),
}

impl Closing {
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    /// Ends what is being done, and lets nothing begin any more.
    pub(super) fn close(&self) {
        let current = self.current();
        self.is_closed.store(true, Ordering::Release);
        match &*current {
            Some(Current::Launch(launch)) => launch.halt(Reason::Destroyed),
            Some(Current::Wait(event)) => event.wake(),
            None => {}
        }
    }

    /// Executes a launch, or what of it there is time for; returns its first fault.
    pub(super) fn run(&self, launch: &Arc<Launch>) -> Option<FaultReport> {
        // What it is told before it has begun would be forgotten.
        launch.begin();
        self.begin(Current::Launch(Arc::clone(launch)));
        let report = run(launch);
        self.end();
        report
    }

    /// Waits for an event, or for the end.
    pub(super) fn wait_for(&self, event: &Arc<Event>) {
        self.begin(Current::Wait(Arc::clone(event)));
        event.wait_unless(&self.is_closed);
        self.end();
    }

    fn begin(&self, what: Current) {
        let mut current = self.current();
        if let Current::Launch(launch) = &what
            && self.is_closed()
        {
            launch.halt(Reason::Destroyed);
        }
        *current = Some(what);
    }

    fn end(&self) {
        *self.current() = None;
    }

    fn current(&self) -> MutexGuard<'_, Option<Current>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
