//! Parts of slices, of arrays, of local memory, and of parts of these; and ranges as values.

use super::case::{Case, ExpectedFault};
use super::edge::map;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// A number that depends on the elements and on their order.
#[device]
fn digest(x: &[i32]) -> i32 {
    let mut sum = x.len() as i32;
    for i in 0..x.len() {
        sum = sum.wrapping_mul(31).wrapping_add(x[i]);
    }
    sum
}

/// All forms of ranges, empty ones at both ends, and a part of a part.
#[device]
fn shared(x: &[i32], a: usize, b: usize) -> i32 {
    let part = &x[a..b];
    let last = a + part.len();
    digest(part)
        ^ digest(&x[a..]).wrapping_mul(3)
        ^ digest(&x[..b]).wrapping_mul(5)
        ^ digest(&x[..]).wrapping_mul(7)
        ^ digest(&x[a..=b]).wrapping_mul(11)
        ^ digest(&x[..=a]).wrapping_mul(13)
        ^ digest(&x[x.len()..]).wrapping_mul(17)
        ^ digest(&x[b..=b][..1][0..]).wrapping_mul(19)
        ^ digest(&x[1..][..2][1..]).wrapping_mul(23)
        ^ x[a..][0]
        ^ (x[a..last].is_empty() as i32)
}

/// Stores through parts of an array, of a row of an array of arrays, and of a part.
#[device]
fn exclusive(a: usize, b: usize) -> i32 {
    let mut row = [1, 2, 3, 4, 5, 6, 7, 8];
    let part = &mut row[a..b];
    for i in 0..part.len() {
        part[i] = part[i] * 10 + i as i32;
    }
    let inner = &mut part[..1];
    inner[0] += 100;
    let mut grid = [[1, 2, 3], [4, 5, 6], [7, 8, 9]];
    let rows = &mut grid[1..];
    rows[1][0] = 70;
    rows[0][1..][1] = 60;
    let cells = &mut grid[a & 1][1..];
    cells[0] = -1;
    digest(&row) ^ digest(&grid[0]) ^ digest(&grid[1]).wrapping_mul(3) ^ digest(&grid[2]).wrapping_mul(5)
}

/// A slice of tuples is a slice for each of their elements.
#[device]
fn of_tuples(a: usize, b: usize) -> i32 {
    let mut pairs = [(1, 1.0_f32), (2, 2.0), (3, 3.0), (4, 4.0), (5, 5.0), (6, 6.0), (7, 7.0), (8, 8.0)];
    let part = &mut pairs[a..b];
    part[0] = (50, 0.5);
    part[0].0 += 1;
    let rest = &pairs[a..];
    let mut sum = 0;
    for i in 0..rest.len() {
        let (number, fraction) = rest[i];
        sum = sum * 7 + number * (fraction * 2.0) as i32;
    }
    sum
}

/// A range has ends, and can be kept, passed on and chosen.
#[device]
fn kept(x: &[i32], a: usize, b: usize) -> i32 {
    let range = a..b;
    let start = range.start * 100 + range.end;
    let mut other = 0..1;
    if a % 2 == 0 {
        other = 1..3;
    }
    let first = other.start;
    digest(&x[range]) ^ digest(&x[other]).wrapping_add(first as i32) ^ start as i32
}

#[device]
fn all(x: &[i32], seed: usize) -> i32 {
    let a = seed % 4;
    let b = a + 1 + seed % 3;
    shared(x, a, b) ^ exclusive(a, b) ^ of_tuples(a, b) ^ kept(x, a, b)
}

#[kernel]
pub fn sub_slice_values(x: &[i32], seeds: &[u32], result: &mut [i32]) {
    let i = global_id(0);
    result[i] = all(x, seeds[i] as usize);
}

#[device]
fn increment(part: &mut [u32], by: u32) {
    for i in 0..part.len() {
        part[i] += by;
    }
}

/// Each work-item changes a part of its own, of a slice of the host and of local memory.
#[kernel(group_size = [4, 1, 1])]
pub fn own_parts(width: usize, x: &mut [u32]) {
    let i = global_id(0);
    let l = local_id(0);
    let mut shared = Local::<[u32; 16]>::new();
    let own = &mut shared[l * 4..l * 4 + 4];
    for k in 0..4 {
        own[k] = (l + k) as u32;
    }
    barrier();
    let other = &shared[4 * ((l + 1) % 4)..][..4];
    increment(&mut x[i * width..(i + 1) * width], other[3] * 10);
}

