//! The races that were found last, by what is said of them.
//!
//! The host gets a text (`zeDriverGetLastErrorDescription`), and who has the driver as a crate may ask for the rest.

use super::race::DataRace;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many are kept.
const MOST: usize = 64;

static RECENT: Mutex<VecDeque<(String, DataRace)>> = Mutex::new(VecDeque::new());

fn recent() -> MutexGuard<'static, VecDeque<(String, DataRace)>> {
    RECENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps a race of which a text tells.
pub(crate) fn remember(text: &str, race: &DataRace) {
    let mut recent = recent();
    if recent.len() == MOST {
        recent.pop_front();
    }
    recent.push_back((text.to_owned(), race.clone()));
}

/// The race of which a text tells that this driver gave as the description of an error, if it is one of the last that were found.
#[must_use]
pub fn race_of(text: &str) -> Option<DataRace> {
    recent().iter().rev().find(|(known, _)| known == text).map(|(_, race)| race.clone())
}
