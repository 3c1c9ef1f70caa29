//! Structs with `#[repr(C, align(..))]`: in buffers, by value, nested, in local memory, behind raw pointers, in generic types.

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// Padded at the end.
#[device]
#[repr(C, align(16))]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    x: f32,
    y: f32,
    z: f32,
}

/// Padded at the end by most of it.
#[device]
#[repr(C)]
#[repr(align(0x40))]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Line(u8);

/// As many bytes as the alignment.
#[device]
#[repr(align(8), C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Full {
    low: u32,
    high: u32,
}

/// Less than its fields have anyway.
#[device]
#[repr(C, align(2))]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Less {
    flag: bool,
    wide: u64,
}

/// Padded before the fields that are aligned, and after them.
#[device]
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Holder {
    tag: u8,
    point: Point,
    lines: [Line; 2],
    flag: bool,
    full: Full,
    less: Less,
    last: u16,
}

/// Aligned more than what is aligned in it.
#[device]
#[repr(C, align(128))]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Widest {
    byte: i8,
    points: [Point; 3],
    lanes: f32x3,
    tail: i16,
}

#[device]
#[repr(C, align(32))]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cell<T, const N: usize> {
    key: u8,
    values: [T; N],
}

/// Each leads to the next.
#[device]
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct Node {
    value: u16,
    next: *const Node,
}

#[device]
fn scaled(point: Point, by: f32) -> Point {
    Point { x: point.x * by, z: point.y + point.z, ..point }
}

#[kernel]
pub fn aligned_points(points: &[Point], first: &Point, out: &mut [Point]) {
    let i = global_id(0);
    out[i] = scaled(points[i], first.x);
    out[i].y += i as f32;
}

#[device]
fn moved(mut holder: Holder, i: usize) -> Holder {
    holder.tag = holder.tag.wrapping_add(i as u8);
    holder.point = scaled(holder.point, 2.0);
    holder.lines[i % 2] = Line(holder.lines[1].0 ^ 0x55);
    holder.flag = !holder.flag;
    holder.full.high -= holder.full.low;
    Holder { less: Less { wide: holder.less.wide << 1, ..holder.less }, last: holder.last + 1, ..holder }
}

#[kernel]
pub fn aligned_holders(holders: &mut [Holder]) {
    let i = global_id(0);
    let holder = holders[i];
    holders[i] = moved(holder, i);
}

#[device]
fn total(widest: &Widest, i: usize) -> f32 {
    let point = widest.points[i % 3];
    let lane = widest.lanes[i % 3];
    widest.byte as f32 + point.x - point.y * point.z + lane + widest.tail as f32
}

#[kernel]
pub fn aligned_arguments(
    holder: Holder,
    widest: Widest,
    line: Line,
    cells: [Cell<u16, 3>; 2],
    out: &mut [f32],
) {
    let i = global_id(0);
    let cell = cells[i % 2];
    out[i] = total(&widest, i) + holder.point.z + holder.last as f32 + line.0 as f32;
    out[i] += cell.key as f32 * cell.values[i % 3] as f32 + holder.lines[(i + 1) % 2].0 as f32;
}

#[kernel]
pub fn aligned_widest(widest: &[Widest], out: &mut [Widest]) {
    let i = global_id(0);
    out[i] = widest[widest.len() - 1 - i];
    out[i].points[i % 3].y = total(&widest[i], i);
}

#[kernel(T = [u8, f64])]
pub fn aligned_cells<T: Number>(cells: &[Cell<T, 5>], rows: &mut [[Cell<T, 5>; 2]]) {
    let i = global_id(0);
    let mut cell = cells[i];
    cell.values.reverse();
    rows[i] = [cells[i], cell];
    rows[i][0].key += 1;
}

