//! Counters of loops: that of an endless range is asked for the next number before it hands one out; those of others have an end.

use super::super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// So many numbers from one on, of which the last is kept.
#[kernel(overflow = "check")]
pub fn endless(starts: &[u8], counts: &[u32], last: &mut [u8]) {
    let i = global_id(0);
    let mut left = counts[i];
    for number in starts[i].. {
        last[i] = number;
        left -= 1;
        if left == 0 {
            break;
        }
    }
}

#[kernel(overflow = "wrap")]
pub fn endless_wraps(starts: &[u8], counts: &[u32], last: &mut [u8]) {
    let i = global_id(0);
    let mut left = counts[i];
    for number in starts[i].. {
        last[i] = number;
        left -= 1;
        if left == 0 {
            break;
        }
    }
}

#[kernel(overflow = "check")]
pub fn endless_signed(starts: &[i16], limit: i16, count: &mut [u32]) {
    let i = global_id(0);
    count[i] = 0;
    for number in (starts[i]..).map(|number| number / 2) {
        if number >= limit {
            break;
        }
        count[i] += 1;
    }
}

/// Beside a barrier the work-item goes on with the last number.
#[kernel(overflow = "check", group_size = 4)]
pub fn endless_beside_barrier(starts: &[u8], limit: u8, y: &mut [u32]) {
    let mut shared = Local::<[u32; 4]>::new();
    let (l, i) = (local_id(0), global_id(0));
    shared[l] = i as u32;
    barrier();
    let mut count = 0;
    for number in starts[i].. {
        if number == limit {
            break;
        }
        count += 1;
    }
    y[i] = shared[3 - l] + count * 100;
}

/// A slice and numbers: when the one ends, the other is not asked.
#[kernel(overflow = "check", requires(global_size(0) == 1))]
pub fn zipped(x: &[u32], start: u8, sum: &mut u32) {
    *sum = 0;
    for (value, number) in x.iter().zip(start..) {
        *sum += value * number as u32;
    }
}

#[kernel(overflow = "check")]
pub fn stepped(starts: &[u8], step: usize, last: &mut [u8], counts: &[u32]) {
    let i = global_id(0);
    let mut left = counts[i];
    for number in (starts[i]..).step_by(step) {
        last[i] = number;
        left -= 1;
        if left == 0 {
            break;
        }
    }
}

#[kernel(overflow = "wrap")]
pub fn stepped_wraps(starts: &[u8], step: usize, last: &mut [u8], counts: &[u32]) {
    let i = global_id(0);
    let mut left = counts[i];
    for number in (starts[i]..).step_by(step) {
        last[i] = number;
        left -= 1;
        if left == 0 {
            break;
        }
    }
}

/// By hand.
#[kernel(overflow = "check")]
pub fn advanced(starts: &[u32], sums: &mut [u64]) {
    let i = global_id(0);
    let mut numbers = (starts[i]..).map(|number| number);
    let mut sum = 0;
    for _ in 0..2 {
        if let Some(number) = numbers.next() {
            sum += number as u64;
        }
    }
    sums[i] = sum;
}

#[kernel(overflow = "check")]
pub fn by_number(starts: &[u8], n: usize, found: &mut [u8]) {
    let i = global_id(0);
    found[i] = (starts[i]..).nth(n).unwrap_or(7);
}

/// These come to an end, and none is asked for more.
#[kernel(overflow = "check", requires(global_size(0) == 1))]
pub fn with_ends(start: u8, count: &mut [u32]) {
    for _ in start..=255 {
        count[0] += 1;
    }
    for _ in (start..255).step_by(100) {
        count[1] += 1;
    }
    for number in (start..=255).rev() {
        count[2] += number as u32;
    }
    for (_, number) in (start..).take(3).zip(0_u8..) {
        count[3] += number as u32;
    }
}

pub fn cases() -> Vec<Case> {
    let overflow = || ExpectedFault::new(FaultKind::AdditionOverflow);
    let wide: Vec<u32> = (0..256).collect();
    let sum = |len: u32| (0..len).map(|k| k * k).sum::<u32>();
    vec![
        Case::of(&ENDLESS)
            .input(&[0_u8, 250, 254, 255, 250])
            .input(&[3_u32, 5, 1, 1, 6])
            .update(&[9_u8; 5], &[2_u8, 254, 254, 9, 254])
            .items([5])
            .faults(overflow().count(2).values([255, 1])),
        Case::of(&ENDLESS_WRAPS)
            .input(&[0_u8, 250, 254, 255, 250])
            .input(&[3_u32, 5, 1, 1, 7])
            .output(&[2_u8, 254, 254, 255, 0])
            .items([5]),
        Case::of(&ENDLESS_SIGNED)
            .input(&[32760_i16, -3, 32767])
            .scalar(16382_i16)
            .update(&[9_u32; 3], &[4_u32, 32767, 0])
            .items([3])
            .faults(overflow().values([32767, 1]).global_id([2, 0, 0])),
        Case::of(&ENDLESS_BESIDE_BARRIER)
            .input(&[250_u8, 255, 0, 254])
            .scalar(255_u8)
            .output(&[503_u32, 2, 25501, 100])
            .items([4])
            .faults(overflow().count(4).values([255, 1])),
        Case::of(&ZIPPED).input(&wide[..255]).scalar(0_u8).refer_mut(5_u32, sum(255)).label("to the end"),
        Case::of(&ZIPPED)
            .input(&wide)
            .scalar(0_u8)
            .refer_mut(5_u32, sum(255))
            .faults(overflow().values([255, 1]))
            .label("beyond the end"),
        Case::of(&ZIPPED).input(&wide[..0]).scalar(255_u8).refer_mut(5_u32, 0).label("none"),
        Case::of(&STEPPED)
            .input(&[10_u8, 10, 5, 54, 55])
            .scalar(100_usize)
            .update(&[9_u8; 5], &[210_u8, 210, 5, 254, 155])
            .input(&[3_u32, 4, 1, 3, 3])
            .items([5])
            .faults(overflow().count(2).values([255, 1])),
        Case::of(&STEPPED)
            .input(&[10_u8, 10])
            .scalar(300_usize)
            .update(&[9_u8; 2], &[10_u8, 10])
            .input(&[2_u32, 1])
            .items([2])
            .faults(overflow().values([255, 1]).global_id([0, 0, 0]))
            .label("a long step"),
        Case::of(&STEPPED_WRAPS)
            .input(&[10_u8, 10, 5, 54, 55])
            .scalar(100_usize)
            .output(&[210_u8, 54, 5, 254, 255])
            .input(&[3_u32, 4, 1, 3, 3])
            .items([5]),
        Case::of(&ADVANCED)
            .input(&[1_u32, u32::MAX - 2, u32::MAX - 1])
            .update(&[9_u64; 3], &[3_u64, 2 * u64::from(u32::MAX) - 3, 9])
            .items([3])
            .faults(overflow().values([u32::MAX.into(), 1]).global_id([2, 0, 0])),
        Case::of(&BY_NUMBER)
            .input(&[1_u8, 244, 245])
            .scalar(10_usize)
            .update(&[9_u8; 3], &[11_u8, 254, 9])
            .items([3])
            .faults(overflow().values([255, 1]).global_id([2, 0, 0])),
        Case::of(&WITH_ENDS).scalar(250_u8).update(&[0_u32; 4], &[6_u32, 1, 1515, 3]),
    ]
}
