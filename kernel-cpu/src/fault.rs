//! Faults: what a kernel did that the driver stopped.
//!
//! A fault is the kernel's doing, not the host program's and not the driver's: it ends the launch, no memory
//! is touched that is not the kernel's own, and the host gets it at the next synchronisation.

use crate::check::FindingReport;
use crate::exec::TIMEOUT_VARIABLE;
use crate::memory::{Span, Usage};
use crate::program::{Site, Space};
use std::fmt;
use std::time::Duration;

/// How memory was to be accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
    Atomic,
}

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// The bytes are not all in memory that the kernel may access in this way.
    BadAddress { address: u64, size: u64, access: Access, space: Space, near: Option<Near> },
    /// The bytes are in memory that the launch was not given access to: that of no argument, and of a kind for which the kernel has no
    /// indirect access.
    OutOfReach { address: u64, memory: Usage },
    /// The bytes are in memory that may only be read.
    ReadOnly { address: u64, access: Access },
    /// An atomic operation on an address that is not a multiple of its size.
    Misaligned { address: u64, size: u64 },
    /// Work-items of one group are at different barriers, or some are at one and others are done.
    DivergentBarrier { other: Option<Site> },
    /// Some work-items of a subgroup are at an instruction that all must execute together, and others are not.
    DivergentCollective,
    /// A group waits for all others of a launch that is not cooperative.
    NotCooperative,
    /// The system had no thread for a group of a cooperative launch.
    NoThread,
    /// Control came where the module promised that it would not, or a pointer leads to no function that could be called.
    Unreachable,
    /// An image or a sampler is none, has other dimensions, or has channels that are no floats where floats are needed.
    BadImage,
    /// There is no texel at these coordinates.
    BadTexel { at: [i32; 3] },
    /// The launch took longer than it may.
    TimedOut { limit: Duration },
    /// The list, queue or context of the launch was destroyed while it ran.
    Destroyed,
    /// The driver itself made a mistake.
    Panic,
    /// Two accesses race; the report has them.
    Race,
    /// A read of memory that nobody has written; the report has it.
    Unwritten,
    /// The executors of the driver, which were compared, left different bytes, or ended differently.
    Different { byte: Option<DifferentByte> },
}

/// The memory that bytes are near to which are not all in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Near {
    /// Where it is, and its size.
    pub(crate) span: Span,
    /// Where the bytes begin, from its start on.
    pub(crate) offset: i64,
}

impl Near {
    /// Bytes at an address that is not far from some memory.
    pub(crate) fn new(span: Span, address: u64) -> Option<Self> {
        /// What is farther away has nothing to do with it.
        const FAR: i64 = 1 << 24;
        let offset = address.wrapping_sub(span.start) as i64;
        let is_near =
            offset > -FAR && offset.checked_sub_unsigned(span.length).is_some_and(|behind| behind < FAR);
        is_near.then_some(Self { span, offset })
    }
}

impl fmt::Display for Near {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { span: Span { length, .. }, offset } = *self;
        match (offset, length.wrapping_add_signed(offset.wrapping_neg()) as i64) {
            (..0, _) => write!(f, "{} bytes before the start of", offset.unsigned_abs()),
            (_, 1..) => write!(f, "at byte {offset} of"),
            (_, left) => write!(f, "{} bytes after the end of", left.unsigned_abs()),
        }
    }
}

/// A byte of which two executors made different ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DifferentByte {
    pub(crate) address: u64,
    pub(crate) native: u8,
    pub(crate) interpreted: u8,
}

/// A fault as the executor sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    pub(crate) site: Site,
    /// The lane that faulted, the first if several did.
    pub(crate) lane: u32,
}

/// A fault with what people need to find its cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FaultReport {
    pub(crate) kernel: String,
    pub(crate) fault: Fault,
    /// The global id of the work-item.
    pub(crate) global_id: [u64; 3],
    /// What a check has found, if it is that.
    pub(crate) finding: Option<Box<FindingReport>>,
    /// File, line and column of the instruction, if the module says them.
    pub(crate) line: Option<(String, u32, u32)>,
}

