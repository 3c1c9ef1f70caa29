//! Types and traits that stand by themselves, with the `impl`s beside them that are device items too.

use super::case::Case;
use super::seeded::case_by_seed;
use core::fmt::Write;
use core::ops::Add;
use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Point {
    x: u32,
}

#[device]
impl Point {
    const ORIGIN: Point = Point { x: 0 };

    fn heavy(self) -> u32 {
        weight(self) ^ self.x
    }
}

/// It leads back to the type.
#[device]
fn weight(point: Point) -> u32 {
    point.x.wrapping_mul(3)
}

#[device]
impl Add for Point {
    type Output = Point;

    fn add(self, other: Point) -> Point {
        Point { x: self.x.wrapping_add(other.x) }
    }
}

#[device]
impl From<u32> for Point {
    fn from(x: u32) -> Self {
        Point { x: x >> 8 }
    }
}

#[device]
impl From<(u32, u32)> for Point {
    fn from((x, y): (u32, u32)) -> Self {
        Point { x: x ^ y }
    }
}

#[device]
trait Grow {
    fn grow(&mut self) -> u32;

    fn grow_twice(&mut self) -> u32 {
        self.grow() ^ self.grow().rotate_left(9)
    }
}

#[device]
impl Grow for Point {
    fn grow(&mut self) -> u32 {
        self.x = self.x.wrapping_add(1);
        self.x
    }
}

#[device]
impl Grow for u32 {
    fn grow(&mut self) -> u32 {
        *self = self.wrapping_add(2);
        *self
    }
}

#[device]
struct Ring<T, const N: usize> {
    of: [T; N],
    next: usize,
}

#[device]
impl<T: Copy, const N: usize> Ring<T, N> {
    const LEN: usize = N;

    fn push(&mut self, item: T) -> T {
        self.next = (self.next + 1) % N;
        std::mem::replace(&mut self.of[self.next], item)
    }
}

#[device]
struct Hash(u32);

#[device]
impl Write for Hash {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        for byte in text.bytes() {
            self.0 = self.0.wrapping_mul(33) ^ u32::from(byte);
        }
        Ok(())
    }
}

#[device]
fn grown<T: Grow>(mut plant: T) -> u32 {
    plant.grow_twice()
}

#[device]
fn of_all(seed: u32) -> [u32; 4] {
    let point = Point::from(seed) + Point::ORIGIN + (seed, 7).into();
    let mut ring = Ring { of: [point; 3], next: seed as usize % 3 };
    let pushed =
        (0..5).fold(seed, |sum, step| sum ^ ring.push(Point::from(sum << 8) + point).x.rotate_left(step));
    let mut hash = Hash(5381);
    let written = write!(hash, "{seed}:{:x}", point.x);
    let lens = (Ring::<u8, 3>::LEN + Ring::<Point, 4>::LEN) as u32;
    [point.heavy(), grown(point) ^ grown(seed), pushed ^ lens, hash.0 ^ u32::from(written.is_ok())]
}

#[kernel]
pub fn impls_beside(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = of_all(seeds[i]);
    }
}

pub fn cases() -> Vec<Case> {
    vec![case_by_seed(&IMPLS_BESIDE, of_all)]
}
