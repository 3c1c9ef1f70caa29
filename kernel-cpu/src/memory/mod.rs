//! Memory that kernels and the host share.

mod allocation;
mod budget;
mod exchange;
mod intervals;
mod pages;
mod physical;
mod reservation;
mod system;
mod table;
mod written;

pub(crate) use allocation::{Allocation, Origin, Usage};
pub(crate) use exchange::hold;
pub(crate) use intervals::Intervals;
pub(crate) use pages::prefer_large;
pub(crate) use physical::{Identity, SharedFile};
pub(crate) use reservation::{Mapped, Reservation};
pub(crate) use table::{Snapshot, Table};
pub(crate) use written::Written;

/// The size in bytes of what memory is mapped in.
pub(crate) fn page_size() -> usize {
    system::page_size()
}

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

    /// Whether some byte is in both.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.contains(other.start, 1) || other.contains(self.start, 1)
    }
}
