//! What the work-items of a work-group know and do together.

use super::case::Case;
use super::folding::{LAUNCHES, summands};
use kernel_runtime::prelude::*;

/// Launches may have another size than the one that the compiler expects.
#[kernel(group_size_hint = (4, 4))]
pub fn with_a_hint(ids: &mut [usize]) {
    let i = global_id(1) * global_size(0) + global_id(0);
    ids[i] = work_group::local_linear_id();
}

#[kernel]
pub fn linear_ids(ids: &mut [usize]) {
    ids[global_id(0)] = work_group::local_linear_id() * 100 + work_group::size();
}

#[kernel]
pub fn linear_ids_in_space(ids: &mut [usize]) {
    let i = (global_id(2) * global_size(1) + global_id(1)) * global_size(0) + global_id(0);
    ids[i] = work_group::local_linear_id() * 100 + work_group::size();
}

#[kernel]
pub fn votes_of_group(x: &[u32], all: &mut [bool], any: &mut [bool]) {
    let i = global_id(0);
    all[i] = work_group::all(x[i] < 5);
    any[i] = work_group::any(x[i] > 5);
}

/// Again and again, with a barrier where all agree on going on.
#[kernel]
pub fn until_none_is_left(x: &[u32], rounds: &mut [u32], sums: &mut [u32]) {
    let i = global_id(0);
    let (mut left, mut sum) = (x[i], 0);
    rounds[i] = 0;
    while work_group::any(left > 0) {
        sum += work_group::reduce_add(left);
        barrier();
        left = left.saturating_sub(work_group::broadcast(1, 0));
        rounds[i] += 1;
    }
    sums[i] = sum;
}

/// An id that no work-item has is an index out of bounds.
#[kernel]
pub fn broadcast_in_group(id: usize, x: &[f32], flags: &[bool], result: &mut [f32], flag: &mut [bool]) {
    let i = global_id(0);
    result[i] = work_group::broadcast(x[i], id);
    flag[i] = work_group::broadcast(flags[i], work_group::size() - 1);
}

#[kernel]
pub fn broadcast_in_plane(id: usize, result: &mut [usize]) {
    let i = global_id(1) * global_size(0) + global_id(0);
    result[i] = work_group::broadcast(i, id);
}

/// Where each group's part starts, as when elements are packed.
#[kernel]
pub fn packed(x: &[i32], result: &mut [i32], counts: &mut [usize]) {
    let i = global_id(0);
    let keep = x[i] > 0;
    let place = work_group::scan_exclusive_add(keep as usize);
    let count = work_group::reduce_add(keep as usize);
    let mut kept = Local::<[i32; 64]>::new();
    if keep {
        kept[place] = x[i];
    }
    barrier();
    result[i] = if local_id(0) < count { kept[local_id(0)] } else { 0 };
    counts[i] = count;
}

fn launches() -> Vec<Case> {
    let mut cases = Vec::new();
    for (groups, size) in LAUNCHES {
        let (count, size) = ((groups * size) as usize, size as usize);
        let launch = |case: Case| case.groups([groups], [size as u32]);
        let x: Vec<u32> = summands(count);
        let of_groups = |of: &dyn Fn(&[u32]) -> u32| -> Vec<u32> {
            x.chunks(size).flat_map(|group| vec![of(group); group.len()]).collect()
        };
        let flags = |of: &dyn Fn(&[u32]) -> bool| -> Vec<bool> {
            x.chunks(size).flat_map(|group| vec![of(group); group.len()]).collect()
        };
        let ids: Vec<usize> = (0..count).map(|i| i % size * 100 + size).collect();
        cases.push(launch(Case::of(&LINEAR_IDS).output(&ids)));
        cases.push(launch(
            Case::of(&VOTES_OF_GROUP)
                .input(&x)
                .output(&flags(&|group| group.iter().all(|&x| x < 5)))
                .output(&flags(&|group| group.iter().any(|&x| x > 5))),
        ));
        let triangle = |&x: &u32| x * (x + 1) / 2;
        cases.push(launch(
            Case::of(&UNTIL_NONE_IS_LEFT)
                .input(&x)
                .output(&of_groups(&|group| group.iter().copied().fold(0, u32::max)))
                .output(&of_groups(&|group| group.iter().map(triangle).sum())),
        ));
        let real: Vec<f32> = (0..count).map(|k| k as f32 + 0.5).collect();
        let given: Vec<bool> = x.iter().map(|x| x % 2 == 0).collect();
        let id = size / 2;
        let chosen: Vec<f32> = (0..count).map(|i| real[i / size * size + id]).collect();
        let flag: Vec<bool> = (0..count).map(|i| given[i / size * size + size - 1]).collect();
        cases.push(launch(
            Case::of(&BROADCAST_IN_GROUP).scalar(id).input(&real).input(&given).output(&chosen).output(&flag),
        ));
        let signed: Vec<i32> = summands(count);
        let (mut kept, mut counts) = (Vec::new(), Vec::new());
        for group in signed.chunks(size) {
            let own: Vec<i32> = group.iter().copied().filter(|&x| x > 0).collect();
            kept.extend((0..group.len()).map(|l| own.get(l).copied().unwrap_or(0)));
            counts.extend(vec![own.len(); group.len()]);
        }
        cases.push(launch(Case::of(&PACKED).input(&signed).output(&kept).output(&counts)));
    }
    cases
}

pub fn cases() -> Vec<Case> {
    let mut cases = launches();
    for (width, height) in [(4_usize, 4_usize), (3, 2)] {
        let ids: Vec<usize> = (0..2 * width * height).map(|i| i / (2 * width) * width + i % width).collect();
        cases.push(Case::of(&WITH_A_HINT).output(&ids).groups([2, 1], [width as u32, height as u32]));
    }
    let space = |i: usize| {
        let (x, y, z) = (i % 6 % 3, i / 6 % 4 % 2, i / 24 % 4);
        ((z * 2 + y) * 3 + x) * 100 + 24
    };
    let ids: Vec<usize> = (0..96).map(space).collect();
    cases.push(Case::of(&LINEAR_IDS_IN_SPACE).output(&ids).groups([2, 2, 1], [3, 2, 4]));
    let chosen = |i: usize| {
        let (group_x, group_y) = (i % 10 / 5, i / 10 / 3);
        // The work-item 7 of a group of 5 by 3 is in column 2 of row 1.
        (group_y * 3 + 1) * 10 + group_x * 5 + 2
    };
    let chosen: Vec<usize> = (0..60).map(chosen).collect();
    cases.push(Case::of(&BROADCAST_IN_PLANE).scalar(7_usize).output(&chosen).groups([2, 2], [5, 3]));
    cases
}
