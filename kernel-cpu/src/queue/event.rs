//! Events: what commands signal and wait for. A fence is one too.

use super::counter::Counter;
use super::failure::Failure;
use super::numbered::{Numbered, SharedCounter};
use super::outside::{Outside, Who};
use super::shared_event::SharedEvent;
use super::stream::Closer;
use super::watched::Watched;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// When the command that signalled an event began and ended, in nanoseconds of the device's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Timestamps {
    pub(crate) start: u64,
    pub(crate) end: u64,
}

/// How waiting ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Waited {
    Signalled,
    /// Signalled after this had failed.
    Failed(Arc<str>),
    TimedOut,
}

/// What the host has said of an event when it made it, which it may ask for later.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Origin {
    /// The number of the pool's handle.
    pub(crate) pool: usize,
    /// Flags of what is flushed when it is signalled, and when it has been waited for.
    pub(crate) signal_scope: u32,
    pub(crate) wait_scope: u32,
    /// The flags of a counter-based one.
    pub(crate) counter_flags: u32,
    /// The number of the context's handle, of a counter-based one.
    pub(crate) context: usize,
    /// Whether it is that of another process.
    pub(crate) is_opened: bool,
}

/// Something that is signalled or not.
#[derive(Debug, Default)]
pub(crate) struct Event {
    state: Mutex<State>,
    changed: Condvar,
    pub(crate) origin: Origin,
    /// Where its state is, if others may change that.
    outside: Option<Outside>,
    /// What it stands for, if it is counter-based.
    latest: Option<Mutex<Arc<Event>>>,
    /// What says in several processes what it stands for, if they have it.
    shared: Option<Arc<SharedCounter>>,
    /// Whether a counter-based event stands for it, or has done so.
    is_occurrence: bool,
}

#[derive(Debug, Default)]
struct State {
    signalled: bool,
    timestamps: Timestamps,
    /// What had not been reported when the event was signalled, and to whom it is known.
    failure: Option<(Arc<str>, Arc<Failure>)>,
    /// The stream that has a command which is going to signal it.
    signaller: Option<Closer>,
    /// What says in memory that it is signalled, if somebody has asked for it.
    counter: Option<Counter>,
}

impl State {
    /// How waiting for the signal ended.
    fn waited(&self) -> Waited {
        match &self.failure {
            Some((what, failure)) => {
                failure.take();
                Waited::Failed(Arc::clone(what))
            }
            None => Waited::Signalled,
        }
    }
}

impl Event {
    /// One that is not signalled.
    pub(crate) fn new(origin: Origin) -> Self {
        Self { origin, ..Self::default() }
    }

    /// One that other processes may signal and wait for.
    pub(crate) fn shared(origin: Origin, shared: SharedEvent) -> Self {
        Self { origin, outside: Some(Outside::Shared(shared)), ..Self::default() }
    }

    /// A counter-based one, which stands for the command that was appended last with it as its signal. It is signalled until there is one, and who waits for it
    /// waits for that command, whatever is appended later.
    pub(crate) fn counter_based(origin: Origin) -> Self {
        let done = Self { is_occurrence: true, ..Self::default() };
        done.signal();
        Self { origin, latest: Some(Mutex::new(Arc::new(done))), ..Self::default() }
    }

    /// A counter-based one that a counter of the host program's says something about: the state that it begins with, or, if signals count there, all that there is to know.
    pub(crate) fn watched(origin: Origin, watched: Watched) -> Self {
        let is_all = watched.increment.is_some();
        let outside = Some(Outside::Watched(watched));
        if is_all {
            return Self { origin, outside, ..Self::default() };
        }
        let first = Self { origin, outside, is_occurrence: true, ..Self::default() };
        Self { origin, latest: Some(Mutex::new(Arc::new(first))), ..Self::default() }
    }

    /// A counter-based one that other processes have too.
    pub(crate) fn numbered(origin: Origin, shared: Arc<SharedCounter>) -> Self {
        let last = Self::with_number(origin, Numbered::with_number(&shared, shared.last()));
        Self { origin, latest: Some(Mutex::new(Arc::new(last))), shared: Some(shared), ..Self::default() }
    }

    fn with_number(origin: Origin, numbered: Numbered) -> Self {
        Self { origin, outside: Some(Outside::Numbered(numbered)), is_occurrence: true, ..Self::default() }
    }

    /// Whether it is counter-based, and so nothing that the host signals or resets.
    pub(crate) fn is_counter_based(&self) -> bool {
        self.latest.is_some() || self.adds_up()
    }

    /// Whether each of its signals counts in memory, so that no command replaces another one as what it stands for.
    pub(crate) fn adds_up(&self) -> bool {
        matches!(&self.outside, Some(Outside::Watched(watched)) if watched.increment.is_some())
    }

    /// What several processes have of it.
    pub(crate) fn shared_counter(&self) -> Option<&Arc<SharedCounter>> {
        self.shared.as_ref()
    }

    /// The address of the counter in memory that says whether it is signalled, and the value that it has then, if there is one already.
    pub(crate) fn place(&self) -> Option<(u64, u64)> {
        match &self.outside {
            Some(Outside::Watched(watched)) => Some((watched.device.address(), watched.value)),
            Some(Outside::Numbered(numbered)) => Some(numbered.counter()),
            Some(Outside::Shared(_)) => None,
            None => self.counter().map(|counter| counter.place()),
        }
    }

    pub(super) fn counter(&self) -> Option<Counter> {
        self.state().counter.clone()
    }

