//! Graphs: commands that are put together once and enqueued many times.
//!
//! A graph is recorded into a command list, which is closed and then executed by one call of the driver, however many commands it has. Where a driver cannot
//! execute a closed list on an immediate one (before version 1.9 of Level Zero), and while somebody traces what each command takes, the commands are enqueued
//! one by one; they do the same.

mod command;
mod list;
#[cfg(test)]
mod tests;

pub(crate) use list::{ClosedList, ListHandle};

use crate::device::Device;
use crate::error::driver::call;
use crate::error::{LaunchError, LaunchProblem, Result};
use crate::launch::Launch;
use crate::launch::argument_bytes::ArgumentBytes;
use crate::launch::dispatch::{LaunchSize, Manner};
use crate::launch::size::{GlobalSize, GroupCount, GroupSize};
use crate::memory::Allocation;
use crate::memory::buffer::Buffer;
use crate::memory::usm::UsmKind;
use crate::queue::Queue;
use crate::queue::event::Event;
use crate::queue::overlap::Overlap;
use crate::queue::queue_core::{Noted, State};
use crate::queue::transfer::{check_apart, is_repeated, pattern};
use crate::trace;
use command::{Command, Place, Use};
use core::fmt;
use kernel_core::{Access, Element};
use level_zero_sys::{ze_event_handle_t, ze_result_t};
use std::ptr;
use std::sync::Arc;

/// Launches, copies and fills that are put together once and enqueued many times, each time by one call.
///
/// What is enqueued is what the commands would be if they were given to the queue one after the other, each time that the graph is
/// [launched](Self::launch): they run in that order, except that those which use different buffers may run side by side, and faults, prints and waits for other
/// queues are as ever. Everything about a launch is checked when it is added, so that launching the graph costs little more than one launch.
///
#[cfg_attr(feature = "cpu", doc = "```")]
#[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
/// use kernel_runtime::prelude::*;
///
/// #[kernel]
/// fn relax(by: f32, x: &[f32], y: &mut [f32]) {
///     let i = global_id(0);
///     if i > 0 && i + 1 < x.len() && i < y.len() {
///         y[i] = x[i] + by * (x[i - 1] - 2.0 * x[i] + x[i + 1]);
///     }
/// }
///
/// # fn main() -> Result<()> {
/// let queue = Device::best()?.queue()?;
/// let mut x = queue.upload(&[1.0_f32; 1000])?;
/// let mut y = queue.upload(&[1.0_f32; 1000])?;
/// let mut graph = queue.graph();
/// let first = graph.add(relax(0.1, &x, &mut y), 1000)?;
/// graph.add(relax(0.1, &y, &mut x), 1000)?;
/// for _ in 0..50 {
///     graph.launch()?; // Two kernels.
/// }
/// graph.replace(first, relax(0.2, &x, &mut y), 1000)?; // Another argument from now on.
/// let done = graph.submit()?;
/// done.wait()?;
/// assert_eq!(queue.download(&x)?[500], 1.0);
/// # Ok(())
/// # }
/// ```
///
/// A graph shares the ownership of the memory that it uses, as a launch does. It belongs to the queue that it was made from, and keeps it.
pub struct Graph {
    queue: Queue,
    /// By which its nodes are known.
    number: u64,
    commands: Vec<Command>,
    /// What the commands use, each memory once.
    uses: Vec<Use>,
    /// Where the commands are recorded, if they are as they are now.
    recorded: Option<Recorded>,
    /// The fault records of its launches.
    records: Vec<Noted>,
    /// Whether the driver has said that it executes no closed lists on immediate ones.
    is_unsupported: bool,
}

/// A graph as the driver has it.
struct Recorded {
    list: ClosedList,
    /// The fault records that are used.
    records: Vec<Noted>,
    prints: bool,
}

/// A launch of a [`Graph`], by which it is [replaced](Graph::replace).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GraphNode {
    graph: u64,
    index: usize,
}

impl Queue {
    /// Makes a graph of commands for this queue, which is empty.
    #[must_use]
    pub fn graph(&self) -> Graph {
        Graph {
            queue: Queue { core: Arc::clone(&self.core) },
            number: trace::next_number(),
            commands: Vec::new(),
            uses: Vec::new(),
            recorded: None,
            records: Vec::new(),
            is_unsupported: false,
        }
    }
}

