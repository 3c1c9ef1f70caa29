//! Constants of kernels that are set at the launch: in expressions, in loops, in device functions, together with types that are
//! chosen when the kernel is compiled.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

/// As many neighbours on both sides, and a mode that the device's compiler knows.
#[device]
fn blur<const RADIUS: usize, const WRAP: bool>(x: &[f32], i: usize) -> f32 {
    let mut sum = 0.0;
    for k in 0..2 * RADIUS + 1 {
        let at = i + k;
        if WRAP {
            sum += x[(at + x.len() - RADIUS) % x.len()];
        } else if at >= RADIUS && at - RADIUS < x.len() {
            sum += x[at - RADIUS];
        }
    }
    sum / (2 * RADIUS + 1) as f32
}

#[kernel(RADIUS = _, WRAP = _)]
pub fn blurred<const RADIUS: usize, const WRAP: bool>(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = blur::<RADIUS, WRAP>(x, i);
}

#[device]
fn mixed<const SHIFT: i8, const MASK: u64, const STEP: i32>(x: i64) -> i64 {
    let scaled = match SHIFT {
        0 => x,
        1..=63 => x << SHIFT,
        _ => x >> -(SHIFT as i32),
    };
    let mut sum = (scaled as u64 & MASK) as i64;
    let mut k = 0;
    while k < 10 {
        sum = sum.wrapping_add(STEP as i64 * k as i64 / if STEP == 0 { 1 } else { STEP as i64 });
        k += 3;
    }
    sum
}

#[kernel(SHIFT = _, MASK = _, STEP = _)]
pub fn of_all_widths<const SHIFT: i8, const MASK: u64, const STEP: i32>(x: &[i64], y: &mut [i64]) {
    let i = global_id(0);
    y[i] = mixed::<SHIFT, MASK, STEP>(x[i]);
}

/// With a type and a length that are chosen when the kernel is compiled.
#[kernel(T = [f32, u16], N = [2, 3], K = _, overflow = "wrap")]
pub fn repeated<T: Number, const N: usize, const K: u16>(x: &[[T; N]], y: &mut [T]) {
    let i = global_id(0);
    let mut sum = T::ZERO;
    for element in x[i] {
        for _ in 0..K {
            sum += element;
        }
    }
    y[i] = sum;
}

pub fn cases() -> Vec<Case> {
    let x = [1.0_f32, -2.0, 8.5, 0.25, 16.0, 3.0];
    let blurred =
        |blur: fn(&[f32], usize) -> f32| -> Vec<f32> { (0..x.len()).map(|i| blur(&x, i)).collect() };
    let numbers = [0_i64, 1, -1, i64::MAX, i64::MIN, 0x1234_5678_9ABC_DEF0];
    let small = [[1_u16, 2], [1000, 60000]];
    vec![
        Case::of(&BLURRED).set(0).set(0).input(&x).output(&blurred(blur::<0, false>)).items([x.len()]),
        Case::of(&BLURRED).set(2).set(0).input(&x).output(&blurred(blur::<2, false>)).items([x.len()]),
        Case::of(&BLURRED).set(2).set(1).input(&x).output(&blurred(blur::<2, true>)).items([x.len()]),
        Case::of(&OF_ALL_WIDTHS)
            .set(5)
            .set(u64::MAX << 40)
            .set(7)
            .input(&numbers)
            .output(&map(&numbers, mixed::<5, { u64::MAX << 40 }, 7>))
            .items([numbers.len()]),
        Case::of(&OF_ALL_WIDTHS)
            .set(-3_i64 as u64)
            .set(u64::MAX)
            .set(-40_i64 as u64)
            .input(&numbers)
            .output(&map(&numbers, mixed::<-3, { u64::MAX }, -40>))
            .items([numbers.len()]),
        Case::of(&REPEATED_F32_3).set(4).input(&[[0.5_f32, 1.5, -4.0]]).output(&[-8.0_f32]),
        Case::of(&REPEATED_F32_2).set(0).input(&[[0.5_f32, 1.5]]).output(&[0.0_f32]),
        Case::of(&REPEATED_U16_3).set(65535).input(&[[1_u16, 2, 3]]).output(&[65530_u16]),
        Case::of(&REPEATED_U16_2).set(3).input(&small).output(&[9_u16, 51928]).items([2]),
    ]
}