    /// Has a counter say that it is signalled.
    pub(super) fn set_counter(&self, counter: Counter) {
        let mut state = self.state();
        if state.signalled {
            counter.reach();
        }
        state.counter = Some(counter);
    }

    /// Whether it has to be reset when a list that signals it is executed again.
    pub(crate) fn is_occurrence(&self) -> bool {
        self.is_occurrence
    }

    /// What a command signals that is appended now.
    pub(crate) fn to_signal(self: &Arc<Self>) -> Arc<Self> {
        let Some(latest) = &self.latest else { return Arc::clone(self) };
        let next = match &self.shared {
            Some(shared) => Arc::new(Self::with_number(self.origin, Numbered::next(shared))),
            None => self.occurrence(),
        };
        *latest.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&next);
        next
    }

    /// What a command signals in its place, which the event does not stand for.
    pub(crate) fn occurrence(&self) -> Arc<Self> {
        Arc::new(Self { origin: self.origin, is_occurrence: true, ..Self::default() })
    }

    /// What a command waits for that is appended now.
    pub(crate) fn to_wait_for(self: &Arc<Self>) -> Arc<Self> {
        self.latest().unwrap_or_else(|| Arc::clone(self))
    }

    /// What it stands for, if it is counter-based.
    pub(crate) fn latest(&self) -> Option<Arc<Self>> {
        let mut latest = self.latest.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(shared), Some(Outside::Numbered(known))) = (&self.shared, &latest.outside) {
            // Another process may have given it to a command since.
            let last = shared.last();
            if known.number() != last {
                *latest = Arc::new(Self::with_number(self.origin, Numbered::with_number(shared, last)));
            }
        }
        Some(Arc::clone(&latest))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Signals it from the host.
    pub(crate) fn signal(&self) {
        self.signal_with(Timestamps::default(), None);
    }

    /// Signals it when a command is done.
    pub(super) fn signal_with(&self, timestamps: Timestamps, failure: Option<(Arc<str>, Arc<Failure>)>) {
        let failed = failure.is_some();
        let mut state = self.state();
        let counter = state.counter.take();
        // Of several signals that add up the first that has failed is told.
        let failure = failure.or_else(|| state.failure.take().filter(|_| self.adds_up()));
        *state = State { signalled: true, timestamps, failure, signaller: None, counter };
        if let Some(counter) = &state.counter {
            counter.reach();
        }
        drop(state);
        // Who sees the signal finds what has failed.
        if let Some(outside) = &self.outside {
            outside.signal(timestamps, failed);
        }
        self.changed.notify_all();
    }

    pub(crate) fn reset(&self) {
        *self.state() = State::default();
        if let Some(outside) = &self.outside {
            outside.reset();
        }
    }

    /// When the command ran, if it has.
    pub(crate) fn timestamps(&self) -> Option<Timestamps> {
        if let Some(latest) = self.latest() {
            return latest.timestamps();
        }
        match &self.outside {
            Some(Outside::Shared(shared)) => shared.timestamps(),
            Some(outside) => outside.is_signalled(Who::Host).then(|| self.state().timestamps),
            None => {
                let state = self.state();
                state.signalled.then_some(state.timestamps)
            }
        }
    }

    pub(crate) fn is_signalled(&self) -> bool {
        self.state().signalled
    }

    /// Says which stream has been given a command that signals it.
    pub(super) fn expect_from(&self, signaller: Closer) {
        self.state().signaller = Some(signaller);
    }

    /// Executes what has not begun yet of the stream that is to signal it, since to wake another thread takes longer than many a launch.
    fn help(&self) {
        loop {
            let signaller = self.state().signaller.clone();
            if !signaller.is_some_and(|signaller| signaller.execute_next_before(self)) {
                return;
            }
        }
    }

    /// Looks for the signal for some microseconds, since what is waited for is mostly about to end.
    fn spin(&self) {
        for _ in 0..SPINS {
            if self.state().signalled {
                return;
            }
            std::hint::spin_loop();
        }
    }

    /// Waits for the signal, at most `timeout`; `None` waits for ever.
    pub(crate) fn wait(&self, timeout: Option<Duration>) -> Waited {
        if let Some(latest) = self.latest() {
            return latest.wait(timeout);
        }
        // A time too far off to count to is for ever too.
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        if let Some(outside) = &self.outside {
            return self.waited(outside.wait(deadline));
        }
        if deadline.is_none() {
            self.help();
            self.spin();
        }
        let mut state = self.state();
        while !state.signalled {
            state = match deadline {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(deadline) => {
                    let rest = deadline.saturating_duration_since(Instant::now());
                    if rest.is_zero() {
                        return Waited::TimedOut;
                    }
                    self.changed.wait_timeout(state, rest).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
        state.waited()
    }

    /// How waiting ended for what others may signal: of what has failed in this process more is known.
    fn waited(&self, waited: Waited) -> Waited {
        match waited {
            Waited::TimedOut => waited,
            _ if self.state().failure.is_some() => self.state().waited(),
            waited => waited,
        }
    }

    /// Waits for the signal, or until somebody sets `given_up` and calls [`wake`](Self::wake).
    pub(super) fn wait_unless(&self, given_up: &AtomicBool) {
        if let Some(outside) = &self.outside {
            return outside.wait_unless(given_up);
        }
        let mut state = self.state();
        while !state.signalled && !given_up.load(Ordering::Acquire) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Lets those who wait look again whether they still have to.
    pub(super) fn wake(&self) {
        // Who has looked but does not wait yet holds the lock.
        drop(self.state());
        self.changed.notify_all();
    }
}

/// How often a waiting host looks again before it sleeps.
const SPINS: u32 = 500;
