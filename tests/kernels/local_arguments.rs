//! Local memory whose length each launch chooses.

use super::case::{Case, ExpectedFault};
use kernel_runtime::FaultKind;
use kernel_runtime::atomic::{AtomicU8, AtomicU32, Ordering};
use kernel_runtime::prelude::*;

/// Each work-item takes what another one of its work-group put there.
#[kernel]
pub fn reversed_in_local_argument(x: &[u32], tile: &mut Local<[u32]>, result: &mut [u32]) {
    let l = local_id(0);
    tile[l] = x[global_id(0)];
    barrier();
    result[global_id(0)] = tile[local_size(0) - 1 - l];
}

/// The length is what the launch says, for each of several arguments; the kernel has a variable of its own besides.
#[kernel]
pub fn local_argument_lengths(
    bytes: &mut Local<[u8]>,
    lengths: &mut [usize],
    wide: &mut Local<[f64x4]>,
    none: &mut Local<[u16]>,
) {
    let mut own = Local::<[u8; 3]>::new();
    let i = global_id(0);
    if local_id(0) == 0 {
        for byte in bytes.iter_mut() {
            *byte = 7;
        }
        wide.fill(f64x4::splat(0.5));
        own[2] = 1;
    }
    barrier();
    let sum: usize = bytes.iter().map(|byte| *byte as usize).sum();
    let halves: f64 = wide.iter().map(|lanes| lanes.reduce_sum()).sum();
    lengths[i] = sum + 1000 * none.len() + 10_000 * halves as usize + own[2] as usize;
}

/// A pair in memory.
#[device]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Weighted {
    value: f32,
    weight: u8,
}

#[device]
fn best(of: &[Weighted]) -> f32 {
    let mut best = of[0];
    for one in of {
        if one.weight > best.weight {
            best = *one;
        }
    }
    best.value
}

/// Structs, arrays, a part that a device function takes, and one that changes its elements.
#[kernel]
pub fn local_arguments_of_structs(
    weighted: &mut Local<[Weighted]>,
    rows: &mut Local<[[i32; 3]]>,
    values: &mut [f32],
    sums: &mut [i32],
) {
    let (l, i) = (local_id(0), global_id(0));
    weighted[l] = Weighted { value: i as f32, weight: (i * 5 % 7) as u8 };
    rows[l] = [l as i32, 10, -(i as i32)];
    barrier();
    values[i] = best(&weighted[l..]);
    let row = &rows[rows.len() - 1 - l];
    sums[i] = row.iter().sum();
}

/// Doubles in place, as a device function that knows nothing of local memory.
#[device]
fn double(all: &mut [u32]) {
    for one in all {
        *one *= 2;
    }
}

#[kernel]
pub fn local_argument_passed_on(all: &mut Local<[u32]>, result: &mut [u32]) {
    if local_id(0) == 0 {
        all.fill(3);
        double(all);
        double(&mut all[1..]);
    }
    barrier();
    result[global_id(0)] = all[local_id(0)];
}

/// Atomics of 32 bits and such that are parts of as many.
#[kernel]
pub fn local_atomic_arguments(
    data: &[u32],
    counts: &Local<[AtomicU32]>,
    bytes: &Local<[AtomicU8]>,
    result: &mut [u32],
) {
    let l = local_id(0);
    if l == 0 {
        for count in counts.iter() {
            count.store(0, Ordering::Relaxed);
        }
        for byte in bytes.iter() {
            byte.store(200, Ordering::Relaxed);
        }
    }
    barrier();
    let bin = data[global_id(0)] as usize % counts.len();
    counts[bin].fetch_add(1, Ordering::Relaxed);
    bytes[bin].fetch_add(20, Ordering::Relaxed);
    barrier();
    result[global_id(0)] =
        counts[bin].load(Ordering::Relaxed) + 1000 * bytes[bin].load(Ordering::Relaxed) as u32;
}

/// An index that is not there is a fault, like that of a slice.
#[kernel]
pub fn local_argument_too_short(tile: &mut Local<[u32]>, result: &mut [u32]) {
    let i = global_id(0);
    tile[i] = 5;
    barrier();
    result[i] = tile.len() as u32;
}

#[kernel(T = [u8, i64])]
pub fn local_argument_of_any_type<T: Number>(x: &[T], tile: &mut Local<[T]>, result: &mut [T]) {
    let l = local_id(0);
    tile[l] = x[global_id(0)];
    barrier();
    result[global_id(0)] = tile[tile.len() - 1 - l] + tile[l];
}

