//! Panics whose messages have values in them, which the host formats as Rust does.
#![allow(clippy::todo, clippy::unimplemented, clippy::eq_op, reason = "each macro is used in its plain form")]

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// Every macro, with values of every kind.
#[kernel]
pub fn say_each(which: u32, x: &[f64], y: &mut [u32]) {
    let i = global_id(0);
    let (value, half) = (x[i], f16::from_f32(0.5));
    let (width, bytes) = (7, u8x4::from_array([1, 2, 254, 255]));
    match which {
        0 => panic!("bad {value} at {i}"),
        1 => assert!(value > 3.0, "{value:>width$.1}|{:?}|{half}|{{}}", -1_i64),
        2 => assert_eq!(which, 3, "at {}", i),
        3 => assert_ne!(bytes, bytes, "all of {bytes:?}"),
        4 => assert_eq!(bytes, u8x4::splat(1)),
        5 => unreachable!("no {which:#x} {name}", name = i8::MIN),
        6 => todo!("{}", value < 0.0),
        7 => unimplemented!("{0} {0:?} {0:.1$}", value, 2),
        8 => debug_assert!(value > 3.0, "{value}"),
        _ => {}
    }
    y[i] = which;
}

fn each() -> Vec<Case> {
    let half = f16::from_f32(0.5);
    let (sides, texts) = ("assertion `left == right` failed", [1, 2, 254, 255]);
    let message = |which: u32| match which {
        0 => "bad 2.25 at 0".to_owned(),
        1 => format!("    2.2|-1|{half}|{{}}"),
        2 => format!("{sides}: at 0"),
        3 => format!(
            "assertion `left != right` failed: all of {texts:?}\n  left: {texts:?}\n right: {texts:?}"
        ),
        4 => format!("{sides}\n  left: {texts:?}\n right: {:?}", [1; 4]),
        5 => "internal error: entered unreachable code: no 0x5 -128".to_owned(),
        6 => "not yet implemented: false".to_owned(),
        _ => "not implemented: 2.25 2.25 2.25".to_owned(),
    };
    let case = |which: u32| Case::of(&SAY_EACH).scalar(which).input(&[2.25]);
    let fault = |which| {
        let kind = if which == 2 { FaultKind::ComparedUnsigned } else { FaultKind::Panic };
        let values = if which == 2 { [2, 3] } else { [0, 0] };
        ExpectedFault::new(kind).message(message(which)).values(values)
    };
    let panics = (0..8)
        .map(|which| case(which).update(&[77_u32], &[77_u32]).faults(fault(which)).label(message(which)));
    panics.chain((8..10).map(|which| case(which).output(&[which]))).collect()
}

/// What has been unwrapped is in the message, and what is given is so only where it is needed.
#[kernel]
pub fn say_unwrapped(which: u32, x: &[i32], y: &mut [i32]) {
    let i = global_id(0);
    let small = |value: i32| if value < 100 { Ok(value) } else { Err(value as f32) };
    y[i] = match which {
        0 => small(x[i]).unwrap(),
        1 => small(x[i]).expect("a {small} value"),
        2 => small(x[i]).unwrap_err() as i32,
        _ => small(x[i]).expect_err("no value") as i32,
    };
}

fn unwrapped() -> Vec<Case> {
    let case =
        |which: u32, x: i32, y: i32| Case::of(&SAY_UNWRAPPED).scalar(which).input(&[x]).update(&[-1], &[y]);
    let fault = |kind, message: &str| ExpectedFault::new(kind).message(message);
    vec![
        case(0, 99, 99),
        case(1, 99, 99),
        case(2, 100, 100),
        case(3, 100, 100),
        case(0, 100, -1).faults(fault(FaultKind::UnwrapErr, "100.0")),
        case(1, 101, -1).faults(fault(FaultKind::Panic, "a {small} value: 101.0")),
        case(2, -5, -1).faults(fault(FaultKind::UnwrapOk, "-5")),
        case(3, 5, -1).faults(fault(FaultKind::Panic, "no value: 5")),
    ]
}

#[device]
fn count(x: &mut [u32]) -> u32 {
    x[0] += 1;
    x[0]
}

/// The values of a message are computed where it panics, and nowhere else; what faults in them is the fault.
#[kernel(requires(global_size(0) == 1))]
pub fn say_lazily(x: &[u32], counts: &mut [u32], y: &mut [u32]) {
    assert!(x[0] < 10, "the call {}", count(counts));
    assert!(x[0] != 5, "beyond: {}", x[1]);
    assert!(x[0] < 5, "the first of these: {}", x[0]);
    y[0] = x[0];
}

fn lazily() -> Vec<Case> {
    let case = |x: u32, counts: u32, y: u32| {
        Case::of(&SAY_LAZILY).input(&[x]).update(&[3_u32], &[counts]).update(&[77_u32], &[y])
    };
    let panic = |message: &str| ExpectedFault::new(FaultKind::Panic).message(message);
    vec![
        case(4, 3, 4),
        case(12, 4, 77).faults(panic("the call 4")),
        case(5, 3, 77).faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).values([1, 1])),
        case(6, 3, 77).faults(panic("the first of these: 6")),
    ]
}

