//! What a program's queues do, and when: timelines, and tables of kernels.
//!
//! While somebody traces, each command is given an event whose timestamps are read once a queue has been waited for. While nobody does, all of this costs
//! a look at one number.

mod file;
mod json;
#[cfg(feature = "tracing")]
pub(crate) mod spans;
mod table;

pub use table::KernelTimes;

use crate::device::Device;
use crate::queue::event::Event;
use file::File;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

/// The environment variable that names the file to which a program writes its timeline.
pub const TRACE_VARIABLE: &str = "KERNEL_TRACE";

/// Traces all queues of the program from its start until [`finish`](Self::finish).
///
#[cfg_attr(feature = "cpu", doc = "```")]
#[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
/// use kernel_runtime::{Trace, prelude::*};
///
/// #[kernel]
/// fn double(x: &mut [f32]) {
///     x[global_id(0)] *= 2.0;
/// }
///
/// # fn main() -> Result<()> {
/// let queue = Device::best()?.queue()?;
/// let mut x = queue.zeros::<f32>(1000)?;
/// let trace = Trace::start();
/// for _ in 0..3 {
///     double(&mut x).launch(&queue, x.len())?;
/// }
/// queue.synchronize()?;
/// let timeline = trace.finish();
/// println!("{timeline}"); // A table of the kernels.
/// assert_eq!(timeline.kernels()[0].count, 3);
/// let json = timeline.to_json(); // For <https://ui.perfetto.dev>, or `chrome://tracing`.
/// # assert!(json.contains("double"));
/// # Ok(())
/// # }
/// ```
///
/// The environment variable `KERNEL_TRACE=file.json` does so for a whole program, which need not be changed: the timeline is written to the file whenever a
/// queue has been waited for.
///
/// Traced commands cost some microseconds more each. The work of other programs on the device is not seen, but delays.
#[derive(Debug)]
#[must_use = "`finish` gives the timeline"]
pub struct Trace {
    id: u64,
}

/// What a program's queues did while it was [traced](Trace).
///
/// Its [`Display`](core::fmt::Display) form is a table of the kernels.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    spans: Vec<Span>,
}

/// Something that took time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Span {
    label: Label,
    track: Track,
    /// From the start of the process's first trace.
    start: Duration,
    time: Duration,
}

/// What took time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    kind: Kind,
    name: &'static str,
    /// The bytes that are copied, filled, or in the buffers of the kernel.
    bytes: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Kernel,
    Copy,
    Wait,
}

/// Where it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Track {
    /// A queue, by its number.
    Queue(u64),
    /// A thread of the host, by a number.
    Host(u64),
}

impl Label {
    #[inline]
    pub(crate) fn kernel(name: &'static str, bytes: u64) -> Self {
        Self { kind: Kind::Kernel, name, bytes }
    }

    pub(crate) fn copy(name: &'static str, bytes: usize) -> Self {
        Self { kind: Kind::Copy, name, bytes: bytes as u64 }
    }
}

/// A command that the device may not have completed.
struct Pending {
    label: Label,
    event: Event,
    queue: u64,
    submitted: Instant,
}

#[derive(Default)]
struct State {
    pending: Vec<Pending>,
    traces: Vec<(u64, Vec<Span>)>,
    file: Option<File>,
}

/// How many traces there are.
static ACTIVE: AtomicU32 = AtomicU32::new(0);
static STATE: Mutex<State> = Mutex::new(State { pending: Vec::new(), traces: Vec::new(), file: None });
/// What times are counted from.
static ORIGIN: LazyLock<Instant> = LazyLock::new(Instant::now);

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether anybody traces.
#[inline]
pub(crate) fn is_active() -> bool {
    #[cfg(feature = "tracing")]
    if spans::wants_completed() {
        return true;
    }
    ACTIVE.load(Ordering::Relaxed) != 0
}

/// A number for something of which there may be several.
pub(crate) fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Starts the trace that the environment asks for, if it does and has not been started.
pub(crate) fn start_by_environment() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let Some(path) = std::env::var_os(TRACE_VARIABLE).filter(|path| !path.is_empty()) else { return };
        LazyLock::force(&ORIGIN);
        match File::create(path.as_ref()) {
            Ok(file) => {
                state().file = Some(file);
                ACTIVE.fetch_add(1, Ordering::Relaxed);
            }
            Err(error) => {
                eprintln!(
                    "nothing is traced, since {TRACE_VARIABLE}={} cannot be written: {error}",
                    path.display()
                );
            }
        }
    });
}

/// The event that a command has to signal: its own, or one for whoever traces. Without one, the command is not traced.
#[inline]
pub(crate) fn event_for(device: &Device, own: Option<&Event>) -> Option<Event> {
    if !is_active() {
        return None;
    }
    own.cloned().or_else(|| Event::new(device).ok())
}

/// Notes a command that was given to a queue.
pub(crate) fn note_command(label: Label, event: Event, queue: u64) {
    state().pending.push(Pending { label, event, queue, submitted: Instant::now() });
}

