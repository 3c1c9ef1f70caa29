//! Those of the unsigned integers.

use super::super::case::{Case, ExpectedFault};
use super::super::edge::{pairs, zip};
use super::super::for_types::for_types;
use super::without;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

for_types! { |$T| in [on_u8: u8, on_u16: u16, on_u32: u32, on_u64: u64, on_usize: usize]

    #[kernel]
    pub fn mixed(a: &[$T], b: &[$T], sum: &mut [$T], difference: &mut [$T]) {
        let i = global_id(0);
        sum[i] = a[i].strict_add_signed(b[i].cast_signed());
        difference[i] = a[i].strict_sub_signed(b[i].cast_signed());
    }

    pub fn cases() -> Vec<Case> {
        let (a, b) = pairs::<$T>();
        let fits = |a: $T, b: $T| {
            let b = b.cast_signed();
            a.checked_add_signed(b).and(a.checked_sub_signed(b))
        };
        let (c, d): (Vec<$T>, Vec<$T>) =
            a.iter().zip(&b).map(|(&a, &b)| (a, b)).filter(|&(a, b)| fits(a, b).is_some()).unzip();
        let sums = |a: &[$T], b: &[$T]| {
            Case::of(&MIXED)
                .input(a)
                .input(b)
                .output(&zip(a, b, |a, b| a.wrapping_add_signed(b.cast_signed())))
                .output(&zip(a, b, |a, b| a.wrapping_sub_signed(b.cast_signed())))
                .items([a.len()])
        };
        // The sum with 1, if there is one, comes before the difference, which there is not.
        let overflowing = |a: $T, sum: Option<$T>, kind| {
            let case = Case::of(&MIXED).input(&[a]).input(&[1 as $T]).output(&[sum.unwrap_or(0)]);
            let case = case.unwritten(without(&[sum])).output(&[0 as $T]).unwritten([0]);
            case.faults(ExpectedFault::new(kind))
        };
        vec![
            sums(&c, &d),
            overflowing($T::MAX, None, FaultKind::AdditionOverflow),
            overflowing(0, Some(1), FaultKind::SubtractionOverflow),
        ]
    }
}
