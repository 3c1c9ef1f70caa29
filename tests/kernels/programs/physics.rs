//! Springs and integrators.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! Springs and integrators.
    use std::array;

    #[derive(Clone, Copy, Default, Debug, PartialEq)]
    pub struct Body {
        pub position: [f64; 2],
        pub velocity: [f64; 2],
        pub mass: f64,
    }

    pub trait Force {
        fn acceleration(&self, bodies: &[Body], i: usize) -> [f64; 2];
    }

    pub struct Gravity {
        pub g: f64,
        pub softening: f64,
    }

    pub struct Drag(pub f64);

    impl Force for Gravity {
        fn acceleration(&self, bodies: &[Body], i: usize) -> [f64; 2] {
            let me = &bodies[i];
            let mut a = [0.0; 2];
            for (_, other) in bodies.iter().enumerate().filter(|&(j, _)| j != i) {
                let d: [f64; 2] = array::from_fn(|k| other.position[k] - me.position[k]);
                let r2 = d.iter().map(|x| x * x).sum::<f64>() + self.softening;
                let inv = self.g * other.mass / (r2 * r2.sqrt());
                a.iter_mut().zip(d).for_each(|(a, d)| *a += inv * d);
            }
            a
        }
    }

    impl Force for Drag {
        fn acceleration(&self, bodies: &[Body], i: usize) -> [f64; 2] {
            bodies[i].velocity.map(|v| -self.0 * v)
        }
    }

    impl<A: Force, B: Force> Force for (A, B) {
        fn acceleration(&self, bodies: &[Body], i: usize) -> [f64; 2] {
            let (a, b) = (self.0.acceleration(bodies, i), self.1.acceleration(bodies, i));
            [a[0] + b[0], a[1] + b[1]]
        }
    }

    pub struct Simulation<F, const N: usize> {
        bodies: [Body; N],
        force: F,
        time: f64,
    }

    impl<F: Force, const N: usize> Simulation<F, N> {
        pub fn new(bodies: [Body; N], force: F) -> Self {
            Self { bodies, force, time: 0. }
        }

        pub fn step(&mut self, dt: f64) {
            let accelerations: [[f64; 2]; N] = array::from_fn(|i| self.force.acceleration(&self.bodies, i));
            for (body, a) in self.bodies.iter_mut().zip(accelerations.iter()) {
                for k in 0..2 {
                    body.velocity[k] += a[k] * dt;
                    body.position[k] += body.velocity[k] * dt;
                }
            }
            self.time += dt;
        }

        pub fn energy(&self) -> f64 {
            self.bodies.iter().map(|b| 0.5 * b.mass * b.velocity.iter().map(|v| v.powi(2)).sum::<f64>()).sum()
        }

        pub fn run_until(&mut self, end: f64, dt: f64) -> &mut Self {
            while self.time < end {
                self.step(dt);
            }
            self
        }
    }

    pub fn check(seed: u32) -> u32 {
        let bodies = [
            Body { mass: 5.0, ..Default::default() },
            Body { position: [1.0 + seed as f64, 0.0], velocity: [0.0, 1.5], mass: 1.0 },
            Body { position: [0.0, 2.0], velocity: [-1.0, 0.0], ..Body { mass: 0.5, ..Body::default() } },
        ];
        let mut sim = Simulation::new(bodies, (Gravity { g: 1.0, softening: 0.01 }, Drag(0.02)));
        let e = sim.run_until(0.1, 0.01).energy();
        let (a, b) = (e.to_bits(), sim.bodies[1].position[0].to_bits());
        (a ^ a >> 32 ^ b) as u32
    }
}

#[kernel]
pub fn physics(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::check(i as u32);
    }
}

pub fn case() -> Case {
    super::case_of(&PHYSICS, program::check)
}
