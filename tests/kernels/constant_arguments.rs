//! Arguments in constant memory, which the host passes as it does slices.

use super::case::{Case, ExpectedFault};
use super::edge::map;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// A filter whose weights all work-items read.
#[kernel]
pub fn weighed_by_constants(weights: &Constant<[f32]>, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let mut sum = 0.0;
    for (k, weight) in weights.iter().enumerate() {
        if i + k < x.len() {
            sum += weight * x[i + k];
        }
    }
    y[i] = sum;
}

fn weighed() -> Vec<Case> {
    let case = |weights: &[f32], x: &[f32]| {
        let weighed = |i: usize| -> f32 {
            weights
                .iter()
                .enumerate()
                .filter(|(k, _)| i + k < x.len())
                .fold(0.0, |sum, (k, w)| sum + w * x[i + k])
        };
        let y: Vec<f32> = (0..x.len()).map(weighed).collect();
        Case::of(&WEIGHED_BY_CONSTANTS).input(weights).input(x).output(&y)
    };
    let x: Vec<f32> = (0..65).map(|k| k as f32 * 0.5).collect();
    vec![
        case(&[0.5, 0.25, 0.125], &x).items([65]),
        case(&[2.0], &x[..64]).groups([4], [16]),
        case(&[], &x[..3]).items([3]),
        case(&[1.0; 40], &x[..33]).groups([11], [3]),
        case(&[3.0], &[1.5]).items([1]),
    ]
}

/// What an index leads to differs between work-items, and may not be there.
#[kernel]
pub fn looked_up_in_constants(table: &Constant<[i16]>, indices: &[u8], y: &mut [i32]) {
    let i = global_id(0);
    y[i] = table[indices[i] as usize] as i32;
}

fn looked_up() -> Vec<Case> {
    let table = [7_i16, -7, i16::MAX, 0, 5];
    let indices = [0_u8, 4, 2, 1, 3, 0];
    let fault = |index: u64, len: u64| {
        ExpectedFault::new(FaultKind::IndexOutOfBounds).values([index, len]).at("table")
    };
    vec![
        Case::of(&LOOKED_UP_IN_CONSTANTS)
            .input(&table)
            .input(&indices)
            .output(&map(&indices, |index| i32::from(table[index as usize])))
            .items([6]),
        Case::of(&LOOKED_UP_IN_CONSTANTS)
            .input(&table)
            .input(&[1_u8, 5, 2])
            .output(&[-7, 0, i32::from(i16::MAX)])
            .unwritten([1])
            .items([3])
            .faults(fault(5, 5).global_id([1, 0, 0])),
        Case::of(&LOOKED_UP_IN_CONSTANTS)
            .input::<i16>(&[])
            .input(&[0_u8])
            .output(&[0])
            .unwritten([0])
            .items([1])
            .faults(fault(0, 0)),
    ]
}

/// A pair in memory.
#[device]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Scaled {
    by: f32,
    flags: [bool; 3],
    offset: i64,
}

#[device]
fn sum(values: &[u16]) -> u32 {
    let mut sum = 0;
    for value in values {
        sum += *value as u32;
    }
    sum
}

#[device]
fn scaled(with: &Scaled, x: f32) -> f32 {
    if with.flags[1] { with.by * x + with.offset as f32 } else { x }
}

/// Structs, vectors, parts that device functions take, arrays, and several of them beside a table and other memory.
#[kernel]
pub fn constants_of_every_type(
    first: &Constant<[Scaled]>,
    vectors: &Constant<[f32x4]>,
    numbers: &Constant<[u16]>,
    pairs: &Constant<[[u8; 2]]>,
    wide: &Constant<[u64]>,
    y: &mut [f32],
) {
    let i = global_id(0);
    let [last, before] = pairs[i];
    let (left, right) = numbers.split_at(2);
    let largest = wide.iter().copied().max().unwrap_or(0);
    let lanes = f32x2::from_slice(&[vectors[i][1], vectors[i][3]]);
    let copy = first[i];
    y[i] = scaled(&first[i], 2.0)
        + copy.by
        + lanes.reduce_sum()
        + sum(&numbers[1..]) as f32
        + sum(left) as f32
        + sum(right) as f32
        + (last as f32 - before as f32)
        + largest as f32;
}

fn every_type() -> Vec<Case> {
    let scale = |by, flag, offset| Scaled { by, flags: [false, flag, true], offset };
    let first = [scale(0.5, true, -3), scale(1.5, false, 9)];
    let vectors = [f32x4::from_array([1.0, 2.0, 3.0, 4.0]), f32x4::splat(0.5)];
    let numbers = [1_u16, 20, 300];
    let pairs = [[9_u8, 4], [0, 255]];
    let rest = 320.0 + 21.0 + 300.0 + (1_u64 << 20) as f32;
    let y = [(0.5 * 2.0 - 3.0) + 0.5 + 6.0 + 5.0 + rest, 2.0 + 1.5 + 1.0 - 255.0 + rest];
    vec![
        Case::of(&CONSTANTS_OF_EVERY_TYPE)
            .input(&first)
            .input(&vectors)
            .input(&numbers)
            .input(&pairs)
            .input(&[3_u64, 1 << 20])
            .output(&y)
            .items([2]),
    ]
}

/// Of a generic kernel, behind barriers and in local memory.
#[kernel(T = [f32, i64], group_size = 4)]
pub fn constants_in_groups<T: Number>(steps: &Constant<[T]>, y: &mut [T]) {
    let mut tile = Local::<[T; 4]>::new();
    let l = local_id(0);
    tile[l] = steps[l];
    barrier();
    for step in &steps[..2] {
        tile[l] += *step;
    }
    barrier();
    y[global_id(0)] = tile[3 - l];
}

fn in_groups() -> Vec<Case> {
    vec![
        Case::of(&CONSTANTS_IN_GROUPS_F32)
            .input(&[1.0_f32, 2.0, 3.0, 4.0])
            .output(&[7.0_f32, 6.0, 5.0, 4.0, 7.0, 6.0, 5.0, 4.0])
            .items([8]),
        Case::of(&CONSTANTS_IN_GROUPS_I64).input(&[1_i64, -2, 3, 4, 5]).output(&[3_i64, 2, -3, 0]).items([4]),
    ]
}

/// The host has checked the length before.
#[kernel(requires(global_size(0) == 1, weights.len() >= 3))]
pub fn of_three_constants(weights: &Constant<[f32]>, y: &mut [f32]) {
    for (i, y) in y.iter_mut().enumerate() {
        *y = weights[0] * i as f32 + weights[2];
    }
}

fn of_three() -> Vec<Case> {
    assert!(!OF_THREE_CONSTANTS.has_fault_record(), "nothing is left to check");
    vec![Case::of(&OF_THREE_CONSTANTS).input(&[2.0_f32, 0.0, 0.5]).output(&[0.5_f32, 2.5, 4.5])]
}

pub fn cases() -> Vec<Case> {
    [weighed(), looked_up(), every_type(), in_groups(), of_three()].into_iter().flatten().collect()
}
