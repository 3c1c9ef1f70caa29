//! The thread that wakes tasks which await events.
//!
//! Level Zero calls nobody back. A thread waits for the oldest event that is awaited, and looks at the others from time to time. There is none before
//! an event is first awaited, and it sleeps while none is.

use crate::queue::event::Event;
use core::task::Waker;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

/// How long the thread waits for the oldest event before it looks at the others, in nanoseconds.
const TURN: u64 = 500_000;

/// A task and what it awaits.
struct Awaited {
    event: Event,
    waker: Waker,
}

static AWAITED: Mutex<Vec<Awaited>> = Mutex::new(Vec::new());
static ADDED: Condvar = Condvar::new();

/// Wakes a task once, when an event is complete or has failed.
pub(super) fn wake_when_complete(event: &Event, waker: &Waker) {
    static IS_SERVED: OnceLock<bool> = OnceLock::new();
    let start = || thread::Builder::new().name("kernel-events".into()).spawn(serve).is_ok();
    if !IS_SERVED.get_or_init(start) {
        // There can be no more threads: the task looks again and again.
        return waker.wake_by_ref();
    }
    let mut awaited = awaited();
    let is_known = |other: &Awaited| other.event.is(event) && other.waker.will_wake(waker);
    if !awaited.iter().any(is_known) {
        awaited.push(Awaited { event: event.clone(), waker: waker.clone() });
        drop(awaited);
        ADDED.notify_one();
    }
}

fn awaited() -> MutexGuard<'static, Vec<Awaited>> {
    AWAITED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the thread does.
fn serve() {
    loop {
        let mut waiting = awaited();
        while waiting.is_empty() {
            waiting = ADDED.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        let oldest = waiting[0].event.clone();
        drop(waiting);
        // Whatever comes of it is looked at by the task.
        let _ = oldest.wait_for(TURN);
        let is_done = |awaited: &mut Awaited| awaited.event.poll_status() != Ok(false);
        let done: Vec<Awaited> = awaited().extract_if(.., is_done).collect();
        // Whoever is woken may await something, and dropping events may take other locks.
        done.into_iter().for_each(|awaited| awaited.waker.wake());
    }
}
