//! Curves of Bézier and what is common to them, as the crate `kurbo` has it: evaluation, subdivision, length, bounds, nearest points.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::ops::{Add, Mul, Range, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
    pub struct Point {
        pub x: f64,
        pub y: f64,
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Vec2 {
        pub x: f64,
        pub y: f64,
    }

    impl Point {
        pub const ORIGIN: Point = Point::new(0., 0.);

        #[inline(always)]
        pub const fn new(x: f64, y: f64) -> Self {
            Point { x, y }
        }

        pub fn lerp(self, other: Point, t: f64) -> Point {
            self + t * (other - self)
        }

        pub fn midpoint(self, other: Point) -> Point {
            Point::new(0.5 * (self.x + other.x), 0.5 * (self.y + other.y))
        }
    }

    impl Vec2 {
        pub fn dot(self, other: Vec2) -> f64 {
            self.x * other.x + self.y * other.y
        }
        pub fn hypot2(self) -> f64 {
            self.dot(self)
        }
        pub fn length(self) -> f64 {
            self.hypot2().sqrt()
        }
    }

    impl Sub for Point {
        type Output = Vec2;
        fn sub(self, o: Point) -> Vec2 {
            Vec2 { x: self.x - o.x, y: self.y - o.y }
        }
    }
    impl Add<Vec2> for Point {
        type Output = Point;
        fn add(self, v: Vec2) -> Point {
            Point::new(self.x + v.x, self.y + v.y)
        }
    }
    impl Mul<Vec2> for f64 {
        type Output = Vec2;
        fn mul(self, v: Vec2) -> Vec2 {
            Vec2 { x: self * v.x, y: self * v.y }
        }
    }
    impl From<(f64, f64)> for Point {
        fn from((x, y): (f64, f64)) -> Point {
            Point { x, y }
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Rect {
        pub min: Point,
        pub max: Point,
    }

    impl Rect {
        pub fn union_pt(self, p: Point) -> Rect {
            Rect {
                min: Point::new(self.min.x.min(p.x), self.min.y.min(p.y)),
                max: Point::new(self.max.x.max(p.x), self.max.y.max(p.y)),
            }
        }
        pub fn area(&self) -> f64 {
            (self.max.x - self.min.x) * (self.max.y - self.min.y)
        }
    }

    pub trait ParamCurve: Sized {
        fn eval(&self, t: f64) -> Point;
        fn subsegment(&self, range: Range<f64>) -> Self;

        fn subdivide(&self) -> (Self, Self) {
            (self.subsegment(0.0..0.5), self.subsegment(0.5..1.0))
        }
        fn start(&self) -> Point {
            self.eval(0.0)
        }
        fn end(&self) -> Point {
            self.eval(1.0)
        }
    }

    pub trait ParamCurveDeriv: ParamCurve {
        type DerivResult: ParamCurve;

        fn deriv(&self) -> Self::DerivResult;

        fn gauss_arclen(&self, coeffs: &[(f64, f64)]) -> f64 {
            let d = self.deriv();
            coeffs
                .iter()
                .map(|(wi, xi)| wi * (d.eval(0.5 * (xi + 1.0)) - Point::ORIGIN).length())
                .sum::<f64>()
                * 0.5
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Line {
        pub p0: Point,
        pub p1: Point,
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct QuadBez {
        pub p0: Point,
        pub p1: Point,
        pub p2: Point,
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct CubicBez {
        pub p: [Point; 4],
    }

    impl ParamCurve for Line {
        fn eval(&self, t: f64) -> Point {
            self.p0.lerp(self.p1, t)
        }
        fn subsegment(&self, Range { start, end }: Range<f64>) -> Line {
            Line { p0: self.eval(start), p1: self.eval(end) }
        }
    }

    impl ParamCurve for QuadBez {
        fn eval(&self, t: f64) -> Point {
            let mt = 1.0 - t;
            let v = |a: f64, b: f64, c: f64| a * (mt * mt) + (b * (mt * 2.0) + c * t) * t;
            Point::new(v(self.p0.x, self.p1.x, self.p2.x), v(self.p0.y, self.p1.y, self.p2.y))
        }
        fn subsegment(&self, range: Range<f64>) -> QuadBez {
            let (t0, t1) = (range.start, range.end);
            let p0 = self.eval(t0);
            let p2 = self.eval(t1);
            let p1 = p0 + (t1 - t0) * ((self.p1 - self.p0).lerp(self.p2 - self.p1, t0));
            QuadBez { p0, p1, p2 }
        }
    }

    trait Lerp {
        fn lerp(self, other: Self, t: f64) -> Self;
    }

    impl Lerp for Vec2 {
        fn lerp(self, other: Vec2, t: f64) -> Vec2 {
            Vec2 { x: self.x + t * (other.x - self.x), y: self.y + t * (other.y - self.y) }
        }
    }

    impl ParamCurve for CubicBez {
        /// De Casteljau.
        fn eval(&self, t: f64) -> Point {
            let mut p = self.p;
            for level in (1..p.len()).rev() {
                for i in 0..level {
                    p[i] = p[i].lerp(p[i + 1], t);
                }
            }
            p[0]
        }

        fn subsegment(&self, range: Range<f64>) -> CubicBez {
            let d = self.deriv();
            let scale = (range.end - range.start) * (1.0 / 3.0);
            let (p0, p3) = (self.eval(range.start), self.eval(range.end));
            let p1 = p0 + scale * (d.eval(range.start) - Point::ORIGIN);
            let p2 = p3 + -scale * (d.eval(range.end) - Point::ORIGIN);
            CubicBez { p: [p0, p1, p2, p3] }
        }
    }

    impl ParamCurveDeriv for QuadBez {
        type DerivResult = Line;
        fn deriv(&self) -> Line {
            Line {
                p0: Point::ORIGIN + 2.0 * (self.p1 - self.p0),
                p1: Point::ORIGIN + 2.0 * (self.p2 - self.p1),
            }
        }
    }

    impl ParamCurveDeriv for CubicBez {
        type DerivResult = QuadBez;
        fn deriv(&self) -> QuadBez {
            let [p0, p1, p2] = core::array::from_fn(|i| Point::ORIGIN + 3.0 * (self.p[i + 1] - self.p[i]));
            QuadBez { p0, p1, p2 }
        }
    }

    pub const GAUSS_LEGENDRE_3: &[(f64, f64)] = &[
        (0.888_888_888_888_888_8, 0.0),
        (0.555_555_555_555_555_6, -0.774_596_669_241_483_4),
        (0.555_555_555_555_555_6, 0.774_596_669_241_483_4),
    ];

    pub enum PathSeg {
        Line(Line),
        Quad(QuadBez),
        Cubic(CubicBez),
    }

    impl PathSeg {
        fn reversed(&self) -> PathSeg {
            match self {
                PathSeg::Line(Line { p0, p1 }) => PathSeg::Line(Line { p0: *p1, p1: *p0 }),
                PathSeg::Quad(q) => PathSeg::Quad(QuadBez { p0: q.p2, p2: q.p0, ..*q }),
                PathSeg::Cubic(CubicBez { p: [a, b, c, d] }) => {
                    PathSeg::Cubic(CubicBez { p: [*d, *c, *b, *a] })
                }
            }
        }
    }

    impl ParamCurve for PathSeg {
        fn eval(&self, t: f64) -> Point {
            match self {
                PathSeg::Line(line) => line.eval(t),
                PathSeg::Quad(quad) => quad.eval(t),
                PathSeg::Cubic(cubic) => cubic.eval(t),
            }
        }
        fn subsegment(&self, range: Range<f64>) -> Self {
            match self {
                PathSeg::Line(line) => PathSeg::Line(line.subsegment(range)),
                PathSeg::Quad(quad) => PathSeg::Quad(quad.subsegment(range)),
                PathSeg::Cubic(cubic) => PathSeg::Cubic(cubic.subsegment(range)),
            }
        }
    }

    /// The parameter of the point that is nearest to `to`, and the distance.
    fn nearest<C: ParamCurve>(curve: &C, to: Point, steps: u32) -> (f64, f64) {
        let at = |t: f64| (curve.eval(t) - to).hypot2();
        let (mut best, _) = (0..=steps)
            .map(|i| f64::from(i) / f64::from(steps))
            .map(|t| (t, at(t)))
            .min_by(|(_, a), (_, b)| a.total_cmp(b))
            .unwrap();
        let mut step = 0.5 / steps as f64;
        for _ in 0..6 {
            best = [best - step, best, best + step]
                .into_iter()
                .fold(best, |b, t| if at(t.clamp(0., 1.)) < at(b) { t.clamp(0., 1.) } else { b });
            step /= 2.0;
        }
        (best, at(best).sqrt())
    }

    fn bounds(curve: &impl ParamCurve, n: usize) -> Rect {
        let first = Rect { min: curve.start(), max: curve.end() };
        (0..=n)
            .fold(Rect { min: first.min, max: first.min }, |r, i| r.union_pt(curve.eval(i as f64 / n as f64)))
    }

    pub fn run(seed: u32) -> [u64; 8] {
        let mut bits = seed;
        let mut coord = || {
            bits = bits.wrapping_mul(0x9e37_79b1).rotate_right(7);
            f64::from(bits >> 20) / 64.0
        };
        let p: [Point; 4] = core::array::from_fn(|_| (coord(), coord()).into());
        let cubic = CubicBez { p };
        let (left, right) = cubic.subdivide();
        let quad = QuadBez { p0: p[0], p1: p[1].midpoint(p[2]), p2: p[3] };
        let seg = match seed % 3 {
            0 => PathSeg::Line(Line { p0: p[0], p1: p[3] }),
            1 => PathSeg::Quad(quad),
            _ => PathSeg::Cubic(cubic),
        }
        .reversed();
        let (t, distance) = nearest(&seg, Point::new(32.0, 32.0), 8);
        [
            cubic.eval(0.3).x.to_bits(),
            left.end().y.to_bits(),
            right.eval(0.25).y.to_bits(),
            cubic.gauss_arclen(GAUSS_LEGENDRE_3).to_bits(),
            quad.subsegment(0.25..0.75).gauss_arclen(&GAUSS_LEGENDRE_3[..]).to_bits(),
            bounds(&cubic, 12).area().to_bits(),
            t.to_bits(),
            distance.to_bits(),
        ]
    }
}

#[kernel]
pub fn curves_measured(seeds: &[u32], y: &mut [[u64; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    let seeds: Vec<u32> = (0..32).map(super::seed).collect();
    let expected: Vec<_> = seeds.iter().map(|&seed| program::run(seed)).collect();
    Case::of(&CURVES_MEASURED).input(&seeds).output(&expected).items([expected.len()])
}
