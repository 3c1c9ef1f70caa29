//! The functions of floats that Rust has no name for, `kernel_core::math`.
//!
//! The tolerances are the bounds of the OpenCL specification's full profile plus what the host may be wrong by.

use super::case::Case;
use super::edge::{Edge, cross, map, pairs, zip};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$T| in [on_f32: f32, on_f64: f64]

    #[kernel]
    pub fn powers(x: &[$T], inverse_root: &mut [$T], decimal: &mut [$T]) {
        let i = global_id(0);
        inverse_root[i] = math::rsqrt(x[i]);
        decimal[i] = math::exp10(x[i]);
    }

    #[kernel]
    pub fn half_turns(x: &[$T], sine: &mut [$T], cosine: &mut [$T], tangent: &mut [$T]) {
        let i = global_id(0);
        sine[i] = math::sin_pi(x[i]);
        cosine[i] = math::cos_pi(x[i]);
        tangent[i] = math::tan_pi(x[i]);
    }

    #[kernel]
    pub fn arc_half_turns(x: &[$T], sine: &mut [$T], cosine: &mut [$T], tangent: &mut [$T]) {
        let i = global_id(0);
        sine[i] = math::asin_pi(x[i]);
        cosine[i] = math::acos_pi(x[i]);
        tangent[i] = math::atan_pi(x[i]);
    }

    #[kernel]
    pub fn angle(y: &[$T], x: &[$T], angle: &mut [$T]) {
        let i = global_id(0);
        angle[i] = math::atan2_pi(y[i], x[i]);
    }

    #[kernel]
    pub fn errors(x: &[$T], error: &mut [$T], complement: &mut [$T]) {
        let i = global_id(0);
        error[i] = math::erf(x[i]);
        complement[i] = math::erfc(x[i]);
    }

    #[kernel]
    pub fn factorials(x: &[$T], gamma: &mut [$T], logarithm: &mut [$T]) {
        let i = global_id(0);
        gamma[i] = math::gamma(x[i]);
        logarithm[i] = math::ln_gamma(x[i]);
    }

    #[kernel]
    pub fn scaling(x: &[$T], exponent: &[i32], scaled: &mut [$T]) {
        let i = global_id(0);
        scaled[i] = math::ldexp(x[i], exponent[i]);
    }

    #[kernel]
    pub fn parts(x: &[$T], mantissa: &mut [$T], exponent: &mut [i32], whole: &mut [i32], binary: &mut [$T]) {
        let i = global_id(0);
        (mantissa[i], exponent[i]) = math::frexp(x[i]);
        whole[i] = math::ilogb(x[i]);
        binary[i] = math::logb(x[i]);
    }

    #[kernel]
    pub fn neighbours(x: &[$T], y: &[$T], next: &mut [$T], difference: &mut [$T]) {
        let i = global_id(0);
        next[i] = math::next_after(x[i], y[i]);
        difference[i] = math::fdim(x[i], y[i]);
    }

    #[kernel]
    pub fn nearest_multiple(x: &[$T], y: &[$T], rest: &mut [$T]) {
        let i = global_id(0);
        rest[i] = math::remainder(x[i], y[i]);
    }

    #[kernel]
    pub fn magnitudes(x: &[$T], y: &[$T], greater: &mut [$T], smaller: &mut [$T]) {
        let i = global_id(0);
        greater[i] = math::max_mag(x[i], y[i]);
        smaller[i] = math::min_mag(x[i], y[i]);
    }

    #[kernel]
    pub fn root(x: &[$T], degree: &[i32], root: &mut [$T]) {
        let i = global_id(0);
        root[i] = math::rootn(x[i], degree[i]);
    }

    #[kernel]
    pub fn power(x: &[$T], y: &[$T], power: &mut [$T]) {
        let i = global_id(0);
        power[i] = math::powr(x[i], y[i]);
    }

    #[kernel]
    pub fn multiply_add(a: &[$T], b: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = math::mad(a[i], b[i], 2.0);
    }

    #[kernel]
    pub fn blends(x: &[$T], y: &[$T], mixed: &mut [$T], step: &mut [$T], smooth: &mut [$T], sign: &mut [$T]) {
        let i = global_id(0);
        mixed[i] = math::mix(x[i], y[i], 0.375);
        step[i] = math::step(y[i], x[i]);
        smooth[i] = math::smoothstep(-1.0, 2.0, x[i]);
        sign[i] = math::sign(x[i]);
    }

    fn unary(kernel: &'static kernel_core::KernelDescriptor, x: &[$T], ulps: u32, functions: &[fn($T) -> $T]) -> Case {
        let case = Case::of(kernel).input(x).ulps(ulps).items([x.len()]);
        functions.iter().fold(case, |case, function| case.output(&map(x, function)))
    }

    fn binary(kernel: &'static kernel_core::KernelDescriptor, (x, y): (&[$T], &[$T]), ulps: u32, functions: &[fn($T, $T) -> $T]) -> Case {
        let case = Case::of(kernel).input(x).input(y).ulps(ulps).items([x.len()]);
        functions.iter().fold(case, |case, function| case.output(&zip(x, y, function)))
    }

    pub fn cases() -> Vec<Case> {
        let edges = $T::edges();
        let (a, b) = pairs::<$T>();
        let edge_pairs = (&a[..], &b[..]);
        let ordinary: Vec<$T> = (-40..=40).map(|k| k as $T * 0.17).collect();
        let quarters: Vec<$T> = (-20..=20).map(|k| k as $T / 4.0).collect();
        let unit: Vec<$T> = (-20..=20).map(|k| k as $T / 20.0).collect();
        let positive: Vec<$T> = (1..=60).map(|k| k as $T * 0.49).filter(|x| (x - 1.0).abs() > 0.3 && (x - 2.0).abs() > 0.3).collect();
        let (scaled, exponents) = cross(&edges, &[0, 1, -1, 10, -10, 127, -126, 149, -149, 1023, -1074, 5000, -5000, i32::MAX, i32::MIN]);
        let roots: Vec<$T> = edges.iter().copied().chain(ordinary.iter().copied()).collect();
        let (bases, degrees) = cross(&roots, &[1, 2, 3, 4, 5, 10, 101, -1, -2, -3, 0]);
        let (c, d) = cross(&ordinary, &[-2.5, -1.0, -0.3, 0.0, 0.7, 1.0, 3.0]);
        vec![
            unary(&POWERS, &ordinary, 4, &[math::rsqrt::<$T>, math::exp10::<$T>]),
            unary(&POWERS, &edges, 4, &[math::rsqrt::<$T>, math::exp10::<$T>]).label("edges"),
            unary(&HALF_TURNS, &ordinary, 8, &[math::sin_pi::<$T>, math::cos_pi::<$T>, math::tan_pi::<$T>]),
            unary(&HALF_TURNS, &quarters, 8, &[math::sin_pi::<$T>, math::cos_pi::<$T>, math::tan_pi::<$T>]).label("quarters"),
            unary(&HALF_TURNS, &edges, 8, &[math::sin_pi::<$T>, math::cos_pi::<$T>, math::tan_pi::<$T>]).label("edges"),
            unary(&ARC_HALF_TURNS, &unit, 7, &[math::asin_pi::<$T>, math::acos_pi::<$T>, math::atan_pi::<$T>]),
            unary(&ARC_HALF_TURNS, &edges, 7, &[math::asin_pi::<$T>, math::acos_pi::<$T>, math::atan_pi::<$T>]).label("edges"),
            binary(&ANGLE, edge_pairs, 8, &[math::atan2_pi::<$T>]).label("edges"),
            unary(&ERRORS, &ordinary, 18, &[math::erf::<$T>, math::erfc::<$T>]),
            unary(&ERRORS, &edges, 18, &[math::erf::<$T>, math::erfc::<$T>]).label("edges"),
            unary(&FACTORIALS, &positive, 26, &[math::gamma::<$T>, math::ln_gamma::<$T>]),
            Case::of(&SCALING)
                .input(&scaled)
                .input(&exponents)
                .output(&zip(&scaled, &exponents, math::ldexp::<$T>))
                .items([scaled.len()]),
            Case::of(&PARTS)
                .input(&edges)
                .output(&map(&edges, |x| math::frexp(x).0))
                .output(&map(&edges, |x| math::frexp(x).1))
                .output(&map(&edges, math::ilogb::<$T>))
                .output(&map(&edges, math::logb::<$T>))
                .items([edges.len()]),
            binary(&NEIGHBOURS, edge_pairs, 0, &[math::next_after::<$T>, math::fdim::<$T>]),
            binary(&NEAREST_MULTIPLE, edge_pairs, 0, &[math::remainder::<$T>]),
            // Either zero may be the greater: any tolerance takes the two for equal.
            binary(&MAGNITUDES, edge_pairs, 1, &[math::max_mag::<$T>, math::min_mag::<$T>]),
            Case::of(&ROOT)
                .input(&bases)
                .input(&degrees)
                .output(&zip(&bases, &degrees, math::rootn::<$T>))
                .ulps(18)
                .items([bases.len()]),
            binary(&POWER, (&c, &d), 18, &[math::powr::<$T>]),
            binary(&POWER, edge_pairs, 18, &[math::powr::<$T>]).label("edges"),
            // The product is exact, so that it makes no difference whether it is rounded.
            binary(&MULTIPLY_ADD, (&quarters, &quarters), 0, &[|a, b| math::mad(a, b, 2.0)]),
            binary(
                &BLENDS,
                edge_pairs,
                0,
                &[
                    |x, y| math::mix(x, y, 0.375),
                    |x, y| math::step(y, x),
                    |x, _| math::smoothstep(-1.0, 2.0, x),
                    |x, _| math::sign(x),
                ],
            ),
        ]
    }
}
