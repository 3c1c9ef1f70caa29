//! Accesses to atomics.

use crate::ir::{MemoryOrder, Scope};

/// A call of a method of an atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomicCall {
    /// The method.
    pub method: AtomicMethod,
    /// What it orders.
    pub order: MemoryOrder,
    /// Where the order holds, if that is written.
    pub scope: Option<Scope>,
}

/// A method of an atomic, without the arguments that are orderings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicMethod {
    /// `load()`
    Load,
    /// `store(value)`
    Store,
    /// `swap(value)`
    Swap,
    /// `compare_exchange(current, new)`, and the weak form, with the ordering if something else is there.
    CompareExchange(MemoryOrder),
    /// `fetch_add(value)`
    Add,
    /// `fetch_sub(value)`
    Sub,
    /// `fetch_and(value)`
    And,
    /// `fetch_nand(value)`
    Nand,
    /// `fetch_or(value)`
    Or,
    /// `fetch_xor(value)`
    Xor,
    /// `fetch_not()`
    Not,
    /// `fetch_min(value)`
    Min,
    /// `fetch_max(value)`
    Max,
}
