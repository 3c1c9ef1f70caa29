//! The device's clock.

use core::time::Duration;

/// How a device counts time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Clock {
    /// The nanoseconds of a tick.
    pub(crate) nanoseconds: f64,
    /// How many bits of a count mean something; it starts again from zero after them.
    pub(crate) bits: u32,
}

impl Clock {
    /// The time from one count to a later one, which is less than that after which counts repeat.
    pub(crate) fn duration(self, start: u64, end: u64) -> Duration {
        let mask = u64::MAX >> 64_u32.saturating_sub(self.bits).min(63);
        let ticks = end.wrapping_sub(start) & mask;
        Duration::from_secs_f64(ticks as f64 * self.nanoseconds / 1e9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_start_again() {
        let clock = Clock { nanoseconds: 80.0, bits: 32 };
        assert_eq!(clock.duration(10, 15), Duration::from_nanos(400));
        assert_eq!(clock.duration(u64::from(u32::MAX), 4), Duration::from_nanos(400));
        let clock = Clock { nanoseconds: 1.0, bits: 64 };
        assert_eq!(clock.duration(u64::MAX, 4), Duration::from_nanos(5));
    }
}
