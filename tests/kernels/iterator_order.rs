//! Iterators compared with each other, and questions about the order of their items.

use super::case::Case;
use super::edge::zip;
use kernel_runtime::prelude::*;
use std::cmp::Ordering;

#[device]
fn ordinal(order: Ordering) -> i32 {
    order as i32
}

#[device]
fn compared(x: &[i32], y: &[i32]) -> [i32; 12] {
    [
        x.iter().eq(y.iter()) as i32,
        x.iter().ne(y) as i32,
        ordinal(x.iter().cmp(y.iter())),
        x.iter().partial_cmp(y.iter()).map_or(-9, ordinal),
        x.iter().lt(y) as i32,
        x.iter().le(y) as i32,
        x.iter().gt(y) as i32,
        x.iter().ge(y) as i32,
        x.iter().map(|v| v * 2).eq(y.iter().map(|v| v + v)) as i32,
        x.iter().filter(|v| **v > 1).eq(y.iter().filter(|v| **v > 1)) as i32,
        (0..3).eq(x.iter().copied()) as i32,
        ordinal(x.iter().copied().rev().cmp(y.iter().copied().rev())),
    ]
}

#[device]
fn sorted(x: &[i32], y: &[i32]) -> [i32; 12] {
    let merged = {
        let (mut a, mut b) = (x.iter().peekable(), y.iter().peekable());
        let mut sum = 0;
        while a.peek().is_some() && b.peek().is_some() {
            if a.peek() <= b.peek() {
                sum = sum * 3 + a.next().unwrap();
            } else {
                sum = sum * 5 - b.next().unwrap();
            }
            sum %= 10007;
        }
        sum
    };
    let common = {
        let (mut a, mut b) = (x.iter().peekable(), y.iter().peekable());
        let mut common = 0;
        while let (Some(p), Some(q)) = (a.peek(), b.peek()) {
            match p.cmp(q) {
                Ordering::Less => drop_one(&mut a),
                Ordering::Greater => drop_one(&mut b),
                Ordering::Equal => {
                    common += 1;
                    drop_one(&mut a);
                    drop_one(&mut b);
                }
            }
        }
        common
    };
    [
        x.iter().is_sorted() as i32,
        x.iter().is_sorted_by(|a, b| a < b) as i32,
        x.iter().is_sorted_by_key(|v| -v) as i32,
        x.is_sorted() as i32,
        x.is_sorted_by(|a, b| a >= b) as i32,
        x.is_sorted_by_key(|v| v % 3) as i32,
        x.iter().min_by(|a, b| (*a % 4).cmp(&(*b % 4))).copied().unwrap_or(-1),
        x.iter().max_by(|a, b| a.cmp(b)).copied().unwrap_or(-1),
        x.iter().copied().reduce(|a, b| a * 2 + b).unwrap_or(-1),
        x.iter().zip(y).map(|(a, b)| (a % 3, *b)).max().map_or(-1, |(a, b)| a * 100 + b),
        merged,
        common,
    ]
}

#[device]
fn drop_one<'a>(items: &mut impl Iterator<Item = &'a i32>) {
    items.next();
}

#[device]
fn of_floats(x: &[f32], y: &[f32]) -> [f32; 4] {
    let order = match x.iter().partial_cmp(y) {
        None => 9.0,
        Some(order) => ordinal(order) as f32,
    };
    [
        order,
        x.iter().copied().min_by(|a, b| a.total_cmp(b)).unwrap_or(5.5),
        x.iter().max_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal)).copied().unwrap_or(6.5),
        x.iter().copied().min_by(f32::total_cmp).unwrap_or(7.5),
    ]
}

#[kernel]
pub fn iterators_compared(x: &[i32], y: &[i32], lengths: &[[usize; 2]], result: &mut [[i32; 12]]) {
    let i = global_id(0);
    let [a, b] = lengths[i];
    result[i] = compared(&x[..a], &y[..b]);
}

#[kernel]
pub fn iterators_sorted(x: &[i32], y: &[i32], lengths: &[[usize; 2]], result: &mut [[i32; 12]]) {
    let i = global_id(0);
    let [a, b] = lengths[i];
    result[i] = sorted(&x[a..], &y[b..]);
}

#[kernel]
pub fn iterators_of_floats(x: &[f32], y: &[f32], lengths: &[[usize; 2]], result: &mut [[f32; 4]]) {
    let i = global_id(0);
    let [a, b] = lengths[i];
    result[i] = of_floats(&x[a..], &y[b..]);
}

pub fn cases() -> Vec<Case> {
    let (x, y) = ([0, 1, 2, 2, 5, 4], [0, 1, 2, 3, 3, 6]);
    let (f, g) = ([1.0, 2.0, f32::NAN, -0.0, 0.0, 4.0], [1.0, 2.0, 3.0, 0.0, -1.0, 4.0]);
    let lengths: Vec<[usize; 2]> = (0..7).flat_map(|a| (0..7).map(move |b| [a, b])).collect();
    let items = [lengths.len()];
    let (a, b): (Vec<usize>, Vec<usize>) = lengths.iter().map(|[a, b]| (*a, *b)).unzip();
    let results = zip(&a, &b, |a, b| compared(&x[..a], &y[..b]));
    let orders = zip(&a, &b, |a, b| sorted(&x[a..], &y[b..]));
    let floats = zip(&a, &b, |a, b| of_floats(&f[a..], &g[b..]));
    vec![
        Case::of(&ITERATORS_COMPARED).input(&x).input(&y).input(&lengths).output(&results).items(items),
        Case::of(&ITERATORS_SORTED).input(&x).input(&y).input(&lengths).output(&orders).items(items),
        Case::of(&ITERATORS_OF_FLOATS).input(&f).input(&g).input(&lengths).output(&floats).items(items),
    ]
}