impl Graph {
    /// The queue on which it runs.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// The number of its commands.
    #[must_use]
    pub fn len(&self) -> usize {
        self.commands.len()
    }

    /// Whether it has no commands.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// Adds a launch of exactly this many work-items, as that of [`Launch::launch`].
    ///
    /// # Errors
    ///
    /// Those of [`Launch::launch`], except for views of the host, which matter when the graph is launched. The graph is as it was then.
    pub fn add<const N: usize>(
        &mut self,
        launch: Launch<N>,
        size: impl Into<GlobalSize>,
    ) -> Result<GraphNode> {
        self.add_launch(launch, LaunchSize::Global(size.into()))
    }

    /// Adds a launch of this many work-groups of this size, as that of [`Launch::launch_groups`].
    ///
    /// # Errors
    ///
    /// Those of [`add`](Self::add).
    pub fn add_groups<const N: usize>(
        &mut self,
        launch: Launch<N>,
        groups: impl Into<GroupCount>,
        group_size: impl Into<GroupSize>,
    ) -> Result<GraphNode> {
        self.add_launch(launch, LaunchSize::Groups(groups.into(), group_size.into()))
    }

    /// Adds a copy between buffers of the device, as that of [`Queue::copy`].
    ///
    /// # Errors
    ///
    /// [`Error::Buffer`](crate::Error::Buffer) if the lengths differ, or a buffer is of another device.
    pub fn add_copy<T: Element>(&mut self, from: &Buffer<T>, to: &mut Buffer<T>) -> Result<()> {
        from.check_device(self.queue.device())?;
        to.check_copy(self.queue.device(), from.len())?;
        if !to.is_empty() {
            check_apart((from, 0..from.bytes()), (to, 0..to.bytes()))?;
            let (bytes, from, to) = (to.bytes(), Place::of(from), Place::of(to));
            self.push(Command::Copy { from, to, bytes });
        }
        Ok(())
    }

    /// Adds a fill of a buffer with a value, as that of [`Queue::fill`].
    ///
    /// # Errors
    ///
    /// [`Error::Buffer`](crate::Error::Buffer) if the buffer is of another device; [`Error::Driver`](crate::Error::Driver) if the driver has no memory for
    /// the value.
    pub fn add_fill<T: Element>(&mut self, buffer: &mut Buffer<T>, value: T) -> Result<()> {
        buffer.check_device(self.queue.device())?;
        if buffer.is_empty() {
            return Ok(());
        }
        let (to, bytes, value) = (Place::of(buffer), buffer.bytes(), ArgumentBytes::of(&value));
        let device = self.queue.device();
        if is_repeated(&self.queue, pattern(&value)) {
            self.push(Command::Fill { to, value, bytes });
            return Ok(());
        }
        let size = value.as_slice().len();
        // What the driver does not repeat is copied, twice as many elements each time.
        let first = Allocation::new(device, UsmKind::Host, size)?;
        // SAFETY: the memory is the host's too and has this size; nothing else uses it yet.
        unsafe { ptr::copy_nonoverlapping(value.as_slice().as_ptr(), first.address().cast(), size) };
        self.push(Command::Copy { from: Place::start_of(first, T::TYPE), to: to.clone(), bytes: size });
        let mut filled = size;
        while filled < bytes {
            let more = filled.min(bytes - filled);
            self.push(Command::Copy { from: to.clone(), to: to.after(filled), bytes: more });
            filled += more;
        }
        Ok(())
    }

    /// Puts another launch in the place of one, for when the graph is launched the next time. What is running goes on with the old one.
    ///
    /// # Errors
    ///
    /// Those of [`add`](Self::add), and [`LaunchProblem::OtherGraph`] if the node is not of this graph. The graph is as it was then.
    pub fn replace<const N: usize>(
        &mut self,
        node: GraphNode,
        launch: Launch<N>,
        size: impl Into<GlobalSize>,
    ) -> Result<()> {
        self.replace_launch(node, launch, LaunchSize::Global(size.into()))
    }

