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

impl fmt::Display for AccessKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "reads",
            Self::Write => "writes",
            Self::AtomicRead => "reads atomically",
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

/// What there is to tell about a race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RaceReport {
    pub(crate) memory: Memory,
    /// The offset in the memory of the first byte that both have.
    pub(crate) offset: u64,
    /// How many bytes the later access has.
    pub(crate) size: u64,
    pub(crate) later: ReportedAccess,
    pub(crate) earlier: ReportedAccess,
    pub(crate) reason: Reason,
}

/// In which memory two accesses meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    Local,
    /// What a pointer that is an argument leads to, by its position; the size is that of the allocation.
    Argument {
        index: usize,
        size: u64,
    },
    Image {
        index: usize,
        size: u64,
    },
    /// What no argument leads to.
    Other {
        address: u64,
        size: u64,
    },
}

/// One of the accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReportedAccess {
    pub(crate) kind: AccessKind,
    pub(crate) position: Position,
    /// The global id of the work-item; none where a group copies.
    pub(crate) global_id: Option<[u64; 3]>,
}

/// Why nothing orders two accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    Groups,
    Copy,
    NoBarrier,
    NoSubgroupBarrier,
    WrongBarrier(Class),
}

impl ReportedLaunch<'_> {
    pub(crate) fn report(&self, race: &Race) -> RaceReport {
        let (memory, offset) = self.memory(race.place);
        let access = |access: &Accessed| ReportedAccess {
            kind: access.kind,
            position: self.module.sources.position(access.site.0),
            global_id: access.item.map(|item| (self.global_id)(access.group, item)),
        };
        let (later, earlier) = (access(&race.later), access(&race.earlier));
        RaceReport { memory, offset, size: race.size, later, earlier, reason: self.reason(race) }
    }

    fn reason(&self, race: &Race) -> Reason {
        let (earlier, later) = (&race.earlier, &race.later);
        let subgroup = |item: usize| item / self.subgroup_size as usize;
        match (earlier.item, later.item) {
            _ if earlier.group != later.group => Reason::Groups,
            (None, _) | (_, None) => Reason::Copy,
            _ if earlier.barriers != later.barriers => Reason::WrongBarrier(race.class),
            (Some(one), Some(other)) if subgroup(one) == subgroup(other) => Reason::NoSubgroupBarrier,
            _ => Reason::NoBarrier,
        }
    }

    /// In which memory a place is, and its offset there.
    fn memory(&self, place: Place) -> (Memory, u64) {
        let (start, size, offset, is_image) = match place {
            Place::Local { offset } => return (Memory::Local, offset),
            Place::Allocation { start, size, offset, is_image } => (start, size, offset, is_image),
        };
        if is_image {
            let is_this = |object: &Object| match object {
                Object::Image(image) => image.start() == start,
                _ => false,
            };
            let index = self.objects.iter().position(is_this).unwrap_or(0);
            return (Memory::Image { index, size }, offset);
        }
        let address = start + offset;
        for (index, parameter) in self.parameters.iter().enumerate() {
            let &Parameter::Bytes { offset: at, is_pointer: true, .. } = parameter else { continue };
            let bytes = self.arguments.get(at as usize..).and_then(|bytes| bytes.first_chunk());
            let pointer = bytes.map_or(0, |bytes| u64::from_ne_bytes(*bytes));
            if pointer.wrapping_sub(start) < size && pointer <= address {
                return (Memory::Argument { index, size }, address - pointer);
            }
        }
        (Memory::Other { address, size }, offset)
    }
}

impl fmt::Display for RaceReport {
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

impl fmt::Display for Memory {
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

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Groups => "nothing orders work-items of different work-groups",
            Self::Copy => "such a copy goes on until the group waits for it, and waits for no barrier",
            Self::NoBarrier => "there is no barrier between the two",
            Self::NoSubgroupBarrier => {
                "there is no barrier between the two, and being in one subgroup does not order them"
            }
            Self::WrongBarrier(Class::Local) => "the barriers between the two do not order local memory",
            Self::WrongBarrier(Class::Global) => "the barriers between the two do not order global memory",
            Self::WrongBarrier(Class::Image) => "the barriers between the two do not order images",
        })
    }
}