fn counted(data: &[u32], group: usize, bins: usize) -> Vec<u32> {
    let groups = data.chunks(group);
    groups
        .flat_map(|part| {
            let count = move |bin: usize| part.iter().filter(|&&x| x as usize % bins == bin).count() as u32;
            part.iter().map(move |&x| {
                let count = count(x as usize % bins);
                count + 1000 * u32::from((200 + 20 * count) as u8)
            })
        })
        .collect()
}

fn best_from(i: usize, size: usize) -> f32 {
    let weight = |i: usize| i * 5 % 7;
    let end = i / size * size + size;
    let mut best = i;
    for other in i..end {
        if weight(other) > weight(best) {
            best = other;
        }
    }
    best as f32
}

pub fn cases() -> Vec<Case> {
    let x: Vec<u32> = (0..96).map(|k| k * k).collect();
    let reversed =
        |size: usize| x.chunks_exact(size).flat_map(|group| group.iter().rev().copied()).collect::<Vec<_>>();
    let reverse = |size: u32, len: usize| {
        let case = Case::of(&REVERSED_IN_LOCAL_ARGUMENT).input(&x).local::<u32>(len);
        case.output(&reversed(size as usize)).groups([96 / size], [size])
    };
    let lengths = |bytes: usize, wide: usize, none: usize| {
        let expected = [7 * bytes + 1000 * none + 20_000 * wide + 1; 6];
        let case = Case::of(&LOCAL_ARGUMENT_LENGTHS).local::<u8>(bytes).output(&expected);
        case.local::<f64x4>(wide)
            .local::<u16>(none)
            .groups([2], [3])
            .label(format!("{bytes}, {wide}, {none}"))
    };
    let structs = |groups: u32, size: u32| {
        let n = (groups * size) as usize;
        let values: Vec<f32> = (0..n).map(|i| best_from(i, size as usize)).collect();
        let row = |i: usize| {
            let size = size as usize;
            let other = i / size * size + size - 1 - i % size;
            (other % size) as i32 + 10 - other as i32
        };
        let sums: Vec<i32> = (0..n).map(row).collect();
        let case = Case::of(&LOCAL_ARGUMENTS_OF_STRUCTS).local::<Weighted>(size as usize);
        let case = case.local::<[i32; 3]>(size as usize).output(&values).output(&sums);
        case.groups([groups], [size]).label(format!("groups of {size}"))
    };
    let counts = |size: u32, bins: usize| {
        let case = Case::of(&LOCAL_ATOMIC_ARGUMENTS).input(&x).local::<u32>(bins).local::<u32>(bins);
        case.output(&counted(&x, size as usize, bins))
            .groups([96 / size], [size])
            .label(format!("{bins} bins"))
    };
    let bytes: Vec<u8> = (0..24).map(|k| k * 5).collect();
    let paired: Vec<u8> = (0..24_usize).map(|i| bytes[i] + bytes[i / 6 * 6 + 5 - i % 6]).collect();
    let longs: Vec<i64> = bytes.iter().map(|&b| i64::from(b) << 40).collect();
    let paired_longs: Vec<i64> = paired.iter().map(|&b| i64::from(b) << 40).collect();
    vec![
        reverse(32, 32),
        reverse(1, 1).label("groups of one"),
        reverse(6, 6).label("groups of six"),
        reverse(32, 100).label("more than is used"),
        lengths(5, 2, 0),
        lengths(1, 0, 3),
        lengths(0, 0, 0),
        lengths(1000, 9, 70),
        structs(3, 4),
        structs(1, 1),
        structs(2, 7),
        Case::of(&LOCAL_ARGUMENT_PASSED_ON).local::<u32>(4).output(&[6_u32, 12, 12, 12]).groups([1], [4]),
        counts(32, 7),
        counts(48, 1),
        Case::of(&LOCAL_ARGUMENT_OF_ANY_TYPE_U8)
            .input(&bytes)
            .local::<u8>(6)
            .output(&paired)
            .groups([4], [6]),
        Case::of(&LOCAL_ARGUMENT_OF_ANY_TYPE_I64)
            .input(&longs)
            .local::<i64>(6)
            .output(&paired_longs)
            .groups([4], [6]),
        Case::of(&LOCAL_ARGUMENT_TOO_SHORT).local::<u32>(3).output(&[3_u32; 4]).groups([1], [4]).faults(
            ExpectedFault::new(FaultKind::IndexOutOfBounds).values([3, 3]).global_id([3, 0, 0]).at("tile[i]"),
        ),
        Case::of(&LOCAL_ARGUMENT_TOO_SHORT)
            .local::<u32>(0)
            .output(&[0_u32; 2])
            .groups([1], [2])
            .label("none")
            .faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).count(2).at("tile[i]")),
    ]
}
