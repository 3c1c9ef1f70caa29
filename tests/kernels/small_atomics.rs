//! Atomics of 8 and 16 bits and of `bool`, which are parts of 32 bits that are exchanged as a whole: neighbours stay what they are.

use super::case::Case;
use kernel_runtime::atomic::{AtomicBool, AtomicI8, AtomicI16, AtomicU8, AtomicU16, Ordering};
use kernel_runtime::prelude::*;

/// All work-items change all elements, which are neighbours.
#[kernel(overflow = "wrap")]
pub fn bytes_by_all(
    x: &[u8],
    sums: &[AtomicU8],
    least: &[AtomicI8],
    words: &[AtomicU16],
    most: &[AtomicI16],
) {
    let value = x[global_id(0)];
    for i in 0..sums.len() {
        sums[i].fetch_add(value + i as u8, Ordering::Relaxed);
        least[i].fetch_min(value as i8 >> i as i8, Ordering::AcqRel);
        words[i].fetch_sub(value as u16 * 255, Ordering::SeqCst);
        most[i].fetch_max((value as i16 - 128) * (i as i16 + 1), Ordering::Relaxed);
    }
}

/// Bits that are set once and for all: each value is seen for the first time by one work-item.
#[kernel]
pub fn first_to_come(x: &[u32], taken: &[AtomicBool], first: &mut [u32], flags: &[AtomicBool; 3]) {
    let i = global_id(0);
    let is_first = !taken[x[i] as usize].swap(true, Ordering::AcqRel);
    first[i] = 0;
    if is_first {
        first[i] = 1;
        flags[0].fetch_or(true, Ordering::Relaxed);
    }
    flags[1].fetch_and(x[i] != 3, Ordering::Relaxed);
    flags[2].fetch_xor(true, Ordering::Relaxed);
}

/// Each method on an element of the work-item's own, beside those of others.
#[kernel]
pub fn methods_of_small(
    bytes: &[AtomicI8],
    flags: &[AtomicBool],
    x: &[i8],
    seen: &mut [[i8; 12]],
    saw: &mut [[bool; 10]],
) {
    let i = global_id(0);
    let (cell, value) = (&bytes[i], x[i]);
    let mut before = [0; 12];
    before[0] = cell.swap(value, Ordering::SeqCst);
    before[1] = cell.fetch_add(100, Ordering::Relaxed);
    before[2] = cell.fetch_nand(0x5a, Ordering::Relaxed);
    before[3] = cell.fetch_or(1, Ordering::Acquire);
    before[4] = cell.fetch_xor(-1, Ordering::Release);
    before[5] = cell.fetch_and(0x7f, Ordering::AcqRel);
    before[6] =
        cell.compare_exchange(value, 1, Ordering::SeqCst, Ordering::SeqCst).unwrap_or_else(|now| now ^ 1);
    before[7] = cell.load(Ordering::Acquire);
    before[8] = cell.compare_exchange(before[7], value, Ordering::Relaxed, Ordering::Relaxed).unwrap_or(77);
    before[9] = cell.update(Ordering::Relaxed, Ordering::Relaxed, |old| old.wrapping_mul(3));
    cell.store(-5, Ordering::Release);
    before[10] = cell.fetch_sub(value, Ordering::Relaxed);
    before[11] = cell.fetch_max(0, Ordering::Relaxed);
    seen[i] = before;
    let flag = &flags[i];
    let mut states = [false; 10];
    states[0] = flag.load(Ordering::Relaxed);
    states[1] = flag.swap(value > 0, Ordering::Relaxed);
    states[2] = flag.fetch_not(Ordering::Relaxed);
    states[3] = flag.fetch_nand(true, Ordering::Relaxed);
    states[4] = flag.fetch_or(value < -50, Ordering::Relaxed);
    states[5] = flag.fetch_and(true, Ordering::Relaxed);
    states[6] = flag.compare_exchange(true, false, Ordering::AcqRel, Ordering::Acquire).is_ok();
    states[7] = flag.fetch_xor(true, Ordering::Relaxed);
    states[8] = flag.update(Ordering::Relaxed, Ordering::Relaxed, |old| !old);
    flag.store(states[0], Ordering::Relaxed);
    states[9] = flag.load(Ordering::SeqCst);
    saw[i] = states;
}

fn seen_on_host(byte: i8, flag: bool, value: i8) -> ([i8; 12], [bool; 10], i8, bool) {
    let cell = AtomicI8::new(byte);
    let mut before = [0; 12];
    before[0] = cell.swap(value, Ordering::SeqCst);
    before[1] = cell.fetch_add(100, Ordering::Relaxed);
    before[2] = cell.fetch_nand(0x5a, Ordering::Relaxed);
    before[3] = cell.fetch_or(1, Ordering::Acquire);
    before[4] = cell.fetch_xor(-1, Ordering::Release);
    before[5] = cell.fetch_and(0x7f, Ordering::AcqRel);
    before[6] =
        cell.compare_exchange(value, 1, Ordering::SeqCst, Ordering::SeqCst).unwrap_or_else(|now| now ^ 1);
    before[7] = cell.load(Ordering::Acquire);
    before[8] = cell.compare_exchange(before[7], value, Ordering::Relaxed, Ordering::Relaxed).unwrap_or(77);
    before[9] = value;
    cell.store(-5, Ordering::Release);
    before[10] = cell.fetch_sub(value, Ordering::Relaxed);
    before[11] = cell.fetch_max(0, Ordering::Relaxed);
    let cell_flag = AtomicBool::new(flag);
    let mut states = [false; 10];
    states[0] = cell_flag.load(Ordering::Relaxed);
    states[1] = cell_flag.swap(value > 0, Ordering::Relaxed);
    states[2] = cell_flag.fetch_not(Ordering::Relaxed);
    states[3] = cell_flag.fetch_nand(true, Ordering::Relaxed);
    states[4] = cell_flag.fetch_or(value < -50, Ordering::Relaxed);
    states[5] = cell_flag.fetch_and(true, Ordering::Relaxed);
    states[6] = cell_flag.compare_exchange(true, false, Ordering::AcqRel, Ordering::Acquire).is_ok();
    states[7] = cell_flag.fetch_xor(true, Ordering::Relaxed);
    states[8] = cell_flag.fetch_not(Ordering::Relaxed);
    states[9] = states[0];
    (before, states, cell.into_inner(), states[0])
}

