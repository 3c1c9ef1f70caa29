//! What a stream is asked to do.

use super::clock::now;
use super::closing::Closing;
use super::copy;
use super::event::{Event, Timestamps};
use super::failure::Failure;
use super::image_copy::ImageCopy;
use crate::check::{FindingReport, remember};
use crate::exec::Launch;
use crate::fault::FaultReport;
use crate::memory::{Snapshot, hold};
use std::ffi::c_void;
use std::sync::Arc;

/// The longest pattern of a fill, in bytes.
pub(crate) const MAX_PATTERN: usize = 64;

/// A command, with what it signals when it is done.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    pub(crate) action: Action,
    pub(crate) signal: Option<Arc<Event>>,
}

/// The bytes that a fill repeats.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FillPattern {
    bytes: [u8; MAX_PATTERN],
    length: usize,
}

impl FillPattern {
    /// A pattern of a power of two of bytes, up to [`MAX_PATTERN`].
    pub(crate) fn new(pattern: &[u8]) -> Option<Self> {
        let length = pattern.len();
        if !length.is_power_of_two() || length > MAX_PATTERN {
            return None;
        }
        let mut bytes = [0; MAX_PATTERN];
        bytes[..length].copy_from_slice(pattern);
        Some(Self { bytes, length })
    }
}

/// A box of bytes to copy: rows of `width` bytes, `rows` of them in each of `slices`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub(crate) width: usize,
    pub(crate) rows: usize,
    pub(crate) slices: usize,
    pub(crate) to_pitch: usize,
    pub(crate) to_slice_pitch: usize,
    pub(crate) from_pitch: usize,
    pub(crate) from_slice_pitch: usize,
}

/// A function of the host program, with what it is called with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HostFunction {
    pub(crate) function: unsafe extern "C" fn(*mut c_void),
    pub(crate) data: *mut c_void,
}

// SAFETY: the driver only hands the pointer to the function, and the host program says by appending the function that any thread may call it.
unsafe impl Send for HostFunction {}
// SAFETY: as above.
unsafe impl Sync for HostFunction {}

/// A launch whose number of work-groups is in memory when it begins.
#[derive(Clone, Debug)]
pub(crate) struct IndirectLaunch {
    /// The launch with any other number of them, which keeps the memory alive.
    pub(crate) launch: Arc<Launch>,
    /// Where the three numbers are.
    pub(crate) groups: u64,
    /// What else it depends on.
    pub(crate) condition: Option<Condition>,
}

/// A launch is executed if its index is less than a number in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition {
    pub(crate) executed: u64,
    pub(crate) index: u32,
}

impl IndirectLaunch {
    /// How many work-groups memory says that there are; none in some dimension if it is not executed.
    pub(super) fn groups(&self) -> [u32; 3] {
        // SAFETY: the host vouches for the addresses, see `Action`.
        let is_executed = self.condition.is_none_or(|Condition { executed, index }| unsafe {
            index < (executed as *const u32).read_unaligned()
        });
        match is_executed {
            // SAFETY: as above.
            true => unsafe { (self.groups as *const [u32; 3]).read_unaligned() },
            false => [0; 3],
        }
    }
}

/// What a command does. Addresses have been checked as far as they can be; each action that uses some keeps
/// the allocations alive that were live when it was appended.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    Launch(Arc<Launch>),
    LaunchIndirect(Box<IndirectLaunch>),
    Copy {
        to: u64,
        from: u64,
        size: usize,
        memory: Arc<Snapshot>,
    },
    CopyRegion {
        to: u64,
        from: u64,
        region: Box<Region>,
        memory: Arc<Snapshot>,
    },
    Fill {
        to: u64,
        size: usize,
        pattern: Box<FillPattern>,
        memory: Arc<Snapshot>,
    },
    CopyImage(Box<ImageCopy>),
    /// Fills with one byte, which takes no pattern to keep.
    FillByte {
        to: u64,
        size: usize,
        byte: u8,
        memory: Arc<Snapshot>,
    },
    HostFunction(HostFunction),
    Wait(Arc<Event>),
    Reset(Arc<Event>),
    WriteTimestamp {
        to: u64,
        memory: Arc<Snapshot>,
    },
    /// Writes the timestamps of an event as a `ze_kernel_timestamp_result_t`.
    QueryTimestamps {
        event: Arc<Event>,
        to: u64,
        memory: Arc<Snapshot>,
    },
    /// Only signals: in order means that all before it is done.
    Nothing,
}

impl Command {
    /// Executes the command and signals its event; the failure is that of the stream.
    /// Of a stream that has been closed, nothing is executed, but all is signalled, so that nobody waits for ever.
    pub(super) fn execute(&self, closing: &Closing, failure: &Arc<Failure>) {
        let start = if self.signal.is_some() { now() } else { 0 };
        if closing.is_closed() {
            failure.record(|| {
                "a command was not executed, since its command list, queue or context was destroyed"
                    .to_owned()
            });
        } else if let Some(report) = self.action.execute(closing) {
            failure.record(|| {
                let text = report.to_string();
                if let Some(FindingReport::Race(race)) = report.finding.as_deref() {
                    remember(&text, race);
                }
                text
            });
        }
        if let Some(event) = &self.signal {
            let pending = failure.pending().map(|what| (what, Arc::clone(failure)));
            event.signal_with(Timestamps { start, end: now() }, pending);
        }
    }
}

