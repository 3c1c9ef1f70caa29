//! Those of the unsigned integers.

use super::super::case::Case;
use super::super::edge::{map, pairs, zip};
use super::super::for_types::for_types;
use super::{of_two, outputs, put};
use kernel_runtime::prelude::*;

for_types! { |$T| in [on_u8: u8, on_u16: u16, on_u32: u32, on_u64: u64, on_usize: usize]

    #[kernel]
    pub fn with_signed(
        a: &[$T], b: &[$T],
        sum: &mut [$T], has_sum: &mut [bool], difference: &mut [$T], has_difference: &mut [bool],
    ) {
        let i = global_id(0);
        put(a[i].checked_add_signed(b[i].cast_signed()), 0, &mut sum[i], &mut has_sum[i]);
        put(a[i].checked_sub_signed(b[i].cast_signed()), 0, &mut difference[i], &mut has_difference[i]);
    }

    #[kernel]
    pub fn signed_difference(a: &[$T], b: &[$T], difference: &mut [i64], has_difference: &mut [bool]) {
        let i = global_id(0);
        difference[i] = 0;
        has_difference[i] = false;
        if let Some(found) = a[i].checked_signed_diff(b[i]) {
            difference[i] = found as i64;
            has_difference[i] = true;
        }
    }

    #[kernel]
    pub fn next(
        a: &[$T], b: &[$T],
        power: &mut [$T], has_power: &mut [bool], multiple: &mut [$T], has_multiple: &mut [bool],
    ) {
        let i = global_id(0);
        put(a[i].checked_next_power_of_two(), 0, &mut power[i], &mut has_power[i]);
        put(a[i].checked_next_multiple_of(b[i]), 0, &mut multiple[i], &mut has_multiple[i]);
    }

    pub fn cases() -> Vec<Case> {
        let (a, b) = pairs::<$T>();
        let case = of_two(&WITH_SIGNED, &a, &b);
        let case = outputs(case, &zip(&a, &b, |a, b| a.checked_add_signed(b.cast_signed())));
        let with_signed = outputs(case, &zip(&a, &b, |a, b| a.checked_sub_signed(b.cast_signed())));
        let difference = |a: $T, b: $T| a.checked_signed_diff(b).map(|difference| difference as i64);
        let signed_difference = outputs(of_two(&SIGNED_DIFFERENCE, &a, &b), &zip(&a, &b, difference));
        let case = outputs(of_two(&NEXT, &a, &b), &map(&a, $T::checked_next_power_of_two));
        let next = outputs(case, &zip(&a, &b, $T::checked_next_multiple_of));
        vec![with_signed, signed_difference, next]
    }
}
