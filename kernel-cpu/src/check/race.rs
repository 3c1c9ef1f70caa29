//! What is told about a race.

use super::fence::Syncs;
use super::history::AccessKind;
use super::segment::Class;
use super::source::{Position, Sources};
use crate::image::Object;
use crate::load::Module;
use crate::program::{ImageOp, Parameter, Site, Space};
use std::fmt;
use std::sync::Arc;

/// An instruction whose accesses are noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) site: Site,
    pub(crate) action: NoteAction,
}

/// What it does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoteAction {
    /// Each lane accesses so many bytes; `by_group` says that it is part of an asynchronous copy.
    Access {
        space: Space,
        size: u8,
        kind: AccessKind,
        by_group: bool,
    },
    /// Each lane copies bytes from memory of this kind.
    CopyFrom(Space),
    /// It copies them to memory of this kind.
    CopyTo(Space),
    Image(ImageOp),
    /// Not an access: a barrier of the subgroup, or the begin of an asynchronous copy.
    Sync,
}

/// The memory in which two accesses meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Local memory, from its start on.
    Local {
        offset: u64,
    },
    Allocation {
        start: u64,
        size: u64,
        offset: u64,
        is_image: bool,
    },
}

/// One of two accesses that race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Accessed {
    pub(crate) kind: AccessKind,
    pub(crate) site: Site,
    /// The group of the work-item, and its number there; no number where the group copies.
    pub(crate) group: u64,
    pub(crate) item: Option<usize>,
    /// How many barriers its group had come by.
    pub(crate) barriers: u32,
}

/// Two accesses that race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Race {
    pub(crate) class: Class,
    pub(crate) place: Place,
    /// How many bytes the later access has.
    pub(crate) size: u64,
    pub(crate) earlier: Accessed,
    pub(crate) later: Accessed,
}

/// A read of what nobody has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unwritten {
    /// The first byte that nobody has written.
    pub(crate) place: Place,
    /// How many bytes are read.
    pub(crate) size: u64,
    pub(crate) access: Accessed,
}

/// What was found wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    Race(Race),
    Unwritten(Unwritten),
}

impl fmt::Display for AccessKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "reads",
            Self::Write => "writes",
            Self::AtomicRead => "reads atomically",
            Self::AtomicStore => "writes atomically",
            Self::AtomicWrite => "updates atomically",
        })
    }
}

/// What is known of a module whose kernels are watched.
#[derive(Debug)]
pub(crate) struct CheckedModule {
    pub(crate) syncs: Arc<Syncs>,
    sources: Sources,
}

impl CheckedModule {
    pub(crate) fn new(module: &Module<'_>, words: &[u32]) -> Self {
        Self { syncs: Arc::new(Syncs::of(module)), sources: Sources(words.into()) }
    }
}

/// The launch in which a race was found, as far as it is needed to tell of it.
pub(crate) struct ReportedLaunch<'a> {
    pub(crate) parameters: &'a [Parameter],
    /// The argument block.
    pub(crate) arguments: &'a [u8],
    pub(crate) objects: &'a [Object],
    pub(crate) module: &'a CheckedModule,
    /// The global id of a work-item, by the number of its group in the launch and its own in the group.
    pub(crate) global_id: &'a dyn Fn(u64, usize) -> [u64; 3],
    pub(crate) subgroup_size: u32,
}

/// Two accesses to one byte that race, as `KERNEL_CHECK=races` finds them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DataRace {
    /// The memory.
    pub memory: RaceMemory,
    /// The offset in it of the first byte that both have.
    pub offset: u64,
    /// How many bytes the later access has.
    pub size: u64,
    /// The access that was executed last.
    pub later: RaceAccess,
    /// The one that it races with.
    pub earlier: RaceAccess,
    /// Why nothing orders the two.
    pub reason: RaceReason,
}

/// What there is to tell about what was found wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FindingReport {
    Race(DataRace),
    /// So many bytes are read, of which nobody has written the one at this offset of the memory.
    Unwritten {
        memory: RaceMemory,
        offset: u64,
        size: u64,
        access: RaceAccess,
    },
}

/// In which memory an access is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RaceMemory {
    /// Local memory of the work-group.
    Local,
    /// What a pointer that is an argument leads to.
    Argument {
        /// The position of the argument of the entry point, from 0.
        index: usize,
        /// The bytes of the allocation.
        size: u64,
    },
    /// An image.
    Image {
        /// The position of the argument, from 0.
        index: usize,
        /// The bytes of the image.
        size: u64,
    },
    /// What no argument leads to.
    Other {
        /// The address of the byte.
        address: u64,
        /// The bytes of the allocation.
        size: u64,
    },
}

/// One of the accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RaceAccess {
    /// What it does.
    pub kind: AccessKind,
    /// Where it is written.
    pub position: Position,
    /// The global id of the work-item; none where a group copies.
    pub global_id: Option<[u64; 3]>,
}

/// Why nothing orders two accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RaceReason {
    /// They are of different work-groups.
    Groups,
    /// One is by an asynchronous copy for which the group has not waited.
    Copy,
    /// There is no barrier between the two.
    NoBarrier,
    /// There is none, and the work-items are of one subgroup.
    NoSubgroupBarrier,
    /// The barriers between the two do not order local memory.
    LocalNotOrdered,
    /// The barriers between the two do not order global memory.
    GlobalNotOrdered,
    /// The barriers between the two do not order images.
    ImagesNotOrdered,
}