/// How many bytes are copied or filled in less time than a thread takes to wake.
const FEW_BYTES: usize = 256 << 10;

impl Action {
    /// Whether it surely takes less time than a thread takes to wake.
    pub(super) fn is_short(&self) -> bool {
        match self {
            Self::Launch(launch) => launch.is_short(),
            Self::Copy { size, .. } | Self::Fill { size, .. } | Self::FillByte { size, .. } => {
                *size <= FEW_BYTES
            }
            Self::Reset(_) | Self::WriteTimestamp { .. } | Self::QueryTimestamps { .. } | Self::Nothing => {
                true
            }
            Self::HostFunction(_)
            | Self::LaunchIndirect(_)
            | Self::CopyRegion { .. }
            | Self::CopyImage(_)
            | Self::Wait(_) => false,
        }
    }

    /// The launch that it is.
    pub(crate) fn launch(&self) -> Option<&Launch> {
        match self {
            Self::Launch(launch) => Some(launch),
            Self::LaunchIndirect(indirect) => Some(&indirect.launch),
            _ => None,
        }
    }

    /// As it is when it is appended now: a counter-based event stands for the command that signals it so far.
    pub(crate) fn settled(self) -> Self {
        match self {
            Self::QueryTimestamps { event, to, memory } => {
                Self::QueryTimestamps { event: event.to_wait_for(), to, memory }
            }
            other => other,
        }
    }

    /// Whether it accesses memory that kernels may access. What may wait for the host does not.
    fn accesses_memory(&self) -> bool {
        !matches!(self, Self::HostFunction(_) | Self::Wait(_) | Self::Reset(_) | Self::Nothing)
    }

    fn execute(&self, closing: &Closing) -> Option<FaultReport> {
        let _hold = self.accesses_memory().then(hold);
        match self {
            Self::Launch(launch) => return closing.run(launch),
            // The stream has made a launch of it.
            Self::LaunchIndirect(_) => {}
            Self::Copy { to, from, size, memory } => copy(memory, *to, *from, *size),
            Self::CopyRegion { to, from, region, memory } => copy_region(memory, *to, *from, region),
            Self::CopyImage(copy) => copy.execute(),
            Self::Fill { to, size, pattern, memory } => {
                memory.mark(*to, *size);
                fill(*to, *size, pattern);
            }
            Self::FillByte { to, size, byte, memory } => {
                memory.mark(*to, *size);
                // SAFETY: the host vouches for the range, see `Action`.
                unsafe { (*to as *mut u8).write_bytes(*byte, *size) }
            }
            // SAFETY: the host vouches for the function and what it is called with.
            Self::HostFunction(HostFunction { function, data }) => unsafe { function(*data) },
            Self::Wait(event) => closing.wait_for(event),
            Self::Reset(event) => event.reset(),
            Self::WriteTimestamp { to, memory } => {
                memory.mark(*to, size_of::<u64>());
                // SAFETY: the host vouches for the address, see `Action`.
                unsafe { (*to as *mut u64).write_unaligned(now()) }
            }
            Self::QueryTimestamps { event, to, memory } => {
                memory.mark(*to, size_of::<[u64; 4]>());
                let Timestamps { start, end } = event.timestamps().unwrap_or_default();
                // SAFETY: as above; the structure is two pairs of start and end.
                unsafe { (*to as *mut [u64; 4]).write_unaligned([start, end, start, end]) }
            }
            Self::Nothing => {}
        }
        None
    }
}

fn copy(memory: &Snapshot, to: u64, from: u64, size: usize) {
    memory.copied(to, from, size);
    // SAFETY: the host vouches for both ranges, see `Action`.
    unsafe { copy::copy(to, from, size) }
}

fn copy_region(memory: &Snapshot, to: u64, from: u64, region: &Region) {
    for slice in 0..region.slices {
        for row in 0..region.rows {
            let to = to + (slice * region.to_slice_pitch + row * region.to_pitch) as u64;
            let from = from + (slice * region.from_slice_pitch + row * region.from_pitch) as u64;
            copy(memory, to, from, region.width);
        }
    }
}

fn fill(to: u64, size: usize, pattern: &FillPattern) {
    let pattern = &pattern.bytes[..pattern.length];
    for (index, at) in (0..size).step_by(pattern.len()).enumerate() {
        let length = pattern.len().min(size - index * pattern.len());
        // SAFETY: the host vouches for the range, see `Action`.
        unsafe { std::ptr::copy_nonoverlapping(pattern.as_ptr(), (to as *mut u8).add(at), length) }
    }
}
