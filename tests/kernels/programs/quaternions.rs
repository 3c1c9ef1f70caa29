//! Vectors and quaternions, in the style of `glam`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod quat {
    use core::ops::{Add, Deref, Mul, MulAssign, Neg, Sub};

    #[derive(Clone, Copy, Debug, PartialEq, Default)]
    pub struct Vec3 {
        pub x: f32,
        pub y: f32,
        pub z: f32,
    }

    impl Vec3 {
        pub const X: Vec3 = Vec3::new(1., 0., 0.);
        pub const Y: Vec3 = Vec3::new(0., 1., 0.);
        pub const Z: Vec3 = Vec3::new(0., 0., 1.);
        pub const AXES: [Vec3; 3] = [Self::X, Self::Y, Self::Z];

        pub const fn new(x: f32, y: f32, z: f32) -> Self {
            Vec3 { x, y, z }
        }
        pub fn dot(self, o: Self) -> f32 {
            self.x * o.x + self.y * o.y + self.z * o.z
        }
        pub fn cross(self, o: Self) -> Self {
            Vec3::new(self.y * o.z - self.z * o.y, self.z * o.x - self.x * o.z, self.x * o.y - self.y * o.x)
        }
        pub fn try_normalize(self) -> Option<Unit<Self>> {
            let n = self.dot(self);
            if n > f32::EPSILON { Some(Unit(self * (1.0 / n.sqrt()))) } else { None }
        }
        pub fn to_array(self) -> [f32; 3] {
            [self.x, self.y, self.z]
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Unit<T>(T);
    impl<T> Unit<T> {
        pub fn new_unchecked(t: T) -> Self {
            Unit(t)
        }
        pub fn into_inner(self) -> T {
            self.0
        }
    }
    impl<T> Deref for Unit<T> {
        type Target = T;
        fn deref(&self) -> &T {
            &self.0
        }
    }

    macro_rules! vec_ops {
        ($($tr:ident $f:ident $op:tt),*) => {$(
            impl $tr for Vec3 {
                type Output = Vec3;
                fn $f(self, o: Vec3) -> Vec3 {
                    Vec3 { x: self.x $op o.x, y: self.y $op o.y, z: self.z $op o.z }
                }
            }
        )*};
    }
    vec_ops!(Add add +, Sub sub -);

    impl Mul<f32> for Vec3 {
        type Output = Vec3;
        fn mul(self, k: f32) -> Vec3 {
            Vec3::new(self.x * k, self.y * k, self.z * k)
        }
    }
    impl Mul<Vec3> for f32 {
        type Output = Vec3;
        fn mul(self, v: Vec3) -> Vec3 {
            v * self
        }
    }
    impl Neg for Vec3 {
        type Output = Vec3;
        fn neg(self) -> Vec3 {
            -1.0 * self
        }
    }
    impl From<[f32; 3]> for Vec3 {
        fn from([x, y, z]: [f32; 3]) -> Self {
            Vec3 { x, y, z }
        }
    }
    impl From<(f32, f32, f32)> for Vec3 {
        fn from((x, y, z): (f32, f32, f32)) -> Self {
            Vec3 { x, y, z }
        }
    }
    impl core::iter::Sum for Vec3 {
        fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
            iter.fold(Vec3::default(), |a, b| a + b)
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Quat {
        w: f32,
        v: Vec3,
    }

    impl Quat {
        pub const IDENTITY: Self = Quat { w: 1., v: Vec3 { x: 0., y: 0., z: 0. } };

        pub fn from_half_angle(axis: Unit<Vec3>, (sin, cos): (f32, f32)) -> Self {
            Quat { w: cos, v: *axis * sin }
        }
        pub fn conjugate(self) -> Self {
            Quat { v: -self.v, ..self }
        }
        pub fn rotate(&self, p: Vec3) -> Vec3 {
            let t = 2.0 * self.v.cross(p);
            p + self.w * t + self.v.cross(t)
        }
        pub fn norm_squared(&self) -> f32 {
            self.w * self.w + self.v.dot(self.v)
        }
    }
    impl Default for Quat {
        fn default() -> Self {
            Self::IDENTITY
        }
    }
    impl Mul for Quat {
        type Output = Quat;
        fn mul(self, o: Quat) -> Quat {
            Quat { w: self.w * o.w - self.v.dot(o.v), v: self.w * o.v + o.w * self.v + self.v.cross(o.v) }
        }
    }
    impl MulAssign for Quat {
        fn mul_assign(&mut self, o: Quat) {
            *self = *self * o;
        }
    }
    impl Mul<Vec3> for Quat {
        type Output = Vec3;
        fn mul(self, v: Vec3) -> Vec3 {
            self.rotate(v)
        }
    }
    impl core::iter::Product for Quat {
        fn product<I>(iter: I) -> Self
        where
            I: Iterator<Item = Self>,
        {
            iter.fold(Self::default(), Mul::mul)
        }
    }
    impl<'a> core::iter::Product<&'a Quat> for Quat {
        fn product<I: Iterator<Item = &'a Quat>>(iter: I) -> Self {
            iter.copied().product()
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use quat::{Quat, Unit, Vec3};
    let s = (seed % 64) as f32 / 64.0;
    let c = (1.0 - s * s).sqrt();
    let turns = Vec3::AXES.map(|axis| Quat::from_half_angle(Unit::new_unchecked(axis), (s, c)));
    let mut q: Quat = turns.iter().product();
    q *= turns[1].conjugate();
    let p: Vec3 = [1.0, 2.0, (seed % 9) as f32].into();
    let r = q * p - Vec3::from((0.5, 0.25, 0.125));
    let center = Vec3::AXES.into_iter().map(|a| q * a).sum::<Vec3>();
    let n = match r.cross(center).try_normalize() {
        Some(unit) => unit.x + unit.dot(Vec3::Y),
        None => -1.0,
    };
    let bits = r.to_array().map(f32::to_bits).into_iter().fold(0, |a, b: u32| a ^ b.rotate_left(1));
    bits ^ n.to_bits() ^ q.norm_squared().to_bits()
}

#[kernel]
pub fn quaternions(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&QUATERNIONS, |i| program(seed(i)))
}
