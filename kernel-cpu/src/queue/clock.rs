//! The device's clock, which is one of the host's too.

/// Nanoseconds of the clock by which the host can compare: on Linux `CLOCK_MONOTONIC_RAW`, which nobody adjusts; elsewhere nanoseconds since the driver was first
/// asked for the time.
#[cfg(target_os = "linux")]
pub(crate) fn now() -> u64 {
    use std::ffi::{c_int, c_long};

    /// From `linux/time.h`.
    const MONOTONIC_RAW: c_int = 4;

    #[repr(C)]
    struct Time {
        seconds: c_long,
        nanoseconds: c_long,
    }

    unsafe extern "C" {
        fn clock_gettime(clock: c_int, time: *mut Time) -> c_int;
    }

    let mut time = Time { seconds: 0, nanoseconds: 0 };
    // SAFETY: the pointer is to a live variable. The clock is always there.
    let _ = unsafe { clock_gettime(MONOTONIC_RAW, &mut time) };
    time.seconds as u64 * 1_000_000_000 + time.nanoseconds as u64
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn now() -> u64 {
    use std::sync::LazyLock;
    use std::time::Instant;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as u64
}