    /// The same for a launch of this many work-groups of this size.
    ///
    /// # Errors
    ///
    /// Those of [`replace`](Self::replace).
    pub fn replace_groups<const N: usize>(
        &mut self,
        node: GraphNode,
        launch: Launch<N>,
        groups: impl Into<GroupCount>,
        group_size: impl Into<GroupSize>,
    ) -> Result<()> {
        self.replace_launch(node, launch, LaunchSize::Groups(groups.into(), group_size.into()))
    }

    /// Enqueues all commands and returns without waiting for them.
    ///
    /// # Errors
    ///
    /// [`Error::Launch`](crate::Error::Launch) or [`Error::Buffer`](crate::Error::Buffer) if the host has a view of a buffer that is used;
    /// [`Error::Build`](crate::Error::Build) if a kernel cannot be built; [`Error::Driver`](crate::Error::Driver) if the driver fails, in which case some of
    /// the commands may have been enqueued. A fault in a kernel comes at the next synchronisation of the queue.
    pub fn launch(&mut self) -> Result<()> {
        self.enqueue(None)
    }

    /// Enqueues all commands as [`launch`](Self::launch) does, with an [`Event`] that is complete when all of them are. Its time is that of all of them
    /// together, from when the queue came to the graph.
    ///
    /// # Errors
    ///
    /// Those of [`launch`](Self::launch).
    pub fn submit(&mut self) -> Result<Event> {
        let event = Event::new(self.queue.device())?;
        self.enqueue(Some(&event))?;
        Ok(event)
    }

    fn add_launch<const N: usize>(&mut self, launch: Launch<N>, size: LaunchSize) -> Result<GraphNode> {
        let prepared = launch.prepare(self.queue.device(), size)?;
        self.queue.core.lock()?.prepare_launch(&prepared)?;
        let node = GraphNode { graph: self.number, index: self.commands.len() };
        self.push(Command::Launch(prepared));
        Ok(node)
    }

    fn replace_launch<const N: usize>(
        &mut self,
        node: GraphNode,
        launch: Launch<N>,
        size: LaunchSize,
    ) -> Result<()> {
        let prepared = launch.prepare(self.queue.device(), size)?;
        let command = self.commands.get_mut(node.index).filter(|_| node.graph == self.number);
        let Some(command) = command else {
            let problem = LaunchProblem::OtherGraph;
            return Err(LaunchError { kernel: prepared.descriptor.name, problem }.into());
        };
        self.queue.core.lock()?.prepare_launch(&prepared)?;
        *command = Command::Launch(prepared);
        self.recorded = None;
        self.uses.clear();
        self.commands.iter().for_each(|command| note_uses(&mut self.uses, command));
        Ok(())
    }

    fn push(&mut self, command: Command) {
        self.recorded = None;
        note_uses(&mut self.uses, &command);
        self.commands.push(command);
    }

    fn enqueue(&mut self, signal: Option<&Event>) -> Result<()> {
        let _in_use = InUse::new(self.queue.device(), &self.uses)?;
        let queue = Queue { core: Arc::clone(&self.queue.core) };
        let mut state = queue.lock_for(self.uses.iter().map(|used| (used.usage(), used.access)))?;
        if let Some(event) = signal {
            state.stream.append_signal(event.begun()?)?;
        }
        if self.commands.is_empty() {
            signal.map_or(Ok(()), |event| state.stream.append_signal(event))?;
            return Ok(());
        }
        if self.is_unsupported || trace::is_active() || !state.stream.executes_lists() {
            return self.one_by_one(&mut state, signal);
        }
        if self.recorded.is_none() {
            self.recorded = Some(record(&self.commands, &mut self.records, &mut state)?);
        }
        let Some(Recorded { list, records, prints }) = &self.recorded else { return Ok(()) };
        match state.execute(list, records, *prints, signal) {
            Err(error) if error.is(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) => {
                self.is_unsupported = true;
                self.one_by_one(&mut state, signal)
            }
            executed => Ok(executed?),
        }
    }

