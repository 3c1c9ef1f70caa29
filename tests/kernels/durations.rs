//! `core::time::Duration`: how it is made, taken apart, added, scaled, compared and refused.

use super::case::Case;
use super::seeded::case_by_seed;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::time::Duration;

    #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Stopwatch {
        elapsed: Duration,
        laps: u32,
    }

    impl Stopwatch {
        const LIMIT: Duration = Duration::from_secs(3600);

        fn lap(&mut self, time: Duration) -> Option<Duration> {
            self.laps += 1;
            self.elapsed += time;
            Self::LIMIT.checked_sub(self.elapsed)
        }
    }

    fn bits(duration: Duration) -> u32 {
        (duration.as_nanos() as u64 >> 3) as u32
            ^ (duration.as_secs() as u32).rotate_left(11)
            ^ duration.subsec_micros()
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let one = Duration::new(u64::from(seed % 500), seed % 1_000_000_000);
        let other = Duration::from_micros(u64::from(seed).rotate_left(7) % 9_000_000_007);
        let mut watch = Stopwatch::default();
        let left = watch.lap(one).and_then(|_| watch.lap(other)).unwrap_or(Duration::ZERO);
        let scaled = one * (seed % 9 + 1) / 7 + 3 * other;
        let total: Duration = [one, other, Duration::from_nanos(u64::from(seed))].into_iter().sum();
        let saturated = other.saturating_sub(one) + one.saturating_sub(other);
        let whole = [one.as_millis() as u64, total.as_micros() as u64, scaled.as_secs()];
        let is_full = Duration::MAX.checked_add(Duration::from_millis(1)).is_none();
        [
            bits(left) ^ watch.laps,
            bits(scaled),
            bits(total),
            bits(saturated) ^ bits(one.abs_diff(other)),
            whole.iter().fold(0, |hash: u32, &part| hash.wrapping_mul(31).wrapping_add(part as u32)),
            (one.max(other) / 3).as_secs_f64().to_bits() as u32,
            one.as_secs_f32().to_bits(),
            u32::from(is_full) | u32::from(one < other) << 1 | u32::from(other.is_zero()) << 2,
        ]
    }
}

#[kernel]
pub fn durations_measured(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn cases() -> Vec<Case> {
    vec![case_by_seed(&DURATIONS_MEASURED, program::run)]
}
