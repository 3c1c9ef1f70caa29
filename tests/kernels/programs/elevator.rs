//! A state machine with hooks.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod elevator {
    pub trait State {
        const NAME: &'static str;
        fn allowed(&self) -> &'static [Event];
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Event {
        Call(u8),
        Arrive,
        DoorTimeout,
        Fault { code: u16 },
        Reset,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub enum Mode {
        #[default]
        Idle,
        Moving {
            from: u8,
            to: u8,
        },
        DoorsOpen(u8),
        Broken(u16),
    }

    #[derive(Debug)]
    pub struct Controller<H> {
        mode: Mode,
        floor: u8,
        queue: [Option<u8>; 4],
        hook: H,
    }

    pub trait Hook {
        fn on_transition(&mut self, old: Mode, new: Mode);
    }

    impl Hook for () {
        fn on_transition(&mut self, _: Mode, _: Mode) {}
    }

    #[derive(Default, Debug)]
    pub struct Counter {
        pub transitions: u32,
        pub distance: u32,
    }

    impl Hook for Counter {
        fn on_transition(&mut self, old: Mode, new: Mode) {
            if core::mem::discriminant(&old) != core::mem::discriminant(&new) {
                self.transitions += 1;
            }
            if let Mode::Moving { from, to } = new {
                self.distance += u32::from(from.abs_diff(to));
            }
        }
    }

    impl<H: Hook> Hook for &mut H {
        fn on_transition(&mut self, old: Mode, new: Mode) {
            (**self).on_transition(old, new)
        }
    }

    impl Mode {
        fn step(self, floor: u8, event: Event) -> Option<Mode> {
            use {Event::*, Mode::*};
            Some(match (self, event) {
                (_, Fault { code }) => Broken(code),
                (Broken(_), Reset) => Idle,
                (Broken(_), _) => return None,
                (Idle, Call(to)) if to == floor => DoorsOpen(floor),
                (Idle, Call(to)) => Moving { from: floor, to },
                (Moving { to, .. }, Arrive) => DoorsOpen(to),
                (DoorsOpen(_), DoorTimeout) => Idle,
                _ => return None,
            })
        }
    }

    impl<H: Hook> Controller<H> {
        pub fn with_hook(hook: H) -> Self {
            Self { mode: Mode::default(), floor: 0, queue: [None; 4], hook }
        }

        pub fn handle(&mut self, event: Event) -> Result<Mode, Event> {
            let next = match self.mode.step(self.floor, event) {
                Some(next) => next,
                None => {
                    if let Event::Call(f) = event {
                        if let Some(slot) = self.queue.iter_mut().find(|s| s.is_none()) {
                            *slot = Some(f);
                            return Ok(self.mode);
                        }
                    }
                    return Err(event);
                }
            };
            let old = core::mem::replace(&mut self.mode, next);
            if let Mode::DoorsOpen(f) = next {
                self.floor = f;
            }
            self.hook.on_transition(old, next);
            if next == Mode::Idle {
                if let Some(f) = self.queue.iter_mut().find_map(Option::take) {
                    return self.handle_queued(f);
                }
            }
            Ok(self.mode)
        }

        fn handle_queued(&mut self, f: u8) -> Result<Mode, Event> {
            let next = self.mode.step(self.floor, Event::Call(f)).ok_or(Event::Call(f))?;
            let old = core::mem::replace(&mut self.mode, next);
            self.hook.on_transition(old, next);
            if let Mode::DoorsOpen(f) = next {
                self.floor = f;
            }
            Ok(next)
        }

        pub fn floor(&self) -> u8 {
            self.floor
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use elevator::{Controller, Counter, Event, Mode};
    const SCRIPT: [Event; 6] = [
        Event::Call(3),
        Event::Arrive,
        Event::DoorTimeout,
        Event::Call(7),
        Event::Fault { code: 42 },
        Event::Reset,
    ];
    let mut counter = Counter::default();
    let mut c = Controller::with_hook(&mut counter);
    let mut errors = 0u32;
    let mut s = seed;
    for i in 0..20 {
        s = s.rotate_left(7).wrapping_mul(0x9E3779B1) ^ i;
        let event = SCRIPT[(s >> 13) as usize % SCRIPT.len()];
        match c.handle(event) {
            Ok(Mode::Broken(code)) => errors += u32::from(code),
            Ok(_) => (),
            Err(Event::Call(f)) => errors += 1000 * f as u32,
            Err(_) => errors += 1,
        }
    }
    let floor = c.floor();
    counter.transitions << 24 ^ counter.distance << 12 ^ errors ^ (floor as u32) << 8
}

#[kernel]
pub fn elevator(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&ELEVATOR, |i| program(seed(i)))
}
