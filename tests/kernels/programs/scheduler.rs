//! A real-time scheduler: tasks with periods and deadlines, policies as types, and what a simulation of them counts.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod scheduler {
    use core::cmp::Reverse;
    use core::num::NonZeroU16;
    use core::ops::ControlFlow;

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct Ticks(pub u32);

    impl core::ops::Add for Ticks {
        type Output = Ticks;
        fn add(self, rhs: Ticks) -> Ticks {
            Ticks(self.0 + rhs.0)
        }
    }

    impl core::ops::SubAssign<u32> for Ticks {
        fn sub_assign(&mut self, rhs: u32) {
            self.0 -= rhs;
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Task {
        pub period: NonZeroU16,
        pub cost: u16,
        pub deadline: Option<NonZeroU16>,
    }

    impl Task {
        pub const fn new(period: u16, cost: u16) -> Option<Self> {
            match NonZeroU16::new(period) {
                Some(period) if cost > 0 => Some(Self { period, cost, deadline: None }),
                _ => None,
            }
        }

        pub fn with_deadline(self, deadline: u16) -> Self {
            Self { deadline: NonZeroU16::new(deadline), ..self }
        }

        pub fn relative_deadline(&self) -> Ticks {
            Ticks(self.deadline.unwrap_or(self.period).get().into())
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Job {
        pub task: usize,
        pub released: Ticks,
        pub deadline: Ticks,
        pub left: Ticks,
    }

    pub trait Policy {
        type Key: Ord;
        fn key(job: &Job, task: &Task) -> Self::Key;
    }

    pub struct RateMonotonic;
    pub struct EarliestDeadline;
    pub struct LastComeFirstServed;

    impl Policy for RateMonotonic {
        type Key = (NonZeroU16, usize);
        fn key(job: &Job, task: &Task) -> Self::Key {
            (task.period, job.task)
        }
    }

    impl Policy for EarliestDeadline {
        type Key = (Ticks, Ticks, usize);
        fn key(job: &Job, _: &Task) -> (Ticks, Ticks, usize) {
            (job.deadline, job.released, job.task)
        }
    }

    impl Policy for LastComeFirstServed {
        type Key = (Reverse<Ticks>, usize);
        fn key(job: &Job, _task: &Task) -> Self::Key {
            (Reverse(job.released), job.task)
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Report {
        pub completed: u32,
        pub missed: u32,
        pub preemptions: u32,
        pub idle: u32,
        pub worst_response: u32,
    }

    pub struct Simulation<'t, P: Policy, const Q: usize> {
        tasks: &'t [Task],
        ready: [Option<Job>; Q],
        running: Option<usize>,
        report: Report,
        policy: core::marker::PhantomData<fn() -> P>,
    }

    impl<'t, P: Policy, const Q: usize> Simulation<'t, P, Q> {
        pub fn new(tasks: &'t [Task]) -> Self {
            Simulation {
                tasks,
                ready: [const { None }; Q],
                running: None,
                report: Report::default(),
                policy: Default::default(),
            }
        }

        fn release(&mut self, now: Ticks) -> ControlFlow<usize> {
            for (task, t) in self.tasks.iter().enumerate() {
                if now.0 % u32::from(t.period.get()) != 0 {
                    continue;
                }
                let Some(slot) = self.ready.iter_mut().find(|slot| slot.is_none()) else {
                    return ControlFlow::Break(task);
                };
                slot.replace(Job {
                    task,
                    released: now,
                    deadline: now + t.relative_deadline(),
                    left: Ticks(t.cost.into()),
                });
            }
            ControlFlow::Continue(())
        }

        fn pick(&self) -> Option<usize> {
            let jobs = self.ready.iter().enumerate().filter_map(|(i, job)| Some((i, job.as_ref()?)));
            jobs.min_by_key(|(_, job)| P::key(job, &self.tasks[job.task])).map(|(i, _)| i)
        }

        fn tick(&mut self, now: Ticks) -> ControlFlow<usize> {
            self.release(now)?;
            let next = self.pick();
            if let (Some(before), Some(after)) = (self.running, next) {
                if before != after && self.ready[before].is_some() {
                    self.report.preemptions += 1;
                }
            }
            self.running = next;
            match next.and_then(|i| self.ready[i].as_mut()) {
                None => self.report.idle += 1,
                Some(job) => {
                    job.left -= 1;
                    if job.left == Ticks(0) {
                        let end = now.0 + 1;
                        let response = end - job.released.0;
                        let late = end > job.deadline.0;
                        self.report.completed += 1;
                        self.report.missed += u32::from(late);
                        self.report.worst_response = self.report.worst_response.max(response);
                        self.ready[next.unwrap()] = None;
                        self.running = None;
                    }
                }
            }
            ControlFlow::Continue(())
        }

        pub fn run(mut self, ticks: u32) -> Result<Report, (Report, usize)> {
            match (0..ticks).map(Ticks).try_for_each(|now| self.tick(now)) {
                ControlFlow::Continue(()) => Ok(self.report),
                ControlFlow::Break(task) => Err((self.report, task)),
            }
        }
    }

    /// Whether the bound of Liu and Layland holds, in thousandths.
    pub fn utilisation(tasks: &[Task]) -> u32 {
        tasks.iter().map(|t| u32::from(t.cost) * 1000 / u32::from(t.period.get())).sum()
    }
}

#[device]
fn simulate<P: scheduler::Policy>(tasks: &[scheduler::Task]) -> [u32; 2] {
    let result = scheduler::Simulation::<P, 5>::new(tasks).run(60);
    let (report, overflow) = match result {
        Ok(report) => (report, 0),
        Err((report, task)) => (report, task as u32 + 1),
    };
    let scheduler::Report { completed, missed, preemptions, idle, worst_response } = report;
    [completed << 16 | missed << 8 | preemptions, idle << 16 | worst_response << 4 | overflow]
}

#[device]
pub fn program(seed: u32) -> [u32; 7] {
    use scheduler::*;
    let mut tasks = [Task::new(1, 1).unwrap(); 3];
    for (i, task) in tasks.iter_mut().enumerate() {
        let bits = seed >> (i * 6);
        *task = Task::new(3 + (bits & 7) as u16, 1 + (bits >> 3 & 3) as u16).expect("not zero");
        if bits & 0x20 != 0 {
            *task = task.with_deadline(2 + i as u16);
        }
    }
    let [a, b] = simulate::<RateMonotonic>(&tasks);
    let [c, d] = simulate::<EarliestDeadline>(&tasks);
    let [e, f] = simulate::<LastComeFirstServed>(&tasks);
    [a, b, c, d, e, f, utilisation(&tasks)]
}

#[kernel]
pub fn scheduler_runs(seeds: &[u32], y: &mut [[u32; 7]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&SCHEDULER_RUNS, program)
}
