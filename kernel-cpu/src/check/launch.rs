//! What the threads that execute a launch share.

use super::race::Race;
use super::segment::Segments;
use super::shadow::Shadow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The accesses of a launch so far.
#[derive(Debug, Default)]
pub(crate) struct LaunchCheck {
    pub(super) segments: Segments,
    /// The histories of each allocation that has been accessed, by its number.
    shadows: Mutex<HashMap<u64, Arc<Shadow>>>,
    /// The race that was found first.
    race: Mutex<Option<Box<Race>>>,
}

impl LaunchCheck {
    /// The histories of an allocation with this number and size.
    pub(super) fn shadow(&self, id: u64, bytes: u64) -> Arc<Shadow> {
        let mut shadows = lock(&self.shadows);
        Arc::clone(shadows.entry(id).or_insert_with(|| Arc::new(Shadow::new(bytes))))
    }

    pub(super) fn note_race(&self, race: Race) {
        lock(&self.race).get_or_insert_with(|| Box::new(race));
    }

    /// The race that was found first, if any was.
    pub(crate) fn race(&self) -> Option<Box<Race>> {
        lock(&self.race).clone()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
