//! How many threads execute kernels at a time.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Seats for the threads that execute kernels, as many as the process is to keep busy.
///
/// A thread that waits for its own launch always takes part, so that each launch goes on; the threads of the pool take what is left, and leave when there
/// is nothing left any more. So several queues keep no more threads busy than one does.
#[derive(Debug)]
pub(super) struct Seats {
    taken: AtomicUsize,
    count: usize,
}

/// One that is taken until this is dropped.
#[derive(Debug)]
pub(super) struct Seat<'a>(&'a Seats);

impl Seats {
    pub(super) const fn new(count: usize) -> Self {
        Self { taken: AtomicUsize::new(0), count }
    }

    /// Takes one, even if there is none left.
    pub(super) fn take(&self) -> Seat<'_> {
        self.taken.fetch_add(1, Ordering::Relaxed);
        Seat(self)
    }

    /// Takes one, if there is one left.
    pub(super) fn try_take(&self) -> Option<Seat<'_>> {
        let more = |taken: usize| (taken < self.count).then_some(taken + 1);
        self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok().map(|_| Seat(self))
    }

    /// Whether there are more threads than seats.
    pub(super) fn are_too_few(&self) -> bool {
        self.taken.load(Ordering::Relaxed) > self.count
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.0.taken.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_for_a_launch_takes_the_seat_of_who_helps() {
        let seats = Seats::new(2);
        let host = seats.take();
        let helper = seats.try_take().expect("one of two is left");
        assert!(seats.try_take().is_none());
        assert!(!seats.are_too_few());
        let other = seats.take();
        assert!(seats.are_too_few(), "the helper has to go");
        drop(helper);
        assert!(!seats.are_too_few());
        assert!(seats.try_take().is_none());
        drop((host, other));
        assert!(seats.try_take().is_some());
    }
}
