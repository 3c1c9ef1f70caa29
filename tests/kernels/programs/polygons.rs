//! Polygons clipped by half planes, their areas and their hulls.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::ops::{Add, Mul, Neg, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Vec2<T = f32> {
        pub x: T,
        pub y: T,
    }

    macro_rules! by_parts {
        ($($of:ident $name:ident $sign:tt),*) => {$(
            impl<T: $of<Output = T>> $of for Vec2<T> {
                type Output = Vec2<T>;
                fn $name(self, other: Self) -> Self::Output {
                    Vec2 { x: self.x $sign other.x, y: self.y $sign other.y }
                }
            }
        )*};
    }

    by_parts!(Add add +, Sub sub -);

    impl<T: Neg<Output = T>> Neg for Vec2<T> {
        type Output = Self;
        fn neg(self) -> Self {
            Vec2 { x: -self.x, y: -self.y }
        }
    }

    impl Mul<Vec2> for f32 {
        type Output = Vec2;
        fn mul(self, v: Vec2) -> Vec2 {
            Vec2 { x: self * v.x, y: self * v.y }
        }
    }

    impl<T> From<(T, T)> for Vec2<T> {
        fn from((x, y): (T, T)) -> Self {
            Vec2 { x, y }
        }
    }

    impl Vec2 {
        pub const ZERO: Vec2 = Vec2 { x: 0.0, y: 0.0 };
        pub fn cross(self, other: Vec2) -> f32 {
            self.x * other.y - self.y * other.x
        }
        pub fn dot(self, other: Vec2) -> f32 {
            self.x * other.x + self.y * other.y
        }
    }

    #[derive(Clone, Copy)]
    pub struct HalfPlane {
        normal: Vec2,
        offset: f32,
    }

    impl HalfPlane {
        pub fn side(&self, p: Vec2) -> f32 {
            self.normal.dot(p) - self.offset
        }
    }

    #[derive(Clone)]
    pub struct Polygon<const N: usize> {
        points: [Vec2; N],
        len: usize,
    }

    impl<const N: usize> Polygon<N> {
        pub fn new() -> Self {
            Self { points: [Vec2::ZERO; N], len: 0 }
        }

        pub fn push(&mut self, p: impl Into<Vec2>) -> Result<&mut Self, Vec2> {
            let p = p.into();
            let Some(slot) = self.points.get_mut(self.len) else { return Err(p) };
            *slot = p;
            self.len += 1;
            Ok(self)
        }

        pub fn points(&self) -> &[Vec2] {
            &self.points[..self.len]
        }

        pub fn edges(&self) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
            let points = self.points();
            points.iter().zip(points.iter().cycle().skip(1)).map(|(&a, &b)| (a, b))
        }

        pub fn area(&self) -> f32 {
            self.edges().map(|(a, b)| a.cross(b)).sum::<f32>() * 0.5
        }

        pub fn clipped(&self, plane: &HalfPlane) -> Option<Self> {
            let mut out = Self::new();
            for (a, b) in self.edges() {
                let (da, db) = (plane.side(a), plane.side(b));
                if da >= 0.0 {
                    out.push(a).ok()?;
                }
                if (da >= 0.0) != (db >= 0.0) {
                    let t = da / (da - db);
                    out.push(a + t * (b - a)).ok()?;
                }
            }
            Some(out)
        }

        pub fn contains(&self, p: Vec2) -> bool {
            let mut inside = false;
            for (a, b) in self.edges() {
                if (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x {
                    inside = !inside;
                }
            }
            inside
        }
    }

    pub fn hull<const N: usize>(points: &mut [Vec2; N]) -> usize {
        points.sort_unstable_by(|a, b| a.x.partial_cmp(&b.x).unwrap().then(a.y.total_cmp(&b.y)));
        let mut stack = [Vec2::ZERO; 16];
        let mut len = 0;
        for &p in points.iter() {
            while len >= 2 && (stack[len - 1] - stack[len - 2]).cross(p - stack[len - 1]) <= 0.0 {
                len -= 1;
            }
            stack[len] = p;
            len += 1;
        }
        let lower = len + 1;
        for &p in points.iter().rev().skip(1) {
            while len >= lower && (stack[len - 1] - stack[len - 2]).cross(p - stack[len - 1]) <= 0.0 {
                len -= 1;
            }
            stack[len] = p;
            len += 1;
        }
        len - 1
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let unit = |n: u32| (seed.wrapping_mul(2 * n + 1) >> 20) as f32 / 512.0;
        let mut square = Polygon::<8>::new();
        for corner in [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)] {
            if square.push(corner).is_err() {
                return [0; 8];
            }
        }
        let planes: [HalfPlane; 3] = core::array::from_fn(|i| HalfPlane {
            normal: (unit(i as u32) - 4.0, unit(i as u32 + 9) - 3.5).into(),
            offset: unit(i as u32 + 20) - 5.0,
        });
        let clipped = planes.iter().try_fold(square.clone(), |polygon, plane| polygon.clipped(plane));
        let (area, corners) = clipped.as_ref().map_or((-1.0, 0), |p| (p.area(), p.len));
        let inside = clipped.map(|p| {
            (0..16).filter(|i| p.contains(Vec2::from((*i as f32 % 4.0, (i / 4) as f32 + 0.5)))).count()
        });
        let mut cloud: [Vec2; 7] =
            core::array::from_fn(|i| Vec2 { x: unit(i as u32), y: unit(i as u32 + 40) });
        let around = hull(&mut cloud);
        let mut small = Polygon::<1>::new();
        let full = small.push(Vec2 { x: 1.0, y: 2.0 }).and_then(|p| p.push((5.0, 6.0))).err();
        let whole: Vec2<i32> = -(Vec2::from((3, 4)) - (1, seed as i32 & 7).into());
        [
            area.to_bits(),
            corners as u32,
            inside.unwrap_or(99) as u32,
            around as u32,
            cloud[3].x.to_bits(),
            full.unwrap_or(Vec2::ZERO).y.to_bits(),
            (whole.x * 100 + whole.y) as u32,
            square.area().to_bits(),
        ]
    }
}

#[kernel]
pub fn polygons_clipped(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&POLYGONS_CLIPPED, program::run)
}
