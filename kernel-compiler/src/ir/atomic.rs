//! Accesses to memory that several work-items change.
//!
//! An access reads and writes a place as one step. It has the type of its value, which is a number as large as what is at the
//! place: a float may be accessed by its bits. A check of the place that fails leaves the access out, and its value is zero.

use super::{Handle, Place, Value};
pub use kernel_core::atomic::Scope;

/// One access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atomic {
    /// Where.
    pub place: Place,
    /// What is done there.
    pub access: AtomicAccess,
    /// Among which work-items the order holds.
    pub scope: Scope,
    /// What it orders.
    pub order: MemoryOrder,
}

/// What an access does. Its value is what was at the place before, but for a store, whose value nobody uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicAccess {
    /// It reads.
    Load,
    /// It writes.
    Store(Handle<Value>),
    /// It replaces what is there by what an operator makes of that and of a value.
    Update(AtomicOp, Handle<Value>),
    /// It writes if there are the bits of a value, an integer.
    CompareExchange {
        /// The value.
        expected: Handle<Value>,
        /// What is written.
        new: Handle<Value>,
        /// The order if something else is there.
        failure: MemoryOrder,
    },
}

impl AtomicAccess {
    /// The values that it reads.
    pub fn operands(&self) -> impl Iterator<Item = Handle<Value>> {
        let (first, second) = match self {
            Self::Load => (None, None),
            Self::Store(value) | Self::Update(_, value) => (Some(*value), None),
            Self::CompareExchange { expected, new, .. } => (Some(*expected), Some(*new)),
        };
        first.into_iter().chain(second)
    }
}

/// What an access makes of what is there and of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomicOp {
    /// The value.
    Exchange,
    /// The sum, which wraps.
    Add,
    /// The difference, of integers only, which wraps.
    Sub,
    /// The smaller one; of floats the one that is a number.
    Min,
    /// The greater one; of floats the one that is a number.
    Max,
    /// Bitwise, of integers only.
    And,
    /// Bitwise, of integers only.
    Or,
    /// Bitwise, of integers only.
    Xor,
}

/// What an access, or a fence, orders: as `core::sync::atomic::Ordering`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryOrder {
    /// Nothing but accesses to the same place.
    Relaxed,
    /// What comes after it comes after what the other side released.
    Acquire,
    /// What comes before it comes before what acquires it.
    Release,
    /// Both.
    AcquireRelease,
    /// Both, and all of these have one order.
    SequentiallyConsistent,
}
