//! Loops with barriers whose passes are known: what is whose in local memory follows from counters, or from which buffer is which.

use super::case::Case;
use kernel_runtime::prelude::*;
use std::mem::swap;

/// The sums of what comes before each element, by Blelloch's tree.
#[kernel(group_size = 32)]
pub fn sums_before(x: &[u32], out: &mut [u32]) {
    let mut temp = Local::<[u32; 64]>::new();
    let l = local_id(0);
    let base = group_id(0) * 64;
    temp[2 * l] = x[base + 2 * l];
    temp[2 * l + 1] = x[base + 2 * l + 1];
    let mut offset = 1;
    let mut d = 32;
    while d > 0 {
        barrier();
        if l < d {
            let ai = offset * (2 * l + 1) - 1;
            let bi = offset * (2 * l + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
        d /= 2;
    }
    if l == 0 {
        temp[63] = 0;
    }
    let mut d = 1;
    while d < 64 {
        offset /= 2;
        barrier();
        if l < d {
            let ai = offset * (2 * l + 1) - 1;
            let bi = offset * (2 * l + 2) - 1;
            let t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
        d *= 2;
    }
    barrier();
    out[base + 2 * l] = temp[2 * l];
    out[base + 2 * l + 1] = temp[2 * l + 1];
}

/// The sums up to each element, by two tiles that change places.
#[kernel(group_size = 64)]
pub fn by_swapped_tiles(x: &[u32], out: &mut [u32]) {
    let mut first = Local::<[u32; 64]>::new();
    let mut second = Local::<[u32; 64]>::new();
    let (mut from, mut to) = (&mut first, &mut second);
    let (l, i) = (local_id(0), global_id(0));
    from[l] = if i < x.len() { x[i] } else { 0 };
    barrier();
    let mut step = 1;
    while step < 64 {
        to[l] = if l >= step { from[l] + from[l - step] } else { from[l] };
        barrier();
        swap(&mut from, &mut to);
        step *= 2;
    }
    if i < out.len() {
        out[i] = from[l];
    }
}

/// The same by two numbers that do.
#[kernel(group_size = 64)]
pub fn by_swapped_numbers(x: &[u32], out: &mut [u32]) {
    let mut tiles = Local::<[[u32; 64]; 2]>::new();
    let (mut from, mut to) = (0, 1);
    let (l, i) = (local_id(0), global_id(0));
    tiles[from][l] = if i < x.len() { x[i] } else { 0 };
    barrier();
    for k in 0..6 {
        let step = 1 << k;
        tiles[to][l] = if l >= step { tiles[from][l] + tiles[from][l - step] } else { tiles[from][l] };
        barrier();
        (from, to) = (to, from);
    }
    if i < out.len() {
        out[i] = tiles[from][l];
    }
}

pub fn cases() -> Vec<Case> {
    let x: Vec<u32> = (0..128).map(|k| k * 7 % 13).collect();
    let sums = |inclusive: bool| -> Vec<u32> {
        let of_group = |group: &[u32]| -> Vec<u32> {
            let until = |i: usize| group[..i + inclusive as usize].iter().sum();
            (0..group.len()).map(until).collect()
        };
        x.chunks(64).flat_map(of_group).collect()
    };
    let before = Case::of(&SUMS_BEFORE).input(&x).output(&sums(false)).groups([2], [32]);
    let after = sums(true);
    let others = [&BY_SWAPPED_TILES, &BY_SWAPPED_NUMBERS].into_iter().flat_map(|kernel| {
        [128, 100, 1].map(|n| {
            let case = Case::of(kernel).input(&x[..n]).output(&after[..n]);
            case.groups([2], [64]).label(format!("{n} elements"))
        })
    });
    others.chain([before]).collect()
}
