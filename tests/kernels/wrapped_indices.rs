//! Indices of 32 bits that would wrap for the work-items that a guard keeps out: those before the first element, behind the last one, or next to the end of the range.

use super::case::Case;
use kernel_runtime::prelude::*;

/// What stands so far before each element.
#[kernel]
pub fn before(x: &[u32], distance: u32, y: &mut [u32]) {
    let i = global_id(0) as u32;
    if i >= distance {
        y[i as usize] = x[(i - distance) as usize] + 1;
    }
}

/// The same of every third one, in numbers with a sign and of 64 bits.
#[kernel]
pub fn before_some(x: &[u64], distance: i32, y: &mut [u64]) {
    let i = global_id(0) as i32;
    if i - distance >= 0 && i % 3 == 1 {
        y[i as usize] = x[(i - distance) as usize] + 1;
    }
}

/// What stands as far from the end as each element from the start.
#[kernel]
pub fn from_end(x: &[u32], y: &mut [u32]) {
    let (i, last) = (global_id(0) as u32, x.len() as u32);
    let place = last.wrapping_sub(i + 1);
    if place < last {
        y[i as usize] = x[place as usize];
    }
}

/// Those that come to the start by passing over the end of the range.
#[kernel]
pub fn around(x: &[u32], start: u32, y: &mut [u32]) {
    let i = global_id(0) as u32;
    let place = i.wrapping_add(start) as usize;
    if place < x.len() {
        y[i as usize] = x[place];
    }
}

/// Every second element, moved by so many.
#[kernel(unsafe(races(y)))]
pub fn moved_down(x: &[u32], distance: u32, y: &mut [u32]) {
    let i = global_id(0) as u32;
    if i >= distance {
        y[(2 * (i - distance)) as usize] = x[i as usize];
    }
}

/// Sums of the elements of a group up to each one, which take what stands before each of them from local memory.
#[kernel(group_size = [64, 1, 1])]
pub fn sums_of_group(x: &[u32], y: &mut [u32]) {
    let mut sums = Local::<[u32; 64]>::new();
    let (l, i) = (local_id(0) as u32, global_id(0));
    let mut own = x[i];
    let mut distance = 1;
    while distance < 64 {
        sums[l as usize] = own;
        barrier();
        if l >= distance {
            own += sums[(l - distance) as usize];
        }
        barrier();
        distance *= 2;
    }
    y[i] = own;
}

/// The same of numbers of 8 bits, every second of which is there.
#[kernel(group_size = [32, 1, 1])]
pub fn bytes_of_group(x: &[u8], distance: u32, y: &mut [u8]) {
    let mut bytes = Local::<[u8; 64]>::new();
    let (l, i) = (local_id(0) as u32, global_id(0));
    bytes[2 * l as usize] = x[i];
    barrier();
    if l >= distance {
        y[i] = bytes[(2 * (l - distance)) as usize] ^ 1;
    }
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let distances = [0, 1, 3, 8, 15, 16, 17, 30, 36, 37, 100];
    let x: Vec<u32> = (0..37_u32).map(|k| k * k + 5).collect();
    let wide: Vec<u64> = x.iter().map(|&x| u64::from(x) << 33 | 1).collect();
    let sum = |x: &[u32]| x.iter().sum::<u32>();
    for distance in distances {
        let after: Vec<u32> =
            (0..37).map(|k: usize| k.checked_sub(distance).map_or(7, |k| x[k] + 1)).collect();
        let case = Case::of(&BEFORE).input(&x).scalar(distance as u32).update(&[7_u32; 37], &after);
        cases.push(case.items([37]).label(format!("{distance} before")));
        let some = (0..37).map(|k: usize| {
            let before = k.checked_sub(distance).filter(|_| k % 3 == 1);
            before.map_or(7, |k| wide[k] + 1)
        });
        let case = Case::of(&BEFORE_SOME).input(&wide).scalar(distance as i32);
        let case = case.update(&[7_u64; 37], &some.collect::<Vec<_>>());
        cases.push(case.items([37]).label(format!("{distance} before some")));
        let start = 0_u32.wrapping_sub(distance as u32);
        let after: Vec<u32> = (0..37).map(|k: usize| k.checked_sub(distance).map_or(7, |k| x[k])).collect();
        let case = Case::of(&AROUND).input(&x).scalar(start).update(&[7_u32; 37], &after);
        cases.push(case.items([37]).label(format!("from {start} on")));
        let mut after = vec![7_u32; 74];
        (distance..37).for_each(|k| after[2 * (k - distance)] = x[k]);
        let case = Case::of(&MOVED_DOWN).input(&x).scalar(distance as u32).update(&[7_u32; 74], &after);
        cases.push(case.items([37]).label(format!("{distance} moved")));
    }
    for count in [1, 15, 16, 20, 37] {
        let after: Vec<u32> = (0..37).map(|k: usize| if k < count { x[count - 1 - k] } else { 7 }).collect();
        cases.push(Case::of(&FROM_END).input(&x[..count]).update(&[7_u32; 37], &after).items([37]));
    }
    let x: Vec<u32> = (0..128_u32).map(|k| k % 11 + 1).collect();
    let sums: Vec<u32> = (0..128).map(|k| sum(&x[k / 64 * 64..=k])).collect();
    cases.push(Case::of(&SUMS_OF_GROUP).input(&x).output(&sums).groups([2], [64]));
    let bytes: Vec<u8> = (0..64).map(|k| k * 3).collect();
    for distance in [0, 1, 5, 16, 31, 32] {
        let of_group = |k: usize| (k % 32).checked_sub(distance).map_or(7, |l| bytes[k / 32 * 32 + l] ^ 1);
        let after: Vec<u8> = (0..64).map(of_group).collect();
        let case =
            Case::of(&BYTES_OF_GROUP).input(&bytes).scalar(distance as u32).update(&[7_u8; 64], &after);
        let case = case.groups([2], [32]).label(format!("{distance} bytes before"));
        // Its vectoriser loads what the first work-item would read, from behind the end of the range, though that one is kept out.
        cases.push(match distance {
            1..32 => case.wrong_on_intel_opencl("crash its vectoriser, from OpenCL C too"),
            _ => case,
        });
    }
    cases
}
