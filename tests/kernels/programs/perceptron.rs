//! A small network that learns by gradients, with layers as types and the composition of layers as a type too.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    pub trait Activation: Default {
        fn apply(x: f32) -> f32;
        /// The derivative, in terms of the value.
        fn slope(y: f32) -> f32;
    }

    #[derive(Default, Clone, Copy)]
    pub struct Relu;

    #[derive(Default, Clone, Copy)]
    pub struct Softsign;

    #[derive(Default, Clone, Copy)]
    pub struct Identity;

    impl Activation for Relu {
        fn apply(x: f32) -> f32 {
            x.max(0.0)
        }
        fn slope(y: f32) -> f32 {
            if y > 0.0 { 1.0 } else { 0.0 }
        }
    }

    impl Activation for Softsign {
        fn apply(x: f32) -> f32 {
            x / (1.0 + x.abs())
        }
        fn slope(y: f32) -> f32 {
            let d = 1.0 - y.abs();
            d * d
        }
    }

    impl Activation for Identity {
        fn apply(x: f32) -> f32 {
            x
        }
        fn slope(_: f32) -> f32 {
            1.0
        }
    }

    pub trait Layer {
        type In: Copy;
        type Out: Copy + AsRef<[f32]>;
        type Cache;

        fn forward(&self, x: &Self::In) -> (Self::Out, Self::Cache);
        fn backward(&mut self, cache: &Self::Cache, grad: &Self::Out, rate: f32) -> Self::In;

        fn then<L>(self, next: L) -> Chain<Self, L>
        where
            Self: Sized,
            L: Layer<In = Self::Out>,
        {
            Chain(self, next)
        }
    }

    pub struct Dense<A, const I: usize, const O: usize> {
        weights: [[f32; I]; O],
        bias: [f32; O],
        activation: A,
    }

    impl<A: Activation, const I: usize, const O: usize> Dense<A, I, O> {
        pub fn random(rng: &mut impl FnMut() -> f32) -> Self {
            let mut weights = [[0.0; I]; O];
            weights.iter_mut().flatten().for_each(|w| *w = rng());
            Self { weights, bias: [0.0; O], activation: A::default() }
        }
    }

    fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
        a.iter().zip(b).fold(0.0, |s, (x, y)| s + x * y)
    }

    impl<A: Activation, const I: usize, const O: usize> Layer for Dense<A, I, O> {
        type In = [f32; I];
        type Out = [f32; O];
        type Cache = ([f32; I], [f32; O]);

        fn forward(&self, x: &[f32; I]) -> (Self::Out, Self::Cache) {
            let mut y = self.bias;
            for (out, row) in y.iter_mut().zip(self.weights.iter()) {
                *out = A::apply(*out + dot(row, x));
            }
            (y, (*x, y))
        }

        fn backward(&mut self, (x, y): &Self::Cache, grad: &[f32; O], rate: f32) -> [f32; I] {
            let mut back = [0.0; I];
            let Self { weights, bias, .. } = self;
            for (((row, b), y), g) in weights.iter_mut().zip(bias).zip(y).zip(grad) {
                let delta = g * A::slope(*y);
                for ((w, x), out) in row.iter_mut().zip(x).zip(&mut back) {
                    *out += *w * delta;
                    *w -= rate * delta * x;
                }
                *b -= rate * delta;
            }
            back
        }
    }

    pub struct Chain<F, S>(F, S);

    impl<F: Layer, S: Layer<In = F::Out>> Layer for Chain<F, S> {
        type In = F::In;
        type Out = S::Out;
        type Cache = (F::Cache, S::Cache);

        fn forward(&self, x: &F::In) -> (S::Out, Self::Cache) {
            let (middle, first) = self.0.forward(x);
            let (out, second) = self.1.forward(&middle);
            (out, (first, second))
        }

        fn backward(&mut self, (first, second): &Self::Cache, grad: &S::Out, rate: f32) -> F::In {
            let middle = self.1.backward(second, grad, rate);
            self.0.backward(first, &middle, rate)
        }
    }

    pub struct Trainer<L> {
        net: L,
        rate: f32,
        epochs: usize,
    }

    impl<L, const I: usize, const O: usize> Trainer<L>
    where
        L: Layer<In = [f32; I], Out = [f32; O]>,
    {
        pub fn fit(&mut self, samples: &[([f32; I], [f32; O])]) -> f32 {
            let mut loss = f32::INFINITY;
            for _epoch in 0..self.epochs {
                loss = samples
                    .iter()
                    .map(|(x, target)| {
                        let (y, cache) = self.net.forward(x);
                        let error: [f32; O] = core::array::from_fn(|i| y[i] - target[i]);
                        self.net.backward(&cache, &error, self.rate);
                        error.iter().map(|e| e * e).sum::<f32>()
                    })
                    .sum();
            }
            loss
        }

        pub fn classify(&self, x: &[f32; I]) -> usize {
            let (out, _) = self.net.forward(x);
            out.as_ref()
                .iter()
                .enumerate()
                .max_by(|a, b| a.1.total_cmp(b.1))
                .map(|(i, _)| i)
                .unwrap_or(usize::MAX)
        }
    }

    const XOR: [([f32; 2], [f32; 2]); 4] = [
        ([0.0, 0.0], [1.0, 0.0]),
        ([0.0, 1.0], [0.0, 1.0]),
        ([1.0, 0.0], [0.0, 1.0]),
        ([1.0, 1.0], [1.0, 0.0]),
    ];

    pub fn run(seed: u32) -> [u32; 6] {
        let mut state = seed.wrapping_add(0x6d2b_79f5);
        let mut rng = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        let hidden = Dense::<Softsign, 2, 4>::random(&mut rng);
        let middle = Dense::<Relu, 4, 3>::random(&mut rng);
        let output: Dense<Identity, 3, 2> = Dense::random(&mut rng);
        let mut trainer = Trainer { net: hidden.then(middle).then(output), rate: 0.1, epochs: 12 };
        let loss = trainer.fit(&XOR);
        let classes = XOR.iter().map(|(x, _)| trainer.classify(x)).fold(0, |h, c| h << 2 | c as u32);
        let Chain(Chain(first, _), last) = &trainer.net;
        [
            loss.to_bits(),
            classes,
            first.weights[3][1].to_bits(),
            last.bias[0].to_bits(),
            last.weights.iter().flatten().map(|w| w.to_bits()).fold(0, |a, b| a.rotate_left(3) ^ b),
            u32::from(loss.is_finite()),
        ]
    }
}

#[kernel]
pub fn networks_trained(seeds: &[u32], y: &mut [[u32; 6]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&NETWORKS_TRAINED, program::run)
}
