//! The methods that only unsigned integers have.

use super::case::Case;
use super::edge::{Edge, cross, map, pairs, pairs_where, zip};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$T| in [on_u8: u8, on_u16: u16, on_u32: u32, on_u64: u64, on_usize: usize]

    #[kernel]
    pub fn plus_signed(a: &[$T], b: &[i64], wrapped: &mut [$T], low: &mut [$T], overflows: &mut [bool], nearest: &mut [$T]) {
        let i = global_id(0);
        wrapped[i] = a[i].wrapping_add_signed((b[i] as $T).cast_signed());
        (low[i], overflows[i]) = a[i].overflowing_add_signed((b[i] as $T).cast_signed());
        nearest[i] = a[i].saturating_add_signed((b[i] as $T).cast_signed());
    }

    #[kernel]
    pub fn minus_signed(a: &[$T], b: &[i64], wrapped: &mut [$T], low: &mut [$T], overflows: &mut [bool], nearest: &mut [$T]) {
        let i = global_id(0);
        wrapped[i] = a[i].wrapping_sub_signed((b[i] as $T).cast_signed());
        (low[i], overflows[i]) = a[i].overflowing_sub_signed((b[i] as $T).cast_signed());
        nearest[i] = a[i].saturating_sub_signed((b[i] as $T).cast_signed());
    }

    #[kernel]
    pub fn carries(
        a: &[$T], b: &[$T], carry: bool, sum: &mut [$T], carried: &mut [bool], difference: &mut [$T], borrowed: &mut [bool],
    ) {
        let i = global_id(0);
        (sum[i], carried[i]) = a[i].carrying_add(b[i], carry);
        (difference[i], borrowed[i]) = a[i].borrowing_sub(b[i], carry);
    }

    #[kernel]
    pub fn long_products(
        a: &[$T], b: &[$T], c: $T, low: &mut [$T], high: &mut [$T], low_of_sum: &mut [$T], high_of_sum: &mut [$T],
    ) {
        let i = global_id(0);
        (low[i], high[i]) = a[i].carrying_mul(b[i], c);
        (low_of_sum[i], high_of_sum[i]) = a[i].carrying_mul_add(b[i], c, a[i]);
    }

    #[kernel(overflow = "wrap")]
    pub fn powers_of_two(a: &[$T], is: &mut [bool], next: &mut [$T], bits: &mut [i64]) {
        let i = global_id(0);
        is[i] = a[i].is_power_of_two();
        next[i] = a[i].next_power_of_two();
        bits[i] = a[i].cast_signed() as i64;
    }

    #[kernel(overflow = "wrap")]
    pub fn multiples(a: &[$T], b: &[$T], quotient: &mut [$T], next: &mut [$T]) {
        let i = global_id(0);
        quotient[i] = a[i].div_ceil(b[i]);
        next[i] = a[i].next_multiple_of(b[i]);
    }

    #[kernel]
    pub fn is_multiple(a: &[$T], b: &[$T], is: &mut [bool], difference: &mut [$T]) {
        let i = global_id(0);
        is[i] = a[i].is_multiple_of(b[i]);
        difference[i] = a[i].abs_diff(b[i]);
    }

    #[kernel]
    pub fn square_roots(a: &[$T], root: &mut [$T]) {
        let i = global_id(0);
        root[i] = a[i].isqrt();
    }

    /// Numbers around the squares of numbers around powers of two.
    fn around_squares() -> Vec<$T> {
        let half = <$T>::BITS / 2;
        let roots = (0..half).flat_map(|power| (0..5).map(move |k| (1 << power) + k - 2_i128));
        let roots = roots.chain((1..20).map(|k| (1_i128 << half) - k)).chain((0..100).map(|k| k * k * 7919));
        let squares = roots.flat_map(|root| (-2..=2).map(move |k| root * root + k));
        squares.filter_map(|square| $T::try_from(square).ok()).collect()
    }

    fn after_multiple(a: $T, b: $T) -> $T {
        a.checked_next_multiple_of(b).unwrap_or(a.wrapping_add(b - a % b))
    }

    pub fn cases() -> Vec<Case> {
        let edges = $T::edges();
        let (a, b) = pairs::<$T>();
        let (c, d) = cross(&edges, &map(&edges, |edge| edge as i64));
        let (e, f) = pairs_where::<$T>(|_, b| b != 0);
        let signed = |bits: i64| (bits as $T).cast_signed();
        let squares = around_squares();
        let mut cases = vec![
            Case::of(&PLUS_SIGNED)
                .input(&c)
                .input(&d)
                .output(&zip(&c, &d, |a, b| a.wrapping_add_signed(signed(b))))
                .output(&zip(&c, &d, |a, b| a.overflowing_add_signed(signed(b)).0))
                .output(&zip(&c, &d, |a, b| a.overflowing_add_signed(signed(b)).1))
                .output(&zip(&c, &d, |a, b| a.saturating_add_signed(signed(b))))
                .items([c.len()]),
            Case::of(&MINUS_SIGNED)
                .input(&c)
                .input(&d)
                .output(&zip(&c, &d, |a, b| a.wrapping_sub_signed(signed(b))))
                .output(&zip(&c, &d, |a, b| a.overflowing_sub_signed(signed(b)).0))
                .output(&zip(&c, &d, |a, b| a.overflowing_sub_signed(signed(b)).1))
                .output(&zip(&c, &d, |a, b| a.saturating_sub_signed(signed(b))))
                .items([c.len()]),
            Case::of(&POWERS_OF_TWO)
                .input(&edges)
                .output(&map(&edges, $T::is_power_of_two))
                .output(&map(&edges, |a| a.checked_next_power_of_two().unwrap_or(0)))
                .output(&map(&edges, |a| a.cast_signed() as i64))
                .items([edges.len()]),
            Case::of(&MULTIPLES)
                .input(&e)
                .input(&f)
                .output(&zip(&e, &f, $T::div_ceil))
                .output(&zip(&e, &f, after_multiple))
                .items([e.len()]),
            Case::of(&IS_MULTIPLE)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, $T::is_multiple_of))
                .output(&zip(&a, &b, $T::abs_diff))
                .items([a.len()]),
            Case::of(&SQUARE_ROOTS)
                .input(&squares)
                .output(&map(&squares, $T::isqrt))
                .items([squares.len()]),
        ];
        for carry in [false, true] {
            cases.push(
                Case::of(&CARRIES)
                    .input(&a)
                    .input(&b)
                    .scalar(carry)
                    .output(&zip(&a, &b, |a, b| a.carrying_add(b, carry).0))
                    .output(&zip(&a, &b, |a, b| a.carrying_add(b, carry).1))
                    .output(&zip(&a, &b, |a, b| a.borrowing_sub(b, carry).0))
                    .output(&zip(&a, &b, |a, b| a.borrowing_sub(b, carry).1))
                    .items([a.len()])
                    .label(format!("with carry {carry}")),
            );
        }
        for carry in [0, 1, $T::MAX] {
            cases.push(
                Case::of(&LONG_PRODUCTS)
                    .input(&a)
                    .input(&b)
                    .scalar(carry)
                    .output(&zip(&a, &b, |a, b| a.carrying_mul(b, carry).0))
                    .output(&zip(&a, &b, |a, b| a.carrying_mul(b, carry).1))
                    .output(&zip(&a, &b, |a, b| a.carrying_mul_add(b, carry, a).0))
                    .output(&zip(&a, &b, |a, b| a.carrying_mul_add(b, carry, a).1))
                    .items([a.len()])
                    .label(format!("plus {carry}")),
            );
        }
        cases
    }
}
