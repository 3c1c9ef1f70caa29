//! Floats that become indices where comparisons of floats say that they are in bounds, among them NaN and numbers beside the bounds.

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// Between two elements, as in an image that is turned.
#[kernel]
pub fn between(x: &[u32], at: &[f32], out: &mut [u32], width: usize) {
    let i = global_id(0);
    if i < out.len() {
        let mut found = 7;
        if at[i] >= 0.0 && at[i] < (width - 1) as f32 {
            let left = at[i] as usize;
            found = x[left] + x[left + 1];
        }
        out[i] = found;
    }
}

/// Whoever is outside returns; what has been rounded down is compared.
#[kernel]
pub fn below(x: &[u32], at: &[f32], out: &mut [u32], width: u32) {
    let i = global_id(0);
    if i >= out.len() {
        return;
    }
    let place = at[i].floor();
    if place >= width as f32 {
        out[i] = 7;
        return;
    }
    out[i] = x[at[i].max(0.0) as usize];
}

/// A bound that may be reached, as a difference of floats.
#[kernel]
pub fn up_to(x: &[u32], at: &[f64], out: &mut [u32], width: usize) {
    let i = global_id(0);
    if i < out.len() {
        let place = at[i].trunc();
        out[i] = if place > width as f64 - 2.0 { 7 } else { x[place as usize + 1] };
    }
}

/// A constant bound, of what has 32 bits as an integer.
#[kernel]
pub fn below_four(x: &[u32], at: &[f32], out: &mut [u32]) {
    let i = global_id(0);
    if i < out.len() {
        out[i] = if at[i] < 4.0 { x[at[i] as u32 as usize] } else { 7 };
    }
}

/// The lesser of a number and a bound.
#[kernel]
pub fn at_most(x: &[u32], at: &[f32], out: &mut [u32], last: usize) {
    let i = global_id(0);
    if i < out.len() {
        out[i] = x[at[i].min(last as f32) as usize];
    }
}

/// Numbers of which nothing matters but whether they are below another one, by all ways to ask.
#[kernel]
pub fn bins(x: &[u32], at: &[f32], out: &mut [u32], bins: usize, rows: usize) {
    let i = global_id(0);
    if i >= out.len() {
        return;
    }
    let (less, last, equal, other) =
        (at[i] as usize, (at[i] * 2.0) as usize, (at[i] + 1.0) as usize, (at[i] * 0.5) as usize);
    let mut sum = 0;
    for row in 0..rows {
        if less < bins {
            sum += x[row.wrapping_mul(bins).wrapping_add(less)];
        }
        if last <= bins && row == 0 {
            sum = sum.wrapping_add(1000_u32.wrapping_mul(last as u32));
        }
    }
    if equal != bins {
        sum = sum.wrapping_add(100_000);
    }
    if bins <= other || rows == 0 {
        out[i] = sum;
        return;
    }
    out[i] = sum.wrapping_add(1_000_000_u32.wrapping_mul((other as u32).wrapping_add(1)));
}

/// What is asked for as a whole after all, though it is compared.
#[kernel]
pub fn whole_bins(at: &[f64], out: &mut [[u64; 2]], bins: usize) {
    let i = global_id(0);
    if i < out.len() {
        let (place, kept) = (at[i] as usize, at[i] as usize);
        let mut sum = if place < bins { place as u64 } else { 7 };
        if kept >= bins {
            sum = sum.wrapping_add(kept as u64);
        }
        out[i] = [sum, (place == kept) as u64];
    }
}

const X: [u32; 4] = [10, 20, 40, 80];

/// Numbers around those from 0 to 4, and others.
fn places() -> Vec<f32> {
    let around = |number: f32| [number.next_down(), number, number.next_up()];
    let others = [f32::NAN, -f32::NAN, f32::INFINITY, -f32::INFINITY, 0.5, 2.5, -0.5, -1e30, 1e30, 5e9];
    (0..=4).flat_map(|number| around(number as f32)).chain(others).collect()
}

