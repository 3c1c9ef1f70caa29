//! A rope of particles: Verlet's integration, constraints that are relaxed, and balls that it falls over.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod rope {
    use core::array;
    use core::ops::*;

    #[derive(Debug, Clone, Copy, PartialEq, Default)]
    pub struct Vec2<T = f32> {
        pub x: T,
        pub y: T,
    }

    pub const fn vec2<T>(x: T, y: T) -> Vec2<T> {
        Vec2 { x, y }
    }

    impl<T: Add<Output = T>> Add for Vec2<T> {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            vec2(self.x + o.x, self.y + o.y)
        }
    }
    impl<T: Sub<Output = T>> Sub for Vec2<T> {
        type Output = Self;
        fn sub(self, o: Self) -> Self {
            vec2(self.x - o.x, self.y - o.y)
        }
    }
    impl<T: Mul<Output = T> + Copy> Mul<T> for Vec2<T> {
        type Output = Self;
        fn mul(self, k: T) -> Self {
            vec2(self.x * k, self.y * k)
        }
    }
    impl Mul<Vec2> for f32 {
        type Output = Vec2;
        fn mul(self, v: Vec2) -> Vec2 {
            v * self
        }
    }
    impl<T> AddAssign for Vec2<T>
    where
        Self: Add<Output = Self> + Copy,
    {
        fn add_assign(&mut self, o: Self) {
            *self = *self + o;
        }
    }
    impl SubAssign for Vec2 {
        fn sub_assign(&mut self, o: Self) {
            *self = *self - o;
        }
    }
    impl Vec2 {
        pub const ZERO: Self = vec2(0.0, 0.0);
        pub fn dot(self, o: Self) -> f32 {
            self.x * o.x + self.y * o.y
        }
        pub fn length(self) -> f32 {
            self.dot(self).sqrt()
        }
        pub fn normalized(self) -> Option<Self> {
            let l = self.length();
            (l > f32::EPSILON).then(|| self * l.recip())
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Particle {
        pub position: Vec2,
        previous: Vec2,
        inverse_mass: f32,
    }

    pub trait Collider {
        /// How far a point is inside, along a direction out of it.
        fn penetration(&self, p: Vec2) -> Option<(f32, Vec2)>;
    }

    pub struct Ball {
        pub centre: Vec2,
        pub radius: f32,
    }
    pub struct Ground(pub f32);

    impl Collider for Ball {
        fn penetration(&self, p: Vec2) -> Option<(f32, Vec2)> {
            let d = p - self.centre;
            let depth = self.radius - d.length();
            Some((depth, d.normalized()?)).filter(|&(depth, _)| depth > 0.0)
        }
    }
    impl Collider for Ground {
        fn penetration(&self, p: Vec2) -> Option<(f32, Vec2)> {
            if p.y < self.0 { Some((self.0 - p.y, vec2(0.0, 1.0))) } else { None }
        }
    }
    impl<A: Collider, B: Collider> Collider for (A, B) {
        fn penetration(&self, p: Vec2) -> Option<(f32, Vec2)> {
            self.0.penetration(p).or_else(|| self.1.penetration(p))
        }
    }
    impl<C: Collider> Collider for [C] {
        fn penetration(&self, p: Vec2) -> Option<(f32, Vec2)> {
            self.iter().find_map(|c| c.penetration(p))
        }
    }
    impl<C: Collider + ?Sized> Collider for &C {
        fn penetration(&self, p: Vec2) -> Option<(f32, Vec2)> {
            (**self).penetration(p)
        }
    }

    pub struct Rope<const N: usize> {
        pub particles: [Particle; N],
        rest: f32,
    }

    impl<const N: usize> Rope<N> {
        pub fn hang(from: Vec2, to: Vec2) -> Self {
            let step = (to - from) * (1.0 / (N - 1) as f32);
            Rope {
                particles: array::from_fn(|i| {
                    let position = from + i as f32 * step;
                    Particle { position, previous: position, inverse_mass: if i == 0 { 0.0 } else { 1.0 } }
                }),
                rest: step.length(),
            }
        }

        fn integrate(&mut self, dt: f32) {
            const GRAVITY: Vec2 = vec2(0.0, -9.81);
            for p in self.particles.iter_mut().filter(|p| p.inverse_mass > 0.0) {
                let velocity = p.position - p.previous;
                p.previous = p.position;
                p.position += velocity * 0.99 + GRAVITY * (dt * dt);
            }
        }

        fn relax(&mut self) {
            for i in 1..N {
                let (left, right) = self.particles.split_at_mut(i);
                let (Some(a), Some(b)) = (left.last_mut(), right.first_mut()) else { continue };
                let delta = b.position - a.position;
                let length = delta.length();
                let total = a.inverse_mass + b.inverse_mass;
                if length > 0.0 && total > 0.0 {
                    let correction = delta * ((length - self.rest) / length / total);
                    a.position += correction * a.inverse_mass;
                    b.position -= correction * b.inverse_mass;
                }
            }
        }

        pub fn step(&mut self, dt: f32, world: &impl Collider) -> usize {
            self.integrate(dt);
            (0..4).for_each(|_| self.relax());
            let mut hits = 0;
            for Particle { position, inverse_mass, .. } in &mut self.particles {
                if let (true, Some((depth, normal))) = (*inverse_mass != 0.0, world.penetration(*position)) {
                    *position += depth * normal;
                    hits += 1;
                }
            }
            hits
        }

        pub fn length(&self) -> f32 {
            self.particles.windows(2).map(|pair| (pair[1].position - pair[0].position).length()).sum()
        }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 4] {
    use rope::{Ball, Ground, Rope, Vec2, vec2};
    let end = vec2(1.0 + (seed % 100) as f32 / 50.0, (seed % 7) as f32 * 0.1);
    let mut rope = Rope::<6>::hang(Vec2::ZERO, end);
    let balls = [
        Ball { centre: vec2(0.5, -0.6), radius: 0.4 },
        Ball { centre: vec2(-0.4, -1.0), radius: 0.25 + (seed % 5) as f32 * 0.05 },
    ];
    let world = (&balls[..], Ground(-1.5));
    let mut hits = 0;
    for _ in 0..50 {
        hits += rope.step(1.0 / 60.0, &world);
    }
    let Some(tip) = rope.particles.last() else { return [0; 4] };
    [tip.position.x.to_bits(), tip.position.y.to_bits(), rope.length().to_bits(), hits as u32]
}

#[kernel]
pub fn verlet_rope(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&VERLET_ROPE, program)
}
