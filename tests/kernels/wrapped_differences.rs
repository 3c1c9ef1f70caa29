//! What is left of a natural number when more than it is taken away compares as the large number that it is, also in versions of a kernel that compute with 32 bits;
//! and floats that are made indices by way of a minimum.

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// Neighbours that may be on the other side of the border.
#[kernel(overflow = "wrap")]
pub fn neighbours(x: &[u32], y: &mut [u32], w: usize, h: usize) {
    let (i, j) = (global_id(0), global_id(1));
    if i < w && j < h {
        let (left, above) = (i - 2, j - 1);
        let mut sum = 0;
        if left < w && above < h {
            sum += x[above * w + left];
        }
        if w > left {
            sum += 100;
        }
        if above <= h {
            sum += 1000;
        }
        if left >= w || h < above {
            sum += 10_000;
        }
        y[j * w + i] = sum;
    }
}

/// The same by signed numbers, and by the length of a slice.
#[kernel(overflow = "wrap")]
pub fn signed_neighbours(x: &[u32], y: &mut [u32], w: usize, h: usize) {
    let (i, j) = (global_id(0), global_id(1));
    if i < w && j < h {
        let mut sum = 0;
        for d in -1_i32..=1 {
            let (column, row) = ((i as i32 + d) as usize, (j as i32 - d) as usize);
            if column < w && row < h {
                sum = 10 * sum + x[row * w + column];
            }
            if ((row * w) as i32 + i as i32 - 2) as usize >= x.len() {
                sum += 1000;
            }
        }
        y[j * w + i] = sum;
    }
}

/// An index before the slice is the large number that it is in the report, too.
#[kernel(overflow = "wrap")]
pub fn before(x: &[u32], back: &[u32], y: &mut [u32], w: usize) {
    let (i, j) = (global_id(0), global_id(1));
    if i < w {
        y[j * w + i] = x[i - back[i] as usize] + x[(i as i32 - back[i] as i32) as usize];
    }
}

/// A window that ends at the border, and how far from two others.
#[kernel]
pub fn window(x: &[u32], y: &mut [u32], w: usize, h: usize) {
    let (i, j) = (global_id(0), global_id(1));
    if i < w && j < h {
        let mut sum = 0;
        for row in j.saturating_sub(1)..(j + 2).min(h) {
            for column in i.saturating_sub(2)..i + 1 {
                sum += x[row * w + column];
            }
        }
        y[j * w + i] = sum + 1000 * i.abs_diff(j + 1) as u32;
    }
}

/// The cells of points, of which those outside belong to the border.
#[kernel]
pub fn cells(points: &[f32], x: &[u32], y: &mut [u32], w: usize, h: usize) {
    let (i, j) = (global_id(0), global_id(1));
    if i < points.len() && j < h {
        let cell = (points[i] as usize).min(w - 1);
        y[j * points.len() + i] = 100 * cell as u32 + x[cell];
    }
}

/// By twice as many bits.
#[kernel]
pub fn fine_cells(points: &[f64], y: &mut [u32], w: usize, h: usize) {
    let (i, j) = (global_id(0), global_id(1));
    if i < points.len() && j < h {
        y[j * points.len() + i] = (w - 1).min(points[i] as usize) as u32;
    }
}

const SIZE: (usize, usize) = (5, 4);

fn numbers() -> Vec<u32> {
    (1..=20).collect()
}

fn of_each(value: impl Fn(i64, i64) -> u32) -> Vec<u32> {
    (0..20).map(|k| value(k % 5, k / 5)).collect()
}

fn neighbour_cases() -> Vec<Case> {
    let x = numbers();
    let at = |i: i64, j: i64| x[(5 * j + i) as usize];
    let expected = of_each(|i, j| {
        let (column, row) = (i - 2, j - 1);
        let inside = if column >= 0 && row >= 0 { at(column, row) } else { 0 };
        let left = if column >= 0 { 100 } else { 0 };
        let above = if row >= 0 { 1000 } else { 0 };
        inside + left + above + if column < 0 || row < 0 { 10_000 } else { 0 }
    });
    let signed = of_each(|i, j| {
        (-1..=1).fold(0, |sum, d| {
            let (column, row) = (i + d, j - d);
            let is_inside = (0..5).contains(&column) && (0..4).contains(&row);
            let sum = if is_inside { 10 * sum + at(column, row) } else { sum };
            sum + if (0..20).contains(&(5 * row + i - 2)) { 0 } else { 1000 }
        })
    });
    let window = of_each(|i, j| {
        let rows = (j - 1).max(0)..(j + 2).min(4);
        let sum: u32 = rows
            .flat_map(|row| ((i - 2).max(0)..=i).map(move |column| (column, row)))
            .map(|(i, j)| at(i, j))
            .sum();
        sum + 1000 * i.abs_diff(j + 1) as u32
    });
    let case = |case: Case, expected: &[u32]| {
        case.input(&numbers()).output(expected).scalar(SIZE.0).scalar(SIZE.1).items([8, 8])
    };
    vec![
        case(Case::of(&NEIGHBOURS), &expected),
        case(Case::of(&SIGNED_NEIGHBOURS), &signed),
        case(Case::of(&WINDOW), &window),
    ]
}

fn before_cases() -> Vec<Case> {
    let x = numbers();
    let case = |back: [u32; 4], expected: [u32; 4], unwritten: &[usize]| {
        let case = Case::of(&BEFORE).input(&x).input(&back).output(&expected);
        case.unwritten(unwritten.iter().copied()).scalar(4_usize).items([4, 1])
    };
    let outside = |index: i64| {
        let fault = ExpectedFault::new(FaultKind::IndexOutOfBounds).count(1);
        fault.at("x[i - back[i] as usize]").values([index as u64, 20])
    };
    vec![
        case([0, 1, 1, 0], [2, 2, 4, 8], &[]),
        case([0, 2, 1, 0], [2, 0, 4, 8], &[1]).faults(outside(-1)),
        case([0, 1, 1, 0x8000_0003], [2, 2, 4, 0], &[3]).faults(outside(-0x8000_0000)),
    ]
}

fn cell_cases() -> Vec<Case> {
    let points = [
        0.0,
        -0.0,
        0.999,
        1.0,
        3.5,
        6.0,
        7.0,
        -1.0,
        -1e30,
        1e9,
        2_147_483_648.0,
        4_294_967_040.0,
        4_294_967_296.0,
        1e20,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        -f32::NAN,
        f32::from_bits(0x7f80_0001),
        f32::MIN_POSITIVE,
    ];
    let fine = points.map(f64::from);
    let x = numbers();
    let mut cases = Vec::new();
    for w in [1_usize, 7, 20] {
        let cell = |point: f32| (point as usize).min(w - 1);
        let expected = points.map(|point| 100 * cell(point) as u32 + x[cell(point)]).repeat(2);
        let case = Case::of(&CELLS).input(&points).input(&x).output(&expected).scalar(w).scalar(2_usize);
        cases.push(case.items([points.len(), 2]).label(format!("{w} cells")));
    }
    for w in [1_usize, 7, 1 << 24, 0xffff_ffff] {
        let expected = points.map(|point| (point as usize).min(w - 1) as u32).repeat(2);
        let case = Case::of(&FINE_CELLS).input(&fine).output(&expected).scalar(w).scalar(2_usize);
        cases.push(case.items([points.len(), 2]).label(format!("{w} fine cells")));
    }
    cases
}

pub fn cases() -> Vec<Case> {
    [neighbour_cases(), before_cases(), cell_cases()].into_iter().flatten().collect()
}
