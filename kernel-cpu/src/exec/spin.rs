//! Waiting without sleeping.

/// Looks a number of times whether something has come about, which takes less time than sleeping and waking if it comes soon.
pub(crate) fn spin_until(spins: u32, mut has_come: impl FnMut() -> bool) {
    for _ in 0..spins {
        if has_come() {
            return;
        }
        std::hint::spin_loop();
    }
}
