//! The device's clock.

use std::sync::LazyLock;
use std::time::Instant;

/// Nanoseconds since the driver was first asked for the time.
pub(crate) fn now() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as u64
}
