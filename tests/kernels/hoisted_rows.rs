//! Checks that the host makes for the whole launch, of places in rows: of what its row is known of, or a part of a slice, or that the whole row is inside, and of offsets from a
//! table.

use super::case::{Case, ExpectedFault};
use super::hoisted_signed::{met, numbers, outside, unmet};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// The row of an id is below the number of rows, and so the id below that of elements.
#[kernel]
pub fn flat_rows(x: &[u32], y: &mut [u32], w: u32, h: u32) {
    let (w, h) = (w as usize, h as usize);
    let i = global_id(0);
    if i / w >= h {
        return;
    }
    y[i] = x[i] + 1;
}

/// Neighbours on a torus, whose offsets are in tables.
#[kernel]
pub fn offsets_of_a_table(x: &[u32], y: &mut [u32], n: i32) {
    const OFFSETS: [i32; 4] = [-1, 0, 2, 1];
    let i = global_id(0) as i32;
    if i >= n {
        return;
    }
    let mut sum = 0;
    for k in 0..4 {
        sum = sum * 10 + x[((i - OFFSETS[k] + n) % n) as usize];
    }
    y[i as usize] = sum;
}

/// The first elements of what is left.
#[kernel]
pub fn first_of_the_rest(x: &[u32], y: &mut [u32], n: u32) {
    let row = global_id(0);
    let n = n as usize;
    if row < y.len() {
        y[row] = x[row * n..][..n].iter().sum();
    }
}

/// A guard that the whole row is inside.
#[kernel]
pub fn whole_rows(x: &[u32], y: &mut [u32], n: u32) {
    let n = n as usize;
    let r = global_id(0);
    if (r + 1) * n > x.len() {
        return;
    }
    for c in 0..n {
        y[r * n + c] = x[r * n + c] + 1;
    }
}

fn flat_cases() -> Vec<Case> {
    let x = numbers(12);
    let more: Vec<u32> = x.iter().map(|x| x + 1).collect();
    let flat = || Case::of(&FLAT_ROWS);
    let mut cut = more.clone();
    cut[11] = 0;
    vec![
        met(flat().input(&x).output(&more).scalar(4_u32).scalar(3_u32).items([16])),
        unmet(flat().input(&x[..11]).output(&cut).unwritten([11]).scalar(4_u32).scalar(3_u32).items([16]))
            .faults(outside(1, "x[i] + 1")),
        unmet(flat().input(&x).output(&[0_u32; 2]).unwritten([0, 1]).scalar(0_u32).scalar(3_u32).items([2]))
            .faults(ExpectedFault::new(FaultKind::DivisionByZero).count(2).at("i / w")),
    ]
}

fn table_cases() -> Vec<Case> {
    let x = numbers(6);
    let sum = |i: i32| [-1, 0, 2, 1].iter().fold(0, |sum, k| sum * 10 + x[(i - k).rem_euclid(6) as usize]);
    let torus: Vec<u32> = (0..6).map(sum).collect();
    let table = || Case::of(&OFFSETS_OF_A_TABLE);
    // All but these get by without the last element.
    let bad = [0, 1, 4, 5];
    let mut cut = torus.clone();
    bad.iter().for_each(|&i| cut[i] = 0);
    vec![
        met(table().input(&x).output(&torus).scalar(6_i32).items([8])),
        unmet(table().input(&x[..5]).output(&cut).unwritten(bad).scalar(6_i32).items([8]))
            .faults(outside(4, "x[((i - OFFSETS[k] + n) % n) as usize]")),
    ]
}

fn rest_cases() -> Vec<Case> {
    let x = numbers(12);
    let sums: Vec<u32> = x.chunks(3).map(|row| row.iter().sum()).collect();
    let mut cut = sums.clone();
    cut[3] = 0;
    let rest = || Case::of(&FIRST_OF_THE_REST);
    vec![
        met(rest().input(&x).output(&sums).scalar(3_u32).items([6])),
        unmet(rest().input(&x[..11]).output(&cut).unwritten([3]).scalar(3_u32).items([6]))
            .faults(ExpectedFault::new(FaultKind::RangeEnd).at("[..n].iter()")),
    ]
}

fn whole_cases() -> Vec<Case> {
    let x = numbers(14);
    let more: Vec<u32> = x[..12].iter().map(|x| x + 1).collect();
    let rows = || Case::of(&WHOLE_ROWS);
    vec![
        met(rows()
            .input(&x)
            .output(&[&more[..], &[0, 0]].concat())
            .unwritten([12, 13])
            .scalar(3_u32)
            .items([8])),
        unmet(rows().input(&x).output(&more[..11]).scalar(3_u32).items([8]))
            .faults(outside(1, "y[r * n + c]")),
        // No row is as long, nor is a place in one a number of 32 bits.
        unmet(rows().input(&x).output(&[0_u32; 14]).unwritten(0..14).scalar(u32::MAX).items([8])),
    ]
}

pub fn cases() -> Vec<Case> {
    [flat_cases(), table_cases(), rest_cases(), whole_cases()].into_iter().flatten().collect()
}
