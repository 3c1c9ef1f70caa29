//! Where appended commands go: into a list that is recorded, or to the stream of an immediate one.

use super::command_queue::{Wanted, synchronize_stream};
use super::context::Context;
use super::graph::{Body, Executable, Place, check_use, check_waits, forget};
use super::kernel::Kernel;
use super::mutable::{Changes, MadeOf, Mutables};
use super::registry::{each, get};
use super::{Answer, describe};
use crate::exec::{self, Arguments, Geometry, Launch, thread_count};
use crate::memory::Snapshot;
use crate::queue::{Action, Command, Event, Pending, Stream};
use level_zero_sys::{ze_command_list_flags_t, ze_device_handle_t, ze_event_handle_t, ze_result_t};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A command list of either kind.
pub(super) struct Recorder {
    pub(super) context: Arc<Context>,
    /// The device that it is of.
    pub(super) device: ze_device_handle_t,
    target: Target,
    /// What the host has said of a regular list when it made it.
    pub(super) flags: ze_command_list_flags_t,
    /// Whether it was made to be changed.
    pub(super) is_mutable: bool,
}

enum Target {
    /// Executes what is appended; waits for it if it is synchronous.
    Immediate {
        stream: Stream,
        synchronous: bool,
        wanted: Wanted,
    },
    Regular(Mutex<Recorded>),
}

/// What has been appended to a list that is executed later.
#[derive(Clone, Default)]
struct Recorded {
    commands: Arc<Vec<Command>>,
    closed: bool,
    /// Whether some of the commands signal what has to be reset before they are executed.
    has_occurrences: bool,
    mutable: Mutables,
}

impl Recorder {
    pub(super) fn immediate(
        (context, device): (Arc<Context>, ze_device_handle_t),
        stream: Stream,
        synchronous: bool,
        wanted: Wanted,
    ) -> Self {
        let target = Target::Immediate { stream, synchronous, wanted };
        Self { context, device, target, flags: ze_command_list_flags_t::empty(), is_mutable: false }
    }

    /// What was said of the queue of an immediate list.
    pub(super) fn wanted(&self) -> Option<Wanted> {
        match self.target {
            Target::Immediate { wanted, .. } => Some(wanted),
            Target::Regular(_) => None,
        }
    }

    pub(super) fn regular(
        (context, device): (Arc<Context>, ze_device_handle_t),
        flags: ze_command_list_flags_t,
        is_mutable: bool,
    ) -> Self {
        Self { context, device, target: Target::Regular(Mutex::default()), flags, is_mutable }
    }

    /// The live allocations of the context.
    pub(super) fn memory(&self) -> Arc<Snapshot> {
        self.context.memory.snapshot()
    }

    /// Appends an action that waits for events first and signals one when it is done.
    ///
    /// # Safety
    ///
    /// `waits` must be null or valid for reads of `count` handles.
    pub(super) unsafe fn append(
        &self,
        action: Action,
        signal: ze_event_handle_t,
        count: u32,
        waits: *const ze_event_handle_t,
    ) -> Answer {
        // SAFETY: the caller vouches for the array.
        let Events { signal, waits } = unsafe { Events::get(signal, count, waits)? };
        match Place::of(self, signal.as_ref(), &waits)? {
            Some(mut place) => place.record(Body::Action(action), signal.as_ref(), &waits),
            None => self.put(action, signal.as_ref(), &waits),
        }
    }

    /// Appends several things one after the other, the first of which waits for events, and the last of which signals one.
    ///
    /// # Safety
    ///
    /// As for [`append`](Self::append).
    pub(super) unsafe fn append_all(
        &self,
        all: Vec<Appended>,
        signal: ze_event_handle_t,
        count: u32,
        waits: *const ze_event_handle_t,
    ) -> Answer {
        // SAFETY: the caller vouches for the array.
        let Events { signal, waits } = unsafe { Events::get(signal, count, waits)? };
        if let Some(mut place) = Place::of(self, signal.as_ref(), &waits)? {
            place.check(&all)?;
            place.record(Body::Action(Action::Nothing), None, &waits)?;
            for one in all {
                place.record_one(one)?;
            }
            return place.record(Body::Action(Action::Nothing), signal.as_ref(), &[]);
        }
        self.put(Action::Nothing, None, &waits)?;
        for one in all {
            match (one, &self.target) {
                (Appended::Action(action), _) => self.put(action, None, &[])?,
                (Appended::List(list), Target::Immediate { stream, .. }) => list.submit(stream),
                (Appended::Graph(graph), Target::Immediate { stream, .. }) => graph.submit(stream),
                (_, Target::Regular(_)) => {
                    return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
                }
            }
        }
        self.put(Action::Nothing, signal.as_ref(), &[])
    }

