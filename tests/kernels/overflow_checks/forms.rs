//! The places where operators stand: assignments, references, functions, closures, iterators, conditions, constants.

use super::super::case::{Case, ExpectedFault};
use device_library::doubled;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// Each form of assignment; the first fault is what counts.
#[kernel(overflow = "check")]
pub fn assignments(x: &[u8], result: &mut [u8]) {
    let i = global_id(0);
    let mut value = x[i];
    value += 3;
    value *= 2;
    value -= 10;
    value <<= value & 15;
    value >>= 1;
    result[i] = value;
}

#[device]
fn grow(value: &mut i32, by: i32) {
    *value += by;
}

/// Through a reference, in a function.
#[kernel(overflow = "check")]
pub fn references(result: &mut [i32], by: i32) {
    let i = global_id(0);
    let slot = &mut result[i];
    grow(slot, by);
}

/// In an element beyond the end nothing is added, so that the fault is the index.
#[kernel(overflow = "check")]
pub fn beyond_the_end(result: &mut [i32], by: i32) {
    result[global_id(0)] += by;
}

/// The check of a function of another crate is that of the kernel that calls it, and the place is the function's.
#[kernel(overflow = "check")]
pub fn other_crate(x: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    result[i] = doubled(x[i]);
}

/// The same function, where overflow is not checked.
#[kernel(overflow = "wrap")]
pub fn other_crate_wraps(x: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    result[i] = doubled(x[i]);
}

/// A closure that the standard library calls is the user's own code, unlike what calls it.
#[kernel(overflow = "check")]
pub fn closures(x: &[i16], result: &mut [i16]) {
    let i = global_id(0);
    result[i] = x.get(i).map(|x| x * 4).unwrap_or(0);
}

/// Sums and products are the standard library's code, but panic as the code that asks for them does.
#[kernel(overflow = "check")]
pub fn sums(x: &[u8], sum: &mut [u8], rows: usize) {
    let i = global_id(0);
    sum[i] = x[i * rows..(i + 1) * rows].iter().sum();
}

#[kernel(overflow = "check")]
pub fn products(x: &[i8], product: &mut [i8], rows: usize) {
    let i = global_id(0);
    product[i] = x[i * rows..(i + 1) * rows].iter().product();
}

/// What is not computed does not overflow.
#[kernel(overflow = "check")]
pub fn conditions(x: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    let is_small = x[i] > 0 && x[i] - 1 < 3;
    let is_great = x[i] < 3 || x[i] - 3 > 3;
    result[i] = u32::from(is_small) + u32::from(is_great);
}

#[device]
const PAGE: usize = 1 << 12;

#[device]
fn generic<T: Integer>(a: T, b: T) -> T {
    a + b
}

/// Operators of generic functions are those of the types that these are called for.
#[kernel(overflow = "check")]
pub fn generics(a: &[u8], result: &mut [u8], long: &mut [u64]) {
    let i = global_id(0);
    result[i] = generic(a[i], 200);
    long[i] = generic(a[i] as u64, PAGE as u64);
}

/// The index is not made of what has wrapped.
#[kernel(overflow = "check")]
pub fn indices(x: &[u32], start: usize, result: &mut [u32]) {
    let i = global_id(0);
    let index = start + i;
    result[i] = if index >= start { x[index - start] } else { 7 };
}

/// What the author asks for by name wraps whatever the setting.
#[kernel(overflow = "check")]
pub fn by_name(a: &[u32], b: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    result[i] = a[i].wrapping_add(b[i]).wrapping_mul(3).wrapping_shl(b[i]);
}

/// A loop goes on after the fault; barriers are reached by all.
#[kernel(overflow = "check")]
pub fn loops(x: &[i32], result: &mut [i32]) {
    let i = global_id(0);
    let mut sum = 0_i32;
    for &value in x {
        sum += value;
    }
    barrier();
    result[i] = sum;
}

