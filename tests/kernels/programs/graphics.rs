//! Drawing on small displays as `embedded-graphics` has it: targets, primitives whose points are iterators, styles, and text from a tiny font.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::convert::Infallible;
    use core::iter::FusedIterator;
    use core::ops::{Add, AddAssign, Sub};

    #[derive(Copy, Clone, Eq, PartialEq, Debug, Hash, Default)]
    pub struct Point {
        pub x: i32,
        pub y: i32,
    }

    impl Point {
        pub const fn new(x: i32, y: i32) -> Self {
            Self { x, y }
        }
        pub fn abs(self) -> Self {
            Point::new(self.x.abs(), self.y.abs())
        }
    }

    impl Add for Point {
        type Output = Point;
        fn add(self, o: Point) -> Point {
            Point::new(self.x + o.x, self.y + o.y)
        }
    }
    impl AddAssign for Point {
        fn add_assign(&mut self, o: Point) {
            *self = *self + o;
        }
    }
    impl Sub for Point {
        type Output = Point;
        fn sub(self, o: Point) -> Point {
            Point::new(self.x - o.x, self.y - o.y)
        }
    }

    pub trait PixelColor: Copy + PartialEq {
        type Raw: Into<u32> + From<Self>;
    }

    #[derive(Copy, Clone, PartialEq, Eq, Debug)]
    pub enum BinaryColor {
        Off,
        On,
    }

    #[derive(Copy, Clone, PartialEq, Eq, Debug)]
    pub struct RawU1(bool);

    impl From<BinaryColor> for RawU1 {
        fn from(c: BinaryColor) -> Self {
            RawU1(matches!(c, BinaryColor::On))
        }
    }
    impl From<RawU1> for u32 {
        fn from(RawU1(on): RawU1) -> u32 {
            on as u32
        }
    }
    impl PixelColor for BinaryColor {
        type Raw = RawU1;
    }

    #[derive(Copy, Clone, PartialEq, Debug)]
    pub struct Pixel<C>(pub Point, pub C);

    pub trait DrawTarget {
        type Color: PixelColor;
        type Error;

        fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Self::Error>
        where
            I: IntoIterator<Item = Pixel<Self::Color>>;

        fn clear(&mut self, color: Self::Color) -> Result<(), Self::Error>;

        fn translated(&mut self, offset: Point) -> Translated<'_, Self>
        where
            Self: Sized,
        {
            Translated { parent: self, offset }
        }
    }

    pub struct Translated<'a, T> {
        parent: &'a mut T,
        offset: Point,
    }

    impl<T: DrawTarget> DrawTarget for Translated<'_, T> {
        type Color = T::Color;
        type Error = T::Error;

        fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Self::Error>
        where
            I: IntoIterator<Item = Pixel<Self::Color>>,
        {
            let offset = self.offset;
            self.parent.draw_iter(pixels.into_iter().map(|Pixel(p, c)| Pixel(p + offset, c)))
        }

        fn clear(&mut self, color: Self::Color) -> Result<(), Self::Error> {
            self.parent.clear(color)
        }
    }

    pub struct Framebuffer<C: PixelColor, const W: usize, const H: usize> {
        data: [[C; W]; H],
        drawn: u32,
    }

    impl<C: PixelColor, const W: usize, const H: usize> Framebuffer<C, W, H> {
        pub fn new(color: C) -> Self {
            Self { data: [[color; W]; H], drawn: 0 }
        }

        pub fn checksum(&self) -> u32 {
            self.data.iter().flatten().fold(0, |h: u32, &c| {
                let raw: u32 = C::Raw::from(c).into();
                h.rotate_left(1) ^ raw.wrapping_mul(0x85eb_ca6b)
            })
        }
    }

    impl<C: PixelColor, const W: usize, const H: usize> DrawTarget for Framebuffer<C, W, H> {
        type Color = C;
        type Error = Infallible;

        fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Infallible>
        where
            I: IntoIterator<Item = Pixel<C>>,
        {
            for Pixel(Point { x, y }, color) in pixels {
                let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { continue };
                if let Some(cell) = self.data.get_mut(y).and_then(|row| row.get_mut(x)) {
                    *cell = color;
                    self.drawn += 1;
                }
            }
            Ok(())
        }

        fn clear(&mut self, color: C) -> Result<(), Infallible> {
            self.data = [[color; W]; H];
            Ok(())
        }
    }

    pub trait Drawable {
        type Color: PixelColor;
        type Output;
        fn draw<D: DrawTarget<Color = Self::Color>>(&self, target: &mut D) -> Result<Self::Output, D::Error>;
    }

    pub trait Points {
        type Iter: Iterator<Item = Point>;
        fn points(&self) -> Self::Iter;

        fn into_styled<C: PixelColor>(self, color: C) -> Styled<Self, C>
        where
            Self: Sized,
        {
            Styled { primitive: self, color }
        }
    }

    #[derive(Copy, Clone, Debug)]
    pub struct Styled<T, C> {
        primitive: T,
        color: C,
    }

    impl<T: Points, C: PixelColor> Drawable for Styled<T, C> {
        type Color = C;
        type Output = ();

        fn draw<D>(&self, target: &mut D) -> Result<(), D::Error>
        where
            D: DrawTarget<Color = C>,
        {
            target.draw_iter(self.primitive.points().map(|p| Pixel(p, self.color)))
        }
    }

    #[derive(Copy, Clone, Debug)]
    pub struct Line {
        start: Point,
        end: Point,
    }

    #[derive(Clone)]
    pub struct LinePoints {
        at: Point,
        step: Point,
        delta: Point,
        error: i32,
        left: u32,
    }

    impl Points for Line {
        type Iter = LinePoints;

        fn points(&self) -> LinePoints {
            let delta = (self.end - self.start).abs();
            let sign = |a: i32, b: i32| if a < b { 1 } else { -1 };
            LinePoints {
                at: self.start,
                step: Point { x: sign(self.start.x, self.end.x), y: sign(self.start.y, self.end.y) },
                delta,
                error: delta.x - delta.y,
                left: delta.x.max(delta.y) as u32 + 1,
            }
        }
    }

    impl Iterator for LinePoints {
        type Item = Point;

        fn next(&mut self) -> Option<Point> {
            self.left = self.left.checked_sub(1)?;
            let point = self.at;
            let doubled = 2 * self.error;
            if doubled > -self.delta.y {
                self.error -= self.delta.y;
                self.at.x += self.step.x;
            }
            if doubled < self.delta.x {
                self.error += self.delta.x;
                self.at.y += self.step.y;
            }
            Some(point)
        }
    }

    impl FusedIterator for LinePoints {}

    #[derive(Copy, Clone, Debug)]
    pub struct Circle {
        center: Point,
        radius: u32,
    }

    pub struct CirclePoints {
        circle: Circle,
        at: Point,
    }

    impl Points for Circle {
        type Iter = CirclePoints;

        fn points(&self) -> CirclePoints {
            let r = self.radius as i32;
            CirclePoints { circle: *self, at: self.center - Point::new(r, r) }
        }
    }

    impl Iterator for CirclePoints {
        type Item = Point;

        fn next(&mut self) -> Option<Point> {
            let Circle { center, radius } = self.circle;
            let r = radius as i32;
            while self.at.y <= center.y + r {
                let point = self.at;
                self.at.x += 1;
                if self.at.x > center.x + r {
                    self.at = Point::new(center.x - r, point.y + 1);
                }
                let d = point - center;
                let squared = d.x * d.x + d.y * d.y;
                if squared <= r * r && squared > (r - 1) * (r - 1) {
                    return Some(point);
                }
            }
            None
        }
    }

    const FONT: &[(char, [u8; 3])] = &[
        ('0', [0x1f, 0x11, 0x1f]),
        ('1', [0x00, 0x1f, 0x00]),
        ('7', [0x01, 0x1d, 0x03]),
        ('-', [0x04, 0x04, 0x04]),
    ];

    pub struct Text<'a, C> {
        text: &'a str,
        position: Point,
        color: C,
    }

    impl<C: PixelColor> Drawable for Text<'_, C> {
        type Color = C;
        /// Where the next character would be.
        type Output = Point;

        fn draw<D: DrawTarget<Color = C>>(&self, target: &mut D) -> Result<Point, D::Error> {
            let mut pen = self.position;
            for ch in self.text.chars() {
                if let Some((_, columns)) = FONT.iter().find(|(c, _)| *c == ch) {
                    for (dx, column) in (0..).zip(columns) {
                        let bits = (0..5).filter(|bit| column & (1 << bit) != 0);
                        target.draw_iter(bits.map(|dy| Pixel(pen + Point::new(dx, dy), self.color)))?;
                    }
                }
                pen += Point::new(4, 0);
            }
            Ok(pen)
        }
    }

    fn scene<D: DrawTarget<Color = BinaryColor>>(display: &mut D, seed: u32) -> Result<Point, D::Error> {
        let coord = |shift: u32| ((seed >> shift) & 31) as i32 - 4;
        Line { start: Point::new(coord(0), coord(5)), end: Point::new(coord(10), coord(15)) }
            .into_styled(BinaryColor::On)
            .draw(display)?;
        Circle { center: Point { x: 12, y: coord(20).abs() }, radius: 1 + (seed >> 25) % 7 }
            .into_styled(BinaryColor::On)
            .draw(display)?;
        let text = ["10-7", "", "77", "x1"][seed as usize % 4];
        Text { text, position: Point::new(1, 9), color: BinaryColor::On }
            .draw(&mut display.translated(Point::new(2, -1)))
    }

    pub fn run(seed: u32) -> [u32; 5] {
        let mut display = Framebuffer::<_, 24, 16>::new(BinaryColor::Off);
        let mut blank = Framebuffer::<BinaryColor, 24, 16>::new(BinaryColor::On);
        let pen = scene(&mut display, seed).unwrap_or_else(|never| match never {});
        let _ = blank.clear(BinaryColor::Off);
        let Ok(()) = Line { start: pen, end: Point::default() }.into_styled(BinaryColor::On).draw(&mut blank);
        [display.checksum(), display.drawn, pen.x as u32, blank.checksum(), blank.drawn]
    }
}

#[kernel]
pub fn displays_drawn(seeds: &[u32], y: &mut [[u32; 5]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&DISPLAYS_DRAWN, program::run)
}
