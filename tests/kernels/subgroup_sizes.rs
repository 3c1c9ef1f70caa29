//! Subgroups of eight work-items, on devices that have such.

use super::case::Case;
use super::folding::{LAUNCHES, others, summands};
use kernel_runtime::prelude::*;

/// How many work-items the subgroups have.
const SIZE: usize = 8;

#[kernel(subgroup_size = 8)]
pub fn ids_in_eight(ids: &mut [usize], sizes: &mut [usize]) {
    let i = global_id(0);
    ids[i] = subgroup::id() * 100 + subgroup::local_id();
    sizes[i] = (subgroup::size() * 100 + subgroup::count()) * 100 + subgroup::max_size();
}

#[kernel(subgroup_size = 8)]
pub fn sums_of_eight(
    x: &[i32],
    all: &mut [i32],
    up_to: &mut [i32],
    before: &mut [f64],
    greatest: &mut [i32],
) {
    let i = global_id(0);
    all[i] = subgroup::reduce_add(x[i]);
    up_to[i] = subgroup::scan_inclusive_add(x[i]);
    before[i] = subgroup::scan_exclusive_add(x[i] as f64);
    greatest[i] = subgroup::reduce_max(x[i]);
}

#[kernel(subgroup_size = 8)]
pub fn votes_of_eight(x: &[u32], all: &mut [bool], any: &mut [bool], ballots: &mut [u64]) {
    let i = global_id(0);
    all[i] = subgroup::all(x[i] < 5);
    any[i] = subgroup::any(x[i] > 5);
    ballots[i] = subgroup::ballot(x[i] % 3 == 0);
}

#[kernel(subgroup_size = 8)]
pub fn shuffled_in_eight(x: &[u32], ids: &[usize], result: &mut [u32], first: &mut [u32]) {
    let i = global_id(0);
    result[i] = subgroup::shuffle(x[i], ids[i]);
    first[i] = subgroup::broadcast(x[i], 0);
}

#[kernel(subgroup_size = 8)]
pub fn neighbours_in_eight(distance: usize, x: &[u32], up: &mut [u32], down: &mut [u32], xor: &mut [u32]) {
    let i = global_id(0);
    up[i] = subgroup::shuffle_up(x[i], distance);
    down[i] = subgroup::shuffle_down(x[i], distance);
    xor[i] = subgroup::shuffle_xor(x[i], distance);
}

/// The lanes are as far from each other as a whole subgroup has work-items.
#[kernel(group_size = 32, subgroup_size = 8)]
pub fn blocks_of_eight(x: &[f32], y: &mut [f32], z: &mut [u16], halves: &[u16]) {
    let start = group_id(0) * local_size(0) + subgroup::id() * subgroup::max_size();
    let lanes = subgroup::block_read4(x, start * 4);
    lanes.store(y, global_id(0) * 4);
    let own = subgroup::block_read2(halves, start * 2);
    subgroup::block_write2(z, start * 2, own + own);
}

