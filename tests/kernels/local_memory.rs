//! Memory that a work-group shares, and the barriers between its phases.

use super::case::Case;
use kernel_runtime::prelude::*;

/// Each work-item takes what another one of its work-group put there.
#[kernel]
pub fn reversed_in_group(x: &[u32], result: &mut [u32]) {
    let mut shared = Local::<[u32; 64]>::new();
    let l = local_id(0);
    shared[l] = x[global_id(0)];
    barrier();
    result[global_id(0)] = shared[local_size(0) - 1 - l];
}

/// A tree: half of the work-items drop out of the work after each barrier, but none out of the barriers.
#[kernel]
pub fn sum_of_group(x: &[f32], sums: &mut [f32]) {
    let mut partial = Local::<[f32; 64]>::new();
    let l = local_id(0);
    partial[l] = x[global_id(0)];
    barrier();
    let mut width = local_size(0) / 2;
    while width > 0 {
        if l < width {
            partial[l] += partial[l + width];
        }
        barrier();
        width /= 2;
    }
    if l == 0 {
        sums[group_id(0)] = partial[0];
    }
}

/// Two variables, a scalar and an array of `bool`, in a two-dimensional group.
#[kernel(group_size = [4, 4])]
pub fn transposed_tile(x: &[u8], result: &mut [u8], above: &mut [bool]) {
    let mut tile = Local::<[u8; 16]>::new();
    let mut large = Local::<[bool; 16]>::new();
    let mut threshold = Local::<u8>::new();
    let column = local_id(0);
    let row = local_id(1);
    let i = global_id(1) * global_size(0) + global_id(0);
    if row == 0 && column == 0 {
        *threshold = 100;
    }
    tile[row * 4 + column] = x[i];
    barrier();
    large[row * 4 + column] = tile[row * 4 + column] > *threshold;
    barrier();
    result[i] = tile[column * 4 + row];
    above[i] = large[15 - (row * 4 + column)];
}

fn transposed(x: &[u8], width: usize) -> (Vec<u8>, Vec<bool>) {
    let at = |i: usize, row: usize, column: usize| {
        let (top, left) = (i / width / 4 * 4, i % width / 4 * 4);
        x[(top + row) * width + left + column]
    };
    let cell = |i: usize| (i / width % 4, i % width % 4);
    (0..x.len())
        .map(|i| {
            let (row, column) = cell(i);
            (at(i, column, row), at(i, 3 - row, 3 - column) > 100)
        })
        .unzip()
}

pub fn cases() -> Vec<Case> {
    let x: Vec<u32> = (0..96).map(|k| k * k).collect();
    let reversed =
        |size: usize| x.chunks_exact(size).flat_map(|group| group.iter().rev().copied()).collect::<Vec<_>>();
    let numbers: Vec<f32> = (0..128).map(|k| k as f32).collect();
    let sums = |size: usize| numbers.chunks_exact(size).map(|group| group.iter().sum()).collect::<Vec<f32>>();
    let bytes: Vec<u8> = (0..96).map(|k| (k * 29) as u8).collect();
    let (tiles, above) = transposed(&bytes, 12);
    vec![
        Case::of(&REVERSED_IN_GROUP).input(&x).output(&reversed(32)).groups([3], [32]),
        Case::of(&REVERSED_IN_GROUP).input(&x).output(&reversed(1)).groups([96], [1]).label("groups of one"),
        Case::of(&REVERSED_IN_GROUP).input(&x).output(&reversed(6)).groups([16], [6]).label("groups of six"),
        Case::of(&SUM_OF_GROUP).input(&numbers).output(&sums(64)).groups([2], [64]),
        Case::of(&SUM_OF_GROUP).input(&numbers).output(&sums(8)).groups([16], [8]).label("groups of eight"),
        Case::of(&TRANSPOSED_TILE).input(&bytes).output(&tiles).output(&above).groups([3, 2], [4, 4]),
    ]
}