/// A case of what a function says of each place, which is nothing where there is a fault.
fn case<T: kernel_runtime::Element + Copy>(
    case: Case,
    places: &[T],
    found: impl Fn(T) -> Option<u32>,
) -> Case {
    let found: Vec<Option<u32>> = places.iter().map(|place| found(*place)).collect();
    let faults = found.iter().filter(|found| found.is_none()).count();
    let outside = (0..found.len()).filter(|i| found[*i].is_none());
    let expected: Vec<u32> = found.iter().map(|found| found.unwrap_or(0)).collect();
    let case = case.input(places).output(&expected).unwritten(outside).items([places.len()]);
    match faults {
        0 => case,
        count => case.faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).count(count as u32)),
    }
}

pub fn cases() -> Vec<Case> {
    let get = |index: usize| X.get(index).copied();
    let mut cases = Vec::new();
    for width in [1_usize, 2, 3, 4, 5, 100, usize::MAX] {
        let between = |at: f32| match at >= 0.0 && at < (width - 1) as f32 {
            true => Some(get(at as usize)? + get(at as usize + 1)?),
            false => Some(7),
        };
        let label = format!("width {width}");
        cases.push(case(Case::of(&BETWEEN).input(&X), &places(), between).scalar(width).label(&label));
        let short = u32::try_from(width).unwrap_or(u32::MAX);
        let below = |at: f32| match at.floor() >= short as f32 {
            true => Some(7),
            false => get(at.max(0.0) as usize),
        };
        cases.push(case(Case::of(&BELOW).input(&X), &places(), below).scalar(short).label(&label));
        let wide: Vec<f64> = places().into_iter().map(f64::from).collect();
        let up_to = |at: f64| match at.trunc() > width as f64 - 2.0 {
            true => Some(7),
            false => get((at.trunc() as usize).wrapping_add(1)),
        };
        cases.push(case(Case::of(&UP_TO).input(&X), &wide, up_to).scalar(width).label(&label));
        let at_most = |at: f32| get(at.min(width as f32) as usize);
        cases.push(case(Case::of(&AT_MOST).input(&X), &places(), at_most).scalar(width).label(&label));
    }
    for (count, rows) in
        [(4_usize, 1_usize), (2, 2), (1, 4), (3, 1), (0, 3), (4, 0), (usize::MAX, 1), (1 << 33, 1)]
    {
        let found = |at: f32| {
            let mut sum = 0_u32;
            for row in 0..rows {
                if (at as usize) < count {
                    sum = sum.wrapping_add(get(row.wrapping_mul(count).wrapping_add(at as usize))?);
                }
                if (at * 2.0) as usize <= count && row == 0 {
                    sum = sum.wrapping_add(1000_u32.wrapping_mul((at * 2.0) as usize as u32));
                }
            }
            if (at + 1.0) as usize != count {
                sum = sum.wrapping_add(100_000);
            }
            let other = (at * 0.5) as usize;
            let is_small = count > other && rows != 0;
            Some(if is_small {
                sum.wrapping_add(1_000_000_u32.wrapping_mul((other as u32).wrapping_add(1)))
            } else {
                sum
            })
        };
        let case = case(Case::of(&BINS).input(&X), &places(), found).scalar(count).scalar(rows);
        cases.push(case.label(&format!("{count} bins, {rows} rows")));
    }
    for count in [0_usize, 3, 1 << 31, 1 << 33, usize::MAX] {
        let wide: Vec<f64> = places()
            .into_iter()
            .map(f64::from)
            .chain([4294967040.0, 4294967295.0, 4294967296.0, 4294967301.5, 1e19])
            .collect();
        let expected = wide.iter().map(|at| {
            let place = *at as usize;
            let mut sum = if place < count { place as u64 } else { 7 };
            if place >= count {
                sum = sum.wrapping_add(place as u64);
            }
            [sum, 1]
        });
        let expected: Vec<[u64; 2]> = expected.collect();
        let case = Case::of(&WHOLE_BINS).input(&wide).output(&expected).scalar(count).items([wide.len()]);
        cases.push(case.label(&format!("{count} bins")));
    }
    let below_four = |at: f32| if at < 4.0 { get(at as u32 as usize) } else { Some(7) };
    cases.push(case(Case::of(&BELOW_FOUR).input(&X), &places(), below_four));
    cases
}
