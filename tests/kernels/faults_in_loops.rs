//! Loops that a fault would keep from ever ending, because zero comes of what could not be loaded: a work-item that has faulted leaves
//! them at the next pass.
#![allow(clippy::while_let_loop, reason = "each loop is used in its plain form")]

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// No node comes after it.
#[device]
const END: u32 = u32::MAX;

/// A list whose links may lead nowhere: then element 0 comes next, for ever.
#[kernel]
pub fn length_of_list(next: &[u32], start: &[u32], lengths: &mut [u32]) {
    let i = global_id(0);
    let mut node = start[i];
    let mut count = 0;
    while node != END {
        node = next[node as usize];
        count += 1;
    }
    lengths[i] = count;
}

/// The bounds that are searched are not those of the slice.
#[kernel]
pub fn binary_search(x: &[u32], len: usize, keys: &[u32], found: &mut [usize]) {
    let i = global_id(0);
    let (mut low, mut high) = (0, len);
    while low != high {
        let middle = low + (high - low) / 2;
        match x[middle] < keys[i] {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    found[i] = low;
}

#[kernel]
pub fn break_with_value(x: &[u32], keys: &[u32], found: &mut [usize]) {
    let i = global_id(0);
    let mut at = 0;
    let position = loop {
        if x[at] == keys[i] {
            break at;
        }
        at += 1;
    };
    found[i] = position;
}

/// Only a `return` leads out.
#[device]
fn position(x: &[u32], key: u32) -> usize {
    let mut at = 0;
    loop {
        if x[at] == key {
            return at;
        }
        at += 1;
    }
}

#[kernel]
pub fn return_of_function(x: &[u32], keys: &[u32], found: &mut [usize]) {
    let i = global_id(0);
    found[i] = position(x, keys[i]) + 1;
}

#[kernel]
pub fn return_of_kernel(x: &[u32], keys: &[u32], found: &mut [usize]) {
    let i = global_id(0);
    for at in 0.. {
        if x[at] == keys[i] {
            found[i] = at;
            return;
        }
    }
}

/// The fault comes before the loop, in which there is no check.
#[kernel]
pub fn zero_before_loop(x: &[u32], steps: &mut [u32]) {
    let i = global_id(0);
    let mut n = x[i];
    let mut count = 0;
    while n != 1 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        count += 1;
    }
    steps[i] = count;
}

#[device]
fn after(next: &[u32], node: u32) -> Option<u32> {
    let found = next[node as usize];
    if found == END { None } else { Some(found) }
}

/// A loop in a loop, of which the inner one faults.
#[kernel]
pub fn nested(next: &[u32], start: &[u32], last: &mut [u32]) {
    let i = global_id(0);
    let mut node = start[i];
    let mut rounds = 3;
    loop {
        while let Some(found) = after(next, node) {
            node = found;
        }
        rounds -= 1;
        if rounds == 0 {
            break;
        }
    }
    last[i] = node;
}

/// Where others wait, the work-item leaves only the loop, whose value is zero, and comes to the barriers.
#[kernel(group_size = [4, 1, 1])]
pub fn values_beside_barriers(x: &[u32], keys: &[u32], found: &mut [usize]) {
    let mut shared = Local::<[usize; 4]>::new();
    let (l, i) = (local_id(0), global_id(0));
    shared[l] = 10 * position(x, keys[i]);
    barrier();
    let mut at = l;
    let last = loop {
        if x[at] == 7 {
            break at;
        }
        at += 1;
    };
    barrier();
    found[i] = shared[3 - l] + last;
}

/// What the end of the loop says does not hold for those who left it with a fault: `k` is not in bounds then.
#[kernel(group_size = [4, 1, 1], unsafe(races(y)))]
pub fn bounds_beside_barriers(steps: &[usize], starts: &[usize], y: &mut [u32]) {
    let i = global_id(0);
    let mut k = starts[i];
    while k >= y.len() {
        k -= steps[k];
    }
    barrier();
    y[k] = 1;
}

/// The same without a barrier, where the last access needs no check.
#[kernel(unsafe(races(y)))]
pub fn bounds(steps: &[usize], starts: &[usize], y: &mut [u32]) {
    let i = global_id(0);
    let mut k = starts[i];
    while k >= y.len() {
        k -= steps[k];
    }
    y[k] = 1;
}

/// A loop that all work-items of the group leave together decides how often they meet, so that nobody leaves it by himself; that in the
/// loop with barriers is left by each.
#[kernel(group_size = [4, 1, 1])]
pub fn rounds_of_barriers(next: &[u32], start: &[u32], n: usize, y: &mut [usize]) {
    let mut shared = Local::<[usize; 4]>::new();
    let (l, i) = (local_id(0), global_id(0));
    shared[l] = start[i] as usize;
    let mut rounds = 1;
    while rounds * rounds < n {
        rounds += 1;
    }
    while rounds > 0 {
        let mut node = start[i];
        while node != END {
            node = next[node as usize];
        }
        barrier();
        let own = shared[(l + 1) % 4];
        barrier();
        shared[l] = own;
        rounds -= 1;
    }
    y[i] = shared[l];
}

/// All fault together, and then meet.
#[kernel(group_size = [4, 1, 1])]
pub fn all_at_once(next: &[u32], start: u32, y: &mut [u32]) {
    let mut shared = Local::<[u32; 4]>::new();
    let (l, i) = (local_id(0), global_id(0));
    let mut node = start;
    while node != END {
        node = next[node as usize];
    }
    shared[l] = i as u32;
    barrier();
    y[i] = shared[3 - l];
}

/// Several checks in a loop, each of which may be the one that fails: at its head, of two slices by the same number, and of a third one.
#[kernel]
pub fn sums_of_products(rows: &[u32], columns: &[u32], x: &[u32], y: &[u32], z: &[u32], sums: &mut [u32]) {
    let i = global_id(0);
    let mut sum = 0;
    for e in rows[i]..rows[i + 1] {
        let column = columns[e as usize] as usize;
        sum += z[(x[column] * y[column]) as usize];
    }
    sums[i] = sum;
}

/// The same of numbers that may have more than 32 bits, in a loop in a loop.
#[kernel]
pub fn sums_of_sums(rows: &[usize], columns: &[usize], x: &[usize], sums: &mut [usize]) {
    let i = global_id(0);
    let mut sum = 0;
    for start in rows[i]..rows[i + 1] {
        let mut next = start;
        while next != 0 {
            sum += x[next];
            next = columns[next];
        }
        sum += x[columns[start]];
    }
    sums[i] = sum;
}

pub fn cases() -> Vec<Case> {
    let mut cases = cases_of_few_checks();
    cases.extend(cases_of_several_checks());
    cases
}

fn cases_of_several_checks() -> Vec<Case> {
    let outside = || ExpectedFault::new(FaultKind::IndexOutOfBounds);
    // The second of three rows has the third column and then the fault.
    let case = |columns: &[u32], x: &[u32], y: &[u32]| {
        Case::of(&SUMS_OF_PRODUCTS)
            .input(&[0_u32, 2, 4, 5])
            .input(columns)
            .input(x)
            .input(y)
            .input(&[10_u32, 20, 30, 40, 50])
            .items([3])
    };
    let (x, y) = ([1_u32, 2, 1, 1, 2], [1_u32, 2, 3, 0, 2]);
    let of_sums = |columns: &[usize]| {
        Case::of(&SUMS_OF_SUMS)
            .input(&[1_usize, 2, 4])
            .input(columns)
            .input(&[1_usize, 10, 100, 1000])
            .items([2])
    };
    vec![
        case(&[0, 1, 2, 3, 4], &x, &y).output(&[70_u32, 50, 50]).label("no fault"),
        case(&[0, 1, 2, 3], &x, &y)
            .update(&[7_u32; 3], &[70_u32, 50, 7])
            .faults(outside().values([4, 4]).global_id([2, 0, 0]).at("columns[e as usize]")),
        case(&[0, 1, 2, 9, 4], &x, &y)
            .update(&[7_u32; 3], &[70_u32, 7, 50])
            .faults(outside().values([9, 5]).global_id([1, 0, 0]).at("x[column]")),
        case(&[0, 1, 2, 4, 0], &x, &y[..4])
            .update(&[7_u32; 3], &[70_u32, 7, 20])
            .faults(outside().values([4, 4]).global_id([1, 0, 0]).at("y[column]")),
        case(&[0, 1, 2, 4, 0], &[1, 2, 1, 1, 3], &y)
            .update(&[7_u32; 3], &[70_u32, 7, 20])
            .faults(outside().values([6, 5]).global_id([1, 0, 0]).at("z[(x[column] * y[column]) as usize]")),
        of_sums(&[0, 0, 0, 2]).output(&[11_usize, 1301]).label("no fault in two loops"),
        of_sums(&[0, 0, 1 << 40, 2])
            .update(&[7_usize; 2], &[11_usize, 7])
            .faults(outside().values([1 << 40, 4]).global_id([1, 0, 0]).at("x[next]")),
        of_sums(&[0, 0, 3])
            .update(&[7_usize; 2], &[11_usize, 7])
            .faults(outside().values([3, 3]).global_id([1, 0, 0]).at("columns[next]")),
    ]
}

fn cases_of_few_checks() -> Vec<Case> {
    let outside = || ExpectedFault::new(FaultKind::IndexOutOfBounds);
    // From 0 to 2 and 4 to the end, from 1 and 3 to where there is nothing.
    let next = [2, 3, 4, 99, END];
    let x = [3_u32, 1, 4, 5, 7];
    vec![
        Case::of(&LENGTH_OF_LIST)
            .input(&next)
            .input(&[0_u32, 2, 4, END, 2, 0])
            .output(&[3_u32, 2, 1, 0, 2, 3])
            .items([6])
            .label("no fault"),
        Case::of(&LENGTH_OF_LIST)
            .input(&[1_u32, 0, 4, 99, END])
            .input(&[2_u32, 3, 4, END, 100, 2])
            .update(&[50_u32; 6], &[2_u32, 50, 1, 0, 50, 2])
            .items([6])
            .faults(outside().count(2).at("next[node as usize]")),
        Case::of(&BINARY_SEARCH)
            .input(&[1_u32, 3, 5, 7, 9])
            .scalar(5_usize)
            .input(&[0_u32, 1, 4, 9, 10])
            .output(&[0_usize, 0, 2, 4, 5])
            .items([5])
            .label("no fault"),
        Case::of(&BINARY_SEARCH)
            .input(&[1_u32, 3, 5, 7, 9])
            .scalar(9_usize)
            .input(&[4_u32, 10, 9])
            .update(&[50_usize; 3], &[2_usize, 50, 4])
            .items([3])
            .faults(outside().values([7, 5]).global_id([1, 0, 0]).at("x[middle]")),
        Case::of(&BREAK_WITH_VALUE)
            .input(&x)
            .input(&[4_u32, 6, 3, 7])
            .update(&[50_usize; 4], &[2_usize, 50, 0, 4])
            .items([4])
            .faults(outside().values([5, 5]).global_id([1, 0, 0]).at("x[at]")),
        Case::of(&RETURN_OF_FUNCTION)
            .input(&x)
            .input(&[4_u32, 6, 3, 7])
            .update(&[50_usize; 4], &[3_usize, 50, 1, 5])
            .items([4])
            .faults(outside().values([5, 5]).global_id([1, 0, 0]).at("x[at]")),
        Case::of(&RETURN_OF_KERNEL)
            .input(&x)
            .input(&[4_u32, 6, 3, 7])
            .update(&[50_usize; 4], &[2_usize, 50, 0, 4])
            .items([4])
            .faults(outside().values([5, 5]).global_id([1, 0, 0]).at("x[at]")),
        Case::of(&ZERO_BEFORE_LOOP)
            .input(&[6_u32, 1, 7])
            .update(&[50_u32; 4], &[8_u32, 0, 16, 50])
            .items([4])
            .faults(outside().values([3, 3]).global_id([3, 0, 0]).at("x[i]")),
        Case::of(&NESTED)
            .input(&next)
            .input(&[0_u32, 1, 2, 4])
            .update(&[50_u32; 4], &[4_u32, 50, 4, 4])
            .items([4])
            .faults(outside().values([99, 5]).global_id([1, 0, 0]).at("next[node as usize]")),
        Case::of(&VALUES_BESIDE_BARRIERS)
            .input(&x)
            .input(&[4_u32, 6, 3, 7])
            .output(&[44_usize, 0, 4, 24])
            .items([4])
            .faults(outside().values([5, 5]).global_id([1, 0, 0]).at("x[at]")),
        Case::of(&BOUNDS_BESIDE_BARRIERS)
            .input(&[0_usize, 0, 0, 0, 4, 3, 9])
            .input(&[4_usize, 5, 9, 1])
            .update(&[0_u32; 4], &[1_u32, 1, 1, 0])
            .items([4])
            .faults(outside().values([9, 7]).global_id([2, 0, 0]).at("steps[k]")),
        Case::of(&BOUNDS)
            .input(&[0_usize, 0, 0, 0, 4, 3, 9])
            .input(&[4_usize, 5, 9, 1])
            .update(&[0_u32; 4], &[1_u32, 1, 1, 0])
            .items([4])
            .faults(outside().values([9, 7]).global_id([2, 0, 0]).at("steps[k]")),
        Case::of(&ROUNDS_OF_BARRIERS)
            .input(&next)
            .input(&[0_u32, 1, 2, 4])
            .scalar(5_usize)
            .output(&[4_usize, 0, 1, 2])
            .items([4])
            .faults(outside().values([99, 5]).global_id([1, 0, 0]).at("next[node as usize]")),
        Case::of(&ALL_AT_ONCE)
            .input(&next)
            .scalar(2_u32)
            .output(&[3_u32, 2, 1, 0])
            .items([4])
            .label("no fault"),
        Case::of(&ALL_AT_ONCE)
            .input(&[1_u32, 99])
            .scalar(0_u32)
            .output(&[3_u32, 2, 1, 0])
            .items([4])
            .faults(outside().count(4).values([99, 2]).at("next[node as usize]")),
    ]
}
