//! Counter-based events that several processes have.
//!
//! All processes map a page: it says how many signals there have been, and which of the last ones have come. A signal has its number from when its command is appended, and who waits then waits for
//! the last number so far. What other processes write there is hostile: it is only ever numbers.

use crate::memory::Allocation;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How many signals of an event may be on their way.
const MANY: usize = 256;

/// The page.
#[repr(C)]
struct Page {
    /// The number of the last signal.
    last: AtomicU64,
    /// At the place of a number, once it has come: the number times two, and one more if what was to signal it has failed.
    come: [AtomicU64; MANY],
}

/// The state of an event that several processes have.
#[derive(Debug)]
pub(crate) struct SharedCounter(Arc<Allocation>);

impl SharedCounter {
    /// How many bytes it takes.
    pub(crate) const BYTES: usize = size_of::<Page>();

    /// That in memory; none if it is too small.
    pub(crate) fn new(memory: Arc<Allocation>) -> Option<Self> {
        let fits = Self::BYTES as u64 <= memory.span().length && memory.start().cast::<Page>().is_aligned();
        fits.then_some(Self(memory))
    }

    /// The memory that it is in.
    pub(crate) fn memory(&self) -> &Arc<Allocation> {
        &self.0
    }

    fn page(&self) -> &Page {
        // SAFETY: the memory is large enough and aligned, lives as long as this, and all of its bits are those of atomics.
        unsafe { &*self.0.start().cast() }
    }

    /// The number of the last signal.
    pub(super) fn last(&self) -> u64 {
        self.page().last.load(Ordering::Acquire)
    }

    fn next(&self) -> u64 {
        self.page().last.fetch_add(1, Ordering::AcqRel).wrapping_add(1)
    }

    fn place(&self, number: u64) -> &AtomicU64 {
        &self.page().come[(number % MANY as u64) as usize]
    }
}

/// One of the signals.
#[derive(Debug)]
pub(super) struct Numbered {
    shared: Arc<SharedCounter>,
    number: AtomicU64,
}

impl Numbered {
    /// The one with a number.
    pub(super) fn with_number(shared: &Arc<SharedCounter>, number: u64) -> Self {
        Self { shared: Arc::clone(shared), number: AtomicU64::new(number) }
    }

    /// A new one.
    pub(super) fn next(shared: &Arc<SharedCounter>) -> Self {
        Self::with_number(shared, shared.next())
    }

    pub(super) fn number(&self) -> u64 {
        self.number.load(Ordering::Acquire)
    }

    /// Makes it a new one.
    pub(super) fn renew(&self) {
        self.number.store(self.shared.next(), Ordering::Release);
    }

    /// Where a counter is, and what it reaches when the signal comes.
    pub(super) fn counter(&self) -> (u64, u64) {
        let number = self.number();
        (self.shared.place(number).as_ptr().addr() as u64, come(number))
    }

    pub(super) fn is_signalled(&self) -> bool {
        let number = self.number();
        self.shared.place(number).load(Ordering::Acquire) >= come(number)
    }

    pub(super) fn signal(&self, failed: bool) {
        let number = self.number();
        let place = self.shared.place(number);
        // The place is still that of an earlier number if that has not come.
        if let Some(earlier) = number.checked_sub(MANY as u64) {
            while place.load(Ordering::Acquire) < come(earlier) {
                std::thread::sleep(Duration::from_micros(10));
            }
        }
        place.fetch_max(come(number) | u64::from(failed), Ordering::AcqRel);
    }

    /// What is known of the failure of what has signalled it.
    pub(super) fn failure(&self) -> Option<Arc<str>> {
        let number = self.number();
        let failed = self.shared.place(number).load(Ordering::Acquire) == come(number) | 1;
        failed.then(|| "what signals the event in another process has failed".into())
    }
}

/// What is at the place of a number once that has come.
fn come(number: u64) -> u64 {
    number.wrapping_mul(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Usage;

    fn shared() -> Arc<SharedCounter> {
        let memory = Allocation::new(SharedCounter::BYTES, 8, Usage::Host).unwrap();
        Arc::new(SharedCounter::new(Arc::new(memory)).unwrap())
    }

    #[test]
    fn signals_come_in_any_order() {
        let shared = shared();
        let none = Numbered::with_number(&shared, shared.last());
        assert!(none.is_signalled(), "nothing was to signal it");
        let [first, second] = [Numbered::next(&shared), Numbered::next(&shared)];
        second.signal(true);
        assert!(!first.is_signalled() && second.is_signalled());
        assert!(second.failure().is_some());
        let (address, value) = first.counter();
        first.signal(false);
        assert!(first.is_signalled() && first.failure().is_none());
        // SAFETY: it is the address of a number in the page.
        assert!(unsafe { (address as *const u64).read() } >= value);
        second.renew();
        assert!(!second.is_signalled());
    }

    #[test]
    fn places_are_used_again() {
        let shared = shared();
        let first = Numbered::next(&shared);
        first.signal(true);
        for _ in 0..MANY {
            Numbered::next(&shared).signal(false);
        }
        assert!(first.is_signalled() && first.failure().is_none());
        assert!(!Numbered::next(&shared).is_signalled());
    }

    #[test]
    fn what_is_too_small_is_none() {
        let memory = Allocation::new(64, 8, Usage::Host).unwrap();
        assert!(SharedCounter::new(Arc::new(memory)).is_none());
    }
}
