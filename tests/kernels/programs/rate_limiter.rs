//! The generic cell rate algorithm with a clock behind a trait, in the manner of `governor`.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::cell::Cell;
    use core::convert::Infallible;
    use core::num::NonZeroU32;
    use core::ops::{Add, Div, Mul, Sub};
    use core::time::Duration;

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Nanos(u64);

    impl Nanos {
        pub const fn as_u64(self) -> u64 {
            self.0
        }

        pub fn saturating_sub(self, rhs: impl Into<Nanos>) -> Nanos {
            Nanos(self.0.saturating_sub(rhs.into().0))
        }
    }

    impl From<Duration> for Nanos {
        fn from(d: Duration) -> Self {
            Nanos(d.as_nanos().try_into().expect("the duration fits"))
        }
    }

    impl From<Nanos> for Duration {
        fn from(n: Nanos) -> Self {
            Duration::from_nanos(n.0)
        }
    }

    impl From<u64> for Nanos {
        fn from(n: u64) -> Self {
            Nanos(n)
        }
    }

    impl Add<Nanos> for Nanos {
        type Output = Nanos;
        fn add(self, rhs: Nanos) -> Nanos {
            Nanos(self.0 + rhs.0)
        }
    }

    impl Sub<Nanos> for Nanos {
        type Output = Nanos;
        fn sub(self, rhs: Nanos) -> Nanos {
            Nanos(self.0 - rhs.0)
        }
    }

    impl Mul<u64> for Nanos {
        type Output = Nanos;
        fn mul(self, rhs: u64) -> Nanos {
            Nanos(self.0 * rhs)
        }
    }

    impl Div<Nanos> for Nanos {
        type Output = u64;
        fn div(self, rhs: Nanos) -> u64 {
            self.0 / rhs.0
        }
    }

    pub trait Reference: Sized + Add<Nanos, Output = Self> + PartialEq + Eq + Ord + Copy + Clone {
        fn duration_since(&self, earlier: Self) -> Nanos;
    }

    impl Reference for Nanos {
        fn duration_since(&self, earlier: Self) -> Nanos {
            self.saturating_sub(earlier)
        }
    }

    pub trait Clock {
        type Instant: Reference;
        fn now(&self) -> Self::Instant;
    }

    #[derive(Debug, Default)]
    pub struct FakeClock {
        now: Cell<u64>,
    }

    impl FakeClock {
        pub fn advance(&self, by: Duration) {
            let by: Nanos = by.into();
            self.now.set(self.now.get() + by.as_u64());
        }
    }

    impl Clock for FakeClock {
        type Instant = Nanos;

        fn now(&self) -> Nanos {
            Nanos(self.now.get())
        }
    }

    impl<C: Clock> Clock for &C {
        type Instant = C::Instant;

        fn now(&self) -> C::Instant {
            C::now(self)
        }
    }

    #[derive(Debug, PartialEq, Eq, Clone, Copy)]
    pub struct Quota {
        max_burst: NonZeroU32,
        replenish_1_per: Duration,
    }

    impl Quota {
        pub const fn per_second(max_burst: NonZeroU32) -> Quota {
            let replenish_interval_ns = Duration::from_secs(1).as_nanos() / (max_burst.get() as u128);
            Quota { max_burst, replenish_1_per: Duration::from_nanos(replenish_interval_ns as u64) }
        }

        pub const fn allow_burst(self, max_burst: NonZeroU32) -> Quota {
            Quota { max_burst, ..self }
        }

        pub fn burst_size_replenished_in(&self) -> Duration {
            self.replenish_1_per * self.max_burst.get()
        }
    }

    pub trait StateStore {
        fn measure_and_replace<T, F, E>(&self, f: F) -> Result<T, E>
        where
            F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>;
    }

    #[derive(Default)]
    pub struct InMemoryState(Cell<Option<Nanos>>);

    impl StateStore for InMemoryState {
        fn measure_and_replace<T, F, E>(&self, f: F) -> Result<T, E>
        where
            F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
        {
            let prev = self.0.get();
            let (result, new) = f(prev)?;
            self.0.set(Some(new));
            Ok(result)
        }
    }

    #[derive(Debug, PartialEq, Eq, Clone, Copy)]
    pub struct NotUntil {
        wait: Nanos,
    }

    #[derive(Debug, PartialEq, Eq, Clone, Copy)]
    pub enum NegativeMultiDecision {
        BatchNonConforming(NotUntil),
        InsufficientCapacity(u32),
    }

    pub struct RateLimiter<S, C: Clock> {
        state: S,
        clock: C,
        start: C::Instant,
        t: Nanos,
        tau: Nanos,
    }

    impl<S: StateStore + Default, C: Clock> RateLimiter<S, C> {
        pub fn direct(quota: Quota, clock: C) -> Self {
            let start = clock.now();
            RateLimiter {
                state: S::default(),
                start,
                t: quota.replenish_1_per.into(),
                tau: quota.burst_size_replenished_in().into(),
                clock,
            }
        }

        pub fn check_n(&self, n: NonZeroU32) -> Result<Result<u32, NotUntil>, NegativeMultiDecision> {
            let weight = self.t * u64::from(n.get() - 1);
            if weight + self.t > self.tau {
                return Err(NegativeMultiDecision::InsufficientCapacity((self.tau / self.t) as u32));
            }
            let t0 = self.clock.now().duration_since(self.start);
            let decision = self.state.measure_and_replace(|tat| {
                let tat = tat.unwrap_or(t0 + self.t);
                let earliest = (tat + weight).saturating_sub(self.tau);
                if t0 < earliest {
                    Err(NotUntil { wait: earliest - t0 })
                } else {
                    let next = tat.max(t0) + self.t + weight;
                    let left = (t0 + self.tau).saturating_sub(next) / self.t;
                    Ok((left as u32, next))
                }
            });
            match decision {
                Err(e) if n.get() > 1 => Err(NegativeMultiDecision::BatchNonConforming(e)),
                other => Ok(other),
            }
        }

        pub fn check(&self) -> Result<u32, NotUntil> {
            const ONE: NonZeroU32 = NonZeroU32::new(1).unwrap();
            match self.check_n(ONE) {
                Ok(decision) => decision,
                Err(_) => unreachable!("one is never too many"),
            }
        }
    }

    fn never(x: Result<u64, Infallible>) -> u64 {
        match x {
            Ok(x) => x,
            Err(e) => match e {},
        }
    }

    pub fn run(i: u32) -> u64 {
        let clock = FakeClock::default();
        let per = NonZeroU32::new(i % 9 + 1).unwrap();
        let quota = Quota::per_second(per).allow_burst(NonZeroU32::MIN.saturating_add(i % 4));
        let limiter = RateLimiter::<InMemoryState, _>::direct(quota, &clock);
        let mut h = 0u64;
        for step in 0..10u32 {
            clock.advance(Duration::from_millis(u64::from(i * 7 % 40 + step * 13)));
            let outcome = if step % 4 == 3 {
                match limiter.check_n(NonZeroU32::new(step).unwrap()) {
                    Ok(Ok(left)) => left as u64,
                    Ok(Err(NotUntil { wait })) => wait.0,
                    Err(NegativeMultiDecision::BatchNonConforming(not)) => {
                        Duration::from(not.wait).as_micros() as u64
                    }
                    Err(NegativeMultiDecision::InsufficientCapacity(n)) => u64::from(n) << 40,
                }
            } else {
                limiter.check().map(u64::from).unwrap_or_else(|not| not.wait.as_u64())
            };
            h = h.rotate_left(11) ^ outcome;
        }
        never(Ok(h))
    }
}

#[kernel]
pub fn rate_limiter(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&RATE_LIMITER, program::run)
}
