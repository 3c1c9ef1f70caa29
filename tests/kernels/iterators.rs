//! `for` over slices, arrays and iterators made of them.

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// A number that depends on which numbers come, and in which order.
#[device]
fn mix(sum: u32, number: u32) -> u32 {
    sum.wrapping_mul(31).wrapping_add(number).wrapping_add(1)
}

/// Slices and arrays themselves, by reference and by value, with patterns.
#[device]
fn plain(x: &[u32], n: usize) -> u32 {
    let mut sum = 0;
    for v in x {
        sum = mix(sum, *v);
    }
    for &v in &x[n..] {
        if v == 3 {
            continue;
        }
        sum = mix(sum, v);
    }
    let mut own = [1, 2, 3, n as u32];
    for v in &mut own {
        *v += 10;
        if *v == 12 {
            break;
        }
    }
    for v in own.iter_mut() {
        *v *= 3;
    }
    // The array as it was when the loop began.
    for mut v in own {
        own[3] = 0;
        v += 1;
        sum = mix(sum, v);
    }
    for v in [(1, 2), (3, n as u32)] {
        sum = mix(sum, v.0 + v.1);
    }
    for row in [[1, 2], [3, 4]].iter() {
        for v in row {
            sum = mix(sum, *v);
        }
    }
    let grid = [[n as u32, 6], [7, 8]];
    for row in grid {
        sum = mix(sum, row[0] * row[1]);
    }
    for (i, &(a, ref b)) in [(1, 10), (2, 20)].iter().enumerate() {
        sum = mix(sum, i as u32 + a + b);
    }
    sum
}

/// Each adaptor by itself, from the front and from the back.
#[device]
fn adapted(x: &[u32], y: &[u32], n: usize) -> u32 {
    let mut sum = 0;
    for (i, v) in x.iter().enumerate() {
        sum = mix(sum, i as u32 ^ v);
    }
    for (i, v) in x.iter().enumerate().rev() {
        sum = mix(sum, i as u32 ^ v);
    }
    for (i, v) in x.iter().rev().enumerate() {
        sum = mix(sum, i as u32 ^ v);
    }
    for (a, b) in x.iter().zip(y) {
        sum = mix(sum, a ^ b);
    }
    for (a, b) in y.iter().zip(x.iter().copied()).rev() {
        sum = mix(sum, a ^ b);
    }
    for v in x.iter().skip(n) {
        sum = mix(sum, *v);
    }
    for v in x.iter().skip(n).rev() {
        sum = mix(sum, *v);
    }
    for v in x.iter().take(n).cloned() {
        sum = mix(sum, v);
    }
    for v in x.iter().take(n).rev() {
        sum = mix(sum, *v);
    }
    for v in x.iter().step_by(n + 1) {
        sum = mix(sum, *v);
    }
    for v in x.iter().step_by(n + 1).rev() {
        sum = mix(sum, *v);
    }
    for v in x.iter().chain(y) {
        if *v == 5 {
            continue;
        }
        if *v == 2 * n as u32 + 100 {
            break;
        }
        sum = mix(sum, *v);
    }
    for v in x.iter().chain(&y[1..]).rev() {
        sum = mix(sum, *v);
    }
    sum
}

/// Parts of a slice.
#[device]
fn parts(x: &[u32], n: usize) -> u32 {
    let mut sum = 0;
    for part in x.chunks_exact(2) {
        sum = mix(sum, part[0] * part[1]);
    }
    for (i, part) in x.chunks_exact(n + 1).enumerate() {
        sum = mix(sum, part.len() as u32);
        for v in part {
            sum = mix(sum, *v + i as u32);
        }
    }
    for part in x.chunks(n + 1).rev() {
        sum = mix(sum, part.len() as u32);
        sum = mix(sum, part[part.len() - 1]);
    }
    for pair in x.windows(2) {
        sum = mix(sum, pair[1].wrapping_sub(pair[0]));
    }
    for _ in x.windows(x.len() + 1) {
        sum = mix(sum, 1);
    }
    let mut own = [0; 7];
    for (i, part) in own.chunks_mut(n + 1).enumerate() {
        part[0] = i as u32 + 1;
    }
    for part in own.chunks_exact_mut(3) {
        part[2] += 5;
    }
    for v in own {
        sum = mix(sum, v);
    }
    sum
}

