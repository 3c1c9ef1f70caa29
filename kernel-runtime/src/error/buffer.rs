//! Buffers that cannot be made, or that do not fit what they are copied to or from.

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
    /// It is of another device than the queue.
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
            BufferProblem::OtherDevice { buffer, queue } => {
                write!(f, "the buffer is on the device \"{buffer}\", but the queue is of \"{queue}\"")
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
