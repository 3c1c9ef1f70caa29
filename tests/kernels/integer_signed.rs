//! The methods that only signed integers have.
#![allow(clippy::undocumented_unsafe_blocks, reason = "the lint does not see the comments in a macro")]

use super::case::Case;
use super::edge::{Edge, cross, map, pairs, zip};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$T| in [on_i8: i8, on_i16: i16, on_i32: i32, on_i64: i64, on_isize: isize]

    #[kernel(overflow = "wrap")]
    pub fn absolute(
        a: &[$T],
        plain: &mut [$T], wrapped: &mut [$T], low: &mut [$T], overflows: &mut [bool], nearest: &mut [$T], opposite: &mut [$T],
    ) {
        let i = global_id(0);
        plain[i] = a[i].abs();
        wrapped[i] = a[i].wrapping_abs();
        (low[i], overflows[i]) = a[i].overflowing_abs();
        nearest[i] = a[i].saturating_abs();
        opposite[i] = a[i].saturating_neg();
    }

    #[kernel]
    pub fn opposite(a: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        // SAFETY: every launch passes numbers that have an opposite.
        result[i] = unsafe { a[i].unchecked_neg() };
    }

    #[kernel]
    pub fn signs(a: &[$T], sign: &mut [$T], positive: &mut [bool], negative: &mut [bool]) {
        let i = global_id(0);
        sign[i] = a[i].signum();
        positive[i] = a[i].is_positive();
        negative[i] = a[i].is_negative();
    }

    /// Shows unsigned results through another unsigned type, so that the kernel needs one type only.
    #[kernel]
    pub fn unsigned_results(a: &[$T], b: &[$T], difference: &mut [u64], size: &mut [u64], bits: &mut [u64]) {
        let i = global_id(0);
        difference[i] = a[i].abs_diff(b[i]) as u64;
        size[i] = a[i].unsigned_abs() as u64;
        bits[i] = a[i].cast_unsigned() as u64;
    }

    #[kernel]
    pub fn plus_unsigned(a: &[$T], b: &[u64], wrapped: &mut [$T], low: &mut [$T], overflows: &mut [bool], nearest: &mut [$T]) {
        let i = global_id(0);
        wrapped[i] = a[i].wrapping_add_unsigned((b[i] as $T).cast_unsigned());
        (low[i], overflows[i]) = a[i].overflowing_add_unsigned((b[i] as $T).cast_unsigned());
        nearest[i] = a[i].saturating_add_unsigned((b[i] as $T).cast_unsigned());
    }

    #[kernel]
    pub fn minus_unsigned(a: &[$T], b: &[u64], wrapped: &mut [$T], low: &mut [$T], overflows: &mut [bool], nearest: &mut [$T]) {
        let i = global_id(0);
        wrapped[i] = a[i].wrapping_sub_unsigned((b[i] as $T).cast_unsigned());
        (low[i], overflows[i]) = a[i].overflowing_sub_unsigned((b[i] as $T).cast_unsigned());
        nearest[i] = a[i].saturating_sub_unsigned((b[i] as $T).cast_unsigned());
    }

    pub fn cases() -> Vec<Case> {
        let edges = $T::edges();
        let (a, b) = pairs::<$T>();
        let (c, d) = cross(&edges, &map(&edges, |edge| edge as u64));
        let with_opposite: Vec<$T> = edges.iter().copied().filter(|a| *a != $T::MIN).collect();
        let unsigned = |bits: u64| (bits as $T).cast_unsigned();
        vec![
            Case::of(&ABSOLUTE)
                .input(&edges)
                .output(&map(&edges, $T::wrapping_abs))
                .output(&map(&edges, $T::wrapping_abs))
                .output(&map(&edges, |a| a.overflowing_abs().0))
                .output(&map(&edges, |a| a.overflowing_abs().1))
                .output(&map(&edges, $T::saturating_abs))
                .output(&map(&edges, $T::saturating_neg))
                .items([edges.len()]),
            Case::of(&OPPOSITE)
                .input(&with_opposite)
                .output(&map(&with_opposite, |a: $T| -a))
                .items([with_opposite.len()]),
            Case::of(&SIGNS)
                .input(&edges)
                .output(&map(&edges, $T::signum))
                .output(&map(&edges, $T::is_positive))
                .output(&map(&edges, $T::is_negative))
                .items([edges.len()]),
            Case::of(&UNSIGNED_RESULTS)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| a.abs_diff(b) as u64))
                .output(&map(&a, |a| a.unsigned_abs() as u64))
                .output(&map(&a, |a| a.cast_unsigned() as u64))
                .items([a.len()]),
            Case::of(&PLUS_UNSIGNED)
                .input(&c)
                .input(&d)
                .output(&zip(&c, &d, |a, b| a.wrapping_add_unsigned(unsigned(b))))
                .output(&zip(&c, &d, |a, b| a.overflowing_add_unsigned(unsigned(b)).0))
                .output(&zip(&c, &d, |a, b| a.overflowing_add_unsigned(unsigned(b)).1))
                .output(&zip(&c, &d, |a, b| a.saturating_add_unsigned(unsigned(b))))
                .items([c.len()]),
            Case::of(&MINUS_UNSIGNED)
                .input(&c)
                .input(&d)
                .output(&zip(&c, &d, |a, b| a.wrapping_sub_unsigned(unsigned(b))))
                .output(&zip(&c, &d, |a, b| a.overflowing_sub_unsigned(unsigned(b)).0))
                .output(&zip(&c, &d, |a, b| a.overflowing_sub_unsigned(unsigned(b)).1))
                .output(&zip(&c, &d, |a, b| a.saturating_sub_unsigned(unsigned(b))))
                .items([c.len()]),
        ]
    }
}
