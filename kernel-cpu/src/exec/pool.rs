//! The threads that share the work-groups of launches.
//!
//! They live as long as the process. One that has nothing to do looks for work for some microseconds before
//! it sleeps, because launches tend to follow each other closely and waking a thread costs more than a small
//! launch.
//!
//! There are as many as `KERNEL_CPU_THREADS` says, or as the process may use processors at a time; one of them is the thread that waits for the launch. What they share
//! with those of other launches is the [`Seats`].

use super::group::Worker;
use super::launch::{Launch, SPINS};
use super::seats::{Seat, Seats};
use super::spares::give_back;
use super::spin::spin_until;
use super::threads;
use super::watchdog::watch;
use crate::fault::FaultReport;
use crate::print::Printer;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};

static POOL: LazyLock<Pool> = LazyLock::new(Pool::new);

thread_local! {
    /// The memory in which this thread executes groups.
    static WORKER: RefCell<Worker> = RefCell::default();
}

struct Pool {
    board: Mutex<Board>,
    wake: Condvar,
    /// Counts the launches that have come, so that a thread sees new work without the lock.
    arrivals: AtomicU64,
    threads: usize,
    seats: Seats,
}

/// What the threads look at.
#[derive(Default)]
struct Board {
    /// The launches that may have groups left.
    launches: Vec<Arc<Launch>>,
    /// How many threads sleep. Waking takes a call of the system, whether anybody sleeps or not.
    sleeping: usize,
}

/// The number of threads that execute a launch together.
pub(crate) fn thread_count() -> usize {
    POOL.threads
}

/// Executes a launch that has been begun on all threads, this one among them; returns its first fault when all is done.
pub(crate) fn run(launch: &Arc<Launch>) -> Option<FaultReport> {
    let _watched = watch(launch);
    let _printing = launch.printer().map(Printer::begin);
    if let Some(fault) = launch.waits_in_vain() {
        return Some(fault);
    }
    if launch.is_cooperative() && launch.group_count() > 1 {
        return launch.run_cooperatively();
    }
    #[cfg(all(target_arch = "x86_64", unix))]
    if super::executor::runs_twice() {
        return WORKER.with_borrow_mut(|worker| launch.compare(worker));
    }
    let shared = launch.is_parallel() && POOL.threads > 1;
    let seat = POOL.seats.take();
    if shared {
        POOL.offer(launch);
    }
    WORKER.with_borrow_mut(|worker| launch.participate(worker, || true));
    drop(seat);
    if shared {
        POOL.withdraw(launch);
    }
    launch.wait()
}

impl Pool {
    fn new() -> Self {
        let threads = threads::wanted();
        for index in 1..threads {
            let builder = std::thread::Builder::new().name(format!("kernel-cpu-{index}"));
            // Without a thread there is less parallelism, but every launch is still executed by the thread
            // that waits for it.
            drop(builder.spawn(|| POOL.serve()));
        }
        Self {
            board: Mutex::default(),
            wake: Condvar::new(),
            arrivals: AtomicU64::new(0),
            threads,
            seats: Seats::new(threads),
        }
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn offer(&self, launch: &Arc<Launch>) {
        let mut board = self.board();
        board.launches.push(Arc::clone(launch));
        self.arrivals.fetch_add(1, Ordering::Release);
        if board.sleeping > 0 {
            self.wake.notify_all();
        }
    }

    fn withdraw(&self, launch: &Arc<Launch>) {
        let mut board = self.board();
        board.launches.retain(|other| !Arc::ptr_eq(other, launch));
        // The seat of the thread that is through is free for others.
        if !board.launches.is_empty() && board.sleeping > 0 {
            self.wake.notify_one();
        }
    }

    /// What the threads of the pool do.
    fn serve(&self) {
        let mut seen = 0;
        loop {
            let (launch, seat) = self.next(&mut seen);
            WORKER.with_borrow_mut(|worker| launch.participate(worker, || !self.seats.are_too_few()));
            drop(seat);
            give_back(launch);
        }
    }

    /// A launch with groups left, and a seat; sleeps if there is none.
    fn next(&self, seen: &mut u64) -> (Arc<Launch>, Seat<'_>) {
        spin_until(SPINS, || self.arrivals.load(Ordering::Acquire) != *seen);
        let mut board = self.board();
        loop {
            *seen = self.arrivals.load(Ordering::Acquire);
            if let Some(launch) = board.launches.iter().find(|launch| !launch.is_handed_out())
                && let Some(seat) = self.seats.try_take()
            {
                return (Arc::clone(launch), seat);
            }
            board.sleeping += 1;
            board = self.wake.wait(board).unwrap_or_else(PoisonError::into_inner);
            board.sleeping -= 1;
        }
    }
}
