//! `panic!`, `assert!` and their kin: the fault is reported with its message, and the work-item leaves the kernel, or in a kernel with
//! barriers as much of it as nobody waits for.
#![allow(
    clippy::todo,
    clippy::unimplemented,
    clippy::assertions_on_constants,
    clippy::eq_op,
    clippy::bool_assert_comparison,
    reason = "each macro is used in its plain form"
)]

use super::case::{Case, ExpectedFault};
use super::edge::map;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// Every form, none of which panics for what it is given.
#[device]
fn holds(x: i32) -> i32 {
    assert!(x > i32::MIN);
    assert!(x > i32::MIN, "with text");
    assert_eq!(x - x, 0);
    assert_eq!([x, 1], [x, 1], "arrays {x}");
    assert_ne!((x, 1.5), (x, 2.5));
    debug_assert!(x == x);
    debug_assert_eq!(x, x, "{}", x);
    debug_assert_ne!(x, x ^ 1);
    core::assert!(x & 1 == x % 2 || x < 0);
    let half: i32 = if x & 1 == 0 { x / 2 } else { x };
    match half.rem_euclid(3) {
        0 => half,
        1 => half + 1,
        2 => half + 2,
        _ => unreachable!(),
    }
}

#[kernel]
pub fn nothing_panics(x: &[i32], y: &mut [i32]) {
    let i = global_id(0);
    y[i] = holds(x[i]);
}

/// The function does not come back, and what follows in the kernel is not done.
#[device]
fn of_digit(digit: u8) -> u32 {
    match digit {
        b'0'..=b'9' => (digit - b'0') as u32,
        b'a'..=b'f' => (digit - b'a') as u32 + 10,
        _ => panic!("not a digit: {digit}"),
    }
}

#[kernel]
pub fn panics(text: &[u8], y: &mut [u32], done: &mut [u32]) {
    let i = global_id(0);
    y[i] = of_digit(text[i]);
    done[i] = 1;
}

#[kernel]
pub fn each_kind(which: u32, y: &mut [u32]) {
    let i = global_id(0);
    match which {
        0 => panic!(),
        1 => panic!("with {{braces}} and {i}"),
        2 => unreachable!(),
        3 => unreachable!("never {which}"),
        4 => todo!(),
        5 => todo!("later"),
        6 => unimplemented!(),
        7 => unimplemented!("at all"),
        8 => assert!(y.len() > 100),
        9 => assert!(y.len() > 100, "too few"),
        10 => assert_eq!(which, 3 + i as u32),
        11 => assert_ne!(-(which as i32), -11, "of which"),
        12 => assert_eq!(which as f32 / 8.0, 1.25),
        13 => assert_eq!(which as f64 / 8.0, 1.25),
        14 => assert_eq!(which == 3, i == 0),
        15 => assert_eq!([which; 2], [1, 2]),
        _ => {}
    }
    y[i] = which;
}

/// What is asserted needs no check.
#[kernel]
pub fn asserted_bounds(n: usize, x: &[i32], y: &mut [i32]) {
    assert!(n <= x.len());
    let mut sum = 0;
    for k in 0..n {
        sum += x[k];
    }
    y[global_id(0)] = sum;
}

/// Out of loops, closures and blocks with values; a loop whose condition a panic would leave as it is does not go on for ever.
#[kernel]
pub fn from_inside(x: &[i32], y: &mut [i32]) {
    let i = global_id(0);
    let checked = |value: i32| if value > 100 { panic!("too many") } else { value };
    let mut left = x[i];
    let mut steps = 0;
    while left > 0 {
        for k in 1..3 {
            left -= match left {
                7 => todo!(),
                other => checked(other).min(k),
            };
            steps += 1;
        }
    }
    let Some(half) = (steps as u32).checked_sub(1) else { unreachable!("no steps") };
    y[i] = half as i32;
}

#[kernel]
pub fn unwrapped(x: &[i32], y: &mut [i32]) {
    let i = global_id(0);
    let even = |value: i32| if value % 2 == 0 { Some(value / 2) } else { None };
    let small = |value: i32| if value < 100 { Ok(value) } else { Err(value) };
    y[i] = 1;
    let half = even(x[i]).expect("an even number");
    y[i] = 2;
    y[i] = small(half).unwrap() + small(x[i] + 100).unwrap_err();
}

/// Work-items that panic come to the barriers all the same.
#[kernel(group_size = [4, 1, 1])]
pub fn beside_barriers(x: &[u32], y: &mut [u32]) {
    let mut shared = Local::<[u32; 4]>::new();
    let l = local_id(0);
    shared[l] = match x[l] {
        99 => panic!("ninety-nine"),
        other => other + 1,
    };
    barrier();
    let mut sum = 0;
    let mut k = l;
    while k < 4 {
        assert!(shared[k] != 8, "eight");
        sum += shared[k];
        k += 1;
    }
    barrier();
    shared[l] = sum;
    barrier();
    let [first, .., last] = x[l..] else { panic!("too short") };
    y[global_id(0)] = shared[3 - l] + first + last;
}

