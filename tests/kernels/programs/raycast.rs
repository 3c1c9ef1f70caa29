//! Rays and shapes, in vectors of any dimension.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod geometry {
    use core::array;
    use core::ops::{Add, Div, Index, Mul, Neg, Sub};

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Vector<T, const D: usize>(pub [T; D]);

    pub type Vec3 = Vector<f32, 3>;

    macro_rules! componentwise {
        ($($trait:ident :: $method:ident),* $(,)?) => {
            $(
                impl<T: Copy + $trait<Output = T>, const D: usize> $trait for Vector<T, D> {
                    type Output = Self;
                    fn $method(self, rhs: Self) -> Self {
                        Vector(array::from_fn(|i| self.0[i].$method(rhs.0[i])))
                    }
                }
            )*
        };
    }

    componentwise!(Add::add, Sub::sub);

    impl<T: Copy + Mul<Output = T>, const D: usize> Mul<T> for Vector<T, D> {
        type Output = Self;
        fn mul(self, k: T) -> Self {
            Vector(self.0.map(|c| c * k))
        }
    }

    impl<T: Copy + Div<Output = T>, const D: usize> Div<T> for Vector<T, D> {
        type Output = Self;
        fn div(self, k: T) -> Self {
            Vector(self.0.map(|c| c / k))
        }
    }

    impl<T: Neg<Output = T>, const D: usize> Neg for Vector<T, D> {
        type Output = Self;
        fn neg(self) -> Self {
            Vector(self.0.map(T::neg))
        }
    }

    impl<T, const D: usize> Index<usize> for Vector<T, D> {
        type Output = T;
        fn index(&self, i: usize) -> &T {
            &self.0[i]
        }
    }

    impl<T, const D: usize> From<[T; D]> for Vector<T, D> {
        fn from(a: [T; D]) -> Self {
            Self(a)
        }
    }

    impl<const D: usize> Vector<f32, D> {
        pub const ZERO: Self = Vector([0.0; D]);

        pub fn dot(self, rhs: Self) -> f32 {
            self.0.into_iter().zip(rhs.0).map(|(a, b)| a * b).sum()
        }

        pub fn length(self) -> f32 {
            self.dot(self).sqrt()
        }

        pub fn normalized(self) -> Option<Self> {
            let len = self.length();
            if len > 0.0 { Some(self / len) } else { None }
        }
    }

    impl Vec3 {
        pub fn cross(self, Vector([bx, by, bz]): Self) -> Self {
            let [ax, ay, az] = self.0;
            Vector([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])
        }
    }

    #[derive(Debug, Clone, Copy)]
    pub struct Ray {
        pub origin: Vec3,
        pub dir: Vec3,
    }

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Hit {
        pub t: f32,
        pub normal: Vec3,
    }

    pub trait Shape {
        fn hit(&self, ray: &Ray) -> Option<Hit>;

        fn occludes(&self, ray: &Ray, max: f32) -> bool {
            matches!(self.hit(ray), Some(Hit { t, .. }) if t < max)
        }
    }

    pub struct Sphere(pub Vec3, pub f32);

    impl Shape for Sphere {
        fn hit(&self, ray: &Ray) -> Option<Hit> {
            let Sphere(center, r) = *self;
            let oc = ray.origin - center;
            let b = oc.dot(ray.dir);
            let disc = b * b - (oc.dot(oc) - r * r);
            if disc < 0.0 {
                return None;
            }
            let root = disc.sqrt();
            [-b - root, -b + root].into_iter().find(|&t| t > 1e-3).map(|t| {
                let p = ray.origin + ray.dir * t;
                Hit { t, normal: (p - center) / r }
            })
        }
    }

    pub struct Plane {
        pub normal: Vec3,
        pub offset: f32,
    }

    impl Shape for Plane {
        fn hit(&self, ray: &Ray) -> Option<Hit> {
            let denom = self.normal.dot(ray.dir);
            let t =
                (denom.abs() > f32::EPSILON).then(|| (self.offset - self.normal.dot(ray.origin)) / denom)?;
            if t > 1e-3 { Some(Hit { t, normal: self.normal }) } else { None }
        }
    }

    pub struct Aabb {
        pub min: Vec3,
        pub max: Vec3,
    }

    impl Shape for Aabb {
        fn hit(&self, ray: &Ray) -> Option<Hit> {
            let (mut near, mut far) = (f32::NEG_INFINITY, f32::INFINITY);
            let mut axis = 0;
            for i in 0..3 {
                let inv = ray.dir[i].recip();
                let (mut t0, mut t1) =
                    ((self.min[i] - ray.origin[i]) * inv, (self.max[i] - ray.origin[i]) * inv);
                if inv < 0.0 {
                    core::mem::swap(&mut t0, &mut t1);
                }
                if t0 > near {
                    (near, axis) = (t0, i);
                }
                far = far.min(t1);
            }
            if near > far || near <= 1e-3 {
                return None;
            }
            let mut normal = [0.0; 3];
            normal[axis] = -ray.dir[axis].signum();
            Some(Hit { t: near, normal: normal.into() })
        }
    }

    pub enum Object {
        Ball(Sphere),
        Floor(Plane),
        Crate(Aabb),
    }

    impl Shape for Object {
        fn hit(&self, ray: &Ray) -> Option<Hit> {
            match self {
                Object::Ball(s) => s.hit(ray),
                Object::Floor(p) => p.hit(ray),
                Object::Crate(b) => b.hit(ray),
            }
        }
    }

    impl<S: Shape> Shape for [S] {
        fn hit(&self, ray: &Ray) -> Option<Hit> {
            self.iter().filter_map(|s| s.hit(ray)).min_by(|a, b| a.t.total_cmp(&b.t))
        }
    }

    pub fn shade<S: Shape + ?Sized>(scene: &S, mut ray: Ray, bounces: u8) -> f32 {
        let light = Vector([0.5, 1.0, -0.25]).normalized().unwrap();
        let (mut color, mut weight) = (0.0, 1.0f32);
        for _ in 0..=bounces {
            let Some(hit) = scene.hit(&ray) else {
                color += weight * (0.5 * ray.dir[1] + 0.5);
                break;
            };
            let point = ray.origin + ray.dir * hit.t;
            let shadow = Ray { origin: point, dir: light };
            let lit = if scene.occludes(&shadow, 100.0) { 0.1 } else { hit.normal.dot(light).max(0.1) };
            color += weight * lit * 0.7;
            weight *= 0.3;
            ray = Ray { origin: point, dir: ray.dir - hit.normal * (2.0 * hit.normal.dot(ray.dir)) };
        }
        color
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use geometry::*;
    let scene = [
        Object::Ball(Sphere(Vector([0.0, 1.0, 5.0]), 1.0)),
        Object::Floor(Plane { normal: Vector([0.0, 1.0, 0.0]), offset: 0.0 }),
        Object::Crate(Aabb { min: [1.5, 0.0, 4.0].into(), max: [2.5, 1.0, 5.0].into() }),
    ];
    let x = (seed % 64) as f32 / 32.0 - 1.0;
    let y = (seed / 64 % 64) as f32 / 32.0 - 1.0;
    let dir = Vec3::from([x, y, 2.0]).normalized().unwrap_or(Vec3::ZERO);
    let ray = Ray { origin: Vector([0.0, 1.0, -1.0]), dir };
    let color = shade(&scene[..], ray, 3);
    let side = dir.cross(Vector([0.0, 1.0, 0.0]));
    color.to_bits() ^ side[0].to_bits() >> 3
}

#[kernel]
pub fn raycast(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&RAYCAST, |i| program(seed(i)))
}
