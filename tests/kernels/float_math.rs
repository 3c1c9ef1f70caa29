//! The mathematical methods of the floating-point types.
//!
//! Those that IEEE 754 determines must agree with the host exactly. For the others each case states the bound of the OpenCL
//! specification's full profile ("Relative Error as ULPs") plus the one unit by which the host's own result may be wrong.

use super::case::Case;
use super::edge::{Edge, map, pairs, zip};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$T| in [on_f32: f32, on_f64: f64]

    #[kernel]
    pub fn rounding(
        x: &[$T], floor: &mut [$T], ceil: &mut [$T], round: &mut [$T], trunc: &mut [$T], absolute: &mut [$T],
    ) {
        let i = global_id(0);
        floor[i] = x[i].floor();
        ceil[i] = x[i].ceil();
        round[i] = x[i].round();
        trunc[i] = x[i].trunc();
        absolute[i] = x[i].abs();
    }

    #[kernel]
    pub fn selection(a: &[$T], b: &[$T], least: &mut [$T], greatest: &mut [$T]) {
        let i = global_id(0);
        least[i] = a[i].min(b[i]);
        greatest[i] = a[i].max(b[i]);
    }

    #[kernel]
    pub fn sign(a: &[$T], b: &[$T], signed: &mut [$T]) {
        let i = global_id(0);
        signed[i] = a[i].copysign(b[i]);
    }

    #[kernel]
    pub fn classes(x: &[$T], nan: &mut [bool], infinite: &mut [bool], finite: &mut [bool], negative: &mut [bool]) {
        let i = global_id(0);
        nan[i] = x[i].is_nan();
        infinite[i] = x[i].is_infinite();
        finite[i] = x[i].is_finite();
        negative[i] = x[i].is_sign_negative();
    }

    #[kernel]
    pub fn fused(a: &[$T], b: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i].mul_add(b[i], a[i]);
    }

    #[kernel]
    pub fn square_root(x: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = x[i].sqrt();
    }

    #[kernel]
    pub fn exponentials(x: &[$T], natural: &mut [$T], binary: &mut [$T], minus_one: &mut [$T]) {
        let i = global_id(0);
        natural[i] = x[i].exp();
        binary[i] = x[i].exp2();
        minus_one[i] = x[i].exp_m1();
    }

    #[kernel]
    pub fn logarithms(x: &[$T], natural: &mut [$T], binary: &mut [$T], decimal: &mut [$T], plus_one: &mut [$T]) {
        let i = global_id(0);
        natural[i] = x[i].ln();
        binary[i] = x[i].log2();
        decimal[i] = x[i].log10();
        plus_one[i] = x[i].ln_1p();
    }

    #[kernel]
    pub fn trigonometry(x: &[$T], sine: &mut [$T], cosine: &mut [$T], tangent: &mut [$T]) {
        let i = global_id(0);
        sine[i] = x[i].sin();
        cosine[i] = x[i].cos();
        tangent[i] = x[i].tan();
    }

    #[kernel]
    pub fn arc_functions(x: &[$T], sine: &mut [$T], cosine: &mut [$T], tangent: &mut [$T]) {
        let i = global_id(0);
        sine[i] = x[i].asin();
        cosine[i] = x[i].acos();
        tangent[i] = x[i].atan();
    }

    #[kernel]
    pub fn hyperbolic(x: &[$T], sine: &mut [$T], cosine: &mut [$T], tangent: &mut [$T]) {
        let i = global_id(0);
        sine[i] = x[i].sinh();
        cosine[i] = x[i].cosh();
        tangent[i] = x[i].tanh();
    }

    #[kernel]
    pub fn area_functions(x: &[$T], sine: &mut [$T], cosine: &mut [$T], tangent: &mut [$T]) {
        let i = global_id(0);
        sine[i] = x[i].asinh();
        cosine[i] = x[i].acosh();
        tangent[i] = x[i].atanh();
    }

    #[kernel]
    pub fn roots_and_powers(a: &[$T], b: &[$T], cube_root: &mut [$T], power: &mut [$T]) {
        let i = global_id(0);
        cube_root[i] = a[i].cbrt();
        power[i] = a[i].powf(b[i]);
    }

    #[kernel]
    pub fn integer_power(x: &[$T], exponent: i32, power: &mut [$T]) {
        let i = global_id(0);
        power[i] = x[i].powi(exponent);
    }

    /// What exponents that are known make of each number: products, which are those of the host.
    #[kernel]
    pub fn known_powers(x: &[$T], powers: &mut [[$T; 9]]) {
        const SQUARED: $T = 2.0;
        let i = global_id(0);
        powers[i] = [
            x[i].powi(0),
            x[i].powi(1),
            x[i].powi(2),
            x[i].powi(-1),
            x[i].powi(3),
            x[i].powi(-7),
            x[i].powi(32),
            x[i].powi(-32),
            x[i].powf(SQUARED),
        ];
    }

    #[kernel]
    pub fn angle_and_distance(a: &[$T], b: &[$T], angle: &mut [$T], distance: &mut [$T]) {
        let i = global_id(0);
        angle[i] = a[i].atan2(b[i]);
        distance[i] = a[i].hypot(b[i]);
    }

    /// A power by squares, from the lowest bit of the exponent on, as LLVM expands `powi`.
    fn products(x: $T, exponent: i32) -> $T {
        let (mut square, mut product) = (x, 1.0);
        for bit in 0..6 {
            if exponent.unsigned_abs() >> bit & 1 == 1 {
                product *= square;
            }
            square *= square;
        }
        if exponent < 0 { 1.0 / product } else { product }
    }

    /// Values of moderate size, where the functions neither overflow nor lose the argument.
    fn moderate() -> Vec<$T> {
        (-40..=40).map(|k| k as $T * 0.17).collect()
    }

    /// The inverse hyperbolic functions of the host are not exact enough to compare with, unless computed in `f64`
    /// and rounded.
    fn precise(function: fn(f64) -> f64) -> impl Fn($T) -> $T {
        move |x| function(x as f64) as $T
    }

    fn unary(kernel: &'static kernel_core::KernelDescriptor, x: &[$T], ulps: u32, functions: &[fn($T) -> $T]) -> Case {
        let case = Case::of(kernel).input(x).ulps(ulps).items([x.len()]);
        functions.iter().fold(case, |case, function| case.output(&map(x, function)))
    }

    pub fn cases() -> Vec<Case> {
        let edges = $T::edges();
        let (a, b) = pairs::<$T>();
        let x = moderate();
        let positive: Vec<$T> = x.iter().map(|x| x.abs() + 0.01).collect();
        let unit: Vec<$T> = (-20..=20).map(|k| k as $T / 20.0).collect();
        let open_unit: Vec<$T> = (-19..20).map(|k| k as $T / 20.0).collect();
        let from_one: Vec<$T> = x.iter().map(|x| x.abs() + 1.0).collect();
        let reversed: Vec<$T> = x.iter().rev().map(|x| x * 0.7 + 0.1).collect();
        vec![
            unary(&ROUNDING, &edges, 0, &[$T::floor, $T::ceil, $T::round, $T::trunc, $T::abs]),
            Case::of(&SELECTION)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, $T::min))
                .output(&zip(&a, &b, $T::max))
                // Either zero may be the less: any tolerance takes the two for equal.
                .ulps(1)
                .items([a.len()]),
            Case::of(&SIGN).input(&a).input(&b).output(&zip(&a, &b, $T::copysign)).items([a.len()]),
            Case::of(&CLASSES)
                .input(&edges)
                .output(&map(&edges, $T::is_nan))
                .output(&map(&edges, $T::is_infinite))
                .output(&map(&edges, $T::is_finite))
                .output(&map(&edges, $T::is_sign_negative))
                .items([edges.len()]),
            Case::of(&FUSED)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| a.mul_add(b, a)))
                .items([a.len()]),
            unary(&SQUARE_ROOT, &edges, 0, &[$T::sqrt]),
            unary(&EXPONENTIALS, &x, 5, &[$T::exp, $T::exp2, $T::exp_m1]),
            unary(&EXPONENTIALS, &edges, 5, &[$T::exp, $T::exp2, $T::exp_m1]).label("edges"),
            unary(&LOGARITHMS, &positive, 4, &[$T::ln, $T::log2, $T::log10, $T::ln_1p]),
            unary(&LOGARITHMS, &edges, 4, &[$T::ln, $T::log2, $T::log10, $T::ln_1p]).label("edges"),
            unary(&TRIGONOMETRY, &x, 6, &[$T::sin, $T::cos, $T::tan]),
            unary(&TRIGONOMETRY, &edges, 6, &[$T::sin, $T::cos, $T::tan]).label("edges"),
            unary(&ARC_FUNCTIONS, &unit, 6, &[$T::asin, $T::acos, $T::atan]),
            unary(&ARC_FUNCTIONS, &edges, 6, &[$T::asin, $T::acos, $T::atan]).label("edges"),
            unary(&HYPERBOLIC, &x, 6, &[$T::sinh, $T::cosh, $T::tanh]),
            unary(&HYPERBOLIC, &edges, 6, &[$T::sinh, $T::cosh, $T::tanh]).label("edges"),
            Case::of(&AREA_FUNCTIONS)
                .input(&open_unit)
                .output(&map(&open_unit, precise(f64::asinh)))
                .output(&map(&open_unit, |_| $T::NAN))
                .output(&map(&open_unit, precise(f64::atanh)))
                .ulps(6)
                .items([open_unit.len()])
                .label("inside the unit interval"),
            Case::of(&AREA_FUNCTIONS)
                .input(&from_one[..40])
                .output(&map(&from_one[..40], precise(f64::asinh)))
                .output(&map(&from_one[..40], precise(f64::acosh)))
                .output(&map(&from_one[..40], |_| $T::NAN))
                .ulps(6)
                .items([40])
                .label("from one"),
            Case::of(&ROOTS_AND_POWERS)
                .input(&positive)
                .input(&reversed)
                .output(&map(&positive, $T::cbrt))
                .output(&zip(&positive, &reversed, $T::powf))
                .ulps(17)
                .items([x.len()]),
            Case::of(&ROOTS_AND_POWERS)
                .input(&a)
                .input(&b)
                .output(&map(&a, $T::cbrt))
                .output(&zip(&a, &b, $T::powf))
                .ulps(17)
                .items([a.len()])
                .label("edges"),
            Case::of(&ANGLE_AND_DISTANCE)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, $T::atan2))
                .output(&zip(&a, &b, $T::hypot))
                .ulps(7)
                .items([a.len()])
                .label("edges"),
            Case::of(&INTEGER_POWER)
                .input(&x)
                .scalar(-3)
                .output(&map(&x, |x| x.powi(-3)))
                .ulps(17)
                .items([x.len()]),
            Case::of(&KNOWN_POWERS)
                .input(&x)
                .output(&map(&x, |x| [0, 1, 2, -1, 3, -7, 32, -32, 2].map(|n| products(x, n))))
                .items([x.len()]),
            Case::of(&ANGLE_AND_DISTANCE)
                .input(&x)
                .input(&reversed)
                .output(&zip(&x, &reversed, $T::atan2))
                .output(&zip(&x, &reversed, $T::hypot))
                .ulps(7)
                .items([x.len()]),
        ]
    }
}
