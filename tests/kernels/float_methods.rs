//! The methods of the floating-point types that are made of operators, comparisons and bits: nearly all agree with the host exactly.

use super::case::Case;
use super::edge::{Edge, map, pairs, zip};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$T| in [on_f32: f32, on_f64: f64]

    #[kernel]
    pub fn parts(x: &[$T], sign: &mut [$T], fraction: &mut [$T], rounded: &mut [$T], inverse: &mut [$T]) {
        let i = global_id(0);
        sign[i] = x[i].signum();
        fraction[i] = x[i].fract();
        rounded[i] = x[i].round_ties_even();
        inverse[i] = x[i].recip();
    }

    #[kernel]
    pub fn classes(x: &[$T], normal: &mut [bool], subnormal: &mut [bool], positive: &mut [bool]) {
        let i = global_id(0);
        normal[i] = x[i].is_normal();
        subnormal[i] = x[i].is_subnormal();
        positive[i] = x[i].is_sign_positive();
    }

    #[kernel]
    pub fn bits(x: &[$T], bits: &mut [u64], same: &mut [$T]) {
        let i = global_id(0);
        bits[i] = x[i].to_bits() as u64;
        same[i] = $T::from_bits(x[i].to_bits() ^ 1);
    }

    #[kernel]
    pub fn neighbours(x: &[$T], up: &mut [$T], down: &mut [$T]) {
        let i = global_id(0);
        up[i] = x[i].next_up();
        down[i] = x[i].next_down();
    }

    #[kernel]
    pub fn middle(a: &[$T], b: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i].midpoint(b[i]);
    }

    #[kernel]
    pub fn angles(x: &[$T], degrees: &mut [$T], radians: &mut [$T]) {
        let i = global_id(0);
        degrees[i] = x[i].to_degrees();
        radians[i] = x[i].to_radians();
    }

    #[kernel]
    pub fn euclid(a: &[$T], b: &[$T], quotient: &mut [$T], remainder: &mut [$T]) {
        let i = global_id(0);
        quotient[i] = a[i].div_euclid(b[i]);
        remainder[i] = a[i].rem_euclid(b[i]);
    }

    #[kernel]
    pub fn logarithm(a: &[$T], b: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i].log(b[i]);
    }

    #[kernel]
    pub fn sine_and_cosine(x: &[$T], sine: &mut [$T], cosine: &mut [$T]) {
        let i = global_id(0);
        (sine[i], cosine[i]) = x[i].sin_cos();
    }

    fn divides_subnormal(a: $T, b: $T) -> bool {
        a.abs() == b.abs() && a.is_subnormal()
    }

    pub fn cases() -> Vec<Case> {
        let edges: Vec<$T> = $T::edges().into_iter().chain([$T::MIN_POSITIVE.next_down(), -$T::MIN_POSITIVE.next_down()]).collect();
        let (a, b) = pairs::<$T>();
        let euclid = |label: &'static str, chosen: fn($T, $T) -> bool| {
            let pairs = a.iter().copied().zip(b.iter().copied());
            let (a, b): (Vec<$T>, Vec<$T>) = pairs.filter(|&(a, b)| chosen(a, b)).unzip();
            Case::of(&EUCLID)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, $T::div_euclid))
                .output(&zip(&a, &b, $T::rem_euclid))
                .items([a.len()])
                .label(label)
        };
        let numbers: Vec<$T> = (1..60).map(|k| k as $T * 0.37).collect();
        let bases: Vec<$T> = (1..60).map(|k| (60 - k) as $T * 0.81 + 1.2).collect();
        vec![
            Case::of(&PARTS)
                .input(&edges)
                .output(&map(&edges, $T::signum))
                .output(&map(&edges, $T::fract))
                .output(&map(&edges, $T::round_ties_even))
                .output(&map(&edges, $T::recip))
                .items([edges.len()]),
            Case::of(&CLASSES)
                .input(&edges)
                .output(&map(&edges, $T::is_normal))
                .output(&map(&edges, $T::is_subnormal))
                .output(&map(&edges, $T::is_sign_positive))
                .items([edges.len()]),
            Case::of(&BITS)
                .input(&edges)
                .output(&map(&edges, |x| x.to_bits() as u64))
                .output(&map(&edges, |x| $T::from_bits(x.to_bits() ^ 1)))
                .items([edges.len()]),
            Case::of(&NEIGHBOURS)
                .input(&edges)
                .output(&map(&edges, $T::next_up))
                .output(&map(&edges, $T::next_down))
                .items([edges.len()]),
            Case::of(&MIDDLE).input(&a).input(&b).output(&zip(&a, &b, $T::midpoint)).items([a.len()]),
            Case::of(&ANGLES)
                .input(&edges)
                .output(&map(&edges, $T::to_degrees))
                .output(&map(&edges, $T::to_radians))
                .items([edges.len()]),
            euclid("", |a, b| !divides_subnormal(a, b)),
            euclid("subnormal divided by itself", divides_subnormal)
                .wrong_on_intel_opencl("get fmod(x, x) = x for some subnormal x, from OpenCL C too"),
            // The quotient of two logarithms, each of which may be 3 units off.
            Case::of(&LOGARITHM)
                .input(&numbers)
                .input(&bases)
                .output(&zip(&numbers, &bases, $T::log))
                .ulps(8)
                .items([numbers.len()]),
            Case::of(&SINE_AND_COSINE)
                .input(&edges)
                .output(&map(&edges, $T::sin))
                .output(&map(&edges, $T::cos))
                .ulps(5)
                .items([edges.len()]),
        ]
    }
}
