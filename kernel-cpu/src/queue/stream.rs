//! A stream executes commands in order: on a thread of its own, or on that of the host where nothing else would be faster.
//!
//! Waking a thread takes longer than many a launch. What surely takes little time is therefore executed by the thread that submits it, if nothing is before it,
//! and a thread that would only wait executes what has not begun yet. Whoever executes holds the stream: [`State::busy`] is set.

use super::closing::Closing;
use super::command::{Action, Command, IndirectLaunch};
use super::event::Event;
use super::failure::Failure;
use crate::exec::{Arguments, Geometry, Kernel, Launch, Spares, give_back, spin_until, thread_count};
use crate::memory::Snapshot;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// The commands of a queue or an immediate command list, as they are executed.
#[derive(Debug)]
pub(crate) struct Stream(Arc<Shared>);

/// Closes a stream for somebody who does not own it, or waits for it.
#[derive(Clone, Debug)]
pub(crate) struct Closer(Weak<Shared>);

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
    /// Counts what was done, so that a host sees that without the lock.
    completions: AtomicU64,
    failure: Arc<Failure>,
    closing: Closing,
    spares: Arc<Spares>,
}

#[derive(Debug, Default)]
struct State {
    pending: VecDeque<Pending>,
    /// Whether a thread is executing something.
    busy: bool,
    closed: bool,
    /// Whether its thread sleeps, and how many hosts do. Waking takes a call of the system, whether anybody sleeps or not.
    thread_sleeps: bool,
    sleeping_hosts: usize,
}

/// As many short commands of a closed list as take less time than waking a thread does.
const FEW_COMMANDS: usize = 24;

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
        let mut state = self.0.state();
        if state.closed {
            drop(state);
            // There may be no thread any more. Nothing of this is executed.
            return self.0.execute(pending);
        }
        if !state.busy && state.pending.is_empty() && pending.is_short() {
            state.busy = true;
            drop(state);
            return self.0.run(pending);
        }
        pending.signals().for_each(|event| event.expect_from(self.closer()));
        state.pending.push_back(pending);
        let sleeps = state.thread_sleeps;
        drop(state);
        self.0.submissions.fetch_add(1, Ordering::Release);
        if sleeps {
            self.0.work.notify_one();
        }
    }

    /// Waits until everything is done, at most `timeout`; whether it is.
    pub(crate) fn wait(&self, timeout: Option<Duration>) -> bool {
        self.0.wait(timeout)
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
        let mut launch = self.0.spares.take();
        if let Some(launch) = Arc::get_mut(&mut launch) {
            launch.fill(kernel, geometry, arguments, snapshot, thread_count());
        }
        launch
    }

    /// Stops what is being done, leaves out what has not begun, and waits until that is so. The thread ends then.
    pub(crate) fn close(&self) {
        self.0.close();
        self.wait(None);
    }

    /// What closes it.
    pub(crate) fn closer(&self) -> Closer {
        Closer(Arc::downgrade(&self.0))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.close();
    }
}

impl Closer {
    /// Closes the stream, if it is still there.
    pub(crate) fn close(&self) {
        if let Some(shared) = self.0.upgrade() {
            shared.close();
            shared.wait(None);
        }
    }

    /// Waits until everything is done that the stream was asked for, if it is still there, but no longer than this.
    pub(crate) fn wait_at_most(&self, timeout: Duration) {
        if let Some(shared) = self.0.upgrade() {
            shared.wait(Some(timeout));
        }
    }

    /// Waits until everything is done that the stream was asked for, if it is still there; what has failed then, to whoever comes first.
    pub(crate) fn wait(&self) -> Option<Arc<str>> {
        let shared = self.0.upgrade()?;
        shared.wait(None);
        shared.failure.take()
    }

    /// Executes what comes next on the stream, for somebody who waits for an event that the stream signals; whether it has. It does not where somebody else executes, and it
    /// begins nothing that waits for others, or once the event is signalled.
    pub(super) fn execute_next_before(&self, event: &Event) -> bool {
        let Some(shared) = self.0.upgrade() else { return false };
        let mut state = shared.state();
        // A command has signalled the event before it lets go of the stream.
        if event.is_signalled() || state.pending.front().is_none_or(Pending::may_wait) {
            return false;
        }
        let Some(pending) = state.claim() else { return false };
        drop(state);
        shared.run(pending);
        true
    }

    /// Whether the stream is still there.
    pub(crate) fn is_live(&self) -> bool {
        self.0.strong_count() != 0
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until everything is done, at most `timeout`; whether it is.
    fn wait(&self, timeout: Option<Duration>) -> bool {
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let mut state = self.state();
        loop {
            if !state.busy && state.pending.is_empty() {
                return true;
            }
            // There is no way back from what has begun, so that only who has all the time of the world begins something.
            if deadline.is_none()
                && let Some(pending) = state.claim()
            {
                drop(state);
                self.run(pending);
                state = self.state();
                continue;
            }
            if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                return false;
            }
            let seen = self.completions.load(Ordering::Acquire);
            drop(state);
            spin_until(SPINS, || self.completions.load(Ordering::Acquire) != seen);
            state = self.state();
            if self.completions.load(Ordering::Acquire) != seen {
                continue;
            }
            state.sleeping_hosts += 1;
            state = match deadline {
                None => self.idle.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(deadline) => {
                    let rest = deadline.saturating_duration_since(Instant::now());
                    self.idle.wait_timeout(state, rest).unwrap_or_else(PoisonError::into_inner).0
                }
            };
            state.sleeping_hosts -= 1;
        }
    }

