//! Evolution of bit strings and of vectors: problems, selections and crossings are traits, the population an array.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod rng {
    pub trait Rng {
        fn next_u32(&mut self) -> u32;

        fn gen_range(&mut self, range: core::ops::Range<u32>) -> u32 {
            let span = range.end - range.start;
            range.start + ((self.next_u32() as u64 * span as u64) >> 32) as u32
        }

        fn gen_f32(&mut self) -> f32 {
            (self.next_u32() >> 8) as f32 * (1.0 / (1 << 24) as f32)
        }

        fn gen_bool(&mut self, p: f32) -> bool {
            self.gen_f32() < p
        }

        fn shuffle<T>(&mut self, values: &mut [T]) {
            for i in (1..values.len()).rev() {
                let j = self.gen_range(0..i as u32 + 1) as usize;
                values.swap(i, j);
            }
        }

        fn choose<'a, T>(&mut self, values: &'a [T]) -> Option<&'a T> {
            if values.is_empty() {
                return None;
            }
            values.get(self.gen_range(0..values.len() as u32) as usize)
        }
    }

    pub struct Pcg {
        state: u64,
        inc: u64,
    }

    impl Pcg {
        pub fn seed_from_u64(seed: u64) -> Self {
            let mut pcg = Pcg { state: 0, inc: 0xda3e_39cb_94b9_5bdb | 1 };
            pcg.next_u32();
            pcg.state = pcg.state.wrapping_add(seed);
            pcg.next_u32();
            pcg
        }
    }

    impl Rng for Pcg {
        fn next_u32(&mut self) -> u32 {
            let old = self.state;
            self.state = old.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(self.inc);
            let xorshifted = (((old >> 18) ^ old) >> 27) as u32;
            xorshifted.rotate_right((old >> 59) as u32)
        }
    }

    impl<R: Rng + ?Sized> Rng for &mut R {
        fn next_u32(&mut self) -> u32 {
            (**self).next_u32()
        }
    }
}

#[device]
mod ga {
    use super::rng::Rng;
    use core::cmp::Ordering;
    use core::marker::PhantomData;

    pub trait Problem {
        type Genome: Clone + PartialEq;
        type Fitness: PartialOrd + Copy;

        fn random<R: Rng>(&self, rng: &mut R) -> Self::Genome;
        fn fitness(&self, genome: &Self::Genome) -> Self::Fitness;
        fn cross<R: Rng>(&self, a: &Self::Genome, b: &Self::Genome, rng: &mut R) -> Self::Genome;
        fn mutate<R: Rng>(&self, genome: &mut Self::Genome, rng: &mut R);
    }

    pub trait Selection {
        fn select<'a, R: Rng, G, F: PartialOrd>(rng: &mut R, population: &'a [(G, F)]) -> &'a G;
    }

    pub struct Tournament<const K: usize>;
    pub struct Elite;

    impl<const K: usize> Selection for Tournament<K> {
        fn select<'a, R: Rng, G, F: PartialOrd>(rng: &mut R, population: &'a [(G, F)]) -> &'a G {
            let mut best = rng.choose(population).unwrap();
            for _ in 1..K {
                let other = rng.choose(population).unwrap();
                if other.1 > best.1 {
                    best = other;
                }
            }
            &best.0
        }
    }

    impl Selection for Elite {
        fn select<'a, R: Rng, G, F: PartialOrd>(rng: &mut R, population: &'a [(G, F)]) -> &'a G {
            let half = &population[..population.len() / 2];
            &half[rng.gen_range(0..half.len() as u32) as usize].0
        }
    }

    pub struct Simulation<P: Problem, S, R, const N: usize> {
        problem: P,
        rng: R,
        population: [(P::Genome, P::Fitness); N],
        pub generation: u32,
        _selection: PhantomData<S>,
    }

    impl<P: Problem, S: Selection, R: Rng, const N: usize> Simulation<P, S, R, N> {
        pub fn new(problem: P, mut rng: R) -> Self {
            let population = core::array::from_fn(|_| {
                let genome = problem.random(&mut rng);
                let fitness = problem.fitness(&genome);
                (genome, fitness)
            });
            let mut this = Self { problem, rng, population, generation: 0, _selection: PhantomData };
            this.sort();
            this
        }

        fn sort(&mut self) {
            self.population.sort_by(|(_, a), (_, b)| b.partial_cmp(a).unwrap_or(Ordering::Equal));
        }

        pub fn best(&self) -> &(P::Genome, P::Fitness) {
            &self.population[0]
        }

        pub fn step(&mut self) {
            let Self { problem, rng, population, .. } = self;
            let mut next = population.clone();
            for slot in next.iter_mut().skip(1) {
                let a = S::select(rng, &population[..]);
                let b = S::select(rng, &population[..]);
                let mut child = problem.cross(a, b, rng);
                problem.mutate(&mut child, rng);
                *slot = (child.clone(), problem.fitness(&child));
            }
            *population = next;
            self.generation += 1;
            self.sort();
        }

        pub fn run_until(
            &mut self,
            stop: impl Fn(&P::Fitness) -> bool,
            limit: u32,
        ) -> Result<u32, P::Fitness> {
            while !stop(&self.best().1) {
                if self.generation == limit {
                    return Err(self.best().1);
                }
                self.step();
            }
            Ok(self.generation)
        }
    }
}

