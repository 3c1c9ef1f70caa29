//! Launches that are done and can be filled in again, so that a launch need not allocate.

use super::launch::Launch;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The spare launches of a stream.
#[derive(Debug, Default)]
pub(crate) struct Spares(Mutex<Vec<Arc<Launch>>>);

/// The most that are kept.
const MAX_SPARES: usize = 256;

impl Spares {
    /// A launch that nothing else refers to, and that comes back here.
    pub(crate) fn take(self: &Arc<Self>) -> Arc<Launch> {
        let mut launch = self.launches().pop().unwrap_or_default();
        if let Some(own) = Arc::get_mut(&mut launch) {
            own.home = Some(Arc::clone(self));
        }
        launch
    }

    fn launches(&self) -> MutexGuard<'_, Vec<Arc<Launch>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets go of a launch that is done. Whoever does so last puts it back to where it came from.
///
/// Threads of the pool may find that there is nothing left for them when all others are through with a launch. Since all let go of it under one
/// lock, one of them is the last, and nobody has to wait for the others.
pub(crate) fn give_back(mut launch: Arc<Launch>) {
    let Some(home) = launch.home.clone() else { return };
    let mut launches = home.launches();
    match Arc::get_mut(&mut launch) {
        Some(own) if launches.len() < MAX_SPARES => {
            own.clear();
            launches.push(launch);
        }
        // It goes while the lock is held, see above.
        _ => drop(launch),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_that_lets_go_puts_a_launch_back() {
        let spares = Arc::<Spares>::default();
        let launch = spares.take();
        let (address, other) = (Arc::as_ptr(&launch), Arc::clone(&launch));
        give_back(launch);
        assert!(spares.launches().is_empty(), "somebody still has it");
        give_back(other);
        assert_eq!(spares.launches().len(), 1);
        assert_eq!(Arc::strong_count(&spares), 1, "a launch that is kept does not keep the others");
        assert_eq!(Arc::as_ptr(&spares.take()), address);
    }

    #[test]
    fn threads_that_let_go_at_the_same_time_lose_no_launch() {
        let spares = Arc::<Spares>::default();
        for _ in 0..200 {
            let launch = spares.take();
            std::thread::scope(|scope| {
                for _ in 0..3 {
                    let launch = Arc::clone(&launch);
                    scope.spawn(move || give_back(launch));
                }
                give_back(launch);
            });
            assert_eq!(spares.launches().len(), 1);
        }
    }
}
