//! Locks and atomic numbers of what threads share: those of the standard library, or those of `shuttle`, which tries out orders of threads, in models
//! (`--cfg kernel_model`).

#[cfg(kernel_model)]
pub(crate) use shuttle::sync::{Condvar, Mutex, MutexGuard, RwLock, RwLockReadGuard, atomic};
#[cfg(not(kernel_model))]
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard, RwLock, RwLockReadGuard, atomic};
