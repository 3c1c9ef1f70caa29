//! `println!` and its kin, which the host formats as Rust does.

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// Every type that can be printed, and every kind of argument.
#[kernel(requires(global_size(0) == 1))]
pub fn print_scalars(x: &[f64], y: &mut [u32]) {
    let (value, half) = (x[0], f16::from_f32(0.333));
    let (width, precision) = (9, 2);
    let (small, byte, long) = (-3_i8, 200_u8, -5_000_000_000_i64);
    println!("{value} {:?} {value:>width$.precision$}|{0:e}|{half}", 1.5_f32, half = half);
    println!("{half} {small} {byte:#04x} {long} {} {}", u64::MAX, usize::MAX);
    println!("{{}} {:5}|{:<5}|{:^5}|{:+} {}", true, 7_i16, 8_u16, 9_i32, f64::NAN);
    println!("{count} {:?} {:?}", bf16::from_f32(1.0), -0.0_f32, count = y.len());
    y[0] = 1;
}

fn scalars() -> Vec<Case> {
    let half = f16::from_f32(0.333);
    vec![Case::of(&PRINT_SCALARS).input(&[2.5]).output(&[1_u32]).prints([
        format!("2.5 1.5      2.50|1.5e0|{half}\n"),
        format!("{half} -3 0xc8 -5000000000 18446744073709551615 18446744073709551615\n"),
        "{} true |7    |  8  |+9 NaN\n".to_owned(),
        "1 1.0 -0.0\n".to_owned(),
    ])]
}

/// Vectors, as they are and behind references.
#[kernel]
pub fn print_vectors(x: &[f32x3], y: &[i64x2]) {
    let (i, sum) = (global_id(0), &(x[0] + x[1]));
    let bytes = u8x4::from_array([1, 2, 254, 255]);
    let halves = f16x2::splat(f16::from_f32(0.5));
    println!("{i}: {:?} {sum:.1?} {:?} {bytes:?} {halves:?}", x[i], y[i]);
    println!("{:#?}", y[i]);
}

fn vectors() -> Vec<Case> {
    let x = [[1.0, -2.5, 3.0], [0.1, 0.0, f32::INFINITY]].map(f32x3::from_array);
    let y = [[i64::MIN, 7], [-1, 5_000_000_000]].map(i64x2::from_array);
    let texts = (0..2).flat_map(|i| {
        let (bytes, halves) = ([1, 2, 254, 255], [0.5, 0.5]);
        let line = format!("{i}: {:?} {:.1?} {:?} {bytes:?} {halves:?}\n", x[i], x[0] + x[1], y[i]);
        [line, format!("{:#?}\n", y[i])]
    });
    vec![Case::of(&PRINT_VECTORS).input(&x).input(&y).prints(texts).items([2])]
}

/// Prints from a function, through a reference, without a line break, and to the other stream.
#[device]
fn report(name: u32, value: &f32) {
    print!("{name}: {value:.1};");
    eprintln!("to the other stream");
}

#[kernel]
pub fn print_from_functions(x: &[f32]) {
    let i = global_id(0);
    if i < x.len() && x[i] > 1.0 {
        report(i as u32, &x[i]);
    } else {
        println!();
    }
}

fn functions() -> Vec<Case> {
    let case = |x: &[f32], texts: Vec<String>| {
        Case::of(&PRINT_FROM_FUNCTIONS).groups([2], [2]).input(x).prints(texts)
    };
    let [line, other] = ["\n", "to the other stream\n"].map(str::to_owned);
    vec![
        case(
            &[1.0, 2.0, 3.0],
            vec![line.clone(), line.clone(), "1: 2.0;".into(), "2: 3.0;".into(), other.clone(), other],
        ),
        case(&[], vec![line; 4]),
    ]
}

/// Prints in loops, beside barriers and faults.
#[kernel]
pub fn print_beside_faults(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    for step in 0..2 {
        println!("{i} {step}");
    }
    barrier();
    y[i] = x[i] / x[i + 1];
}

fn beside_faults() -> Vec<Case> {
    let lines = (0..3).flat_map(|i| (0..2).map(move |step| format!("{i} {step}\n")));
    vec![
        Case::of(&PRINT_BESIDE_FAULTS)
            .groups([1], [3])
            .input(&[6_u32, 3, 1, 1])
            .output(&[2_u32, 3, 1])
            .prints(lines),
    ]
}

/// Prints to both streams.
#[kernel]
pub fn print_to_both(x: &[u32]) {
    print!("both {}, ", x[0]);
    eprintln!("warning");
}

/// Prints what may not be there.
#[kernel]
pub fn print_value(x: &[u32]) {
    println!("value {}", x[global_id(0)]);
}

/// Prints as much as it is told.
#[kernel]
pub fn print_count(count: u32) {
    for step in 0..count {
        println!("{step}");
    }
}

fn queues() -> Vec<Case> {
    let fault = ExpectedFault::new(FaultKind::IndexOutOfBounds).values([0, 0]);
    vec![
        Case::of(&PRINT_TO_BOTH).input(&[7_u32]).prints(["both 7, ", "warning\n"]),
        Case::of(&PRINT_VALUE).input(&[7_u32]).prints(["value 7\n"]),
        Case::of(&PRINT_VALUE).input::<u32>(&[]).faults(fault),
        Case::of(&PRINT_COUNT).scalar(0_u32),
        Case::of(&PRINT_COUNT)
            .scalar(3_u32)
            .groups([2], [1])
            .prints(["0\n", "1\n", "2\n", "0\n", "1\n", "2\n"]),
    ]
}

pub fn cases() -> Vec<Case> {
    [scalars(), vectors(), functions(), beside_faults(), queues()].into_iter().flatten().collect()
}
