//! Comparisons of vectors lane by lane, and the masks that they give.

use super::case::Case;
use super::edge::{lane_pairs, zip};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$V| in [
        on_boolx4: boolx4, on_i8x4: i8x4, on_u16x4: u16x4, on_i32x4: i32x4, on_u64x4: u64x4, on_f16x4: f16x4, on_bf16x4: bf16x4,
        on_f32x4: f32x4, on_f64x4: f64x4,
    ]

    #[kernel]
    pub fn comparison(
        a: &[$V], b: &[$V],
        eq: &mut [boolx4], ne: &mut [boolx4], lt: &mut [boolx4], le: &mut [boolx4], gt: &mut [boolx4], ge: &mut [boolx4],
    ) {
        let i = global_id(0);
        eq[i] = a[i].simd_eq(b[i]);
        ne[i] = a[i].simd_ne(b[i]);
        lt[i] = a[i].simd_lt(b[i]);
        le[i] = a[i].simd_le(b[i]);
        gt[i] = a[i].simd_gt(b[i]);
        ge[i] = a[i].simd_ge(b[i]);
    }

    #[kernel]
    pub fn choice(
        a: &[$V], b: &[$V], chosen: &mut [$V], either: &mut [boolx4], any: &mut [bool], all: &mut [bool],
    ) {
        let i = global_id(0);
        let (less, greater) = (a[i].simd_lt(b[i]), a[i].simd_gt(b[i]));
        chosen[i] = less.select(a[i], b[i]);
        either[i] = !(less | greater) ^ (less & true);
        any[i] = less.any();
        all[i] = (less | greater).all();
    }

    pub fn cases() -> Vec<Case> {
        let (a, b): (Vec<$V>, Vec<$V>) = lane_pairs();
        let items = [a.len()];
        let either = |a: $V, b: $V| {
            let (less, greater) = (a.simd_lt(b), a.simd_gt(b));
            !(less | greater) ^ (less & true)
        };
        vec![
            Case::of(&COMPARISON)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, $V::simd_eq))
                .output(&zip(&a, &b, $V::simd_ne))
                .output(&zip(&a, &b, $V::simd_lt))
                .output(&zip(&a, &b, $V::simd_le))
                .output(&zip(&a, &b, $V::simd_gt))
                .output(&zip(&a, &b, $V::simd_ge))
                .items(items),
            Case::of(&CHOICE)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| a.simd_lt(b).select(a, b)))
                .output(&zip(&a, &b, either))
                .output(&zip(&a, &b, |a, b| a.simd_lt(b).any()))
                .output(&zip(&a, &b, |a, b| (a.simd_lt(b) | a.simd_gt(b)).all()))
                .items(items),
        ]
    }
}
