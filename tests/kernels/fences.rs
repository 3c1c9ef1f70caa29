//! Patterns in which the order of accesses to different places matters.

use super::case::Case;
use kernel_runtime::atomic::{AtomicBool, AtomicU32, Ordering, Scope, Scoped, fence, fence_in};
use kernel_runtime::prelude::*;

/// The work-group that is done last adds up what all have left behind: the counter, and the fences around it, make that visible.
#[kernel(group_size = [32])]
pub fn sum_by_last_group(x: &[u32], partial: &[AtomicU32], done: &AtomicU32, sum: &AtomicU32) {
    let own = Local::<AtomicU32>::new();
    let is_last = Local::<AtomicBool>::new();
    let l = local_id(0);
    if l == 0 {
        own.store(0, Ordering::Relaxed);
    }
    barrier();
    let i = global_id(0);
    if i < x.len() {
        own.fetch_add(x[i], Ordering::Relaxed);
    }
    barrier();
    if l == 0 {
        partial[group_id(0)].store(own.load(Ordering::Relaxed), Ordering::Relaxed);
        fence(Ordering::Release);
        let before = done.fetch_add(1, Ordering::Relaxed);
        is_last.store(before as usize + 1 == num_groups(0), Ordering::Relaxed);
    }
    barrier();
    if is_last.load(Ordering::Relaxed) {
        fence(Ordering::Acquire);
        let mut k = l;
        while k < num_groups(0) {
            sum.fetch_add(partial[k].load(Ordering::Relaxed), Ordering::Relaxed);
            k += 32;
        }
    }
}

/// A message and a flag: who sees the flag sees the message. Nobody waits; who comes too early says so.
#[kernel]
pub fn message_passing(message: &[AtomicU32], flags: &[AtomicU32], wrong: &AtomicU32) {
    let i = global_id(0);
    let n = flags.len();
    message[i].store(i as u32 + 1, Ordering::Relaxed);
    flags[i].store(1, Ordering::Release);
    let other = (i + n / 2) % n;
    if flags[other].load(Ordering::Acquire) == 1 {
        if message[other].load(Ordering::Relaxed) != other as u32 + 1 {
            wrong.fetch_add(1, Ordering::Relaxed);
        }
    }
    let next = (i + 1) % n;
    if flags[next].load(Ordering::Relaxed) == 1 {
        fence(Ordering::AcqRel);
        if message[next].load(Ordering::Relaxed) != next as u32 + 1 {
            wrong.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Each fence there is, between accesses that nothing else orders.
#[kernel]
pub fn every_fence(x: &[u32], cells: &[AtomicU32]) {
    use std::sync::atomic::Ordering::{AcqRel, SeqCst};
    let i = global_id(0);
    let cell = &cells[i];
    cell.store(x[i], Ordering::Relaxed);
    fence(Ordering::Acquire);
    cell.fetch_add(1, Ordering::Relaxed);
    fence(Ordering::Release);
    cell.fetch_add(2, Ordering::Relaxed);
    core::sync::atomic::fence(AcqRel);
    cell.fetch_add(4, Ordering::Relaxed);
    fence(SeqCst);
    fence_in(Scope::Subgroup, Ordering::AcqRel);
    cell.fetch_add(8, Ordering::Relaxed);
    fence_in(Scope::WorkGroup, Ordering::Acquire);
    fence_in(Scope::Device, Ordering::Release);
    cell.fetch_add(16, Ordering::Relaxed);
    fence_in(Scope::AllDevices, Ordering::SeqCst);
    cell.scope(Scope::AllDevices).fetch_add(32, Ordering::SeqCst);
}

/// A stack of indices that grows by exchanges: who loses tries again.
#[kernel]
pub fn pushed_to_list(head: &AtomicU32, next: &[AtomicU32]) {
    let i = global_id(0) as u32;
    let mut first = head.load(Ordering::Relaxed);
    loop {
        next[i as usize].store(first, Ordering::Relaxed);
        match head.compare_exchange_weak(first, i, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => break,
            Err(other) => first = other,
        }
    }
}

/// Goes through that list, in which everyone is once.
#[kernel(requires(global_size(0) == 1))]
pub fn length_of_list(head: &u32, next: &[u32], length: &mut [u32]) {
    let mut seen = 0;
    let mut sum = 0;
    let mut at = *head as usize;
    while at < next.len() {
        seen += 1;
        sum += at as u32;
        at = next[at] as usize;
    }
    length[0] = seen;
    length[1] = sum;
}

pub fn cases() -> Vec<Case> {
    let x: Vec<u32> = (0..1000).map(|k: u32| k * k % 1009).collect();
    let mut cases = Vec::new();
    for (len, groups) in [(0, 1), (1, 1), (1000, 32), (1000, 40)] {
        let mut partial = vec![0; groups];
        for (i, value) in x[..len].iter().enumerate() {
            partial[i / 32] += value;
        }
        let sum = partial.iter().sum::<u32>();
        cases.push(
            Case::of(&SUM_BY_LAST_GROUP)
                .input(&x[..len])
                .update(&vec![u32::MAX; groups], &partial)
                .refer_mut(0_u32, groups as u32)
                .refer_mut(0_u32, sum)
                .groups([groups as u32], [32])
                .label(format!("{len} numbers, {groups} groups")),
        );
    }
    for n in [2, 64, 1024] {
        let message: Vec<u32> = (1..=n as u32).collect();
        let case = Case::of(&MESSAGE_PASSING).update(&vec![0_u32; n], &message);
        let case = case.update(&vec![0_u32; n], &vec![1_u32; n]).refer(0_u32);
        cases.push(case.items([n]).label(format!("{n} work-items")));
    }
    let after: Vec<u32> = x.iter().take(50).map(|value| value + 63).collect();
    cases.push(Case::of(&EVERY_FENCE).input(&x[..50]).output(&after).items([50]));
    cases.push(Case::of(&PUSHED_TO_LIST).refer_mut(7_u32, 0).update(&[9_u32], &[7]).items([1]));
    cases.push(
        Case::of(&LENGTH_OF_LIST)
            .refer(2_u32)
            .input(&[u32::MAX, 0, 3, 1])
            .output(&[4_u32, 6])
            .label("a list that was pushed"),
    );
    cases
}
