//! Types by themselves whose listed `impl`s use each other, and those of other types, wherever they stand.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;
use std::ops::{Add, AddAssign, Index, Mul, Neg, Sub};

// An `impl` before its type.

#[device]
impl Mul for V {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let twice = self + other;
        Self::new(twice.x * Self::ONE.x, self.dot(other))
    }
}

#[device(impl, impl Add, impl Sub, impl Mul, impl Mul<f32>, impl Neg, impl AddAssign, impl PartialEq, impl From<f32>, impl From<(f32, f32)>, impl Default, impl Index<usize>, impl Metric)]
#[derive(Clone, Copy)]
pub struct V {
    x: f32,
    y: f32,
}

#[device]
trait Metric {
    const SCALE: f32;
    fn norm(self) -> f32;
    fn far(self) -> bool
    where
        Self: Sized,
    {
        self.norm() > Self::SCALE
    }
}

#[device]
impl Metric for V {
    const SCALE: f32 = Self::ONE.x + 2.0;
    fn norm(self) -> f32 {
        (self * 2.0).dot(self) - V::ZERO[0]
    }
}

#[device]
impl V {
    const ZERO: Self = Self::new(0.0, 0.0);
    const ONE: V = V::new(1.0, 1.0);
    const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }
    fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y
    }
    fn middle(self, other: Self) -> Self {
        let mut sum = self - -other;
        sum += Self::default();
        if sum == self { sum } else { sum * 0.5 }
    }
    fn lerp(self, other: V, t: f32) -> V {
        self + (other - self) * t
    }
}

#[device]
impl Add for V {
    type Output = Self;
    fn add(self, other: Self) -> Self::Output {
        Self::new(self.x + other.x, self.y + other.y)
    }
}
#[device]
impl Sub for V {
    type Output = V;
    fn sub(self, other: V) -> V {
        self + -other
    }
}
#[device]
impl Neg for V {
    type Output = V;
    fn neg(self) -> V {
        self * -1.0
    }
}
#[device]
impl Mul<f32> for V {
    type Output = V;
    fn mul(self, k: f32) -> V {
        V::from((self.x * k, self.y * k))
    }
}
#[device]
impl AddAssign for V {
    fn add_assign(&mut self, other: V) {
        *self = *self + other;
    }
}
#[device]
impl PartialEq for V {
    fn eq(&self, other: &Self) -> bool {
        (*self - *other).dot(Self::ONE) == 0.0
    }
}
#[device]
impl From<f32> for V {
    fn from(x: f32) -> Self {
        Self::from((x, x))
    }
}
#[device]
impl From<(f32, f32)> for V {
    fn from((x, y): (f32, f32)) -> Self {
        Self::new(x, y)
    }
}
#[device]
impl Default for V {
    fn default() -> Self {
        Self::ZERO
    }
}
#[device]
impl Index<usize> for V {
    type Output = f32;
    fn index(&self, i: usize) -> &f32 {
        if i == 0 { &self.x } else { &self.x }
    }
}

#[device]
fn of_one_type(x: f32) -> f32 {
    let v = V::new(x, 2.0);
    let w = V::from(x) + v * 2.0;
    let mut m = v.middle(w).lerp(v, 0.25) * w;
    m += -v;
    m.norm() + if m == v { 1.0 } else { m[0] } + if m.far() { 100.0 } else { 0.5 }
}

/// Types that become each other, by way of a function and a constant of one of them: items that lead to each other stand in a module.
#[device]
mod polar {
    #[derive(Clone, Copy)]
    pub struct Complex {
        pub re: f32,
        pub im: f32,
    }

    fn length(c: Complex) -> f32 {
        c.norm_sqr().sqrt()
    }

    const I: Complex = Complex::new(0.0, 1.0);

    impl Complex {
        const fn new(re: f32, im: f32) -> Self {
            Self { re, im }
        }
        fn norm_sqr(self) -> f32 {
            self.re * self.re + self.im * self.im
        }
        fn abs(self) -> f32 {
            length(self) + I.im
        }
        fn polar(self) -> Polar {
            self.into()
        }
    }
    impl From<Polar> for Complex {
        fn from(p: Polar) -> Self {
            Self::new(p.r * p.phi, p.r - p.phi)
        }
    }
    #[derive(Clone, Copy)]
    pub struct Polar {
        pub r: f32,
        pub phi: f32,
    }
    impl From<Complex> for Polar {
        fn from(c: Complex) -> Self {
            Self { r: c.abs(), phi: c.im }
        }
    }
    impl Polar {
        pub fn turned(self) -> Self {
            let c: Complex = self.into();
            c.polar()
        }
    }
}
use polar::Polar;

/// A trait that lists its own.
mod apart {
    use kernel_runtime::prelude::*;

    #[device(impl Scaled)]
    #[derive(Clone, Copy)]
    pub struct Apart(pub f32);

    #[device(impl for f32, impl for u32)]
    pub trait Scaled {
        fn scaled(self) -> f32;
    }

    #[device]
    impl Scaled for Apart {
        fn scaled(self) -> f32 {
            self.0.scaled() + 1u32.scaled()
        }
    }

    #[device]
    impl Scaled for f32 {
        fn scaled(self) -> f32 {
            self * 2.0 + (self as u32).scaled()
        }
    }

    #[device]
    impl Scaled for u32 {
        fn scaled(self) -> f32 {
            self as f32
        }
    }
}
use apart::{Apart, Scaled};

// A type that a macro makes.
macro_rules! made {
    ($name:ident) => {
        #[device(impl, impl Add)]
        #[derive(Clone, Copy)]
        pub struct $name(pub f32);
        #[device]
        impl $name {
            fn new(x: f32) -> Self {
                Self(x) + Self(1.0)
            }
        }
        #[device]
        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                if self.0 == 100.0 { Self(1.0) } else { Self(self.0 + other.0) }
            }
        }
    };
}
made!(Made);

#[device]
fn of_several_types(x: f32) -> f32 {
    let p = Polar { r: x, phi: 2.0 }.turned();
    p.r + p.phi + Apart(x).scaled() + Made::new(x).0
}

#[kernel]
pub fn listed_by_one_type(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = of_one_type(x[i]);
}

#[kernel]
pub fn listed_by_several_types(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = of_several_types(x[i]);
}

pub fn cases() -> Vec<Case> {
    let x = [0.0f32, 1.0, 3.0, 7.5];
    let one = map(&x, of_one_type);
    let several = map(&x, of_several_types);
    vec![
        Case::of(&LISTED_BY_ONE_TYPE).input(&x).output(&one).items([x.len()]),
        Case::of(&LISTED_BY_SEVERAL_TYPES).input(&x).output(&several).items([x.len()]),
    ]
}
