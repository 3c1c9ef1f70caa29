//! Iterators with closures, in `for` and used up by methods.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
fn mix(sum: u32, number: u32) -> u32 {
    sum.wrapping_mul(31).wrapping_add(number).wrapping_add(1)
}

#[device]
fn double(x: u32) -> u32 {
    x * 2
}

#[device]
fn half(x: u32) -> Option<u32> {
    if x % 2 == 0 { Some(x / 2) } else { None }
}

/// The adaptors, in `for` loops with `continue` and `break`.
#[device]
fn adaptors(x: &[u32], y: &[u32], n: usize) -> u32 {
    let k = n as u32;
    let mut sum = 0;
    for v in x.iter().map(|v| v * k) {
        sum = mix(sum, v);
    }
    for v in x.iter().copied().map(|v| double(v)).rev() {
        sum = mix(sum, v);
    }
    for (i, v) in x.iter().filter(|v| **v % 3 != k % 3).enumerate() {
        if *v == 5 {
            continue;
        }
        sum = mix(sum, v + i as u32);
    }
    for v in x.iter().enumerate().filter(|(i, _)| i % 2 == n % 2).map(|(_, v)| v).rev() {
        if *v == 2 {
            break;
        }
        sum = mix(sum, *v);
    }
    for v in y.iter().filter_map(|&v| half(v)) {
        sum = mix(sum, v);
    }
    for v in x.iter().take_while(|v| **v < k + 2) {
        sum = mix(sum, *v);
    }
    for v in x.iter().skip_while(|v| **v < k + 2).chain(y).step_by(2) {
        sum = mix(sum, *v);
    }
    for v in y.iter().map_while(|&v| half(v)).skip(1) {
        sum = mix(sum, v);
    }
    for (a, b) in x.iter().map(|v| v + 1).zip(y.iter().filter(|v| **v > 102)) {
        sum = mix(sum, a * b);
    }
    for (a, b) in x.iter().filter(|v| **v > 3).zip(y.iter().map(|v| v + k)) {
        sum = mix(sum, a * b);
    }
    for v in x.iter().scan(k, |state, v| {
        *state += v;
        if *state < 40 { Some(*state) } else { None }
    }) {
        sum = mix(sum, v);
    }
    for v in x.chunks(2).flat_map(|part| part.iter().rev()) {
        if *v == 4 {
            continue;
        }
        if *v > k + 5 {
            break;
        }
        sum = mix(sum, *v);
    }
    for v in [[1, 2], [k, 4]].iter().flatten() {
        sum = mix(sum, *v);
    }
    for v in (0..n).flat_map(|i| 0..i).rev() {
        sum = mix(sum, v as u32);
    }
    for v in y.iter().map(|&v| half(v)).flatten() {
        sum = mix(sum, v);
    }
    for v in half(k).into_iter().chain(half(k + 1)) {
        sum = mix(sum, v);
    }
    sum
}

/// Closures see what Rust's see, and as often, also of items that are left out.
#[device]
fn seen(x: &[u32], n: usize) -> u32 {
    let mut sum = 0;
    let mut note = |v: u32| {
        sum = mix(sum, v);
        v
    };
    for _ in x.iter().map(|v| note(*v)).skip(n) {}
    for _ in x.iter().map(|v| note(v + 10)).step_by(n + 1) {}
    for _ in x.iter().map(|v| note(v + 20)).skip(n).rev() {}
    for _ in x.iter().map(|v| note(v + 30)).take(n) {}
    for _ in (0..n).zip(x.iter().map(|v| note(v + 40))) {}
    for _ in x.iter().map(|v| note(v + 50)).zip(0..n) {}
    for _ in x.iter().inspect(|v| drop_it(note(**v + 60))).rev() {}
    for _ in x.iter().filter(|v| note(**v + 70) % 2 == 0).take(2) {}
    let count = x.iter().map(|v| note(v + 80)).count() + x.iter().map(|v| note(v + 90)).len();
    let found = x.iter().map(|v| note(v + 100)).any(|v| v == 103);
    let all = x.iter().map(|v| note(v + 110)).all(|v| v < 114);
    mix(sum, count as u32 + found as u32 * 2 + all as u32 * 4)
}

#[device]
fn drop_it(_: u32) {}

