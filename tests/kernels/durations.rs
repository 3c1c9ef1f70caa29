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

#[device]
mod of_floats {
    use core::time::{Duration, TryFromFloatSecsError};

    fn code(made: Result<Duration, TryFromFloatSecsError>) -> u32 {
        match made {
            Ok(duration) => (duration.as_secs() as u32).rotate_left(9) ^ duration.subsec_nanos(),
            Err(_) => !0,
        }
    }

    pub fn run(seed: u32) -> [u32; 6] {
        let single = f32::from_bits(seed.rotate_left(seed % 31));
        // Halves of a nanosecond among them, which are rounded to even ones.
        let double = f64::from(seed) * 0.5e-9 + f64::from(seed % 3) * 4_503_599_627.0;
        let whole = f64::from_bits(u64::from(seed) << 33 | 1);
        let (made, scaled) = (Duration::from_secs_f64(double), Duration::from_secs(u64::from(seed % 90)));
        [
            code(Duration::try_from_secs_f32(single)),
            code(Duration::try_from_secs_f64(double)),
            code(Duration::try_from_secs_f64(whole)),
            made.subsec_nanos() ^ Duration::from_secs_f32(seed as f32 / 3.0).subsec_nanos(),
            code(Ok(scaled.mul_f64(0.3))) ^ code(Ok(made.mul_f32(1.75))),
            code(Ok(scaled.div_f64(7.0))) ^ code(Ok(scaled.div_f32(0.9))),
        ]
    }
}

#[kernel]
pub fn durations_of_floats(seeds: &[u32], y: &mut [[u32; 6]]) {
    let i = global_id(0);
    y[i] = of_floats::run(seeds[i]);
}

/// Numbers of which all are rounded otherwise, and one that is none.
const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0e-10,
    4.65e-10,
    5.0e-10,
    1.5e-9,
    0.999_999_999_499,
    0.999_999_999_5,
    2.7,
    1.0e-320,
    4.0e9,
    9_007_199_254_740_993.0,
    18_446_744_073_709_549_568.0,
    18_446_744_073_709_551_616.0,
    -1.0e-320,
    -2.5,
    f64::INFINITY,
    f64::NAN,
];

#[kernel]
pub fn durations_by_hand(x: &[f64], y: &mut [[u64; 2]]) {
    let i = global_id(0);
    y[i] = match core::time::Duration::try_from_secs_f64(x[i]) {
        Ok(duration) => [duration.as_secs(), u64::from(duration.subsec_nanos())],
        Err(_) => [u64::MAX; 2],
    };
}

fn by_hand(x: f64) -> [u64; 2] {
    match std::time::Duration::try_from_secs_f64(x) {
        Ok(duration) => [duration.as_secs(), u64::from(duration.subsec_nanos())],
        Err(_) => [u64::MAX; 2],
    }
}

pub fn cases() -> Vec<Case> {
    let expected: Vec<_> = FLOATS.iter().map(|&x| by_hand(x)).collect();
    vec![
        case_by_seed(&DURATIONS_MEASURED, program::run),
        case_by_seed(&DURATIONS_OF_FLOATS, of_floats::run),
        Case::of(&DURATIONS_BY_HAND).input(FLOATS).output(&expected).items([FLOATS.len()]),
    ]
}
