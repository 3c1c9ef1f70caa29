//! Lines over grids and voxels as iterators, in the manner of `line_drawing`.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::iter::{Skip, StepBy};
    use core::mem::swap;
    use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

    pub type Point<T> = (T, T);

    pub trait SignedNum:
        Copy
        + PartialOrd
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Neg<Output = Self>
        + AddAssign
        + SubAssign
    {
        const ZERO: Self;
        const ONE: Self;

        fn abs(self) -> Self {
            if self < Self::ZERO { -self } else { self }
        }

        fn signum(self) -> Self {
            match self.partial_cmp(&Self::ZERO) {
                Some(core::cmp::Ordering::Less) => -Self::ONE,
                Some(core::cmp::Ordering::Greater) => Self::ONE,
                _ => Self::ZERO,
            }
        }
    }

    macro_rules! impl_signed_num {
        ($($t:ty: $zero:expr, $one:expr);* $(;)?) => {
            $(impl SignedNum for $t {
                const ZERO: Self = $zero;
                const ONE: Self = $one;
            })*
        };
    }

    impl_signed_num! {
        i8: 0, 1;
        i16: 0, 1;
        i32: 0, 1;
        i64: 0, 1;
        f32: 0.0, 1.0;
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Octant(u8);

    impl Octant {
        #[inline]
        pub fn new<T: SignedNum>(start: Point<T>, end: Point<T>) -> Self {
            let mut value = 0;
            let mut dx = end.0 - start.0;
            let mut dy = end.1 - start.1;
            if dy < T::ZERO {
                dx = -dx;
                dy = -dy;
                value += 4;
            }
            if dx < T::ZERO {
                let tmp = dx;
                dx = dy;
                dy = -tmp;
                value += 2;
            }
            if dx < dy {
                value += 1;
            }
            Octant(value)
        }

        pub fn to<T: Neg<Output = T>>(self, (x, y): Point<T>) -> Point<T> {
            match self.0 {
                0 => (x, y),
                1 => (y, x),
                2 => (y, -x),
                3 => (-x, y),
                4 => (-x, -y),
                5 => (-y, -x),
                6 => (-y, x),
                7 => (x, -y),
                _ => unreachable!(),
            }
        }

        pub fn from<T: Neg<Output = T>>(self, (x, y): Point<T>) -> Point<T> {
            match self.0 {
                0 => (x, y),
                1 => (y, x),
                2 => (-y, x),
                3 => (-x, y),
                4 => (-x, -y),
                5 => (-y, -x),
                6 => (y, -x),
                7 => (x, -y),
                _ => unreachable!(),
            }
        }
    }

    #[derive(Clone)]
    pub struct Bresenham<T> {
        point: Point<T>,
        end_x: T,
        delta: Point<T>,
        error: T,
        octant: Octant,
    }

    impl<T: SignedNum> Bresenham<T> {
        pub fn new(start: Point<T>, end: Point<T>) -> Self {
            let octant = Octant::new(start, end);
            let start = octant.to(start);
            let end = octant.to(end);
            let delta = (end.0 - start.0, end.1 - start.1);
            Self { delta, octant, point: start, end_x: end.0, error: delta.1 - delta.0 }
        }

        pub fn steps(self) -> Steps<Point<T>, Self> {
            Steps::new(self)
        }
    }

    impl<T: SignedNum> Iterator for Bresenham<T> {
        type Item = Point<T>;

        fn next(&mut self) -> Option<Self::Item> {
            if self.point.0 <= self.end_x {
                let point = self.octant.from(self.point);
                if self.error >= T::ZERO {
                    self.point.1 += T::ONE;
                    self.error -= self.delta.0;
                }
                self.point.0 += T::ONE;
                self.error += self.delta.1;
                Some(point)
            } else {
                None
            }
        }
    }

    pub struct Steps<P, I: Iterator<Item = P>> {
        prev: Option<P>,
        iterator: I,
    }

    impl<P: Clone, I: Iterator<Item = P>> Steps<P, I> {
        pub fn new(mut iterator: I) -> Self {
            Self { prev: iterator.next(), iterator }
        }
    }

    impl<P: Clone, I: Iterator<Item = P>> Iterator for Steps<P, I> {
        type Item = (P, P);

        fn next(&mut self) -> Option<Self::Item> {
            let next = self.iterator.next()?;
            let prev = self.prev.replace(next.clone())?;
            Some((prev, next))
        }
    }

    pub struct BresenhamCircle<T> {
        x: T,
        y: T,
        center: Point<T>,
        radius: T,
        error: T,
        quadrant: u8,
    }

    impl BresenhamCircle<i32> {
        pub const fn new(center_x: i32, center_y: i32, radius: i32) -> Self {
            Self {
                center: (center_x, center_y),
                radius,
                x: -radius,
                y: 0,
                error: 2 - 2 * radius,
                quadrant: 1,
            }
        }
    }

    impl Iterator for BresenhamCircle<i32> {
        type Item = Point<i32>;

        fn next(&mut self) -> Option<Self::Item> {
            if self.x < 0 {
                let point = match self.quadrant {
                    1 => (self.center.0 - self.x, self.center.1 + self.y),
                    2 => (self.center.0 - self.y, self.center.1 - self.x),
                    3 => (self.center.0 + self.x, self.center.1 - self.y),
                    4 => (self.center.0 + self.y, self.center.1 + self.x),
                    _ => unreachable!("quadrant {}", self.quadrant),
                };
                if self.quadrant == 4 {
                    self.radius = self.error;
                    if self.radius <= self.y {
                        self.y += 1;
                        self.error += self.y * 2 + 1;
                    }
                    if self.radius > self.x || self.error > self.y {
                        self.x += 1;
                        self.error += self.x * 2 + 1;
                    }
                }
                self.quadrant = self.quadrant % 4 + 1;
                Some(point)
            } else {
                None
            }
        }
    }

    /// Every second point after the first.
    pub fn dotted<T: SignedNum>(line: Bresenham<T>) -> StepBy<Skip<Bresenham<T>>> {
        line.skip(1).step_by(2)
    }

    pub fn run(i: u32) -> u64 {
        let k = i as i32;
        let (mut a, mut b) = ((k % 7, -k % 5), (k % 11 - 4, k / 3 - 6));
        if k % 2 == 1 {
            swap(&mut a, &mut b);
        }
        let mut h = 0u64;
        for (x, y) in Bresenham::new(a, b) {
            h = h.wrapping_mul(1_000_003) ^ ((x as u32 as u64) << 32 | y as u32 as u64);
        }
        for ((x0, y0), (x1, y1)) in Bresenham::new((0i8, 0), (k as i8 % 9, 5)).steps() {
            h = h.rotate_left(3) ^ ((x1 - x0) as u64 & 3) ^ ((y1 - y0) as u64 & 3) << 2;
        }
        let float: f32 =
            dotted(Bresenham::new((0.5f32, 0.25), (i as f32 / 4.0, 9.0))).map(|(x, y)| x * 3.0 - y).sum();
        let (min, max) = BresenhamCircle::new(k, -k, k % 6)
            .fold((i32::MAX, i32::MIN), |(lo, hi), (x, y)| (lo.min(x + y), hi.max(x - y)));
        h ^ u64::from(float.to_bits()) ^ (min as u64) << 13 ^ (max as u64) << 29
    }
}

#[kernel]
pub fn line_drawing(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&LINE_DRAWING, program::run)
}
