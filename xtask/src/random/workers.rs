//! Tries programs on as many threads as there are processors, a batch on each at a time.
//!
//! A batch is a range of seeds. Its result is printed as soon as it is known, so that a run that is interrupted can be
//! continued where it was.

use super::options::Options;
use super::workshop::Workshop;
use super::{MAX_DIFFERENCES, Tally, generate};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// How many programs are compiled at once, at most.
const BATCH: u64 = 200;

/// What the threads share.
struct Progress {
    /// The number of the first program that nobody has taken yet, counted from the first seed.
    next: u64,
    tally: Tally,
    /// Why programs cannot be tried at all.
    failure: Option<String>,
}

/// The work of all threads.
struct Work<'a> {
    options: &'a Options,
    workshop: &'a Workshop,
    progress: Mutex<Progress>,
}

/// Tries all programs, or stops after a few differences.
///
/// # Errors
///
/// Why programs cannot be tried at all.
pub(super) fn try_all(options: &Options, workshop: &Workshop) -> Result<Tally, String> {
    let progress = Mutex::new(Progress { next: 0, tally: Tally::default(), failure: None });
    let work = Work { options, workshop, progress };
    thread::scope(|scope| {
        for worker in 0..options.jobs {
            let work = &work;
            scope.spawn(move || work.run(worker));
        }
    });
    let Progress { tally, failure, .. } = work.progress.into_inner().unwrap_or_else(PoisonError::into_inner);
    failure.map_or(Ok(tally), Err)
}

impl Work<'_> {
    fn run(&self, worker: u64) {
        while let Some(numbers) = self.take() {
            if let Err(failure) = self.try_batch(numbers, worker) {
                self.progress().failure.get_or_insert(failure);
            }
        }
    }

    /// The numbers of the next programs, unless there are no more or there is no point in going on.
    fn take(&self) -> Option<Range<u64>> {
        let Options { count, jobs, .. } = *self.options;
        let mut progress = self.progress();
        let failed = progress.failure.is_some() || progress.tally.failed() >= MAX_DIFFERENCES;
        if failed || progress.next >= count {
            return None;
        }
        let start = progress.next;
        progress.next = (start + BATCH.min(count.div_ceil(jobs))).min(count);
        Some(start..progress.next)
    }

    fn try_batch(&self, numbers: Range<u64>, worker: u64) -> Result<(), String> {
        let seed = |number: u64| self.options.seed.wrapping_add(number);
        let programs = numbers.clone().map(|number| generate::program(seed(number))).collect();
        let batch = self.workshop.compile(programs, &format!("worker{worker}"));
        let tally = batch.and_then(|batch| self.workshop.judge(&batch, &self.options.consumers));
        let tally = tally.map_err(|error| error.to_string())?;
        let failed: Vec<String> = tally.failed_seeds().map(|seed| seed.to_string()).collect();
        let failed = if failed.is_empty() { "none".to_owned() } else { failed.join(", ") };
        println!(
            "seeds {} to {}: {} equal, different are {failed}",
            seed(numbers.start),
            seed(numbers.end - 1),
            tally.equal
        );
        self.progress().tally.add(tally);
        Ok(())
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
