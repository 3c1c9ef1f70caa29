//! Local memory that is read before anybody has written it, which reads as zero.

use super::case::Case;
use kernel_runtime::atomic::{AtomicI64, AtomicU8, AtomicU32, Ordering};
use kernel_runtime::prelude::*;

/// Nobody writes it at all. What is read decides where control goes, and is an index.
#[kernel]
pub fn never_written(m: &[u32], y: &mut [u32]) {
    let t = Local::<[u32; 64]>::new();
    let g = global_id(0);
    let k = t[local_id(0)];
    if k < 4 {
        y[g] = m[k as usize];
    } else {
        y[g] = k;
    }
}

/// Groups with more work-items than there are elements: what each work-item has for itself is not there for all.
#[kernel]
pub fn fewer_than_work_items(short: &mut Local<[u32]>, beside: &mut Local<[u32]>, y: &mut [u32]) {
    let mut fixed = Local::<[u32; 4]>::new();
    let l = local_id(0);
    if l < beside.len() {
        beside[l] = 5;
    }
    barrier();
    if l < short.len() {
        short[l] = 7;
    }
    if l < 4 {
        fixed[l] = 9;
    }
    barrier();
    let first = if short.is_empty() { 0 } else { short[0] };
    y[global_id(0)] = beside[l] + first + fixed[l % 4];
}

/// Types of which not all bits are a value, and one with padding.
#[device]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Padded {
    flag: bool,
    number: u64,
    byte: u8,
}

#[kernel]
pub fn never_written_values(y: &mut [u32]) {
    let flags = Local::<[bool; 40]>::new();
    let padded = Local::<[[Padded; 3]; 5]>::new();
    let lanes = Local::<[u16x3; 7]>::new();
    let single = Local::<boolx4>::new();
    let letter = Local::<u8>::new();
    let (g, l) = (global_id(0), local_id(0));
    let one = padded[l % 5][l % 3];
    let mut sum = if flags[l] { 1 } else { 0 };
    sum += match (one.flag, *letter) {
        (false, 0) => 10,
        (false, _) => 20,
        (true, _) => 30,
    };
    sum += one.number as u32 + u32::from(one.byte) + u32::from(lanes[l % 7].reduce_sum());
    if single.any() {
        sum += 1000;
    }
    y[g] = sum;
}

/// Counters to which everybody adds at once.
#[kernel]
pub fn counted_from_nothing(counts: &mut [u32]) {
    let count = Local::<AtomicU32>::new();
    let bytes = Local::<[AtomicU8; 6]>::new();
    let greatest = Local::<[AtomicI64; 2]>::new();
    let l = local_id(0);
    count.fetch_add(1, Ordering::Relaxed);
    bytes[l % 6].fetch_add(2, Ordering::Relaxed);
    greatest[l % 2].fetch_max(l as i64 - 3, Ordering::Relaxed);
    barrier();
    let sum = bytes.iter().map(|byte| u32::from(byte.load(Ordering::Relaxed))).sum::<u32>();
    let greatest = greatest.iter().map(|one| one.load(Ordering::Relaxed)).sum::<i64>() as u32;
    counts[global_id(0)] = count.load(Ordering::Relaxed) + 100 * sum + 10_000 * greatest;
}

/// Memory whose length the launch says.
#[kernel]
pub fn never_written_arguments(
    numbers: &mut Local<[f32]>,
    bytes: &mut Local<[u8]>,
    padded: &mut Local<[Padded]>,
    counts: &Local<[AtomicU32]>,
    y: &mut [f32],
) {
    let mut sum = 1.0;
    for number in numbers.iter() {
        sum += number;
    }
    let bytes = bytes.iter().map(|byte| u32::from(*byte)).sum::<u32>();
    let flags = padded.iter().filter(|one| one.flag || one.byte != 0).count();
    let counts = counts.iter().map(|count| count.fetch_add(0, Ordering::Relaxed)).sum::<u32>();
    y[global_id(0)] = sum + (bytes + counts + flags as u32) as f32;
}

#[device]
fn add_up(tile: &mut Local<[u32; 24]>, from: usize) -> u32 {
    let sum = tile[from..].iter().sum();
    tile[from] += 1;
    sum
}

/// Work-items that are not there leave theirs out, and a function reads what they would have written.
#[kernel(group_size = [8, 2])]
pub fn written_in_part(x: &[u32], y: &mut [u32], n: usize) {
    let mut tile = Local::<[u32; 24]>::new();
    let (l, g) = (local_id(1) * 8 + local_id(0), global_id(1) * global_size(0) + global_id(0));
    if g < n {
        tile[l] = x[g];
    }
    barrier();
    let all = tile.iter().sum::<u32>();
    barrier();
    let own = if l == 0 { add_up(&mut tile, 16) + tile[16] } else { 0 };
    y[g] = all + 1000 * own;
}

/// The first pass reads what the passes after it have from the one before.
#[kernel(group_size = 16)]
pub fn carried_over(x: &[u32], y: &mut [u32], rounds: u32) {
    let mut carried = Local::<[u32; 16]>::new();
    let (l, g) = (local_id(0), global_id(0));
    let mut sum = 0;
    for round in 0..rounds {
        sum += carried[15 - l] * round + carried[15 - l];
        barrier();
        carried[l] = x[g] + round;
        barrier();
    }
    y[g] = sum;
}

