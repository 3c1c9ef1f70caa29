//! Loops that a work-group or a subgroup goes through together, and that a fault of one of them would keep from ever ending: then all of the group end.
#![allow(clippy::while_let_loop, reason = "each loop is used in its plain form")]

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// No node comes after it.
#[device]
const END: u32 = u32::MAX;

/// The step is not there, so that nobody would move.
#[kernel(group_size = 4)]
pub fn step_that_is_not_there(strides: &[usize], n: usize, y: &mut [usize]) {
    let mut turns = Local::<[usize; 4]>::new();
    let (l, i) = (local_id(0), global_id(0));
    let mut step = 0;
    while step < n {
        turns[l] = step;
        barrier();
        y[i] += turns[3 - l];
        barrier();
        step += strides[5];
    }
    y[i] += 100;
}

/// Only the first work-item looks at the flags, and the others at what it says.
#[kernel(group_size = 4)]
pub fn flag_of_the_first(flags: &[u32], starts: &[usize], y: &mut [usize]) {
    let mut done = Local::<[u32; 1]>::new();
    let (l, i) = (local_id(0), global_id(0));
    let mut k = starts[group_id(0)];
    loop {
        if l == 0 {
            done[0] = flags[k];
        }
        barrier();
        // SAFETY: between the barriers nobody writes to it.
        if unsafe { work_group::assume_uniform(done[0]) } == 1 {
            break;
        }
        barrier();
        k += 1;
    }
    y[i] = k;
}

/// The same, where the group asks for itself.
#[kernel(group_size = 4)]
pub fn flag_of_anybody(flags: &[u32], starts: &[usize], y: &mut [usize]) {
    let i = global_id(0);
    for k in starts[i].. {
        if work_group::any(flags[k] == 1) {
            y[i] = k;
            break;
        }
    }
}

/// The end of the list of one work-item is never found.
#[kernel(group_size = 4)]
pub fn lists_of_subgroups(next: &[u32], start: &[u32], last: &mut [u32]) {
    let i = global_id(0);
    let (mut node, mut found) = (start[i], END);
    while subgroup::any(node != END) {
        if node != END {
            found = node;
            node = next[node as usize];
        }
    }
    last[i] = found;
}

/// The same with a barrier later, to which the subgroup comes: what its loop would have found is zero.
#[kernel(group_size = 4)]
pub fn lists_before_barrier(next: &[u32], start: &[u32], last: &mut [u32]) {
    let mut shared = Local::<[u32; 4]>::new();
    let (l, i) = (local_id(0), global_id(0));
    let mut node = start[i];
    let found = loop {
        let after = if node == END { END } else { next[node as usize] };
        if subgroup::all(after == END) {
            break node;
        }
        if after != END {
            node = after;
        }
    };
    shared[l] = found;
    barrier();
    last[i] = shared[3 - l];
}

/// One loop in another, with jumps from the one to the other.
#[kernel(group_size = 4)]
pub fn nested(next: &[u32], starts: &[u32], y: &mut [u32]) {
    let mut shared = Local::<[u32; 4]>::new();
    let (l, i) = (local_id(0), global_id(0));
    let mut node = starts[group_id(0)];
    let mut passes = 0;
    'lists: loop {
        loop {
            shared[l] = node;
            barrier();
            passes += shared[(l + 1) % 4];
            barrier();
            node = next[node as usize];
            if node == END {
                break 'lists;
            }
            if node % 2 == 1 {
                continue 'lists;
            }
        }
    }
    y[i] = passes;
}

/// Goes through a list with the others.
#[device]
fn walk(next: &[u32], start: u32) -> u32 {
    let (mut node, mut count) = (start, 0);
    while node != END {
        barrier();
        node = next[node as usize];
        count += 1;
    }
    count
}

#[kernel(group_size = 4)]
pub fn in_function(next: &[u32], starts: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = 7;
    y[i] = walk(next, starts[group_id(0)]) + walk(next, 4);
}

