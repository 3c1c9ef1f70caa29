//! A protocol whose states are types.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::marker::PhantomData;
    pub struct Missing;
    pub struct Present;
    pub struct Idle;
    pub struct Running {
        started: u32,
    }
    pub struct Done(u64);
    #[derive(Clone, Copy, Default)]
    struct Settings {
        baud: u32,
        parity: Parity,
        stop: u8,
    }
    #[derive(Clone, Copy, Default, PartialEq, Eq)]
    #[repr(u8)]
    pub enum Parity {
        #[default]
        None = 0,
        Odd = 3,
        Even = 5,
    }
    pub struct Builder<B, P> {
        settings: Settings,
        _m: PhantomData<(B, P)>,
    }
    impl Builder<Missing, Missing> {
        pub fn new() -> Self {
            Builder { settings: Settings { stop: 1, ..Default::default() }, _m: PhantomData }
        }
    }
    impl<B, P> Builder<B, P> {
        pub fn stop_bits(mut self, n: u8) -> Self {
            self.settings.stop = n;
            self
        }
        fn cast<C, Q>(self) -> Builder<C, Q> {
            Builder { settings: self.settings, _m: PhantomData }
        }
    }
    impl<P> Builder<Missing, P> {
        pub fn baud(mut self, b: u32) -> Builder<Present, P> {
            self.settings.baud = b;
            self.cast()
        }
    }
    impl<B> Builder<B, Missing> {
        pub fn parity(mut self, p: Parity) -> Builder<B, Present> {
            self.settings.parity = p;
            self.cast()
        }
    }
    impl Builder<Present, Present> {
        pub fn build(self) -> Machine<Idle> {
            Machine { s: self.settings, state: Idle }
        }
    }
    pub struct Machine<S> {
        s: Settings,
        state: S,
    }
    pub trait State {
        const NAME: &'static str;
        fn code(&self) -> u64 {
            Self::NAME.bytes().map(u64::from).sum()
        }
    }
    impl State for Idle {
        const NAME: &'static str = "idle";
    }
    impl State for Running {
        const NAME: &'static str = "running";
        fn code(&self) -> u64 {
            self.started as u64
        }
    }
    impl State for Done {
        const NAME: &'static str = "done";
    }
    impl Machine<Idle> {
        fn start(self, at: u32) -> Machine<Running> {
            let Machine { s, .. } = self;
            Machine { s, state: Running { started: at } }
        }
    }
    impl Machine<Running> {
        fn send(&mut self, byte: u8) -> u32 {
            let p = match self.s.parity {
                Parity::None => 0,
                Parity::Odd => (byte.count_ones() & 1) ^ 1,
                Parity::Even => byte.count_ones() & 1,
            };
            self.state.started = self.state.started.rotate_left(3) ^ (byte as u32) << 1 ^ p;
            8 + p + self.s.stop as u32 + (self.s.parity != Parity::None) as u32
        }
        fn finish(self) -> Machine<Done> {
            let total = self.s.baud as u64 * self.state.started as u64;
            Machine { state: Done(total), s: self.s }
        }
    }
    impl<S: State> Machine<S> {
        fn describe(&self) -> u64 {
            self.state.code() * 10 + S::NAME.len() as u64
        }
    }
    impl From<Machine<Done>> for u64 {
        fn from(m: Machine<Done>) -> u64 {
            m.state.0 + m.s.parity as u64
        }
    }
    pub fn run(i: u32) -> u64 {
        let parity = [Parity::None, Parity::Odd, Parity::Even][i as usize % 3];
        let m = Builder::new().baud(9600 + i).stop_bits(2).parity(parity).build();
        let a = m.describe();
        let mut m = m.start(i);
        let bits: u32 = b"hello, world".iter().map(|&b| m.send(b)).sum();
        let b = m.describe();
        let m = m.finish();
        a ^ b << 5 ^ m.describe() ^ u64::from(bits) ^ u64::from(m)
    }
}

#[kernel]
pub fn typestates(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&TYPESTATES, program::run)
}
