//! Indices of elements in rows that are read from memory, which need more than 32 bits though what they are made of does not; versions of a kernel that compute with 32 bits
//! find out all the same which are in bounds.

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::atomic::{AtomicU32, Ordering};
use kernel_runtime::prelude::*;

#[kernel]
pub fn gather(table: &[u32], rows: &[u32], out: &mut [u32], width: u32) {
    let i = global_id(0);
    if i < out.len() {
        out[i] = table[rows[i] as usize * width as usize + i];
    }
}

/// Vertices of three numbers each, and two numbers added to their places.
#[kernel]
pub fn vertices(points: &[u32], corners: &[u32], out: &mut [u32], first: u32) {
    let i = global_id(0);
    if i < out.len() {
        out[i] = points[i + 3 * corners[i] as usize + first as usize];
    }
}

/// The bits in which two vertices differ: several elements of each, in turn.
#[kernel]
pub fn edges(points: &[u32], corners: &[u32], out: &mut [u32]) {
    let i = global_id(0);
    if i < out.len() {
        let a = 3 * corners[2 * i] as usize;
        let b = 3 * corners[2 * i + 1] as usize;
        let (x, y, z) = (points[b] ^ points[a], points[b + 1] ^ points[a + 1], points[b + 2] ^ points[a + 2]);
        out[i] = x + 100 * y + 10_000 * z;
    }
}

/// The width is a number of the launch that has to do with its size.
#[kernel]
pub fn place(values: &[u32], rows: &[u32], out: &[AtomicU32], width: usize) {
    let (column, row) = (global_id(0), global_id(1));
    if column < width && row < rows.len() {
        out[rows[row] as usize * width + column].store(values[row * width + column], Ordering::Relaxed);
    }
}

/// A work-item that faults goes on with zero, since others wait for it.
#[kernel(group_size = 4)]
pub fn gather_together(table: &[u32], rows: &[u32], out: &mut [u32], width: u32) {
    let mut sums = Local::<[u32; 4]>::new();
    let (i, l) = (global_id(0), local_id(0));
    sums[l] = table[width as usize * rows[i] as usize + l];
    barrier();
    out[i] = sums[l] + 100 * sums[(l + 1) % 4];
}

/// What comes of comparisons of a sum of two numbers of 32 bits with a third one, and with half of that, each in its bit.
#[device]
fn compared(a: usize, b: usize, end: usize) -> u32 {
    let (mut found, half) = (0, end / 2);
    let all = [
        a + b < end,
        a + b <= end,
        a + b > end,
        a + b >= end,
        end < a + b,
        end <= a + b,
        end > a + b,
        end >= a + b,
        a + b < half,
        a + b <= half,
        a + b > half,
        a + b >= half,
        half < a + b,
        half <= a + b,
        half > a + b,
        half >= a + b,
    ];
    for (bit, holds) in all.into_iter().enumerate() {
        found |= (holds as u32) << bit;
    }
    found
}

#[kernel]
pub fn compare_sums(a: &[u32], b: &[u32], ends: &[u32], out: &mut [u32]) {
    let i = global_id(0);
    if i < out.len() {
        out[i] = compared(a[i] as usize, b[i] as usize, ends[i] as usize);
    }
}

/// Elements in windows whose starts are read from memory.
#[kernel]
pub fn sums_in_windows(x: &[u32], starts: &[u32], out: &mut [u32], bins: usize, width: usize) {
    let i = global_id(0);
    if i < out.len() {
        let start = starts[i] as usize;
        let mut sum = 0;
        for k in 0..width {
            if start + k < bins {
                sum += x[start + k];
            }
        }
        out[i] = sum;
    }
}

fn table() -> Vec<u32> {
    (1..=20).collect()
}

/// A row in the place of the third one, the width, and the index where it is out of bounds.
const GATHERED: [(u32, u32, Option<u64>); 15] = [
    (2, 5, None),
    (3, 5, None),
    (4, 5, Some(22)),
    (9, 2, Some(20)),
    // Products of 2^32, and those of 2^31.
    (1 << 30, 4, Some((1 << 32) + 2)),
    (2, 1 << 31, Some((1 << 32) + 2)),
    (1, 1 << 31, Some((1 << 31) + 2)),
    (0, 1 << 31, None),
    (1 << 16, 1 << 16, Some((1 << 32) + 2)),
    (1 << 15, 1 << 16, Some((1 << 31) + 2)),
    // The sum has lost a bit, the product has not.
    (u32::MAX, 1, Some((1 << 32) + 1)),
    (u32::MAX / 3, 3, Some((1 << 32) + 1)),
    (u32::MAX, u32::MAX, Some(u64::MAX - (1 << 33) + 4)),
    (0, u32::MAX, None),
    (u32::MAX, 0, None),
];

