//! Floats with the accuracy of OpenCL C, `fp = "opencl"`.
//!
//! A quotient may be wrong by 2.5 units in the last place and a square root by 3; sums and products are as ever, and nothing is reassociated.
#![allow(clippy::eq_op, reason = "algebra would make something else of these")]

use super::case::Case;
use super::edge::{map, zip};
use kernel_runtime::prelude::*;

#[kernel(fp = "opencl")]
pub fn quotients(x: &[f32], y: &[f32], quotient: &mut [f32], inverse: &mut [f32]) {
    let i = global_id(0);
    quotient[i] = x[i] / y[i];
    inverse[i] = x[i].recip();
}

#[kernel(fp = "opencl")]
pub fn roots(x: &[f32], root: &mut [f32], inverse: &mut [f32]) {
    let i = global_id(0);
    root[i] = x[i].sqrt();
    inverse[i] = 1.0 / x[i].sqrt();
}

/// `f64` has no such freedom.
#[kernel(fp = "opencl")]
pub fn double_quotients(x: &[f64], y: &[f64], quotient: &mut [f64], root: &mut [f64]) {
    let i = global_id(0);
    quotient[i] = x[i] / y[i];
    root[i] = x[i].sqrt();
}

/// What algebra would make something else of.
#[kernel(fp = "opencl")]
pub fn as_written(
    x: &[f32],
    y: &[f32],
    sum: &mut [f32],
    zero: &mut [f32],
    same: &mut [bool],
    cancelled: &mut [f32],
) {
    let i = global_id(0);
    sum[i] = (x[i] + y[i]) - x[i];
    zero[i] = x[i] + 0.0;
    same[i] = x[i] == x[i];
    cancelled[i] = x[i] - x[i];
}

/// Rounded once or twice: the products are exact, so that both are the same.
#[kernel(fp = "opencl")]
pub fn contracted(x: &[f32], y: &[f32], result: &mut [f32]) {
    let i = global_id(0);
    result[i] = x[i] * 0.5 + y[i];
}

pub fn cases() -> Vec<Case> {
    let positive: Vec<f32> = (1..=200).map(|k| k as f32 * 0.37).chain([1e30, 3e-30, f32::INFINITY]).collect();
    let others: Vec<f32> = positive.iter().rev().map(|x| x * -0.41).collect();
    let finite: Vec<f32> = positive.iter().copied().filter(|x| x.is_finite()).collect();
    let divisors: Vec<f32> = others.iter().copied().filter(|x| x.is_finite()).collect();
    let [wide, wider] = [&finite, &divisors].map(|row| map(row, f64::from));
    let odd = [1e8, -1e8, -0.0, 0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 3.5];
    let small = [1.0, 1.0, -0.0, -0.0, 1.0, f32::INFINITY, 1.0, f32::NAN];
    vec![
        Case::of(&QUOTIENTS)
            .input(&finite)
            .input(&divisors)
            .output(&zip(&finite, &divisors, |x, y| x / y))
            .output(&map(&finite, f32::recip))
            .ulps(3)
            .items([finite.len()]),
        Case::of(&ROOTS)
            .input(&positive)
            .output(&map(&positive, f32::sqrt))
            .output(&map(&positive, |x| 1.0 / x.sqrt()))
            .ulps(6)
            .items([positive.len()]),
        Case::of(&DOUBLE_QUOTIENTS)
            .input(&wide)
            .input(&wider)
            .output(&zip(&wide, &wider, |x, y| x / y))
            .output(&map(&wide, f64::sqrt))
            .items([wide.len()]),
        Case::of(&AS_WRITTEN)
            .input(&odd)
            .input(&small)
            .output(&zip(&odd, &small, |x, y| (x + y) - x))
            .output(&map(&odd, |x| x + 0.0))
            .output(&map(&odd, |x| !x.is_nan()))
            .output(&map(&odd, |x| x - x))
            .items([odd.len()]),
        Case::of(&CONTRACTED)
            .input(&finite)
            .input(&divisors)
            .output(&zip(&finite, &divisors, |x, y| x * 0.5 + y))
            .items([finite.len()]),
    ]
}
