//! What the threads that execute a launch share.

use super::race::Finding;
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
    /// What was found wrong first.
    finding: Mutex<Option<Box<Finding>>>,
}

impl LaunchCheck {
    /// The histories of an allocation with this number and size.
    pub(super) fn shadow(&self, id: u64, bytes: u64) -> Arc<Shadow> {
        let mut shadows = lock(&self.shadows);
        Arc::clone(shadows.entry(id).or_insert_with(|| Arc::new(Shadow::new(bytes))))
    }

    pub(super) fn note(&self, finding: Finding) {
        lock(&self.finding).get_or_insert_with(|| Box::new(finding));
    }

    /// What was found wrong first, if anything was.
    pub(crate) fn finding(&self) -> Option<Box<Finding>> {
        lock(&self.finding).clone()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
