//! Places that counters give out: in loops, several at once, for each cell, for a group, and where others are compared and exchanged meanwhile.

use super::case::Case;
use kernel_runtime::atomic::{AtomicU32, AtomicU64, Ordering};
use kernel_runtime::prelude::*;

/// A place for each number that is greater than a limit, over a grid of strides.
#[kernel]
pub fn greater_than(limit: u32, x: &[u32], count: &AtomicU32, places: &mut [u32]) {
    for i in (global_id(0)..x.len()).step_by(global_size(0)) {
        if x[i] > limit {
            let place = count.fetch_add(1, Ordering::Relaxed) as usize;
            if place < places.len() {
                places[place] += 1;
            }
        }
    }
}

/// A pair of places for each even number, and one for each odd one.
#[kernel]
pub fn pairs_and_single_places(x: &[u32], count: &AtomicU32, places: &mut [u32]) {
    let i = global_id(0);
    if x[i] % 2 == 0 {
        let first = count.fetch_add(2, Ordering::Relaxed);
        places[first as usize] += 3;
        places[(first + 1) as usize] += 3;
    } else {
        places[count.fetch_add(1, Ordering::Relaxed) as usize] += 3;
    }
}

/// Several places for each number, one after the other.
#[kernel]
pub fn several_of_each(n: usize, x: &[u32], count: &AtomicU32, places: &mut [u32]) {
    let i = global_id(0);
    for _ in 0..n {
        if x[i] > 0 {
            let place = count.fetch_add(1, Ordering::Relaxed) as usize;
            if place < places.len() {
                places[place] = 1;
            }
        }
    }
}

/// As many places as each number has bits that are set.
#[kernel]
pub fn a_place_for_each_bit(x: &[u32], count: &AtomicU64, places: &mut [u32]) {
    let n = x[global_id(0)].count_ones() as u64;
    let first = count.fetch_add(n, Ordering::Relaxed);
    for k in 0..n {
        places[(first + k) as usize] += 1;
    }
}

/// Particles by cells: how many, and in each cell's row as many ones.
#[kernel]
pub fn cells_filled(cells: &[u32], counts: &[AtomicU32], rows: &mut [[u32; 4]]) {
    let i = global_id(0);
    if i < cells.len() {
        let cell = cells[i] as usize;
        let place = counts[cell].fetch_add(1, Ordering::Relaxed) as usize;
        if place < 4 {
            rows[cell][place] += 1;
        }
    }
}

/// Work that each work-item takes when it has done its last piece.
#[kernel]
pub fn work_by_pieces(x: &[u32], next: &AtomicU32, y: &mut [u32]) {
    loop {
        let start = next.fetch_add(4, Ordering::Relaxed) as usize;
        if start >= x.len() {
            break;
        }
        for i in start..(start + 4).min(x.len()) {
            y[i] += x[i] * x[i];
        }
    }
}

/// A level of a breadth-first search: who comes to a node first has a place for it in the next front.
#[kernel]
pub fn search_level(
    level: u32,
    starts: &[u32],
    edges: &[u32],
    front: &[u32],
    levels: &[AtomicU32],
    count: &AtomicU32,
    next: &mut [u32],
) {
    let i = global_id(0);
    if i < front.len() {
        let node = front[i] as usize;
        for e in starts[node] as usize..starts[node + 1] as usize {
            let other = edges[e];
            let found = levels[other as usize].compare_exchange(
                u32::MAX,
                level,
                Ordering::Relaxed,
                Ordering::Relaxed,
            );
            if found.is_ok() {
                let place = count.fetch_add(1, Ordering::Relaxed) as usize;
                if place < next.len() {
                    next[place] += 1;
                }
            }
        }
    }
}

/// A tile for each group, whichever comes first.
#[kernel(group_size = 8)]
pub fn tiles_by_a_counter(next: &AtomicU32, y: &mut [u32]) {
    let mut start = Local::<u32>::new();
    if local_id(0) == 0 {
        *start = next.fetch_add(8, Ordering::Relaxed);
    }
    barrier();
    let i = *start as usize + local_id(0);
    if i < y.len() {
        y[i] += i as u32;
    }
}

/// Places that the subgroups reserve.
#[kernel]
pub fn places_of_subgroups(x: &[u32], count: &AtomicU32, places: &mut [u32]) {
    let keep = x[global_id(0)] > 40;
    let before = subgroup::scan_exclusive_add(keep as u32);
    let total = subgroup::reduce_add(keep as u32);
    let mut start = 0;
    if subgroup::local_id() == 0 {
        start = count.fetch_add(total, Ordering::Relaxed);
    }
    let start = subgroup::broadcast(start, 0);
    if keep {
        places[(start + before) as usize] += 1;
    }
}

