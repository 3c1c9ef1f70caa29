//! A state variable filter, generic over its samples, in a chain of processors.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! A state variable filter, generic over its samples, in a chain of processors.
    use core::f32::consts::PI;

    pub trait Sample:
        Copy
        + Default
        + core::ops::Add<Output = Self>
        + core::ops::Sub<Output = Self>
        + core::ops::Mul<Output = Self>
    {
        const EQUILIBRIUM: Self;
        fn from_f32(x: f32) -> Self;
        fn to_f32(self) -> f32;
    }

    impl Sample for f32 {
        const EQUILIBRIUM: f32 = 0.0;
        fn from_f32(x: f32) -> f32 {
            x
        }
        fn to_f32(self) -> f32 {
            self
        }
    }

    impl Sample for f64 {
        const EQUILIBRIUM: f64 = 0.0;
        fn from_f32(x: f32) -> f64 {
            f64::from(x)
        }
        fn to_f32(self) -> f32 {
            self as f32
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Mode {
        LowPass,
        BandPass,
        HighPass,
        Notch,
    }

    pub trait Processor<S> {
        fn process(&mut self, sample: S) -> S;

        fn process_block(&mut self, block: &mut [S])
        where
            S: Copy,
        {
            for sample in block {
                *sample = self.process(*sample);
            }
        }
    }

    #[derive(Clone, Debug)]
    pub struct Svf<S> {
        ic1: S,
        ic2: S,
        a: [S; 3],
        k: S,
        mode: Mode,
    }

    impl<S: Sample> Svf<S> {
        pub fn new(mode: Mode, cutoff: f32, q: f32, sample_rate: f32) -> Self {
            let g = (PI * cutoff / sample_rate).min(1.5);
            let g = g + g * g * g / 3.0;
            let k = 1.0 / q;
            let a1 = 1.0 / (1.0 + g * (g + k));
            let a2 = g * a1;
            let a3 = g * a2;
            Svf {
                ic1: S::EQUILIBRIUM,
                ic2: S::EQUILIBRIUM,
                a: [a1, a2, a3].map(S::from_f32),
                k: S::from_f32(k),
                mode,
            }
        }
    }

    impl<S: Sample> Processor<S> for Svf<S> {
        fn process(&mut self, v0: S) -> S {
            let [a1, a2, a3] = self.a;
            let v3 = v0 - self.ic2;
            let v1 = a1 * self.ic1 + a2 * v3;
            let v2 = self.ic2 + a2 * self.ic1 + a3 * v3;
            let two = S::from_f32(2.0);
            self.ic1 = two * v1 - self.ic1;
            self.ic2 = two * v2 - self.ic2;
            match self.mode {
                Mode::LowPass => v2,
                Mode::BandPass => v1,
                Mode::HighPass => v0 - self.k * v1 - v2,
                Mode::Notch => v0 - self.k * v1,
            }
        }
    }

    pub struct Gain<S>(pub S);

    impl<S: Sample> Processor<S> for Gain<S> {
        fn process(&mut self, sample: S) -> S {
            sample * self.0
        }
    }

    pub struct Chain<A, B> {
        first: A,
        second: B,
    }

    impl<S, A: Processor<S>, B: Processor<S>> Processor<S> for Chain<A, B> {
        fn process(&mut self, sample: S) -> S {
            self.second.process(self.first.process(sample))
        }
    }

    fn envelope(signal: impl Iterator<Item = f32>, attack: f32, release: f32) -> impl Iterator<Item = f32> {
        signal.map(f32::abs).scan(0.0, move |state, x| {
            let coefficient = if x > *state { attack } else { release };
            *state += coefficient * (x - *state);
            Some(*state)
        })
    }

    fn rms<S: Sample>(block: &[S]) -> f32 {
        let sum: f32 = block.iter().map(|s| s.to_f32()).map(|x| x * x).sum();
        (sum / block.len() as f32).sqrt()
    }

    pub fn run(seed: u32) -> [u32; 4] {
        let mode = [Mode::LowPass, Mode::BandPass, Mode::HighPass, Mode::Notch][(seed % 4) as usize];
        let cutoff = 100.0 + (seed >> 8) as f32 % 9000.0;
        let mut block = [0.0f32; 24];
        block.iter_mut().enumerate().for_each(|(i, s)| *s = if i % 6 < 3 { 1.0 } else { -0.5 });
        let mut doubles = block.map(f64::from);
        let mut chain = Chain { first: Svf::new(mode, cutoff, 0.7, 44_100.0), second: Gain(0.8f32) };
        chain.process_block(&mut block);
        Svf::new(mode, cutoff, 0.7, 44_100.0).process_block(&mut doubles);
        let peak = envelope(block.iter().copied(), 0.3, 0.05).fold(0.0f32, f32::max);
        [block[23].to_bits(), (doubles[23] as f32).to_bits(), peak.to_bits(), rms(&doubles).to_bits()]
    }
}

#[kernel]
pub fn state_filter(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&STATE_FILTER, program::run)
}
