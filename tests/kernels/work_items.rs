//! Ids and sizes of work-items and work-groups in one, two and three dimensions.

use super::case::Case;
use kernel_runtime::prelude::*;

#[kernel]
pub fn one_dimension(result: &mut [usize]) {
    let i = global_id(0);
    result[i] = ((local_id(0) * 100 + local_size(0)) * 100 + group_id(0)) * 100
        + num_groups(0)
        + global_size(0) * 1_000_000_000;
}

#[kernel]
pub fn two_dimensions(ids: &mut [u32], sizes: &mut [u32]) {
    let i = global_id(1) * global_size(0) + global_id(0);
    ids[i] = (((local_id(0) * 16 + local_id(1)) * 16 + group_id(0)) * 16 + group_id(1)) as u32;
    sizes[i] = (((local_size(0) * 16 + local_size(1)) * 16 + num_groups(0)) * 16 + num_groups(1)) as u32;
}

#[kernel]
pub fn three_dimensions(ids: &mut [u64], sizes: &mut [u64]) {
    let i = (global_id(2) * global_size(1) + global_id(1)) * global_size(0) + global_id(0);
    let local = (local_id(0) * 16 + local_id(1)) * 16 + local_id(2);
    let group = (group_id(0) * 16 + group_id(1)) * 16 + group_id(2);
    ids[i] = (local * 4096 + group) as u64;
    let size = (local_size(0) * 16 + local_size(1)) * 16 + local_size(2);
    let count = (num_groups(0) * 16 + num_groups(1)) * 16 + num_groups(2);
    sizes[i] = (size * 4096 + count) as u64;
}

/// Work-groups and their size, with the ids of each work-item in the order of its place in memory.
struct Grid {
    groups: [usize; 3],
    group_size: [usize; 3],
}

impl Grid {
    /// A function of each work-item's local id and group id.
    fn map<R>(&self, function: impl Fn([usize; 3], [usize; 3]) -> R) -> Vec<R> {
        let size: [usize; 3] = std::array::from_fn(|d| self.groups[d] * self.group_size[d]);
        (0..size.iter().product())
            .map(|i| {
                let global = [i % size[0], i / size[0] % size[1], i / size[0] / size[1]];
                let local = std::array::from_fn(|d| global[d] % self.group_size[d]);
                let group = std::array::from_fn(|d| global[d] / self.group_size[d]);
                function(local, group)
            })
            .collect()
    }
}

/// Digits of base 16.
fn pack(digits: &[usize]) -> usize {
    digits.iter().fold(0, |packed, digit| packed * 16 + digit)
}

pub fn cases() -> Vec<Case> {
    let line = Grid { groups: [5, 1, 1], group_size: [6, 1, 1] };
    let plane = Grid { groups: [3, 2, 1], group_size: [2, 5, 1] };
    let space = Grid { groups: [2, 3, 4], group_size: [3, 2, 1] };
    let one = line.map(|local, group| local[0] * 1_000_000 + 60_000 + group[0] * 100 + 5 + 30_000_000_000);
    let two = plane.map(|local, group| pack(&[local[0], local[1], group[0], group[1]]) as u32);
    let three = space.map(|local, group| pack(&[local, group].concat()) as u64);
    vec![
        Case::of(&ONE_DIMENSION).output(&one).groups([5], [6]),
        Case::of(&TWO_DIMENSIONS)
            .output(&two)
            .output(&plane.map(|_, _| pack(&[2, 5, 3, 2]) as u32))
            .groups([3, 2], [2, 5]),
        Case::of(&THREE_DIMENSIONS)
            .output(&three)
            .output(&space.map(|_, _| pack(&[3, 2, 1, 2, 3, 4]) as u64))
            .groups([2, 3, 4], [3, 2, 1]),
    ]
}