impl fmt::Display for FaultReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.global_id;
        write!(f, "kernel `{}`, work-item ({x}, {y}, {z})", self.kernel)?;
        if let Some((file, line, column)) = &self.line {
            write!(f, ", {file}:{line}:{column}")?;
        }
        f.write_str(": ")?;
        let word = self.fault.site.0;
        match self.fault.kind {
            FaultKind::BadAddress { address, size, access, space, near } => {
                let access = match access {
                    Access::Read => "reads",
                    Access::Write => "writes",
                    Access::Atomic => "updates",
                };
                write!(f, "the instruction at word {word} {access} {size} bytes at {address:#x}, ")?;
                f.write_str(match space {
                    Space::Global | Space::Constant => "which are in no live allocation",
                    Space::Local => "which are not in the local memory of the work-group",
                    Space::Private => "which are not in the memory of the work-item",
                    Space::Generic => "which are in no memory of the kernel",
                })?;
                match near {
                    Some(near) => {
                        let length = near.span.length;
                        let whose =
                            if matches!(space, Space::Local | Space::Private) { "its" } else { "one of" };
                        write!(f, ": they begin {near} {whose} {length} bytes")
                    }
                    None => Ok(()),
                }
            }
            FaultKind::OutOfReach { address, memory } => {
                let kind = match memory {
                    Usage::Host => "host",
                    Usage::Device | Usage::Module => "device",
                    Usage::Shared => "shared",
                };
                write!(
                    f,
                    "the instruction at word {word} accesses {address:#x}, which is in {kind} memory that is no argument, \
                     while the kernel has no indirect access to {kind} memory (zeKernelSetIndirectAccess)"
                )
            }
            FaultKind::ReadOnly { address, access } => {
                let access = if access == Access::Atomic { "updates" } else { "writes" };
                write!(
                    f,
                    "the instruction at word {word} {access} {address:#x}, which may only be read (zeVirtualMemSetAccessAttribute)"
                )
            }
            FaultKind::Misaligned { address, size } => {
                write!(
                    f,
                    "the atomic instruction at word {word} needs {size}-byte alignment, not {address:#x}"
                )
            }
            FaultKind::DivergentBarrier { other: None } => {
                write!(f, "waits at the barrier at word {word}, but others of its work-group are done")
            }
            FaultKind::DivergentBarrier { other: Some(other) } => write!(
                f,
                "waits at the barrier at word {word}, but others of its work-group at the one at word {}",
                other.0
            ),
            FaultKind::NotCooperative => write!(
                f,
                "waits for all work-groups at the barrier at word {word}, but the launch is not cooperative (zeCommandListAppendLaunchCooperativeKernel)"
            ),
            FaultKind::NoThread => {
                f.write_str("was stopped, since the system had no thread for one of its work-groups")
            }
            FaultKind::DivergentCollective => {
                write!(f, "comes to the group instruction at word {word} without the others of its subgroup")
            }
            FaultKind::BadImage => write!(
                f,
                "the instruction at word {word} needs an image or a sampler that is another one than this, or none"
            ),
            FaultKind::BadTexel { at: [x, y, z] } => {
                write!(
                    f,
                    "the instruction at word {word} accesses the texel ({x}, {y}, {z}), which the image does not have"
                )
            }
            FaultKind::TimedOut { limit } => {
                write!(
                    f,
                    "ran longer than the limit of {} ms that {TIMEOUT_VARIABLE} sets",
                    limit.as_millis()
                )
            }
            FaultKind::Destroyed => f.write_str(
                "was stopped, since its command list, queue or context was destroyed while it ran",
            ),
            FaultKind::Panic => f.write_str("the driver panicked while it executed the work-group"),
            FaultKind::Race | FaultKind::Unwritten => match &self.finding {
                Some(finding) => finding.fmt(f),
                None => f.write_str("accesses memory in a wrong way"),
            },
            FaultKind::Different { byte: None } => f.write_str(
                "ends differently by native code than by the interpreter, which is an error of the driver",
            ),
            FaultKind::Different { byte: Some(DifferentByte { address, native, interpreted }) } => write!(
                f,
                "the byte at {address:#x} is {native:#04x} by native code and {interpreted:#04x} by the interpreter, which is an error of \
                 the driver"
            ),
            FaultKind::Unreachable => write!(
                f,
                "comes to an OpUnreachable, or calls by a pointer that leads to no function for it, at word {word}"
            ),
        }
    }
}
