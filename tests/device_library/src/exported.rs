//! Functions that this crate offers to the kernels of others, in whatever language they are written, as modules of SPIR-V.

use kernel_runtime::ExportDescriptor;
use kernel_runtime::prelude::*;

/// All of them.
pub static ALL: [&ExportDescriptor; 10] =
    [&SCALE, &HORNER, &RANKED, &CHECKSUM, &BUMP, &ROW, &BLENDED, &HALVED, &narrow::NARROW, &narrow::IS_ODD];

/// Their modules.
pub static MODULES: &[&[u8]] = &[
    SCALE.spirv.bytes(),
    HORNER.spirv.bytes(),
    RANKED.spirv.bytes(),
    CHECKSUM.spirv.bytes(),
    BUMP.spirv.bytes(),
    ROW.spirv.bytes(),
    BLENDED.spirv.bytes(),
    HALVED.spirv.bytes(),
    narrow::NARROW.spirv.bytes(),
    narrow::IS_ODD.spirv.bytes(),
];

/// Two numbers multiplied.
#[device(export = "rust_scale")]
pub fn scale(x: f32, y: f32) -> f32 {
    x * y
}

/// A polynomial at `x`.
///
/// # Safety
///
/// There are `count` numbers at `coefficients`, the first of them for the highest power.
#[device(export = "rust_horner")]
pub unsafe fn horner(x: f32, coefficients: *const f32, count: usize) -> f32 {
    let (mut sum, mut i) = (0.0, 0);
    while i < count {
        // SAFETY: the caller vouches for so many.
        sum = scale(sum, x) + unsafe { *coefficients.add(i) };
        i += 1;
    }
    sum
}

#[device]
#[derive(Clone, Copy)]
enum Rank {
    Low,
    Middle(u32),
    High,
}

#[device]
fn rank(x: f32) -> Option<Rank> {
    if x.is_nan() {
        return None;
    }
    Some(match x {
        ..0.0 => Rank::Low,
        10.0.. => Rank::High,
        _ => Rank::Middle(x as u32),
    })
}

#[device]
const WEIGHTS: [u32; 4] = [7, 11, 13, 17];

/// Code that is left early, by functions, enums and a table that no other crate can name.
#[device(export = "rust_ranked")]
pub fn ranked(x: f32) -> u32 {
    let Some(rank) = rank(x) else { return u32::MAX };
    match rank {
        Rank::Low => 1000,
        Rank::Middle(n) => WEIGHTS[n as usize % WEIGHTS.len()],
        Rank::High => 2000,
    }
}

/// Integers whose sums wrap, and indices for which its author vouches.
///
/// # Safety
///
/// There is a number at `data` for each of `count`, and `start` is below 4.
#[device(export = "rust_checksum", unsafe(unchecked))]
pub unsafe fn checksum(data: *const u64, count: u64, start: usize) -> i64 {
    let mut sum = WEIGHTS[start] as u64;
    for i in 0..count {
        // SAFETY: the caller vouches for so many.
        sum = sum.wrapping_mul(31).wrapping_add(unsafe { *data.add(i as usize) });
    }
    sum as i64
}

/// Nothing comes back but what is in memory.
///
/// # Safety
///
/// There is a number at `x`, which nobody else accesses.
#[device(export = "rust_bump")]
pub unsafe fn bump(x: *mut i32, by: i32) {
    // SAFETY: the caller vouches for it.
    unsafe { *x = (*x).wrapping_add(by) };
}

/// An address in, and an address out, or none.
///
/// # Safety
///
/// There are more than `width * i` numbers at `x`.
#[device(export = "rust_row")]
pub unsafe fn row(x: *mut f32, width: usize, i: usize) -> *mut f32 {
    if width == 0 {
        return std::ptr::null_mut();
    }
    // SAFETY: the caller vouches for so many.
    unsafe { x.add(width.wrapping_mul(i)) }
}

/// Vectors in and out.
#[device(export = "rust_blended")]
pub fn blended(a: f32x4, b: f32x3, c: i32x2) -> f32x4 {
    let [x, y, z] = b.to_array();
    let [i, j] = c.to_array().map(|c| c as f32);
    a + f32x4::from([x, y, z, 0.5]) + f32x4::from([i, j, i, j])
}

/// Half precision.
#[device(export = "rust_halved")]
pub fn halved(x: f16) -> f16 {
    x / f16::from_f32(2.0)
}

/// What a module of device code exports.
#[device]
pub mod narrow {
    /// Numbers that are narrower than an `int` of C.
    #[device(export = "rust_narrow")]
    pub fn narrow(a: i8, b: u8, c: i16, d: u16, negate: bool) -> i8 {
        let sum = halves(a as i32, b as i32) + (c as i32 / 256 + d as i32 / 256);
        if negate { -sum as i8 } else { sum as i8 }
    }

    fn halves(a: i32, b: i32) -> i32 {
        (a / 2).wrapping_add(b / 2)
    }

    /// A `bool` comes back.
    #[device(export = "rust_is_odd")]
    pub fn is_odd(x: u8) -> bool {
        x & 1 != 0
    }
}
