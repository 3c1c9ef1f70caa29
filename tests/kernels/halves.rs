//! `f16` and `bf16`: operators, conversions, constants, and every place where a scalar can be kept.

use super::case::Case;
use super::edge::{Edge, map, pairs, zip};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$T| in [on_f16: f16, on_bf16: bf16]

    #[device]
    const THIRD: $T = $T::from_f32_const(0.333);

    #[kernel]
    pub fn arithmetic(
        a: &[$T], b: &[$T],
        sum: &mut [$T], difference: &mut [$T], product: &mut [$T], quotient: &mut [$T], rest: &mut [$T],
        negated: &mut [$T],
    ) {
        let i = global_id(0);
        sum[i] = a[i] + b[i];
        difference[i] = a[i] - b[i];
        product[i] = a[i] * b[i];
        quotient[i] = a[i] / b[i];
        rest[i] = a[i] % b[i];
        negated[i] = -a[i];
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

    /// Must not become a fused multiply-add, and must not keep more than 16 bits between its steps.
    #[kernel]
    pub fn compound(x: &mut [$T], b: &[$T]) {
        let i = global_id(0);
        x[i] += b[i] * x[i];
        x[i] *= $T::from_f32(3.0);
        x[i] -= THIRD;
        x[i] /= b[i];
        x[i] %= $T::from_f32(5.5);
    }

    #[kernel]
    pub fn conversions(
        x: &[$T], single: &mut [f32], double: &mut [f64], lossless: &mut [f64], bits: &mut [u16], back: &mut [$T],
    ) {
        let i = global_id(0);
        single[i] = x[i].to_f32();
        double[i] = x[i].to_f64();
        lossless[i] = f64::from(x[i]) + f64::from(f32::from(x[i]));
        bits[i] = x[i].to_bits() ^ 0x8000;
        back[i] = $T::from_bits(x[i].to_bits());
    }

    #[kernel]
    pub fn from_single(x: &[f32], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = $T::from_f32(x[i]);
    }

    #[kernel(requires(global_size(0) == 1))]
    pub fn constants(result: &mut [$T]) {
        result[0] = $T::MAX;
        result[1] = $T::MIN;
        result[2] = $T::MIN_POSITIVE;
        result[3] = $T::EPSILON;
        result[4] = $T::INFINITY;
        result[5] = $T::NEG_INFINITY;
        result[6] = $T::NAN;
        result[7] = $T::ZERO;
        result[8] = $T::NEG_ZERO;
        result[9] = $T::ONE;
        result[10] = $T::NEG_ONE;
        result[11] = $T::MAX_SUBNORMAL;
        result[12] = $T::MIN_POSITIVE_SUBNORMAL;
        result[13] = $T::PI;
        result[14] = $T::LOG10_2;
        result[15] = THIRD;
    }

    /// In a variable, an array, a tuple, local memory, and as a result of `if`.
    #[kernel(group_size = [4])]
    pub fn places(x: &[$T], result: &mut [$T]) {
        let mut shared = Local::<[$T; 4]>::new();
        let (i, l) = (global_id(0), local_id(0));
        shared[3 - l] = x[i];
        let mut table = [$T::ONE; 3];
        table[l % 3] = x[i];
        barrier();
        let pair = (table[0], shared[l]);
        let chosen = if l % 2 == 0 { pair.0 } else { pair.1 };
        result[i] = chosen.max(table[1]);
    }

    pub fn cases() -> Vec<Case> {
        let edges = $T::edges();
        let (a, b) = pairs::<$T>();
        let items = [a.len()];
        let single = f32::edges();
        let x = [1.5, -2.0, 0.25, 8.0, 3.0, -0.5, 7.0, 0.0].map($T::from_f32);
        let expected_place = |i: usize| {
            let l = i % 4;
            let first = if l == 0 || l == 3 { x[i] } else { $T::ONE };
            let second = if l == 1 { x[i] } else { $T::ONE };
            let chosen = if l % 2 == 0 { first } else { x[i / 4 * 4 + 3 - l] };
            chosen.max(second)
        };
        vec![
            Case::of(&ARITHMETIC)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| a + b))
                .output(&zip(&a, &b, |a, b| a - b))
                .output(&zip(&a, &b, |a, b| a * b))
                .output(&zip(&a, &b, |a, b| a / b))
                .output(&zip(&a, &b, |a, b| a % b))
                .output(&map(&a, |a| -a))
                .items(items),
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
            Case::of(&COMPOUND)
                .update(&a, &zip(&a, &b, |a, b| {
                    (((a + b * a) * $T::from_f32(3.0) - THIRD) / b) % $T::from_f32(5.5)
                }))
                .input(&b)
                .items(items),
            Case::of(&CONVERSIONS)
                .input(&edges)
                .output(&map(&edges, $T::to_f32))
                .output(&map(&edges, $T::to_f64))
                .output(&map(&edges, |x| x.to_f64() * 2.0))
                .output(&map(&edges, |x| x.to_bits() ^ 0x8000))
                .output(&edges)
                .items([edges.len()]),
            Case::of(&FROM_SINGLE).input(&single).output(&map(&single, $T::from_f32)).items([single.len()]),
            Case::of(&CONSTANTS)
                .output(&[
                    $T::MAX, $T::MIN, $T::MIN_POSITIVE, $T::EPSILON, $T::INFINITY, $T::NEG_INFINITY, $T::NAN,
                    $T::ZERO, $T::NEG_ZERO, $T::ONE, $T::NEG_ONE, $T::MAX_SUBNORMAL, $T::MIN_POSITIVE_SUBNORMAL,
                    $T::PI, $T::LOG10_2, THIRD,
                ])
                .items([1]),
            Case::of(&PLACES)
                .input(&x)
                .output(&(0..x.len()).map(expected_place).collect::<Vec<_>>())
                .items([x.len()]),
        ]
    }
}
