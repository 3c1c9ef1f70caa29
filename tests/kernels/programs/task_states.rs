//! Tasks that run and block, and who is next.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::ops::ControlFlow;
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum State {
        Ready,
        Blocked { until: u32 },
        Finished,
    }
    #[derive(Debug, Clone, Copy)]
    pub struct Proc {
        pid: u8,
        burst: u32,
        state: State,
        waited: u32,
        turnaround: Option<u32>,
    }
    pub trait Policy {
        fn pick<'a>(&mut self, ready: &mut dyn_free::Ready<'a>) -> Option<usize>;
        const QUANTUM: Option<u32>;
    }
    pub mod dyn_free {
        pub struct Ready<'a> {
            pub procs: &'a [super::Proc],
            pub now: u32,
        }
    }
    pub struct RoundRobin {
        last: usize,
    }
    pub struct Shortest;
    impl Policy for RoundRobin {
        const QUANTUM: Option<u32> = Some(2);
        fn pick<'a>(&mut self, r: &mut dyn_free::Ready<'a>) -> Option<usize> {
            let n = r.procs.len();
            let found = (1..=n).map(|k| (self.last + k) % n).find(|&k| r.procs[k].state == State::Ready);
            if let Some(k) = found {
                self.last = k;
            }
            found
        }
    }
    impl Policy for Shortest {
        const QUANTUM: Option<u32> = None;
        fn pick<'a>(&mut self, r: &mut dyn_free::Ready<'a>) -> Option<usize> {
            r.procs
                .iter()
                .enumerate()
                .filter(|(_, p)| matches!(p.state, State::Ready))
                .min_by_key(|&(k, p)| (p.burst, k))
                .map(|(k, _)| k)
        }
    }
    fn simulate<P: Policy, const N: usize>(
        procs: &mut [Proc; N],
        mut policy: P,
        limit: u32,
    ) -> ControlFlow<u32, (u32, usize)> {
        let (mut now, mut switches) = (0, 0);
        loop {
            for p in procs.iter_mut() {
                if let State::Blocked { until } = p.state
                    && until <= now
                {
                    p.state = State::Ready;
                }
            }
            if procs.iter().all(|p| p.state == State::Finished) {
                return ControlFlow::Continue((now, switches));
            }
            if now >= limit {
                return ControlFlow::Break(now);
            }
            let Some(k) = policy.pick(&mut dyn_free::Ready { procs, now }) else {
                now += 1;
                continue;
            };
            let slice = P::QUANTUM.unwrap_or(u32::MAX).min(procs[k].burst);
            for (j, p) in procs.iter_mut().enumerate() {
                if j != k && p.state == State::Ready {
                    p.waited += slice;
                }
            }
            now += slice;
            switches += 1;
            let p = &mut procs[k];
            p.burst -= slice;
            p.state = if p.burst == 0 {
                p.turnaround.get_or_insert(now);
                State::Finished
            } else if p.burst % 3 == 0 {
                State::Blocked { until: now + 2 }
            } else {
                State::Ready
            };
        }
    }
    pub fn run(i: u32) -> u64 {
        let make = || {
            core::array::from_fn::<Proc, 4, _>(|k| Proc {
                pid: k as u8 + 1,
                burst: (k as u32 * 5 + i) % 7 + 1,
                state: if k == 2 { State::Blocked { until: i % 4 } } else { State::Ready },
                waited: 0,
                turnaround: None,
            })
        };
        let (mut a, mut b) = (make(), make());
        let r = simulate(&mut a, RoundRobin { last: 3 }, 100);
        let q = simulate(&mut b, Shortest, 9);
        let score = |p: &[Proc]| {
            p.iter()
                .map(|p| p.pid as u64 * p.waited as u64 + p.turnaround.map_or(500, u64::from))
                .sum::<u64>()
        };
        let mut sorted = b;
        sorted.sort_unstable_by(|x, y| y.state.cmp(&x.state).then_with(|| x.waited.cmp(&y.waited)));
        let code = match (r, q) {
            (ControlFlow::Continue((n, s)), ControlFlow::Break(m)) => n as u64 * 100 + s as u64 + m as u64,
            (ControlFlow::Continue(x), ControlFlow::Continue(y)) => (x.0 + y.0) as u64 * 7 + y.1 as u64,
            (ControlFlow::Break(_), _) => 3,
        };
        code * 1_000_003 + score(&a) * 1009 + score(&b) + sorted[0].pid as u64
    }
}

#[kernel]
pub fn task_states(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&TASK_STATES, program::run)
}