/// In local memory, where their neighbours are their own.
#[kernel(group_size = [24])]
pub fn small_in_local_memory(x: &[u8], results: &mut [[u32; 4]]) {
    let sum = Local::<AtomicU8>::new();
    let rows = Local::<[AtomicU16; 3]>::new();
    let any = Local::<AtomicBool>::new();
    let won = Local::<AtomicI16>::new();
    if local_id(0) == 0 {
        sum.store(200, Ordering::Relaxed);
        rows[1].store(60000, Ordering::Relaxed);
        any.store(false, Ordering::Relaxed);
        won.store(-1, Ordering::Relaxed);
    }
    barrier();
    let value = x[global_id(0)];
    sum.fetch_add(value, Ordering::Relaxed);
    rows[1].fetch_add(value as u16 * 16, Ordering::Relaxed);
    any.fetch_or(value == 77, Ordering::Relaxed);
    let first = won.compare_exchange(-1, 5, Ordering::AcqRel, Ordering::Relaxed).is_ok();
    if !first {
        won.fetch_add(1, Ordering::Relaxed);
    }
    barrier();
    if local_id(0) == 0 {
        results[group_id(0)] = [
            sum.load(Ordering::Relaxed) as u32,
            rows[1].load(Ordering::Relaxed) as u32,
            any.load(Ordering::Relaxed) as u32,
            won.load(Ordering::Relaxed) as u32,
        ];
    }
}

pub fn cases() -> Vec<Case> {
    let x: Vec<u8> = (0..96_u32).map(|k| (k * 83) as u8).collect();
    let mut cases = Vec::new();
    for count in [1, 4, 7] {
        let sums: Vec<u8> = (0..count)
            .map(|i| x.iter().fold(3_u8, |sum, value| sum.wrapping_add(*value).wrapping_add(i)))
            .collect();
        let least: Vec<i8> =
            (0..count).map(|i| x.iter().map(|value| *value as i8 >> i).min().unwrap_or(0).min(100)).collect();
        let words: Vec<u16> = (0..count)
            .map(|_| x.iter().fold(9_u16, |sum, value| sum.wrapping_sub(u16::from(*value) * 255)))
            .collect();
        let most: Vec<i16> = (0..count)
            .map(|i| x.iter().map(|value| (i16::from(*value) - 128) * (i16::from(i) + 1)).max().unwrap_or(0))
            .collect();
        let n = usize::from(count);
        cases.push(
            Case::of(&BYTES_BY_ALL)
                .input(&x)
                .update(&vec![3_u8; n], &sums)
                .update(&vec![100_i8; n], &least)
                .update(&vec![9_u16; n], &words)
                .update(&vec![i16::MIN; n], &most)
                .items([96])
                .label(format!("{count} neighbours")),
        );
    }
    let values: Vec<u32> = (0..5).collect();
    cases.push(
        Case::of(&FIRST_TO_COME)
            .input(&values)
            .update(&[false, true, false, false, true], &[true; 5])
            .output(&[1_u32, 0, 1, 1, 0])
            .refer_mut([false, true, false], [true, false, true])
            .items([5]),
    );
    let x: [i8; 5] = [-100, -1, 0, 7, 127];
    let (bytes, flags) = ([5_i8, -7, 0, 127, -128], [true, false, true, false, true]);
    let on_host: Vec<_> = (0..5).map(|i| seen_on_host(bytes[i], flags[i], x[i])).collect();
    let seen: Vec<_> = on_host.iter().map(|host| host.0).collect();
    let saw: Vec<_> = on_host.iter().map(|host| host.1).collect();
    let after: Vec<_> = on_host.iter().map(|host| host.2).collect();
    let states: Vec<_> = on_host.iter().map(|host| host.3).collect();
    cases.push(
        Case::of(&METHODS_OF_SMALL)
            .update(&bytes, &after)
            .update(&flags, &states)
            .input(&x)
            .output(&seen)
            .output(&saw)
            .items([5]),
    );
    let x: Vec<u8> = (0..72_u8).map(|k| k.wrapping_mul(11)).collect();
    let results: Vec<[u32; 4]> = x
        .chunks(24)
        .map(|group| {
            let sum = group.iter().fold(200_u8, |sum, value| sum.wrapping_add(*value));
            let word = group.iter().fold(60000_u16, |sum, value| sum.wrapping_add(u16::from(*value) * 16));
            [u32::from(sum), u32::from(word), u32::from(group.contains(&77)), 5 + 23]
        })
        .collect();
    cases.push(Case::of(&SMALL_IN_LOCAL_MEMORY).input(&x).output(&results).groups([3], [24]));
    cases
}