pub fn cases() -> Vec<Case> {
    let x = [0, 1, 2, 3, 4, 9, 10, -7, -8, i32::MAX - 2];
    let message = |which: u32| match which {
        0 => "explicit panic",
        1 => "with {braces} and 0",
        2 => "internal error: entered unreachable code",
        3 => "internal error: entered unreachable code: never 3",
        4 => "not yet implemented",
        5 => "not yet implemented: later",
        6 => "not implemented",
        7 => "not implemented: at all",
        8 => "assertion failed: y.len() > 100",
        9 => "too few",
        11 => "assertion `left != right` failed: of which",
        15 => "assertion `left == right` failed\n  left: [15, 15]\n right: [1, 2]",
        _ => "assertion `left == right` failed",
    };
    let kind = |which: u32| match which {
        10 => FaultKind::ComparedUnsigned,
        11 => FaultKind::ComparedSigned,
        12 => FaultKind::ComparedF32,
        13 => FaultKind::ComparedF64,
        14 => FaultKind::ComparedBool,
        _ => FaultKind::Panic,
    };
    let values = |which: u32| match which {
        10 => [10, 3],
        11 => [-11_i64 as u64; 2],
        12 => [u64::from(1.5_f32.to_bits()), u64::from(1.25_f32.to_bits())],
        13 => [1.625_f64.to_bits(), 1.25_f64.to_bits()],
        14 => [0, 1],
        _ => [0, 0],
    };
    let fault = |which| ExpectedFault::new(kind(which)).message(message(which)).values(values(which));
    let panic = |message| ExpectedFault::new(FaultKind::Panic).message(message);
    let mut cases = vec![
        Case::of(&NOTHING_PANICS).input(&x).output(&map(&x, holds)).items([x.len()]),
        Case::of(&PANICS)
            .input(b"19x0f")
            .update(&[77_u32; 5], &[1_u32, 9, 77, 0, 15])
            .update(&[0_u32; 5], &[1_u32, 1, 0, 1, 1])
            .items([5])
            .faults(panic("not a digit: 120").global_id([2, 0, 0]).at("panic!")),
        Case::of(&EACH_KIND).scalar(16_u32).output(&[16_u32]).items([1]).label("none"),
        Case::of(&ASSERTED_BOUNDS).scalar(3_usize).input(&[1, 2, 4, 8]).output(&[7; 2]).items([2]),
        Case::of(&ASSERTED_BOUNDS)
            .scalar(5_usize)
            .input(&[1, 2, 4, 8])
            .update(&[5; 2], &[5; 2])
            .items([2])
            .faults(panic("assertion failed: n <= x.len()").count(2))
            .label("too far"),
        Case::of(&FROM_INSIDE).input(&[3, 5, 6]).output(&[1, 3, 3]).items([3]),
        Case::of(&FROM_INSIDE)
            .input(&[7])
            .update(&[0], &[0])
            .items([1])
            .faults(panic("not yet implemented").at("todo!"))
            .label("out of a match"),
        Case::of(&FROM_INSIDE)
            .input(&[101])
            .update(&[0], &[0])
            .items([1])
            .faults(panic("too many").at("panic!"))
            .label("out of a closure"),
        Case::of(&FROM_INSIDE)
            .input(&[0])
            .update(&[0], &[0])
            .items([1])
            .faults(panic("internal error: entered unreachable code: no steps"))
            .label("let else"),
        Case::of(&UNWRAPPED)
            .input(&[8, 7])
            .output(&[112, 1])
            .items([2])
            .faults(panic("an even number").global_id([1, 0, 0]).at("expect")),
        Case::of(&UNWRAPPED)
            .input(&[202])
            .output(&[2])
            .items([1])
            .faults(ExpectedFault::new(FaultKind::UnwrapErr).message("101").at("unwrap"))
            .label("err"),
        Case::of(&BESIDE_BARRIERS).input(&[1_u32, 2, 3, 4, 5]).output(&[11_u32, 16, 20, 23]).items([4]),
        Case::of(&BESIDE_BARRIERS)
            .input(&[1_u32, 99, 3, 4, 5])
            .output(&[11_u32, 113, 17, 20])
            .items([4])
            .faults(panic("ninety-nine"))
            .label("one"),
        Case::of(&BESIDE_BARRIERS)
            .input(&[1_u32, 2, 7, 4])
            .output(&[10_u32, 6, 14, 13])
            .items([4])
            .faults(ExpectedFault::new(FaultKind::Panic).count(4))
            .label("all"),
    ];
    for which in 0..16 {
        cases.push(
            Case::of(&EACH_KIND)
                .scalar(which)
                .update(&[77_u32], &[77_u32])
                .items([1])
                .faults(fault(which))
                .label(message(which)),
        );
    }
    cases
}
