//! Structs that hold raw pointers: by value, in buffers, in a list that is linked by them, and behind pointers to pointers.

use super::case::Case;
use kernel_runtime::prelude::*;

/// A view of numbers, as an argument.
#[device(impl)]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Column {
    start: *const f32,
    len: u32,
    scale: f32,
}

#[device]
impl Column {
    /// The sum of the numbers.
    ///
    /// # Safety
    ///
    /// There are as many as the length says.
    unsafe fn sum(&self) -> f32 {
        let mut sum = 0.0;
        for i in 0..self.len as usize {
            // SAFETY: the caller vouches for the numbers.
            sum += unsafe { *self.start.add(i) };
        }
        sum * self.scale
    }
}

/// Input and output in one argument, one inside of another struct.
#[device]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Task {
    input: Column,
    outputs: [*mut u32; 2],
    add: u8,
}

#[kernel]
pub unsafe fn task_by_value(task: Task) {
    let i = global_id(0);
    // SAFETY: who launches the kernel vouches for as many numbers as work-items in each.
    unsafe {
        let value = *task.input.start.add(i) * task.input.scale;
        let Task { outputs: [first, _], add, .. } = task;
        *first.add(i) = value as u32 + add as u32;
        *task.outputs[(i + 1) % 2].add(i) += task.input.len;
    }
}

/// Pointers in a buffer, which the kernel changes.
#[kernel]
pub unsafe fn columns(columns: &mut [Column], sums: &mut [f32]) {
    let i = global_id(0);
    // SAFETY: who launches the kernel vouches for the numbers.
    sums[i] = unsafe { columns[i].sum() };
    if columns[i].len == 0 {
        columns[i].start = std::ptr::null();
    } else {
        columns[i].start = columns[i].start.wrapping_add(1);
        columns[i].len -= 1;
    }
}

/// Types that lead to each other.
#[device]
pub mod graph {
    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct Node {
        pub value: u32,
        pub next: *mut Node,
        pub other: *const Pair,
    }

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct Pair {
        pub nodes: [*const Node; 2],
    }
}
use graph::{Node, Pair};

/// A list by itself.
#[device]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Item {
    previous: *const Item,
    weight: f32,
}

/// Finds the heaviest of each list.
#[kernel]
pub unsafe fn heaviest(lists: &[Item], result: &mut [f32]) {
    let i = global_id(0);
    let mut item = lists[i];
    let mut most = item.weight;
    // SAFETY: who launches the kernel vouches for the lists.
    while let Some(previous) = unsafe { item.previous.as_ref() } {
        most = most.max(previous.weight);
        item = *previous;
    }
    result[i] = most;
}

/// Adds up a list from each of its nodes.
#[kernel]
pub unsafe fn linked(nodes: *mut Node, sums: &mut [u32]) {
    let i = global_id(0);
    // SAFETY: who launches the kernel vouches for the nodes, which lead to no others.
    unsafe {
        let mut node = nodes.add(i);
        let mut sum = 0_u32;
        while !node.is_null() {
            sum += (*node).value;
            if !(*node).other.is_null() {
                let pair = *(*node).other;
                sum += (*pair.nodes[sum as usize % 2]).value * 1000;
            }
            node = (*node).next;
        }
        sums[i] = sum;
    }
}

/// Unlinks what follows each node, after all have been read.
#[kernel(group_size = 4)]
pub unsafe fn unlinked(nodes: *mut Node, next: &mut [u32]) {
    let i = global_id(0);
    // SAFETY: who launches the kernel vouches for the nodes, of which each work-item changes its own.
    unsafe {
        let node = nodes.add(i);
        let Node { value, next: following, other } = *node;
        next[i] = if following.is_null() { value } else { (*following).value };
        barrier();
        *node = Node { value: value + 1, next: std::ptr::null_mut(), other };
    }
}

/// Pointers to pointers.
#[kernel]
pub unsafe fn rows(rows: *const *const i32, chosen: &[*const i32], y: &mut [i32]) {
    let i = global_id(0);
    // SAFETY: who launches the kernel vouches for the rows and their numbers.
    y[i] = unsafe { *(*rows.add(i)).add(1) - *chosen[i] };
}

/// Pointers in local memory and in generic structs.
#[device]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Tagged<T> {
    at: *const T,
    tag: T,
}

