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
        sum: &mut [$V], difference: &mut [$V], product: &mut [$V], quotient: &mut [$V], rest: &mut [$V], negated: &mut [$V],
    ) {
        let i = global_id(0);
        sum[i] = a[i] + b[i];
        difference[i] = a[i] - b[i];
        product[i] = a[i] * b[i];
        quotient[i] = a[i] / b[i];
        rest[i] = a[i] % b[i];
        negated[i] = -a[i];
    }

    /// A scalar counts for every lane, on either side.
    #[kernel]
    pub fn with_scalars(a: &[$V], b: &[$V], after: &mut [$V], before: &mut [$V]) {
        let i = global_id(0);
        let s = b[i][0];
        after[i] = (a[i] + s) * s - a[i] / s;
        before[i] = (s - a[i]) * (s * a[i]) / (s % a[i]);
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
        // Intel's runtime has the remainder of some subnormal numbers wrong, which the cases of scalars show.
        let remainder = |a: $V, b: $V| a % b;
        let items = [a.len()];
        vec![
            Case::of(&OPERATORS)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| a + b))
                .output(&zip(&a, &b, |a, b| a - b))
                .output(&zip(&a, &b, |a, b| a * b))
                .output(&zip(&a, &b, |a, b| a / b))
                .output(&zip(&a, &b, remainder))
                .output(&map(&a, |a| -a))
                .items(items),
            Case::of(&WITH_SCALARS)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| (a + b[0]) * b[0] - a / b[0]))
                .output(&zip(&a, &b, |a, b| (b[0] - a) * (b[0] * a) / (b[0] % a)))
                .items(items),
            Case::of(&COMPOUND)
                .update(&a, &zip(&a, &b, |a, b| ((a + b * a) * b[0] - b) / b))
                .input(&b)
                .items(items),
        ]
    }
}
