//! The operators of the floating-point types, which round exactly as Rust's do.

use super::case::Case;
use super::edge::{map, pairs, pairs_where, zip};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$T| in [on_f32: f32, on_f64: f64]

    #[kernel]
    pub fn arithmetic(
        a: &[$T], b: &[$T],
        sum: &mut [$T], difference: &mut [$T], product: &mut [$T], negated: &mut [$T],
    ) {
        let i = global_id(0);
        sum[i] = a[i] + b[i];
        difference[i] = a[i] - b[i];
        product[i] = a[i] * b[i];
        negated[i] = -a[i];
    }

    #[kernel]
    pub fn division(a: &[$T], b: &[$T], quotient: &mut [$T]) {
        let i = global_id(0);
        quotient[i] = a[i] / b[i];
    }

    #[kernel]
    pub fn remainder(a: &[$T], b: &[$T], remainder: &mut [$T]) {
        let i = global_id(0);
        remainder[i] = a[i] % b[i];
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

    /// Must not become a fused multiply-add, which rounds once.
    #[kernel]
    pub fn not_contracted(a: &[$T], b: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i] * b[i] + a[i];
        result[i] -= a[i] * b[i];
    }

    #[kernel]
    pub fn compound(x: &mut [$T], b: &[$T]) {
        let i = global_id(0);
        x[i] += b[i];
        x[i] *= 3.0;
        x[i] -= 0.125;
        x[i] /= 7.0;
        x[i] %= 5.5;
    }

    fn remainder_case(condition: impl Fn($T, $T) -> bool) -> Case {
        let (a, b) = pairs_where(condition);
        Case::of(&REMAINDER).input(&a).input(&b).output(&zip(&a, &b, |a, b| a % b)).items([a.len()])
    }

    fn divides_subnormal(a: $T, b: $T) -> bool {
        a.abs() == b.abs() && a.is_subnormal()
    }

    pub fn cases() -> Vec<Case> {
        let (a, b) = pairs::<$T>();
        let items = [a.len()];
        vec![
            Case::of(&ARITHMETIC)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| a + b))
                .output(&zip(&a, &b, |a, b| a - b))
                .output(&zip(&a, &b, |a, b| a * b))
                .output(&map(&a, |a| -a))
                .items(items),
            Case::of(&DIVISION).input(&a).input(&b).output(&zip(&a, &b, |a, b| a / b)).items(items),
            remainder_case(|a, b| !divides_subnormal(a, b)),
            remainder_case(divides_subnormal)
                .label("subnormal divided by itself")
                .wrong_on_intel_opencl("get fmod(x, x) = x for some subnormal x, from OpenCL C too"),
            Case::of(&COMPARISON)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| a == b))
                .output(&zip(&a, &b, |a, b| a != b))
                .output(&zip(&a, &b, |a, b| a < b))
                .output(&zip(&a, &b, |a, b| a <= b))
                .output(&zip(&a, &b, |a, b| a > b))
                .output(&zip(&a, &b, |a, b| a >= b))
                .items(items),
            Case::of(&NOT_CONTRACTED)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| (a * b + a) - a * b))
                .items(items),
            Case::of(&COMPOUND)
                .update(&a, &zip(&a, &b, |a, b| (((a + b) * 3.0 - 0.125) / 7.0) % 5.5))
                .input(&b)
                .items(items),
        ]
    }
}
