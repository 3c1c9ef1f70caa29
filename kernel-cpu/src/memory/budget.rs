//! How much memory all allocations have together: no more than the machine has.
//!
//! Systems give out more addresses than they have memory for, and end a process that touches them all. A device has as much memory as it says, and an allocation beyond
//! that fails.

use crate::limits;
use std::sync::atomic::{AtomicU64, Ordering};

static TAKEN: AtomicU64 = AtomicU64::new(0);

/// Bytes that an allocation has taken, and gives back when it is gone.
#[derive(Debug, Default)]
pub(crate) struct Taken(u64);

impl Taken {
    /// Takes so many bytes; `None` if there are not so many left.
    pub(crate) fn new(size: usize) -> Option<Self> {
        let size = size as u64;
        let sum = |taken: u64| taken.checked_add(size).filter(|&sum| sum <= limits::max_allocation());
        TAKEN.fetch_update(Ordering::Relaxed, Ordering::Relaxed, sum).ok()?;
        Some(Self(size))
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        TAKEN.fetch_sub(self.0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_given_back() {
        let most = limits::max_allocation() as usize;
        let half = Taken::new(most / 2 + 1).unwrap();
        assert!(Taken::new(most / 2 + 1).is_none());
        drop(half);
        assert!(Taken::new(most / 2 + 1).is_some() && Taken::new(usize::MAX).is_none());
    }
}
