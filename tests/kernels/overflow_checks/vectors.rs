//! Vectors: one lane is enough for a fault, which says nothing of the operands.

use super::super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

#[kernel(overflow = "check")]
pub fn sum(a: &[u8x4], b: &[u8x4], result: &mut [u8x4]) {
    let i = global_id(0);
    result[i] = a[i] + b[i];
}

#[kernel(overflow = "check")]
pub fn with_scalar(a: &[i32x3], result: &mut [i32x3], factor: i32) {
    let i = global_id(0);
    result[i] = a[i] * factor - 1;
}

#[kernel(overflow = "check")]
pub fn shift(a: &[u16x2], count: &[u16x2], result: &mut [u16x2]) {
    let i = global_id(0);
    result[i] = a[i] << count[i];
}

#[kernel(overflow = "check")]
pub fn negated(a: &[i64x2], result: &mut [i64x2]) {
    let i = global_id(0);
    result[i] = -a[i];
}

#[kernel(overflow = "check")]
pub fn absolute(a: &[i16x8], result: &mut [i16x8]) {
    let i = global_id(0);
    result[i] = a[i].abs();
}

#[kernel(overflow = "check")]
pub fn all_lanes(a: &[u8x4], result: &mut [u8]) {
    let i = global_id(0);
    result[i] = a[i].reduce_sum();
}

#[kernel(overflow = "check")]
pub fn dot(a: &[i32x2], b: &[i32x2], result: &mut [i32]) {
    let i = global_id(0);
    result[i] = a[i].dot(b[i]);
}

/// All cases of this file.
pub fn cases() -> Vec<Case> {
    let fault = |kind| ExpectedFault::new(kind).values([0, 0]).count(1).global_id([1, 0, 0]);
    let least = i32::MIN;
    let low = i16x8::from_array([1, -2, 3, -4, 5, -6, i16::MAX, -i16::MAX]);
    let lowest = i16x8::from_array([1, -2, 3, -4, 5, -6, 7, i16::MIN]);
    vec![
        Case::of(&SUM)
            .input(&[u8x4::new(1, 2, 3, 255), u8x4::new(1, 2, 3, 255)])
            .input(&[u8x4::new(254, 1, 1, 0), u8x4::new(1, 1, 1, 1)])
            .output(&[u8x4::new(255, 3, 4, 255), u8x4::new(2, 3, 4, 0)])
            .unwritten([1])
            .items([2])
            .faults(fault(FaultKind::AdditionOverflow).at("a[i] + b[i]")),
        Case::of(&WITH_SCALAR)
            .input(&[i32x3::new(1, 2, 3), i32x3::new(1, 1 << 30, 0)])
            .output(&[i32x3::new(1, 3, 5), i32x3::new(1, i32::MAX, -1)])
            .unwritten([1])
            .scalar(2)
            .items([2])
            .faults(fault(FaultKind::MultiplicationOverflow).at("a[i] * factor")),
        Case::of(&WITH_SCALAR)
            .input(&[i32x3::new(1, 2, 3), i32x3::new(1, least, 0)])
            .output(&[i32x3::new(0, 1, 2), i32x3::new(0, i32::MAX, -1)])
            .unwritten([1])
            .scalar(1)
            .items([2])
            .faults(fault(FaultKind::SubtractionOverflow))
            .label("the difference"),
        Case::of(&SHIFT)
            .input(&[u16x2::new(1, 2), u16x2::new(1, 2)])
            .input(&[u16x2::new(15, 14), u16x2::new(0, 16)])
            .output(&[u16x2::new(1 << 15, 1 << 15), u16x2::new(1, 2)])
            .unwritten([1])
            .items([2])
            .faults(fault(FaultKind::LeftShiftOverflow)),
        Case::of(&NEGATED)
            .input(&[i64x2::new(i64::MAX, -1), i64x2::new(1, i64::MIN)])
            .output(&[i64x2::new(-i64::MAX, 1), i64x2::new(-1, i64::MIN)])
            .unwritten([1])
            .items([2])
            .faults(fault(FaultKind::NegationOverflow)),
        Case::of(&ABSOLUTE)
            .input(&[low, lowest])
            .output(&[low.abs(), i16x8::from_array([1, 2, 3, 4, 5, 6, 7, i16::MIN])])
            .unwritten([1])
            .items([2])
            .faults(fault(FaultKind::NegationOverflow)),
        Case::of(&ALL_LANES)
            .input(&[u8x4::new(100, 100, 55, 0), u8x4::new(100, 100, 56, 0)])
            .output(&[255_u8, 0])
            .unwritten([1])
            .items([2])
            .faults(ExpectedFault::new(FaultKind::AdditionOverflow).count(1).values([200, 56])),
        Case::of(&DOT)
            .input(&[i32x2::new(1, 2), i32x2::new(1 << 16, 1)])
            .input(&[i32x2::new(3, 4), i32x2::new(1 << 15, -1)])
            .output(&[11, i32::MAX])
            .unwritten([1])
            .items([2])
            .faults(fault(FaultKind::MultiplicationOverflow)),
    ]
}
