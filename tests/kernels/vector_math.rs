//! The methods of floats on vectors, lane by lane. What each computes is for the cases of the scalars to show; these show that all
//! lanes are computed, with the same tolerance.

use super::case::Case;
use super::edge::{Edge, lane_pairs, map, zip};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$V| in [on_f32x3: f32x3, on_f32x16: f32x16, on_f64x2: f64x2, on_f16x4: f16x4, on_bf16x8: bf16x8]

    #[kernel]
    pub fn exact(
        x: &[$V], floor: &mut [$V], round: &mut [$V], even: &mut [$V], fract: &mut [$V], root: &mut [$V], absolute: &mut [$V],
        sign: &mut [$V], reciprocal: &mut [$V], degrees: &mut [$V],
    ) {
        let i = global_id(0);
        floor[i] = x[i].floor();
        round[i] = x[i].round() + x[i].ceil() - x[i].trunc();
        even[i] = x[i].round_ties_even();
        fract[i] = x[i].fract();
        root[i] = x[i].sqrt();
        absolute[i] = x[i].abs();
        sign[i] = x[i].signum();
        reciprocal[i] = x[i].recip();
        degrees[i] = x[i].to_degrees().to_radians();
    }

    #[kernel]
    pub fn of_several(
        a: &[$V], b: &[$V], extremes: &mut [$V], signed: &mut [$V], fused: &mut [$V],
    ) {
        let i = global_id(0);
        extremes[i] = a[i].min(b[i]) + a[i].max(b[i]);
        signed[i] = a[i].copysign(b[i]);
        fused[i] = a[i].mul_add(b[i], a[i]);
    }

    #[kernel]
    pub fn euclidean(a: &[$V], b: &[$V], quotient: &mut [$V], rest: &mut [$V]) {
        let i = global_id(0);
        quotient[i] = a[i].div_euclid(b[i]);
        rest[i] = a[i].rem_euclid(b[i]);
    }

    #[kernel]
    pub fn rounded(x: &[$V], exp: &mut [$V], sine: &mut [$V], power: &mut [$V], integral: &mut [$V], log: &mut [$V]) {
        let i = global_id(0);
        exp[i] = x[i].exp();
        sine[i] = x[i].sin();
        power[i] = x[i].abs().powf(x[i]);
        integral[i] = x[i].powi(3);
        log[i] = (x[i].abs() + x[i].exp()).log2();
    }

    pub fn cases() -> Vec<Case> {
        let edges = $V::edges();
        let (a, b): (Vec<$V>, Vec<$V>) = lane_pairs();
        // Intel's runtime has the remainder of some subnormal numbers by themselves wrong, which the cases of scalars show.
        let differ = |a: &$V, b: &$V| !a.abs().simd_eq(b.abs()).any();
        let (c, d): (Vec<$V>, Vec<$V>) = a.iter().zip(&b).filter(|(a, b)| differ(a, b)).unzip();
        let step = |k: i32| ($V::splat(Default::default()).cast::<f32>() + k as f32 * 0.17).cast();
        let x: Vec<$V> = (-20..=20).map(step).collect();
        vec![
            Case::of(&EXACT)
                .input(&edges)
                .output(&map(&edges, $V::floor))
                .output(&map(&edges, |x| x.round() + x.ceil() - x.trunc()))
                .output(&map(&edges, $V::round_ties_even))
                .output(&map(&edges, $V::fract))
                .output(&map(&edges, $V::sqrt))
                .output(&map(&edges, $V::abs))
                .output(&map(&edges, $V::signum))
                .output(&map(&edges, $V::recip))
                .output(&map(&edges, |x| x.to_degrees().to_radians()))
                .items([edges.len()]),
            Case::of(&OF_SEVERAL)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| a.min(b) + a.max(b)))
                .output(&zip(&a, &b, $V::copysign))
                .output(&zip(&a, &b, |a, b| a.mul_add(b, a)))
                // Either zero may be the less: any tolerance takes the two for equal.
                .ulps(1)
                .items([a.len()]),
            Case::of(&EUCLIDEAN)
                .input(&c)
                .input(&d)
                .output(&zip(&c, &d, $V::div_euclid))
                .output(&zip(&c, &d, $V::rem_euclid))
                .items([c.len()]),
            Case::of(&ROUNDED)
                .input(&x)
                .output(&map(&x, $V::exp))
                .output(&map(&x, $V::sin))
                .output(&map(&x, |x| x.abs().powf(x)))
                .output(&map(&x, |x| x.powi(3)))
                .output(&map(&x, |x| (x.abs() + x.exp()).log2()))
                .ulps(17)
                .items([x.len()]),
        ]
    }
}