    /// Appends an action that nothing captures.
    fn put(&self, action: Action, signal: Option<&Arc<Event>>, waits: &[Arc<Event>]) -> Answer {
        if let Action::QueryTimestamps { event, .. } = &action {
            check_use(event)?;
        }
        let action = action.settled();
        let Target::Immediate { stream, synchronous, .. } = &self.target else {
            return self.recorded()?.append(action, signal, waits);
        };
        for event in waits {
            let action = Action::Wait(event.to_wait_for());
            stream.submit(Pending::One(Command { action, signal: None }));
        }
        let signal = signal.map(|event| event.to_signal());
        stream.submit(Pending::One(Command { action, signal }));
        if *synchronous { synchronize_stream(stream, u64::MAX) } else { Ok(()) }
    }

    /// Whether it executes what is appended.
    pub(super) fn is_immediate(&self) -> bool {
        matches!(self.target, Target::Immediate { .. })
    }

    /// Whether it waits for what is appended.
    pub(super) fn is_synchronous(&self) -> bool {
        matches!(self.target, Target::Immediate { synchronous: true, .. })
    }

    /// The number that the next command has for changes of it.
    pub(super) fn next_command_id(&self, kinds: u32, kernels: Vec<Arc<Kernel>>) -> Answer<u64> {
        let mut recorded = self.recorded()?;
        recorded.check_open()?;
        Ok(recorded.mutable.announce(kinds, kernels))
    }

    /// Whether somebody wants to change the command that is appended next.
    pub(super) fn is_next_mutable(&self) -> bool {
        match &self.target {
            Target::Immediate { .. } => false,
            Target::Regular(recorded) => lock(recorded).mutable.is_announced(),
        }
    }

    /// Notes what the launch that is appended next is made of.
    pub(super) fn note_launch(&self, made_of: MadeOf) {
        if let Target::Regular(recorded) = &self.target {
            lock(recorded).mutable.note(made_of);
        }
    }

    /// Changes commands of a closed list, all or none.
    pub(super) fn change(&self, change: impl FnOnce(&mut Changes<'_>) -> Answer) -> Answer {
        let mut recorded = self.recorded()?;
        if !recorded.closed {
            describe("only the commands of a list that is closed can be changed");
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
        }
        let mut changed = recorded.clone();
        let commands = Arc::make_mut(&mut changed.commands);
        let launch = |made_of: &MadeOf| {
            let mut launch = Launch::default();
            let kernel = &made_of.kernel.kernel;
            launch.fill(kernel, made_of.geometry()?, &made_of.state.arguments, self.memory(), thread_count());
            Ok(Arc::new(launch))
        };
        change(&mut Changes { commands, mutable: &mut changed.mutable, launch: &launch })?;
        changed.note_occurrences();
        *recorded = changed;
        Ok(())
    }

    /// A list with the same commands.
    pub(super) fn copy(&self) -> Answer<Self> {
        let recorded = self.recorded()?.clone();
        if !recorded.closed {
            describe("only a list that is closed can be cloned");
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
        }
        let Self { flags, is_mutable, .. } = *self;
        let target = Target::Regular(Mutex::new(recorded));
        Ok(Self { context: Arc::clone(&self.context), device: self.device, target, flags, is_mutable })
    }

    /// A launch for this list, filled in.
    pub(super) fn launch(
        &self,
        kernel: &Arc<exec::Kernel>,
        geometry: Geometry,
        arguments: &Arguments,
    ) -> Arc<Launch> {
        let memory = self.memory();
        match &self.target {
            Target::Immediate { stream, .. } => stream.launch(kernel, geometry, arguments, memory),
            Target::Regular(_) => {
                let mut launch = Launch::default();
                launch.fill(kernel, geometry, arguments, memory, thread_count());
                Arc::new(launch)
            }
        }
    }

    /// Ends recording.
    pub(super) fn close(&self) -> Answer {
        self.recorded()?.closed = true;
        Ok(())
    }

    /// Forgets what was recorded, and opens the list again.
    pub(super) fn reset(&self) -> Answer {
        *self.recorded()? = Recorded::default();
        Ok(())
    }

    /// The commands of a closed list, to be executed.
    pub(super) fn closed(&self) -> Answer<Closed> {
        let recorded = self.recorded()?;
        if !recorded.closed {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
        }
        let (commands, has_occurrences) = (Arc::clone(&recorded.commands), recorded.has_occurrences);
        Ok(Closed { commands, has_occurrences })
    }

    /// Stops what an immediate list is doing, also what is captured from it.
    pub(super) fn stop(&self) {
        forget(self);
        if let Target::Immediate { stream, .. } = &self.target {
            stream.close();
        }
    }

    /// Waits for an immediate list.
    pub(super) fn synchronize(&self, nanoseconds: u64) -> Answer {
        check_waits(self)?;
        match &self.target {
            Target::Immediate { stream, .. } => synchronize_stream(stream, nanoseconds),
            Target::Regular(_) => Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT),
        }
    }

