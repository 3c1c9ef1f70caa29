//! The functions of `f32` that trade precision for speed.
//!
//! Those with a bound are compared with it. The others may be wrong by as much as a device likes, so the cases have tolerances that every
//! device at hand is within.

use super::case::Case;
use super::edge::{map, zip};
use kernel_core::KernelDescriptor;
use kernel_runtime::prelude::*;

#[kernel]
pub fn native_trigonometry(x: &[f32], sine: &mut [f32], cosine: &mut [f32], tangent: &mut [f32]) {
    let i = global_id(0);
    sine[i] = math::native_sin(x[i]);
    cosine[i] = math::native_cos(x[i]);
    tangent[i] = math::native_tan(x[i]);
}

#[kernel]
pub fn native_exponentials(x: &[f32], natural: &mut [f32], binary: &mut [f32], decimal: &mut [f32]) {
    let i = global_id(0);
    natural[i] = math::native_exp(x[i]);
    binary[i] = math::native_exp2(x[i]);
    decimal[i] = math::native_exp10(x[i]);
}

#[kernel]
pub fn native_logarithms(x: &[f32], natural: &mut [f32], binary: &mut [f32], decimal: &mut [f32]) {
    let i = global_id(0);
    natural[i] = math::native_log(x[i]);
    binary[i] = math::native_log2(x[i]);
    decimal[i] = math::native_log10(x[i]);
}

#[kernel]
pub fn native_roots(x: &[f32], root: &mut [f32], inverse_root: &mut [f32], inverse: &mut [f32]) {
    let i = global_id(0);
    root[i] = math::native_sqrt(x[i]);
    inverse_root[i] = math::native_rsqrt(x[i]);
    inverse[i] = math::native_recip(x[i]);
}

#[kernel]
pub fn native_of_two(x: &[f32], y: &[f32], quotient: &mut [f32], power: &mut [f32]) {
    let i = global_id(0);
    quotient[i] = math::native_divide(x[i], y[i]);
    power[i] = math::native_powr(x[i], y[i]);
}

#[kernel]
pub fn half_trigonometry(x: &[f32], sine: &mut [f32], cosine: &mut [f32], tangent: &mut [f32]) {
    let i = global_id(0);
    sine[i] = math::half_sin(x[i]);
    cosine[i] = math::half_cos(x[i]);
    tangent[i] = math::half_tan(x[i]);
}

#[kernel]
pub fn half_exponentials(x: &[f32], natural: &mut [f32], binary: &mut [f32], decimal: &mut [f32]) {
    let i = global_id(0);
    natural[i] = math::half_exp(x[i]);
    binary[i] = math::half_exp2(x[i]);
    decimal[i] = math::half_exp10(x[i]);
}

#[kernel]
pub fn half_logarithms(x: &[f32], natural: &mut [f32], binary: &mut [f32], decimal: &mut [f32]) {
    let i = global_id(0);
    natural[i] = math::half_log(x[i]);
    binary[i] = math::half_log2(x[i]);
    decimal[i] = math::half_log10(x[i]);
}

#[kernel]
pub fn half_roots(x: &[f32], root: &mut [f32], inverse_root: &mut [f32], inverse: &mut [f32]) {
    let i = global_id(0);
    root[i] = math::half_sqrt(x[i]);
    inverse_root[i] = math::half_rsqrt(x[i]);
    inverse[i] = math::half_recip(x[i]);
}

#[kernel]
pub fn half_of_two(x: &[f32], y: &[f32], quotient: &mut [f32], power: &mut [f32]) {
    let i = global_id(0);
    quotient[i] = math::half_divide(x[i], y[i]);
    power[i] = math::half_powr(x[i], y[i]);
}

/// The bound of the functions named `half_`.
const BOUND: u32 = 8192;

fn of_one(kernel: &'static KernelDescriptor, x: &[f32], functions: [fn(f32) -> f32; 3]) -> Case {
    let case = Case::of(kernel).input(x).ulps(BOUND).items([x.len()]);
    functions.into_iter().fold(case, |case, function| case.output(&map(x, function)))
}

fn of_two(kernel: &'static KernelDescriptor, x: &[f32], y: &[f32]) -> Case {
    Case::of(kernel)
        .input(x)
        .input(y)
        .output(&zip(x, y, |x, y| x / y))
        .output(&zip(x, y, f32::powf))
        .ulps(BOUND)
        .items([x.len()])
}

pub fn cases() -> Vec<Case> {
    // Away from the zeros of the functions, where the error in units is without bounds.
    let angles: Vec<f32> = (-14..=14).map(|k| k as f32 * 0.1 + 0.05).collect();
    let exponents: Vec<f32> = (-30..=30).map(|k| k as f32 * 0.31).collect();
    let positive: Vec<f32> = (1..=50).map(|k| k as f32 * 0.37).filter(|x| (x - 1.0).abs() > 0.1).collect();
    let others: Vec<f32> = positive.iter().rev().map(|x| x * 0.4).collect();
    let trigonometry = [f32::sin, f32::cos, f32::tan];
    let exponentials = [f32::exp, f32::exp2, math::exp10::<f32>];
    let logarithms = [f32::ln, f32::log2, f32::log10];
    let roots = [f32::sqrt, math::rsqrt::<f32>, f32::recip];
    vec![
        of_one(&NATIVE_TRIGONOMETRY, &angles, trigonometry),
        of_one(&NATIVE_EXPONENTIALS, &exponents, exponentials),
        of_one(&NATIVE_LOGARITHMS, &positive, logarithms),
        of_one(&NATIVE_ROOTS, &positive, roots),
        of_two(&NATIVE_OF_TWO, &positive, &others),
        of_one(&HALF_TRIGONOMETRY, &angles, trigonometry),
        of_one(&HALF_EXPONENTIALS, &exponents, exponentials),
        of_one(&HALF_LOGARITHMS, &positive, logarithms),
        of_one(&HALF_ROOTS, &positive, roots),
        of_two(&HALF_OF_TWO, &positive, &others),
    ]
}
