//! What each level of cache is told of the memory behind parameters, which changes nothing else.

use super::case::{Case, ExpectedFault};
use kernel_runtime::FaultKind;
use kernel_runtime::atomic::{AtomicU32, Ordering};
use kernel_runtime::prelude::*;

/// Each element is read once and written once: the nearest cache is left to others.
#[kernel(load_cache(x = [uncached, cached]), store_cache(y = [write_through]))]
pub fn past_the_nearest_cache(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = x[i] * 2.0;
    }
}

/// Of one parameter loads and stores, which have one address where an element is updated; with a check.
#[kernel(load_cache(x = [streaming]), store_cache(x = [streaming, write_back]))]
pub fn loaded_and_stored(x: &mut [u32]) {
    x[global_id(0)] += 3;
}

/// Numbers of 8 and 16 bits, vectors and arrays, in parts of slices.
#[kernel(
    load_cache(bytes = [cached, cached], halves = [uncached], rows = [streaming, streaming]),
    store_cache(wide = [uncached, uncached], halves = [write_back, write_through]),
)]
pub fn all_sizes(bytes: &[u8], halves: &mut [f16], rows: &[[f32; 4]], wide: &mut [f64x3]) {
    let i = global_id(0);
    let mut sum = 0;
    for byte in &bytes[i..] {
        sum += u32::from(*byte);
    }
    halves[i] = halves[i] + halves[i];
    let row = f32x4::from_slice(&rows[i..][0]);
    wide[i] = f64x3::splat(f64::from(sum) + f64::from(row[3]));
}

#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Tally {
    pub count: u32,
    pub last: u64,
    pub full: bool,
}

/// Behind references: the whole, which has no address but the parameter's, and members.
#[kernel(load_cache(total = [uncached], tally = [cached]), store_cache(total = [uncached], tally = [write_back]))]
pub fn behind_references(total: &mut u32, tally: &mut Tally) {
    if global_id(0) == 0 {
        *total += 1;
        tally.count *= 2;
        tally.last = u64::from(*total) << 40;
        tally.full = !tally.full;
    }
}

/// Atomic accesses are stores to caches; what a device function is given is told as its caller says.
#[kernel(load_cache(counts = [uncached]), store_cache(counts = [uncached], seen = [write_through]))]
pub fn atomics_past_caches(counts: &[AtomicU32], seen: &mut [u32]) {
    let i = global_id(0);
    count(counts, i % counts.len());
    if i < seen.len() {
        seen[i] = 1 + i as u32;
    }
}

#[device]
fn count(counts: &[AtomicU32], bin: usize) {
    counts[bin].fetch_add(2, Ordering::Relaxed);
}

/// Constant memory is loaded through caches too, and so are blocks.
#[kernel(
    subgroup_size = 16,
    load_cache(factors = [cached], x = [streaming, uncached]),
    store_cache(y = [streaming, uncached])
)]
pub fn constants_and_blocks(factors: &Constant<[u32]>, x: &[u32], y: &mut [u32]) {
    let start = group_id(0) * local_size(0) + subgroup::id() * subgroup::max_size();
    let value = subgroup::block_read(x, start);
    subgroup::block_write(y, start, value * factors[group_id(0) % factors.len()]);
}

/// What the author vouches for, in a generic kernel: nothing is stored to the lines of `table`, and each line of `once` is read once.
#[kernel(T = [u32, f64], unsafe(load_cache(table = [const_cached, const_cached], once = [invalidate_after_read])))]
pub fn vouched_for<T: Number>(table: &[T], once: &[[T; 64]], y: &mut [T]) {
    let i = global_id(0);
    y[i] = table[0] + once[i][i % 64];
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for len in [0_u8, 1, 5, 64, 100] {
        let x: Vec<f32> = (0..len).map(f32::from).collect();
        let y: Vec<f32> = x.iter().map(|x| x * 2.0).collect();
        let case = Case::of(&PAST_THE_NEAREST_CACHE).input(&x).output(&y);
        cases.push(case.items([usize::from(len) + 7]));
        if len == 0 {
            continue;
        }
        let (x, y): (Vec<_>, Vec<_>) = (0..u32::from(len)).map(|x| (x * 5, x * 5 + 3)).unzip();
        cases.push(Case::of(&LOADED_AND_STORED).update(&x, &y).items([usize::from(len)]));
    }
    let index = ExpectedFault::new(FaultKind::IndexOutOfBounds).values([2, 2]).at("x[global_id(0)]");
    cases.push(Case::of(&LOADED_AND_STORED).update(&[0_u32, 9], &[3, 12]).items([3]).faults(index));
    cases.push(all_sizes_case());
    let [before, after] =
        [Tally { count: 3, last: 0, full: true }, Tally { count: 6, last: 8 << 40, full: false }];
    let case = Case::of(&BEHIND_REFERENCES).point_mut(&[7_u32], &[8]);
    cases.push(case.point_mut(&[before], &[after]).items([3]));
    let seen: Vec<u32> = (1..=50).collect();
    let case = Case::of(&ATOMICS_PAST_CACHES).update(&[1_u32, 0, 5], &[45, 42, 47]);
    cases.push(case.output(&seen).items([64]));
    let x: Vec<u32> = (0..64).collect();
    let y: Vec<u32> = x.iter().map(|x| x * if *x < 32 { 3 } else { 7 }).collect();
    let case = Case::of(&CONSTANTS_AND_BLOCKS).input(&[3_u32, 7]).input(&x).output(&y);
    cases.push(case.groups([2], [32]));
    let once: Vec<[u32; 64]> = (0..70).map(|row| std::array::from_fn(|k| row * 100 + k as u32)).collect();
    let y: Vec<u32> = (0..70).map(|i| 11 + i * 100 + i % 64).collect();
    cases.push(Case::of(&VOUCHED_FOR_U32).input(&[11_u32]).input(&once).output(&y).items([70]));
    let case = Case::of(&VOUCHED_FOR_F64).input(&[0.5_f64]).input(&[[1.5_f64; 64]]).output(&[2.0_f64]);
    cases.push(case.items([1]));
    cases
}

fn all_sizes_case() -> Case {
    let bytes = [200_u8, 100, 50, 25, 7];
    let halves = [0.5, 1.0, 2.0, -3.0, 4.5].map(f16::from_f32);
    let doubled = halves.map(|half| half + half);
    let rows: Vec<[f32; 4]> = (0..5_u8).map(|i| [0.0, 1.0, 2.0, f32::from(i) * 0.5]).collect();
    let sums = [382.0, 182.5, 83.0, 33.5, 9.0].map(f64x3::splat);
    let case = Case::of(&ALL_SIZES).input(&bytes).update(&halves, &doubled);
    case.input(&rows).output(&sums).items([5])
}