#[kernel(group_size = 4)]
pub unsafe fn shared_pointers(x: *const i64, tagged: Tagged<i64>, y: &mut [i64]) {
    let i = local_id(0);
    let mut tile = Local::<[*const i64; 4]>::new();
    let mut all = Local::<[Tagged<i64>; 4]>::new();
    tile[i] = x.wrapping_add(3 - i);
    all[i] = Tagged { at: tagged.at.wrapping_add(i), tag: tagged.tag + i as i64 };
    barrier();
    let other = all[3 - i];
    // SAFETY: who launches the kernel vouches for four numbers in each.
    y[global_id(0)] = unsafe { *tile[3 - i] * 100 + *other.at + other.tag };
}

/// A pointer so many bytes into the memory that it is linked to.
fn at<T>(bytes: usize) -> *mut T {
    std::ptr::without_provenance_mut(bytes)
}

fn node(value: u32, next: usize, other: usize) -> Node {
    Node { value, next: at(next), other: at(other) }
}

pub fn cases() -> Vec<Case> {
    let numbers = [1.0_f32, 2.0, 4.0, 8.0];
    let size = size_of::<Node>();
    let nodes = [node(1, 2 * size, 0), node(2, 0, 0), node(4, 3 * size, 0), node(8, size, 0)];
    let column = |start, len, scale| Column { start: at(start), len, scale };
    let item = |previous, weight| Item { previous: at(previous), weight };
    let items = [item(0, 2.0), item(32, 3.0), item(0, 5.5)];
    let pair = |first, second| [Pair { nodes: [at(first * size), at(second * size)] }];
    let linked = |case: Case, nodes: [Node; 4]| {
        let following = nodes.iter().enumerate().filter(|(_, node)| !node.next.is_null());
        following.fold(case, |case, (index, _)| case.link(0, index * size + 8, 0))
    };
    let unlinked = nodes.map(|Node { value, other, .. }| Node { value: value + 1, next: at(0), other });
    vec![
        Case::of(&TASK_BY_VALUE)
            .value(Task {
                input: Column { start: at(0), len: 100, scale: 2.0 },
                outputs: [at(0), at(4)],
                add: 5,
            })
            .elsewhere(&numbers, &numbers)
            .elsewhere(&[0_u32; 4], &[7, 109, 13, 121])
            .elsewhere(&[0_u32, 10, 20, 30, 40], &[0, 110, 20, 130, 40])
            .link(0, 0, 1)
            .link(0, 16, 2)
            .link(0, 24, 3)
            .items([4]),
        Case::of(&COLUMNS)
            .update(&[column(4, 2, 2.0), column(0, 0, 1.0)], &[column(8, 1, 2.0), column(0, 0, 1.0)])
            .output(&[12.0_f32, 0.0])
            .elsewhere(&numbers, &numbers)
            .link(0, 0, 2)
            .link(0, 16, 2)
            .items([2]),
        linked(Case::of(&LINKED).point_mut(&nodes, &nodes).output(&[2015_u32, 2, 4014, 4010]), nodes)
            .elsewhere(&pair(2, 1), &pair(2, 1))
            .link(0, 3 * size + 16, 2)
            .link(2, 0, 0)
            .link(2, 8, 0)
            .items([4]),
        linked(Case::of(&UNLINKED).point_mut(&nodes, &unlinked).output(&[4_u32, 2, 8, 2]), nodes).items([4]),
        Case::of(&HEAVIEST)
            .input(&[item(16, 1.0), item(0, 7.0), item(32, 9.0)])
            .output(&[5.5_f32, 7.0, 9.0])
            .elsewhere(&items, &items)
            .link(0, 0, 2)
            .link(0, 32, 2)
            .link(2, 16, 2)
            .link(2, 32, 2)
            .items([3]),
        Case::of(&ROWS)
            .point(&[at::<i32>(0).cast_const(), at::<i32>(8).cast_const()])
            .input(&[at::<i32>(4).cast_const(), at::<i32>(0).cast_const()])
            .output(&[18, 39])
            .elsewhere(&[10, 20, 30, 40], &[10, 20, 30, 40])
            .elsewhere(&[1, 2], &[1, 2])
            .link(0, 0, 3)
            .link(0, 8, 3)
            .link(1, 0, 4)
            .link(1, 8, 4)
            .items([2]),
        Case::of(&SHARED_POINTERS)
            .point(&[1_i64, 2, 3, 4])
            .value(Tagged { at: at(0), tag: 7_i64 })
            .output(&[150_i64, 239, 328, 417])
            .elsewhere(&[10_i64, 20, 30, 40], &[10, 20, 30, 40])
            .link(1, 0, 3)
            .items([4]),
    ]
}