/// Work-items part, meet, hand on to other subgroups by local memory, and fold what comes.
#[kernel(subgroup_size = 8)]
pub fn after_a_barrier(x: &[u32], result: &mut [u32]) {
    let mut shared = Local::<[u32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    let mut sum = 0;
    for k in 0..x[i] {
        if k != 2 {
            sum += k + 1;
        }
    }
    shared[l] = sum;
    barrier();
    let other = shared[local_size(0) - 1 - l];
    result[i] = subgroup::reduce_add(other) * 100 + work_group::reduce_add(1_u32);
}

/// In two dimensions, of which one is the size of a subgroup.
#[kernel(group_size = (8, 3), subgroup_size = 8)]
pub fn rows_of_eight(x: &[u32], sums: &mut [u32]) {
    let i = global_id(1) * global_size(0) + global_id(0);
    sums[i] = subgroup::reduce_add(x[i]) * 10 + subgroup::id() as u32;
}

fn split<T>(x: &[T], group_size: u32) -> Vec<&[T]> {
    x.chunks(group_size as usize).flat_map(|group| group.chunks(SIZE)).collect()
}

/// What one value of each work-item comes to for its subgroup.
fn of_each<T, R: Copy>(x: &[T], group_size: u32, of: impl Fn(&[T]) -> R) -> Vec<R> {
    split(x, group_size).into_iter().flat_map(|group| vec![of(group); group.len()]).collect()
}

/// What each work-item takes from another one, or its own value if there is none.
fn taken(x: &[u32], group_size: u32, from: impl Fn(usize, usize) -> usize) -> Vec<u32> {
    let mut result = Vec::new();
    for group in split(x, group_size) {
        let start = result.len();
        result.extend((0..group.len()).map(|lane| {
            let id = from(start + lane, lane);
            group[if id < group.len() { id } else { lane }]
        }));
    }
    result
}

fn launches() -> Vec<Case> {
    let mut cases = Vec::new();
    for (groups, size) in LAUNCHES {
        let count = (groups * size) as usize;
        let mut add = |case: Case| cases.push(case.groups([groups], [size]));
        let local = |i: usize| i % size as usize;
        let (x, signed) = (summands::<u32>(count), summands::<i32>(count));
        let subgroups = (size as usize).div_ceil(SIZE);
        let ids: Vec<usize> = (0..count).map(|i| local(i) / SIZE * 100 + local(i) % SIZE).collect();
        let sizes = of_each(&x, size, |group| (group.len() * 100 + subgroups) * 100 + SIZE);
        add(Case::of(&IDS_IN_EIGHT).output(&ids).output(&sizes));

        let (mut up_to, mut before) = (Vec::new(), Vec::new());
        for group in split(&signed, size) {
            let mut sum = 0;
            for x in group {
                before.push(f64::from(sum));
                sum += x;
                up_to.push(sum);
            }
        }
        let all = of_each(&signed, size, |group| group.iter().sum::<i32>());
        let greatest = of_each(&signed, size, |group| group.iter().copied().fold(i32::MIN, i32::max));
        let case = Case::of(&SUMS_OF_EIGHT).input(&signed).output(&all).output(&up_to);
        add(case.output(&before).output(&greatest));

        let ballot =
            |group: &[u32]| group.iter().rev().fold(0_u64, |bits, x| bits << 1 | u64::from(x % 3 == 0));
        let case = Case::of(&VOTES_OF_EIGHT).input(&x);
        let case = case.output(&of_each(&x, size, |group| group.iter().all(|&x| x < 5)));
        let case = case.output(&of_each(&x, size, |group| group.iter().any(|&x| x > 5)));
        add(case.output(&of_each(&x, size, ballot)));

        let from = others(count);
        let case = Case::of(&SHUFFLED_IN_EIGHT).input(&x).input(&from);
        add(case.output(&taken(&x, size, |i, _| from[i])).output(&taken(&x, size, |_, _| 0)));
        for distance in [0, 1, 5, 8, usize::MAX] {
            let case = Case::of(&NEIGHBOURS_IN_EIGHT).scalar(distance).input(&x);
            let case = case.output(&taken(&x, size, |_, lane| lane.wrapping_sub(distance)));
            let case = case.output(&taken(&x, size, |_, lane| lane.saturating_add(distance)));
            add(case.output(&taken(&x, size, |_, lane| lane ^ distance)));
        }

        let own = |&x: &u32| (0..x).filter(|&k| k != 2).map(|k| k + 1).sum::<u32>();
        let mut after = Vec::new();
        for group in x.chunks(size as usize) {
            let others: Vec<u32> = group.iter().rev().map(own).collect();
            for subgroup in others.chunks(SIZE) {
                after.extend(vec![subgroup.iter().sum::<u32>() * 100 + size; subgroup.len()]);
            }
        }
        add(Case::of(&AFTER_A_BARRIER).input(&x).output(&after));
    }
    cases
}

pub fn cases() -> Vec<Case> {
    let mut cases = launches();
    let floats: Vec<f32> = (0..256).map(|k| k as f32).collect();
    let ordered: Vec<f32> = (0..256).map(|k| (k / 32 * 32 + k % 4 * 8 + k / 4 % 8) as f32).collect();
    let halves: Vec<u16> = (0..128).map(|k| k * 11).collect();
    let doubled: Vec<u16> = halves.iter().map(|half| half * 2).collect();
    let case = Case::of(&BLOCKS_OF_EIGHT).input(&floats).output(&ordered).output(&doubled);
    cases.push(case.input(&halves).groups([2], [32]));
    let x: Vec<u32> = summands(48);
    // Two groups beside each other.
    let sums: Vec<u32> =
        (0..48).map(|i| x[i / 8 * 8..][..8].iter().sum::<u32>() * 10 + (i / 16) as u32).collect();
    cases.push(Case::of(&ROWS_OF_EIGHT).input(&x).output(&sums).groups([2, 1], [8, 3]));
    cases
}
