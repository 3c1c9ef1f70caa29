//! The operators of the integer types.

use super::case::Case;
use super::edge::{map, pairs, pairs_where, zip};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$T| in [
        on_i8: i8, on_i16: i16, on_i32: i32, on_i64: i64, on_isize: isize,
        on_u8: u8, on_u16: u16, on_u32: u32, on_u64: u64, on_usize: usize,
    ]

    #[kernel(overflow = "wrap")]
    pub fn arithmetic(a: &[$T], b: &[$T], sum: &mut [$T], difference: &mut [$T], product: &mut [$T]) {
        let i = global_id(0);
        sum[i] = a[i] + b[i];
        difference[i] = a[i] - b[i];
        product[i] = a[i] * b[i];
    }

    #[kernel]
    pub fn division(a: &[$T], b: &[$T], quotient: &mut [$T], remainder: &mut [$T]) {
        let i = global_id(0);
        quotient[i] = a[i] / b[i];
        remainder[i] = a[i] % b[i];
    }

    #[kernel]
    pub fn bits(a: &[$T], b: &[$T], and: &mut [$T], or: &mut [$T], xor: &mut [$T], not: &mut [$T]) {
        let i = global_id(0);
        and[i] = a[i] & b[i];
        or[i] = a[i] | b[i];
        xor[i] = a[i] ^ b[i];
        not[i] = !a[i];
    }

    #[kernel(overflow = "wrap")]
    pub fn shifts(a: &[$T], count: &[u32], left: &mut [$T], right: &mut [$T]) {
        let i = global_id(0);
        left[i] = a[i] << count[i];
        right[i] = a[i] >> count[i];
    }

    #[kernel(overflow = "wrap")]
    pub fn shifts_by_own_type(a: &[$T], b: &[$T], left: &mut [$T], right: &mut [$T]) {
        let i = global_id(0);
        left[i] = a[i] << b[i];
        right[i] = a[i] >> b[i];
    }

    #[kernel]
    pub fn comparison(
        a: &[$T], b: &[$T],
        eq: &mut [bool], ne: &mut [bool], lt: &mut [bool], le: &mut [bool], gt: &mut [bool], ge: &mut [bool],
    ) {
        let i = global_id(0);
        eq[i] = a[i] == b[i];
        ne[i] = a[i] != b[i];
        lt[i] = a[i] < b[i];
        le[i] = a[i] <= b[i];
        gt[i] = a[i] > b[i];
        ge[i] = a[i] >= b[i];
    }

    #[kernel(overflow = "wrap")]
    pub fn compound(x: &mut [$T], b: &[$T]) {
        let i = global_id(0);
        x[i] += b[i];
        x[i] *= 3;
        x[i] -= 5;
        let mut y = x[i];
        y /= 7;
        y ^= x[i];
        y |= 1;
        y &= 119;
        y <<= 2;
        y >>= 1;
        x[i] %= 11;
        x[i] ^= y;
    }

    /// What `compound` computes.
    fn compound_on_host(x: $T, b: $T) -> $T {
        let x = x.wrapping_add(b).wrapping_mul(3).wrapping_sub(5);
        let y = (((x / 7) ^ x) | 1) & 119;
        (x % 11) ^ (y.wrapping_shl(2) >> 1)
    }

    pub fn cases() -> Vec<Case> {
        let (a, b) = pairs::<$T>();
        let (dividend, divisor) = pairs_where(|a: $T, b: $T| a.checked_div(b).is_some());
        let counts: Vec<u32> = (0..16).flat_map(|_| (0..16).map(|count| count * 5)).collect();
        vec![
            Case::of(&ARITHMETIC)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, $T::wrapping_add))
                .output(&zip(&a, &b, $T::wrapping_sub))
                .output(&zip(&a, &b, $T::wrapping_mul))
                .items([a.len()]),
            Case::of(&DIVISION)
                .input(&dividend)
                .input(&divisor)
                .output(&zip(&dividend, &divisor, |a, b| a / b))
                .output(&zip(&dividend, &divisor, |a, b| a % b))
                .items([dividend.len()]),
            Case::of(&BITS)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| a & b))
                .output(&zip(&a, &b, |a, b| a | b))
                .output(&zip(&a, &b, |a, b| a ^ b))
                .output(&map(&a, |a| !a))
                .items([a.len()]),
            Case::of(&SHIFTS)
                .input(&a)
                .input(&counts)
                .output(&zip(&a, &counts, $T::wrapping_shl))
                .output(&zip(&a, &counts, $T::wrapping_shr))
                .items([a.len()]),
            Case::of(&SHIFTS_BY_OWN_TYPE)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| a.wrapping_shl(b as u32)))
                .output(&zip(&a, &b, |a, b| a.wrapping_shr(b as u32)))
                .items([a.len()]),
            Case::of(&COMPARISON)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| a == b))
                .output(&zip(&a, &b, |a, b| a != b))
                .output(&zip(&a, &b, |a, b| a < b))
                .output(&zip(&a, &b, |a, b| a <= b))
                .output(&zip(&a, &b, |a, b| a > b))
                .output(&zip(&a, &b, |a, b| a >= b))
                .items([a.len()]),
            Case::of(&COMPOUND).update(&a, &zip(&a, &b, compound_on_host)).input(&b).items([a.len()]),
        ]
    }
}