/// What is left once an iterator has been used up.
#[device]
fn consumers(x: &[u32], y: &[u32], n: usize) -> u32 {
    let k = n as u32;
    let mut total = 0;
    x.iter().zip(y).for_each(|(a, b)| total = mix(total, a * b));
    let fold = x.iter().fold(k, |sum, v| mix(sum, *v));
    let (least, greatest) = x.iter().fold((u32::MAX, 0), |(low, high), &v| (low.min(v), high.max(v)));
    let reduced = x[n.min(x.len())..].iter().copied().reduce(|a, b| a * 3 + b).unwrap_or(1000);
    let squares: u32 = (0..k).map(|i| i * i).sum();
    let product = x.iter().filter(|v| **v < 5).map(|v| v + k).product::<u32>();
    let any = x.iter().any(|&v| v == k) as u32;
    let all = x.iter().all(|&v| v > k) as u32;
    let position = x.iter().position(|&v| v == k + 1).map_or(77, |i| i as u32);
    let last = y.iter().position(|&v| v > 1000).is_none() as u32;
    let mapped = y.iter().find_map(|&v| half(v + k)).unwrap_or(5);
    let counted = x.iter().filter(|v| **v > k).count() as u32;
    let values =
        [total, fold, least, greatest, reduced, squares, product, any, all, position, last, mapped, counted];
    values.iter().fold(0, |sum, v| mix(sum, *v))
}

/// One of the items: values, and references to elements.
#[device]
fn chosen(x: &[u32], y: &mut [u32], n: usize) -> u32 {
    let k = n as u32;
    let mut sum = 0;
    if let Some(v) = x.iter().find(|v| **v > k) {
        sum = mix(sum, *v);
    }
    if let Some(v) = x.iter().rev().skip(1).find(|v| **v % 4 == k % 4) {
        sum = mix(sum, *v);
    }
    if let Some((i, v)) = x.iter().enumerate().filter(|(i, _)| i % 3 == n % 3).last() {
        sum = mix(sum, v + i as u32);
    }
    if let Some(v) = y.iter_mut().find(|v| **v == 100 + 2 * k) {
        *v += 1;
    }
    match y.iter().max() {
        Some(v) => sum = mix(sum, *v),
        None => sum += 1,
    }
    match x[..n].iter().min_by_key(|v| **v ^ 5) {
        Some(v) => sum = mix(sum, *v),
        None => sum += 2,
    }
    let greatest = x.iter().enumerate().max_by_key(|(i, v)| (**v * 7) % (5 + *i as u32));
    sum = mix(sum, greatest.map_or(9, |(i, _)| i as u32));
    sum = mix(sum, x.iter().map(|v| v ^ k).min().unwrap_or(3));
    sum = mix(sum, x.iter().nth(n).copied().unwrap_or(4));
    sum = mix(sum, x.iter().filter(|v| **v > 2).nth(n).map_or(6, |v| *v));
    sum = mix(sum, x[..n].iter().last().map_or(8, |v| *v));
    sum = mix(sum, x.chunks(n + 1).last().map_or(7, |part| part.len() as u32));
    sum = mix(sum, (0..k).map(|i| i * 3 % 7).max().unwrap_or(11));
    mix(sum, (1..=k).rev().last().unwrap_or(12))
}

#[device]
fn all_of_it(x: &[u32], y: &[u32], seed: usize) -> u32 {
    let n = seed % 8;
    let mut own = [0; 6];
    own.copy_from_slice(y);
    adaptors(x, y, n)
        ^ seen(x, n).wrapping_mul(3)
        ^ consumers(x, y, n).wrapping_mul(5)
        ^ chosen(x, &mut own, n).wrapping_mul(7)
}

#[kernel]
pub fn iterator_closure_values(x: &[u32], y: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    result[i] = all_of_it(x, y, i);
}

/// Floats, with the rounding of each step in order.
#[device]
fn floats(x: &[f32], n: usize) -> f32 {
    let mean = x.iter().sum::<f32>() / x.len() as f32;
    let variance = x.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>();
    let greatest = x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let norm = x.iter().skip(n).fold(0.0_f32, |sum, v| v.mul_add(*v, sum));
    let dot: f32 = x.iter().zip(x.iter().rev()).map(|(a, b)| a * b).sum();
    variance + greatest * 0.5 + norm * 0.25 + dot * 0.125
}

#[kernel]
pub fn float_folds(x: &[f32], result: &mut [f32]) {
    let i = global_id(0);
    result[i] = floats(x, i);
}

pub fn cases() -> Vec<Case> {
    let (x, y): (Vec<u32>, Vec<u32>) = ((1..=9).collect(), vec![100, 102, 104, 105, 106, 108]);
    let seeds: Vec<usize> = (0..8).collect();
    let expected = map(&seeds, |seed| all_of_it(&x, &y, seed));
    let numbers: Vec<f32> = (0..10).map(|i| 0.1 * i as f32 + 0.3).collect();
    let folds = map(&seeds, |seed| floats(&numbers, seed));
    vec![
        Case::of(&ITERATOR_CLOSURE_VALUES).input(&x).input(&y).output(&expected).items([seeds.len()]),
        Case::of(&FLOAT_FOLDS).input(&numbers).output(&folds).items([seeds.len()]),
    ]
}