/// Notes how long the host has waited, if anybody traces.
#[inline]
pub(crate) fn waiting<R>(name: &'static str, wait: impl FnOnce() -> R) -> R {
    #[cfg(feature = "tracing")]
    let _span = spans::waiting(name);
    timing(name, wait)
}

/// The same for a wait that is part of something else that has a span.
#[inline]
pub(crate) fn timing<R>(name: &'static str, wait: impl FnOnce() -> R) -> R {
    if !is_active() {
        return wait();
    }
    let start = Instant::now();
    let result = wait();
    let label = Label { kind: Kind::Wait, name, bytes: 0 };
    let (start, time) = (start.saturating_duration_since(*ORIGIN), start.elapsed());
    state().add(vec![Span { label, track: Track::Host(thread_number()), start, time }]);
    result
}

/// A number of this thread.
fn thread_number() -> u64 {
    thread_local! {
        static NUMBER: u64 = next_number();
    }
    NUMBER.try_with(|number| *number).unwrap_or(0)
}

/// Reads the timestamps of the commands of a device that are complete, if anybody traces.
pub(crate) fn collect(device: &Device) {
    if !is_active() {
        return;
    }
    let is_complete =
        |pending: &mut Pending| pending.event.device() == device && pending.event.poll_status() != Ok(false);
    let complete: Vec<Pending> = state().pending.extract_if(.., is_complete).collect();
    if complete.is_empty() {
        return;
    }
    let clock = device.now();
    let spans: Vec<Span> = complete.iter().filter_map(|pending| span(pending, clock)).collect();
    #[cfg(feature = "tracing")]
    spans.iter().for_each(spans::completed);
    state().add(spans);
    // The events are dropped here, which takes other locks.
}

/// What became of a command; `None` if its event has no timestamps, as after an error.
fn span(pending: &Pending, now: Option<(Instant, u64)>) -> Option<Span> {
    let (start, end) = pending.event.ticks().ok()?;
    let clock = pending.event.device().clock();
    // Where the clocks cannot be compared, a command stands where it was given to the queue.
    let started =
        now.map_or(Some(pending.submitted), |(now, ticks)| now.checked_sub(clock.duration(start, ticks)));
    Some(Span {
        label: pending.label,
        track: Track::Queue(pending.queue),
        start: started.unwrap_or(pending.submitted).saturating_duration_since(*ORIGIN),
        time: clock.duration(start, end),
    })
}

impl State {
    fn add(&mut self, spans: Vec<Span>) {
        if let Some(file) = &mut self.file {
            file.write(&spans);
        }
        for (_, of_trace) in &mut self.traces {
            of_trace.extend_from_slice(&spans);
        }
    }
}

impl Trace {
    /// Starts to trace.
    pub fn start() -> Self {
        LazyLock::force(&ORIGIN);
        let id = next_number();
        state().traces.push((id, Vec::new()));
        ACTIVE.fetch_add(1, Ordering::Relaxed);
        Self { id }
    }

    /// Ends the trace. Commands that are not complete are not part of it, so that queues should have been waited for.
    #[must_use]
    pub fn finish(self) -> Timeline {
        let mut devices: Vec<Device> = Vec::new();
        for pending in &state().pending {
            if !devices.contains(pending.event.device()) {
                devices.push(pending.event.device().clone());
            }
        }
        devices.iter().for_each(collect);
        Timeline { spans: self.end() }
    }

    fn end(&self) -> Vec<Span> {
        let mut state = state();
        let Some(position) = state.traces.iter().position(|(id, _)| *id == self.id) else {
            return Vec::new();
        };
        let (_, mut spans) = state.traces.swap_remove(position);
        let unused = if ACTIVE.fetch_sub(1, Ordering::Relaxed) == 1 {
            std::mem::take(&mut state.pending)
        } else {
            Vec::new()
        };
        // Dropping events takes other locks.
        drop(state);
        drop(unused);
        spans.sort_by_key(|span| span.start);
        spans
    }
}

impl Drop for Trace {
    fn drop(&mut self) {
        self.end();
    }
}

impl Timeline {
    /// The kernels that were launched, the one that took most time in all first.
    #[must_use]
    pub fn kernels(&self) -> Vec<KernelTimes> {
        table::kernels(&self.spans)
    }

    /// The timeline in the JSON form of Chrome's trace events, which <https://ui.perfetto.dev> shows: a row for each queue, with its kernels, copies and
    /// fills by the device's clock, and one for each thread that has waited.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::document(&self.spans)
    }

    /// Writes [`to_json`](Self::to_json) to a file.
    ///
    /// # Errors
    ///
    /// That of writing the file.
    pub fn save(&self, path: impl AsRef<std::path::Path>) -> std::io::Result<()> {
        std::fs::write(path, self.to_json())
    }
}

impl core::fmt::Display for Timeline {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        table::write(&self.kernels(), f)
    }
}
