//! Branches that only choose between floats: in one another, of several at once, by comparisons with NaN, of what the other branch would not have, in loops.

use super::case::Case;
use kernel_runtime::prelude::*;

#[device]
fn weight(t: f32) -> f32 {
    let t = t.abs();
    if t < 1.0 {
        (1.5 * t - 2.5) * t * t + 1.0
    } else if t < 2.0 {
        ((-0.5 * t + 2.5) * t - 4.0) * t + 2.0
    } else {
        0.0
    }
}

#[device]
fn filtered(row: &[f32; 4], at: f32) -> f32 {
    let first = at.floor();
    let mut sum = 0.0;
    for (k, x) in row.iter().enumerate() {
        sum += weight(at - (first + k as f32 - 1.0)) * x;
    }
    sum
}

#[kernel]
pub fn weighted(x: &[f32], row: &[f32], weights: &mut [f32], sums: &mut [f32]) {
    let i = global_id(0);
    weights[i] = weight(x[i]);
    sums[i] = filtered(&[row[0], row[1], row[2], row[3]], x[i]);
}

#[device]
fn chosen(x: f32, y: f32) -> [f32; 6] {
    let (less, more) = if x < y { (x, y) } else { (y, x) };
    let half;
    let double;
    if !(x > y) {
        half = x * 0.5;
        double = y + y;
    } else {
        half = y * 0.5;
        double = x + x;
    }
    let (mut a, mut b) = (x, y);
    if a > 1.0 {
        a = b;
        b = x - 1.0;
    } else {
        a = -b;
        b = a;
    }
    [less, more, half, double, a, b]
}

#[kernel]
pub fn chosen_pairs(x: &[[f32; 2]], y: &mut [[f32; 6]]) {
    let i = global_id(0);
    let [a, b] = x[i];
    y[i] = chosen(a, b);
}

/// The error of a quotient by an iteration that a branch damps, and a table that only one branch may look into.
#[kernel]
pub fn damped(x: &[f32], table: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let mut v = x[i];
    for k in 0..8 {
        let step = if v > 2.0 { 0.25 * v } else { 0.5 * (v - 1.0) };
        let from = if k < table.len() { table[k] } else { -1.0 };
        v -= step * if from < 0.0 { 1.0 } else { from };
    }
    y[i] = v;
}

fn damped_on_host(mut v: f32, table: &[f32]) -> f32 {
    for k in 0..8 {
        let step = if v > 2.0 { 0.25 * v } else { 0.5 * (v - 1.0) };
        let from = table.get(k).copied().unwrap_or(-1.0);
        v -= step * if from < 0.0 { 1.0 } else { from };
    }
    v
}

pub fn cases() -> Vec<Case> {
    let x: [f32; 16] =
        [0.0, -0.0, 0.5, -0.75, 1.0, -1.0, 1.5, -1.999, 2.0, -2.5, 3.0, 100.0, -1e30, 1e-40, 0.999, 1.001];
    let row = [1.0, -2.0, 3.5, 0.25];
    let (weights, sums) = (x.map(weight), x.map(|x| filtered(&row, x)));
    let special = [1.0, -1.0, 0.0, -0.0, 2.5, f32::INFINITY, f32::NEG_INFINITY];
    let pairs: Vec<[f32; 2]> = special.iter().flat_map(|a| special.map(|b| [*a, b])).take(48).collect();
    let pairs_chosen: Vec<[f32; 6]> = pairs.iter().map(|[a, b]| chosen(*a, *b)).collect();
    let table = [0.5, -2.0, 0.75];
    let damped = x.map(|x| damped_on_host(x, &table));
    vec![
        Case::of(&WEIGHTED).input(&x).input(&row).output(&weights).output(&sums).items([16]),
        Case::of(&CHOSEN_PAIRS).input(&pairs).output(&pairs_chosen).items([48]),
        Case::of(&DAMPED).input(&x).input(&table).output(&damped).items([16]),
    ]
}
