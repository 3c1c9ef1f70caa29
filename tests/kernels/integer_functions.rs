//! The functions of integers that Rust has no name for, `kernel_core::math`.

use super::case::Case;
use super::edge::{Edge, cross, pairs, zip};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

pub mod of_all {
    use super::{Case, Edge, cross, for_types, global_id, kernel, math, pairs, zip};

    for_types! { |$T| in [
            on_i8: i8, on_i16: i16, on_i32: i32, on_i64: i64, on_isize: isize,
            on_u8: u8, on_u16: u16, on_u32: u32, on_u64: u64, on_usize: usize,
        ]

        #[kernel]
        pub fn halves(a: &[$T], b: &[$T], high: &mut [$T], below: &mut [$T], above: &mut [$T]) {
            let i = global_id(0);
            high[i] = math::mul_hi(a[i], b[i]);
            below[i] = math::hadd(a[i], b[i]);
            above[i] = math::rhadd(a[i], b[i]);
        }

        #[kernel]
        pub fn masked(a: &[$T], mask: &[$T], result: &mut [$T]) {
            let i = global_id(0);
            result[i] = math::bitselect(a[i], 0x5a, mask[i]);
        }

        pub fn cases() -> Vec<Case> {
            let (a, b) = pairs::<$T>();
            let (c, mask) = cross(&$T::edges(), &$T::edges());
            vec![
                Case::of(&HALVES)
                    .input(&a)
                    .input(&b)
                    .output(&zip(&a, &b, math::mul_hi::<$T>))
                    .output(&zip(&a, &b, math::hadd::<$T>))
                    .output(&zip(&a, &b, math::rhadd::<$T>))
                    .items([a.len()]),
                Case::of(&MASKED)
                    .input(&c)
                    .input(&mask)
                    .output(&zip(&c, &mask, |c, mask| math::bitselect(c, 0x5a, mask)))
                    .items([c.len()]),
            ]
        }
    }
}

#[kernel]
pub fn signed_24_bits(a: &[i32], b: &[i32], product: &mut [i32], sum: &mut [i32]) {
    let i = global_id(0);
    product[i] = math::mul24(a[i], b[i]);
    sum[i] = math::mad24(a[i], b[i], i32::MAX);
}

#[kernel]
pub fn unsigned_24_bits(a: &[u32], b: &[u32], product: &mut [u32], sum: &mut [u32]) {
    let i = global_id(0);
    product[i] = math::mul24(a[i], b[i]);
    sum[i] = math::mad24(a[i], b[i], u32::MAX);
}

pub fn cases() -> Vec<Case> {
    let (a, b) = cross(&SIGNED, &SIGNED);
    let (c, d) = cross(&UNSIGNED, &UNSIGNED);
    let mut cases = of_all::cases();
    cases.push(
        Case::of(&SIGNED_24_BITS)
            .input(&a)
            .input(&b)
            .output(&zip(&a, &b, math::mul24::<i32>))
            .output(&zip(&a, &b, |a, b| math::mad24(a, b, i32::MAX)))
            .items([a.len()]),
    );
    cases.push(
        Case::of(&UNSIGNED_24_BITS)
            .input(&c)
            .input(&d)
            .output(&zip(&c, &d, math::mul24::<u32>))
            .output(&zip(&c, &d, |c, d| math::mad24(c, d, u32::MAX)))
            .items([c.len()]),
    );
    cases
}

/// Integers of 24 bits.
const SIGNED: [i32; 8] = [-(1 << 23), -(1 << 23) + 1, -4097, -1, 0, 1, 12345, (1 << 23) - 1];
const UNSIGNED: [u32; 7] = [0, 1, 4095, 4096, 65537, (1 << 24) - 2, (1 << 24) - 1];