    /// Enqueues each command by itself.
    fn one_by_one(&self, state: &mut State, signal: Option<&Event>) -> Result<()> {
        for command in &self.commands {
            match command {
                Command::Launch(launch) => {
                    let kernel = (launch.descriptor, launch.variant);
                    state.launch(kernel, &launch.arguments, launch.size, Manner::default(), None)?;
                }
                // SAFETY: the places have this size and do not overlap, and their memory is kept until the queue is done with it.
                Command::Copy { from, to, bytes } => unsafe {
                    state.stream.append_copy(to.address(), from.address(), *bytes)?;
                },
                // SAFETY: the place has this size, and its memory is kept until the queue is done with it.
                Command::Fill { to, value, bytes } => unsafe {
                    state.stream.append_fill(to.address(), pattern(value), *bytes)?;
                },
            }
        }
        signal.map_or(Ok(()), |event| state.stream.append_signal(event))?;
        Ok(())
    }
}

/// Adds what a command uses to what others do, each memory once with all that is done to it.
fn note_uses(uses: &mut Vec<Use>, command: &Command) {
    for used in command.uses() {
        match uses.iter_mut().find(|other| other.is_same(&used)) {
            Some(known) if used.access == Access::ReadWrite => *known = used,
            Some(_) => {}
            None => uses.push(used),
        }
    }
}

/// Records commands into a list and closes it.
fn record(commands: &[Command], reserved: &mut Vec<Noted>, state: &mut State) -> Result<Recorded> {
    let list = ClosedList::new(state.device(), state.stream.group().ordinal)?;
    let (mut records, mut prints): (Vec<Noted>, bool) = (Vec::new(), false);
    let mut overlap = Overlap::of_at_most(usize::MAX);
    for command in commands {
        if !command.may_use_all_memory() {
            overlap.declare(command.uses().iter().map(Use::used));
        }
        if overlap.needs_barrier() {
            list.append_barrier()?;
            overlap.is_ordered();
        }
        overlap.append();
        match command {
            Command::Launch(launch) => {
                let noted = state.record_launch(&list, launch, reserved)?;
                records.extend(noted.filter(|noted| !records.contains(noted)));
                prints |= launch.descriptor.prints();
            }
            Command::Copy { from, to, bytes } => {
                let (to, from, none) = (to.address(), from.address(), ze_event_handle_t::NULL);
                // SAFETY: the list is live and open, the places have this size and do not overlap, and the graph keeps their memory.
                list.append(|api, list| unsafe {
                    call!(
                        api,
                        zeCommandListAppendMemoryCopy(list, to, from, *bytes, none, 0, ptr::null_mut())
                    )
                })?;
            }
            Command::Fill { to, value, bytes } => {
                let (to, pattern, none) = (to.address(), pattern(value), ze_event_handle_t::NULL);
                let (pattern, size) = (pattern.as_ptr().cast(), pattern.len());
                // SAFETY: the list is live and open, the place has this size, and the graph keeps its memory; the driver copies the pattern before it
                // returns.
                list.append(|api, list| unsafe {
                    call!(
                        api,
                        zeCommandListAppendMemoryFill(
                            list,
                            to,
                            pattern,
                            size,
                            *bytes,
                            none,
                            0,
                            ptr::null_mut()
                        )
                    )
                })?;
            }
        }
    }
    // What comes after the list does not overtake its last commands.
    list.append_barrier()?;
    list.close()?;
    Ok(Recorded { list, records, prints })
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph").field("commands", &self.len()).field("queue", &self.queue).finish()
    }
}

/// Its fault records are used again for other launches.
impl Drop for Graph {
    fn drop(&mut self) {
        if !self.records.is_empty() {
            self.queue.core.lock_anyway().give_back_records(&self.records);
        }
    }
}

/// Memory that both host and device can address and that a graph is about to use, of which the host gets no view until this is dropped.
struct InUse<'g>(&'g [Use]);

impl<'g> InUse<'g> {
    fn new(device: &Device, uses: &'g [Use]) -> Result<Self> {
        let mut in_use = Self(&[]);
        for (index, used) in uses.iter().enumerate() {
            if let Some(memory) = used.host_memory() {
                let concurrent = device.limits().usm.of(memory.kind()).concurrent;
                if !memory.views().begin_launch(used.access, concurrent) {
                    return Err(used.viewed());
                }
            }
            in_use.0 = &uses[..=index];
        }
        Ok(in_use)
    }
}

impl Drop for InUse<'_> {
    fn drop(&mut self) {
        self.0.iter().filter_map(Use::host_memory).for_each(|memory| memory.views().end_launch());
    }
}