/// A loop without a barrier decides how often the group meets.
#[kernel(group_size = 4)]
pub fn rounds_from_memory(strides: &[usize], n: usize, y: &mut [usize]) {
    let mut shared = Local::<[usize; 4]>::new();
    let (l, i) = (local_id(0), global_id(0));
    shared[l] = i;
    let (mut rounds, mut at) = (0, 0);
    while at < n {
        at += strides[at];
        rounds += 1;
    }
    for _ in 0..rounds {
        barrier();
        let own = shared[(l + 1) % 4];
        barrier();
        shared[l] = own;
    }
    y[i] = shared[l];
}

/// A panic in the loop, after which the work-item stays with the others.
#[kernel(group_size = 4)]
pub fn panic_in_loop(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let mut k = 0;
    while work_group::any(k < x[i]) {
        assert!(x[i] != 5, "five is right out");
        if x[i] != 5 {
            k += 1;
        }
    }
    y[i] = k;
}

/// A counter that overflows starts over.
#[kernel(group_size = 4, overflow = "check")]
pub fn counter_that_overflows(n: u32, step: u32, y: &mut [u32]) {
    let i = global_id(0);
    let mut k = step;
    while k < n {
        barrier();
        y[i] = k;
        k *= 4;
    }
    y[i] = 9;
}

/// The group ends while it copies, for which it waits.
#[kernel(group_size = 4)]
pub fn beside_copy(x: &[u32], next: &[u32], y: &mut [u32]) {
    let mut tile = Local::<[u32; 8]>::new();
    let (l, i) = (local_id(0), global_id(0));
    let count = work_group::copy_while(&mut tile[..], &x[..8], || walk(next, 0));
    y[i] = tile[l + 4] + count;
}

