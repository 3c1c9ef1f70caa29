//! What the work-items of a group do together, as it is written.

use crate::ir::{Among, Combine, Extent, Memory, Scope};

/// A function that the work-items of a group call together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupFunction {
    /// `barrier()`.
    Barrier,
    /// `barrier_in(scope, memory)`.
    BarrierIn(Scope, Memory),
    /// `all(condition)`.
    All,
    /// `any(condition)`.
    Any,
    /// `ballot(condition)`.
    Ballot,
    /// `broadcast(x, id)`.
    Broadcast,
    /// `assume_uniform(x)`.
    AssumeUniform,
    /// `assume_distinct(x)`.
    AssumeDistinct(Among),
    /// `shuffle(x, id)`.
    Shuffle,
    /// `shuffle_up(x, distance)`.
    ShuffleUp,
    /// `shuffle_down(x, distance)`.
    ShuffleDown,
    /// `shuffle_xor(x, mask)`.
    ShuffleXor,
    /// `block_read(x, start)` and its kin, for so many elements of each work-item.
    BlockRead(u32),
    /// `block_write(x, start, value)` and its kin, for so many elements of each work-item.
    BlockWrite(u32),
    /// `copy(to, from)` and its kin.
    Copy(CopyFunction),
    /// `reduce_add(x)` and its kin.
    Fold(Combine, Extent),
}

/// A function by which a work-group copies elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyFunction {
    /// Which elements of a longer slice it takes.
    pub stride: Stride,
    /// Whether it has a closure to call meanwhile, its last argument.
    pub has_work: bool,
}

/// Whose elements a copy skips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// Nobody's.
    None,
    /// Those of the source, by the third argument.
    From,
    /// Those of the destination, by the third argument.
    To,
}