/// Ranges as iterators among others.
#[device]
fn numbers(x: &[u32], n: usize) -> u32 {
    let mut sum = 0;
    for (i, v) in (10..).zip(x) {
        sum = mix(sum, i + v);
    }
    for (i, k) in (n..=7).enumerate() {
        sum = mix(sum, (i * 16 + k) as u32);
    }
    for (a, b) in (0_u8..=255).zip((-3..4_i64).rev()) {
        sum = mix(sum, (a as u32).wrapping_add(b as u32));
    }
    for i in (0..9).rev().step_by(2) {
        sum = mix(sum, i);
    }
    for i in (n..20).skip(2).step_by(3).take(4) {
        sum = mix(sum, i as u32);
    }
    for i in (240_u8..).take(n + 1) {
        sum = mix(sum, i as u32);
    }
    for i in n.. {
        if i > 9 {
            break;
        }
        sum = mix(sum, i as u32);
    }
    for i in (5..n).chain(0..2) {
        sum = mix(sum, i as u32);
    }
    let kept = (1..n).rev();
    for i in kept {
        sum = mix(sum, i as u32);
    }
    let tests = (2..5).contains(&n) as u32 + (n..=n).is_empty() as u32 + (n..n).is_empty() as u32 * 2;
    mix(sum, tests + (3..n).len() as u32)
}

/// Adaptors of what is no sequence: they count what comes.
#[device]
fn counted(x: &[u32], y: &[u32], n: usize) -> u32 {
    let mut sum = 0;
    for (i, v) in x.iter().chain(y).enumerate() {
        if i % 3 == 1 {
            continue;
        }
        sum = mix(sum, i as u32 ^ v);
    }
    for v in x.iter().chain(y).skip(n) {
        sum = mix(sum, *v);
    }
    for v in x.iter().chain(y).take(n + 4) {
        if *v == 6 {
            continue;
        }
        sum = mix(sum, *v);
    }
    for v in x.iter().chain(y).step_by(n + 1) {
        sum = mix(sum, *v);
    }
    for (a, b) in x.iter().chain(y).zip(1..n) {
        if a % 2 == 0 {
            continue;
        }
        sum = mix(sum, a + b as u32);
    }
    for (a, b) in (0..n).zip(y.iter().chain(x)) {
        if b % 2 == 0 {
            continue;
        }
        sum = mix(sum, a as u32 + b);
    }
    for (a, b) in (0..).zip(y.iter().chain(x)) {
        sum = mix(sum, a + b);
    }
    sum.wrapping_add(x.iter().chain(y).copied().skip(n).count() as u32)
}

#[device]
fn iterators(x: &[u32], y: &[u32], seed: usize) -> u32 {
    let n = seed % 8;
    plain(x, n)
        ^ adapted(x, y, n).wrapping_mul(3)
        ^ parts(x, n).wrapping_mul(5)
        ^ numbers(x, n).wrapping_mul(7)
        ^ counted(x, y, n).wrapping_mul(11)
}

#[kernel]
pub fn iterator_values(x: &[u32], y: &[u32], result: &mut [u32]) {
    for (seed, to) in result.iter_mut().enumerate().skip(global_id(0)).step_by(global_size(0)) {
        *to = iterators(x, y, seed);
    }
}

/// Sums and products, in the order of the items.
#[device]
fn sums(x: &[f32], n: usize) -> f32 {
    let sum: f32 = x.iter().sum();
    let part = x[..n].iter().copied().product::<f32>();
    let squares = (1..=n as i32).sum::<i32>() + [1, 2, 3].iter().product::<i32>();
    let nothing: f32 = x[n..n].iter().sum();
    sum + part * 0.25 - squares as f32 + if nothing.is_sign_negative() { 64.0 } else { 0.0 }
}

#[kernel]
pub fn sum_values(x: &[f32], result: &mut [f32]) {
    let i = global_id(0);
    result[i] = sums(x, i);
}

