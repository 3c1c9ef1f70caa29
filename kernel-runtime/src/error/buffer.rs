//! Buffers that cannot be made, or that do not fit what they are copied to or from.

use crate::launch::size::write_extents;
use crate::memory::usm::UsmKind;
use core::fmt;
use kernel_core::ElementType;

/// A buffer cannot be made, or does not fit what it is copied to or from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferError {
    /// The type of the buffer's elements.
    pub element: ElementType,
    /// What is wrong.
    pub problem: BufferProblem,
}

/// What is wrong with a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BufferProblem {
    /// It would be larger than the device allows.
    TooLarge {
        /// The number of elements.
        len: usize,
        /// The most bytes that one buffer may take.
        limit: u64,
    },
    /// The slice on the host has another length than the buffer.
    LengthMismatch {
        /// The number of elements of the buffer.
        buffer: usize,
        /// The number of elements of the slice.
        slice: usize,
    },
    /// An array of this shape has another number of elements than the buffer.
    ShapeMismatch {
        /// The number of elements of the buffer.
        buffer: usize,
        /// The number of elements along each axis.
        shape: Box<[usize]>,
    },
    /// A region is not in the grid, or the grid not in the buffer.
    Region {
        /// What is wrong.
        what: RegionProblem,
    },
    /// What a copy reads overlaps what it writes.
    Overlap,
    /// The host has a view of the buffer.
    Viewed,
    /// It is of another device than the queue, which cannot access its memory ([`Device::can_access`](crate::Device::can_access)).
    OtherDevice {
        /// The device of the buffer.
        buffer: Box<str>,
        /// The device of the queue.
        queue: Box<str>,
    },
    /// Kernels of the device cannot read and write memory of this kind (`ZE_MEMORY_ACCESS_CAP_FLAG_RW`).
    NotAccessible {
        /// Where the buffer would be.
        memory: UsmKind,
        /// The device.
        device: Box<str>,
    },
    /// The host wants a view of memory that it cannot address: the buffer has been exchanged for one of another kind.
    NotOnHost,
    /// An element that came from the device is no value of its type, such as a `bool` that is neither 0 nor 1.
    InvalidElement {
        /// The index of the first such element.
        index: usize,
    },
}

impl fmt::Display for BufferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let element = self.element;
        match &self.problem {
            BufferProblem::TooLarge { len, limit } => write!(
                f,
                "a buffer of {len} elements of type {element} is larger than the device allows, which is {limit} bytes"
            ),
            BufferProblem::LengthMismatch { buffer, slice } => {
                write!(f, "the buffer has {buffer} elements of type {element}, but the slice has {slice}")
            }
            BufferProblem::ShapeMismatch { buffer, shape } => write!(
                f,
                "the buffer has {buffer} elements of type {element}, which is not what an array of the shape {shape:?} has"
            ),
            BufferProblem::Region { what } => {
                write!(f, "cannot copy a region of elements of type {element}: {what}")
            }
            BufferProblem::Overlap => write!(
                f,
                "what is to be copied overlaps what it would be copied to, in a buffer of elements of type {element}"
            ),
            BufferProblem::Viewed => write!(
                f,
                "the host has a view of the buffer of elements of type {element}; help: drop the view before"
            ),
            BufferProblem::OtherDevice { buffer, queue } => {
                write!(
                    f,
                    "the buffer is on the device \"{buffer}\", but the queue is of \"{queue}\", which cannot access it; \
                     help: `queue.copy` copies it to a buffer of the queue's device"
                )
            }
            BufferProblem::NotAccessible { memory, device } => write!(
                f,
                "a buffer of elements of type {element} cannot be in {memory}, which kernels of the device \"{device}\" \
                 cannot read and write; help: `upload` makes one in device memory"
            ),
            BufferProblem::NotOnHost => write!(
                f,
                "the buffer of elements of type {element} is in device memory, which the host cannot view; \
                 help: copy it by `download`"
            ),
            BufferProblem::InvalidElement { index } => {
                write!(
                    f,
                    "the element {index} of the buffer came from the device as bytes that are no {element}"
                )
            }
        }
    }
}

impl core::error::Error for BufferError {}

/// What is wrong with a [`Region`](crate::Region) of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegionProblem {
    /// It ends after the grid does.
    NotInGrid {
        /// The dimension, 0 to 2.
        axis: usize,
        /// Where the region starts there.
        origin: usize,
        /// How many elements, rows or slices it has.
        size: usize,
        /// How many the grid has.
        grid: usize,
    },
    /// The grid has more elements than the buffer.
    GridTooLarge {
        /// The size of the grid.
        grid: [usize; 3],
        /// The number of elements of the buffer.
        len: usize,
    },
    /// The regions of a copy have different sizes.
    SizesDiffer {
        /// The size of the one that is read.
        from: [usize; 3],
        /// The size of the one that is written.
        to: [usize; 3],
    },
    /// The slice on the host has not as many elements as the region.
    LengthMismatch {
        /// The number of elements of the region.
        region: usize,
        /// The number of elements of the slice.
        slice: usize,
    },
}

impl fmt::Display for RegionProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInGrid { axis, origin, size, grid } => {
                write!(f, "in dimension {axis}, {size} from {origin} on are more than the {grid} of the grid")
            }
            Self::GridTooLarge { grid, len } => {
                f.write_str("a grid of ")?;
                write_extents(grid, f)?;
                write!(f, " is larger than the buffer, which has {len} elements")
            }
            Self::SizesDiffer { from, to } => {
                f.write_str("one of ")?;
                write_extents(from, f)?;
                f.write_str(" does not fit one of ")?;
                write_extents(to, f)
            }
            Self::LengthMismatch { region, slice } => {
                write!(f, "it has {region} elements, but the slice has {slice}")
            }
        }
    }
}
