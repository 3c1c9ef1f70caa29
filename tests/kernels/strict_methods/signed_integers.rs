//! Those of the signed integers.

use super::super::case::{Case, ExpectedFault};
use super::super::edge::{Edge, map, pairs, zip};
use super::super::for_types::for_types;
use super::{faulting, without};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

for_types! { |$T| in [on_i8: i8, on_i16: i16, on_i32: i32, on_i64: i64, on_isize: isize]

    #[kernel]
    pub fn abs(a: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i].strict_abs();
    }

    #[kernel]
    pub fn mixed(a: &[$T], b: &[$T], sum: &mut [$T], difference: &mut [$T]) {
        let i = global_id(0);
        sum[i] = a[i].strict_add_unsigned(b[i].cast_unsigned());
        difference[i] = a[i].strict_sub_unsigned(b[i].cast_unsigned());
    }

    #[kernel]
    pub fn root_of_negative(a: $T, result: &mut [$T]) {
        result[global_id(0)] = a.isqrt();
    }

    pub fn cases() -> Vec<Case> {
        let edges = $T::edges();
        let (a, b) = pairs::<$T>();
        let fits = |a: $T, b: $T| {
            let b = b.cast_unsigned();
            a.checked_add_unsigned(b).and(a.checked_sub_unsigned(b))
        };
        let (c, d): (Vec<$T>, Vec<$T>) =
            a.iter().zip(&b).map(|(&a, &b)| (a, b)).filter(|&(a, b)| fits(a, b).is_some()).unzip();
        let abs = Case::of(&ABS).input(&edges).output(&map(&edges, $T::wrapping_abs)).items([edges.len()]);
        let sums = |a: &[$T], b: &[$T]| {
            Case::of(&MIXED)
                .input(a)
                .input(b)
                .output(&zip(a, b, |a, b| a.wrapping_add_unsigned(b.cast_unsigned())))
                .output(&zip(a, b, |a, b| a.wrapping_sub_unsigned(b.cast_unsigned())))
                .items([a.len()])
        };
        // The sum with 1, if there is one, comes before the difference, which there is not.
        let overflowing = |a: $T, sum: Option<$T>, kind| {
            let case = Case::of(&MIXED).input(&[a]).input(&[1 as $T]).output(&[sum.unwrap_or(0)]);
            let case = case.unwritten(without(&[sum])).output(&[0 as $T]).unwritten([0]);
            case.faults(ExpectedFault::new(kind))
        };
        vec![
            faulting(abs, FaultKind::NegationOverflow, &map(&edges, $T::checked_abs)),
            sums(&c, &d),
            overflowing($T::MAX, None, FaultKind::AdditionOverflow),
            overflowing($T::MIN, Some($T::MIN + 1), FaultKind::SubtractionOverflow),
            Case::of(&ROOT_OF_NEGATIVE)
                .scalar(-1 as $T)
                .output(&[0 as $T])
                .unwritten([0])
                .faults(ExpectedFault::new(FaultKind::NegativeSquareRoot)),
        ]
    }
}
