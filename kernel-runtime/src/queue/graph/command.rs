//! The commands of a graph, and what of the device's memory each uses.

use crate::error::{BufferError, BufferProblem, Error, LaunchError, LaunchProblem};
use crate::launch::argument_bytes::ArgumentBytes;
use crate::launch::{LaunchArgument, Prepared, Value};
use crate::memory::Allocation;
use crate::memory::buffer::Buffer;
use crate::memory::image::Texels;
use crate::memory::usage::Usage;
use crate::memory::usm::UsmKind;
use crate::queue::overlap;
use core::ffi::c_void;
use kernel_core::{Access, Element, ElementType};
use std::sync::Arc;

/// A command that is enqueued whenever its graph is.
pub(super) enum Command {
    /// A launch of a kernel.
    Launch(Prepared),
    /// A copy of so many bytes on the device, between places that do not overlap.
    Copy { from: Place, to: Place, bytes: usize },
    /// A fill of so many bytes with a value whose pattern the driver repeats.
    Fill { to: Place, value: ArgumentBytes, bytes: usize },
}

/// A place in memory, so many bytes from its start.
#[derive(Clone)]
pub(super) struct Place {
    memory: Arc<Allocation>,
    start: usize,
    /// What the buffer has that was given, for errors.
    element: ElementType,
}

impl Place {
    /// The place of the first element of a buffer.
    pub(super) fn of<T: Element>(buffer: &Buffer<T>) -> Self {
        Self { memory: Arc::clone(buffer.memory()), start: buffer.start(), element: T::TYPE }
    }

    /// The start of some memory.
    pub(super) fn start_of(memory: Allocation, element: ElementType) -> Self {
        Self { memory: Arc::new(memory), start: 0, element }
    }

    /// The place so many bytes further on.
    pub(super) fn after(&self, bytes: usize) -> Self {
        Self { start: self.start + bytes, ..self.clone() }
    }

    pub(super) fn address(&self) -> *mut c_void {
        self.memory.address().wrapping_byte_add(self.start)
    }

    fn used(&self, access: Access) -> Use {
        Use { what: Used::Memory(Arc::clone(&self.memory)), access, given: Given::Buffer(self.element) }
    }
}

/// What a command uses.
pub(super) struct Use {
    what: Used,
    pub(super) access: Access,
    given: Given,
}

enum Used {
    Memory(Arc<Allocation>),
    Image(Arc<Texels>),
}

/// As what it was given, for errors.
#[derive(Clone, Copy)]
enum Given {
    Buffer(ElementType),
    Argument { kernel: &'static str, argument: &'static str },
}

impl Use {
    /// Which queues use it.
    pub(super) fn usage(&self) -> &Usage {
        match &self.what {
            Used::Memory(memory) => memory.usage(),
            Used::Image(texels) => texels.usage(),
        }
    }

    /// Whether both are the same memory or image.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.usage().number() == other.usage().number()
    }

    /// The memory or image, by the number of its usage, and how it is used.
    pub(super) fn used(&self) -> overlap::Used {
        (self.usage().number(), self.access)
    }

    /// The memory, where the host can address it too.
    pub(super) fn host_memory(&self) -> Option<&Allocation> {
        match &self.what {
            Used::Memory(memory) if memory.kind() != UsmKind::Device => Some(memory),
            _ => None,
        }
    }

    /// The error that the host has a view of it.
    pub(super) fn viewed(&self) -> Error {
        match self.given {
            Given::Buffer(element) => BufferError { element, problem: BufferProblem::Viewed }.into(),
            Given::Argument { kernel, argument } => {
                LaunchError { kernel, problem: LaunchProblem::Viewed { argument } }.into()
            }
        }
    }
}

impl Command {
    /// What it uses.
    pub(super) fn uses(&self) -> Vec<Use> {
        match self {
            Self::Launch(launch) => {
                let arguments = launch.descriptor.arguments.iter().zip(&launch.arguments);
                let kernel = launch.descriptor.name;
                arguments
                    .filter_map(|(declared, argument)| of_argument(kernel, declared.name, argument))
                    .collect()
            }
            Self::Copy { from, to, .. } => vec![from.used(Access::Read), to.used(Access::ReadWrite)],
            Self::Fill { to, .. } => vec![to.used(Access::ReadWrite)],
        }
    }

    /// Whether it may use memory that is not among its uses.
    pub(super) fn may_use_all_memory(&self) -> bool {
        matches!(self, Self::Launch(launch) if launch.may_use_all_memory())
    }
}

fn of_argument(kernel: &'static str, name: &'static str, argument: &LaunchArgument) -> Option<Use> {
    let access = argument.memory()?.access;
    let what = match argument.value() {
        Value::Memory { memory, .. } => Used::Memory(Arc::clone(memory)),
        Value::Image(texels) => Used::Image(Arc::clone(texels)),
        _ => return None,
    };
    Some(Use { what, access, given: Given::Argument { kernel, argument: name } })
}
