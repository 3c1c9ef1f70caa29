//! Guards of several bounds, some of which all work-items agree on: compared as one, and right at the edges of all types.

use super::case::Case;
use kernel_runtime::prelude::*;

/// Three bounds, and something that no work-item decides.
#[kernel]
pub fn several(x: &[u32], y: &mut [u32], n: usize, twice: u32) {
    let i = global_id(0);
    if i < n && i < x.len() && twice == 2 && i < y.len() {
        y[i] = twice * x[i];
    }
}

/// What is less than nothing is not compared with nothing.
#[kernel]
pub fn signed(x: &[i32], y: &mut [u32], most: i32, on: bool) {
    let i = global_id(0);
    if i < x.len() && i < y.len() {
        y[i] = (x[i] < most && on) as u32 + 2 * (on && most > x[i] && x[i] < 5) as u32;
    }
}

/// Numbers of 8 bits.
#[kernel]
pub fn bytes(x: &[i8], y: &mut [u32], most: i8, on: bool) {
    let i = global_id(0);
    if i < x.len() && i < y.len() {
        y[i] = (on && x[i] < most && x[i] < 100) as u32;
    }
}

/// The greatest number of 32 bits is a number too.
#[kernel]
pub fn greatest(x: &[u32], y: &mut [u32], bounds: [u64; 2], on: bool) {
    let i = global_id(0);
    if i < x.len() && i < y.len() {
        let k = x[i] as u64;
        y[i] = (k < bounds[0] && k < bounds[1] && on) as u32
            + 2 * ((x[i] as usize) < bounds[0] as usize && (x[i] as usize) < bounds[1] as usize && on) as u32
            + 4 * ((x[i] as usize) < y.len() && on) as u32;
    }
}

/// Indices of more than 32 bits.
#[kernel]
pub fn far(y: &mut [u32], n: usize, m: usize, on: bool) {
    let i = global_id(0);
    let k = (i + 1) << 31;
    if i < y.len() {
        y[i] = (k < n && k < m && on) as u32;
    }
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let x: Vec<u32> = (1..=100).collect();
    for (n, twice, items) in [(0, 2, 10), (1, 2, 10), (99, 2, 100), (200, 2, 128), (50, 3, 100)] {
        let after: Vec<u32> =
            (0..90).map(|i| if i < n.min(items) && twice == 2 { 2 * x[i] } else { 7 }).collect();
        let case = Case::of(&SEVERAL).input(&x).update(&[7_u32; 90], &after).scalar(n).scalar(twice as u32);
        cases.push(case.items([items]).label(format!("{n} of {items}, {twice}")));
    }
    let numbers = [i32::MIN, -7, -1, 0, 1, 4, 5, i32::MAX];
    for (most, on) in [(i32::MIN, true), (-1, true), (0, false), (5, true), (i32::MAX, true)] {
        let value = |x: i32| (x < most && on) as u32 + 2 * (on && most > x && x < 5) as u32;
        let after: Vec<u32> = numbers.iter().map(|&x| value(x)).collect();
        let case = Case::of(&SIGNED).input(&numbers).output(&after).scalar(most).scalar(on);
        cases.push(case.items([numbers.len()]).label(format!("below {most}, {on}")));
    }
    let numbers = [i8::MIN, -1, 0, 99, 100, i8::MAX];
    for (most, on) in [(i8::MIN, true), (i8::MAX, true), (i8::MAX, false), (0, true)] {
        let after: Vec<u32> = numbers.iter().map(|&x| (on && x < most && x < 100) as u32).collect();
        let case = Case::of(&BYTES).input(&numbers).output(&after).scalar(most).scalar(on);
        cases.push(case.items([numbers.len()]).label(format!("below {most}, {on}")));
    }
    let numbers = [0, 3, 4, u32::MAX - 1, u32::MAX];
    let edges = [0, 1, u64::from(u32::MAX), 1 << 32, u64::MAX];
    for bounds in edges.iter().flat_map(|a| edges.map(|b| [*a, b])) {
        let value = |x: u32| {
            let below = u64::from(x) < bounds[0] && u64::from(x) < bounds[1];
            3 * below as u32 + 4 * (x < 5) as u32
        };
        let after: Vec<u32> = numbers.iter().map(|&x| value(x)).collect();
        let case = Case::of(&GREATEST).input(&numbers).output(&after).scalar(bounds).scalar(true);
        cases.push(case.items([numbers.len()]).label(format!("{bounds:?}")));
    }
    let case = Case::of(&GREATEST).input(&numbers).output(&[0_u32; 5]).scalar([u64::MAX; 2]).scalar(false);
    cases.push(case.items([numbers.len()]).label("never"));
    for (n, m, on) in [(1 << 31, 1 << 40, true), (1 << 40, 3 << 31, true), (1 << 40, 1 << 40, false)] {
        let after: Vec<u32> = (1..=4_usize).map(|i| (i << 31 < n && i << 31 < m && on) as u32).collect();
        let case = Case::of(&FAR).output(&after).scalar(n).scalar(m).scalar(on);
        cases.push(case.items([4]).label(format!("{n}, {m}, {on}")));
    }
    cases
}