fn gather_cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (row, width, outside) in GATHERED {
        let rows = [0, 0, row, 0];
        let expected = |i: u64| {
            let index = if i == 2 { u64::from(row) * u64::from(width) + i } else { i };
            outside.filter(|_| i == 2).map_or_else(|| table()[index as usize], |_| 0)
        };
        let fault = |index| {
            let fault = ExpectedFault::new(FaultKind::IndexOutOfBounds).count(1);
            fault.values([index, 20])
        };
        let gathered: Vec<u32> = (0..4).map(expected).collect();
        let summed: Vec<u32> = (0..4).map(|i| expected(i) + 100 * expected((i + 1) % 4)).collect();
        let alone = Case::of(&GATHER).input(&table()).input(&rows).output(&gathered);
        let alone = alone.unwritten(outside.map(|_| 2)).scalar(width);
        let together = Case::of(&GATHER_TOGETHER).input(&table()).input(&rows).output(&summed).scalar(width);
        for case in [alone, together] {
            let case = case.items([4]).label(format!("row {row} of width {width}"));
            cases.push(match outside {
                Some(index) => case.faults(fault(index)),
                None => case,
            });
        }
    }
    cases
}

/// Rows and widths at which products change how many bits they have, each with each.
fn edge_cases() -> Vec<Case> {
    let edges: Vec<u32> = [0, 1, 2, 3, 5, 7, u32::MAX / 5, u32::MAX / 3, u32::MAX - 1, u32::MAX]
        .into_iter()
        .chain(
            [4, 15, 16, 17, 30, 31]
                .into_iter()
                .flat_map(|bits| [(1 << bits) - 1, 1 << bits, (1 << bits) + 1]),
        )
        .collect();
    let case = |&width: &u32| {
        let index = |i: usize| u128::from(edges[i]) * u128::from(width) + i as u128;
        let outside: Vec<usize> = (0..edges.len()).filter(|i| index(*i) >= 60).collect();
        let table: Vec<u32> = (1..=60).collect();
        let expected: Vec<u32> = (0..edges.len())
            .map(|i| if outside.contains(&i) { 0 } else { table[index(i) as usize] })
            .collect();
        let case = Case::of(&GATHER).input(&table).input(&edges).output(&expected);
        let case = case.unwritten(outside.iter().copied()).scalar(width).items([edges.len()]);
        let case = case.label(format!("rows of width {width}"));
        match outside.len() {
            0 => case,
            count => case.faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).count(count as u32)),
        }
    };
    edges.iter().map(case).collect()
}

/// The corners, what is added to them all, and the index where the last work-item is out of bounds.
const CORNERS: [(u32, u32, Option<u64>); 6] = [
    (5, 1, None),
    (5, 2, Some(20)),
    (0, 15, None),
    // Three times that is 2^33 + 1, and 2^32 - 1.
    (0xaaaa_aaab, 0, Some((1 << 33) + 4)),
    (0x5555_5555, 1, Some((1 << 32) + 3)),
    (u32::MAX, 4, Some((1 << 33) + (1 << 32) + 4)),
];

fn vertex_cases() -> Vec<Case> {
    let case = |(corner, first, outside): (u32, u32, Option<u64>)| {
        let corners = [0, 1, 0, corner];
        let at = |i: usize| match outside {
            Some(_) if i == 3 => 0,
            _ => table()[i + 3 * corners[i] as usize + first as usize],
        };
        let expected: Vec<u32> = (0..4).map(at).collect();
        let case = Case::of(&VERTICES).input(&table()).input(&corners).output(&expected);
        let case = case.unwritten(outside.map(|_| 3)).scalar(first).items([4]);
        let case = case.label(format!("corner {corner} after {first}"));
        match outside {
            Some(index) => {
                case.faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).count(1).values([index, 20]))
            }
            None => case,
        }
    };
    CORNERS.map(case).into()
}