#[kernel(group_size = [8])]
pub fn aligned_local(points: &[Point], sums: &mut [Point], lines: &mut [u8]) {
    let mut tile = Local::<[Point; 8]>::new();
    let mut between = Local::<[u8; 3]>::new();
    let mut marks = Local::<[Widest; 2]>::new();
    let (l, i) = (local_id(0), global_id(0));
    tile[l] = points[i];
    if l < 2 {
        marks[l].points[l + 1] = points[i];
        marks[l].tail = l as i16 + 5;
    }
    if l < 3 {
        between[l] = l as u8 + 1;
    }
    barrier();
    let (other, mark) = (tile[7 - l], marks[l % 2].points[l % 2 + 1]);
    sums[i] = Point { x: tile[l].x + other.x, y: other.y, z: mark.z };
    lines[i] = between[l % 3] + marks[l % 2].tail as u8;
}

#[kernel]
pub fn aligned_local_argument(lines: &mut Local<[Line]>, holders: &mut Local<[Holder]>, out: &mut [u32]) {
    let (l, i) = (local_id(0), global_id(0));
    lines[l] = Line(l as u8 * 3);
    holders[l].last = i as u16;
    holders[l].full = Full { low: l as u32, high: 100 };
    barrier();
    let (line, holder) = (lines[local_size(0) - 1 - l], &holders[(l + 1) % local_size(0)]);
    out[i] = line.0 as u32 * 1000 + holder.last as u32 + holder.full.low + holder.full.high;
}

#[kernel]
pub unsafe fn aligned_nodes(first: *const Node, points: *mut Point, sums: &mut [u32]) {
    let i = global_id(0);
    let (mut node, mut sum) = (first, 0);
    while !node.is_null() {
        // SAFETY: each node leads to another, or nowhere.
        let Node { value, next } = unsafe { *node };
        sum += value as u32;
        node = next;
    }
    sums[i] = sum;
    // SAFETY: there is a point for each work-item, which no other uses.
    let point = unsafe { &mut *points.add(i) };
    point.z = point.x + i as f32;
    let address = points as usize + i * 16;
    // SAFETY: the same point.
    let found = unsafe { points.add(i) } as usize;
    sums[i] += (found - address) as u32;
}

#[kernel]
pub fn aligned_beyond_the_end(points: &[Point], out: &mut [f32]) {
    out[global_id(0)] = points[global_id(0) + 1].z;
}

fn point(n: usize) -> Point {
    Point { x: n as f32, y: 0.5 * n as f32 - 3.0, z: -(n as f32) }
}

fn holder(n: usize) -> Holder {
    Holder {
        tag: 250 + n as u8,
        point: point(n + 1),
        lines: [Line(n as u8), Line(200 - n as u8)],
        flag: n % 2 == 0,
        full: Full { low: 3 * n as u32, high: u32::MAX - n as u32 },
        less: Less { flag: n % 3 == 0, wide: u64::MAX / (n as u64 + 2) },
        last: 600 + n as u16,
    }
}

fn widest(n: usize) -> Widest {
    let points = [point(n), point(n + 7), point(n + 20)];
    Widest { byte: n as i8 - 3, points, lanes: f32x3::new(0.5, n as f32, 8.0), tail: -9 * n as i16 }
}

fn cell<T: Copy, const N: usize>(key: u8, values: [T; N]) -> Cell<T, N> {
    Cell { key, values }
}

fn point_cases() -> Vec<Case> {
    let points: Vec<Point> = (0..9).map(point).collect();
    let case = |n: usize| {
        let output = |i: usize| {
            let scaled = scaled(points[i], 4.0);
            Point { y: scaled.y + i as f32, ..scaled }
        };
        let output: Vec<Point> = (0..n).map(output).collect();
        Case::of(&ALIGNED_POINTS).input(&points).point(&[point(4)]).output(&output).items([n])
    };
    vec![case(1), case(9)]
}

fn argument_cases() -> Vec<Case> {
    let (held, wide, line) = (holder(5), widest(6), Line(77));
    let cells = [cell(3, [1_u16, 20, 300]), cell(255, [65535, 7, 0])];
    let output = |i: usize| {
        let cell = cells[i % 2];
        let sum = total(&wide, i) + held.point.z + held.last as f32 + line.0 as f32;
        sum + (cell.key as f32 * cell.values[i % 3] as f32 + held.lines[(i + 1) % 2].0 as f32)
    };
    let output: Vec<f32> = (0..7).map(output).collect();
    vec![
        Case::of(&ALIGNED_ARGUMENTS)
            .value(held)
            .value(wide)
            .value(line)
            .value(cells)
            .output(&output)
            .items([7]),
    ]
}

