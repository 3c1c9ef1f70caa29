//! Cooperative launches: all work-groups make progress at the same time, each on a thread of its own, and may wait for each other at barriers of the device. The threads are those of the launch alone, since
//! those that launches share may be busy with others.

use super::executor::Executor;
use super::group::Worker;
use super::launch::{Failure, Kernel, Launch};
use super::pool::thread_count;
use crate::fault::{Fault, FaultKind, FaultReport};
use crate::program::Site;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The most work-groups that a cooperative launch may have.
pub(crate) fn max_cooperative_groups() -> u32 {
    (4 * thread_count() as u32).clamp(8, 256)
}

/// How often a group that waits looks whether the launch has ended meanwhile.
const LOOK: Duration = Duration::from_millis(5);

/// Where the groups of a launch meet.
#[derive(Debug, Default)]
pub(super) struct Meeting {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    groups: u64,
    /// How many wait, and at which barrier.
    waiting: u64,
    site: Option<Site>,
    /// How many have ended.
    ended: u64,
    /// How often all have met.
    round: u64,
}

impl Meeting {
    /// Makes it ready for so many groups.
    pub(super) fn start(&self, groups: u64) {
        *self.state() = State { groups, ..State::default() };
    }

    /// Waits for the other groups at a barrier.
    ///
    /// # Errors
    ///
    /// They are at another one, or have ended, or `is_over` says that the launch has.
    pub(super) fn wait(&self, site: Site, is_over: impl Fn() -> bool) -> Result<(), FaultKind> {
        let mut state = self.state();
        let first = *state.site.get_or_insert(site);
        if first != site {
            return Err(FaultKind::DivergentBarrier { other: Some(first) });
        }
        state.waiting += 1;
        if state.waiting == state.groups {
            (state.waiting, state.site) = (0, None);
            state.round += 1;
            self.changed.notify_all();
            return Ok(());
        }
        let round = state.round;
        while state.round == round {
            if state.ended > 0 && state.waiting + state.ended >= state.groups || is_over() {
                return Err(FaultKind::DivergentBarrier { other: None });
            }
            let (next, _) = self.changed.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner);
            state = next;
        }
        Ok(())
    }

    /// Says that a group has ended.
    pub(super) fn end(&self) {
        self.state().ended += 1;
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Launch {
    /// Executes all groups at the same time; returns the first fault.
    pub(super) fn run_cooperatively(&self) -> Option<FaultReport> {
        let kernel = self.work.kernel.as_deref()?;
        let (first, total) = (self.work.geometry.group(0), self.group_count());
        self.work.meeting.start(total);
        let started = std::thread::scope(|scope| {
            (1..total).all(|group| {
                let builder = std::thread::Builder::new().name(format!("kernel-cpu-group-{group}"));
                let is_there = builder.spawn_scoped(scope, move || self.run_one(kernel, group)).is_ok();
                if !is_there {
                    self.refuse(kernel, FaultKind::NoThread, first);
                }
                is_there
            }) && {
                self.run_one(kernel, 0);
                true
            }
        });
        debug_assert!(started || self.work.has_failed());
        self.state().fault.take()
    }

    /// Executes one group on this thread.
    fn run_one(&self, kernel: &Kernel, group: u64) {
        let (mut worker, executor) = (Worker::default(), Executor::Interpreter);
        executor.prepare(&mut worker, kernel, &self.work);
        let outcome = executor.run(&mut worker, kernel, &self.work, group..group + 1);
        if let Err(failure) = outcome {
            self.note(kernel, failure);
        }
        self.work.meeting.end();
    }

    /// The fault of a launch whose groups would wait for others that are not there, if it is one.
    pub(super) fn waits_in_vain(&self) -> Option<FaultReport> {
        let kernel = self.work.kernel.as_deref()?;
        let &site = kernel.program.device_barriers.first()?;
        if self.group_count() <= 1 || self.is_cooperative() {
            return None;
        }
        let fault = Fault { kind: FaultKind::NotCooperative, site, lane: 0 };
        Some(self.report(kernel, Failure { fault, group: self.work.geometry.group(0), item: 0 }))
    }

    fn refuse(&self, kernel: &Kernel, kind: FaultKind, group: [u32; 3]) {
        self.note(kernel, Failure { fault: Fault { kind, site: Site(0), lane: 0 }, group, item: 0 });
    }
}
