//! What a work-group copies together, and what it does meanwhile.

use super::case::{Case, ExpectedFault};
use kernel_runtime::prelude::*;
use kernel_runtime::{Element, FaultKind};

/// Each work-item takes what another one may have copied.
#[kernel(T = [u8, i8, u16, i32, u32, i64, usize, f16, bf16, f32, f64, bool, u8x2, i16x4, u32x3, f32x4, f32x8, u8x16, f64x2])]
pub fn copied_in<T: Copy>(x: &[T], tile: &mut Local<[T]>, y: &mut [T]) {
    let len = tile.len();
    let start = group_id(0) * len;
    work_group::copy(tile, &x[start..start + len]);
    for position in (local_id(0)..len).step_by(local_size(0)) {
        y[start + position] = tile[len - 1 - position];
    }
}

#[kernel(T = [u8, u32, f32, u64, u32x3, u32x4])]
pub fn copied_out<T: Copy>(x: &[T], tile: &mut Local<[T]>, y: &mut [T]) {
    let len = tile.len();
    let start = group_id(0) * len;
    for position in (local_id(0)..len).step_by(local_size(0)) {
        tile[len - 1 - position] = x[start + position];
    }
    barrier();
    work_group::copy(&mut y[start..start + len], tile);
}

/// A column of a matrix whose rows have `width` elements becomes a row of one that is transposed, as does one that is reversed.
#[kernel(T = [u8, f32, u32x3, i16x4], unsafe(races(z)))]
pub fn gathered_and_scattered<T: Copy>(
    x: &[T],
    width: usize,
    tile: &mut Local<[T]>,
    y: &mut [T],
    z: &mut [T],
) {
    let height = tile.len();
    let column = group_id(0);
    work_group::gather(tile, &x[column..], width);
    work_group::copy(&mut y[column * height..(column + 1) * height], tile);
    work_group::scatter(&mut z[width - 1 - column..], tile, width);
}

/// Sums up one tile while the next is loaded.
#[kernel(group_size = 16)]
pub fn copied_while_summing(x: &[f32], sums: &mut [f32]) {
    let mut one = Local::<[f32; 32]>::new();
    let mut other = Local::<[f32; 32]>::new();
    let tiles = x.len() / 64;
    let mut sum = 0.0;
    work_group::copy(&mut one[..], &x[..32]);
    for pair in 0..tiles {
        let (middle, end) = (pair * 64 + 32, pair * 64 + 64);
        sum += work_group::copy_while(&mut other[..], &x[middle..end], || {
            one[local_id(0)] + one[local_id(0) + 16]
        });
        barrier();
        let next = if pair + 1 < tiles { end } else { 0 };
        work_group::copy_while(&mut one[..], &x[next..next + 32], || {
            sum += other[local_id(0)];
            sum += other[31 - local_id(0)];
        });
        barrier();
    }
    sums[global_id(0)] = sum;
}

#[device]
fn weight(i: usize) -> u32 {
    if i % 2 == 0 {
        return 3;
    }
    1
}

/// Two copies at a time, in both directions, with a barrier of their own meanwhile.
#[kernel(group_size = [4, 2])]
pub fn two_copies_at_a_time(x: &[u32], y: &mut [u32], z: &mut [u32], weights: &mut [u32]) {
    let mut loaded = Local::<[u32; 24]>::new();
    let mut made = Local::<[u32; 8]>::new();
    let mut shared = Local::<[u32; 8]>::new();
    let l = work_group::local_linear_id();
    let start = (group_id(1) * num_groups(0) + group_id(0)) * 8;
    made[l] = x[l] + 1;
    barrier();
    let weight = work_group::gather_while(&mut loaded[..], x, 2, || {
        work_group::scatter_while(&mut y[start * 3..start * 3 + 22], &made[..], 3, || {
            shared[l] = weight(l);
            barrier();
            shared[7 - l]
        })
    });
    z[start + l] = loaded[23 - l];
    weights[start + l] = weight;
}

/// A pair in memory.
#[device]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pair {
    number: u32,
    byte: u8,
}

#[device]
static TABLE: [u16; 40] = [7; 40];

