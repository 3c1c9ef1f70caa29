//! What a kernel does where Rust would panic: it leaves out the access, records the fault and goes on.

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// Reads beyond the end give zero.
#[kernel]
pub fn read(x: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    result[i] = x[i] + 1;
}

/// Writes beyond the end are left out.
#[kernel(unsafe(races(result)))]
pub fn write(index: &[usize], result: &mut [u32]) {
    let i = global_id(0);
    result[index[i]] = 7;
}

#[kernel]
pub fn divide(a: &[i32], b: &[i32], result: &mut [i32]) {
    let i = global_id(0);
    result[i] = a[i] / b[i];
}

#[kernel]
pub fn remainder(a: &[i64], b: &[i64], result: &mut [i64]) {
    let i = global_id(0);
    result[i] = a[i] % b[i];
}

/// An array of its own is as little left as a slice.
#[kernel]
pub fn private_array(index: &[usize], result: &mut [u32]) {
    let i = global_id(0);
    let mut row = [5, 6, 7];
    row[index[i]] = 9;
    result[i] = row[index[i]] * 100 + row[0];
}

/// A faulting work-item still comes to the barrier.
#[kernel(unsafe(races(shared)))]
pub fn beside_barrier(index: &[usize], result: &mut [u32]) {
    let mut shared = Local::<[u32; 4]>::new();
    let l = local_id(0);
    shared[l] = 1;
    barrier();
    shared[index[l]] = 3;
    barrier();
    result[global_id(0)] = shared[l];
}

/// The fault is in the function, where the user can see the index.
#[device]
fn element(x: &[u32], index: usize) -> u32 {
    x[index]
}

#[kernel]
pub fn in_device_function(x: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    result[i] = element(x, i * 2);
}

/// The place that faults is one of several.
#[kernel]
pub fn many_sites(a: &[u32], b: &[u32], c: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    result[i] = a[i] + b[i] + c[i];
}

pub fn cases() -> Vec<Case> {
    use FaultKind::{DivisionByZero, DivisionOverflow, IndexOutOfBounds, RemainderByZero, RemainderOverflow};
    let one = |kind, item| ExpectedFault::new(kind).global_id([item, 0, 0]);
    vec![
        Case::of(&READ)
            .input(&[10_u32, 20, 30])
            .output(&[11_u32, 21, 31, 1])
            .unwritten([3])
            .items([4])
            .faults(one(IndexOutOfBounds, 3).values([3, 3])),
        Case::of(&READ).input(&[10_u32, 20, 30]).output(&[11_u32, 21, 31]).items([3]).label("no fault"),
        Case::of(&READ)
            .input(&[0_u32; 0])
            .output(&[1_u32; 100])
            .unwritten(0..100)
            .items([100])
            .faults(ExpectedFault::new(IndexOutOfBounds).count(100))
            .label("all work-items"),
        Case::of(&WRITE)
            .input(&[2_usize, 0, usize::MAX])
            .update(&[1_u32, 2, 3], &[7_u32, 2, 7])
            .items([3])
            .faults(one(IndexOutOfBounds, 2).values([u64::MAX, 3])),
        Case::of(&WRITE)
            .input(&[1_usize << 32, 1 << 62, 3])
            .update(&[1_u32, 2, 3], &[1_u32, 2, 3])
            .items([3])
            .faults(ExpectedFault::new(IndexOutOfBounds).count(3))
            .label("indices that overflow in bytes"),
        Case::of(&DIVIDE)
            .input(&[7, 7, -8])
            .input(&[2, 0, 3])
            .output(&[3, 0, -2])
            .unwritten([1])
            .items([3])
            .faults(one(DivisionByZero, 1)),
        Case::of(&DIVIDE)
            .input(&[i32::MIN, i32::MIN])
            .input(&[-1, 1])
            .output(&[0, i32::MIN])
            .unwritten([0])
            .items([2])
            .faults(one(DivisionOverflow, 0))
            .label("overflow"),
        Case::of(&REMAINDER)
            .input(&[7_i64, 7, -8])
            .input(&[0_i64, 4, 3])
            .output(&[0_i64, 3, -2])
            .unwritten([0])
            .items([3])
            .faults(one(RemainderByZero, 0)),
        Case::of(&REMAINDER)
            .input(&[i64::MIN, i64::MIN])
            .input(&[3_i64, -1])
            .output(&[i64::MIN % 3, 0])
            .unwritten([1])
            .items([2])
            .faults(one(RemainderOverflow, 1))
            .label("overflow"),
        Case::of(&PRIVATE_ARRAY)
            .input(&[0_usize, 2, 3])
            .output(&[909_u32, 905, 5])
            .unwritten([2])
            .items([3])
            .faults(one(IndexOutOfBounds, 2).values([3, 3])),
        Case::of(&BESIDE_BARRIER)
            .input(&[0_usize, 1, 64, 3])
            .output(&[3_u32, 3, 1, 3])
            .groups([1], [4])
            .faults(one(IndexOutOfBounds, 2).values([64, 4])),
        Case::of(&IN_DEVICE_FUNCTION)
            .input(&[1_u32, 2, 3, 4, 5])
            .output(&[1_u32, 3, 5, 0])
            .unwritten([3])
            .items([4])
            .faults(one(IndexOutOfBounds, 3).values([6, 5]).at("x[index]")),
        Case::of(&MANY_SITES)
            .input(&[1_u32, 2])
            .input(&[10_u32])
            .input(&[100_u32, 200])
            .output(&[111_u32, 202])
            .unwritten([1])
            .items([2])
            .faults(one(IndexOutOfBounds, 1).values([1, 1]).at("b[i]")),
    ]
}
