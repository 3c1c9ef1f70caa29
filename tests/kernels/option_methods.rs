//! The methods of `Option` and `Result`, on values and on references, with closures and without; `unwrap` of what is not there.

use super::case::{Case, ExpectedFault};
use super::edge::map;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

#[device]
fn even(x: i32) -> Option<i32> {
    if x % 2 == 0 { Some(x) } else { None }
}

#[device]
fn small(x: i32) -> Result<i32, u8> {
    if x < 10 { Ok(x) } else { Err(7) }
}

#[device]
fn options(x: i32) -> i32 {
    let mut sum = even(x).unwrap_or(-1);
    sum = sum.wrapping_mul(3).wrapping_add(even(x).map(|v| v / 2).unwrap_or_else(|| x.wrapping_add(5)));
    sum =
        sum.wrapping_mul(3).wrapping_add(even(x).and_then(|v| even(v / 2)).map_or(11, |v| v.wrapping_sub(1)));
    sum = sum.wrapping_mul(3).wrapping_add(even(x).filter(|v| *v > 2).or(Some(13)).unwrap_or(0));
    sum = sum.wrapping_mul(3).wrapping_add(even(x).xor(even(x.wrapping_add(1))).unwrap());
    sum = sum.wrapping_mul(3).wrapping_add(even(x).zip(Some(2_u8)).map_or(0, |(a, b)| a ^ b as i32));
    sum = sum.wrapping_mul(3).wrapping_add(even(x).is_some_and(|v| v > 3) as i32);
    sum = sum.wrapping_mul(3).wrapping_add(even(x).is_none() as i32);
    sum = sum.wrapping_mul(3).wrapping_add(even(x).ok_or(3_u8).unwrap_or_else(|error| error as i32));
    let mut slot = even(x);
    let taken = slot.take();
    sum = sum.wrapping_mul(3).wrapping_add(taken.or_else(|| Some(17)).unwrap_or(0));
    *slot.insert(4) += 1;
    *slot.get_or_insert(9) += 1;
    if let Some(value) = slot.as_mut() {
        *value += x & 1;
    }
    sum = sum.wrapping_mul(3).wrapping_add(slot.replace(1).expect("it was put there"));
    let held = Some(x);
    let doubled = held.as_ref().map(|v| v.wrapping_mul(2)).unwrap_or(0);
    let copied = Some(&x).copied().unwrap_or(0);
    let nested = Some(even(x)).flatten().unwrap_or(19);
    sum.wrapping_add(doubled).wrapping_add(copied).wrapping_sub(nested)
}

#[device]
fn results(x: i32) -> i32 {
    let mut sum = small(x).unwrap_or(-1);
    sum =
        sum.wrapping_mul(3).wrapping_add(small(x).map(|v| v + 1).map_err(|e| e as i32).unwrap_or_else(|e| e));
    sum = sum.wrapping_mul(3).wrapping_add(small(x).ok().unwrap_or(4));
    sum = sum.wrapping_mul(3).wrapping_add(small(x).err().map_or(5, |e| e as i32));
    sum = sum.wrapping_mul(3).wrapping_add(small(x).and_then(|v| small(v + 5)).is_ok() as i32);
    sum = sum
        .wrapping_mul(3)
        .wrapping_add(small(x).or_else(|e| if e > 3 { Ok::<i32, u8>(1) } else { Err(e) }).unwrap());
    let transposed = Some(small(x)).transpose();
    match transposed {
        Ok(Some(value)) => sum.wrapping_add(value),
        Ok(None) => -1,
        Err(error) => sum.wrapping_sub(error as i32),
    }
}

#[kernel]
pub fn option_and_result_methods(x: &[i32], y: &mut [i32], z: &mut [i32]) {
    let i = global_id(0);
    y[i] = options(x[i]);
    z[i] = results(x[i]);
}

/// The second `unwrap` is never reached without a value; the first is, for odd numbers, and then nothing is stored.
#[kernel]
pub fn unwrap_nothing(x: &[i32], y: &mut [i32]) {
    let i = global_id(0);
    y[i] = even(x[i]).unwrap() + small(x[i] & 7).unwrap();
}

pub fn cases() -> Vec<Case> {
    let x = [0, 1, 2, 3, 4, 9, 10, 11, 100, -2, -3];
    let odd = [2, 3, 4, 5];
    vec![
        Case::of(&OPTION_AND_RESULT_METHODS)
            .input(&x)
            .output(&map(&x, options))
            .output(&map(&x, results))
            .items([x.len()]),
        Case::of(&UNWRAP_NOTHING)
            .input(&odd)
            .update(&[0; 4], &[4, 0, 8, 0])
            .items([odd.len()])
            .faults(ExpectedFault::new(FaultKind::UnwrapNone).count(2)),
    ]
}
