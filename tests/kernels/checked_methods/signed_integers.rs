//! Those of the signed integers.

use super::super::case::Case;
use super::super::edge::{Edge, map, pairs, zip};
use super::super::for_types::for_types;
use super::{of_two, outputs, put};
use kernel_runtime::prelude::*;

for_types! { |$T| in [on_i8: i8, on_i16: i16, on_i32: i32, on_i64: i64, on_isize: isize]

    #[kernel]
    pub fn of_one(
        a: &[$T], absolute: &mut [$T], has_absolute: &mut [bool], root: &mut [$T], has_root: &mut [bool],
    ) {
        let i = global_id(0);
        put(a[i].checked_abs(), 0, &mut absolute[i], &mut has_absolute[i]);
        put(a[i].checked_isqrt(), 0, &mut root[i], &mut has_root[i]);
    }

    #[kernel]
    pub fn with_unsigned(
        a: &[$T], b: &[$T],
        sum: &mut [$T], has_sum: &mut [bool], difference: &mut [$T], has_difference: &mut [bool],
    ) {
        let i = global_id(0);
        put(a[i].checked_add_unsigned(b[i].cast_unsigned()), 0, &mut sum[i], &mut has_sum[i]);
        put(a[i].checked_sub_unsigned(b[i].cast_unsigned()), 0, &mut difference[i], &mut has_difference[i]);
    }

    pub fn cases() -> Vec<Case> {
        let edges = $T::edges();
        let (a, b) = pairs::<$T>();
        let case = Case::of(&OF_ONE).input(&edges).items([edges.len()]);
        let case = outputs(case, &map(&edges, $T::checked_abs));
        let of_one = outputs(case, &map(&edges, $T::checked_isqrt));
        let case = of_two(&WITH_UNSIGNED, &a, &b);
        let case = outputs(case, &zip(&a, &b, |a, b| a.checked_add_unsigned(b.cast_unsigned())));
        let with_unsigned = outputs(case, &zip(&a, &b, |a, b| a.checked_sub_unsigned(b.cast_unsigned())));
        vec![of_one, with_unsigned]
    }
}
