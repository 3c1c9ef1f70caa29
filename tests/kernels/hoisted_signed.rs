//! Checks that the host makes for the whole launch, of indices that are computed in signed numbers, of parts of slices, of groups whose size the launch
//! says, of images and of panics.

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// Signed indices: that they are not negative and do not wrap is for the launch to say.
#[kernel]
pub fn signed(x: &[u32], y: &mut [u32], n: i32, dim: i32) {
    let i = global_id(0) as i32;
    if i < n {
        let mut sum = 0;
        for d in 0..dim {
            sum += x[(i * dim + d) as usize];
        }
        y[i as usize] = sum;
    }
}

/// A row of a torus.
#[kernel]
pub fn wrapped(x: &[u32], y: &mut [u32], n: i32) {
    let i = global_id(0) as i32;
    let mut sum = 0;
    for d in -1..=1 {
        sum = sum * 10 + x[((i + d + n) % n) as usize];
    }
    y[i as usize] = sum;
}

/// Neighbours at the edge are the edge.
#[kernel]
pub fn clamped(x: &[u32], y: &mut [u32], w: i32) {
    let i = global_id(0) as i32;
    if i < w {
        let mut sum = 0;
        for d in -1..=1 {
            sum = sum * 10 + x[(i + d).clamp(0, w - 1) as usize];
        }
        y[i as usize] = sum;
    }
}

/// From the other end.
#[kernel(overflow = "wrap")]
pub fn reversed(x: &[u32], y: &mut [u32]) {
    y[global_id(0)] = x[x.len() - 1 - global_id(0)];
}

/// A part of a slice has its length.
#[kernel]
pub fn rows(x: &[u32], y: &mut [u32], cols: usize) {
    let r = global_id(0);
    let row = &x[r * cols..(r + 1) * cols];
    let mut sum = 0;
    for c in 0..cols {
        sum += row[c];
    }
    y[r] = sum;
}

/// A part of a slice becomes an array.
#[kernel]
pub fn blocks(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let block: [u32; 4] = x[i * 4..i * 4 + 4].try_into().unwrap();
    y[i] = block[0] + block[3];
}

/// The launch says how large a group is.
#[kernel]
pub fn by_groups(x: &[u32], partial: &mut [u32], tile: &mut Local<[u32]>) {
    let l = local_id(0);
    tile[l] = x[global_id(0)];
    barrier();
    if l == 0 {
        partial[group_id(0)] = tile[0] + tile[local_size(0) - 1];
    }
}

/// What the author asserts is asked of the launch too.
#[kernel]
pub fn asserted(x: &[u32], y: &mut [u32], n: usize) {
    assert!(n > 1, "n is {n}");
    if n > 100 {
        panic!("too many");
    }
    y[global_id(0)] = x[global_id(0) / n];
}

/// `^` stays below a power of two.
#[kernel]
pub fn partners(x: &[u32], y: &mut [u32], j: u32) {
    let i = global_id(0) as u32;
    y[i as usize] = x[(i ^ j) as usize];
}

/// Each sum is checked.
#[kernel(overflow = "check")]
pub fn checked_sums(x: &[u32], y: &mut [u32], n: usize, m: usize) {
    let i = global_id(0);
    y[i] = x[i * n + m - 1];
}

/// Texels have places too.
#[kernel]
pub fn texels(image: &mut Image2d<f32, WriteOnly>) {
    image.write((global_id(0), global_id(1)), f32x4::splat((global_id(0) + 10 * global_id(1)) as f32));
}

pub(super) fn numbers(count: usize) -> Vec<u32> {
    (0..count as u32).map(|k| k % 7 + 1).collect()
}

/// A launch that meets all conditions of its kernel, which is executed without checks and with them.
#[track_caller]
pub(super) fn met(case: Case) -> Case {
    assert_eq!(case.entry_points().len(), 2, "{}, {}", case.kernel.name, case.origin());
    case
}

/// A launch that does not, and in which no check fails.
#[track_caller]
pub(super) fn unmet(case: Case) -> Case {
    assert_eq!(case.entry_points().len(), 1, "{}, {}", case.kernel.name, case.origin());
    case.label("unmet")
}

