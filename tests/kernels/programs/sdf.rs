//! Signed distances with combinators, and a ray that marches through them.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use std::ops::{Add, BitAnd, BitOr, Mul, MulAssign, Neg, Sub};

    #[derive(Copy, Clone, Debug, PartialEq, Default)]
    pub struct Vec3 {
        x: f32,
        y: f32,
        z: f32,
    }

    pub const fn vec3(x: f32, y: f32, z: f32) -> Vec3 {
        Vec3 { x, y, z }
    }

    impl Vec3 {
        pub const X: Self = vec3(1.0, 0.0, 0.0);
        pub const Y: Self = vec3(0.0, 1.0, 0.0);
        pub const Z: Self = vec3(0.0, 0.0, 1.0);
        pub const AXES: [Self; 3] = [Self::X, Self::Y, Self::Z];

        pub const fn splat(v: f32) -> Self {
            vec3(v, v, v)
        }
        pub fn dot(self, o: Self) -> f32 {
            self.x * o.x + self.y * o.y + self.z * o.z
        }
        pub fn length(self) -> f32 {
            self.dot(self).sqrt()
        }
        pub fn normalize(self) -> Self {
            self * self.length().recip()
        }
        pub fn zip(self, o: Self, f: impl Fn(f32, f32) -> f32) -> Self {
            Self { x: f(self.x, o.x), y: f(self.y, o.y), z: f(self.z, o.z) }
        }
    }

    impl Add for Vec3 {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            self.zip(o, |a, b| a + b)
        }
    }
    impl Sub for Vec3 {
        type Output = Self;
        fn sub(self, o: Self) -> Self {
            self.zip(o, Sub::sub)
        }
    }
    impl Mul<f32> for Vec3 {
        type Output = Self;
        fn mul(self, s: f32) -> Self {
            vec3(self.x * s, self.y * s, self.z * s)
        }
    }
    impl Mul<Vec3> for f32 {
        type Output = Vec3;
        fn mul(self, v: Vec3) -> Vec3 {
            v * self
        }
    }
    impl Neg for Vec3 {
        type Output = Self;
        fn neg(self) -> Self {
            -1.0 * self
        }
    }
    impl MulAssign<f32> for Vec3 {
        fn mul_assign(&mut self, s: f32) {
            *self = *self * s;
        }
    }

    pub trait Sdf {
        fn distance(&self, p: Vec3) -> f32;

        fn normal(&self, p: Vec3) -> Vec3 {
            const E: f32 = 1.0 / 1024.0;
            let [x, y, z] = Vec3::AXES.map(|axis| self.distance(p + axis * E) - self.distance(p - axis * E));
            vec3(x, y, z).normalize()
        }

        fn translate(self, by: Vec3) -> Shape<Translate<Self>>
        where
            Self: Sized,
        {
            Shape(Translate { inner: self, by })
        }
    }

    impl<S: Sdf + ?Sized> Sdf for &S {
        fn distance(&self, p: Vec3) -> f32 {
            (**self).distance(p)
        }
    }

    #[derive(Clone, Copy)]
    pub struct Shape<S>(S);
    impl<S: Sdf> Sdf for Shape<S> {
        fn distance(&self, p: Vec3) -> f32 {
            self.0.distance(p)
        }
    }

    #[derive(Clone, Copy)]
    pub struct Sphere {
        radius: f32,
    }
    #[derive(Clone, Copy)]
    pub struct Cuboid(Vec3);
    #[derive(Clone, Copy)]
    pub struct Translate<S> {
        inner: S,
        by: Vec3,
    }
    #[derive(Clone, Copy)]
    pub struct Combined<A, B, F> {
        a: A,
        b: B,
        by: F,
    }

    impl Sdf for Sphere {
        fn distance(&self, p: Vec3) -> f32 {
            p.length() - self.radius
        }
    }
    impl Sdf for Cuboid {
        fn distance(&self, p: Vec3) -> f32 {
            let q = vec3(p.x.abs(), p.y.abs(), p.z.abs()) - self.0;
            q.zip(Vec3::splat(0.0), f32::max).length() + q.x.max(q.y.max(q.z)).min(0.0)
        }
    }
    impl<S: Sdf> Sdf for Translate<S> {
        fn distance(&self, p: Vec3) -> f32 {
            self.inner.distance(p - self.by)
        }
    }
    impl<A: Sdf, B: Sdf, F: Fn(f32, f32) -> f32> Sdf for Combined<A, B, F> {
        fn distance(&self, p: Vec3) -> f32 {
            (self.by)(self.a.distance(p), self.b.distance(p))
        }
    }

    impl<A, B> BitOr<Shape<B>> for Shape<A> {
        type Output = Shape<Combined<A, B, fn(f32, f32) -> f32>>;
        fn bitor(self, rhs: Shape<B>) -> Self::Output {
            Shape(Combined { a: self.0, b: rhs.0, by: f32::min })
        }
    }
    impl<A, B> BitAnd<Shape<B>> for Shape<A> {
        type Output = Shape<Combined<A, B, fn(f32, f32) -> f32>>;
        fn bitand(self, rhs: Shape<B>) -> Self::Output {
            Shape(Combined { a: self.0, b: rhs.0, by: f32::max })
        }
    }

    fn smooth<A: Sdf, B: Sdf>(k: f32, a: A, b: B) -> impl Sdf {
        Combined {
            a,
            b,
            by: move |x: f32, y: f32| {
                let h = (0.5 + 0.5 * (y - x) / k).clamp(0.0, 1.0);
                y + (x - y) * h - k * h * (1.0 - h)
            },
        }
    }

    pub struct Ray {
        origin: Vec3,
        direction: Vec3,
    }

    pub enum Hit {
        Surface { t: f32, steps: u32 },
        Miss { closest: f32 },
    }

    fn march(scene: &impl Sdf, ray: &Ray) -> Hit {
        let mut t = 0.0;
        let mut closest = f32::MAX;
        for steps in 0..64 {
            let d = scene.distance(ray.origin + t * ray.direction);
            closest = closest.min(d);
            if d < 1e-3 {
                return Hit::Surface { t, steps };
            }
            t += d;
            if t > 30.0 {
                break;
            }
        }
        Hit::Miss { closest }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let k = (seed % 9) as f32 / 8.0;
        let ball = Shape(Sphere { radius: 1.0 });
        let block = Shape(Cuboid(vec3(0.7, 0.8, 0.9)));
        let scene = (ball | block.translate(Vec3::X * 1.5)) & Sphere { radius: 3.0 }.translate(-Vec3::Y * k);
        let blend = smooth(0.25 + k, ball, &block);
        let mut out = [0; 8];
        for (i, pair) in out.chunks_exact_mut(2).enumerate() {
            let mut direction = vec3(i as f32 * 0.3 - 0.5, k - 0.5, 4.0);
            direction *= 2.0;
            let ray = Ray { origin: vec3(0.0, 0.0, -4.0), direction: direction.normalize() };
            let (hit, normal): (Hit, fn(&Ray, f32) -> Vec3) = if i % 2 == 0 {
                (march(&scene, &ray), |ray, t| ray.origin + ray.direction * t)
            } else {
                (march(&blend, &ray), |ray, t| ray.origin - ray.direction * t)
            };
            match hit {
                Hit::Surface { t, steps } => {
                    let p = normal(&ray, t);
                    pair[0] = t.to_bits() ^ steps;
                    pair[1] = scene.normal(p).dot(Vec3::splat(1.0)).to_bits();
                }
                Hit::Miss { closest } => pair[0] = closest.to_bits(),
            }
        }
        out
    }
}

#[kernel]
pub fn spheres_marched(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&SPHERES_MARCHED, program::run)
}
