//! Subgroups of 32 work-items, on devices that have such.

use super::case::Case;
use super::folding::{LAUNCHES, others, summands};
use super::subgroup_sizes::Kernels;
use kernel_runtime::prelude::*;

#[kernel(subgroup_size = 32)]
pub fn ids_in_32(ids: &mut [usize], sizes: &mut [usize]) {
    let i = global_id(0);
    ids[i] = subgroup::id() * 100 + subgroup::local_id();
    sizes[i] = (subgroup::size() * 100 + subgroup::count()) * 100 + subgroup::max_size();
}

#[kernel(subgroup_size = 32)]
pub fn sums_of_32(x: &[i32], all: &mut [i32], up_to: &mut [i32], before: &mut [f64], greatest: &mut [i32]) {
    let i = global_id(0);
    all[i] = subgroup::reduce_add(x[i]);
    up_to[i] = subgroup::scan_inclusive_add(x[i]);
    before[i] = subgroup::scan_exclusive_add(x[i] as f64);
    greatest[i] = subgroup::reduce_max(x[i]);
}

#[kernel(subgroup_size = 32)]
pub fn votes_of_32(x: &[u32], all: &mut [bool], any: &mut [bool], ballots: &mut [u64]) {
    let i = global_id(0);
    all[i] = subgroup::all(x[i] < 5);
    any[i] = subgroup::any(x[i] > 5);
    ballots[i] = subgroup::ballot(x[i] % 3 == 0);
}

#[kernel(subgroup_size = 32)]
pub fn shuffled_in_32(x: &[u32], ids: &[usize], result: &mut [u32], first: &mut [u32]) {
    let i = global_id(0);
    result[i] = subgroup::shuffle(x[i], ids[i]);
    first[i] = subgroup::broadcast(x[i], 0);
}

#[kernel(subgroup_size = 32)]
pub fn neighbours_in_32(distance: usize, x: &[u32], up: &mut [u32], down: &mut [u32], xor: &mut [u32]) {
    let i = global_id(0);
    up[i] = subgroup::shuffle_up(x[i], distance);
    down[i] = subgroup::shuffle_down(x[i], distance);
    xor[i] = subgroup::shuffle_xor(x[i], distance);
}

/// The lanes are as far from each other as a whole subgroup has work-items.
#[kernel(group_size = 64, subgroup_size = 32)]
pub fn blocks_of_32(x: &[f32], y: &mut [f32], z: &mut [u16], halves: &[u16]) {
    let start = group_id(0) * local_size(0) + subgroup::id() * subgroup::max_size();
    let lanes = subgroup::block_read4(x, start * 4);
    lanes.store(y, global_id(0) * 4);
    let own = subgroup::block_read2(halves, start * 2);
    subgroup::block_write2(z, start * 2, own + own);
}

