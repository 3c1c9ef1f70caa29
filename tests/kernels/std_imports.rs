//! Constants and functions of the standard library that the module of a kernel imports, though they have no macros.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;
use std::array::from_fn;
use std::cmp::{max, min as least};
use std::f32;
use std::f32::consts::{self, PI, SQRT_2};
use std::f64::consts::TAU;
use std::mem::{self, replace, swap, take};

/// A constant of one's own that is not marked, and is the one of its name.
const E: f32 = consts::E;

#[kernel]
pub fn single(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    assert!(x[i] < PI * 1000.0, "{} is too much for {}", x[i], PI);
    y[i] = x[i] * PI + SQRT_2 + E + consts::LN_2 + f32::consts::TAU;
}

fn expected_single(x: f32) -> f32 {
    x * PI + SQRT_2 + E + consts::LN_2 + f32::consts::TAU
}

/// Nothing but its definition says what precision the constant has.
#[kernel]
pub fn open(y: &mut [u32]) {
    let turn = TAU;
    let i = global_id(0);
    y[i] = if turn + 1e-9 == turn { 1 } else { 2 };
}

/// The same with a constant of the other precision.
#[kernel]
pub fn open_single(y: &mut [u32]) {
    let half_turn = PI;
    let i = global_id(0);
    y[i] = if half_turn + 1e-9 == half_turn { 1 } else { 2 };
}

/// Constants of both precisions.
#[kernel]
pub fn mixed(y: &mut [f32], z: &mut [f64]) {
    let i = global_id(0);
    y[i] = PI;
    z[i] = TAU;
}

#[kernel]
pub fn functions(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let (mut a, mut b) = (max(x[i], 3), 5);
    swap(&mut a, &mut b);
    mem::swap(&mut a, &mut b);
    let before = replace(&mut a, 7);
    y[i] = before * 100 + max(a, b) * 10 + x[i].min(2);
}

fn expected_functions(x: u32) -> u32 {
    max(x, 3) * 100 + 70 + least(x, 2)
}

/// Functions whose names alone say little.
#[kernel]
pub fn plain_names(y: &mut [u32]) {
    let i = global_id(0);
    let squares: [u32; 4] = from_fn(|i| (i * i) as u32);
    let mut own = squares[i];
    let before = take(&mut own);
    y[i] = before * 10 + own;
}

/// In a device module, what it imports itself.
#[device]
mod maths {
    use std::f32::consts::FRAC_PI_2;
    use std::mem::swap;

    pub fn turned(x: f32) -> f32 {
        let (mut a, mut b) = (x, FRAC_PI_2);
        swap(&mut a, &mut b);
        a - b
    }
}

#[kernel]
pub fn in_module(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = maths::turned(x[i]) * PI;
}

/// In device items, what the module around them imports.
#[device]
fn angle(turns: f32) -> f32 {
    let (mut a, mut b) = (turns * consts::TAU, PI);
    mem::swap(&mut a, &mut b);
    least(a as u32, 9) as f32 + b
}

#[device]
const HALF_TURN: f64 = TAU / 2.0;

#[device(impl)]
#[derive(Clone, Copy)]
struct Circle {
    radius: f32,
}

#[device]
impl Circle {
    fn area(self) -> f32 {
        if self.radius < PI { PI * self.radius } else { SQRT_2 }
    }
}

/// A module in the text of a module, which has its imports by way of the one around.
mod inner {
    #[allow(clippy::wildcard_imports, reason = "it is what is tested")]
    use super::*;

    #[device]
    pub(super) fn twice(x: f32) -> f32 {
        let mut y = x + SQRT_2;
        replace(&mut y, 0.0) * 2.0
    }
}

#[kernel]
pub fn in_items(x: &[f32], y: &mut [f32], z: &mut [f64]) {
    let i = global_id(0);
    y[i] = angle(x[i]) + Circle { radius: x[i] }.area() + inner::twice(x[i]);
    z[i] = HALF_TURN;
}

fn expected_in_items(x: f32) -> f32 {
    angle(x) + Circle { radius: x }.area() + inner::twice(x)
}

/// For several types, of which the constant is none.
#[kernel(T = [f32, i32])]
pub fn generic<T: Number>(x: &[T], y: &mut [f32]) {
    let i = global_id(0);
    let mut own = x[i];
    let old = replace(&mut own, x[0]);
    y[i] = if old == x[i] { PI } else { 0.0 };
}

/// A constant that is named as a generic argument alone.
#[device]
const COUNT: u32 = 3;

#[device]
fn counted<const N: u32>(x: u32) -> u32 {
    x * N
}

#[kernel]
pub fn generic_argument(y: &mut [u32]) {
    let i = global_id(0);
    y[i] = counted::<COUNT>(i as u32 + 1);
}

/// Everything of modules, beside items of the same names, which come first.
#[device]
#[allow(clippy::wildcard_imports, reason = "it is what is tested")]
mod whole_modules {
    use core::cmp::*;
    use core::mem::*;
    use core::num::*;

    pub struct Saturating(u32);

    fn take(from: &mut u32) -> u32 {
        replace(from, 5)
    }

    pub fn run(x: u32) -> u32 {
        let odd = NonZeroU32::new(x % 2).map_or(3, NonZeroU32::get);
        let Wrapping(sum) = Wrapping(x) + Wrapping(u32::MAX);
        let parsed: Result<u32, ParseIntError> = "12".parse();
        let Reverse(least) = max(Reverse(x), Reverse(7));
        let mut other = Saturating(x).0;
        let taken = take(&mut other);
        odd ^ sum.rotate_left(4) ^ parsed.unwrap_or(1) * least ^ taken * other ^ size_of::<u64>() as u32
    }
}

#[kernel]
pub fn whole_modules_imported(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = whole_modules::run(x[i]);
}

pub fn cases() -> Vec<Case> {
    let floats = [0.0_f32, 1.5, -4.0];
    let numbers = [0_u32, 1, 4, 9];
    vec![
        Case::of(&SINGLE).input(&floats).output(&map(&floats, expected_single)).items([3]),
        Case::of(&OPEN).output(&[2_u32]).items([1]),
        Case::of(&OPEN_SINGLE).output(&[1_u32]).items([1]),
        Case::of(&MIXED).output(&[PI]).output(&[TAU]).items([1]),
        Case::of(&FUNCTIONS).input(&numbers).output(&map(&numbers, expected_functions)).items([4]),
        Case::of(&PLAIN_NAMES).output(&[0_u32, 10, 40, 90]).items([4]),
        Case::of(&WHOLE_MODULES_IMPORTED)
            .input(&numbers)
            .output(&map(&numbers, whole_modules::run))
            .items([4]),
        Case::of(&IN_MODULE)
            .input(&floats)
            .output(&map(&floats, |x| (consts::FRAC_PI_2 - x) * PI))
            .items([3]),
        Case::of(&IN_ITEMS)
            .input(&floats)
            .output(&map(&floats, expected_in_items))
            .output(&[std::f64::consts::PI; 3])
            .items([3]),
        Case::of(&GENERIC_ARGUMENT).output(&[3_u32, 6]).items([2]),
        Case::of(&GENERIC_F32).input(&floats).output(&[PI; 3]).items([3]),
        Case::of(&GENERIC_I32).input(&[1, 2]).output(&[PI; 2]).items([2]),
    ]
}