pub(super) fn outside(count: u32, at: &'static str) -> ExpectedFault {
    ExpectedFault::new(FaultKind::IndexOutOfBounds).count(count).at(at)
}

fn signed_cases() -> Vec<Case> {
    let x = numbers(12);
    let sums: Vec<u32> = x.chunks(3).map(|row| row.iter().sum()).collect();
    let cut =
        Case::of(&SIGNED).input(&x[..11]).output(&sums).unwritten([3]).scalar(4_i32).scalar(3_i32).items([5]);
    vec![
        met(Case::of(&SIGNED).input(&x).output(&sums).scalar(4_i32).scalar(3_i32).items([5])),
        unmet(cut).faults(outside(1, "x[(i * dim + d) as usize]")),
        // A product that wraps would be less than nothing.
        unmet(
            Case::of(&SIGNED)
                .input(&x)
                .output(&[0_u32])
                .unwritten([0])
                .scalar(1_i32)
                .scalar(i32::MAX)
                .items([1]),
        )
        .faults(outside(1, "x[(i * dim + d) as usize]")),
    ]
}

fn neighbours(x: &[u32], place: impl Fn(i32) -> usize) -> Vec<u32> {
    let sum = |i: i32| (-1..=1).fold(0, |sum, d| sum * 10 + x[place(i + d)]);
    (0..x.len() as i32).map(sum).collect()
}

fn edge_cases() -> Vec<Case> {
    let x = numbers(6);
    let torus = neighbours(&x, |i| i.rem_euclid(6) as usize);
    let edges = neighbours(&x, |i| i.clamp(0, 5) as usize);
    let cut = |values: &[u32], bad: &[usize]| -> Vec<u32> {
        values.iter().enumerate().map(|(i, value)| if bad.contains(&i) { 0 } else { *value }).collect()
    };
    vec![
        met(Case::of(&WRAPPED).input(&x).output(&torus).scalar(6_i32).items([6])),
        unmet(
            Case::of(&WRAPPED)
                .input(&x[..5])
                .output(&cut(&torus, &[0, 4, 5]))
                .unwritten([0, 4, 5])
                .scalar(6_i32)
                .items([6]),
        )
        .faults(outside(3, "x[((i + d + n) % n) as usize]")),
        unmet(Case::of(&WRAPPED).input(&x).output(&[0_u32; 2]).unwritten([0, 1]).scalar(0_i32).items([2]))
            .faults(ExpectedFault::new(FaultKind::RemainderByZero).count(2).at("((i + d + n) % n")),
        met(Case::of(&CLAMPED).input(&x).output(&edges).scalar(6_i32).items([8])),
        unmet(
            Case::of(&CLAMPED)
                .input(&x[..5])
                .output(&cut(&edges, &[4, 5]))
                .unwritten([4, 5])
                .scalar(6_i32)
                .items([8]),
        )
        .faults(outside(2, "x[(i + d).clamp(0, w - 1) as usize]")),
        met(Case::of(&REVERSED).input(&x).output(&[x[5], x[4]]).items([2])),
        unmet(Case::of(&REVERSED).input(&x[..2]).output(&[x[1], x[0], 0]).unwritten([2]).items([3]))
            .faults(outside(1, "x[x.len() - 1 - global_id(0)]")),
    ]
}

fn part_cases() -> Vec<Case> {
    let x = numbers(12);
    let sums: Vec<u32> = x.chunks(3).map(|row| row.iter().sum()).collect();
    let ends: Vec<u32> = x.chunks(4).map(|block| block[0] + block[3]).collect();
    let end = || ExpectedFault::new(FaultKind::RangeEnd).count(1);
    vec![
        met(Case::of(&ROWS).input(&x).output(&sums).scalar(3_usize).items([4])),
        unmet(
            Case::of(&ROWS)
                .input(&x[..11])
                .output(&[sums[0], sums[1], sums[2], 0])
                .unwritten([3])
                .scalar(3_usize)
                .items([4]),
        )
        .faults(end()),
        met(Case::of(&BLOCKS).input(&x).output(&ends).items([3])),
        unmet(Case::of(&BLOCKS).input(&x[..11]).output(&[ends[0], ends[1], 0]).unwritten([2]).items([3]))
            .faults(end()),
    ]
}

