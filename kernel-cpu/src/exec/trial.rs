//! How long a kernel is interpreted before native code is made of it.
//!
//! Making code takes longer than interpreting a short launch. So a kernel is interpreted until that has taken about as long as making the code will: whatever is
//! launched after that, at most twice the time of the better choice has gone by. How long it will take follows from the number of instructions, and from how
//! long others took in this process.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long it takes to make code of an instruction, in nanoseconds; until some has been made, a guess.
static PACE: AtomicU64 = AtomicU64::new(if cfg!(debug_assertions) { 1_500_000 } else { 40_000 });

/// Notes how long it took to make code of so many instructions.
pub(super) fn note_pace(instructions: usize, time: Duration) {
    let latest = nanos(time) / instructions.max(1) as u64;
    let before = PACE.load(Ordering::Relaxed);
    PACE.store((before / 4 * 3 + latest / 4).max(1), Ordering::Relaxed);
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// What has been spent on interpreting a kernel so far.
#[derive(Debug, Default)]
pub(super) struct Trial {
    spent: AtomicU64,
    /// Whether a thread has begun to make code.
    claimed: AtomicBool,
}

impl Trial {
    /// Runs something, and adds the time that it takes to what has been spent.
    pub(super) fn time<T>(&self, run: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = run();
        self.spent.fetch_add(nanos(start.elapsed()), Ordering::Relaxed);
        result
    }

    /// Lets no more time be spent.
    #[cfg(test)]
    pub(super) fn end(&self) {
        self.spent.store(u64::MAX, Ordering::Relaxed);
    }

    /// Whether it is time to make code of so many instructions, and this thread is the one to do it.
    pub(super) fn claim(&self, instructions: usize) -> bool {
        let limit = PACE.load(Ordering::Relaxed).saturating_mul(instructions as u64);
        self.spent.load(Ordering::Relaxed) >= limit && !self.claimed.swap(true, Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_makes_code_once_enough_is_spent() {
        let trial = Trial::default();
        assert!(!trial.claim(1000));
        trial.end();
        assert!(trial.claim(1000));
        assert!(!trial.claim(1000));
    }
}
