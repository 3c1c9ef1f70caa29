//! Those of all integers.

use super::super::case::{Case, ExpectedFault};
use super::super::edge::{Edge, cross, map, pairs, zip};
use super::super::for_types::for_types;
use super::{faulting, without};
use kernel_core::{FaultKind, KernelDescriptor};
use kernel_runtime::prelude::*;

for_types! { |$T| in [
        on_i8: i8, on_i16: i16, on_i32: i32, on_i64: i64, on_isize: isize,
        on_u8: u8, on_u16: u16, on_u32: u32, on_u64: u64, on_usize: usize,
    ]

    #[kernel]
    pub fn add(a: &[$T], b: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i].strict_add(b[i]);
    }

    #[kernel]
    pub fn sub(a: &[$T], b: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i].strict_sub(b[i]);
    }

    #[kernel]
    pub fn mul(a: &[$T], b: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i].strict_mul(b[i]);
    }

    #[kernel]
    pub fn pow(a: &[$T], exponent: &[u32], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i].strict_pow(exponent[i]);
    }

    #[kernel]
    pub fn shl(a: &[$T], count: &[u32], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i].strict_shl(count[i]);
    }

    #[kernel]
    pub fn shr(a: &[$T], count: &[u32], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i].strict_shr(count[i]);
    }

    #[kernel]
    pub fn neg(a: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i].strict_neg();
    }

    #[kernel]
    pub fn divisions(
        a: &[$T], b: &[$T], quotient: &mut [$T], remainder: &mut [$T], floor: &mut [$T], modulus: &mut [$T],
    ) {
        let i = global_id(0);
        quotient[i] = a[i].strict_div(b[i]);
        remainder[i] = a[i].strict_rem(b[i]);
        floor[i] = a[i].strict_div_euclid(b[i]);
        modulus[i] = a[i].strict_rem_euclid(b[i]);
    }

    #[kernel]
    pub fn root(a: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i].isqrt();
    }

    #[kernel]
    pub fn logarithms(a: &[$T], binary: &mut [u32], decimal: &mut [u32]) {
        let i = global_id(0);
        binary[i] = a[i].ilog2();
        decimal[i] = a[i].ilog10();
    }

    #[kernel]
    pub fn logarithm(a: &[$T], base: &[$T], result: &mut [u32]) {
        let i = global_id(0);
        result[i] = a[i].ilog(base[i]);
    }

    #[kernel]
    pub fn clamp(a: &[$T], low: &[$T], high: $T, result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i].clamp(low[i], high).clamp(0, $T::MAX);
    }

    /// A function of two rows that faults where it has no result.
    fn of_two<B: kernel_core::Element + bytemuck::NoUninit>(
        kernel: &'static KernelDescriptor,
        (a, b): (&[$T], &[B]),
        kind: FaultKind,
        exact: fn($T, B) -> Option<$T>,
    ) -> Case {
        let results = zip(a, b, exact);
        let output: Vec<$T> = results.iter().map(|result| result.unwrap_or(0)).collect();
        let case = Case::of(kernel).input(a).input(b).output(&output).items([a.len()]);
        faulting(case, kind, &results)
    }

    fn clamp_case(a: &[$T], low: &[$T], high: $T) -> Case {
        let order = |low: $T| (low <= high).then_some(());
        let result = |a: $T, low: $T| a.max(low).min(high).max(0);
        let case = Case::of(&CLAMP).input(a).input(low).scalar(high).output(&zip(a, low, result)).items([a.len()]);
        faulting(case, FaultKind::ClampOrder, &map(low, order)).label(format!("to {high}"))
    }

    fn root_case(a: &[$T]) -> Case {
        let root = |a: $T| ((a as i128) >= 0).then_some(()).map(|()| a.isqrt());
        let defined: Vec<$T> = a.iter().copied().filter(|&a| root(a).is_some()).collect();
        Case::of(&ROOT)
            .input(&defined)
            .output(&map(&defined, $T::isqrt))
            .items([defined.len()])
    }

    pub fn cases() -> Vec<Case> {
        let edges = $T::edges();
        let (a, b) = pairs::<$T>();
        let (base, exponent) = cross(&edges, &[0, 1, 2, 3, 7, 8, 31, 64]);
        let (shifted, count) = cross(&edges, &[0, 1, <$T>::BITS - 1, <$T>::BITS, 1000]);
        let pairs = (&a[..], &b[..]);
        let divisible: Vec<($T, $T)> =
            a.iter().zip(&b).map(|(&a, &b)| (a, b)).filter(|&(a, b)| a.checked_div(b).is_some()).collect();
        let (c, d): (Vec<$T>, Vec<$T>) = divisible.into_iter().unzip();
        let powers: Vec<$T> = std::iter::successors(Some(10 as $T), |power| power.checked_mul(10))
            .flat_map(|power| [power - 1, power, power + 1])
            .chain(edges.iter().copied())
            .collect();
        let (e, bases) = cross(&powers, &[0, 1, 2, 3, 10, 100, $T::MAX - 1, $T::MAX]);
        let (positive, of_positive): (Vec<$T>, Vec<$T>) =
            e.iter().zip(&bases).map(|(&a, &b)| (a, b)).filter(|&(a, b)| a.checked_ilog(b).is_some()).unzip();
        let neg = Case::of(&NEG).input(&edges).output(&map(&edges, $T::wrapping_neg)).items([edges.len()]);
        let logarithms = Case::of(&LOGARITHMS)
            .input(&powers)
            .output(&map(&powers, |a| a.checked_ilog2().unwrap_or(0)))
            .unwritten(without(&map(&powers, $T::checked_ilog2)))
            .output(&map(&powers, |a| a.checked_ilog10().unwrap_or(0)))
            .items([powers.len()]);
        vec![
            of_two(&ADD, pairs, FaultKind::AdditionOverflow, $T::checked_add),
            of_two(&SUB, pairs, FaultKind::SubtractionOverflow, $T::checked_sub),
            of_two(&MUL, pairs, FaultKind::MultiplicationOverflow, $T::checked_mul),
            of_two(
                &POW,
                (&base, &exponent),
                FaultKind::MultiplicationOverflow,
                $T::checked_pow,
            ),
            of_two(&SHL, (&shifted, &count), FaultKind::LeftShiftOverflow, $T::checked_shl),
            of_two(&SHR, (&shifted, &count), FaultKind::RightShiftOverflow, $T::checked_shr),
            faulting(neg, FaultKind::NegationOverflow, &map(&edges, $T::checked_neg)),
            Case::of(&DIVISIONS)
                .input(&c)
                .input(&d)
                .output(&zip(&c, &d, $T::strict_div))
                .output(&zip(&c, &d, $T::strict_rem))
                .output(&zip(&c, &d, $T::strict_div_euclid))
                .output(&zip(&c, &d, $T::strict_rem_euclid))
                .items([c.len()]),
            root_case(&powers),
            faulting(logarithms, FaultKind::LogarithmOfNonPositive, &map(&powers, $T::checked_ilog2)),
            Case::of(&LOGARITHM)
                .input(&positive)
                .input(&of_positive)
                .output(&zip(&positive, &of_positive, $T::ilog))
                .items([positive.len()]),
            Case::of(&LOGARITHM)
                .input(&edges)
                .input(&map(&edges, |_| 1 as $T))
                .output(&map(&edges, |_| 0_u32))
                .unwritten(0..edges.len())
                .items([edges.len()])
                .faults(ExpectedFault::new(FaultKind::LogarithmBase).count(edges.len() as u32))
                .label("to the base 1"),
            clamp_case(&a, &b, 7),
            clamp_case(&a, &b, $T::MAX),
        ]
    }
}
