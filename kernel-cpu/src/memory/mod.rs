//! Memory that kernels and the host share.

mod allocation;
mod pages;
mod table;
mod written;

pub(crate) use allocation::{Allocation, Usage};
pub(crate) use table::{Snapshot, Table};
pub(crate) use written::Written;

/// A range of addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u64,
    pub(crate) length: u64,
}

impl Span {
    /// Whether all of `size` bytes from `address` on are inside.
    #[inline(always)]
    pub(crate) fn contains(self, address: u64, size: u64) -> bool {
        size <= self.length && address.wrapping_sub(self.start) <= self.length - size
    }
}
