//! The convex hull of points by Andrew's monotone chain, its area, its width by rotating calipers, and whether points are inside of it.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod hull {
    use core::cmp::Ordering;
    use core::iter;
    use core::ops::{Deref, Mul, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
    pub struct Point {
        pub x: f64,
        pub y: f64,
    }

    impl Sub for Point {
        type Output = Vector;
        fn sub(self, o: Self) -> Vector {
            Vector(self.x - o.x, self.y - o.y)
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Vector(f64, f64);

    /// The cross product.
    impl Mul for Vector {
        type Output = f64;
        fn mul(self, Vector(x, y): Vector) -> f64 {
            self.0 * y - self.1 * x
        }
    }

    impl Vector {
        pub fn length(&self) -> f64 {
            self.0.hypot(self.1)
        }
    }

    pub struct Hull<const N: usize> {
        points: [Point; N],
        len: usize,
    }

    impl<const N: usize> Deref for Hull<N> {
        type Target = [Point];
        fn deref(&self) -> &[Point] {
            &self.points[..self.len]
        }
    }

    impl<const N: usize> Hull<N> {
        pub fn of(cloud: &mut [Point]) -> Option<Self> {
            cloud.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
            let mut hull = Hull { points: [Point::default(); N], len: 0 };
            hull.chain(cloud.iter(), 0)?;
            hull.len -= 1;
            let base = hull.len;
            hull.chain(cloud.iter().rev(), base)?;
            hull.len -= 1;
            (hull.len >= 3).then_some(hull)
        }

        fn chain<'a>(&mut self, points: impl Iterator<Item = &'a Point>, base: usize) -> Option<()> {
            for &p in points {
                while let [.., a, b] = &self[base..] {
                    if (*b - *a) * (p - *b) > 0.0 {
                        break;
                    }
                    self.len -= 1;
                }
                *self.points.get_mut(self.len)? = p;
                self.len += 1;
            }
            Some(())
        }

        pub fn edges(&self) -> impl Iterator<Item = (Point, Point)> + '_ {
            self.windows(2).map(|w| (w[0], w[1])).chain(iter::once((self[self.len - 1], self[0])))
        }

        pub fn area(&self) -> f64 {
            self.edges().map(|(a, b)| a.x * b.y - b.x * a.y).sum::<f64>() / 2.0
        }

        pub fn contains(&self, p: Point) -> bool {
            self.edges().all(|(a, b)| (b - a) * (p - a) >= 0.0)
        }

        pub fn width(&self) -> f64 {
            self.edges()
                .map(|(a, b)| {
                    let edge = b - a;
                    self.iter().map(|&p| edge * (p - a) / edge.length()).fold(0.0, f64::max)
                })
                .min_by(f64::total_cmp)
                .unwrap_or(f64::NAN)
        }
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 5] {
    use hull::{Hull, Point};
    let mut x = seed | 1;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        f64::from(x % 1000) / 8.0
    };
    let mut cloud: [Point; 14] = core::array::from_fn(|_| Point { x: next(), y: next() });
    let inside = Point { x: next(), y: next() };
    match Hull::<16>::of(&mut cloud) {
        Some(hull) => {
            let first = hull.first().map_or(0, |p| p.x.to_bits() >> 32);
            [
                hull.len() as u32,
                (hull.area() * 64.0) as u32,
                hull.contains(inside) as u32,
                (hull.width().to_bits() >> 20) as u32,
                first as u32,
            ]
        }
        None => [0; 5],
    }
}

#[kernel]
pub fn convex_hulls(seeds: &[u32], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&CONVEX_HULLS, program)
}
