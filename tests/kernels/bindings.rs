//! `let` with and without types, inference from later uses, shadowing, mutation, and literals of every form.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

/// The types of literals and variables follow from their uses, before and after.
#[kernel]
pub fn inference(x: &[u8], wide: &mut [u64], narrow: &mut [i16], scaled: &mut [f32]) {
    let i = global_id(0);
    let mut total = 0;
    let step = 3;
    let offset: i16 = -4;
    let factor = 0.5;
    let untyped;
    total += x[i] as u64;
    total = total * step;
    untyped = offset + 1;
    wide[i] = total;
    narrow[i] = untyped * 2;
    scaled[i] = x[i] as f32 * factor;
}

/// A name can be bound again, in the same or in an inner block, to another type.
#[kernel]
pub fn shadowing(x: &[i32], result: &mut [i64]) {
    let i = global_id(0);
    let v = x[i];
    let v = v as i64 * 2;
    let inner = {
        let v = v + 1;
        let v = v * v;
        v
    };
    let i = i + 0;
    result[i] = inner - v;
}

/// Suffixes, bases, separators, and the default types of literals that nothing else determines.
#[kernel(requires(global_size(0) == 1))]
pub fn literals(integers: &mut [i64], floats: &mut [f32]) {
    let plain = 1_000;
    let one = 1;
    integers[0] = plain as i64;
    integers[1] = 0xff_u8 as i64;
    integers[2] = 0o17_i64;
    integers[3] = 0b1010_0101_i64;
    integers[4] = -9_223_372_036_854_775_808;
    integers[5] = (one << 31) as i64;
    integers[6] = b'A' as i64;
    integers[7] = 18_446_744_073_709_551_615_u64 as i64;
    floats[0] = 1.5;
    floats[1] = 2.;
    floats[2] = 1e-3;
    floats[3] = 7_f32;
    floats[4] = 16_777_217.0;
    floats[5] = 0.1;
}

/// Each work-item exchanges its elements of two slices.
#[kernel]
pub fn swapped(a: &mut [u32], b: &mut [u32]) {
    let i = global_id(0);
    let t = a[i];
    a[i] = b[i];
    b[i] = t;
}

pub fn cases() -> Vec<Case> {
    let bytes = [0_u8, 1, 2, 100, 255];
    let values = [-5, -1, 0, 1, 7, 1_000_000_000, -1_000_000_000];
    let shadowed = |v: i32| {
        let v = i64::from(v) * 2;
        (v + 1) * (v + 1) - v
    };
    let (a, b) = ([1_u32, 2, 3], [40_u32, 50, 60]);
    vec![
        Case::of(&INFERENCE)
            .input(&bytes)
            .output(&map(&bytes, |x| u64::from(x) * 3))
            .output(&map(&bytes, |_| -6_i16))
            .output(&map(&bytes, |x| f32::from(x) * 0.5))
            .items([bytes.len()]),
        Case::of(&SHADOWING).input(&values).output(&map(&values, shadowed)).items([values.len()]),
        Case::of(&LITERALS)
            .output(&[1000_i64, 255, 15, 165, i64::MIN, -2_147_483_648, 65, -1])
            .output(&[1.5_f32, 2.0, 0.001, 7.0, 16_777_216.0, 0.1])
            .items([1]),
        Case::of(&SWAPPED).update(&a, &b).update(&b, &a).items([3]),
    ]
}
