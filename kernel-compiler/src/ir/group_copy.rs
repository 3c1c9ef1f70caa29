//! What the work-items of a work-group copy together, between local and global memory.
//!
//! The copy goes on while they do, until a [`Statement::Wait`](super::Statement::Wait) for the variable in which its event is; until then nothing may be
//! expected of the elements that it writes, and those that it reads may not change. All work-items have begun it with the same operands.

use super::{Handle, Value};

/// One copy, whose value is its event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupCopy {
    /// The slice that is written to.
    pub to: Handle<Value>,
    /// The slice that is read, of elements of the same type; one of the two is in local, the other in global memory.
    pub from: Handle<Value>,
    /// How many elements, a `usize`. Both slices have as many, those in global memory each so far from the one before as `stride` says.
    pub count: Handle<Value>,
    /// How many elements of the slice in global memory there are from one to the next, a `usize` that is not zero.
    pub stride: Handle<Value>,
}

impl GroupCopy {
    /// The values that it reads.
    pub fn operands(&self) -> [Handle<Value>; 4] {
        [self.to, self.from, self.count, self.stride]
    }
}
