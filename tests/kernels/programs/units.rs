//! Newtype units in the manner of `uom`, with a builder and a state machine.

use crate::kernels::case::Case;
use crate::kernels::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod units {
    use core::marker::PhantomData;
    use core::ops::{Add, Deref, Div, Mul, Sub, SubAssign};

    pub trait Unit {
        const FACTOR: f32;
    }

    #[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
    pub struct Meters;
    #[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
    pub struct Feet;
    #[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
    pub struct Seconds;

    impl Unit for Meters {
        const FACTOR: f32 = 1.0;
    }
    impl Unit for Feet {
        const FACTOR: f32 = 0.3048;
    }
    impl Unit for Seconds {
        const FACTOR: f32 = 1.0;
    }

    #[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
    pub struct Quantity<U> {
        value: f32,
        unit: PhantomData<U>,
    }

    pub type Length = Quantity<Meters>;
    pub type Time = Quantity<Seconds>;

    impl<U: Unit> Quantity<U> {
        pub const fn new(value: f32) -> Self {
            Self { value, unit: PhantomData }
        }
        pub fn convert<V: Unit>(self) -> Quantity<V> {
            Quantity::new(self.value * U::FACTOR / V::FACTOR)
        }
    }

    impl<U: Unit> Add for Quantity<U> {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            Self::new(self.value + o.value)
        }
    }
    impl<U: Unit> Sub for Quantity<U> {
        type Output = Self;
        fn sub(self, o: Self) -> Self {
            Self::new(self.value - o.value)
        }
    }
    impl<U: Unit> SubAssign for Quantity<U> {
        fn sub_assign(&mut self, o: Self) {
            self.value -= o.value
        }
    }
    impl<U: Unit> Mul<f32> for Quantity<U> {
        type Output = Self;
        fn mul(self, k: f32) -> Self {
            Self::new(self.value * k)
        }
    }
    impl Div<Time> for Length {
        type Output = Speed;
        fn div(self, t: Time) -> Speed {
            Speed(self.value / t.value)
        }
    }
    impl<U> Deref for Quantity<U> {
        type Target = f32;
        fn deref(&self) -> &f32 {
            &self.value
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
    pub struct Speed(f32);
    impl Mul<Time> for Speed {
        type Output = Length;
        fn mul(self, Quantity { value, .. }: Time) -> Length {
            Length::new(self.0 * value)
        }
    }

    pub trait Ext: Sized {
        fn m(self) -> Length;
        fn ft(self) -> Quantity<Feet>;
        fn s(self) -> Time;
    }
    impl<T: Into<f32>> Ext for T {
        fn m(self) -> Length {
            Quantity::new(self.into())
        }
        fn ft(self) -> Quantity<Feet> {
            Quantity::new(self.into())
        }
        fn s(self) -> Time {
            Quantity::new(self.into())
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Elevator {
        Idle { floor: u8 },
        Moving { at: Length, target: u8, speed: Speed },
        Stuck(&'static str),
    }

    #[derive(Clone, Copy)]
    pub struct Config {
        height: Length,
        speed: Speed,
        floors: Option<u8>,
    }

    #[derive(Default)]
    pub struct Builder {
        height: Option<Length>,
        speed: Option<Speed>,
        floors: Option<u8>,
    }

    impl Builder {
        #[must_use]
        pub fn height(mut self, height: impl Into<Length>) -> Self {
            self.height = Some(height.into());
            self
        }
        #[must_use]
        pub fn speed(self, speed: Speed) -> Self {
            Self { speed: Some(speed), ..self }
        }
        #[must_use]
        pub fn floors(mut self, floors: u8) -> Self {
            self.floors.replace(floors);
            self
        }
        pub fn build(self) -> Result<Config, &'static str> {
            let Self { height: Some(height), speed, floors } = self else { return Err("no height") };
            Ok(Config { height, speed: speed.unwrap_or(Speed(1.5)), floors })
        }
    }

    impl From<Quantity<Feet>> for Length {
        fn from(feet: Quantity<Feet>) -> Self {
            feet.convert()
        }
    }

    impl Elevator {
        fn step(self, config: &Config, dt: Time) -> Self {
            match self {
                Self::Moving { at, target, .. } if config.floors.is_some_and(|n| target >= n) => {
                    Self::Stuck(if *at > 5.0 { "too high" } else { "no such floor" })
                }
                Self::Moving { at, target, speed } => {
                    let goal = config.height * f32::from(target);
                    let way = speed * dt;
                    if (*goal - *at).abs() <= *way {
                        Self::Idle { floor: target }
                    } else if goal > at {
                        Self::Moving { at: at + way, target, speed }
                    } else {
                        Self::Moving { at: at - way, target, speed }
                    }
                }
                idle @ Self::Idle { .. } => idle,
                stuck => stuck,
            }
        }

        fn call(&mut self, config: &Config, target: u8) {
            if let &mut Self::Idle { floor } = self {
                *self = Self::Moving { at: config.height * f32::from(floor), target, speed: config.speed };
            }
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let builder = Builder::default().floors(6).height(10_u8.ft()).speed(3_i16.m() / 2.0_f32.s());
        let config = builder.build().unwrap();
        let missing = Builder::default().build().err().map_or(0, str::len);
        let mut elevator = Elevator::Idle { floor: 1 };
        let mut moved = 0;
        for tick in 0..20_u32 {
            if tick % 7 == 0 {
                elevator.call(&config, (seed >> tick & 7) as u8);
            }
            elevator = elevator.step(&config, 0.75.s());
            moved += matches!(elevator, Elevator::Moving { .. }) as u32;
        }
        let mut left = 100.0.ft().convert::<Meters>();
        left -= config.height;
        let state = match elevator {
            Elevator::Idle { floor } => floor.into(),
            Elevator::Moving { at, .. } => at.to_bits(),
            Elevator::Stuck(why) => why.len() as u32 + 1000,
        };
        [
            state,
            moved,
            missing as u32,
            left.to_bits(),
            config.speed.0.to_bits(),
            u32::from(left > 2_u8.m()),
            0,
            0,
        ]
    }
}

#[kernel]
pub fn measured(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = units::run(seeds[i]);
}

pub fn case() -> Case {
    let seeds: Vec<u32> = (0..24_u32).map(|i| i * i * 7919 + i).collect();
    let y = map(&seeds, units::run);
    Case::of(&MEASURED).input(&seeds).output(&y).items([y.len()])
}
