//! A lift as a state machine: calls, doors, obstacles and what it is stuck at.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::convert::Infallible;
    use core::ops::{ControlFlow, Not, RangeInclusive};

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Floor(u8);

    impl Floor {
        pub const LOBBY: Floor = Floor(0);
        const RANGE: RangeInclusive<u8> = 0..=9;

        fn toward(self, direction: Direction) -> Option<Self> {
            let next = match direction {
                Direction::Up => self.0.checked_add(1),
                Direction::Down => self.0.checked_sub(1),
            }?;
            next.try_into().ok()
        }

        fn distance(&self, other: &Floor) -> u8 {
            self.0.abs_diff(other.0)
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct NoSuchFloor(pub u8);

    impl TryFrom<u8> for Floor {
        type Error = NoSuchFloor;

        fn try_from(n: u8) -> Result<Self, Self::Error> {
            if Self::RANGE.contains(&n) { Ok(Floor(n)) } else { Err(NoSuchFloor(n)) }
        }
    }

    impl From<Floor> for usize {
        fn from(Floor(n): Floor) -> usize {
            n.into()
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[repr(u8)]
    pub enum Direction {
        Up = b'u',
        Down = b'd',
    }

    impl Not for Direction {
        type Output = Self;

        fn not(self) -> Self {
            match self {
                Direction::Up => Direction::Down,
                Direction::Down => Direction::Up,
            }
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum State {
        Idle { at: Floor },
        Moving { from: Floor, direction: Direction },
        DoorsOpen { at: Floor, ticks: u8, then: Option<Direction> },
        Stuck(&'static str),
    }

    #[derive(Debug, Clone, Copy)]
    pub enum Event {
        Call(Floor),
        Tick,
        Obstacle,
        Stop,
    }

    #[derive(Debug, Clone, Copy)]
    pub struct Elevator<const FLOORS: usize = 10> {
        state: State,
        calls: [bool; FLOORS],
        travelled: u32,
    }

    impl<const FLOORS: usize> Default for Elevator<FLOORS> {
        fn default() -> Self {
            Self { state: State::Idle { at: Floor::LOBBY }, calls: [false; FLOORS], travelled: 0 }
        }
    }

    impl<const FLOORS: usize> Elevator<FLOORS> {
        fn waiting(&self) -> impl DoubleEndedIterator<Item = Floor> + '_ {
            self.calls.iter().enumerate().filter(|&(_, &called)| called).map(|(i, _)| Floor(i as u8))
        }

        fn answer(&mut self, floor: Floor) -> bool {
            core::mem::take(&mut self.calls[usize::from(floor)])
        }

        fn heading(&self, at: Floor, preferred: Option<Direction>) -> Option<Direction> {
            let ahead = |direction: Direction| {
                self.waiting().any(|f| match direction {
                    Direction::Up => f > at,
                    Direction::Down => f < at,
                })
            };
            if let Some(d) = preferred.filter(|&d| ahead(d)) {
                return Some(d);
            }
            let nearest = self.waiting().min_by_key(|f| (f.distance(&at), f.0))?;
            (nearest != at).then(|| if nearest > at { Direction::Up } else { Direction::Down })
        }

        #[must_use]
        fn step(&mut self, event: Event) -> State {
            use Event::*;
            use State::*;
            match (self.state, event) {
                (Stuck(_), _) => self.state,
                (Idle { at } | DoorsOpen { at, .. }, Call(floor)) if floor == at => {
                    DoorsOpen { at, ticks: 3, then: None }
                }
                (state, Call(floor)) => {
                    self.calls[usize::from(floor)] = true;
                    state
                }
                (Idle { at }, Tick) => match self.heading(at, None) {
                    Some(direction) => Moving { from: at, direction },
                    None if at > Floor(4) => Moving { from: at, direction: Direction::Down },
                    None => self.state,
                },
                (Moving { from, direction }, Tick) => {
                    self.travelled += 1;
                    let Some(at) = from.toward(direction) else {
                        return Stuck("ran past the end");
                    };
                    if self.answer(at) {
                        DoorsOpen { at, ticks: 2, then: Some(direction) }
                    } else if let Some(direction) = self.heading(at, Some(direction)) {
                        Moving { from: at, direction }
                    } else {
                        Idle { at }
                    }
                }
                (DoorsOpen { at, ticks: 0, then }, Tick) => match self.heading(at, then) {
                    Some(direction) => Moving { from: at, direction },
                    None => Idle { at },
                },
                (DoorsOpen { at, ticks, then }, Tick) => DoorsOpen { at, ticks: ticks - 1, then },
                (DoorsOpen { at, ticks: t @ 0..=4, then }, Obstacle) => {
                    DoorsOpen { at, ticks: t + 2, then: then.map(Not::not) }
                }
                (DoorsOpen { .. }, Obstacle) => Stuck("doors blocked"),
                (Moving { .. }, Stop) => Stuck("stopped"),
                (state @ (Idle { .. } | Moving { .. } | DoorsOpen { .. }), Obstacle | Stop) => state,
            }
        }
    }

    fn events(seed: u32) -> impl Iterator<Item = Event> {
        core::iter::successors(Some(seed | 1), |&x| {
            let x = x ^ (x << 13);
            let x = x ^ (x >> 17);
            Some(x ^ (x << 5))
        })
        .map(|x| match x % 16 {
            0..=3 => Floor::try_from((x >> 8) as u8 % 12).map_or(Event::Tick, Event::Call),
            4 => Event::Obstacle,
            5 if x & 0xf000 == 0 => Event::Stop,
            _ => Event::Tick,
        })
    }

    fn never_fails(n: u32) -> Result<u32, Infallible> {
        Ok(n.swap_bytes())
    }

    pub fn run(seed: u32) -> [u32; 5] {
        let mut elevator: Elevator = Elevator::default();
        let mut open = 0;
        let outcome = events(seed).take(120).enumerate().try_for_each(|(time, event)| {
            elevator.state = elevator.step(event);
            if let State::DoorsOpen { at: Floor(n), .. } = elevator.state {
                open += u32::from(n) + 1;
            }
            match elevator.state {
                State::Stuck(why) => ControlFlow::Break((time, why)),
                _ => ControlFlow::Continue(()),
            }
        });
        let (time, letter) = match outcome {
            ControlFlow::Break((time, why)) => (time, why.as_bytes().last().copied().unwrap_or(b'?')),
            ControlFlow::Continue(()) => (120, b'-'),
        };
        let direction = match elevator.state {
            State::Moving { direction, .. } | State::DoorsOpen { then: Some(direction), .. } => {
                direction as u32
            }
            State::Idle { at } | State::DoorsOpen { at, then: None, .. } => at.0.into(),
            State::Stuck(_) => 1000,
        };
        let Ok(swapped) = never_fails(open);
        let last = elevator.waiting().next_back().map_or(77, |f| usize::from(f) as u32);
        [elevator.travelled * 1000 + last, swapped, time as u32, u32::from(letter), direction]
    }
}

#[kernel]
pub fn elevator_ridden(seeds: &[u32], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&ELEVATOR_RIDDEN, program::run)
}
