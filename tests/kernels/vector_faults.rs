//! Operations on vectors that are not defined for a lane: one fault, as of the whole.

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

#[kernel]
pub fn division(a: &[i32x4], b: &[i32x4], quotient: &mut [i32x4]) {
    let i = global_id(0);
    quotient[i] = a[i] / b[i];
}

#[kernel]
pub fn lane(x: &[f32x3], n: usize, result: &mut [f32]) {
    let i = global_id(0);
    let v = x[i] + 1.0;
    result[i] = v[n];
}

#[kernel]
pub fn stored_lane(x: &mut [f32x3], n: usize) {
    x[global_id(0)][n] = 9.0;
}

/// All cases of this file.
pub fn cases() -> Vec<Case> {
    let (a, b) = (i32x4::new(7, 8, i32::MIN, 10), i32x4::new(1, 2, 3, 0));
    let v = f32x3::new(1.0, 2.0, 3.0);
    let out_of_lanes = || ExpectedFault::new(FaultKind::IndexOutOfBounds).values([3, 3]).global_id([0, 0, 0]);
    vec![
        Case::of(&DIVISION)
            .input(&[a])
            .input(&[b])
            .output(&[i32x4::splat(0)])
            .unwritten([0])
            .faults(ExpectedFault::new(FaultKind::DivisionByZero).at("a[i] / b[i]"))
            .items([1])
            .label("one divisor is zero"),
        Case::of(&DIVISION)
            .input(&[a])
            .input(&[i32x4::new(1, 2, -1, 4)])
            .output(&[i32x4::splat(0)])
            .unwritten([0])
            .faults(ExpectedFault::new(FaultKind::DivisionOverflow))
            .items([1])
            .label("one quotient overflows"),
        Case::of(&LANE).input(&[v]).scalar(2_usize).output(&[4.0_f32]).items([1]),
        Case::of(&LANE)
            .input(&[v])
            .scalar(3_usize)
            .output(&[0.0_f32])
            .unwritten([0])
            .faults(out_of_lanes().at("[n]"))
            .items([1])
            .label("no such lane"),
        Case::of(&STORED_LANE).update(&[v], &[f32x3::new(1.0, 9.0, 3.0)]).scalar(1_usize).items([1]),
        Case::of(&STORED_LANE)
            .update(&[v], &[v])
            .scalar(3_usize)
            .faults(out_of_lanes())
            .items([1])
            .label("no such lane"),
    ]
}
