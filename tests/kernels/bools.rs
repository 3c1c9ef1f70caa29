//! `bool`: as elements, as argument, its operators, its casts, and the short circuit.

use super::case::Case;
use super::edge::{map, pairs, zip};
use kernel_runtime::prelude::*;

#[kernel]
pub fn operators(
    a: &[bool],
    b: &[bool],
    and: &mut [bool],
    or: &mut [bool],
    xor: &mut [bool],
    not: &mut [bool],
    less: &mut [bool],
    equal: &mut [bool],
) {
    let i = global_id(0);
    and[i] = a[i] & b[i];
    or[i] = a[i] | b[i];
    xor[i] = a[i] ^ b[i];
    not[i] = !a[i];
    less[i] = a[i] < b[i];
    equal[i] = a[i] == b[i];
}

#[kernel]
pub fn compound(x: &mut [bool], b: &[bool], invert: bool) {
    let i = global_id(0);
    x[i] |= b[i];
    x[i] ^= invert;
    x[i] &= !b[i];
}

#[kernel]
pub fn to_integers(x: &[bool], as_u8: &mut [u8], as_i16: &mut [i16], as_u32: &mut [u32], as_i64: &mut [i64]) {
    let i = global_id(0);
    as_u8[i] = x[i] as u8;
    as_i16[i] = x[i] as i16;
    as_u32[i] = x[i] as u32;
    as_i64[i] = x[i] as i64;
}

/// The right operands are out of bounds, or divide by zero, where the left ones decide.
#[kernel]
pub fn short_circuit(x: &[i32], both: &mut [bool], either: &mut [bool]) {
    let i = global_id(0);
    both[i] = i < x.len() && x[i] > 2;
    either[i] = i == 0 || 12 / i > 3;
}

pub fn cases() -> Vec<Case> {
    let (a, b) = pairs::<bool>();
    let items = [a.len()];
    let x = [3, 1, 5];
    vec![
        Case::of(&OPERATORS)
            .input(&a)
            .input(&b)
            .output(&zip(&a, &b, |a, b| a & b))
            .output(&zip(&a, &b, |a, b| a | b))
            .output(&zip(&a, &b, |a, b| a ^ b))
            .output(&map(&a, |a| !a))
            .output(&zip(&a, &b, |a, b| !a & b))
            .output(&zip(&a, &b, |a, b| a == b))
            .items(items),
        Case::of(&COMPOUND)
            .update(&a, &zip(&a, &b, |a, b| (a | b) & !b))
            .input(&b)
            .scalar(false)
            .items(items)
            .label("false"),
        Case::of(&COMPOUND)
            .update(&a, &zip(&a, &b, |a, b| !(a | b) & !b))
            .input(&b)
            .scalar(true)
            .items(items)
            .label("true"),
        Case::of(&TO_INTEGERS)
            .input(&a)
            .output(&map(&a, u8::from))
            .output(&map(&a, i16::from))
            .output(&map(&a, u32::from))
            .output(&map(&a, i64::from))
            .items(items),
        Case::of(&SHORT_CIRCUIT)
            .input(&x)
            .output(&[true, false, true, false, false])
            .output(&[true, true, true, true, false])
            .items([5]),
    ]
}
