//! A stream executes commands in order, on a thread of its own.

use super::command::{Action, Command};
use super::event::Event;
use super::failure::Failure;
use crate::exec::{Arguments, Geometry, Kernel, Launch, thread_count};
use crate::memory::Snapshot;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The commands of a queue or an immediate command list, as they are executed.
#[derive(Debug)]
pub(crate) struct Stream(Arc<Shared>);

/// What is to be appended: a command of an immediate list, or a closed list.
#[derive(Clone, Debug)]
pub(crate) enum Pending {
    One(Command),
    All(Arc<Vec<Command>>),
    /// Signals a fence.
    Signal(Arc<Event>),
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// There is something to do, or nothing ever more.
    work: Condvar,
    /// Everything that was submitted is done.
    idle: Condvar,
    /// Counts what was submitted, so that the thread sees new work without the lock.
    submissions: AtomicU64,
    failure: Arc<Failure>,
    /// Launches that are done and can be filled in again.
    spare: Mutex<Vec<Arc<Launch>>>,
}

#[derive(Debug, Default)]
struct State {
    pending: VecDeque<Pending>,
    /// Whether the thread is executing something.
    busy: bool,
    closed: bool,
}

impl Stream {
    /// A stream with its thread; `None` if there can be no more threads.
    pub(crate) fn new() -> Option<Self> {
        let shared = Arc::<Shared>::default();
        let of_thread = Arc::clone(&shared);
        std::thread::Builder::new().name("kernel-cpu-queue".into()).spawn(move || of_thread.serve()).ok()?;
        Some(Self(shared))
    }

    /// Appends something to be done after all before it.
    pub(crate) fn submit(&self, pending: Pending) {
        self.0.state().pending.push_back(pending);
        self.0.submissions.fetch_add(1, Ordering::Release);
        self.0.work.notify_one();
    }

    /// Waits until everything is done, at most `timeout`; whether it is.
    pub(crate) fn wait(&self, timeout: Option<Duration>) -> bool {
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let mut state = self.0.state();
        while state.busy || !state.pending.is_empty() {
            state = match deadline {
                None => self.0.idle.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(deadline) => {
                    let rest = deadline.saturating_duration_since(Instant::now());
                    if rest.is_zero() {
                        return false;
                    }
                    self.0.idle.wait_timeout(state, rest).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
        true
    }

    /// The failures that have not been reported.
    pub(crate) fn failure(&self) -> &Failure {
        &self.0.failure
    }

    /// A launch for this stream, made from one that is done if there is one.
    pub(crate) fn launch(
        &self,
        kernel: &Arc<Kernel>,
        geometry: Geometry,
        arguments: &Arguments,
        snapshot: Arc<Snapshot>,
    ) -> Arc<Launch> {
        let mut launch = self.0.spare_launch();
        if let Some(launch) = Arc::get_mut(&mut launch) {
            launch.fill(kernel, geometry, arguments, snapshot, thread_count());
        }
        launch
    }
}

impl Drop for Stream {
    /// The thread ends once it has done what was submitted.
    fn drop(&mut self) {
        self.0.state().closed = true;
        self.0.submissions.fetch_add(1, Ordering::Release);
        self.0.work.notify_one();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the thread does.
    fn serve(&self) {
        let mut seen = 0;
        while let Some(pending) = self.next(&mut seen) {
            match pending {
                Pending::One(command) => {
                    command.execute(&self.failure);
                    self.recycle(command);
                }
                Pending::All(commands) => commands.iter().for_each(|command| command.execute(&self.failure)),
                Pending::Signal(event) => {
                    let command = Command { action: Action::Nothing, signal: Some(event) };
                    command.execute(&self.failure);
                }
            }
        }
    }

    /// The next thing to do; waits for one, and is none when the stream is closed and done.
    fn next(&self, seen: &mut u64) -> Option<Pending> {
        let mut state = self.state();
        state.busy = false;
        if state.pending.is_empty() {
            self.idle.notify_all();
            drop(state);
            self.spin(*seen);
            state = self.state();
        }
        loop {
            *seen = self.submissions.load(Ordering::Acquire);
            if let Some(pending) = state.pending.pop_front() {
                state.busy = true;
                return Some(pending);
            }
            if state.closed {
                return None;
            }
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Looks for new work for some microseconds: hosts tend to submit again at once.
    fn spin(&self, seen: u64) {
        const SPINS: u32 = 1000;
        for _ in 0..SPINS {
            if self.submissions.load(Ordering::Acquire) != seen {
                return;
            }
            std::hint::spin_loop();
        }
    }

    fn spare(&self) -> MutexGuard<'_, Vec<Arc<Launch>>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A launch that nothing else refers to.
    fn spare_launch(&self) -> Arc<Launch> {
        let mut spare = self.spare();
        let free = spare.iter().position(|launch| Arc::strong_count(launch) == 1);
        free.map(|index| spare.swap_remove(index)).unwrap_or_default()
    }

    /// Keeps the launch of a command that is done.
    fn recycle(&self, command: Command) {
        const MAX_SPARE: usize = 256;
        let Action::Launch(mut launch) = command.action else { return };
        // Other threads let go of it as soon as they find that there are no groups left. If one takes long,
        // it is the one that frees the launch, since a launch that is kept must not keep kernels and
        // allocations alive.
        const PATIENCE: usize = 1000;
        for _ in 0..PATIENCE {
            if let Some(own) = Arc::get_mut(&mut launch) {
                own.clear();
                let mut spare = self.spare();
                if spare.len() < MAX_SPARE {
                    spare.push(launch);
                }
                return;
            }
            std::thread::yield_now();
        }
    }
}