impl ReportedLaunch<'_> {
    pub(crate) fn report(&self, finding: &Finding) -> FindingReport {
        match finding {
            Finding::Race(race) => FindingReport::Race(self.race(race)),
            Finding::Unwritten(Unwritten { place, size, access }) => {
                let (memory, offset) = self.memory(*place);
                FindingReport::Unwritten { memory, offset, size: *size, access: self.access(access) }
            }
        }
    }

    fn race(&self, race: &Race) -> DataRace {
        let (memory, offset) = self.memory(race.place);
        let (later, earlier) = (self.access(&race.later), self.access(&race.earlier));
        DataRace { memory, offset, size: race.size, later, earlier, reason: self.reason(race) }
    }

    fn access(&self, access: &Accessed) -> RaceAccess {
        RaceAccess {
            kind: access.kind,
            position: self.module.sources.position(access.site.0),
            global_id: access.item.map(|item| (self.global_id)(access.group, item)),
        }
    }

    fn reason(&self, race: &Race) -> RaceReason {
        let (earlier, later) = (&race.earlier, &race.later);
        let subgroup = |item: usize| item / self.subgroup_size as usize;
        match (earlier.item, later.item) {
            _ if earlier.group != later.group => RaceReason::Groups,
            (None, _) | (_, None) => RaceReason::Copy,
            _ if earlier.barriers != later.barriers => match race.class {
                Class::Local => RaceReason::LocalNotOrdered,
                Class::Global => RaceReason::GlobalNotOrdered,
                Class::Image => RaceReason::ImagesNotOrdered,
            },
            (Some(one), Some(other)) if subgroup(one) == subgroup(other) => RaceReason::NoSubgroupBarrier,
            _ => RaceReason::NoBarrier,
        }
    }

    /// In which memory a place is, and its offset there.
    fn memory(&self, place: Place) -> (RaceMemory, u64) {
        let (start, size, offset, is_image) = match place {
            Place::Local { offset } => return (RaceMemory::Local, offset),
            Place::Allocation { start, size, offset, is_image } => (start, size, offset, is_image),
        };
        if is_image {
            let is_this = |object: &Object| match object {
                Object::Image(image) => image.start() == start,
                _ => false,
            };
            let index = self.objects.iter().position(is_this).unwrap_or(0);
            return (RaceMemory::Image { index, size }, offset);
        }
        let address = start + offset;
        for (index, parameter) in self.parameters.iter().enumerate() {
            let &Parameter::Bytes { offset: at, is_pointer: true, .. } = parameter else { continue };
            let bytes = self.arguments.get(at as usize..).and_then(|bytes| bytes.first_chunk());
            let pointer = bytes.map_or(0, |bytes| u64::from_ne_bytes(*bytes));
            if pointer.wrapping_sub(start) < size && pointer <= address {
                return (RaceMemory::Argument { index, size }, address - pointer);
            }
        }
        (RaceMemory::Other { address, size }, offset)
    }
}

impl fmt::Display for FindingReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Race(race) => race.fmt(f),
            Self::Unwritten { memory, offset, size, access } => {
                let plural = if *size == 1 { "" } else { "s" };
                f.write_str(if access.global_id.is_some() { "it" } else { "a copy by its group" })?;
                write!(f, " {} {size} byte{plural} at {}, ", access.kind, access.position)?;
                write!(f, "and nobody has written byte {offset} of {memory}")
            }
        }
    }
}

impl fmt::Display for DataRace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { memory, offset, size, later, earlier, reason } = self;
        let plural = if *size == 1 { "" } else { "s" };
        write!(f, "a data race on byte {offset} of {memory}: ")?;
        f.write_str(if later.global_id.is_some() { "it" } else { "a copy by its group" })?;
        write!(f, " {} {size} byte{plural} at {}, and ", later.kind, later.position)?;
        match earlier.global_id {
            Some([x, y, z]) => write!(f, "work-item ({x}, {y}, {z})")?,
            None => f.write_str("a copy by the group")?,
        }
        write!(f, " {} there at {}; {reason}", earlier.kind, earlier.position)
    }
}

impl fmt::Display for RaceMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local => f.write_str("local memory"),
            Self::Argument { index, size } => {
                write!(f, "argument {index} (in an allocation of {size} bytes)")
            }
            Self::Image { index, size } => write!(f, "argument {index} (an image of {size} bytes)"),
            Self::Other { address, size } => {
                write!(f, "an allocation of {size} bytes that is no argument ({address:#x})")
            }
        }
    }
}

impl fmt::Display for RaceReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Groups => "nothing orders work-items of different work-groups",
            Self::Copy => "such a copy goes on until the group waits for it, and waits for no barrier",
            Self::NoBarrier => "there is no barrier between the two",
            Self::NoSubgroupBarrier => {
                "there is no barrier between the two, and being in one subgroup does not order them"
            }
            Self::LocalNotOrdered => "the barriers between the two do not order local memory",
            Self::GlobalNotOrdered => "the barriers between the two do not order global memory",
            Self::ImagesNotOrdered => "the barriers between the two do not order images",
        })
    }
}