/// Edges between vertices that are there, in part, or not, with as many numbers as end in the midst of a vertex or do not.
fn edge_faults() -> Vec<Case> {
    let vertices = [0, 5, 6, 7, 0x5555_5555, 0x5555_5556, 0x8000_0000, u32::MAX];
    let case = |len: u64, a: u32, b: u32| {
        let points: Vec<u32> = (0..len as u32).map(|i| i * i).collect();
        let [first, second] = [a, b].map(|vertex| 3 * u64::from(vertex));
        // In the order of the source.
        let mut indices = (0..3).flat_map(|part| [second + part, first + part]);
        let outside = indices.find(|index| *index >= len);
        let difference = |part: u64| {
            let [x, y] = [second, first].map(|from| points[(from + part) as usize]);
            x ^ y
        };
        let expected = match outside {
            Some(_) => 0,
            None => difference(0) + 100 * difference(1) + 10_000 * difference(2),
        };
        let case = Case::of(&EDGES).input(&points).input(&[0, 0, a, b]).output(&[0, expected]);
        let case = case.unwritten(outside.map(|_| 1)).items([2]).label(format!("{a} to {b} of {len}"));
        match outside {
            Some(index) => {
                case.faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).count(1).values([index, len]))
            }
            None => case,
        }
    };
    let pairs = vertices.iter().flat_map(|a| vertices.map(|b| (*a, b)));
    pairs.flat_map(|(a, b)| [18, 19, 20, 21].map(|len| case(len, a, b))).collect()
}

/// Rows that are put elsewhere.
fn place_cases() -> Vec<Case> {
    let values = [1, 2, 3, 4, 5, 6_u32];
    let before = [0_u32; 8];
    let case = |rows: [u32; 2], after: [u32; 8]| {
        Case::of(&PLACE).input(&values).input(&rows).update(&before, &after).scalar(3_usize).items([4, 2])
    };
    let fault = |index| ExpectedFault::new(FaultKind::IndexOutOfBounds).count(1).values([index, 8]);
    vec![
        case([1, 0], [4, 5, 6, 1, 2, 3, 0, 0]),
        case([0, 2], [1, 2, 3, 0, 0, 0, 4, 5]).faults(fault(8)),
        // 3 * 1431655765 is 2^32 - 1, so that the low half of the next index is the first one.
        case([0x5555_5555, 0], [4, 5, 6, 0, 0, 0, 0, 0])
            .faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).count(3)),
    ]
}

/// Sums about as great as what they are compared with, and those that have more than 32 bits.
fn sum_cases() -> Vec<Case> {
    let edges = [0, 1, 2, 1 << 30, 1 << 31, u32::MAX - 1, u32::MAX];
    let threes: Vec<[u32; 3]> = edges
        .iter()
        .flat_map(|a| edges.map(|b| [*a, b]))
        .flat_map(|[a, b]| {
            let sum = a.wrapping_add(b);
            [0, 1, sum.wrapping_sub(1), sum, sum.wrapping_add(1), 1 << 31, u32::MAX].map(|end| [a, b, end])
        })
        .collect();
    let [a, b, ends] = [0, 1, 2].map(|part| threes.iter().map(|three| three[part]).collect::<Vec<_>>());
    let expected = threes.iter().map(|three| three.map(|number| number as usize));
    let expected: Vec<u32> = expected.map(|[a, b, end]| compared(a, b, end)).collect();
    let compared = Case::of(&COMPARE_SUMS).input(&a).input(&b).input(&ends).output(&expected);
    let starts = [0, 5, 18, 20, 21, u32::MAX - 2, u32::MAX];
    let sums = |width: usize| {
        let sum = |start: u32| table().iter().skip(start as usize).take(width).sum();
        let sums: Vec<u32> = starts.iter().map(|start| sum(*start)).collect();
        let case = Case::of(&SUMS_IN_WINDOWS).input(&table()).input(&starts).output(&sums);
        case.scalar(20_usize).scalar(width).items([starts.len()]).label(format!("windows of {width}"))
    };
    let mut cases = vec![compared.items([threes.len()])];
    cases.extend([0, 1, 4, 30].map(sums));
    cases
}

pub fn cases() -> Vec<Case> {
    let all = [gather_cases(), edge_cases(), vertex_cases(), edge_faults(), place_cases(), sum_cases()];
    all.into_iter().flatten().collect()
}