/// A queue of each group: all numbers that are even, of four for each work-item.
#[kernel(group_size = 8)]
pub fn queues_of_groups(x: &[u32], y: &mut [u32]) {
    let count = Local::<AtomicU32>::new();
    let mut queue = Local::<[u32; 32]>::new();
    let (i, l) = (global_id(0), local_id(0));
    if l == 0 {
        count.store(0, Ordering::Relaxed);
    }
    for k in 0..4 {
        queue[k * 8 + l] = 0;
    }
    barrier();
    for k in 0..4 {
        if x[i * 4 + k] % 2 == 0 {
            queue[count.fetch_add(1, Ordering::Relaxed) as usize] += 1;
        }
    }
    barrier();
    y[i] = queue[l] + queue[8 + l] + queue[16 + l] + queue[24 + l];
}

/// So many ones, and then zeros.
fn ones(count: usize, len: usize) -> Vec<u32> {
    (0..len).map(|k| u32::from(k < count)).collect()
}

pub fn cases() -> Vec<Case> {
    let x: Vec<u32> = (0..96_u32).map(|k| k * 37 % 101).collect();
    let such = |is_such: fn(u32) -> bool| x.iter().filter(|x| is_such(**x)).count();
    let bits: u32 = x.iter().map(|x| x.count_ones()).sum();
    let mut cells = [0_u32; 8];
    x.iter().for_each(|x| cells[*x as usize % 8] += 1);
    let squares: Vec<u32> = x.iter().map(|x| x * x).collect();
    let rows: Vec<[u32; 4]> = cells.iter().map(|count| [0, 1, 2, 3].map(|k| u32::from(k < *count))).collect();
    let of_cells: Vec<u32> = x.iter().map(|x| x % 8).collect();
    let halves = 96 + such(|x| x % 2 == 0);
    let tripled: Vec<u32> = ones(halves, 200).iter().map(|x| 3 * x).collect();
    let queues: Vec<u32> = x
        .chunks(32)
        .flat_map(|group| {
            let evens = group.iter().filter(|x| **x % 2 == 0).count();
            (0..8).map(move |l| (0..4).filter(|k| k * 8 + l < evens).count() as u32)
        })
        .collect();
    let mut cases = Vec::new();
    for (groups, size) in [(1, 1), (3, 5), (4, 64)] {
        let count = such(|x| x > 50);
        let case = Case::of(&GREATER_THAN).scalar(50_u32).input(&x).refer_mut(0_u32, count as u32);
        let case = case.update(&[0_u32; 96], &ones(count, 96)).groups([groups], [size]);
        cases.push(case.label(format!("{groups} groups of {size}")));
    }
    cases.extend([
        Case::of(&PAIRS_AND_SINGLE_PLACES)
            .input(&x)
            .refer_mut(0_u32, halves as u32)
            .update(&[0_u32; 200], &tripled)
            .items([96]),
        Case::of(&SEVERAL_OF_EACH)
            .scalar(3_usize)
            .input(&x)
            .refer_mut(0_u32, 3 * 95)
            .update(&[0_u32; 300], &ones(3 * 95, 300))
            .items([96]),
        Case::of(&A_PLACE_FOR_EACH_BIT)
            .input(&x)
            .refer_mut(0_u64, u64::from(bits))
            .update(&[0_u32; 700], &ones(bits as usize, 700))
            .items([96]),
        Case::of(&CELLS_FILLED)
            .input(&of_cells)
            .update(&[0_u32; 8], &cells)
            .update(&[[0_u32; 4]; 8], &rows)
            .items([100]),
        // Each of the two adds once more than there is work.
        Case::of(&WORK_BY_PIECES)
            .input(&x)
            .refer_mut(0_u32, 96 + 2 * 4)
            .update(&[0_u32; 96], &squares)
            .items([2]),
        // Nodes 1 and 2 are found, 2 twice, and 0 is where the search comes from.
        Case::of(&SEARCH_LEVEL)
            .scalar(1_u32)
            .input(&[0_u32, 3, 5, 6])
            .input(&[1_u32, 2, 2, 0, 2, 1])
            .input(&[0_u32])
            .update(&[0_u32, u32::MAX, u32::MAX], &[0, 1, 1])
            .refer_mut(0_u32, 2)
            .update(&[0_u32; 3], &[1, 1, 0])
            .items([8]),
        Case::of(&TILES_BY_A_COUNTER)
            .refer_mut(0_u32, 24)
            .update(&[0_u32; 20], &(0..20).collect::<Vec<u32>>())
            .groups([3], [8]),
        Case::of(&PLACES_OF_SUBGROUPS)
            .input(&x)
            .refer_mut(0_u32, such(|x| x > 40) as u32)
            .update(&[0_u32; 96], &ones(such(|x| x > 40), 96))
            .groups([3], [32]),
        Case::of(&QUEUES_OF_GROUPS).input(&x).output(&queues).groups([3], [8]),
    ]);
    cases
}