    /// Executes what the stream was taken for, and lets go of it.
    fn run(&self, pending: Pending) {
        self.execute(pending);
        let mut state = self.state();
        state.busy = false;
        self.completions.fetch_add(1, Ordering::Release);
        let wakes_thread = state.thread_sleeps && (!state.pending.is_empty() || state.closed);
        let wakes_hosts = state.sleeping_hosts > 0;
        drop(state);
        if wakes_thread {
            self.work.notify_one();
        }
        if wakes_hosts {
            self.idle.notify_all();
        }
    }

    fn close(&self) {
        self.state().closed = true;
        self.closing.close();
        self.submissions.fetch_add(1, Ordering::Release);
        self.work.notify_one();
    }

    /// What the thread does.
    fn serve(&self) {
        let mut seen = 0;
        while let Some(pending) = self.next(&mut seen) {
            self.run(pending);
        }
    }

    fn execute(&self, pending: Pending) {
        let execute = |command: &Command| command.execute(&self.closing, &self.failure);
        match pending {
            Pending::One(Command { action: Action::LaunchIndirect(indirect), signal }) => {
                self.execute(Pending::One(self.direct(&indirect, signal)));
            }
            Pending::One(command) => {
                execute(&command);
                if let Action::Launch(launch) = command.action {
                    give_back(launch);
                }
            }
            Pending::All(commands) => commands.iter().for_each(|command| match &command.action {
                Action::Launch(recorded) => self.execute(Pending::One(self.copy(recorded, &command.signal))),
                Action::LaunchIndirect(_) => self.execute(Pending::One(command.clone())),
                _ => execute(command),
            }),
            Pending::Signal(event) => execute(&Command { action: Action::Nothing, signal: Some(event) }),
        }
    }

    /// A launch of a recorded list, whose progress is that of this execution of the list alone.
    fn copy(&self, recorded: &Launch, signal: &Option<Arc<Event>>) -> Command {
        let mut launch = self.spares.take();
        if let Some(launch) = Arc::get_mut(&mut launch) {
            launch.fill_like(recorded);
        }
        Command { action: Action::Launch(launch), signal: signal.clone() }
    }

    /// What an indirect launch comes to, now that memory has its number of work-groups.
    fn direct(&self, indirect: &IndirectLaunch, signal: Option<Arc<Event>>) -> Command {
        let groups = indirect.groups();
        if groups.contains(&0) {
            return Command { action: Action::Nothing, signal };
        }
        let mut command = self.copy(&indirect.launch, &signal);
        let is_set = match &mut command.action {
            Action::Launch(launch) => Arc::get_mut(launch).is_some_and(|launch| launch.set_groups(groups)),
            _ => false,
        };
        if is_set {
            return command;
        }
        self.failure.record(|| {
            let [x, y, z] = groups;
            format!("an indirect launch has more work-groups than can be counted: {x} x {y} x {z}")
        });
        Command { action: Action::Nothing, signal }
    }

    /// The next thing to do; waits for one, and is none when the stream is closed and done.
    fn next(&self, seen: &mut u64) -> Option<Pending> {
        let mut state = self.state();
        if state.pending.is_empty() && !state.closed {
            drop(state);
            // Hosts tend to submit again at once.
            spin_until(SPINS, || self.submissions.load(Ordering::Acquire) != *seen);
            state = self.state();
        }
        loop {
            *seen = self.submissions.load(Ordering::Acquire);
            if let Some(pending) = state.claim() {
                return Some(pending);
            }
            if state.closed && !state.busy {
                return None;
            }
            state.thread_sleeps = true;
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.thread_sleeps = false;
        }
    }
}

/// How often a thread looks again before it sleeps.
const SPINS: u32 = 1000;

impl State {
    /// Takes the stream for what is next, if nobody has it and there is something.
    fn claim(&mut self) -> Option<Pending> {
        let next = if self.busy { None } else { self.pending.pop_front() };
        self.busy |= next.is_some();
        next
    }
}

impl Pending {
    fn commands(&self) -> &[Command] {
        match self {
            Self::One(command) => std::slice::from_ref(command),
            Self::All(commands) => commands,
            Self::Signal(_) => &[],
        }
    }

    /// The events that it signals.
    fn signals(&self) -> impl Iterator<Item = &Arc<Event>> {
        let fence = if let Self::Signal(event) = self { Some(event) } else { None };
        self.commands().iter().filter_map(|command| command.signal.as_ref()).chain(fence)
    }

    /// Whether it waits for an event, or calls what may do so.
    fn may_wait(&self) -> bool {
        let waits = |command: &Command| matches!(command.action, Action::Wait(_) | Action::HostFunction(_));
        self.commands().iter().any(waits)
    }

    /// Whether it takes so little time that no other thread need do it.
    fn is_short(&self) -> bool {
        let commands = self.commands();
        commands.len() <= FEW_COMMANDS && commands.iter().all(|command| command.action.is_short())
    }
}
