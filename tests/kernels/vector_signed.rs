//! What vectors of signed integers have beside: sizes and signs, and sums with unsigned integers.

use super::case::{Case, ExpectedFault};
use super::edge::{Edge, lane_pairs, map, zip};
use super::for_types::for_types;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

for_types! { |$V| in [on_i16x4: i16x4, on_i32x3: i32x3, on_i64x2: i64x2]

    #[kernel]
    pub fn sizes(a: &[$V], wrapped: &mut [$V], saturated: &mut [$V], opposite: &mut [$V], unsigned: &mut [$V], signs: &mut [$V]) {
        let i = global_id(0);
        wrapped[i] = a[i].wrapping_abs();
        saturated[i] = a[i].saturating_abs();
        opposite[i] = a[i].saturating_neg();
        unsigned[i] = (a[i].unsigned_abs() / 3).cast();
        signs[i] = a[i].is_positive().select($V::splat(1), a[i].is_negative().select($V::splat(-1), $V::splat(0)));
    }

    #[kernel]
    pub fn with_unsigned(a: &[$V], b: &[$V], wrapped: &mut [$V], above: &mut [$V], below: &mut [$V]) {
        let i = global_id(0);
        let b = b[i].cast_unsigned();
        wrapped[i] = a[i].wrapping_add_unsigned(b) ^ a[i].wrapping_sub_unsigned(b);
        above[i] = a[i].saturating_add_unsigned(b);
        below[i] = a[i].saturating_sub_unsigned(b);
    }

    #[kernel]
    pub fn strict(a: &[$V], result: &mut [$V]) {
        let i = global_id(0);
        result[i] = a[i].strict_abs().strict_neg();
    }

    pub fn cases() -> Vec<Case> {
        let edges = $V::edges();
        let (a, b): (Vec<$V>, Vec<$V>) = lane_pairs();
        let least = edges[0].reduce_min();
        let fits = map(&edges, |x| x.simd_eq($V::splat(least)).select($V::splat(5), x));
        vec![
            Case::of(&SIZES)
                .input(&edges)
                .output(&map(&edges, $V::wrapping_abs))
                .output(&map(&edges, $V::saturating_abs))
                .output(&map(&edges, $V::saturating_neg))
                .output(&map(&edges, |x| -> $V { (x.unsigned_abs() / 3).cast() }))
                .output(&map(&edges, $V::signum))
                .items([edges.len()]),
            Case::of(&WITH_UNSIGNED)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| a.wrapping_add(b) ^ a.wrapping_sub(b)))
                .output(&zip(&a, &b, |a, b| a.saturating_add_unsigned(b.cast_unsigned())))
                .output(&zip(&a, &b, |a, b| a.saturating_sub_unsigned(b.cast_unsigned())))
                .items([a.len()]),
            Case::of(&STRICT).input(&fits).output(&map(&fits, |x| -x.wrapping_abs())).items([fits.len()]),
            Case::of(&STRICT)
                .input(&[$V::splat(3), $V::splat(least)])
                .output(&[$V::splat(-3), $V::splat(least)])
                .unwritten([1])
                .faults(ExpectedFault::new(FaultKind::NegationOverflow))
                .items([2])
                .label("an absolute value does not fit"),
        ]
    }
}
