//! Keeps commands from memory whose pages are being exchanged for others.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

static PAGES: RwLock<()> = RwLock::new(());

/// Nobody accesses memory for a command as long as this is there.
pub(super) type Held = RwLockWriteGuard<'static, ()>;

/// Leaves the pages of all memory where they are as long as the answer is there, which a command has while it accesses some.
pub(crate) fn hold() -> RwLockReadGuard<'static, ()> {
    PAGES.read().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until no command accesses memory.
pub(super) fn alone() -> Held {
    PAGES.write().unwrap_or_else(PoisonError::into_inner)
}