/// What there is no instruction for: other kinds of memory, and elements that are neither numbers nor vectors.
#[kernel]
pub fn copied_by_shares(
    x: &[u32],
    bytes: &[u8],
    pairs: &mut Local<[[u8; 3]]>,
    y: &mut [u32],
    z: &mut [u32],
    odd: &mut [u8],
) {
    let mut tile = Local::<[u32; 40]>::new();
    let mut same = Local::<[u32; 40]>::new();
    let mut structs = Local::<[Pair; 40]>::new();
    let mut more = Local::<[Pair; 20]>::new();
    let mut table = Local::<[u16; 40]>::new();
    let (first, len) = (group_id(0) * 40, 40);
    // From one buffer to another.
    work_group::copy(&mut y[first..first + len], &x[..len]);
    work_group::copy(&mut tile[..], &x[1..41]);
    // From local memory to local memory, and with a stride there.
    work_group::copy_while(&mut same[..], &tile[..], || ());
    work_group::gather(&mut z[first..first + 20], &same[..], 2);
    work_group::scatter(&mut tile[..], &x[50..60], 4);
    work_group::copy(&mut z[first + 20..first + 40], &tile[..20]);
    // From a table.
    work_group::copy(&mut table[..], &TABLE);
    for k in (local_id(0)..40).step_by(local_size(0)) {
        structs[k] = Pair { number: x[k], byte: table[k] as u8 };
    }
    barrier();
    work_group::gather(&mut more[..], &structs[1..], 2);
    for k in (local_id(0)..20).step_by(local_size(0)) {
        odd[group_id(0) * 20 + k] = (more[k].number as u8) ^ more[k].byte;
    }
    for k in (local_id(0)..pairs.len()).step_by(local_size(0)) {
        pairs[k] = [bytes[k], 1, 2];
    }
}

/// Copies where all of the work-group come, but not all work-groups.
#[kernel]
pub fn copied_by_some_groups(x: &[i32], y: &mut [i32]) {
    let mut tile = Local::<[i32; 12]>::new();
    let start = group_id(0) * 12;
    if group_id(0) % 2 == 1 {
        for part in 0..3 {
            work_group::copy(&mut tile[part * 4..part * 4 + 4], &x[start + part * 4..][..4]);
        }
        work_group::copy(&mut y[start..start + 12], &tile[..]);
    }
}

/// Nothing is copied where it is not all there.
#[kernel(unsafe(races(tile)))]
pub fn copied_too_much(x: &[u32], tile: &mut Local<[u32]>, stride: usize, y: &mut [u32]) {
    for element in tile.iter_mut() {
        *element = 9;
    }
    barrier();
    if stride == 1 {
        work_group::copy(tile, x);
    } else {
        work_group::gather(tile, x, stride);
    }
    y[global_id(0)] = tile.iter().sum();
}

#[kernel(unsafe(races(tile, y)))]
pub fn scattered_too_far(tile: &mut Local<[u32]>, stride: usize, y: &mut [u32]) {
    for element in tile.iter_mut() {
        *element = 9;
    }
    barrier();
    work_group::scatter(y, tile, stride);
}

fn reversed<T: Copy>(x: &[T], len: usize) -> Vec<T> {
    let mut all = Vec::new();
    for part in x.chunks(len.max(1)) {
        all.extend(part.iter().rev());
    }
    all
}

fn copies<T: Element>(descriptor: &'static kernel_core::KernelDescriptor, of: fn(u8) -> T) -> Vec<Case> {
    let sizes =
        [(24, 8, 8), (24, 24, 8), (21, 7, 3), (80, 40, 16), (6, 1, 4), (3, 1, 1), (66, 33, 64), (0, 0, 2)];
    let case = |(len, tile, group): (u8, usize, u32)| {
        let x: Vec<T> = (0..len).map(of).collect();
        let groups = (x.len() / tile.max(1)).max(1) as u32;
        let case = Case::of(descriptor).input(&x).local::<T>(tile).output(&reversed(&x, tile));
        case.groups([groups], [group]).label(format!("{len} by {tile} in groups of {group}"))
    };
    sizes.into_iter().map(case).collect()
}

