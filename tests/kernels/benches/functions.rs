//! Kernels that compute little else than a function of `f32`, so that what they take is what it takes.

use super::super::case::Case;
use kernel_core::KernelDescriptor;
use kernel_runtime::prelude::*;

/// The sum of four values of a function, at steps from an argument on.
#[device]
pub fn four(x: f32, step: f32, value: impl Fn(f32) -> f32) -> f32 {
    value(x) + value(x + step) + value(x + 2.0 * step) + value(x + 3.0 * step)
}

#[kernel]
pub fn four_exp(x: &[f32], y: &mut [f32], step: f32) {
    let i = global_id(0);
    if i < x.len() && i < y.len() {
        y[i] = four(x[i], step, |at| at.exp());
    }
}

#[kernel]
pub fn four_ln(x: &[f32], y: &mut [f32], step: f32) {
    let i = global_id(0);
    if i < x.len() && i < y.len() {
        y[i] = four(x[i], step, |at| at.ln());
    }
}

#[kernel]
pub fn four_sin(x: &[f32], y: &mut [f32], step: f32) {
    let i = global_id(0);
    if i < x.len() && i < y.len() {
        y[i] = four(x[i], step, |at| at.sin());
    }
}

#[kernel]
pub fn four_tan(x: &[f32], y: &mut [f32], step: f32) {
    let i = global_id(0);
    if i < x.len() && i < y.len() {
        y[i] = four(x[i], step, |at| (at * 0.5).tan());
    }
}

#[kernel]
pub fn four_powf(x: &[f32], y: &mut [f32], step: f32) {
    let i = global_id(0);
    if i < x.len() && i < y.len() {
        y[i] = four(x[i], step, |at| at.powf(at + 0.25));
    }
}

#[kernel]
pub fn four_tanh(x: &[f32], y: &mut [f32], step: f32) {
    let i = global_id(0);
    if i < x.len() && i < y.len() {
        y[i] = four(x[i], step, |at| at.tanh());
    }
}

#[kernel]
pub fn four_atan2(x: &[f32], y: &mut [f32], step: f32) {
    let i = global_id(0);
    if i < x.len() && i < y.len() {
        y[i] = four(x[i], step, |at| at.atan2(at + 0.25));
    }
}

#[kernel]
pub fn four_erf(x: &[f32], y: &mut [f32], step: f32) {
    let i = global_id(0);
    if i < x.len() && i < y.len() {
        y[i] = four(x[i], step, |at| math::erf(at));
    }
}

/// The kernels, each with its function on the host.
pub const ALL: [(&KernelDescriptor, fn(f32) -> f32); 8] = [
    (&FOUR_EXP, |at| at.exp()),
    (&FOUR_LN, |at| at.ln()),
    (&FOUR_SIN, |at| at.sin()),
    (&FOUR_TAN, |at| (at * 0.5).tan()),
    (&FOUR_POWF, |at| at.powf(at + 0.25)),
    (&FOUR_TANH, |at| at.tanh()),
    (&FOUR_ATAN2, |at| at.atan2(at + 0.25)),
    (&FOUR_ERF, |at| math::erf(at)),
];

/// How far the arguments of two terms are apart.
pub const STEP: f32 = 0.25;

/// The first arguments of sums: from 1.1 to 2.1.
pub fn arguments(count: usize) -> Vec<f32> {
    (0..count).map(|k| 1.1 + (k % 512) as f32 / 512.0).collect()
}

/// A case of a kernel with its function.
pub fn case((kernel, value): (&'static KernelDescriptor, fn(f32) -> f32), count: usize) -> Case {
    let x = arguments(count);
    let sums: Vec<f32> = x.iter().map(|&x| four(x, STEP, value)).collect();
    Case::of(kernel).input(&x).update(&vec![0.0_f32; count], &sums).scalar(STEP)
}

pub fn cases() -> Vec<Case> {
    ALL.into_iter().map(|row| case(row, 300).items([320]).ulps(8)).collect()
}