/// A dot product of a row and a column, each work-item one.
#[kernel(requires(global_size(0) <= n))]
pub fn product_of_matrices(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    let (column, row) = (global_id(0), global_id(1));
    let mut sum = 0.0;
    for (x, y) in a[row * n..(row + 1) * n].iter().zip(b[column..].iter().step_by(n)) {
        sum += x * y;
    }
    c[row * n + column] = sum;
}

/// Local memory, gone over by all.
#[kernel(group_size = [4, 1, 1])]
pub fn over_local_memory(x: &[u32], result: &mut [u32]) {
    let mut tile = Local::<[u32; 4]>::new();
    tile[local_id(0)] = x[global_id(0)];
    barrier();
    let mut sum = 0;
    for (i, v) in tile.iter().enumerate() {
        sum += v * (i as u32 + 1);
    }
    for v in &tile[1..3] {
        sum += 1000 * v;
    }
    result[global_id(0)] = sum;
}

/// What is not there to be gone over, because a size is zero.
#[kernel(requires(global_size(0) == 1))]
pub fn zero_sizes(form: u32, size: usize, x: &[u32], result: &mut [u32]) {
    let mut count = 0;
    match form {
        0 => {
            for _ in x.chunks(size) {
                count += 1;
            }
        }
        1 => {
            for part in x.chunks_exact(size) {
                count += part.len() as u32;
            }
        }
        2 => {
            for _ in x.windows(size) {
                count += 1;
            }
        }
        3 => {
            for _ in x.iter().step_by(size) {
                count += 1;
            }
        }
        _ => {
            for _ in x.iter().chain(x).step_by(size) {
                count += 1;
            }
        }
    }
    result[0] = count;
}

fn zero_case(form: u32, size: usize, count: u32) -> Case {
    let case = Case::of(&ZERO_SIZES)
        .scalar(form)
        .scalar(size)
        .input(&[1_u32, 2, 3])
        .output(&[count])
        .items([1])
        .label(format!("form {form} with {size}"));
    let (kind, method) = match form {
        0 | 1 => (FaultKind::ZeroChunk, "chunks"),
        2 => (FaultKind::ZeroWindow, "windows"),
        _ => (FaultKind::ZeroStep, "step_by"),
    };
    if size == 0 { case.unwritten([0]).faults(ExpectedFault::new(kind).at(method)) } else { case }
}

pub fn cases() -> Vec<Case> {
    let (x, y): (Vec<u32>, Vec<u32>) = ((1..=9).collect(), (100..112).step_by(2).collect());
    let expected: Vec<u32> = (0..40).map(|seed| iterators(&x, &y, seed)).collect();
    let floats: Vec<f32> = (0..10).map(|i| 0.1 * i as f32 + 0.3).collect();
    let sums: Vec<f32> = (0..10).map(|i| sums(&floats, i)).collect();
    let n = 3;
    let [a, b]: [Vec<f32>; 2] = [1.5, -0.25].map(|by| (0..9).map(|i| i as f32 * by).collect());
    let product: Vec<f32> = (0..9)
        .map(|i| (0..n).map(|k| a[i / n * n + k] * b[k * n + i % n]).fold(0.0, |sum, v| sum + v))
        .collect();
    let tiles: Vec<u32> = (1..=8).collect();
    let over: Vec<u32> = [5030; 4].into_iter().chain([13070; 4]).collect();
    let mut cases = vec![
        Case::of(&ITERATOR_VALUES).input(&x).input(&y).output(&expected).items([7]),
        Case::of(&SUM_VALUES).input(&floats).output(&sums).items([10]),
        Case::of(&PRODUCT_OF_MATRICES).scalar(n).input(&a).input(&b).output(&product).items([3, 3]),
        Case::of(&OVER_LOCAL_MEMORY).input(&tiles).output(&over).items([8]),
    ];
    let counts = [[2, 2], [2, 2], [2, 1], [2, 1], [3, 1]];
    for (form, [two, many]) in (0..).zip(counts) {
        cases.push(zero_case(form, 0, 0));
        cases.push(zero_case(form, 2, two));
        cases.push(zero_case(form, usize::MAX, if form == 1 || form == 2 { 0 } else { many.min(1) }));
    }
    cases
}