fn matrices<T: Element>(descriptor: &'static kernel_core::KernelDescriptor, of: fn(u8) -> T) -> Vec<Case> {
    let case = |(width, height, group): (usize, usize, u32)| {
        let x: Vec<T> = (0..width * height).map(|k| of(k as u8)).collect();
        let at = |row: usize, column: usize| x[row * width + column];
        let y: Vec<T> = (0..width * height).map(|k| at(k % height, k / height)).collect();
        let z: Vec<T> = (0..width * height).map(|k| at(k / width, width - 1 - k % width)).collect();
        let case = Case::of(descriptor).input(&x).scalar(width).local::<T>(height).output(&y).output(&z);
        case.groups([width as u32], [group]).label(format!("{width} by {height} in groups of {group}"))
    };
    [(5, 7, 4), (16, 16, 16), (1, 9, 3), (9, 1, 8), (3, 40, 32), (2, 33, 1)].into_iter().map(case).collect()
}

fn summed(x: &[f32]) -> Vec<f32> {
    let own =
        |l: usize| x.chunks(64).map(move |part| part[l] + part[l + 16] + part[32 + l] + part[63 - l]).sum();
    (0..16).map(own).collect()
}

fn several() -> Vec<Case> {
    let floats: Vec<f32> = (0..192).map(|k| (k * k % 31) as f32).collect();
    let x: Vec<u32> = (0..60).map(|k| k * 7 + 1).collect();
    let groups = 6;
    let mut y = vec![0_u32; groups * 24];
    for (position, y) in y.iter_mut().enumerate() {
        if position % 3 == 0 {
            *y = x[position / 3 % 8] + 1;
        }
    }
    let z: Vec<u32> = (0..groups * 8).map(|k| x[(23 - k % 8) * 2]).collect();
    let weights: Vec<u32> = (0..groups * 8).map(|k| if k % 2 == 0 { 1 } else { 3 }).collect();
    let bytes = [1_u8, 2, 3, 4];
    let mut by_shares = Vec::new();
    for (groups, size) in [(1, 1), (2, 16), (3, 5), (2, 64)] {
        let mut strided: Vec<u32> = x[1..41].to_vec();
        for k in 0..10 {
            strided[4 * k] = x[50 + k];
        }
        let z: Vec<u32> = x[1..41].iter().step_by(2).chain(&strided[..20]).copied().collect();
        let odd: Vec<u8> = (0..20).map(|k| x[2 * k + 1] as u8 ^ 7).collect();
        let case = Case::of(&COPIED_BY_SHARES).input(&x).input(&bytes).local::<[u8; 3]>(4);
        let case = case.output(&x[..40].repeat(groups)).output(&z.repeat(groups)).output(&odd.repeat(groups));
        by_shares.push(case.groups([groups as u32], [size]).label(format!("{groups} groups of {size}")));
    }
    let numbers: Vec<i32> = (1..=60).collect();
    let some: Vec<i32> = numbers.iter().map(|&n| if (n - 1) / 12 % 2 == 1 { n } else { 0 }).collect();
    let some_groups = |size: u32| {
        Case::of(&COPIED_BY_SOME_GROUPS).input(&numbers).update(&[0; 60], &some).groups([5], [size])
    };
    by_shares.extend([
        Case::of(&COPIED_WHILE_SUMMING).input(&floats).output(&summed(&floats)).groups([1], [16]),
        Case::of(&COPIED_WHILE_SUMMING)
            .input(&floats[..64])
            .output(&summed(&floats[..64]).repeat(3))
            .groups([3], [16])
            .label("one tile"),
        Case::of(&TWO_COPIES_AT_A_TIME)
            .input(&x)
            .update(&vec![0; y.len()], &y)
            .output(&z)
            .output(&weights)
            .groups([2, 3], [4, 2]),
        some_groups(1),
        some_groups(4).label("groups of four"),
        some_groups(33).label("groups of 33"),
    ]);
    by_shares
}