/// Work-items part, meet, hand on to other subgroups by local memory, and fold what comes.
#[kernel(subgroup_size = 32)]
pub fn parted_after_a_barrier(x: &[u32], result: &mut [u32]) {
    let mut shared = Local::<[u32; 128]>::new();
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
#[kernel(group_size = (32, 3), subgroup_size = 32)]
pub fn rows_of_32(x: &[u32], sums: &mut [u32]) {
    let i = global_id(1) * global_size(0) + global_id(0);
    sums[i] = subgroup::reduce_add(x[i]) * 10 + subgroup::id() as u32;
}

/// Numbers of other sizes, and an order of sums that shows.
#[kernel(subgroup_size = 32)]
pub fn types_in_32(
    x: &[u32],
    ids: &[usize],
    bytes: &mut [u8],
    longs: &mut [u64],
    sum: &mut [f32],
    least: &mut [f64],
    up_to: &mut [u64],
) {
    let i = global_id(0);
    let real = 1.0 / (x[i] as f32 + 3.0);
    bytes[i] = subgroup::shuffle(x[i] as u8 ^ 0xa0, ids[i]);
    longs[i] = subgroup::shuffle((x[i] as u64) << 33 | i as u64, ids[i]);
    sum[i] = subgroup::reduce_add(real);
    least[i] = subgroup::reduce_min(real as f64);
    up_to[i] = subgroup::scan_inclusive_max((x[i] as u64) << 33);
}

/// Some work-items go by themselves, with memory of their own: all of the first sixteen, some of them, or none.
#[kernel(subgroup_size = 32)]
pub fn apart_in_32(from: usize, to: usize, x: &[u32], y: &mut [u32], result: &mut [u32]) {
    let (i, lane) = (global_id(0), subgroup::local_id());
    let mut table = [0_u32; 5];
    let mut sum = 0;
    if lane >= from && lane < to {
        let mut k = 0;
        while k < x[i] as usize + lane % 3 {
            table[(k + lane) % 5] += x[i] + k as u32;
            k += 1;
        }
        y[i] = table[lane % 5] + 7;
        sum = table[k % 5] + k as u32;
    }
    // What those that were elsewhere have is as it was.
    result[i] = subgroup::reduce_add(sum) * 100 + table[i % 5];
}

fn types(kernels: &Kernels, groups: u32, group_size: u32) -> Case {
    let count = (groups * group_size) as usize;
    let (x, from) = (summands::<u32>(count), others(count));
    let taken = |i: usize, _: usize| from[i];
    let bytes: Vec<u8> = x.iter().map(|&x| x as u8 ^ 0xa0).collect();
    let longs: Vec<u64> = x.iter().enumerate().map(|(i, &x)| u64::from(x) << 33 | i as u64).collect();
    let real = |&x: &u32| 1.0 / (x as f32 + 3.0);
    let sum = |group: &[u32]| group.iter().fold(-0.0, |sum: f32, x| sum + real(x));
    let least = |group: &[u32]| group.iter().map(|x| f64::from(real(x))).fold(f64::INFINITY, f64::min);
    let mut up_to = Vec::new();
    for group in x.chunks(group_size as usize).flat_map(|group| group.chunks(32)) {
        let mut greatest = 0;
        up_to.extend(group.iter().map(|&x| {
            greatest = greatest.max(u64::from(x) << 33);
            greatest
        }));
    }
    let case = Case::of(&TYPES_IN_32).input(&x).input(&from);
    let case = case.output(&kernels.taken(&bytes, group_size, taken));
    let case = case.output(&kernels.taken(&longs, group_size, taken));
    let case = case.output(&kernels.of_each(&x, group_size, sum));
    let case = case.output(&kernels.of_each(&x, group_size, least)).output(&up_to);
    case.ulps(16).groups([groups], [group_size])
}

fn apart(kernels: &Kernels, (groups, group_size): (u32, u32), [from, to]: [usize; 2]) -> Case {
    let count = (groups * group_size) as usize;
    let x = summands::<u32>(count);
    let (mut y, mut sums, mut tables) = (vec![1; count], vec![0; count], vec![[0; 5]; count]);
    for i in 0..count {
        let lane = i % group_size as usize % 32;
        if lane >= from && lane < to {
            let end = x[i] as usize + lane % 3;
            (0..end).for_each(|k| tables[i][(k + lane) % 5] += x[i] + k as u32);
            y[i] = tables[i][lane % 5] + 7;
            sums[i] = tables[i][end % 5] + end as u32;
        }
    }
    let sums = kernels.of_each(&sums, group_size, |group| group.iter().sum::<u32>());
    let result: Vec<u32> = (0..count).map(|i| sums[i] * 100 + tables[i][i % 5]).collect();
    let case = Case::of(&APART_IN_32).scalar(from).scalar(to).input(&x);
    case.update(&vec![1_u32; count], &y).output(&result).groups([groups], [group_size])
}

pub fn cases() -> Vec<Case> {
    let kernels = Kernels {
        size: 32,
        ids: &IDS_IN_32,
        sums: &SUMS_OF_32,
        votes: &VOTES_OF_32,
        shuffled: &SHUFFLED_IN_32,
        neighbours: &NEIGHBOURS_IN_32,
        after_a_barrier: &PARTED_AFTER_A_BARRIER,
        blocks: &BLOCKS_OF_32,
        rows: &ROWS_OF_32,
    };
    let mut cases: Vec<Case> = kernels.blocks_and_rows().into();
    // Of whole subgroups, and with such at the end as have more than sixteen work-items, just as many, or fewer.
    for (groups, group_size) in LAUNCHES.into_iter().chain([(2, 48), (1, 33), (2, 96), (1, 61)]) {
        cases.extend(kernels.launches(groups, group_size));
        cases.push(types(&kernels, groups, group_size));
        for lanes in [[0, 16], [16, 32], [16, 17], [3, 29], [0, 0]] {
            cases.push(apart(&kernels, (groups, group_size), lanes));
        }
    }
    cases
}
