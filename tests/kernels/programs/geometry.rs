//! Rectangles, circles and polygons behind a trait, in the style of `euclid` and `geo`.

use crate::kernels::case::Case;
use crate::kernels::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod geometry {
    use core::marker::PhantomData;
    use core::ops::{Add, Mul, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Pixels;

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Metres;

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Point<T, Unit> {
        pub x: T,
        pub y: T,
        unit: PhantomData<Unit>,
    }

    impl<T, Unit> Point<T, Unit> {
        pub const fn new(x: T, y: T) -> Self {
            Self { x, y, unit: PhantomData }
        }
    }

    impl<T: Add<Output = T>, Unit> Add for Point<T, Unit> {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            Self::new(self.x + other.x, self.y + other.y)
        }
    }

    impl<T: Sub<Output = T>, Unit> Sub for Point<T, Unit> {
        type Output = Self;

        fn sub(self, other: Self) -> Self {
            Self::new(self.x - other.x, self.y - other.y)
        }
    }

    impl<T: Copy + Mul<Output = T>, Unit> Mul<T> for Point<T, Unit> {
        type Output = Self;

        fn mul(self, by: T) -> Self {
            Self::new(self.x * by, self.y * by)
        }
    }

    impl<T, Unit> From<(T, T)> for Point<T, Unit> {
        fn from((x, y): (T, T)) -> Self {
            Self::new(x, y)
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Scale<Src, Dst>(pub f32, PhantomData<(Src, Dst)>);

    impl<Src, Dst> Scale<Src, Dst> {
        pub fn new(factor: f32) -> Self {
            Scale(factor, PhantomData)
        }

        pub fn apply(&self, p: Point<f32, Src>) -> Point<f32, Dst> {
            Point::new(p.x * self.0, p.y * self.0)
        }

        pub fn inverse(&self) -> Scale<Dst, Src> {
            Scale::new(1.0 / self.0)
        }
    }

    type P = Point<f32, Metres>;

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Bounds {
        pub min: P,
        pub max: P,
    }

    impl Bounds {
        pub const EMPTY: Self = Bounds {
            min: P::new(f32::INFINITY, f32::INFINITY),
            max: P::new(f32::NEG_INFINITY, f32::NEG_INFINITY),
        };

        pub fn include(self, p: P) -> Self {
            Bounds {
                min: P::new(self.min.x.min(p.x), self.min.y.min(p.y)),
                max: P::new(self.max.x.max(p.x), self.max.y.max(p.y)),
            }
        }
    }

    pub trait Shape {
        const SIDES: Option<u32> = None;

        fn area(&self) -> f32;
        fn contains(&self, p: P) -> bool;
        fn bounds(&self) -> Bounds;

        fn fill(&self) -> f32 {
            let Bounds { min, max } = self.bounds();
            let size = max - min;
            self.area() / (size.x * size.y)
        }
    }

    pub struct Circle {
        pub center: P,
        pub radius: f32,
    }

    pub struct Polygon<'a> {
        pub corners: &'a [P],
    }

    impl Shape for Circle {
        fn area(&self) -> f32 {
            core::f32::consts::PI * self.radius * self.radius
        }

        fn contains(&self, p: P) -> bool {
            let d = p - self.center;
            d.x * d.x + d.y * d.y <= self.radius.powi(2)
        }

        fn bounds(&self) -> Bounds {
            let r = P::new(self.radius, self.radius);
            Bounds { min: self.center - r, max: self.center + r }
        }
    }

    impl Polygon<'_> {
        fn edges(&self) -> impl Iterator<Item = (P, P)> + '_ {
            let next = self.corners.iter().skip(1).chain(self.corners.first());
            self.corners.iter().copied().zip(next.copied())
        }
    }

    impl Shape for Polygon<'_> {
        const SIDES: Option<u32> = Some(4);

        fn area(&self) -> f32 {
            self.edges().map(|(a, b)| a.x * b.y - b.x * a.y).sum::<f32>().abs() / 2.0
        }

        fn contains(&self, p: P) -> bool {
            let mut inside = false;
            for (a, b) in self.edges() {
                if (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x {
                    inside = !inside;
                }
            }
            inside
        }

        fn bounds(&self) -> Bounds {
            self.corners.iter().fold(Bounds::EMPTY, |bounds, &p| bounds.include(p))
        }
    }

    impl<S: Shape + ?Sized> Shape for &S {
        const SIDES: Option<u32> = S::SIDES;

        fn area(&self) -> f32 {
            (**self).area()
        }

        fn contains(&self, p: P) -> bool {
            (**self).contains(p)
        }

        fn bounds(&self) -> Bounds {
            (**self).bounds()
        }
    }

    pub struct Difference<A, B>(pub A, pub B);

    impl<A: Shape, B: Shape> Shape for Difference<A, B> {
        fn area(&self) -> f32 {
            (self.0.area() - self.1.area()).max(0.0)
        }

        fn contains(&self, p: P) -> bool {
            self.0.contains(p) && !self.1.contains(p)
        }

        fn bounds(&self) -> Bounds {
            self.0.bounds()
        }
    }

    pub fn summary<S: Shape>(shape: S, points: &[P]) -> [f32; 4] {
        let inside = points.iter().filter(|p| shape.contains(**p)).count();
        [shape.area(), shape.fill(), inside as f32, S::SIDES.unwrap_or(0) as f32]
    }

    pub fn all(x: &[f32]) -> [f32; 8] {
        let to_metres: Scale<Pixels, Metres> = Scale::new(0.25);
        let at = |i: usize| to_metres.apply((x[i], x[i + 1]).into());
        let points: [P; 5] = core::array::from_fn(at);
        let corners =
            [P::new(0.0, 0.0), (4.0, 0.0).into(), P::new(4.0, 3.0) + points[0] * 0.1, P::new(0.0, 3.0)];
        let polygon = Polygon { corners: &corners };
        let hole = Circle { center: points[1], radius: 1.0 };
        let [a, b, c, d] = summary(&polygon, &points);
        let [e, f, g, _] = summary(Difference(&polygon, hole), &points);
        let back = to_metres.inverse().apply(points[2]);
        [a, b, c, d, e, f, g, back.x]
    }
}

#[kernel]
pub fn shapes(x: &[f32], y: &mut [[f32; 8]]) {
    let i = global_id(0);
    y[i] = geometry::all(&x[i..]);
}

pub fn case() -> Case {
    let x: Vec<f32> = (0..24).map(|i| (i * 29 % 17) as f32).collect();
    let positions: Vec<usize> = (0..16).collect();
    let y = map(&positions, |i| geometry::all(&x[i..]));
    Case::of(&SHAPES).input(&x).output(&y).items([y.len()])
}
