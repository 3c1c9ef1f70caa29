//! Audio filters.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! Audio filters.
    use core::f32::consts::{FRAC_1_SQRT_2, PI};

    #[derive(Clone, Copy, Debug)]
    pub enum Kind {
        LowPass,
        HighPass,
        Peak { gain_db: f32 },
    }

    #[derive(Clone, Copy, Debug, Default)]
    pub struct Coefficients {
        b: [f32; 3],
        a: [f32; 2],
    }

    impl Coefficients {
        pub fn new(kind: Kind, rate: f32, freq: f32, q: f32) -> Self {
            use Kind::*;
            let w0 = 2.0 * PI * freq / rate;
            let (sin, cos) = (w0 - w0 * w0 * w0 / 6.0, 1.0 - w0 * w0 / 2.0);
            let alpha = sin / (2.0 * q);
            let (b, a) = match kind {
                LowPass => (
                    [(1.0 - cos) / 2.0, 1.0 - cos, (1.0 - cos) / 2.0],
                    [1.0 + alpha, -2.0 * cos, 1.0 - alpha],
                ),
                HighPass => (
                    [(1.0 + cos) / 2.0, -(1.0 + cos), (1.0 + cos) / 2.0],
                    [1.0 + alpha, -2.0 * cos, 1.0 - alpha],
                ),
                Peak { gain_db } => {
                    let g = 1.0 + gain_db / 40.0;
                    (
                        [1.0 + alpha * g, -2.0 * cos, 1.0 - alpha * g],
                        [1.0 + alpha / g, -2.0 * cos, 1.0 - alpha / g],
                    )
                }
            };
            Coefficients { b: b.map(|c| c / a[0]), a: [a[1] / a[0], a[2] / a[0]] }
        }
    }

    pub trait Filter {
        fn process(&mut self, x: f32) -> f32;
        fn process_block(&mut self, block: &mut [f32]) {
            for sample in block.iter_mut() {
                *sample = self.process(*sample);
            }
        }
    }

    #[derive(Clone, Copy)]
    pub struct Biquad {
        c: Coefficients,
        z1: f32,
        z2: f32,
    }

    impl From<Coefficients> for Biquad {
        fn from(c: Coefficients) -> Self {
            Biquad { c, z1: 0.0, z2: 0.0 }
        }
    }

    impl Filter for Biquad {
        #[inline]
        fn process(&mut self, x: f32) -> f32 {
            let Coefficients { b, a } = self.c;
            let y = b[0] * x + self.z1;
            self.z1 = b[1] * x - a[0] * y + self.z2;
            self.z2 = b[2] * x - a[1] * y;
            y
        }
    }

    pub struct Chain<A, B>(A, B);

    impl<A: Filter, B: Filter> Filter for Chain<A, B> {
        fn process(&mut self, x: f32) -> f32 {
            self.1.process(self.0.process(x))
        }
    }

    impl<F: Filter + ?Sized> Filter for &mut F {
        fn process(&mut self, x: f32) -> f32 {
            (**self).process(x)
        }
    }

    fn run(filter: &mut impl Filter, block: &mut [f32]) -> f32 {
        filter.process_block(block);
        block.iter().copied().map(f32::abs).fold(0.0, f32::max)
    }

    pub fn check(seed: u32) -> u32 {
        let low = Coefficients::new(Kind::LowPass, 48_000.0, 500.0 + seed as f32, FRAC_1_SQRT_2);
        let peak = Coefficients::new(Kind::Peak { gain_db: 3.0 }, 48_000.0, 1000.0, 1.5);
        let mut chain = Chain(Biquad::from(low), Biquad::from(peak));
        let mut block = [0.0f32; 32];
        block[0] = 1.0;
        let max = run(&mut chain, &mut block);
        let again = run(&mut &mut chain, &mut block[8..]);
        let high: Biquad = Coefficients::new(Kind::HighPass, 48_000.0, 500.0, 0.7).into();
        let mut high = high;
        (max + again + high.process(0.5)).to_bits()
    }
}

#[kernel]
pub fn biquad(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::check(i as u32);
    }
}

pub fn case() -> Case {
    super::case_of(&BIQUAD, program::check)
}
