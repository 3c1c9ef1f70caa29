//! Conversions to `f16` and `bf16` that differ between the two or are of one only, and functions that take them.

use super::case::Case;
use super::edge::{Edge, map};
use kernel_core::half;
use kernel_runtime::prelude::*;

#[device]
fn doubled(x: f16) -> f16 {
    x + x
}

/// Rounds in the right direction only if it rounds once: by way of `f32` each is halfway between two halves.
const ROUNDED_ONCE: [(f64, u16, u16); 3] = [
    (1.000_488_281_25 + 1e-12, 0x3c01, 0x3f80),
    (1.003_906_25 + 1e-12, 0x3c04, 0x3f81),
    (-1.003_906_25 - 1e-12, 0xbc04, 0xbf81),
];

#[kernel]
pub fn from_double(x: &[f64], half: &mut [f16], brain: &mut [bf16]) {
    let i = global_id(0);
    half[i] = f16::from_f64(x[i]);
    brain[i] = bf16::from_f64(x[i]);
}

#[kernel]
pub fn integers_to_half(signed: &[i8], unsigned: &[u8], a: &mut [f16], b: &mut [bf16]) {
    let i = global_id(0);
    a[i] = f16::from(signed[i]);
    b[i] = bf16::from(unsigned[i]);
}

/// The conversions that the crate has for constants.
#[kernel]
pub fn by_constant_functions(
    x: &[f16],
    y: &[bf16],
    a: &mut [f64],
    b: &mut [f64],
    c: &mut [f16],
    d: &mut [bf16],
) {
    let i = global_id(0);
    a[i] = x[i].to_f32_const() as f64 - x[i].to_f64_const();
    b[i] = y[i].to_f32_const() as f64 - y[i].to_f64_const();
    c[i] = f16::from_f64_const(x[i].to_f64_const());
    d[i] = bf16::from_f64_const(y[i].to_f64_const());
}

#[kernel]
pub fn by_call(x: &[f16], result: &mut [half::f16]) {
    let i = global_id(0);
    result[i] = doubled(x[i]) + half::f16::ONE;
}

/// All cases of this file.
pub fn cases() -> Vec<Case> {
    [double_cases(), other_cases(), vec![constant_case()]].into_iter().flatten().collect()
}

fn constant_case() -> Case {
    let numbers = [0.0, 1.0, -2.5, 1e-3, 100.0];
    let (x, y) = (map(&numbers, f16::from_f32), map(&numbers, bf16::from_f32));
    Case::of(&BY_CONSTANT_FUNCTIONS)
        .input(&x)
        .input(&y)
        .output(&[0.0_f64; 5])
        .output(&[0.0_f64; 5])
        .output(&x)
        .output(&y)
        .items([x.len()])
}

fn double_cases() -> Vec<Case> {
    let all: Vec<f64> = f64::edges();
    // Where the crate rounds twice, both are the same for these.
    let x: Vec<f64> =
        all.into_iter().filter(|&x| f64::from(x as f32) == x || x.is_nan() || x.abs() > 1e30).collect();
    let (once, half, brain): (Vec<_>, Vec<_>, Vec<_>) = {
        let [a, b, c] = ROUNDED_ONCE;
        (vec![a.0, b.0, c.0], vec![a.1, b.1, c.1], vec![a.2, b.2, c.2])
    };
    vec![
        Case::of(&FROM_DOUBLE)
            .input(&x)
            .output(&map(&x, |x| f16::from_f32(x as f32)))
            .output(&map(&x, |x| bf16::from_f32(x as f32)))
            .items([x.len()]),
        Case::of(&FROM_DOUBLE)
            .input(&once)
            .output(&map(&half, f16::from_bits))
            .output(&map(&brain, bf16::from_bits))
            .items([once.len()])
            .label("rounded once"),
    ]
}

fn other_cases() -> Vec<Case> {
    let (signed, unsigned) = (i8::edges(), u8::edges());
    let x = f16::edges();
    vec![
        Case::of(&INTEGERS_TO_HALF)
            .input(&signed)
            .input(&unsigned)
            .output(&map(&signed, f16::from))
            .output(&map(&unsigned, bf16::from))
            .items([signed.len()]),
        Case::of(&BY_CALL).input(&x).output(&map(&x, |x| doubled(x) + f16::ONE)).items([x.len()]),
    ]
}
