//! The methods of slices and arrays that are no iterators, and their comparison.

use super::case::{Case, ExpectedFault};
use super::edge::map;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

#[device]
fn digest(x: &[i32]) -> i32 {
    let mut sum = x.len() as i32;
    for v in x {
        sum = sum.wrapping_mul(31).wrapping_add(*v);
    }
    sum
}

/// What changes the elements.
#[device]
fn changed(x: &[i32], n: usize) -> i32 {
    let mut own = [0; 8];
    own.copy_from_slice(x);
    own[n..].reverse();
    let first = digest(&own);
    own.rotate_left(n);
    own[1..7].rotate_right(n.min(6));
    own.swap(n, 7 - n);
    own.swap(n, n);
    let second = digest(own.as_slice());
    own[..n].fill(n as i32);
    let (low, high) = own.split_at_mut(n);
    for (a, b) in low.iter_mut().zip(high.iter_mut()) {
        let c = *a;
        *a = *b;
        *b = c + 1;
    }
    let mut grid = [[1, 2], [3, 4], [5, 6]];
    grid[n % 3].reverse();
    grid.reverse();
    grid[n % 2].copy_from_slice(&own[..2]);
    let mut pairs = [(1, false), (2, true), (3, false)];
    pairs.rotate_left(n % 4);
    pairs[1..].fill((n as i32, true));
    pairs.swap(0, 2);
    let pair = pairs[n % 3];
    let third = digest(&own) ^ digest(&grid[0]) ^ digest(&grid[1]) ^ digest(&grid[2]);
    first ^ second.wrapping_mul(3) ^ third.wrapping_mul(5) ^ (pair.0 * 2 + pair.1 as i32)
}

/// What only looks at them.
#[device]
fn looked_at(x: &[i32], n: usize) -> u32 {
    let (low, high) = x.split_at(n);
    let own = [x[0], x[1], x[2]];
    let mut bits = 0;
    for (i, test) in [
        x.contains(&(n as i32)),
        own.contains(&7),
        low.is_sorted(),
        high.is_sorted(),
        x.starts_with(low),
        x.ends_with(high),
        x.ends_with(&x[..n]),
        high.starts_with(&own),
        low == high,
        low != &x[..n],
        own == x[..3],
        own[..] == x[n..],
        x[..3] == own,
        own == [x[0], 2, x[2]],
        &own == &[1, 2, 3],
        (n, low.len()) == (high.len(), 4),
        [(1, 2.0)] == [(n as i32, 2.0_f32)],
        [[n; 2]; 2] == [[3; 2]; 2],
        [0.0, f32::NAN].contains(&f32::NAN),
        [1.0, f32::NAN, 0.5].is_sorted(),
        [0.0_f32] == [-0.0],
    ]
    .into_iter()
    .enumerate()
    {
        bits |= (test as u32) << i;
    }
    bits
}

#[kernel]
pub fn slice_method_values(x: &[i32], seeds: &[u32], digests: &mut [i32], bits: &mut [u32]) {
    let i = global_id(0);
    digests[i] = changed(x, seeds[i] as usize % 8);
    bits[i] = looked_at(x, seeds[i] as usize % 8);
}

/// Each work-item copies a part of its own.
#[kernel(requires(width >= 2))]
pub fn copy_rows(width: usize, x: &[u32], result: &mut [u32]) {
    let start = global_id(0) * width;
    result[start..start + width].copy_from_slice(&x[start..start + width]);
    result[start..][..2].reverse();
}

/// What changes nothing because it would be out of bounds.
#[kernel(requires(global_size(0) == 1))]
pub fn method_faults(form: u32, n: usize, x: &mut [u32]) {
    match form {
        0 => x.swap(n, 1),
        1 => x.swap(1, n),
        2 => x.rotate_left(n),
        3 => x.rotate_right(n),
        4 => x[1..].copy_from_slice(&[5, 6]),
        _ => {
            let (low, high) = x.split_at_mut(n);
            low.fill(7);
            high.fill(8);
        }
    }
}

fn fault_case(form: u32, n: usize, kind: FaultKind, values: [u64; 2]) -> Case {
    let methods =
        ["swap(n, 1)", "swap(1, n)", "rotate_left", "rotate_right", "copy_from_slice", "split_at_mut"];
    Case::of(&METHOD_FAULTS)
        .scalar(form)
        .scalar(n)
        .update(&[1_u32, 2, 3, 4], &[1_u32, 2, 3, 4])
        .items([1])
        .faults(ExpectedFault::new(kind).values(values).global_id([0; 3]).at(methods[form as usize]))
        .label(format!("form {form} with {n}"))
}

pub fn cases() -> Vec<Case> {
    use FaultKind::{CopyLengths, IndexOutOfBounds, RotateLeft, RotateRight, Split};
    let x = [1, 2, 3, 5, 4, 7, -1, 3];
    let seeds: Vec<u32> = (0..8).collect();
    let digests = map(&seeds, |seed| changed(&x, seed as usize));
    let bits = map(&seeds, |seed| looked_at(&x, seed as usize));
    let rows: Vec<u32> = (0..12).collect();
    let copied: Vec<u32> = rows.chunks_exact(4).flat_map(|row| [row[1], row[0], row[2], row[3]]).collect();
    vec![
        Case::of(&SLICE_METHOD_VALUES).input(&x).input(&seeds).output(&digests).output(&bits).items([8]),
        Case::of(&COPY_ROWS).scalar(4_usize).input(&rows).output(&copied).items([3]),
        fault_case(0, 4, IndexOutOfBounds, [4, 4]),
        fault_case(1, usize::MAX, IndexOutOfBounds, [u64::MAX, 4]),
        fault_case(2, 5, RotateLeft, [0, 0]),
        fault_case(3, 5, RotateRight, [0, 0]),
        fault_case(4, 0, CopyLengths, [2, 3]),
        fault_case(5, 5, Split, [0, 0]),
        Case::of(&METHOD_FAULTS)
            .scalar(5_u32)
            .scalar(1_usize)
            .update(&[1_u32, 2, 3, 4], &[7_u32, 8, 8, 8])
            .items([1])
            .label("split after the first element"),
    ]
}