/// A copy by the work-group into a part of it.
#[kernel]
pub fn copied_into_part(x: &[u16], y: &mut [u32]) {
    let mut tile = Local::<[u16; 32]>::new();
    work_group::copy(&mut tile[8..16], &x[..8]);
    y[global_id(0)] = tile.iter().map(|&number| u32::from(number)).sum();
}

/// A tile whose elements are only there within the matrix, and are read where another matrix says so.
#[kernel(group_size = [4, 4])]
pub fn turned_over(x: &[u32], y: &mut [u32], width: usize, height: usize) {
    let mut tile = Local::<[[u32; 5]; 4]>::new();
    let (column, row) = (global_id(0), global_id(1));
    if column < width && row < height && row * width + column < x.len() {
        tile[local_id(1)][local_id(0)] = x[row * width + column] + 1;
    }
    barrier();
    let number = (group_id(1) * num_groups(0) + group_id(0)) * 16 + local_id(1) * 4 + local_id(0);
    y[number] = tile[local_id(0)][local_id(1)];
}

pub fn cases() -> Vec<Case> {
    let m: Vec<u32> = (0..4).map(|k| 70 + k).collect();
    let x: Vec<u32> = (0..64).map(|k| k * 3 + 1).collect();
    let in_part = |n: usize| {
        let all = |group: usize| (0..64).filter(|&i| part_of(i) == group && i < n).map(|i| x[i]).sum::<u32>();
        let first = |i: usize| [0, 8].contains(&i);
        let y: Vec<u32> = (0..32).map(|i| all(part_of(i)) + if first(i) { 1000 } else { 0 }).collect();
        let case = Case::of(&WRITTEN_IN_PART).input(&x).output(&y).scalar(n);
        case.groups([2, 1], [8, 2]).label(format!("{n} elements"))
    };
    let carried = |rounds: u32| {
        let sum = |i: usize| (1..rounds).map(|round| (x[i ^ 15] + round - 1) * (round + 1)).sum::<u32>();
        let y: Vec<u32> = (0..32).map(sum).collect();
        let case = Case::of(&CARRIED_OVER).input(&x).output(&y).scalar(rounds);
        case.groups([2], [16]).label(format!("{rounds} rounds"))
    };
    let turned = |width: usize, height: usize, len: usize| {
        let cell = |i: usize| {
            let (column, row) = (i / 16 % 2 * 4 + i / 4 % 4, i / 32 * 4 + i % 4);
            let at = row * width + column;
            if column < width && row < height && at < len { x[at] + 1 } else { 0 }
        };
        let y: Vec<u32> = (0..64).map(cell).collect();
        let case = Case::of(&TURNED_OVER).input(&x[..len]).output(&y).scalar(width).scalar(height);
        case.groups([2, 2], [4, 4]).label(format!("{width} by {height}, {len}"))
    };
    let counts = |size: u32| {
        let sum = 2 * size * 100;
        let odd = if size > 1 { greatest(size, 1) } else { 0 };
        vec![size + sum + 10_000 * (greatest(size, 0) + odd); (2 * size) as usize]
    };
    let counted = |size: u32| {
        let case = Case::of(&COUNTED_FROM_NOTHING).output(&counts(size)).groups([2], [size]);
        case.label(format!("groups of {size}"))
    };
    let fewer = |len: usize| {
        let case = Case::of(&FEWER_THAN_WORK_ITEMS).local::<u32>(len).local::<u32>(16);
        let expected = if len == 0 { 14_u32 } else { 21 };
        case.output(&[expected; 32]).groups([2], [16]).label(format!("{len} elements"))
    };
    let arguments = |[numbers, bytes, padded, counts]: [usize; 4]| {
        let case = Case::of(&NEVER_WRITTEN_ARGUMENTS).local::<f32>(numbers).local::<u8>(bytes);
        let case = case.local::<Padded>(padded).local::<u32>(counts).output(&[1.0_f32; 24]);
        case.groups([2], [12]).label(format!("{numbers}, {bytes}, {padded}, {counts}"))
    };
    let halves: Vec<u16> = (0..8).map(|k| 9 * k + 2).collect();
    vec![
        Case::of(&NEVER_WRITTEN).input(&m).output(&[70_u32; 64]).groups([2], [32]),
        Case::of(&NEVER_WRITTEN).input(&m).output(&[70_u32; 3]).groups([3], [1]).label("groups of one"),
        Case::of(&NEVER_WRITTEN_VALUES).output(&[10_u32; 80]).groups([2], [40]),
        fewer(4),
        fewer(0),
        fewer(16),
        counted(1),
        counted(16),
        arguments([30, 7, 5, 3]),
        arguments([1, 100, 1, 40]),
        in_part(0),
        in_part(13),
        in_part(64),
        carried(1),
        carried(4),
        Case::of(&COPIED_INTO_PART)
            .input(&halves)
            .output(&[halves.iter().map(|&number| u32::from(number)).sum::<u32>(); 12])
            .groups([2], [6]),
        turned(8, 8, 64),
        turned(7, 5, 35),
        turned(7, 5, 20),
    ]
}

/// The group of an element of the launch of 16 by 2 work-items.
fn part_of(i: usize) -> usize {
    i % 16 / 8 + i / 32 * 2
}

/// The greatest of `l - 3` and zero, of all `l` below a size with a remainder by two.
fn greatest(size: u32, remainder: u32) -> u32 {
    (0..size).filter(|l| l % 2 == remainder).map(|l| l.saturating_sub(3)).max().unwrap_or(0)
}
