//! The mathematical methods of `f16` and `bf16`, which the trait `Float` gives them on the host.
//!
//! The host computes them in `f32` and rounds. A device may have functions of its own for `f16`: for those each case states the
//! bound of the OpenCL specification for half precision plus the one unit by which the host may be wrong.

use super::case::Case;
use super::edge::{Edge, map, pairs, zip};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$T| in [on_f16: f16, on_bf16: bf16]

    #[kernel]
    pub fn rounding(
        x: &[$T], floor: &mut [$T], ceil: &mut [$T], round: &mut [$T], trunc: &mut [$T], even: &mut [$T],
        absolute: &mut [$T], root: &mut [$T],
    ) {
        let i = global_id(0);
        floor[i] = x[i].floor();
        ceil[i] = x[i].ceil();
        round[i] = x[i].round();
        trunc[i] = x[i].trunc();
        even[i] = x[i].round_ties_even();
        absolute[i] = x[i].abs();
        root[i] = x[i].sqrt();
    }

    #[kernel]
    pub fn composed(
        x: &[$T], fract: &mut [$T], recip: &mut [$T], signum: &mut [$T], degrees: &mut [$T], radians: &mut [$T],
    ) {
        let i = global_id(0);
        fract[i] = x[i].fract();
        recip[i] = x[i].recip();
        signum[i] = x[i].signum();
        degrees[i] = x[i].to_degrees();
        radians[i] = x[i].to_radians();
    }

    #[kernel]
    pub fn of_two(
        a: &[$T], b: &[$T], least: &mut [$T], greatest: &mut [$T], signed: &mut [$T], quotient: &mut [$T], rest: &mut [$T],
    ) {
        let i = global_id(0);
        least[i] = a[i].min(b[i]);
        greatest[i] = a[i].max(b[i]);
        signed[i] = a[i].copysign(b[i]);
        quotient[i] = a[i].div_euclid(b[i]);
        rest[i] = a[i].rem_euclid(b[i]);
    }

    #[kernel]
    pub fn classes(x: &[$T], nan: &mut [bool], infinite: &mut [bool], finite: &mut [bool], negative: &mut [bool]) {
        let i = global_id(0);
        nan[i] = x[i].is_nan();
        infinite[i] = x[i].is_infinite();
        finite[i] = x[i].is_finite();
        negative[i] = x[i].is_sign_negative() != x[i].is_sign_positive();
    }

    #[kernel]
    pub fn fused(a: &[$T], b: &[$T], c: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i].mul_add(b[i], c[i]);
    }

    #[kernel]
    pub fn exponentials(x: &[$T], exp: &mut [$T], exp2: &mut [$T], exp_m1: &mut [$T], power: &mut [$T]) {
        let i = global_id(0);
        exp[i] = x[i].exp();
        exp2[i] = x[i].exp2();
        exp_m1[i] = x[i].exp_m1();
        power[i] = x[i].powi(3);
    }

    #[kernel]
    pub fn logarithms(x: &[$T], ln: &mut [$T], log2: &mut [$T], log10: &mut [$T], ln_1p: &mut [$T], power: &mut [$T]) {
        let i = global_id(0);
        ln[i] = x[i].ln();
        log2[i] = x[i].log2();
        log10[i] = x[i].log10();
        ln_1p[i] = x[i].ln_1p();
        power[i] = x[i].powf(x[i]);
    }

    #[kernel]
    pub fn circular(
        x: &[$T], sin: &mut [$T], cos: &mut [$T], tan: &mut [$T], sinh: &mut [$T], cosh: &mut [$T], tanh: &mut [$T],
    ) {
        let i = global_id(0);
        sin[i] = x[i].sin();
        cos[i] = x[i].cos();
        tan[i] = x[i].tan();
        sinh[i] = x[i].sinh();
        cosh[i] = x[i].cosh();
        tanh[i] = x[i].tanh();
    }

    #[kernel]
    pub fn inverse(
        x: &[$T], asin: &mut [$T], acos: &mut [$T], atan: &mut [$T], asinh: &mut [$T], acosh: &mut [$T], atanh: &mut [$T],
        atan2: &mut [$T], hypot: &mut [$T], cbrt: &mut [$T],
    ) {
        let i = global_id(0);
        asin[i] = x[i].asin();
        acos[i] = x[i].acos();
        atan[i] = x[i].atan();
        asinh[i] = x[i].asinh();
        acosh[i] = (x[i] + $T::ONE).acosh();
        atanh[i] = x[i].atanh();
        atan2[i] = x[i].atan2($T::ONE);
        hypot[i] = x[i].hypot($T::ONE);
        cbrt[i] = x[i].cbrt();
    }

    fn unary(kernel: &'static kernel_core::KernelDescriptor, x: &[$T], ulps: u32, functions: &[fn($T) -> $T]) -> Case {
        let case = Case::of(kernel).input(x).ulps(ulps).items([x.len()]);
        functions.iter().fold(case, |case, function| case.output(&map(x, function)))
    }

    pub fn cases() -> Vec<Case> {
        let edges = $T::edges();
        let (a, b) = pairs::<$T>();
        let x: Vec<$T> = (-40..=40).map(|k| $T::from_f32(k as f32 * 0.17)).collect();
        let positive: Vec<$T> = x.iter().map(|x| x.abs() + $T::from_f32(0.01)).collect();
        let unit: Vec<$T> = (0..20).map(|k| $T::from_f32(k as f32 / 20.0)).collect();
        let halfway = [$T::ZERO, $T::MIN_POSITIVE_SUBNORMAL, -$T::MIN_POSITIVE_SUBNORMAL]
            .map(|addend| ($T::from_bits(0x3c10), $T::from_bits(0x3c20), addend));
        let precise = |function: fn(f64) -> f64| move |x: $T| $T::from_f32(function(x.to_f64()) as f32);
        let (asinh, acosh, atanh) = (precise(f64::asinh), precise(f64::acosh), precise(f64::atanh));
        vec![
            unary(
                &ROUNDING,
                &edges,
                0,
                &[$T::floor, $T::ceil, $T::round, $T::trunc, $T::round_ties_even, $T::abs, $T::sqrt],
            ),
            unary(&COMPOSED, &edges, 0, &[$T::fract, $T::recip, $T::signum, $T::to_degrees, $T::to_radians]),
            Case::of(&OF_TWO)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, $T::min))
                .output(&zip(&a, &b, $T::max))
                .output(&zip(&a, &b, $T::copysign))
                .output(&zip(&a, &b, $T::div_euclid))
                .output(&zip(&a, &b, $T::rem_euclid))
                // Either zero may be the less: any tolerance takes the two for equal.
                .ulps(1)
                .items([a.len()]),
            Case::of(&CLASSES)
                .input(&edges)
                .output(&map(&edges, $T::is_nan))
                .output(&map(&edges, $T::is_infinite))
                .output(&map(&edges, $T::is_finite))
                .output(&map(&edges, |_| true))
                .items([edges.len()]),
            Case::of(&FUSED)
                .input(&a)
                .input(&b)
                .input(&a)
                .output(&zip(&a, &b, |a, b| a.mul_add(b, a)))
                .items([a.len()]),
            Case::of(&FUSED)
                .input(&halfway.map(|(a, _, _)| a))
                .input(&halfway.map(|(_, b, _)| b))
                .input(&halfway.map(|(_, _, c)| c))
                .output(&halfway.map(|(a, b, c)| a.mul_add(b, c)))
                .items([halfway.len()])
                .label("product halfway between two numbers"),
            unary(&EXPONENTIALS, &x, 3, &[$T::exp, $T::exp2, $T::exp_m1, |x| x.powi(3)]),
            unary(&LOGARITHMS, &positive, 5, &[$T::ln, $T::log2, $T::log10, $T::ln_1p, |x| x.powf(x)]),
            unary(&CIRCULAR, &x, 3, &[$T::sin, $T::cos, $T::tan, $T::sinh, $T::cosh, $T::tanh]),
            Case::of(&INVERSE)
                .input(&unit)
                .output(&map(&unit, $T::asin))
                .output(&map(&unit, $T::acos))
                .output(&map(&unit, $T::atan))
                .output(&map(&unit, asinh))
                .output(&map(&unit, |x| acosh(x + $T::ONE)))
                .output(&map(&unit, atanh))
                .output(&map(&unit, |x| x.atan2($T::ONE)))
                .output(&map(&unit, |x| x.hypot($T::ONE)))
                .output(&map(&unit, $T::cbrt))
                .ulps(3)
                .items([unit.len()]),
        ]
    }
}