fn faults() -> Vec<Case> {
    let too_much = |len: usize, stride: usize, sum: u32| {
        let x = vec![1_u32; 10];
        let case = Case::of(&COPIED_TOO_MUCH).input(&x).local::<u32>(len).scalar(stride).output(&[sum; 4]);
        let case = case.groups([1], [4]).label(format!("{len} by {stride}"));
        if len == 0 { case } else { case.races() }
    };
    let fault = |kind: FaultKind| ExpectedFault::new(kind).count(4);
    let gather = |kind: FaultKind| fault(kind).at("work_group::gather");
    vec![
        too_much(10, 1, 10),
        too_much(9, 1, 81).faults(fault(FaultKind::CopyLengths).values([10, 9]).at("work_group::copy")),
        too_much(11, 1, 99).faults(fault(FaultKind::CopyLengths).values([10, 11]).at("work_group::copy")),
        too_much(5, 2, 5),
        too_much(4, 3, 4),
        too_much(1, 10, 1),
        too_much(1, usize::MAX, 1),
        too_much(0, usize::MAX, 0),
        too_much(5, 3, 45).faults(gather(FaultKind::IndexOutOfBounds).values([12, 10])),
        too_much(6, 2, 54).faults(gather(FaultKind::IndexOutOfBounds).values([10, 10])),
        too_much(3, 1 << 63, 27).faults(gather(FaultKind::IndexOutOfBounds).values([0, 10])),
        too_much(5, 0, 45).faults(gather(FaultKind::ZeroStep)),
        Case::of(&SCATTERED_TOO_FAR)
            .local::<u32>(3)
            .scalar(2_usize)
            .update(&[0_u32; 6], &[9, 0, 9, 0, 9, 0])
            .groups([1], [4])
            .races(),
        Case::of(&SCATTERED_TOO_FAR)
            .local::<u32>(3)
            .scalar(3_usize)
            .update(&[1_u32; 6], &[1; 6])
            .groups([1], [4])
            .label("too far")
            .races()
            .faults(fault(FaultKind::IndexOutOfBounds).values([6, 6]).at("work_group::scatter")),
    ]
}

pub fn cases() -> Vec<Case> {
    let mut cases = several();
    cases.extend(faults());
    cases.extend(copies(&COPIED_IN_U8, |k| k));
    cases.extend(copies(&COPIED_IN_I8, |k| k as i8));
    cases.extend(copies(&COPIED_IN_U16, |k| u16::from(k) << 7));
    cases.extend(copies(&COPIED_IN_I32, |k| -i32::from(k)));
    cases.extend(copies(&COPIED_IN_U32, |k| u32::from(k) << 20));
    cases.extend(copies(&COPIED_IN_I64, |k| -(i64::from(k) << 40)));
    cases.extend(copies(&COPIED_IN_USIZE, |k| usize::from(k) << 40));
    cases.extend(copies(&COPIED_IN_F16, |k| f16::from_f32(f32::from(k))));
    cases.extend(copies(&COPIED_IN_BF16, |k| bf16::from_f32(f32::from(k))));
    cases.extend(copies(&COPIED_IN_F32, f32::from));
    cases.extend(copies(&COPIED_IN_F64, f64::from));
    cases.extend(copies(&COPIED_IN_BOOL, |k| k % 3 == 0));
    cases.extend(copies(&COPIED_IN_U8X2, |k| u8x2::from_array([k, 1])));
    cases.extend(copies(&COPIED_IN_I16X4, |k| i16x4::from_array([k.into(), 1, 2, 3])));
    cases.extend(copies(&COPIED_IN_U32X3, |k| u32x3::from_array([k.into(), 1, 2])));
    cases.extend(copies(&COPIED_IN_F32X4, |k| f32x4::from_array([k.into(), 1.0, 2.0, 3.0])));
    cases.extend(copies(&COPIED_IN_F32X8, |k| f32x8::splat(k.into())));
    cases.extend(copies(&COPIED_IN_U8X16, |k| u8x16::splat(k)));
    cases.extend(copies(&COPIED_IN_F64X2, |k| f64x2::from_array([k.into(), 0.5])));
    cases.extend(copies(&COPIED_OUT_U8, |k| k));
    cases.extend(copies(&COPIED_OUT_U32, |k| u32::from(k) << 20));
    cases.extend(copies(&COPIED_OUT_F32, f32::from));
    cases.extend(copies(&COPIED_OUT_U64, |k| u64::from(k) << 50));
    cases.extend(copies(&COPIED_OUT_U32X3, |k| u32x3::from_array([k.into(), 1, 2])));
    cases.extend(copies(&COPIED_OUT_U32X4, |k| u32x4::from_array([k.into(), 1, 2, 3])));
    cases.extend(matrices(&GATHERED_AND_SCATTERED_U8, |k| k));
    cases.extend(matrices(&GATHERED_AND_SCATTERED_F32, f32::from));
    cases.extend(matrices(&GATHERED_AND_SCATTERED_U32X3, |k| u32x3::from_array([k.into(), 1, 2])));
    cases.extend(matrices(&GATHERED_AND_SCATTERED_I16X4, |k| i16x4::from_array([k.into(), 1, 2, 3])));
    cases
}
