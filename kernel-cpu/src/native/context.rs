//! What native code finds at the address that it gets.

use super::ids::Record;
use crate::program::MAX_STRIPS;

/// All strips, each with its own registers.
pub(crate) const TOGETHER: u32 = u32::MAX;

/// The state of a thread that executes a kernel. Native code knows the offsets of its fields; behind it come the [`Limit`]s.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Context {
    /// The stack as it was, while native code runs. Its place is known to `lir`.
    pub(crate) stack: u64,
    /// The register files of the subgroup's strips, one after the other. Its place is known to `lir`.
    pub(crate) registers: u64,
    /// The number of the instruction that is called. Its place is known to `lir`.
    pub(crate) call: u32,
    /// The strip for which it is called, and times 256 the one whose registers it works on; or [`TOGETHER`].
    pub(crate) call_strip: u32,
    /// The lanes of each strip for which it is called.
    pub(crate) call_masks: [u32; MAX_STRIPS],
    /// The code that saves all registers and calls `helper`.
    pub(crate) thunk: u64,
    pub(crate) helper: u64,
    /// Whether a call has faulted.
    pub(crate) fault: u32,
    /// Where to start: 0 at the start, others after the barrier with the number before.
    pub(crate) entry: u32,
    /// Where it stopped: 0 at the end, others at the barrier with the number before.
    pub(crate) stopped: u32,
    /// Where the first subgroup stopped.
    pub(crate) expected: u32,
    /// The first strip of the subgroup that runs; those of the group follow each other.
    pub(crate) record: *const Record,
    pub(crate) first_record: *const Record,
    pub(crate) end_record: *const Record,
    /// The register files of the first subgroup, and how far that of the next is from it.
    pub(crate) first_registers: u64,
    pub(crate) registers_stride: u64,
    /// The same for private memory.
    pub(crate) first_private: u64,
    pub(crate) private_stride: u64,
    /// The argument block.
    pub(crate) arguments: *const u8,
    /// The arena of local memory.
    pub(crate) local: u64,
    /// The private memory of the first lane.
    pub(crate) private: u64,
    /// The variables of the module.
    pub(crate) data: u64,
    /// The offset in the arena of each argument that is local memory.
    pub(crate) local_offsets: *const u32,
    pub(crate) group: [u64; 3],
    /// The global ids of the work-item whose local ids are 0.
    pub(crate) first: [u64; 3],
    pub(crate) group_count: [u64; 3],
    pub(crate) global_size: [u64; 3],
    pub(crate) global_offset: [u64; 3],
    /// A word that is not zero when the launch has to stop.
    pub(crate) halt: *const u32,
    /// What `helper` works on.
    pub(crate) callee: *mut (),
    /// As `halt`, but where `helper` may put another word while the code runs.
    pub(crate) halt_for_now: *const u32,
}

/// The addresses at which an instruction may access memory without asking: so many from `start` on.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Limit {
    pub(crate) start: u64,
    pub(crate) count: u64,
}

impl Limit {
    /// Those at which `extent` bytes are within the span.
    pub(crate) fn within(span: crate::memory::Span, extent: u64) -> Self {
        let count = span.length.checked_sub(extent).map_or(0, |last| last + 1);
        Self { start: span.start, count }
    }

    /// Where the limit with a number is in the context.
    pub(crate) const fn offset(number: usize) -> i32 {
        (size_of::<Context>() + number * size_of::<Self>()) as i32
    }
}