fn group_cases() -> Vec<Case> {
    let x = numbers(12);
    let sums: Vec<u32> = x.chunks(4).map(|group| group[0] + group[3]).collect();
    let case = |partial: &[u32], tile: usize| {
        Case::of(&BY_GROUPS).input(&x).output(partial).local::<u32>(tile).groups([3], [4])
    };
    vec![
        met(case(&sums, 4)),
        met(case(&sums, 9)),
        unmet(case(&sums[..2], 4)).faults(outside(1, "partial[group_id(0)]")),
    ]
}

fn assertion_cases() -> Vec<Case> {
    let x = numbers(4);
    let halves: Vec<u32> = (0..8).map(|i| x[i / 2]).collect();
    let case =
        |n: usize| Case::of(&ASSERTED).input(&x).output(&[0_u32; 8]).unwritten(0..8).scalar(n).items([8]);
    vec![
        met(Case::of(&ASSERTED).input(&x).output(&halves).scalar(2_usize).items([8])),
        unmet(case(1)).faults(ExpectedFault::new(FaultKind::Panic).count(8).message("n is 1")),
        unmet(case(101)).faults(ExpectedFault::new(FaultKind::Panic).count(8).message("too many")),
    ]
}

fn other_cases() -> Vec<Case> {
    let x = numbers(8);
    let partners: Vec<u32> = (0..8).map(|i| x[i ^ 3]).collect();
    let sums = |n: usize, m: usize| (0..3).map(|i| x[i * n + m - 1]).collect::<Vec<u32>>();
    vec![
        met(Case::of(&PARTNERS).input(&x).output(&partners).scalar(3_u32).items([8])),
        unmet(
            Case::of(&PARTNERS)
                .input(&x[..4])
                .output(&partners[..4])
                .unwritten(0..4)
                .scalar(4_u32)
                .items([4]),
        )
        .faults(outside(4, "x[(i ^ j) as usize]")),
        met(Case::of(&CHECKED_SUMS).input(&x).output(&sums(3, 2)).scalar(3_usize).scalar(2_usize).items([3])),
        unmet(
            Case::of(&CHECKED_SUMS)
                .input(&x)
                .output(&[0_u32])
                .unwritten([0])
                .scalar(3_usize)
                .scalar(0_usize)
                .items([1]),
        )
        .faults(ExpectedFault::new(FaultKind::SubtractionOverflow).count(1)),
    ]
}

fn texel_case(size: (usize, usize), items: [usize; 2]) -> Case {
    const FORMAT: ImageFormat = ImageFormat::new(ChannelOrder::Rgba, ChannelType::Float32);
    let texel = |x: usize, y: usize| if x < items[0] && y < items[1] { (x + 10 * y) as f32 } else { 0.0 };
    let bytes = |value: &dyn Fn(usize, usize) -> f32| -> Vec<u8> {
        let places = (0..size.1).flat_map(|y| (0..size.0).map(move |x| (x, y)));
        places.flat_map(|(x, y)| [value(x, y); 4].map(f32::to_le_bytes).concat()).collect()
    };
    let before: Image2d<f32, WriteOnly> = Image2d::from_bytes(FORMAT, size, &bytes(&|_, _| 0.0));
    let after: Image2d<f32, WriteOnly> = Image2d::from_bytes(FORMAT, size, &bytes(&texel));
    Case::of(&TEXELS).image_update(&before, &after).items(items)
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    cases.extend(signed_cases());
    cases.extend(edge_cases());
    cases.extend(part_cases());
    cases.extend(group_cases());
    cases.extend(assertion_cases());
    cases.extend(other_cases());
    cases.push(met(texel_case((3, 2), [3, 2])));
    cases.push(
        unmet(texel_case((3, 2), [4, 2])).faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).count(2)),
    );
    cases
}
