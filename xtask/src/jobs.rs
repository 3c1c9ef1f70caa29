//! Runs checks on all cores, since each waits for another program.

use super::Module;
use super::report::Check;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Runs the checks of every module and returns them in the order of the modules.
pub(super) fn run(modules: &[Module], checks: fn(&Module) -> Vec<Check>) -> Vec<Check> {
    let workers = thread::available_parallelism().map_or(2, NonZero::get).min(modules.len());
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some((index, module)) = take(modules, &next) {
            done.push((index, checks(module)));
        }
        done
    };
    let mut done: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a check does not panic")).collect()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().flat_map(|(_, checks)| checks).collect()
}

fn take<'m>(modules: &'m [Module], next: &AtomicUsize) -> Option<(usize, &'m Module)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    modules.get(index).map(|module| (index, module))
}