fn local_cases() -> Vec<Case> {
    let points: Vec<Point> = (0..16).map(point).collect();
    let sum = |i: usize| {
        let (group, l) = (i / 8 * 8, i % 8);
        let (other, mark) = (points[group + 7 - l], points[group + l % 2]);
        Point { x: points[i].x + other.x, y: other.y, z: mark.z }
    };
    let sums: Vec<Point> = (0..16).map(sum).collect();
    let lines: Vec<u8> = (0..16).map(|i| (i % 8 % 3 + 1 + i % 2 + 5) as u8).collect();
    let shared = |groups: u32, size: u32| {
        let n = size as usize;
        let value = |i: usize| {
            let (l, other) = (i % n, (i % n + 1) % n);
            ((n - 1 - l) * 3 * 1000 + (i / n * n + other) + other + 100) as u32
        };
        let out: Vec<u32> = (0..groups as usize * n).map(value).collect();
        let case = Case::of(&ALIGNED_LOCAL_ARGUMENT).local::<Line>(n).local::<Holder>(n).output(&out);
        case.groups([groups], [size]).label(format!("groups of {size}"))
    };
    vec![
        Case::of(&ALIGNED_LOCAL).input(&points).output(&sums).output(&lines).groups([2], [8]),
        shared(3, 5),
        shared(1, 1),
        shared(2, 16),
    ]
}

pub fn cases() -> Vec<Case> {
    let holders: Vec<Holder> = (0..5).map(holder).collect();
    let advanced: Vec<Holder> = (0..5).map(|i| moved(holder(i), i)).collect();
    let wide: Vec<Widest> = (0..4).map(widest).collect();
    let turned = |i: usize| {
        let mut turned = wide[3 - i];
        turned.points[i % 3].y = total(&wide[i], i);
        turned
    };
    let turned: Vec<Widest> = (0..4).map(turned).collect();
    let bytes = [cell(1, [1_u8, 2, 3, 4, 5]), cell(9, [9, 8, 7, 6, 0])];
    let doubles = [cell(1, [0.5_f64, 2.0, 3.0, 4.0, -5.0])];
    let at = |n| std::ptr::without_provenance::<Node>(n);
    let nodes = [(7, 192), (1000, 128), (1, 0), (20, 64)].map(|(value, next)| Node { value, next: at(next) });
    let lifted: Vec<Point> = (0..3).map(|i| Point { z: point(i).x + i as f32, ..point(i) }).collect();
    let points: Vec<Point> = (0..3).map(point).collect();

    let mut cases = point_cases();
    cases.extend(argument_cases());
    cases.extend(local_cases());
    cases.extend([
        Case::of(&ALIGNED_HOLDERS).update(&holders, &advanced).items([5]),
        Case::of(&ALIGNED_HOLDERS).update(&holders[..1], &advanced[..1]),
        Case::of(&ALIGNED_WIDEST).input(&wide).output(&turned).items([4]),
        Case::of(&ALIGNED_CELLS_U8)
            .input(&bytes)
            .output(&[
                [cell(2, [1_u8, 2, 3, 4, 5]), cell(1, [5, 4, 3, 2, 1])],
                [cell(10, [9, 8, 7, 6, 0]), cell(9, [0, 6, 7, 8, 9])],
            ])
            .items([2]),
        Case::of(&ALIGNED_CELLS_F64)
            .input(&doubles)
            .output(&[[cell(2, doubles[0].values), cell(1, [-5.0, 4.0, 3.0, 2.0, 0.5])]]),
        Case::of(&ALIGNED_NODES)
            .point(&nodes)
            .point_mut(&points, &lifted)
            .output(&[1028_u32; 3])
            .link(0, 8, 0)
            .link(0, 72, 0)
            .link(0, 200, 0)
            .items([3]),
        Case::of(&ALIGNED_BEYOND_THE_END)
            .input(&points)
            .update(&[0.0_f32; 3], &[-1.0, -2.0, 0.0])
            .items([3])
            .faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).values([3, 3])),
    ]);
    cases
}
