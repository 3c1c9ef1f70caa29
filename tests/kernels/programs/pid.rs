//! A controller, in the style of `pid`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod pid {
    pub trait Number: PartialOrd + num::Signed + Copy {}
    impl<T: PartialOrd + num::Signed + Copy> Number for T {}

    pub mod num {
        use core::ops::{Add, Div, Mul, Neg, Sub};
        pub trait Signed:
            Sized
            + Add<Output = Self>
            + Sub<Output = Self>
            + Mul<Output = Self>
            + Div<Output = Self>
            + Neg<Output = Self>
        {
            fn zero() -> Self;
            fn abs(self) -> Self;
        }
        impl Signed for f32 {
            fn zero() -> Self {
                0.0
            }
            fn abs(self) -> Self {
                if self < 0.0 { -self } else { self }
            }
        }
        impl Signed for i32 {
            fn zero() -> Self {
                0
            }
            fn abs(self) -> Self {
                i32::abs(self)
            }
        }
    }

    #[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd)]
    pub struct Pid<T: Number> {
        pub setpoint: T,
        pub output_limit: T,
        pub kp: T,
        pub ki: T,
        pub kd: T,
        pub p_limit: T,
        pub i_limit: T,
        pub d_limit: T,
        integral_term: T,
        prev_measurement: Option<T>,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ControlOutput<T: Number> {
        pub p: T,
        pub i: T,
        pub d: T,
        pub output: T,
    }

    impl<T> Pid<T>
    where
        T: Number,
    {
        pub fn new(setpoint: impl Into<T>, output_limit: impl Into<T>) -> Self {
            Self {
                setpoint: setpoint.into(),
                output_limit: output_limit.into(),
                kp: T::zero(),
                ki: T::zero(),
                kd: T::zero(),
                p_limit: T::zero(),
                i_limit: T::zero(),
                d_limit: T::zero(),
                integral_term: T::zero(),
                prev_measurement: None,
            }
        }
        pub fn p(&mut self, gain: impl Into<T>, limit: impl Into<T>) -> &mut Self {
            self.kp = gain.into();
            self.p_limit = limit.into();
            self
        }
        pub fn i(&mut self, gain: impl Into<T>, limit: impl Into<T>) -> &mut Self {
            self.ki = gain.into();
            self.i_limit = limit.into();
            self
        }
        pub fn d(&mut self, gain: impl Into<T>, limit: impl Into<T>) -> &mut Self {
            self.kd = gain.into();
            self.d_limit = limit.into();
            self
        }
        pub fn next_control_output(&mut self, measurement: T) -> ControlOutput<T> {
            let error = self.setpoint - measurement;
            let p = apply_limit(self.p_limit, error * self.kp);
            self.integral_term = apply_limit(self.i_limit, self.integral_term + error * self.ki);
            let d_unbounded = -match self.prev_measurement.as_ref() {
                Some(prev) => measurement - *prev,
                None => T::zero(),
            } * self.kd;
            self.prev_measurement = Some(measurement);
            let d = apply_limit(self.d_limit, d_unbounded);
            let output = apply_limit(self.output_limit, p + self.integral_term + d);
            ControlOutput { p, i: self.integral_term, d, output }
        }
    }

    fn apply_limit<T: Number>(limit: T, value: T) -> T {
        let limit = limit.abs();
        if value.abs() > limit { if value < T::zero() { -limit } else { limit } } else { value }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    let mut pid: pid::Pid<f32> = pid::Pid::new(15.0_f32, 100.0_f32);
    pid.p(10.0_f32, 100.0_f32).i(1_u8, 50_i16).d(2.0_f32, 100.0_f32);
    let mut m = (seed % 40) as f32;
    let mut h = 0;
    for _ in 0..8 {
        let out = pid.next_control_output(m);
        m += out.output * 0.01;
        h ^= out.output.to_bits().rotate_left(3) ^ out.d.to_bits();
    }
    let mut int = pid::Pid::<i32>::new(seed as i8, 500);
    int.p(3, 400).i(1i8, 40);
    for v in [1, -7, 30] {
        let pid::ControlOutput { p, i, .. } = int.next_control_output(v);
        h = h.wrapping_add((p * 7 + i) as u32);
    }
    h
}

#[kernel]
pub fn pid(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&PID, |i| program(seed(i)))
}