/// All cases of this file.
pub fn cases() -> Vec<Case> {
    let fault = ExpectedFault::new;
    let assign = |x: u8| {
        let value = x.wrapping_add(3).wrapping_mul(2).wrapping_sub(10);
        value.wrapping_shl(u32::from(value & 15)) >> 1
    };
    let x = [3_u8, 253, 200, 1, 9];
    let expected: Vec<u8> = x.iter().map(|&x| assign(x)).collect();
    vec![
        Case::of(&ASSIGNMENTS).input(&x[..1]).output(&expected[..1]).items([1]).label("nothing overflows"),
        Case::of(&ASSIGNMENTS)
            .input(&x[1..2])
            .output(&expected[1..2])
            .unwritten([0])
            .items([1])
            .faults(fault(FaultKind::AdditionOverflow).values([253, 3]).at("value += 3"))
            .label("+="),
        Case::of(&ASSIGNMENTS)
            .input(&x[2..3])
            .output(&expected[2..3])
            .unwritten([0])
            .items([1])
            .faults(fault(FaultKind::MultiplicationOverflow).values([203, 2]).at("value *= 2"))
            .label("*="),
        Case::of(&ASSIGNMENTS)
            .input(&x[3..4])
            .output(&expected[3..4])
            .unwritten([0])
            .items([1])
            .faults(fault(FaultKind::SubtractionOverflow).values([8, 10]).at("value -= 10"))
            .label("-="),
        Case::of(&ASSIGNMENTS)
            .input(&x[4..])
            .output(&expected[4..])
            .unwritten([0])
            .items([1])
            .faults(fault(FaultKind::LeftShiftOverflow).values([14, 14]).at("value <<= value & 15"))
            .label("<<="),
        Case::of(&REFERENCES).update(&[1, i32::MIN, 2], &[0, i32::MIN, 1]).scalar(-1).items([3]).faults(
            fault(FaultKind::AdditionOverflow)
                .count(1)
                .values([i32::MIN as i64 as u64, u64::MAX])
                .global_id([1, 0, 0])
                .at("*value += by"),
        ),
        Case::of(&BEYOND_THE_END)
            .update(&[1, 2], &[1, 2])
            .scalar(i32::MAX)
            .items([2])
            .faults(fault(FaultKind::AdditionOverflow).count(2)),
        Case::of(&BEYOND_THE_END)
            .update(&[-1, -2], &[i32::MAX - 1, i32::MAX - 2])
            .scalar(i32::MAX)
            .items([3])
            .faults(fault(FaultKind::IndexOutOfBounds).count(1).values([2, 2]))
            .label("only the index is wrong"),
        Case::of(&OTHER_CRATE)
            .input(&[1, 1_u32 << 31, 4])
            .output(&[2_u32, 0, 8])
            .unwritten([1])
            .items([3])
            .faults(fault(FaultKind::MultiplicationOverflow).count(1).values([1 << 31, 2]).at("value * 2")),
        Case::of(&OTHER_CRATE_WRAPS).input(&[1, 1_u32 << 31, 4]).output(&[2_u32, 0, 8]).items([3]),
        Case::of(&CLOSURES)
            .input(&[5_i16, i16::MIN / 2])
            .output(&[20_i16, 0])
            .unwritten([1])
            .items([2])
            .faults(fault(FaultKind::MultiplicationOverflow).count(1).at("x * 4")),
        Case::of(&SUMS)
            .input(&[1_u8, 2, 3, 200, 56, 0, 255, 0, 0])
            .output(&[6_u8, 0, 255])
            .unwritten([1])
            .scalar(3_usize)
            .items([3])
            .faults(fault(FaultKind::AdditionOverflow).count(1).values([200, 56]).global_id([1, 0, 0])),
        Case::of(&PRODUCTS)
            .input(&[1_i8, -2, 3, 64, 2, 1, -128, 1, 1])
            .output(&[-6_i8, -128, -128])
            .unwritten([1])
            .scalar(3_usize)
            .items([3])
            .faults(fault(FaultKind::MultiplicationOverflow).count(1).global_id([1, 0, 0])),
        Case::of(&CONDITIONS).input(&[0_u32, 1, 2, 3, 4, 9]).output(&[1_u32, 2, 2, 1, 0, 1]).items([6]),
        Case::of(&GENERICS)
            .input(&[55_u8, 56])
            .output(&[255_u8, 0])
            .unwritten([1])
            .output(&[4151_u64, 4152])
            .unwritten([1])
            .items([2])
            .faults(fault(FaultKind::AdditionOverflow).count(1).values([56, 200]).at("a + b")),
        Case::of(&INDICES)
            .input(&[1_u32, 2, 3])
            .scalar(usize::MAX - 1)
            .output(&[1_u32, 2, 7])
            .unwritten([2])
            .items([3])
            .faults(fault(FaultKind::AdditionOverflow).count(1).values([u64::MAX - 1, 2])),
        Case::of(&INDICES).input(&[1_u32, 2, 3]).scalar(5_usize).output(&[1_u32, 2, 3]).items([3]),
        Case::of(&BY_NAME)
            .input(&[u32::MAX, 4])
            .input(&[2_u32, 40])
            .output(&[12_u32, (44 * 3) << 8])
            .items([2]),
        Case::of(&LOOPS)
            .input(&[i32::MAX, 1, 1])
            .output(&[i32::MIN + 1; 5])
            .items([5])
            .faults(fault(FaultKind::AdditionOverflow).count(5).values([i32::MAX as u64, 1])),
    ]
}
