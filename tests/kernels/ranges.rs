//! `for` over ranges: reversed, stepped, inclusive, up to the ends of their types.

use super::case::{Case, ExpectedFault};
use super::edge::map;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// A number that depends on which numbers come, and in which order.
#[device]
fn mix(sum: u32, number: u32) -> u32 {
    sum.wrapping_mul(31).wrapping_add(number).wrapping_add(1)
}

#[device]
fn reversed(a: i32, b: i32) -> u32 {
    let mut sum = 0;
    for i in (a..b).rev() {
        if i & 7 == 3 {
            continue;
        }
        sum = mix(sum, i as u32);
    }
    for i in (a..=b).rev() {
        sum = mix(sum, i as u32);
    }
    sum
}

#[device]
fn stepped(a: i32, b: i32, step: usize) -> u32 {
    let mut sum = 0;
    for i in (a..b).step_by(step) {
        sum = mix(sum, i as u32);
    }
    for i in (a..=b).step_by(step) {
        sum = mix(sum, i as u32);
        if sum % 64 == 0 {
            break;
        }
    }
    sum
}

/// Ranges that end with the last number of their type, and steps that go beyond it.
#[device]
fn ends(x: i32) -> u32 {
    let low = x as u8;
    let mut sum = 0;
    for i in low..=255 {
        sum = mix(sum, i as u32);
    }
    for i in (-128..=(x as i8)).rev() {
        sum = mix(sum, i as u32);
    }
    for i in (low..255).step_by(100) {
        sum = mix(sum, i as u32);
    }
    for i in ((x as i8)..=127).step_by(200) {
        sum = mix(sum, i as u32);
    }
    for i in (u32::MAX - low as u32..=u32::MAX).step_by(1 << 31) {
        sum = mix(sum, i);
    }
    for i in (x..i32::MAX).step_by(usize::MAX) {
        sum = mix(sum, i as u32);
    }
    sum
}

#[device]
fn ranges(x: i32) -> u32 {
    let width = x & 31;
    let step = 1 + (x & 7) as usize;
    reversed(x, x.wrapping_add(width)) ^ stepped(-width, x & 63, step) ^ ends(x)
}

#[kernel]
pub fn range_values(x: &[i32], result: &mut [u32]) {
    let i = global_id(0);
    result[i] = ranges(x[i]);
}

/// Each work-item takes every so many elements.
#[kernel]
pub fn grid_stride(x: &[u32], result: &mut [u32]) {
    for i in (global_id(0)..x.len()).step_by(global_size(0)) {
        result[i] = x[i] * 2;
    }
}

/// A step of zero, which Rust refuses with a panic.
#[kernel(requires(global_size(0) == 1))]
pub fn zero_step(step: usize, result: &mut [u32]) {
    let mut count = 0;
    for _ in (0..10).step_by(step) {
        count += 1;
    }
    result[0] = count;
}

/// Ranges of what is compared by an `impl PartialOrd`.
#[device]
pub mod compared {
    use core::ops::{Range, RangeBounds};

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    struct Address(u32);

    #[derive(Clone, Copy, PartialEq, PartialOrd)]
    enum Level {
        Low,
        Middle(u8),
        High,
    }

    fn within<T: PartialOrd>(range: &Range<T>, item: &T) -> bool {
        range.contains(item) && !range.is_empty()
    }

    fn bounded<T: PartialOrd>(range: impl RangeBounds<T>, item: T) -> bool {
        range.contains(&item)
    }

    pub fn ranges(x: u32) -> u32 {
        let (a, b, c) = (Address(x % 10), Address(x / 10 % 10), Address(x / 100 % 10));
        let (half_open, closed) = (a..b, a..=b);
        let letter = (b'a' + (x % 26) as u8) as char;
        let level = match x % 3 {
            0 => Level::Low,
            1 => Level::Middle(x as u8),
            _ => Level::High,
        };
        let pair = (x % 3, x / 3 % 3);
        let word = if x % 2 == 0 { "abc" } else { "q" };
        let all = [
            half_open.is_empty(),
            closed.is_empty(),
            (a..a).is_empty(),
            half_open.contains(&c),
            closed.contains(&c),
            (a..).contains(&c),
            (..b).contains(&c),
            (..=b).contains(&c),
            ('c'..='t').contains(&letter),
            ('c'..letter).is_empty(),
            (Level::Low..Level::Middle(100)).contains(&level),
            (Level::Middle(7)..=Level::High).contains(&level),
            ((0, 1)..(2, 0)).contains(&pair),
            (pair..(1, 1)).is_empty(),
            within(&half_open, &c),
            within(&(0.5..f64::from(x % 7)), &3.0),
            within(&(2..9), &(x % 12)),
            bounded(a..b, c),
            bounded(..=3, x % 5),
            bounded(a..=b, c),
            (u128::from(x)..u128::MAX).contains(&77),
            (&a..&b).contains(&&c),
            (0..i64::from(x) - 50).is_empty(),
            ("abd".."xyz").contains(&word),
        ];
        all.iter().fold(0, |bits, &is_so| bits << 1 | u32::from(is_so))
    }
}

#[kernel]
pub fn compared_ranges(x: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    result[i] = compared::ranges(x[i]);
}

#[device]
pub mod bounded {
    use core::ops::{Bound, RangeBounds};

    fn has<R: RangeBounds<u32>>(range: &R, x: u32) -> u32 {
        u32::from(range.contains(&x))
    }

    fn first<R: RangeBounds<u32>>(range: R) -> u32 {
        match range.start_bound() {
            Bound::Included(&start) => start,
            Bound::Excluded(start) => start + 1,
            Bound::Unbounded => 0,
        }
    }

    pub fn pairs(x: u32) -> u32 {
        let one = (Bound::Included(x % 7), Bound::Excluded(x % 20));
        let two = (Bound::Excluded(3), Bound::Unbounded);
        let three = (Bound::Unbounded, Bound::Included(x / 2));
        let found = u32::from(one.contains(&(x % 11))) | has(&one, x % 9) << 1 | has(&two, x % 5) << 2;
        let found = found | has(&three, 100) << 3 | has(&(x..), 5) << 4 | has(&(..), x) << 5;
        found | first(one) << 8 | first(two) << 16 | (first(three) + first(x % 3..=3)) << 24
    }
}

#[kernel]
pub fn pairs_of_bounds(x: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    result[i] = bounded::pairs(x[i]);
}

pub fn cases() -> Vec<Case> {
    let x: Vec<i32> = (-70..70).chain([i32::MIN, i32::MAX - 40]).collect();
    let expected = map(&x, ranges);
    let numbers: Vec<u32> = (0..1000).collect();
    let compared = map(&numbers, compared::ranges);
    let bounded = map(&numbers, bounded::pairs);
    let doubled = map(&numbers, |number| number * 2);
    vec![
        Case::of(&RANGE_VALUES).input(&x).output(&expected).items([x.len()]),
        Case::of(&COMPARED_RANGES).input(&numbers).output(&compared).items([numbers.len()]),
        Case::of(&PAIRS_OF_BOUNDS).input(&numbers).output(&bounded).items([numbers.len()]),
        Case::of(&GRID_STRIDE).input(&numbers).output(&doubled).groups([3], [32]),
        Case::of(&ZERO_STEP).scalar(3_usize).output(&[4_u32]).items([1]),
        Case::of(&ZERO_STEP)
            .scalar(0_usize)
            .output(&[0_u32])
            .unwritten([0])
            .items([1])
            .faults(ExpectedFault::new(FaultKind::ZeroStep).global_id([0; 3]))
            .label("a step of zero"),
    ]
}
