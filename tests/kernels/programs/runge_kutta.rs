//! Ordinary differential equations by Runge and Kutta, in the style of `ode_solvers`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod ode {
    use core::ops::{Add, AddAssign, Mul};

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct State<const N: usize>(pub [f32; N]);

    impl<const N: usize> Add for State<N> {
        type Output = Self;
        fn add(mut self, rhs: Self) -> Self {
            self += rhs;
            self
        }
    }

    impl<const N: usize> AddAssign for State<N> {
        fn add_assign(&mut self, rhs: Self) {
            self.0.iter_mut().zip(rhs.0).for_each(|(a, b)| *a += b);
        }
    }

    impl<const N: usize> Mul<f32> for State<N> {
        type Output = Self;
        fn mul(self, rhs: f32) -> Self {
            State(self.0.map(|x| x * rhs))
        }
    }

    pub trait System<V> {
        fn derivative(&self, t: f32, y: &V) -> V;
        fn solout(&mut self, _t: f32, _y: &V) -> bool {
            false
        }
    }

    pub struct Lorenz {
        pub sigma: f32,
        pub rho: f32,
        pub beta: f32,
    }

    impl System<State<3>> for Lorenz {
        fn derivative(&self, _: f32, State([x, y, z]): &State<3>) -> State<3> {
            State([self.sigma * (y - x), x * (self.rho - z) - y, x * y - self.beta * z])
        }
    }

    pub struct Falling {
        pub landed: Option<f32>,
    }

    impl System<State<2>> for Falling {
        fn derivative(&self, _t: f32, y: &State<2>) -> State<2> {
            let &State([_, v]) = y;
            State([v, -9.81 - 0.1 * v * v.abs()])
        }

        fn solout(&mut self, t: f32, y: &State<2>) -> bool {
            let below = y.0[0] <= 0.0;
            if below {
                self.landed.get_or_insert(t);
            }
            below
        }
    }

    impl<F, const N: usize> System<State<N>> for F
    where
        F: Fn(f32, [f32; N]) -> [f32; N],
    {
        fn derivative(&self, t: f32, y: &State<N>) -> State<N> {
            State(self(t, y.0))
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum IntegrationError {
        StepSizeUnderflow { x: f32 },
        MaxNumStepReached,
    }

    pub struct Rk4<V, S> {
        system: S,
        t: f32,
        y: V,
        pub evals: u32,
    }

    impl<V, S> Rk4<V, S>
    where
        V: Copy + Add<Output = V>,
        V: Mul<f32, Output = V>,
        S: System<V>,
    {
        pub fn new(system: S, t: f32, y: V) -> Self {
            Rk4 { system, t, y, evals: 0 }
        }

        fn step(&mut self, h: f32) -> (f32, V) {
            let half = h * 0.5;
            let k0 = self.system.derivative(self.t, &self.y);
            let k1 = self.system.derivative(self.t + half, &(self.y + k0 * half));
            let k2 = self.system.derivative(self.t + half, &(self.y + k1 * half));
            let k3 = self.system.derivative(self.t + h, &(self.y + k2 * h));
            self.evals += 4;
            (self.t + h, self.y + (k0 + k1 * 2.0 + k2 * 2.0 + k3) * (h / 6.0))
        }

        pub fn integrate(&mut self, end: f32, h: f32) -> Result<V, IntegrationError> {
            let steps = ((end - self.t) / h).ceil() as usize;
            if steps > 200 {
                return Err(IntegrationError::MaxNumStepReached);
            }
            for _ in 0..steps {
                let (t, y) = self.step(h);
                if t == self.t {
                    return Err(IntegrationError::StepSizeUnderflow { x: t });
                }
                (self.t, self.y) = (t, y);
                if self.system.solout(self.t, &self.y) {
                    break;
                }
            }
            Ok(self.y)
        }

        pub fn into_system(self) -> S {
            self.system
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use ode::*;
    let a = (seed % 100) as f32 / 10.0;
    let lorenz = Lorenz { sigma: 10.0, rho: 28.0, beta: 8.0 / 3.0 };
    let State([x, _, z]) = Rk4::new(lorenz, 0.0, State([a, 1.0, 1.05])).integrate(0.5, 0.02).unwrap();
    let mut fall = Rk4::new(Falling { landed: None }, 0.0, State([a, 2.0]));
    let last = fall.integrate(3.0, 0.05);
    let evals = fall.evals;
    let landed = fall.into_system().landed.unwrap_or(-1.0);
    let mut spring = Rk4::new(|_t: f32, [p, v]: [f32; 2]| [v, -4.0 * p], 0.0, State([1.0, a]));
    let end = match spring.integrate(a, 0.05 + a * 0.001) {
        Ok(State([p, _])) => p.to_bits(),
        Err(IntegrationError::MaxNumStepReached) => 1,
        Err(IntegrationError::StepSizeUnderflow { x }) => x as u32,
    };
    x.to_bits()
        ^ z.to_bits() << 3
        ^ end
        ^ landed.to_bits() >> 4
        ^ evals
        ^ last.map(|s| s.0[1].to_bits()).unwrap_or(5)
}

#[kernel]
pub fn runge_kutta(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&RUNGE_KUTTA, |i| program(seed(i)))
}
