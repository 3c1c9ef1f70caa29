//! A simulation of discrete events: a binary heap of fixed capacity, customers who queue, servers with random times of service.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::cmp::{Ordering, Reverse};
    use core::fmt::Debug;
    use core::ops::{Add, AddAssign, Deref, Sub};

    /// A binary heap whose greatest element is on top.
    #[derive(Debug, Clone)]
    pub struct BinaryHeap<T, const N: usize> {
        data: [Option<T>; N],
        len: usize,
    }

    impl<T: Ord + Copy, const N: usize> BinaryHeap<T, N> {
        pub const fn new() -> Self {
            Self { data: [None; N], len: 0 }
        }

        pub fn push(&mut self, item: T) -> Result<(), T> {
            if self.len == N {
                return Err(item);
            }
            self.data[self.len] = Some(item);
            self.len += 1;
            self.sift_up(self.len - 1);
            Ok(())
        }

        pub fn pop(&mut self) -> Option<T> {
            let last = self.len.checked_sub(1)?;
            self.data.swap(0, last);
            self.len = last;
            let top = self.data[last].take();
            self.sift_down(0);
            top
        }

        pub fn peek(&self) -> Option<&T> {
            self.data.first()?.as_ref()
        }

        pub fn is_empty(&self) -> bool {
            self.len == 0
        }

        fn sift_up(&mut self, mut pos: usize) {
            while pos > 0 {
                let parent = (pos - 1) / 2;
                if self.data[pos] <= self.data[parent] {
                    break;
                }
                self.data.swap(pos, parent);
                pos = parent;
            }
        }

        fn sift_down(&mut self, mut pos: usize) {
            loop {
                let left = 2 * pos + 1;
                let Some(child) = (left..self.len.min(left + 2)).max_by_key(|&child| self.data[child]) else {
                    break;
                };
                if self.data[pos] >= self.data[child] {
                    break;
                }
                self.data.swap(pos, child);
                pos = child;
            }
        }

        pub fn drain_sorted(&mut self) -> DrainSorted<'_, T, N> {
            DrainSorted { heap: self }
        }
    }

    pub struct DrainSorted<'a, T, const N: usize> {
        heap: &'a mut BinaryHeap<T, N>,
    }

    impl<T: Ord + Copy, const N: usize> Iterator for DrainSorted<'_, T, N> {
        type Item = T;

        fn next(&mut self) -> Option<T> {
            self.heap.pop()
        }

        fn size_hint(&self) -> (usize, Option<usize>) {
            (self.heap.len, Some(self.heap.len))
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
    pub struct Time(u64);

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
    pub struct Duration(u64);

    impl Add<Duration> for Time {
        type Output = Time;
        fn add(self, d: Duration) -> Time {
            Time(self.0.saturating_add(d.0))
        }
    }

    impl AddAssign<Duration> for Time {
        fn add_assign(&mut self, d: Duration) {
            *self = *self + d;
        }
    }

    impl Sub for Time {
        type Output = Duration;
        fn sub(self, earlier: Time) -> Duration {
            Duration(self.0 - earlier.0)
        }
    }

    impl Deref for Duration {
        type Target = u64;
        fn deref(&self) -> &u64 {
            &self.0
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum EventKind {
        Arrival { customer: u16 },
        Departure { server: u8, customer: u16 },
        Tick,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Event {
        at: Time,
        seq: u32,
        kind: EventKind,
    }

    impl Ord for Event {
        fn cmp(&self, other: &Self) -> Ordering {
            // Earliest first out of a max-heap.
            other.at.cmp(&self.at).then_with(|| other.seq.cmp(&self.seq))
        }
    }

    impl PartialOrd for Event {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    #[derive(Default, Clone, Copy)]
    struct Stats {
        served: u32,
        lost: u32,
        waited: u64,
        longest: u64,
        ticks: u32,
    }

    struct Lcg(u64);

    impl Lcg {
        fn next_u32(&mut self) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as u32
        }

        fn duration(&mut self, mean: u64) -> Duration {
            let u = u64::from(self.next_u32() % 1000);
            Duration(1 + u * mean / 500)
        }
    }

    struct Simulation<const SERVERS: usize> {
        now: Time,
        events: BinaryHeap<Event, 24>,
        seq: u32,
        waiting: [Option<(u16, Time)>; 6],
        busy: [bool; SERVERS],
        rng: Lcg,
        stats: Stats,
    }

    impl<const SERVERS: usize> Simulation<SERVERS> {
        fn new(seed: u32) -> Self {
            Simulation {
                now: Time::default(),
                events: BinaryHeap::new(),
                seq: 0,
                waiting: Default::default(),
                busy: [false; SERVERS],
                rng: Lcg(seed.into()),
                stats: Stats::default(),
            }
        }

        fn schedule(&mut self, after: Duration, kind: EventKind) {
            let event = Event { at: self.now + after, seq: self.seq, kind };
            self.seq += 1;
            if let Err(Event { kind: EventKind::Arrival { .. }, .. }) = self.events.push(event) {
                self.stats.lost += 1;
            }
        }

        fn start_service(&mut self, customer: u16) -> bool {
            match self.busy.iter().position(|busy| !busy) {
                Some(server) => {
                    self.busy[server] = true;
                    let time = self.rng.duration(30);
                    self.schedule(time, EventKind::Departure { server: server as u8, customer });
                    true
                }
                None => false,
            }
        }

        fn handle(&mut self, event: Event) {
            debug_assert!(event.at >= self.now);
            self.now = event.at;
            match event.kind {
                EventKind::Arrival { customer } => {
                    if !self.start_service(customer) {
                        match self.waiting.iter_mut().find(|w| w.is_none()) {
                            Some(place) => *place = Some((customer, self.now)),
                            None => self.stats.lost += 1,
                        }
                    }
                    let gap = self.rng.duration(12);
                    if customer < 40 {
                        self.schedule(gap, EventKind::Arrival { customer: customer + 1 });
                    }
                }
                EventKind::Departure { server, customer: _ } => {
                    self.busy[usize::from(server)] = false;
                    self.stats.served += 1;
                    if let Some((next, since)) = self.waiting[0].take() {
                        self.waiting.rotate_left(1);
                        let waited = *(self.now - since);
                        self.stats.waited += waited;
                        self.stats.longest = self.stats.longest.max(waited);
                        self.start_service(next);
                    }
                }
                EventKind::Tick => {
                    self.stats.ticks += 1;
                    if !self.events.is_empty() {
                        self.schedule(Duration(50), EventKind::Tick);
                    }
                }
            }
        }

        fn run(mut self) -> (Time, Stats) {
            self.schedule(Duration(0), EventKind::Arrival { customer: 1 });
            self.schedule(Duration(50), EventKind::Tick);
            while let Some(event) = self.events.pop() {
                self.handle(event);
            }
            (self.now, self.stats)
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let (end, Stats { served, lost, waited, longest, ticks }) = Simulation::<3>::new(seed).run();
        let mut smallest = BinaryHeap::<Reverse<(u32, i8)>, 8>::new();
        for i in 0..10 {
            let value = seed.rotate_right(i * 5) % 100;
            if let Err(Reverse((v, _))) = smallest.push(Reverse((value, i as i8)))
                && smallest.peek().is_some_and(|Reverse(top)| top.0 < v)
            {
                smallest.pop();
                smallest.push(Reverse((v, -1))).unwrap();
            }
        }
        let order = smallest
            .drain_sorted()
            .map(|Reverse((v, i))| v ^ i as u32)
            .fold(0u32, |h, x| h.wrapping_mul(101).wrapping_add(x));
        [
            end.0 as u32,
            served,
            lost,
            waited as u32,
            longest as u32,
            ticks,
            order,
            u32::from(smallest.is_empty()),
        ]
    }
}

#[kernel]
pub fn queues_simulated(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&QUEUES_SIMULATED, program::run)
}