/// The length of a part, each of which may be out of bounds.
#[kernel(requires(global_size(0) == 1))]
pub fn part_faults(start: usize, end: usize, form: u32, x: &[u32], result: &mut [usize]) {
    let part = match form {
        0 => x[start..end].len(),
        1 => x[start..].len(),
        2 => x[..end].len(),
        3 => x[start..=end].len(),
        _ => x[..=end].len(),
    };
    result[0] = part + 1;
}

/// A part of a row that is not there: the index is the fault.
#[kernel(requires(global_size(0) == 1))]
pub fn part_of_no_row(row: usize, result: &mut [u32]) {
    let rows = [[1, 2, 3], [4, 5, 6]];
    let part = &rows[row][1..];
    let mut sum = 0;
    for i in 0..part.len() {
        sum += part[i];
    }
    result[0] = sum;
}

fn fault_case(start: usize, end: usize, form: u32, fault: Option<(FaultKind, [u64; 2])>, len: usize) -> Case {
    let case = Case::of(&PART_FAULTS)
        .scalar(start)
        .scalar(end)
        .scalar(form)
        .input(&[1_u32, 2, 3, 4])
        .output(&[len + 1])
        .items([1])
        .label(format!("form {form} of {start} and {end}"));
    match fault {
        Some((kind, values)) => {
            case.unwritten([0]).faults(ExpectedFault::new(kind).values(values).global_id([0; 3]).at("["))
        }
        None => case,
    }
}

pub fn cases() -> Vec<Case> {
    use FaultKind::{IndexOutOfBounds, RangeEnd, RangeOrder, RangeStart};
    let x: Vec<i32> = (1..=8).collect();
    let seeds: Vec<u32> = (0..24).collect();
    let expected = map(&seeds, |seed| all(&x, seed as usize));
    let increased: Vec<u32> = (0..24).map(|index| index + ((index / 3 + 1) % 4 + 3) * 10).collect();
    let max = usize::MAX;
    vec![
        Case::of(&SUB_SLICE_VALUES).input(&x).input(&seeds).output(&expected).items([seeds.len()]),
        Case::of(&OWN_PARTS).scalar(3_usize).update(&(0..24).collect::<Vec<u32>>(), &increased).items([8]),
        fault_case(1, 4, 0, None, 3),
        fault_case(4, 4, 0, None, 0),
        fault_case(3, 2, 0, Some((RangeOrder, [3, 2])), 0),
        fault_case(3, 7, 0, Some((RangeEnd, [7, 4])), 0),
        fault_case(6, 7, 0, Some((RangeStart, [6, 4])), 0),
        fault_case(7, 6, 0, Some((RangeStart, [7, 4])), 0),
        fault_case(max, max, 0, Some((RangeStart, [max as u64, 4])), 0),
        fault_case(4, 0, 1, None, 0),
        fault_case(5, 0, 1, Some((RangeStart, [5, 4])), 0),
        fault_case(0, 4, 2, None, 4),
        fault_case(0, 5, 2, Some((RangeEnd, [5, 4])), 0),
        fault_case(3, 3, 3, None, 1),
        fault_case(4, 3, 3, None, 0),
        fault_case(4, 2, 3, Some((RangeOrder, [4, 3])), 0),
        fault_case(3, 7, 3, Some((RangeEnd, [7, 4])), 0),
        fault_case(0, max, 3, Some((RangeEnd, [max as u64, 4])), 0),
        fault_case(0, 3, 4, None, 4),
        fault_case(0, 4, 4, Some((RangeEnd, [4, 4])), 0),
        fault_case(0, max, 4, Some((RangeEnd, [max as u64, 4])), 0),
        Case::of(&PART_OF_NO_ROW).scalar(1_usize).output(&[11_u32]).items([1]),
        Case::of(&PART_OF_NO_ROW)
            .scalar(2_usize)
            .output(&[0_u32])
            .unwritten([0])
            .items([1])
            .faults(ExpectedFault::new(IndexOutOfBounds).values([2, 2]).global_id([0; 3]).at("rows[row]"))
            .label("no such row"),
    ]
}