pub fn cases() -> Vec<Case> {
    let outside = || ExpectedFault::new(FaultKind::IndexOutOfBounds);
    // From 0 to 2 and 4 to the end, from 1 and 3 to where there is nothing.
    let next = [2_u32, 3, 4, 99, END];
    vec![
        Case::of(&STEP_THAT_IS_NOT_THERE)
            .input(&[0_usize, 0, 0, 0, 0, 3])
            .scalar(7_usize)
            .update(&[0_usize; 8], &[109_usize; 8])
            .items([8])
            .label("no fault"),
        Case::of(&STEP_THAT_IS_NOT_THERE)
            .input(&[0_usize, 0, 0, 0, 0])
            .scalar(7_usize)
            .update(&[50_usize; 4], &[50_usize; 4])
            .items([4])
            .faults(outside().count(4).values([5, 5]).at("strides[5]")),
        Case::of(&STEP_THAT_IS_NOT_THERE)
            .input(&[0_usize; 0])
            .scalar(0_usize)
            .update(&[50_usize; 4], &[150_usize; 4])
            .items([4])
            .label("no pass"),
        Case::of(&FLAG_OF_THE_FIRST)
            .input(&[0_u32, 0, 1, 0])
            .input(&[0_usize, 2])
            .output(&[2_usize; 8])
            .items([8])
            .label("no fault"),
        Case::of(&FLAG_OF_THE_FIRST)
            .input(&[0_u32, 0, 1, 0])
            .input(&[0_usize, 3, 1])
            .update(&[50_usize; 12], &[2_usize, 2, 2, 2, 50, 50, 50, 50, 2, 2, 2, 2])
            .items([12])
            .faults(outside().values([4, 4]).global_id([4, 0, 0]).at("flags[k]")),
        Case::of(&FLAG_OF_ANYBODY)
            .input(&[0_u32, 0, 1, 0, 0, 0, 0, 0])
            .input(&[3_usize, 2, 4, 3, 3, 4, 3, 7, 0, 0, 1, 0])
            .update(&[50_usize; 12], &[3_usize, 2, 4, 3, 50, 50, 50, 50, 1, 1, 2, 1])
            .items([12])
            .faults(outside().values([8, 8]).global_id([7, 0, 0]).at("flags[k]")),
        Case::of(&LISTS_OF_SUBGROUPS)
            .input(&next)
            .input(&[0_u32, 2, 4, END, 2, 1, 0, 0])
            .update(&[50_u32; 8], &[4_u32, 4, 4, END, 50, 50, 50, 50])
            .items([8])
            .faults(outside().values([99, 5]).global_id([5, 0, 0]).at("next[node as usize]")),
        Case::of(&LISTS_BEFORE_BARRIER)
            .input(&next)
            .input(&[0_u32, 2, 4, END, 2, 1, 0, 0])
            .update(&[50_u32; 8], &[END, 4, 4, 4, 0, 0, 0, 0])
            .items([8])
            .faults(outside().values([99, 5]).global_id([5, 0, 0]).at("next[node as usize]")),
        Case::of(&NESTED)
            .input(&[2_u32, 3, 4, 0, END])
            .input(&[1_u32, 4])
            .output(&[10_u32, 10, 10, 10, 4, 4, 4, 4])
            .items([8])
            .label("no fault"),
        Case::of(&NESTED)
            .input(&next)
            .input(&[0_u32, 1, 3])
            .update(&[50_u32; 12], &[6_u32, 6, 6, 6, 50, 50, 50, 50, 50, 50, 50, 50])
            .items([12])
            .faults(outside().count(8).values([99, 5]).at("next[node as usize]")),
        Case::of(&IN_FUNCTION)
            .input(&next)
            .input(&[0_u32, 1, 4])
            .update(&[50_u32; 12], &[4_u32, 4, 4, 4, 7, 7, 7, 7, 2, 2, 2, 2])
            .items([12])
            .faults(outside().count(4).values([99, 5]).at("next[node as usize]")),
        Case::of(&ROUNDS_FROM_MEMORY)
            .input(&[1_usize, 2, 0, 4])
            .scalar(7_usize)
            .output(&[3_usize, 0, 1, 2])
            .items([4])
            .label("no fault"),
        Case::of(&ROUNDS_FROM_MEMORY)
            .input(&[1_usize, 2, 0, 4])
            .scalar(8_usize)
            .update(&[50_usize; 4], &[50_usize; 4])
            .items([4])
            .faults(outside().count(4).values([7, 4]).at("strides[at]")),
        Case::of(&PANIC_IN_LOOP)
            .input(&[1_u32, 2, 3, 0, 4, 5, 6, 0])
            .update(&[50_u32; 8], &[3_u32, 3, 3, 3, 50, 50, 50, 50])
            .items([8])
            .faults(ExpectedFault::new(FaultKind::Panic).global_id([5, 0, 0]).message("five is right out")),
        Case::of(&COUNTER_THAT_OVERFLOWS)
            .scalar(1000_u32)
            .scalar(1_u32)
            .output(&[9_u32; 4])
            .items([4])
            .label("no fault"),
        Case::of(&COUNTER_THAT_OVERFLOWS)
            .scalar(u32::MAX)
            .scalar(1_u32 << 28)
            .update(&[50_u32; 4], &[1_u32 << 30; 4])
            .items([4])
            .faults(ExpectedFault::new(FaultKind::MultiplicationOverflow).count(4).at("k *= 4")),
        Case::of(&BESIDE_COPY)
            .input(&[1_u32, 2, 3, 4, 5, 6, 7, 8])
            .input(&next)
            .output(&[8_u32, 9, 10, 11])
            .items([4])
            .label("no fault"),
        Case::of(&BESIDE_COPY)
            .input(&[1_u32, 2, 3, 4, 5, 6, 7, 8])
            .input(&[1_u32, 2, 3])
            .update(&[50_u32; 4], &[50_u32; 4])
            .items([4])
            .faults(outside().count(4).values([3, 3]).at("next[node as usize]")),
    ]
}