    fn recorded(&self) -> Answer<MutexGuard<'_, Recorded>> {
        match &self.target {
            Target::Immediate { .. } => Err(ze_result_t::ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE),
            Target::Regular(recorded) => Ok(lock(recorded)),
        }
    }
}

impl Recorded {
    fn check_open(&self) -> Answer {
        if self.closed { Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT) } else { Ok(()) }
    }

    fn push(&mut self, command: Command) -> Answer {
        self.check_open()?;
        self.has_occurrences |= command.signal.as_ref().is_some_and(|event| event.is_occurrence());
        Arc::make_mut(&mut self.commands).push(command);
        Ok(())
    }

    /// Appends an action that waits for events first and signals one when it is done.
    fn append(&mut self, action: Action, signal: Option<&Arc<Event>>, waits: &[Arc<Event>]) -> Answer {
        self.check_open()?;
        let first = self.commands.len();
        for event in waits {
            self.push(Command { action: Action::Wait(event.to_wait_for()), signal: None })?;
        }
        self.push(Command { action, signal: signal.map(|event| event.to_signal()) })?;
        self.mutable.appended(first..self.commands.len() - 1);
        Ok(())
    }

    fn note_occurrences(&mut self) {
        let mut signals = self.commands.iter().filter_map(|command| command.signal.as_ref());
        self.has_occurrences = signals.any(|event| event.is_occurrence());
    }
}

fn lock(recorded: &Mutex<Recorded>) -> MutexGuard<'_, Recorded> {
    recorded.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What an immediate list executes one after the other.
pub(super) enum Appended {
    Action(Action),
    List(Closed),
    Graph(Arc<Executable>),
}

/// The commands of a closed list.
#[derive(Clone)]
pub(super) struct Closed {
    pub(super) commands: Arc<Vec<Command>>,
    has_occurrences: bool,
}

impl Closed {
    /// Has a stream execute them.
    pub(super) fn submit(self, stream: &Stream) {
        self.reset();
        stream.submit(Pending::All(self.commands));
    }

    /// Whether some of the commands signal what has to be reset before they are executed.
    pub(super) fn has_occurrences(&self) -> bool {
        self.has_occurrences
    }

    /// Resets what has to be before they are executed.
    pub(super) fn reset(&self) {
        if self.has_occurrences {
            let signals = self.commands.iter().filter_map(|command| command.signal.as_ref());
            signals.filter(|event| event.is_occurrence()).for_each(|event| event.reset());
        }
    }
}

/// The event that a command signals, if any, and those that it waits for.
struct Events {
    signal: Option<Arc<Event>>,
    waits: Vec<Arc<Event>>,
}

impl Events {
    /// Those of these handles: all are known before anything is appended.
    ///
    /// # Safety
    ///
    /// `waits` must be null or valid for reads of `count` handles.
    unsafe fn get(signal: ze_event_handle_t, count: u32, waits: *const ze_event_handle_t) -> Answer<Self> {
        let signal = if signal.is_null() { None } else { Some(get::<Event>(signal)?) };
        // SAFETY: the caller vouches for the array.
        let waits = unsafe { each::<Event>(count, check_events(count, waits)?) };
        Ok(Self { signal, waits: waits.collect::<Answer<_>>()? })
    }
}

/// The array of so many events; who has none needs no array.
fn check_events(count: u32, events: *const ze_event_handle_t) -> Answer<*const ze_event_handle_t> {
    if count != 0 && events.is_null() {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
    }
    Ok(events)
}
