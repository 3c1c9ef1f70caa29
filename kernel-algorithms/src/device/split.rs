//! Elements moved to the bin that each of them belongs to, in their order, in two steps.
//!
//! First each block of 4096 elements is ordered by itself: `order` has, for each place in the block, which of its elements comes there, `starts` and `counts` where each bin
//! starts in it and how many elements it has. The counts stand bin after bin, so that their scan, `offsets`, is where each block's part of each bin starts in the result. Then each place of
//! the result finds the part that it is in, and takes its element.
//!
//! Nobody writes where a number in memory says, so that there is nothing to vouch for.

use crate::device::group::scan_group;
use kernel_runtime::atomic::{AtomicU32, Ordering};
use kernel_runtime::prelude::*;

/// Orders each block by the bins of its elements, of which there are `BINS`, a power of two of at most 16.
#[device]
#[allow(clippy::too_many_arguments, reason = "local memory is declared by kernels and handed on")]
pub fn order_blocks<const BINS: usize>(
    len: usize,
    order: &mut [u16],
    starts: &mut [u32],
    counts: &mut [u32],
    counters: &mut Local<[u32; 4096]>,
    places: &Local<[AtomicU32; 4096]>,
    tile: &mut Local<[u32; 256]>,
    rows: &mut Local<[u32; 16]>,
    bin: impl Fn(usize) -> usize,
) {
    let (l, block) = (local_id(0), group_id(0));
    let start = block * 4096;
    let first = start + 16 * l;
    for b in 0..BINS {
        counters[256 * b + l] = 0;
    }
    for i in first..len.min(first + 16) {
        counters[256 * bin(i) + l] += 1;
    }
    barrier();
    // Each work-item has `BINS` counters in a row.
    let mut own = 0;
    for k in 0..BINS {
        own += counters[BINS * l + k];
    }
    let mut before = scan_group(tile, rows, 0, own, |a: u32, b: u32| a + b);
    for k in 0..BINS {
        let count = counters[BINS * l + k];
        counters[BINS * l + k] = before;
        before += count;
    }
    barrier();
    if l < BINS {
        let end = if l + 1 < BINS { counters[256 * (l + 1)] } else { (len - start).min(4096) as u32 };
        starts[l * num_groups(0) + block] = counters[256 * l];
        counts[l * num_groups(0) + block] = end - counters[256 * l];
    }
    barrier();
    for i in first..len.min(first + 16) {
        let counter = 256 * bin(i) + l;
        places[counters[counter] as usize].store((i - start) as u32, Ordering::Relaxed);
        counters[counter] += 1;
    }
    barrier();
    for k in 0..16 {
        let place = 256 * k + l;
        if start + place < len {
            order[start + place] = places[place].load(Ordering::Relaxed) as u16;
        }
    }
}

/// How many of sorted numbers are not greater than `x`.
#[device]
pub fn upper_bound(numbers: &[u32], x: u32, from: usize, to: usize) -> usize {
    let (mut low, mut high) = (from, to);
    while low < high {
        let middle = low + (high - low) / 2;
        if numbers[middle] <= x {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Takes the elements of each bin together, which `order_blocks` has ordered in each block.
#[device]
pub fn collect_bins<T: Copy>(
    x: &[T],
    order: &[u16],
    starts: &[u32],
    offsets: &[u32],
    blocks: usize,
    y: &mut [T],
) {
    let first = group_id(0) * 4096;
    let last = (first + 4095).min(y.len() - 1);
    // The parts that the places of this group are in.
    let from = upper_bound(offsets, first as u32, 0, offsets.len());
    let to = upper_bound(offsets, last as u32, from, offsets.len());
    for k in 0..16 {
        let place = first + 256 * k + local_id(0);
        if place < y.len() {
            let part = upper_bound(offsets, place as u32, from, to) - 1;
            let block = part % blocks * 4096;
            let in_block = starts[part] as usize + place - offsets[part] as usize;
            y[place] = x[block + order[block + in_block] as usize];
        }
    }
}
