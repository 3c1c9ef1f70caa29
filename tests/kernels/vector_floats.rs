//! Operators on vectors of floats, with vectors and with scalars.

use super::case::Case;
use super::edge::{lane_pairs, map, zip};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$V| in [
        on_f32x2: f32x2, on_f32x3: f32x3, on_f32x4: f32x4, on_f32x16: f32x16, on_f64x3: f64x3, on_f16x4: f16x4, on_f16x16: f16x16,
        on_bf16x3: bf16x3,
    ]

    #[kernel]
    pub fn operators(
        a: &[$V], b: &[$V],
        sum: &mut [$V], difference: &mut [$V], product: &mut [$V], quotient: &mut [$V], negated: &mut [$V],
    ) {
        let i = global_id(0);
        sum[i] = a[i] + b[i];
        difference[i] = a[i] - b[i];
        product[i] = a[i] * b[i];
        quotient[i] = a[i] / b[i];
        negated[i] = -a[i];
    }

    /// A scalar counts for every lane, on either side.
    #[kernel]
    pub fn with_scalars(a: &[$V], b: &[$V], after: &mut [$V], before: &mut [$V]) {
        let i = global_id(0);
        let s = b[i][0];
        after[i] = (a[i] + s) * s - a[i] / s;
        before[i] = (s - a[i]) * (s * a[i]) / (s + a[i]);
    }

    #[kernel]
    pub fn remainder(a: &[$V], b: &[$V], rest: &mut [$V], of_scalar: &mut [$V], by_scalar: &mut [$V]) {
        let i = global_id(0);
        let s = b[i][0];
        rest[i] = a[i] % b[i];
        of_scalar[i] = s % a[i];
        by_scalar[i] = a[i] % s;
    }

    /// Must not become fused multiply-adds.
    #[kernel]
    pub fn compound(x: &mut [$V], b: &[$V]) {
        let i = global_id(0);
        x[i] += b[i] * x[i];
        x[i] *= b[i][0];
        x[i] -= b[i];
        x[i] /= b[i];
    }

    pub fn cases() -> Vec<Case> {
        let (a, b): (Vec<$V>, Vec<$V>) = lane_pairs();
        let items = [a.len()];
        // Intel's runtime has the remainder of some subnormal numbers by themselves wrong, which the cases of scalars show.
        let differ = |a: &$V, b: &$V| {
            let equal = |b: $V| a.abs().simd_eq(b.abs()).any();
            !equal(*b) && !equal($V::splat(b[0]))
        };
        let (c, d): (Vec<$V>, Vec<$V>) = a.iter().zip(&b).filter(|(a, b)| differ(a, b)).unzip();
        vec![
            Case::of(&OPERATORS)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| a + b))
                .output(&zip(&a, &b, |a, b| a - b))
                .output(&zip(&a, &b, |a, b| a * b))
                .output(&zip(&a, &b, |a, b| a / b))
                .output(&map(&a, |a| -a))
                .items(items),
            Case::of(&WITH_SCALARS)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| (a + b[0]) * b[0] - a / b[0]))
                .output(&zip(&a, &b, |a, b| (b[0] - a) * (b[0] * a) / (b[0] + a)))
                .items(items),
            Case::of(&REMAINDER)
                .input(&c)
                .input(&d)
                .output(&zip(&c, &d, |a, b| a % b))
                .output(&zip(&c, &d, |a, b| b[0] % a))
                .output(&zip(&c, &d, |a, b| a % b[0]))
                .items([c.len()]),
            Case::of(&COMPOUND)
                .update(&a, &zip(&a, &b, |a, b| ((a + b * a) * b[0] - b) / b))
                .input(&b)
                .items(items),
        ]
    }
}
