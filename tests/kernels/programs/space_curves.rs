//! Curves that fill a square: Hilbert's and that of Morton, by a trait with a default method, and what lies near on them.

use super::Case;
use kernel_runtime::prelude::*;

#[device]
mod curves {
    use core::iter::FusedIterator;
    use core::marker::PhantomData;

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Point {
        pub x: u16,
        pub y: u16,
    }

    impl From<(u16, u16)> for Point {
        fn from((x, y): (u16, u16)) -> Self {
            Self { x, y }
        }
    }

    impl Point {
        pub fn manhattan(self, other: Self) -> u32 {
            u32::from(self.x.abs_diff(other.x)) + u32::from(self.y.abs_diff(other.y))
        }
    }

    pub trait Curve {
        const NAME: &'static str;

        fn encode(p: Point, order: u32) -> u32;
        fn decode(d: u32, order: u32) -> Point;

        fn path(order: u32) -> Path<Self>
        where
            Self: Sized,
        {
            Path { next: 0, end: 1 << (2 * order), order, curve: PhantomData }
        }
    }

    pub enum Hilbert {}
    pub enum Morton {}

    fn rotate(n: u16, p: &mut Point, rx: u16, ry: u16) {
        if ry == 0 {
            if rx == 1 {
                p.x = n.wrapping_sub(1).wrapping_sub(p.x);
                p.y = n.wrapping_sub(1).wrapping_sub(p.y);
            }
            core::mem::swap(&mut p.x, &mut p.y);
        }
    }

    impl Curve for Hilbert {
        const NAME: &'static str = "hilbert";

        fn encode(mut p: Point, order: u32) -> u32 {
            let n = 1u16 << order;
            let mut d = 0;
            let mut s = n / 2;
            while s > 0 {
                let rx = (p.x & s > 0) as u16;
                let ry = (p.y & s > 0) as u16;
                d += u32::from(s) * u32::from(s) * u32::from((3 * rx) ^ ry);
                rotate(n, &mut p, rx, ry);
                s /= 2;
            }
            d
        }

        fn decode(d: u32, order: u32) -> Point {
            let mut t = d;
            let mut p = Point::default();
            for s in (0..order).map(|k| 1u16 << k) {
                let rx = 1 & (t / 2) as u16;
                let ry = 1 & (t as u16 ^ rx);
                rotate(s, &mut p, rx, ry);
                p.x += s * rx;
                p.y += s * ry;
                t /= 4;
            }
            p
        }
    }

    const fn spread(x: u16) -> u32 {
        let mut x = x as u32;
        x = (x | x << 8) & 0x00ff00ff;
        x = (x | x << 4) & 0x0f0f0f0f;
        x = (x | x << 2) & 0x33333333;
        (x | x << 1) & 0x55555555
    }

    const fn squash(x: u32) -> u16 {
        let mut x = x & 0x55555555;
        x = (x | x >> 1) & 0x33333333;
        x = (x | x >> 2) & 0x0f0f0f0f;
        x = (x | x >> 4) & 0x00ff00ff;
        (x | x >> 8) as u16
    }

    impl Curve for Morton {
        const NAME: &'static str = "z-order";

        fn encode(Point { x, y }: Point, _: u32) -> u32 {
            spread(x) | spread(y) << 1
        }

        fn decode(d: u32, _order: u32) -> Point {
            (squash(d), squash(d >> 1)).into()
        }
    }

    /// The points of a curve.
    pub struct Path<C: ?Sized> {
        next: u32,
        end: u32,
        order: u32,
        curve: PhantomData<C>,
    }

    impl<C: Curve> Iterator for Path<C> {
        type Item = Point;

        fn next(&mut self) -> Option<Point> {
            (self.next < self.end).then(|| {
                let d = self.next;
                self.next += 1;
                C::decode(d, self.order)
            })
        }

        fn size_hint(&self) -> (usize, Option<usize>) {
            let left = (self.end - self.next) as usize;
            (left, Some(left))
        }
    }

    impl<C: Curve> DoubleEndedIterator for Path<C> {
        fn next_back(&mut self) -> Option<Self::Item> {
            if self.next == self.end {
                return None;
            }
            self.end -= 1;
            Some(C::decode(self.end, self.order))
        }
    }

    impl<C: Curve> ExactSizeIterator for Path<C> {}
    impl<C: Curve> FusedIterator for Path<C> {}

    /// The length of the way along a curve.
    pub fn length<C: Curve>(order: u32) -> u32 {
        let mut path = C::path(order);
        let Some(mut last) = path.next() else { return 0 };
        path.map(|p| core::mem::replace(&mut last, p).manhattan(p)).sum()
    }

    pub fn round_trips<C>(points: &[Point], order: u32) -> usize
    where
        C: Curve,
    {
        points.iter().filter(|&&p| C::decode(C::encode(p, order), order) == p).count()
    }
}

#[device]
pub fn program(seed: u32) -> [u32; 6] {
    use curves::{Curve, Hilbert, Morton, Point};
    let order = 2 + seed % 3;
    let mask = (1 << order) - 1;
    let points: [Point; 12] = core::array::from_fn(|i| {
        let bits = seed.rotate_left(i as u32 * 5);
        Point::from((bits as u16 & mask, (bits >> 8) as u16 & mask))
    });
    let mut sorted = points;
    sorted.sort_unstable_by_key(|&p| Hilbert::encode(p, order));
    let tour = sorted.windows(2).map(|w| w[0].manhattan(w[1])).sum::<u32>();
    let untidy: u32 = points.windows(2).map(|w| w[0].manhattan(w[1])).sum();
    let last = Hilbert::path(order).next_back().map_or(0, |p| u32::from(p.x) << 8 | u32::from(p.y));
    let trips =
        curves::round_trips::<Hilbert>(&points, order) + curves::round_trips::<Morton>(&points, order);
    let middle = Morton::path(order).rev().nth(3).map(|p| Morton::encode(p, order));
    [
        curves::length::<Hilbert>(order) * 1000 + curves::length::<Morton>(order),
        tour * 1000 + untidy,
        last,
        trips as u32,
        middle.unwrap_or(0),
        (Hilbert::NAME.len() * 10 + Morton::NAME.len() + Hilbert::path(order).len()) as u32,
    ]
}

#[kernel]
pub fn space_curves(seeds: &[u32], y: &mut [[u32; 6]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seeds[i]);
    }
}

pub fn case() -> Case {
    super::case_by_seed(&SPACE_CURVES, program)
}