/// In a kernel with barriers, where a work-item goes on, its first fault keeps its words.
#[kernel(group_size = [4, 1, 1])]
pub fn say_beside_barriers(x: &[u32], y: &mut [u32]) {
    let mut shared = Local::<[u32; 4]>::new();
    let l = local_id(0);
    for step in 0..3_u32 {
        barrier();
        shared[l] = x[l] + step;
        assert!(shared[l] < 9, "step {step} of {l}: {}", shared[l]);
        barrier();
        assert!(x[l] != 100, "too late: {}, {}, {}", step, l, 5_u64);
    }
    y[global_id(0)] = shared[3 - l];
}

fn beside_barriers() -> Vec<Case> {
    let panic = |message: &str| ExpectedFault::new(FaultKind::Panic).message(message);
    let case = |x: [u32; 4], y: [u32; 4]| Case::of(&SAY_BESIDE_BARRIERS).input(&x).output(&y).items([4]);
    vec![
        case([1, 2, 3, 4], [6, 5, 4, 3]),
        case([1, 8, 3, 4], [6, 5, 10, 3]).faults(panic("step 1 of 1: 9").global_id([1, 0, 0])),
        case([1, 2, 3, 100], [102, 5, 4, 3]).faults(panic("step 0 of 3: 100").global_id([3, 0, 0])),
    ]
}

/// What of text there is room for.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
enum Named {
    Nobody,
    Somebody { name: &'static str, age: u8 },
}

#[device]
const NAMES: [&str; 4] =
    ["", "Ada", "Zoë \"Q\"", "what there is no room for is left out, and three points stand for it"];

/// Text that is known when the kernel runs.
#[kernel]
pub fn say_text(which: u32, number: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let name = NAMES[number[i] as usize];
    let somebody = Named::Somebody { name, age: 7 };
    match which {
        0 => assert!(name.is_empty(), "{name} is no {:>8}|{:?}", &name[..1], name),
        1 => assert_eq!(somebody, Named::Nobody),
        2 => assert_eq!(name, "Bob", "of {i}"),
        3 => y[i] = Err::<u32, _>(name).unwrap(),
        _ => {}
    }
    y[i] = name.len() as u32;
}

fn text() -> Vec<Case> {
    let case = |which: u32, number: u32, message: &str| {
        let case = Case::of(&SAY_TEXT).scalar(which).input(&[number]);
        let kind = if which == 3 { FaultKind::UnwrapErr } else { FaultKind::Panic };
        case.update(&[77_u32], &[77_u32]).faults(ExpectedFault::new(kind).message(message))
    };
    let long = &NAMES[3][..48];
    let sides = "assertion `left == right` failed";
    vec![
        Case::of(&SAY_TEXT).scalar(0_u32).input(&[0_u32]).output(&[0_u32]),
        case(0, 1, "Ada is no        A|\"Ada\""),
        case(0, 2, "Zoë \"Q\" is no        Z|\"Zoë \\\"Q\\\"\""),
        case(0, 3, &format!("{long}... is no        w|\"{long}...\"")),
        case(
            1,
            2,
            &format!("{sides}\n  left: {:?}\n right: Nobody", Named::Somebody { name: NAMES[2], age: 7 }),
        ),
        case(2, 1, &format!("{sides}: of 0\n  left: \"Ada\"\n right: \"Bob\"")),
        case(3, 1, "\"Ada\""),
    ]
}

/// One of many, in groups of any size.
#[kernel]
pub fn say_of_many(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    if x[i] == 7 {
        panic!("{} of {}", i, x.len());
    }
    y[i] = x[i];
}

/// What is known to hold has no message.
#[kernel]
pub fn say_what_holds(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    if i < x.len() && i < y.len() {
        assert!(i < x.len(), "{i} is not below {}", x.len());
        y[i] = x[i];
    }
}

fn many() -> Vec<Case> {
    let mut x = vec![1_u32; 300];
    x[257] = 7;
    let before = vec![77_u32; 300];
    let mut after = vec![1_u32; 300];
    after[257] = 77;
    let fault = ExpectedFault::new(FaultKind::Panic).message("257 of 300").global_id([257, 0, 0]);
    let many =
        |size: u32| Case::of(&SAY_OF_MANY).input(&x).update(&before, &after).groups([300 / size], [size]);
    vec![
        many(1).faults(fault.clone()),
        many(60).faults(fault.clone()),
        many(100).faults(fault),
        Case::of(&SAY_OF_MANY)
            .input(&[7_u32; 3])
            .update(&[5_u32; 3], &[5_u32; 3])
            .items([3])
            .faults(ExpectedFault::new(FaultKind::Panic).count(3)),
        Case::of(&SAY_WHAT_HOLDS).input(&[1_u32, 2]).output(&[1_u32, 2]).items([3]),
    ]
}

pub fn cases() -> Vec<Case> {
    assert!(!SAY_WHAT_HOLDS.has_fault_record(), "what is known to hold needs no check");
    [each(), unwrapped(), lazily(), beside_barriers(), text(), many()].into_iter().flatten().collect()
}
