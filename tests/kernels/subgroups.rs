//! What the work-items of a subgroup know and do together. Most kernels fix its size, so that their results are the same on every device.

use super::case::{Case, ExpectedFault};
use super::folding::{Among, LAUNCHES, SUBGROUP, summands};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

#[kernel(subgroup_size = 16)]
pub fn subgroup_ids(ids: &mut [usize], sizes: &mut [usize]) {
    let i = global_id(0);
    ids[i] = subgroup::id() * 100 + subgroup::local_id();
    sizes[i] = (subgroup::size() * 100 + subgroup::count()) * 100 + subgroup::max_size();
}

/// Of any size: what each knows of its place agrees with what the others know.
#[kernel]
pub fn any_size(x: &[u32], agrees: &mut [bool]) {
    let mut shared = Local::<[u32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    shared[l] = x[i];
    barrier();
    let mut sum = 0;
    let first = l - subgroup::local_id();
    for k in first..first + subgroup::size() {
        sum += shared[k];
    }
    let all_known = subgroup::reduce_add(1_u32) as usize == subgroup::size();
    let in_order = subgroup::id() * subgroup::max_size() + subgroup::local_id() == l;
    let same_sum = subgroup::reduce_add(x[i]) == sum;
    agrees[i] = all_known && in_order && same_sum;
}

/// The ids index arrays without a check.
#[kernel(group_size = 64)]
pub fn totals_in_local_memory(x: &[f32], sums: &mut [f32]) {
    let mut totals = Local::<[f32; 16]>::new();
    let total = subgroup::reduce_add(x[global_id(0)]);
    if subgroup::local_id() == 0 {
        totals[subgroup::id()] = total;
    }
    barrier();
    if local_id(0) == 0 {
        let mut sum = 0.0;
        for k in 0..subgroup::count() {
            sum += totals[k];
        }
        sums[group_id(0)] = sum;
    }
}

#[kernel(subgroup_size = 16)]
pub fn votes(x: &[u32], all: &mut [bool], any: &mut [bool], ballots: &mut [u64]) {
    let i = global_id(0);
    all[i] = subgroup::all(x[i] < 4);
    any[i] = subgroup::any(x[i] > 5);
    ballots[i] = subgroup::ballot(x[i] % 3 == 0);
}

/// A condition that all of a subgroup agree on may guard what they do together.
#[kernel(subgroup_size = 16)]
pub fn in_uniform_flow(x: &[i32], result: &mut [i32]) {
    let i = global_id(0);
    result[i] = -1;
    if subgroup::any(x[i] > 2) {
        result[i] = subgroup::reduce_max(x[i]);
    }
    let mut rounds = 0;
    while subgroup::any(rounds < x[i]) {
        rounds += subgroup::broadcast(2, 0);
    }
    result[i] += 100 * rounds;
}

/// Work-items that have parted are together again after it.
#[kernel(subgroup_size = 16)]
pub fn after_divergent_flow(x: &[i32], result: &mut [i32]) {
    let i = global_id(0);
    let mut sum = 0;
    for k in 0..x[i] {
        if k == 2 {
            continue;
        }
        sum += k;
    }
    if sum % 2 == 0 {
        sum += 10;
    } else {
        sum -= 1;
    }
    result[i] = subgroup::scan_inclusive_add(sum);
}

#[device]
fn mean(x: f32) -> f32 {
    subgroup::reduce_add(x) / subgroup::size() as f32
}

#[kernel(subgroup_size = 16)]
pub fn in_a_function(x: &[f32], result: &mut [f32]) {
    result[global_id(0)] = x[global_id(0)] - mean(x[global_id(0)]);
}

#[kernel(T = [u32, f64], subgroup_size = 16)]
pub fn generic_in_subgroup<T: Number>(x: &[T], result: &mut [T]) {
    let i = global_id(0);
    result[i] = subgroup::reduce_max(x[i]) + subgroup::reduce_mul(T::ONE);
}

/// In two dimensions it is the device's choice which work-items make a subgroup, but all are in one.
#[kernel(group_size = (4, 8))]
pub fn in_two_dimensions(agrees: &mut [bool]) {
    let i = global_id(1) * global_size(0) + global_id(0);
    let size = subgroup::reduce_add(1_usize);
    let before = subgroup::scan_exclusive_add(1_usize);
    let firsts = work_group::reduce_add((subgroup::local_id() == 0) as usize);
    agrees[i] = size == subgroup::size() && before == subgroup::local_id() && firsts == subgroup::count();
}

/// What the work-items of a subgroup leave in local memory for each other.
#[kernel(unsafe(races(shared)))]
pub fn handed_on(x: &[u32], result: &mut [u32]) {
    let mut shared = Local::<[u32; 64]>::new();
    let (l, i) = (local_id(0), global_id(0));
    shared[l] = x[i];
    subgroup::barrier();
    result[i] = shared[l - subgroup::local_id()];
    subgroup::barrier();
    result[i] -= subgroup::broadcast(x[i], 0);
}

/// An id that no work-item has is an index out of bounds.
#[kernel(subgroup_size = 16)]
pub fn broadcast_from(id: usize, x: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    result[i] = subgroup::broadcast(x[i], id);
}

/// What one value of each work-item comes to for its subgroup.
fn of_each<T, R: Copy>(x: &[T], size: u32, of: impl Fn(&[T]) -> R) -> Vec<R> {
    let groups = Among::Subgroup.split(x, size);
    groups.into_iter().flat_map(|group| vec![of(group); group.len()]).collect()
}

fn launches() -> Vec<Case> {
    let mut cases = Vec::new();
    for (groups, size) in LAUNCHES {
        let count = (groups * size) as usize;
        let launch = |case: Case| case.groups([groups], [size]);
        let local = |i: usize| i % size as usize;
        let x: Vec<u32> = summands(count);
        let signed: Vec<i32> = summands(count);
        let real: Vec<f32> = summands(count);
        let subgroups = (size as usize).div_ceil(SUBGROUP);
        let ids: Vec<usize> = (0..count).map(|i| local(i) / SUBGROUP * 100 + local(i) % SUBGROUP).collect();
        let sizes = of_each(&x, size, |group| (group.len() * 100 + subgroups) * 100 + SUBGROUP);
        cases.push(launch(Case::of(&SUBGROUP_IDS).output(&ids).output(&sizes)));
        cases.push(launch(Case::of(&ANY_SIZE).input(&x).output(&vec![true; count])));
        cases.push(launch(Case::of(&HANDED_ON).input(&x).output(&vec![0_u32; count])));
        let ballot =
            |group: &[u32]| group.iter().rev().fold(0_u64, |bits, x| bits << 1 | u64::from(x % 3 == 0));
        cases.push(launch(
            Case::of(&VOTES)
                .input(&x)
                .output(&of_each(&x, size, |group| group.iter().all(|&x| x < 4)))
                .output(&of_each(&x, size, |group| group.iter().any(|&x| x > 5)))
                .output(&of_each(&x, size, ballot)),
        ));
        let greatest = |group: &[i32]| group.iter().copied().fold(i32::MIN, i32::max);
        let guarded = of_each(&signed, size, |group| {
            let greatest = greatest(group);
            let rounds = (greatest.max(0) + 1) / 2 * 2;
            (if greatest > 2 { greatest } else { -1 }) + 100 * rounds
        });
        cases.push(launch(Case::of(&IN_UNIFORM_FLOW).input(&signed).output(&guarded)));
        let own = |&x: &i32| {
            let sum: i32 = (0..x).filter(|&k| k != 2).sum();
            if sum % 2 == 0 { sum + 10 } else { sum - 1 }
        };
        let mut scans = Vec::new();
        for group in Among::Subgroup.split(&signed, size) {
            scans.extend(group.iter().map(own).scan(0, |sum, x| {
                *sum += x;
                Some(*sum)
            }));
        }
        cases.push(launch(Case::of(&AFTER_DIVERGENT_FLOW).input(&signed).output(&scans)));
        let means = of_each(&real, size, |group| group.iter().sum::<f32>() / group.len() as f32);
        let differences: Vec<f32> = real.iter().zip(&means).map(|(x, mean)| x - mean).collect();
        cases.push(launch(Case::of(&IN_A_FUNCTION).input(&real).output(&differences)));
        let greatest = of_each(&x, size, |group| group.iter().copied().fold(0, u32::max) + 1);
        cases.push(launch(Case::of(&GENERIC_IN_SUBGROUP_U32).input(&x).output(&greatest)));
    }
    cases
}

pub fn cases() -> Vec<Case> {
    let mut cases = launches();
    let x: Vec<f32> = summands(128);
    let sums: Vec<f32> = x.chunks(64).map(|group| group.iter().sum()).collect();
    cases.push(Case::of(&TOTALS_IN_LOCAL_MEMORY).input(&x).output(&sums).groups([2], [64]));
    cases.push(Case::of(&IN_TWO_DIMENSIONS).output(&[true; 128]).groups([2, 2], [4, 8]));
    let wide: Vec<f64> = summands(20);
    let greatest = of_each(&wide, 20, |group| group.iter().copied().fold(f64::MIN, f64::max) + 1.0);
    cases.push(Case::of(&GENERIC_IN_SUBGROUP_F64).input(&wide).output(&greatest).groups([1], [20]));
    let sixteen: Vec<u32> = (0..16).map(|k| 7 * k + 3).collect();
    let fault = ExpectedFault::new(FaultKind::IndexOutOfBounds).count(16).values([20, 16]);
    cases.push(
        Case::of(&BROADCAST_FROM)
            .label("from nobody")
            .scalar(20_usize)
            .input(&sixteen)
            .output(&[3_u32; 16])
            .groups([1], [16])
            .faults(fault.at("subgroup::broadcast(x[i], id)")),
    );
    let x: Vec<u32> = (0..20).map(|k| 7 * k).collect();
    let from_three = of_each(&x, 20, |group| group[3]);
    cases.push(Case::of(&BROADCAST_FROM).scalar(3_usize).input(&x).output(&from_three).groups([1], [20]));
    cases
}