#[device]
mod problems {
    use super::ga::Problem;
    use super::rng::Rng;

    /// As many ones as can be.
    pub struct OneMax;

    impl Problem for OneMax {
        type Genome = u32;
        type Fitness = u32;

        fn random<R: Rng>(&self, rng: &mut R) -> u32 {
            rng.next_u32()
        }
        fn fitness(&self, genome: &u32) -> u32 {
            genome.count_ones()
        }
        fn cross<R: Rng>(&self, a: &u32, b: &u32, rng: &mut R) -> u32 {
            let mask = (1u32 << rng.gen_range(1..32)) - 1;
            a & mask | b & !mask
        }
        fn mutate<R: Rng>(&self, genome: &mut u32, rng: &mut R) {
            if rng.gen_bool(0.5) {
                *genome ^= 1 << rng.gen_range(0..32);
            }
        }
    }

    /// The shortest way through towns in a row.
    pub struct Tour<const N: usize> {
        pub towns: [(f32, f32); N],
    }

    impl<const N: usize> Problem for Tour<N> {
        type Genome = [u8; N];
        type Fitness = f32;

        fn random<R: Rng>(&self, rng: &mut R) -> Self::Genome {
            let mut order = core::array::from_fn(|i| i as u8);
            rng.shuffle(&mut order);
            order
        }

        fn fitness(&self, genome: &Self::Genome) -> f32 {
            let length: f32 = genome
                .iter()
                .zip(genome.iter().cycle().skip(1))
                .map(|(&a, &b)| {
                    let ((x, y), (u, v)) = (self.towns[a as usize], self.towns[b as usize]);
                    (x - u).abs().max((y - v).abs())
                })
                .sum();
            -length
        }

        fn cross<R: Rng>(&self, a: &Self::Genome, b: &Self::Genome, rng: &mut R) -> Self::Genome {
            let cut = rng.gen_range(0..N as u32) as usize;
            let mut child = *a;
            let mut rest = b.iter().filter(|t| !a[..cut].contains(t));
            child[cut..].fill_with(|| *rest.next().unwrap());
            child
        }

        fn mutate<R: Rng>(&self, genome: &mut Self::Genome, rng: &mut R) {
            if !rng.gen_bool(0.3) {
                return;
            }
            let (i, j) = (rng.gen_range(0..N as u32), rng.gen_range(0..N as u32));
            genome[i.min(j) as usize..=i.max(j) as usize].reverse();
        }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 4] {
    use ga::{Elite, Simulation, Tournament};
    use rng::{Pcg, Rng};
    let mut rng = Pcg::seed_from_u64(seed.into());
    let mut ones = Simulation::<_, Tournament<3>, _, 8>::new(problems::OneMax, &mut rng);
    let found = match ones.run_until(|&f| f >= 29, 20) {
        Ok(generation) => generation,
        Err(fitness) => 1000 + fitness,
    };
    let genome = ones.best().0;
    let towns = core::array::from_fn(|_| (rng.gen_f32(), rng.gen_f32()));
    let mut tour: Simulation<_, Elite, _, 6> = Simulation::new(problems::Tour::<7> { towns }, rng);
    for _ in 0..8 {
        tour.step();
    }
    let (order, length) = tour.best();
    [found, genome, length.to_bits(), order.iter().fold(0, |n, &t| n * 8 + u32::from(t))]
}

#[kernel]
pub fn evolution(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&EVOLUTION, program)
}
