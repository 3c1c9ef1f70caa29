//! A state machine with typed states and events, and a debouncer, in the style of embedded Rust.

use crate::kernels::case::Case;
use crate::kernels::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod door {
    use core::marker::PhantomData;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Event {
        Open,
        Close,
        Lock { code: u16 },
        Unlock { code: u16 },
        Tick,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum State {
        Opened { ticks: u8 },
        Closed,
        Locked { code: u16, tries: u8 },
        Alarm,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Rejected(pub State, pub Event);

    pub trait Observer {
        fn changed(&mut self, from: &State, to: &State);
        fn rejected(&mut self, _: Rejected) {}
    }

    impl Observer for () {
        fn changed(&mut self, _: &State, _: &State) {}
    }

    impl<O: Observer> Observer for &mut O {
        fn changed(&mut self, from: &State, to: &State) {
            (**self).changed(from, to);
        }

        fn rejected(&mut self, what: Rejected) {
            (**self).rejected(what);
        }
    }

    #[derive(Default)]
    pub struct Log {
        pub hash: u32,
        pub rejections: u32,
    }

    impl Observer for Log {
        fn changed(&mut self, from: &State, to: &State) {
            self.hash = self.hash.wrapping_mul(31).wrapping_add(from.number() * 4 + to.number());
        }

        fn rejected(&mut self, Rejected(state, event): Rejected) {
            self.rejections += 1;
            if let (State::Locked { tries, .. }, Event::Unlock { code }) = (state, event) {
                self.hash ^= u32::from(code) << tries;
            }
        }
    }

    impl State {
        pub fn number(&self) -> u32 {
            match self {
                Self::Opened { ticks } => 10 + *ticks as u32,
                Self::Closed => 1,
                Self::Locked { tries, .. } => 20 + u32::from(*tries),
                Self::Alarm => 3,
            }
        }

        pub fn next(self, event: Event) -> Result<State, Rejected> {
            use Event::*;
            use State::*;
            match (self, event) {
                (Closed, Open) => Ok(Opened { ticks: 0 }),
                (Opened { .. }, Close) => Ok(Closed),
                (Opened { ticks: 3.. }, Tick) => Ok(Alarm),
                (Opened { ticks }, Tick) => Ok(Opened { ticks: ticks + 1 }),
                (Closed, Lock { code }) if code != 0 => Ok(Locked { code, tries: 0 }),
                (Locked { code, .. }, Unlock { code: given }) if code == given => Ok(Closed),
                (Locked { tries: 2, .. }, Unlock { .. }) => Ok(Alarm),
                (Locked { code, tries }, Unlock { .. }) => Ok(Locked { code, tries: tries + 1 }),
                (Alarm, Unlock { code: 0 }) => Ok(Closed),
                (state, Tick) => Ok(state),
                (state, event) => Err(Rejected(state, event)),
            }
        }
    }

    pub struct Machine<O> {
        state: State,
        observer: O,
    }

    impl<O: Observer> Machine<O> {
        pub fn new(observer: O) -> Self {
            Machine { state: State::Closed, observer }
        }

        pub fn handle(&mut self, event: Event) -> &State {
            match self.state.next(event) {
                Ok(next) => {
                    if next != self.state {
                        let from = core::mem::replace(&mut self.state, next);
                        self.observer.changed(&from, &self.state);
                    }
                }
                Err(what) => self.observer.rejected(what),
            }
            &self.state
        }
    }

    impl From<u16> for Event {
        fn from(word: u16) -> Self {
            let code = word >> 3;
            match word & 7 {
                0 | 5 => Event::Open,
                1 | 6 => Event::Close,
                2 => Event::Lock { code },
                3 => Event::Unlock { code },
                _ => Event::Tick,
            }
        }
    }

    /// A pin in a mode that its type says.
    pub struct Input;
    pub struct Output;

    pub struct Pin<Mode, const NUMBER: u8> {
        level: bool,
        mode: PhantomData<Mode>,
    }

    impl<const NUMBER: u8> Pin<Input, NUMBER> {
        pub fn new() -> Self {
            Self { level: false, mode: PhantomData }
        }

        pub fn into_output(self) -> Pin<Output, NUMBER> {
            Pin { level: self.level, mode: PhantomData }
        }
    }

    impl<const NUMBER: u8> Pin<Output, NUMBER> {
        pub fn set(&mut self, level: bool) -> u32 {
            let changes = self.level != level;
            self.level = level;
            u32::from(changes) * u32::from(NUMBER)
        }
    }

    pub fn run(words: &[u16]) -> [u32; 4] {
        let mut log = Log::default();
        let mut machine = Machine::new(&mut log);
        let mut alarms = 0;
        let mut lamp = Pin::<Input, 13>::new().into_output();
        let mut blinks = 0;
        for event in words.iter().copied().map(Event::from) {
            let state = machine.handle(event);
            alarms += matches!(state, State::Alarm) as u32;
            blinks += lamp.set(matches!(state, State::Opened { ticks } if *ticks % 2 == 0));
        }
        let mut quiet = Machine::new(());
        let last = words.iter().map(|&word| quiet.handle(word.into()).number()).last();
        [log.hash, log.rejections, alarms * 1000 + blinks, last.unwrap_or_default()]
    }
}

#[kernel]
pub fn doors(words: &[u16], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = door::run(&words[i * 3..i * 3 + 20]);
}

pub fn case() -> Case {
    let words: Vec<u16> = (0..80_u32).map(|i| (i * i * 7 + i * 13 >> 2) as u16 % 31).collect();
    let positions: Vec<usize> = (0..20).collect();
    let y = map(&positions, |i| door::run(&words[i * 3..i * 3 + 20]));
    Case::of(&DOORS).input(&words).output(&y).items([y.len()])
}
