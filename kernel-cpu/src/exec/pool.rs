//! The threads that share the work-groups of launches.
//!
//! They live as long as the process. One that has nothing to do looks for work for some microseconds before
//! it sleeps, because launches tend to follow each other closely and waking a thread costs more than a small
//! launch.

use super::group::Worker;
use super::launch::{Launch, SPINS};
use super::spares::give_back;
use super::watchdog::watch;
use crate::fault::FaultReport;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};

static POOL: LazyLock<Pool> = LazyLock::new(Pool::new);

thread_local! {
    /// The memory in which this thread executes groups.
    static WORKER: RefCell<Worker> = RefCell::default();
}

struct Pool {
    /// The launches that may have groups left.
    launches: Mutex<Vec<Arc<Launch>>>,
    wake: Condvar,
    /// Counts the launches that have come, so that a thread sees new work without the lock.
    arrivals: AtomicU64,
    threads: usize,
}

/// The number of threads that execute a launch together.
pub(crate) fn thread_count() -> usize {
    POOL.threads
}

/// Executes a launch that has been begun on all threads, this one among them; returns its first fault when all is done.
pub(crate) fn run(launch: &Arc<Launch>) -> Option<FaultReport> {
    let _watched = watch(launch);
    #[cfg(all(target_arch = "x86_64", unix))]
    if super::executor::is_compared() {
        return WORKER.with_borrow_mut(|worker| launch.compare(worker));
    }
    let shared = launch.is_parallel() && POOL.threads > 1;
    if shared {
        POOL.offer(launch);
    }
    WORKER.with_borrow_mut(|worker| launch.participate(worker));
    if shared {
        POOL.withdraw(launch);
    }
    launch.wait()
}

impl Pool {
    fn new() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        for index in 1..threads {
            let builder = std::thread::Builder::new().name(format!("kernel-cpu-{index}"));
            // Without a thread there is less parallelism, but every launch is still executed by the thread
            // that waits for it.
            drop(builder.spawn(|| POOL.serve()));
        }
        Self { launches: Mutex::default(), wake: Condvar::new(), arrivals: AtomicU64::new(0), threads }
    }

    fn launches(&self) -> MutexGuard<'_, Vec<Arc<Launch>>> {
        self.launches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn offer(&self, launch: &Arc<Launch>) {
        self.launches().push(Arc::clone(launch));
        self.arrivals.fetch_add(1, Ordering::Release);
        self.wake.notify_all();
    }

    fn withdraw(&self, launch: &Arc<Launch>) {
        self.launches().retain(|other| !Arc::ptr_eq(other, launch));
    }

    /// What the threads of the pool do.
    fn serve(&self) {
        let mut seen = 0;
        loop {
            if let Some(launch) = self.next(&mut seen) {
                WORKER.with_borrow_mut(|worker| launch.participate(worker));
                give_back(launch);
            }
        }
    }

    /// A launch with groups left; sleeps if there is none.
    fn next(&self, seen: &mut u64) -> Option<Arc<Launch>> {
        for _ in 0..SPINS {
            if self.arrivals.load(Ordering::Acquire) != *seen {
                break;
            }
            std::hint::spin_loop();
        }
        let mut launches = self.launches();
        loop {
            *seen = self.arrivals.load(Ordering::Acquire);
            if let Some(launch) = launches.iter().find(|launch| !launch.is_handed_out()) {
                return Some(Arc::clone(launch));
            }
            launches = self.wake.wait(launches).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
