//! Each kind of fault, in a device function of another crate, whose file and line are reported: in one work-item of many, in several, beside
//! barriers, to which the others come all the same, and in one work-item of ten million.

use super::case::{Case, ExpectedFault};
use device_library::faults::provoke;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// The work-items from `from` up to `to` fault; all others, and all before they do, write what they should.
#[kernel]
pub fn in_some(which: u32, from: usize, to: usize, values: &[u32], numbers: &[i32], y: &mut [usize]) {
    let i = global_id(0);
    y[i] = i + 1;
    if from <= i && i < to {
        let _ = provoke(which, values, numbers);
    }
}

/// A work-item that faults hands over what it has, comes to both barriers, and gets what others have.
#[kernel(group_size = [4])]
pub fn between_barriers(which: u32, at: usize, values: &[u32], numbers: &[i32], y: &mut [usize]) {
    let mut shared = Local::<[usize; 4]>::new();
    let (l, i) = (local_id(0), global_id(0));
    shared[l] = i;
    barrier();
    if i == at {
        let _ = provoke(which, values, numbers);
    }
    let other = shared[3 - l];
    barrier();
    shared[l] = other + 1;
    barrier();
    y[i] = shared[3 - l];
}

/// Nothing is written but by the one that faults.
#[kernel]
pub fn in_one_of_many(which: u32, at: usize, values: &[u32], numbers: &[i32], y: &mut [u32]) {
    if global_id(0) == at {
        y[0] = 7;
        let _ = provoke(which, values, numbers);
    }
}

/// Where a fault of a kind is, and what goes with it. A kind without a case does not compile.
fn fault(kind: FaultKind) -> ExpectedFault {
    use FaultKind as K;
    let bits = |value: f32| u64::from(value.to_bits());
    let least = i64::from(i32::MIN) as u64;
    let (source, values) = match kind {
        K::IndexOutOfBounds => ("values[n]", [4, 4]),
        K::DivisionByZero => ("(7 / zero)", [0; 2]),
        K::RemainderByZero => ("(7 % zero)", [0; 2]),
        K::DivisionOverflow => ("(least / minus_one)", [0; 2]),
        K::RemainderOverflow => ("(least % minus_one)", [0; 2]),
        K::ZeroStep => ("step_by(none)", [0; 2]),
        K::RangeStart => ("[n + 1..]", [5, 4]),
        K::RangeEnd => ("[..n + 1]", [5, 4]),
        K::RangeOrder => ("[n..n - 1]", [4, 3]),
        K::Split => ("split_at(n + 1)", [0; 2]),
        K::ZeroChunk => ("chunks(none)", [0; 2]),
        K::ZeroWindow => ("windows(none)", [0; 2]),
        K::CopyLengths => ("copy_from_slice(", [2, 3]),
        K::RotateLeft => ("rotate_left(n)", [0; 2]),
        K::RotateRight => ("rotate_right(n)", [0; 2]),
        K::AdditionOverflow => ("strict_add(minus_one)", [least, u64::MAX]),
        K::SubtractionOverflow => ("strict_sub(1)", [least, 1]),
        K::MultiplicationOverflow => ("strict_mul(2)", [least, 2]),
        K::NegationOverflow => ("strict_neg()", [least, 0]),
        K::LeftShiftOverflow => ("strict_shl(", [5, 32]),
        K::RightShiftOverflow => ("strict_shr(", [5, 32]),
        K::ClampOrder => ("clamp(1, zero)", [0; 2]),
        K::FloatClampOrder => ("clamp(1.0, ", [0; 2]),
        K::NegativeSquareRoot => ("isqrt()", [0; 2]),
        K::LogarithmOfNonPositive => ("ilog2()", [0; 2]),
        K::LogarithmBase => ("ilog(zero + 1)", [0; 2]),
        K::UnwrapNone => ("unwrap()", [0; 2]),
        K::UnwrapErr => ("unwrap()", [0; 2]),
        K::UnwrapOk => ("unwrap_err()", [0; 2]),
        K::Panic => ("panic!(", [0; 2]),
        K::ComparedBool => ("assert_eq!(n == 4, ", [1, 0]),
        K::ComparedUnsigned => ("assert_eq!(n, 5)", [4, 5]),
        K::ComparedSigned => ("assert_ne!(minus_one, ", [u64::MAX; 2]),
        K::ComparedF32 => ("assert_eq!(n as f32", [bits(0.5), bits(1.5)]),
        K::ComparedF64 => ("assert_eq!(n as f64", [0.5_f64.to_bits(), 1.5_f64.to_bits()]),
    };
    ExpectedFault::new(kind).at(source).values(values)
}

/// What is said about a kind, where that is more than the kind says.
fn message(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::UnwrapErr | FaultKind::UnwrapOk => "9",
        FaultKind::Panic => "4 values",
        FaultKind::ComparedSigned => "assertion `left != right` failed: numbers",
        FaultKind::ComparedBool
        | FaultKind::ComparedUnsigned
        | FaultKind::ComparedF32
        | FaultKind::ComparedF64 => "assertion `left == right` failed",
        _ => "",
    }
}

pub fn cases() -> Vec<Case> {
    let (values, numbers) = ([1_u32, 2, 3, 4], [0, -1, i32::MIN]);
    let written: Vec<usize> = (1..=100).collect();
    let mut cases = Vec::new();
    for (which, kind) in (0_u32..).zip(FaultKind::ALL) {
        let expected = || fault(kind).message(message(kind));
        let in_some = |from: usize, to: usize| {
            let case =
                Case::of(&IN_SOME).scalar(which).scalar(from).scalar(to).input(&values).input(&numbers);
            case.output(&written).items([100])
        };
        let name = format!("{kind:?}");
        cases.extend([
            in_some(42, 43).faults(expected().global_id([42, 0, 0])).label(format!("{name} in one")),
            in_some(17, 90).faults(expected().count(73)).label(format!("{name} in several")),
            Case::of(&BETWEEN_BARRIERS)
                .scalar(which)
                .scalar(5_usize)
                .input(&values)
                .input(&numbers)
                .output(&[1_usize, 2, 3, 4, 5, 6, 7, 8])
                .items([8])
                .faults(expected().global_id([5, 0, 0]))
                .label(format!("{name} between barriers")),
        ]);
    }
    let panic = FaultKind::Panic;
    let many = Case::of(&IN_ONE_OF_MANY).scalar(panic as u32).scalar(9_876_543_usize);
    cases.push(
        many.input(&values)
            .input(&numbers)
            .output(&[7_u32])
            .groups([10_000], [1000])
            .faults(fault(panic).message(message(panic)).global_id([9_876_543, 0, 0])),
    );
    cases
}
