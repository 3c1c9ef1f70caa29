//! The limit on the time of launches, `KERNEL_CPU_TIMEOUT`, and the thread that sees to it.

use super::halt::Reason;
use super::launch::Launch;
use super::variable::variable;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The environment variable with the milliseconds that a launch may run; nothing, or zero, is no limit.
pub(crate) const TIMEOUT_VARIABLE: &str = "KERNEL_CPU_TIMEOUT";

/// How long a launch may run, if there is a limit. It is that of the first launch of the process.
pub(super) fn limit() -> Option<Duration> {
    static LIMIT: LazyLock<Option<Duration>> = LazyLock::new(|| {
        let given = variable(TIMEOUT_VARIABLE)?;
        parse(&given).unwrap_or_else(|| {
            // There is no call of the host whose error this could be.
            eprintln!(
                "{TIMEOUT_VARIABLE}={given:?} is no number of milliseconds, so that launches may run for ever"
            );
            None
        })
    });
    *LIMIT
}

/// The limit that a value of the variable sets; none if it is no number of milliseconds.
fn parse(text: &str) -> Option<Option<Duration>> {
    match text.trim() {
        "" => Some(None),
        number => number.parse().ok().map(|number| (number != 0).then(|| Duration::from_millis(number))),
    }
}

static WATCHDOG: LazyLock<Watchdog> = LazyLock::new(Watchdog::new);

/// The launches that run, and until when they may. One limit holds for all, so that those that began first come first.
struct Watchdog {
    running: Mutex<VecDeque<(Instant, Arc<Launch>)>>,
    begun: Condvar,
}

/// A launch that is watched until this is dropped.
pub(super) struct Watched<'a>(Option<&'a Arc<Launch>>);

/// Sees to it that a launch that begins now ends within the limit, if there is one.
pub(super) fn watch(launch: &Arc<Launch>) -> Watched<'_> {
    // A time too far off to count to is no limit.
    let Some(end) = limit().and_then(|limit| Instant::now().checked_add(limit)) else { return Watched(None) };
    let mut running = WATCHDOG.running();
    running.push_back((end, Arc::clone(launch)));
    if running.len() == 1 {
        WATCHDOG.begun.notify_one();
    }
    Watched(Some(launch))
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        if let Some(launch) = self.0 {
            WATCHDOG.running().retain(|(_, other)| !Arc::ptr_eq(other, launch));
        }
    }
}

impl Watchdog {
    fn new() -> Self {
        // Without a thread nothing is watched, as on a machine that can have no more threads nothing else is.
        drop(std::thread::Builder::new().name("kernel-cpu-time".into()).spawn(|| WATCHDOG.serve()));
        Self { running: Mutex::default(), begun: Condvar::new() }
    }

    fn running(&self) -> MutexGuard<'_, VecDeque<(Instant, Arc<Launch>)>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the thread does.
    fn serve(&self) {
        let mut running = self.running();
        loop {
            let now = Instant::now();
            while let Some((_, launch)) = running.pop_front_if(|(end, _)| *end <= now) {
                launch.halt(Reason::TimedOut);
            }
            running = match running.front() {
                None => self.begun.wait(running).unwrap_or_else(PoisonError::into_inner),
                Some((end, _)) => {
                    let rest = end.saturating_duration_since(now);
                    self.begun.wait_timeout(running, rest).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_a_number_of_milliseconds() {
        assert_eq!(parse("250"), Some(Some(Duration::from_millis(250))));
        assert_eq!(parse(" 1 "), Some(Some(Duration::from_millis(1))));
        assert_eq!(parse(""), Some(None));
        assert_eq!(parse("0"), Some(None));
        for wrong in ["1s", "-1", "1.5", "never"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
