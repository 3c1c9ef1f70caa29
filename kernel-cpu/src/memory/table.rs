//! Which memory is live.

use super::{Allocation, Origin, Span, Written};
use std::sync::{Arc, LazyLock, RwLock};

/// The live allocations at some moment, in the order of their addresses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshot {
    allocations: Vec<Arc<Allocation>>,
    /// Whether some of them may only be read.
    has_read_only: bool,
    /// Addresses that are reserved, so that there is only memory where an allocation is.
    reserved: Vec<Span>,
}

impl Snapshot {
    /// The one without any allocation; always the same, so that taking it costs no memory.
    pub(crate) fn empty() -> Arc<Self> {
        static EMPTY: LazyLock<Arc<Snapshot>> = LazyLock::new(Arc::default);
        Arc::clone(&EMPTY)
    }

    /// Whether there is memory that may only be read.
    pub(crate) fn has_read_only(&self) -> bool {
        self.has_read_only
    }

    /// Whether there is surely no memory of the host program: some of the addresses are reserved, and in no allocation.
    pub(crate) fn is_reserved(&self, range: Span) -> bool {
        self.reserved.iter().any(|reserved| reserved.meets(range))
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Allocation> {
        self.allocations.iter().map(|allocation| &**allocation)
    }

    /// The allocation that is nearest to an address which is in none, if there is any.
    pub(crate) fn nearest(&self, address: u64) -> Option<&Arc<Allocation>> {
        let after = self.allocations.partition_point(|allocation| allocation.span().start <= address);
        let (before, after) = (self.allocations[..after].last(), self.allocations.get(after));
        let behind = |allocation: &Allocation| {
            let span = allocation.span();
            address.saturating_sub(span.start.saturating_add(span.length))
        };
        match (before, after) {
            (Some(before), Some(after)) if behind(before) > after.span().start - address => Some(after),
            (before, after) => before.or(after),
        }
    }

    /// Notes that bytes have been written, where it is watched whether they are.
    pub(crate) fn mark(&self, address: u64, size: usize) {
        if let Some((written, offset)) = self.watched(address) {
            written.mark(offset, size as u64);
        }
    }

    /// Notes that bytes have been copied.
    pub(crate) fn copied(&self, to: u64, from: u64, size: usize) {
        if let Some((written, offset)) = self.watched(to) {
            written.copy(offset, self.watched(from), size as u64);
        }
    }

    /// What is known of the bytes at an address, and their offset in it.
    fn watched(&self, address: u64) -> Option<(&Written, u64)> {
        let allocation = self.find(address)?;
        Some((allocation.written.as_deref()?, address - allocation.span().start))
    }

    /// The allocation whose start is closest at or below the address and that contains it.
    pub(crate) fn find(&self, address: u64) -> Option<&Arc<Allocation>> {
        let after = self.allocations.partition_point(|allocation| allocation.span().start <= address);
        let candidate = self.allocations[..after].last()?;
        candidate.span().contains(address, 1).then_some(candidate)
    }
}

/// The live allocations, as they come and go.
///
/// Readers take a snapshot, which costs a reference count. Writers copy, which is what allocation can afford.
#[derive(Debug, Default)]
pub(crate) struct Table {
    current: RwLock<Arc<Snapshot>>,
}

impl Table {
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.current.read().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    pub(crate) fn insert(&self, allocation: Arc<Allocation>) {
        self.update(|allocations| insert(allocations, allocation));
    }

    /// The same, unless some of it is in another one; whether it has been inserted.
    pub(crate) fn insert_apart(&self, allocation: Arc<Allocation>) -> bool {
        let mut is_apart = false;
        self.update(|allocations| {
            is_apart = !allocations.iter().any(|other| other.span().meets(allocation.span()));
            if is_apart {
                insert(allocations, allocation);
            }
        });
        is_apart
    }

    /// Removes the first allocation that matches, and returns it.
    pub(crate) fn remove(&self, matches: impl Fn(&Allocation) -> bool) -> Option<Arc<Allocation>> {
        let mut removed = None;
        self.update(|allocations| {
            let place = allocations.iter().position(|allocation| matches(allocation));
            removed = place.map(|place| allocations.remove(place));
        });
        removed
    }

    /// Puts pages in the place of all that were mapped in a range.
    pub(crate) fn replace_mapped(&self, range: Span, pages: Vec<Allocation>) {
        self.update(|allocations| {
            let is_old = |allocation: &Allocation| {
                allocation.origin == Origin::Mapped && range.contains(allocation.span().start, 1)
            };
            let residents: Vec<Span> = allocations
                .iter()
                .filter(|allocation| is_old(allocation) && allocation.is_resident())
                .map(|allocation| allocation.span())
                .collect();
            allocations.retain(|allocation| !is_old(allocation));
            let place = allocations.partition_point(|other| other.span().start < range.start);
            for page in &pages {
                page.set_resident(residents.iter().any(|resident| resident.meets(page.span())));
            }
            allocations.splice(place..place, pages.into_iter().map(Arc::new));
        });
    }

    /// Says that addresses are reserved.
    pub(crate) fn reserve(&self, range: Span) {
        self.change(|snapshot| snapshot.reserved.push(range));
    }

    /// Says that they are not any more.
    pub(crate) fn unreserve(&self, range: Span) {
        self.change(|snapshot| snapshot.reserved.retain(|reserved| *reserved != range));
    }

    fn update(&self, change: impl FnOnce(&mut Vec<Arc<Allocation>>)) {
        self.change(|snapshot| {
            change(&mut snapshot.allocations);
            snapshot.has_read_only = snapshot.allocations.iter().any(|allocation| allocation.is_read_only);
        });
    }

    fn change(&self, change: impl FnOnce(&mut Snapshot)) {
        let mut current = self.current.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut snapshot = Snapshot::clone(&current);
        change(&mut snapshot);
        *current = Arc::new(snapshot);
    }
}

/// Inserts an allocation where it keeps the order of their addresses.
fn insert(allocations: &mut Vec<Arc<Allocation>>, allocation: Arc<Allocation>) {
    let start = allocation.span().start;
    let place = allocations.partition_point(|other| other.span().start < start);
    allocations.insert(place, allocation);
}
