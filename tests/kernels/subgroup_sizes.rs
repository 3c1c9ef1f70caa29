//! Subgroups of eight work-items, on devices that have such.

use super::case::Case;
use super::folding::{LAUNCHES, others, summands};
use kernel_core::KernelDescriptor;
use kernel_runtime::prelude::*;

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

/// The kernels of a size of subgroups, which differ in nothing else.
pub struct Kernels {
    /// How many work-items the subgroups have.
    pub size: usize,
    pub ids: &'static KernelDescriptor,
    pub sums: &'static KernelDescriptor,
    pub votes: &'static KernelDescriptor,
    pub shuffled: &'static KernelDescriptor,
    pub neighbours: &'static KernelDescriptor,
    pub after_a_barrier: &'static KernelDescriptor,
    pub blocks: &'static KernelDescriptor,
    pub rows: &'static KernelDescriptor,
}

impl Kernels {
    fn split<'a, T>(&self, x: &'a [T], group_size: u32) -> Vec<&'a [T]> {
        x.chunks(group_size as usize).flat_map(|group| group.chunks(self.size)).collect()
    }

    /// What one value of each work-item comes to for its subgroup.
    pub fn of_each<T, R: Copy>(&self, x: &[T], group_size: u32, of: impl Fn(&[T]) -> R) -> Vec<R> {
        self.split(x, group_size).into_iter().flat_map(|group| vec![of(group); group.len()]).collect()
    }

    /// What each work-item takes from another one, or its own value if there is none.
    pub fn taken<T: Copy>(&self, x: &[T], group_size: u32, from: impl Fn(usize, usize) -> usize) -> Vec<T> {
        let mut result = Vec::new();
        for group in self.split(x, group_size) {
            let start = result.len();
            result.extend((0..group.len()).map(|lane| {
                let id = from(start + lane, lane);
                group[if id < group.len() { id } else { lane }]
            }));
        }
        result
    }

    /// So many work-groups of some size.
    pub fn launches(&self, groups: u32, group_size: u32) -> Vec<Case> {
        let (size, count) = (self.size, (groups * group_size) as usize);
        let mut cases = Vec::new();
        let mut add = |case: Case| cases.push(case.groups([groups], [group_size]));
        let local = |i: usize| i % group_size as usize;
        let (x, signed) = (summands::<u32>(count), summands::<i32>(count));
        let subgroups = (group_size as usize).div_ceil(size);
        let ids: Vec<usize> = (0..count).map(|i| local(i) / size * 100 + local(i) % size).collect();
        let sizes = self.of_each(&x, group_size, |group| (group.len() * 100 + subgroups) * 100 + size);
        add(Case::of(self.ids).output(&ids).output(&sizes));

        let (mut up_to, mut before) = (Vec::new(), Vec::new());
        for group in self.split(&signed, group_size) {
            let mut sum = 0;
            for x in group {
                before.push(f64::from(sum));
                sum += x;
                up_to.push(sum);
            }
        }
        let all = self.of_each(&signed, group_size, |group| group.iter().sum::<i32>());
        let greatest =
            self.of_each(&signed, group_size, |group| group.iter().copied().fold(i32::MIN, i32::max));
        let case = Case::of(self.sums).input(&signed).output(&all).output(&up_to);
        add(case.output(&before).output(&greatest));

        let ballot =
            |group: &[u32]| group.iter().rev().fold(0_u64, |bits, x| bits << 1 | u64::from(x % 3 == 0));
        let case = Case::of(self.votes).input(&x);
        let case = case.output(&self.of_each(&x, group_size, |group| group.iter().all(|&x| x < 5)));
        let case = case.output(&self.of_each(&x, group_size, |group| group.iter().any(|&x| x > 5)));
        add(case.output(&self.of_each(&x, group_size, ballot)));

        let taken = |from: &dyn Fn(usize, usize) -> usize| self.taken(&x, group_size, from);
        let from = others(count);
        let case = Case::of(self.shuffled).input(&x).input(&from);
        add(case.output(&taken(&|i, _| from[i])).output(&taken(&|_, _| 0)));
        for distance in [0, 1, 5, 8, 19, usize::MAX] {
            let case = Case::of(self.neighbours).scalar(distance).input(&x);
            let case = case.output(&taken(&|_, lane| lane.wrapping_sub(distance)));
            let case = case.output(&taken(&|_, lane| lane.saturating_add(distance)));
            add(case.output(&taken(&|_, lane| lane ^ distance)));
        }

        let own = |&x: &u32| (0..x).filter(|&k| k != 2).map(|k| k + 1).sum::<u32>();
        let mut after = Vec::new();
        for group in x.chunks(group_size as usize) {
            let others: Vec<u32> = group.iter().rev().map(own).collect();
            for subgroup in others.chunks(size) {
                after.extend(vec![subgroup.iter().sum::<u32>() * 100 + group_size; subgroup.len()]);
            }
        }
        add(Case::of(self.after_a_barrier).input(&x).output(&after));
        cases
    }

    /// Blocks, and groups in two dimensions.
    pub fn blocks_and_rows(&self) -> [Case; 2] {
        let size = self.size;
        let group = if size < 32 { 32 } else { 2 * size };
        let floats: Vec<f32> = (0..8 * group).map(|k| k as f32).collect();
        // Each subgroup reads four vectors of neighbours, of which a work-item has one number each.
        let place = |k: usize| k / (4 * size) * (4 * size) + k % 4 * size + k / 4 % size;
        let ordered: Vec<f32> = (0..8 * group).map(|k| place(k) as f32).collect();
        let halves: Vec<u16> = (0..4 * group as u16).map(|k| k * 11).collect();
        let doubled: Vec<u16> = halves.iter().map(|half| half * 2).collect();
        let case = Case::of(self.blocks).input(&floats).output(&ordered).output(&doubled);
        let blocks = case.input(&halves).groups([2], [group as u32]);
        let x: Vec<u32> = summands(6 * size);
        // Two groups beside each other.
        let sum = |i: usize| x[i / size * size..][..size].iter().sum::<u32>() * 10;
        let sums: Vec<u32> = (0..6 * size).map(|i| sum(i) + (i / (2 * size)) as u32).collect();
        let rows = Case::of(self.rows).input(&x).output(&sums).groups([2, 1], [size as u32, 3]);
        [blocks, rows]
    }
}

pub fn cases() -> Vec<Case> {
    let kernels = Kernels {
        size: 8,
        ids: &IDS_IN_EIGHT,
        sums: &SUMS_OF_EIGHT,
        votes: &VOTES_OF_EIGHT,
        shuffled: &SHUFFLED_IN_EIGHT,
        neighbours: &NEIGHBOURS_IN_EIGHT,
        after_a_barrier: &AFTER_A_BARRIER,
        blocks: &BLOCKS_OF_EIGHT,
        rows: &ROWS_OF_EIGHT,
    };
    let launches = LAUNCHES.into_iter().flat_map(|(groups, size)| kernels.launches(groups, size));
    launches.chain(kernels.blocks_and_rows()).collect()
}
