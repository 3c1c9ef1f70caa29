//! Unary `-`, and the methods that panic where the code that calls them has overflow checked.

use super::super::case::Case;
use super::super::edge::{Edge, cross, map, zip};
use super::wrapping;
use kernel_core::FaultKind;

/// Of the signed integers.
pub mod signed {
    use super::super::super::case::ExpectedFault;
    use super::super::super::for_types::for_types;
    use super::{Case, Edge, FaultKind, map, wrapping};
    use kernel_runtime::prelude::*;

    for_types! { |$T| in [on_i8: i8, on_i16: i16, on_i32: i32, on_i64: i64, on_isize: isize]

        #[kernel(overflow = "check")]
        pub fn neg(a: &[$T], result: &mut [$T]) {
            let i = global_id(0);
            result[i] = -a[i];
        }

        #[kernel(overflow = "check")]
        pub fn abs(a: &[$T], result: &mut [$T]) {
            let i = global_id(0);
            result[i] = a[i].abs();
        }

        /// The digits of the least number fit with their sign only.
        #[kernel(overflow = "check")]
        pub fn least(result: &mut [$T]) {
            result[global_id(0)] = $T::MIN;
        }

        pub fn cases() -> Vec<Case> {
            let edges = $T::edges();
            let negated = Case::of(&NEG).input(&edges);
            let fault = ExpectedFault::new(FaultKind::NegationOverflow);
            vec![
                wrapping(negated, FaultKind::NegationOverflow, &map(&edges, $T::overflowing_neg)),
                wrapping(Case::of(&ABS).input(&edges), FaultKind::NegationOverflow, &map(&edges, $T::overflowing_abs)),
                Case::of(&NEG)
                    .input(&[$T::MIN])
                    .output(&[$T::MIN])
                    .unwritten([0])
                    .items([1])
                    .faults(fault.values([$T::MIN as i64 as u64, 0]).at("-a[i]"))
                    .label("operand"),
                Case::of(&LEAST).output(&[$T::MIN]).items([1]),
            ]
        }
    }
}

/// Of the unsigned integers.
pub mod unsigned {
    use super::super::super::for_types::for_types;
    use super::{Case, Edge, FaultKind, cross, map, wrapping, zip};
    use kernel_runtime::prelude::*;

    for_types! { |$T| in [on_u8: u8, on_u16: u16, on_u32: u32, on_u64: u64, on_usize: usize]

        #[kernel(overflow = "check")]
        pub fn next_power_of_two(a: &[$T], result: &mut [$T]) {
            let i = global_id(0);
            result[i] = a[i].next_power_of_two();
        }

        #[kernel(overflow = "check")]
        pub fn next_multiple_of(a: &[$T], b: &[$T], result: &mut [$T]) {
            let i = global_id(0);
            result[i] = a[i].next_multiple_of(b[i]);
        }

        fn next_multiple(a: $T, b: $T) -> ($T, bool) {
            let rest = a % b;
            if rest == 0 { (a, false) } else { a.overflowing_add(b - rest) }
        }

        pub fn cases() -> Vec<Case> {
            let edges = $T::edges();
            let power = |a: $T| (a.checked_next_power_of_two().unwrap_or(0), a.checked_next_power_of_two().is_none());
            let (a, b) = cross(&edges, &[1, 2, 10, $T::MAX / 2, $T::MAX]);
            vec![
                wrapping(Case::of(&NEXT_POWER_OF_TWO).input(&edges), FaultKind::AdditionOverflow, &map(&edges, power)),
                wrapping(
                    Case::of(&NEXT_MULTIPLE_OF).input(&a).input(&b),
                    FaultKind::AdditionOverflow,
                    &zip(&a, &b, next_multiple),
                ),
            ]
        }
    }
}

/// Of all integers.
pub mod powers {
    use super::super::super::for_types::for_types;
    use super::{Case, Edge, FaultKind, cross, wrapping, zip};
    use kernel_runtime::prelude::*;

    for_types! { |$T| in [
            on_i8: i8, on_i16: i16, on_i32: i32, on_i64: i64, on_isize: isize,
            on_u8: u8, on_u16: u16, on_u32: u32, on_u64: u64, on_usize: usize,
        ]

        #[kernel(overflow = "check")]
        pub fn pow(a: &[$T], exponent: &[u32], result: &mut [$T]) {
            let i = global_id(0);
            result[i] = a[i].pow(exponent[i]);
        }

        #[kernel(overflow = "check")]
        pub fn cube(a: &[$T], result: &mut [$T]) {
            let i = global_id(0);
            result[i] = a[i].pow(3);
        }

        pub fn cases() -> Vec<Case> {
            let edges = $T::edges();
            let (base, exponent) = cross(&edges, &[0, 1, 2, 3, 7, 8, 31, 64]);
            let powers = zip(&base, &exponent, $T::overflowing_pow);
            let cubes: Vec<_> = edges.iter().map(|a| a.overflowing_pow(3)).collect();
            let fault = FaultKind::MultiplicationOverflow;
            vec![
                wrapping(Case::of(&POW).input(&base).input(&exponent), fault, &powers),
                wrapping(Case::of(&CUBE).input(&edges), fault, &cubes),
            ]
        }
    }
}

/// All cases of this file.
pub fn cases() -> Vec<Case> {
    [signed::cases(), unsigned::cases(), powers::cases()].into_iter().flatten().collect()
}
