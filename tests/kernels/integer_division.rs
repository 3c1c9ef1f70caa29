//! Division of integers by the methods that do not fault for `MIN / -1`.

use super::case::{Case, ExpectedFault};
use super::edge::{pairs, pairs_where, zip};
use super::for_types::for_types;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

for_types! { |$T| in [
        on_i8: i8, on_i16: i16, on_i32: i32, on_i64: i64, on_isize: isize,
        on_u8: u8, on_u16: u16, on_u32: u32, on_u64: u64, on_usize: usize,
    ]

    #[kernel]
    pub fn quotient(a: &[$T], b: &[$T], wrapped: &mut [$T], low: &mut [$T], overflows: &mut [bool], nearest: &mut [$T]) {
        let i = global_id(0);
        wrapped[i] = a[i].wrapping_div(b[i]);
        (low[i], overflows[i]) = a[i].overflowing_div(b[i]);
        nearest[i] = a[i].saturating_div(b[i]);
    }

    #[kernel]
    pub fn remainder(a: &[$T], b: &[$T], wrapped: &mut [$T], low: &mut [$T], overflows: &mut [bool]) {
        let i = global_id(0);
        wrapped[i] = a[i].wrapping_rem(b[i]);
        (low[i], overflows[i]) = a[i].overflowing_rem(b[i]);
    }

    #[kernel]
    pub fn euclidean_quotient(a: &[$T], b: &[$T], wrapped: &mut [$T], low: &mut [$T], overflows: &mut [bool]) {
        let i = global_id(0);
        wrapped[i] = a[i].wrapping_div_euclid(b[i]);
        (low[i], overflows[i]) = a[i].overflowing_div_euclid(b[i]);
    }

    #[kernel]
    pub fn euclidean_remainder(a: &[$T], b: &[$T], wrapped: &mut [$T], low: &mut [$T], overflows: &mut [bool]) {
        let i = global_id(0);
        wrapped[i] = a[i].wrapping_rem_euclid(b[i]);
        (low[i], overflows[i]) = a[i].overflowing_rem_euclid(b[i]);
    }

    #[kernel]
    pub fn by_constants(a: &[$T], third: &mut [$T], rest: &mut [$T], negated: &mut [$T], overflows: &mut [bool]) {
        let i = global_id(0);
        third[i] = a[i].wrapping_div(3);
        rest[i] = a[i].wrapping_rem_euclid(3);
        (negated[i], overflows[i]) = a[i].overflowing_div((0 as $T).wrapping_sub(1));
    }

    /// The two methods for a result of dividing one row by another.
    fn family(
        kernel: &'static kernel_core::KernelDescriptor,
        (a, b): (&[$T], &[$T]),
        wrapped: fn($T, $T) -> $T,
        overflowing: fn($T, $T) -> ($T, bool),
    ) -> Case {
        Case::of(kernel)
            .input(a)
            .input(b)
            .output(&zip(a, b, wrapped))
            .output(&zip(a, b, |a, b| overflowing(a, b).0))
            .output(&zip(a, b, |a, b| overflowing(a, b).1))
            .items([a.len()])
    }

    pub fn cases() -> Vec<Case> {
        let (a, b) = pairs_where::<$T>(|_, b| b != 0);
        let (c, zeros) = pairs_where::<$T>(|_, b| b == 0);
        let (edges, minus_ones) = pairs_where::<$T>(|_, b| b == (0 as $T).wrapping_sub(1));
        let nothing = vec![0 as $T; c.len()];
        let no = vec![false; c.len()];
        let zero = |kind| ExpectedFault::new(kind).count(c.len() as u32);
        assert!(!edges.is_empty() && a.len() < pairs::<$T>().0.len(), "both special divisors are edges");
        vec![
            family(&QUOTIENT, (&a, &b), $T::wrapping_div, $T::overflowing_div)
                .output(&zip(&a, &b, $T::saturating_div)),
            family(&REMAINDER, (&a, &b), $T::wrapping_rem, $T::overflowing_rem),
            family(&EUCLIDEAN_QUOTIENT, (&a, &b), $T::wrapping_div_euclid, $T::overflowing_div_euclid),
            family(&EUCLIDEAN_REMAINDER, (&a, &b), $T::wrapping_rem_euclid, $T::overflowing_rem_euclid),
            Case::of(&BY_CONSTANTS)
                .input(&edges)
                .output(&zip(&edges, &minus_ones, |a, _| a.wrapping_div(3)))
                .output(&zip(&edges, &minus_ones, |a, _| a.wrapping_rem_euclid(3)))
                .output(&zip(&edges, &minus_ones, $T::wrapping_div))
                .output(&zip(&edges, &minus_ones, |a, b| a.overflowing_div(b).1))
                .items([edges.len()]),
            Case::of(&REMAINDER)
                .input(&c)
                .input(&zeros)
                .output(&nothing)
                .unwritten(0..c.len())
                .output(&nothing)
                .unwritten(0..c.len())
                .output(&no)
                .unwritten(0..c.len())
                .items([c.len()])
                .faults(zero(FaultKind::RemainderByZero))
                .label("by zero"),
        ]
    }
}
