//! The families of the integer methods whose exact result may not fit.

use super::case::Case;
use super::edge::{Edge, cross, map, pairs, zip};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$T| in [
        on_i8: i8, on_i16: i16, on_i32: i32, on_i64: i64, on_isize: isize,
        on_u8: u8, on_u16: u16, on_u32: u32, on_u64: u64, on_usize: usize,
    ]

    #[kernel]
    pub fn sum(a: &[$T], b: &[$T], wrapped: &mut [$T], low: &mut [$T], overflows: &mut [bool], nearest: &mut [$T]) {
        let i = global_id(0);
        wrapped[i] = a[i].wrapping_add(b[i]);
        (low[i], overflows[i]) = a[i].overflowing_add(b[i]);
        nearest[i] = a[i].saturating_add(b[i]);
    }

    #[kernel]
    pub fn difference(
        a: &[$T], b: &[$T], wrapped: &mut [$T], low: &mut [$T], overflows: &mut [bool], nearest: &mut [$T],
    ) {
        let i = global_id(0);
        wrapped[i] = a[i].wrapping_sub(b[i]);
        (low[i], overflows[i]) = a[i].overflowing_sub(b[i]);
        nearest[i] = a[i].saturating_sub(b[i]);
    }

    #[kernel]
    pub fn product(
        a: &[$T], b: &[$T], wrapped: &mut [$T], low: &mut [$T], overflows: &mut [bool], nearest: &mut [$T],
    ) {
        let i = global_id(0);
        wrapped[i] = a[i].wrapping_mul(b[i]);
        (low[i], overflows[i]) = a[i].overflowing_mul(b[i]);
        nearest[i] = a[i].saturating_mul(b[i]);
    }

    #[kernel]
    pub fn opposite(a: &[$T], wrapped: &mut [$T], low: &mut [$T], overflows: &mut [bool]) {
        let i = global_id(0);
        wrapped[i] = a[i].wrapping_neg();
        (low[i], overflows[i]) = a[i].overflowing_neg();
    }

    #[kernel]
    pub fn shift_left(a: &[$T], count: &[u32], wrapped: &mut [$T], low: &mut [$T], overflows: &mut [bool], all: &mut [$T]) {
        let i = global_id(0);
        wrapped[i] = a[i].wrapping_shl(count[i]);
        (low[i], overflows[i]) = a[i].overflowing_shl(count[i]);
        all[i] = a[i].unbounded_shl(count[i]);
    }

    #[kernel]
    pub fn shift_right(a: &[$T], count: &[u32], wrapped: &mut [$T], low: &mut [$T], overflows: &mut [bool], all: &mut [$T]) {
        let i = global_id(0);
        wrapped[i] = a[i].wrapping_shr(count[i]);
        (low[i], overflows[i]) = a[i].overflowing_shr(count[i]);
        all[i] = a[i].unbounded_shr(count[i]);
    }

    #[kernel(overflow = "wrap")]
    pub fn power(
        a: &[$T], exponent: &[u32],
        wrapped: &mut [$T], same: &mut [$T], low: &mut [$T], overflows: &mut [bool], nearest: &mut [$T],
    ) {
        let i = global_id(0);
        wrapped[i] = a[i].wrapping_pow(exponent[i]);
        same[i] = a[i].pow(exponent[i]);
        (low[i], overflows[i]) = a[i].overflowing_pow(exponent[i]);
        nearest[i] = a[i].saturating_pow(exponent[i]);
    }

    #[kernel(overflow = "wrap")]
    pub fn fixed_power(a: &[$T], zero: &mut [$T], square: &mut [$T], seventh: &mut [$T], overflows: &mut [bool]) {
        let i = global_id(0);
        zero[i] = a[i].pow(0);
        square[i] = a[i].pow(2);
        (seventh[i], overflows[i]) = a[i].overflowing_pow(7);
    }

    /// A function of two rows, with what the four methods of its family make of them.
    fn family<B: kernel_core::Element + bytemuck::NoUninit>(
        kernel: &'static kernel_core::KernelDescriptor,
        a: &[$T],
        b: &[B],
        wrapped: fn($T, B) -> $T,
        overflowing: fn($T, B) -> ($T, bool),
        last: fn($T, B) -> $T,
    ) -> Case {
        Case::of(kernel)
            .input(a)
            .input(b)
            .output(&zip(a, b, wrapped))
            .output(&zip(a, b, |a, b| overflowing(a, b).0))
            .output(&zip(a, b, |a, b| overflowing(a, b).1))
            .output(&zip(a, b, last))
            .items([a.len()])
    }

    pub fn cases() -> Vec<Case> {
        let (a, b) = pairs::<$T>();
        let edges = $T::edges();
        let (shifted, counts) = cross(&edges, &[0, 1, 7, <$T>::BITS - 1, <$T>::BITS, <$T>::BITS + 1, 100, u32::MAX]);
        let bases: Vec<$T> = edges.iter().copied().chain([4, 5, 6, 11, 13, <$T>::MAX / 5, <$T>::MIN / 3]).collect();
        let (bases, exponents) = cross(&bases, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 13, 15, 16, 31, 32, 63, 64, 1001, u32::MAX]);
        vec![
            family(&SUM, &a, &b, $T::wrapping_add, $T::overflowing_add, $T::saturating_add),
            family(&DIFFERENCE, &a, &b, $T::wrapping_sub, $T::overflowing_sub, $T::saturating_sub),
            family(&PRODUCT, &a, &b, $T::wrapping_mul, $T::overflowing_mul, $T::saturating_mul),
            family(&SHIFT_LEFT, &shifted, &counts, $T::wrapping_shl, $T::overflowing_shl, $T::unbounded_shl),
            family(&SHIFT_RIGHT, &shifted, &counts, $T::wrapping_shr, $T::overflowing_shr, $T::unbounded_shr),
            Case::of(&OPPOSITE)
                .input(&edges)
                .output(&map(&edges, $T::wrapping_neg))
                .output(&map(&edges, |a| a.overflowing_neg().0))
                .output(&map(&edges, |a| a.overflowing_neg().1))
                .items([edges.len()]),
            Case::of(&POWER)
                .input(&bases)
                .input(&exponents)
                .output(&zip(&bases, &exponents, $T::wrapping_pow))
                .output(&zip(&bases, &exponents, $T::wrapping_pow))
                .output(&zip(&bases, &exponents, |a, b| a.overflowing_pow(b).0))
                .output(&zip(&bases, &exponents, |a, b| a.overflowing_pow(b).1))
                .output(&zip(&bases, &exponents, $T::saturating_pow))
                .items([bases.len()]),
            Case::of(&FIXED_POWER)
                .input(&bases)
                .output(&map(&bases, |_| 1 as $T))
                .output(&map(&bases, |a| a.wrapping_mul(a)))
                .output(&map(&bases, |a| a.overflowing_pow(7).0))
                .output(&map(&bases, |a| a.overflowing_pow(7).1))
                .items([bases.len()]),
        ]
    }
}
