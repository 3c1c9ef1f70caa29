//! Where appended commands go: into a list that is recorded, or to the stream of an immediate one.

use super::Answer;
use super::command_queue::synchronize_stream;
use super::context::Context;
use super::registry::{each, get};
use crate::exec::{Arguments, Geometry, Kernel, Launch, thread_count};
use crate::memory::Snapshot;
use crate::queue::{Action, Command, Event, Pending, Stream};
use level_zero_sys::{ze_event_handle_t, ze_result_t};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A command list of either kind.
pub(super) struct Recorder {
    pub(super) context: Arc<Context>,
    target: Target,
}

enum Target {
    /// Executes what is appended; waits for it if it is synchronous.
    Immediate {
        stream: Stream,
        synchronous: bool,
        /// The number of its queue, as the host has chosen it.
        index: u32,
    },
    Regular(Mutex<Recorded>),
}

#[derive(Default)]
struct Recorded {
    commands: Arc<Vec<Command>>,
    closed: bool,
}

impl Recorder {
    pub(super) fn immediate(context: Arc<Context>, stream: Stream, synchronous: bool, index: u32) -> Self {
        Self { context, target: Target::Immediate { stream, synchronous, index } }
    }

    /// The number of the queue of an immediate list.
    pub(super) fn index(&self) -> Option<u32> {
        match self.target {
            Target::Immediate { index, .. } => Some(index),
            Target::Regular(_) => None,
        }
    }

    pub(super) fn regular(context: Arc<Context>) -> Self {
        Self { context, target: Target::Regular(Mutex::default()) }
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
        let signal = if signal.is_null() { None } else { Some(get::<Event>(signal)?) };
        // SAFETY: the caller vouches for the array.
        unsafe { check_events(count, waits)? };
        // SAFETY: as above.
        for event in unsafe { each::<Event>(count, waits) } {
            self.push(Command { action: Action::Wait(event?), signal: None })?;
        }
        self.push(Command { action, signal })?;
        match &self.target {
            Target::Immediate { stream, synchronous: true, .. } => synchronize_stream(stream, u64::MAX),
            _ => Ok(()),
        }
    }

    /// Appends actions one after the other, the first of which waits for events, and the last of which signals one.
    ///
    /// # Safety
    ///
    /// As for [`append`](Self::append).
    pub(super) unsafe fn append_all(
        &self,
        actions: Vec<Action>,
        signal: ze_event_handle_t,
        count: u32,
        waits: *const ze_event_handle_t,
    ) -> Answer {
        if !signal.is_null() {
            get::<Event>(signal)?;
        }
        // SAFETY: the caller vouches for the array.
        unsafe { self.append(Action::Nothing, ze_event_handle_t::NULL, count, waits)? };
        for action in actions {
            // SAFETY: there are no events to wait for.
            unsafe { self.append(action, ze_event_handle_t::NULL, 0, std::ptr::null())? };
        }
        // SAFETY: as above.
        unsafe { self.append(Action::Nothing, signal, 0, std::ptr::null()) }
    }

    /// Appends closed lists to an immediate one, which wait for events before the first and signal one after the last.
    ///
    /// # Safety
    ///
    /// As for [`append`](Self::append).
    pub(super) unsafe fn append_lists(
        &self,
        lists: Vec<Arc<Vec<Command>>>,
        signal: ze_event_handle_t,
        count: u32,
        waits: *const ze_event_handle_t,
    ) -> Answer {
        let Target::Immediate { stream, .. } = &self.target else {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
        };
        if !signal.is_null() {
            get::<Event>(signal)?;
        }
        // SAFETY: the caller vouches for the array.
        unsafe { self.append(Action::Nothing, ze_event_handle_t::NULL, count, waits)? };
        lists.into_iter().for_each(|commands| stream.submit(Pending::All(commands)));
        // SAFETY: there are no events to wait for.
        unsafe { self.append(Action::Nothing, signal, 0, std::ptr::null()) }
    }

    fn push(&self, command: Command) -> Answer {
        match &self.target {
            Target::Immediate { stream, .. } => stream.submit(Pending::One(command)),
            Target::Regular(recorded) => {
                let mut recorded = lock(recorded);
                if recorded.closed {
                    return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
                }
                Arc::make_mut(&mut recorded.commands).push(command);
            }
        }
        Ok(())
    }

    /// A launch for this list, filled in.
    pub(super) fn launch(
        &self,
        kernel: &Arc<Kernel>,
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

    /// The commands of a closed list.
    pub(super) fn closed(&self) -> Answer<Arc<Vec<Command>>> {
        let recorded = self.recorded()?;
        let commands = recorded.closed.then(|| Arc::clone(&recorded.commands));
        commands.ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)
    }

    /// Stops what an immediate list is doing.
    pub(super) fn stop(&self) {
        if let Target::Immediate { stream, .. } = &self.target {
            stream.close();
        }
    }

    /// Waits for an immediate list.
    pub(super) fn synchronize(&self, nanoseconds: u64) -> Answer {
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

fn lock(recorded: &Mutex<Recorded>) -> MutexGuard<'_, Recorded> {
    recorded.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Checks all events before any command is appended.
///
/// # Safety
///
/// `events` must be null or valid for reads of `count` handles.
unsafe fn check_events(count: u32, events: *const ze_event_handle_t) -> Answer {
    if count != 0 && events.is_null() {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
    }
    // SAFETY: the caller vouches for the array.
    unsafe { each::<Event>(count, events) }.try_for_each(|event| event.map(drop))
}
