//! Those of all integers.

use super::super::case::Case;
use super::super::edge::{Edge, cross, map, pairs, zip};
use super::super::for_types::for_types;
use super::{of_two, outputs, put};
use kernel_runtime::prelude::*;

for_types! { |$T| in [
        on_i8: i8, on_i16: i16, on_i32: i32, on_i64: i64, on_isize: isize,
        on_u8: u8, on_u16: u16, on_u32: u32, on_u64: u64, on_usize: usize,
    ]

    #[kernel]
    pub fn arithmetic(
        a: &[$T], b: &[$T],
        sum: &mut [$T], has_sum: &mut [bool],
        difference: &mut [$T], has_difference: &mut [bool],
        product: &mut [$T], has_product: &mut [bool],
    ) {
        let i = global_id(0);
        put(a[i].checked_add(b[i]), 0, &mut sum[i], &mut has_sum[i]);
        put(a[i].checked_sub(b[i]), 0, &mut difference[i], &mut has_difference[i]);
        put(a[i].checked_mul(b[i]), 0, &mut product[i], &mut has_product[i]);
    }

    #[kernel]
    pub fn division(
        a: &[$T], b: &[$T],
        quotient: &mut [$T], has_quotient: &mut [bool], remainder: &mut [$T], has_remainder: &mut [bool],
        floor: &mut [$T], has_floor: &mut [bool], modulus: &mut [$T], has_modulus: &mut [bool],
    ) {
        let i = global_id(0);
        put(a[i].checked_div(b[i]), 0, &mut quotient[i], &mut has_quotient[i]);
        put(a[i].checked_rem(b[i]), 0, &mut remainder[i], &mut has_remainder[i]);
        put(a[i].checked_div_euclid(b[i]), 0, &mut floor[i], &mut has_floor[i]);
        put(a[i].checked_rem_euclid(b[i]), 0, &mut modulus[i], &mut has_modulus[i]);
    }

    #[kernel]
    pub fn division_by_constants(
        a: &[$T], third: &mut [$T], has_third: &mut [bool], undefined: &mut [$T], has_undefined: &mut [bool],
    ) {
        let i = global_id(0);
        put(a[i].checked_div(3), 0, &mut third[i], &mut has_third[i]);
        put(a[i].checked_rem(0), 0, &mut undefined[i], &mut has_undefined[i]);
    }

    #[kernel]
    pub fn with_counts(
        a: &[$T], count: &[u32],
        power: &mut [$T], has_power: &mut [bool],
        left: &mut [$T], has_left: &mut [bool],
        right: &mut [$T], has_right: &mut [bool],
    ) {
        let i = global_id(0);
        put(a[i].checked_pow(count[i]), 0, &mut power[i], &mut has_power[i]);
        put(a[i].checked_shl(count[i]), 0, &mut left[i], &mut has_left[i]);
        put(a[i].checked_shr(count[i]), 0, &mut right[i], &mut has_right[i]);
    }

    #[kernel]
    pub fn of_one(
        a: &[$T],
        opposite: &mut [$T], has_opposite: &mut [bool],
        binary: &mut [u32], has_binary: &mut [bool],
        decimal: &mut [u32], has_decimal: &mut [bool],
    ) {
        let i = global_id(0);
        put(a[i].checked_neg(), 0, &mut opposite[i], &mut has_opposite[i]);
        put(a[i].checked_ilog2(), 0, &mut binary[i], &mut has_binary[i]);
        put(a[i].checked_ilog10(), 0, &mut decimal[i], &mut has_decimal[i]);
    }

    #[kernel]
    pub fn logarithm(a: &[$T], base: &[$T], result: &mut [u32], has_result: &mut [bool]) {
        let i = global_id(0);
        put(a[i].checked_ilog(base[i]), 0, &mut result[i], &mut has_result[i]);
    }

    pub fn cases() -> Vec<Case> {
        let edges = $T::edges();
        let (a, b) = pairs::<$T>();
        let (c, counts) = cross(&edges, &[0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 63, 64, 65, u32::MAX]);
        let case = of_two(&ARITHMETIC, &a, &b);
        let case = outputs(case, &zip(&a, &b, $T::checked_add));
        let case = outputs(case, &zip(&a, &b, $T::checked_sub));
        let arithmetic = outputs(case, &zip(&a, &b, $T::checked_mul));
        let case = of_two(&DIVISION, &a, &b);
        let case = outputs(case, &zip(&a, &b, $T::checked_div));
        let case = outputs(case, &zip(&a, &b, $T::checked_rem));
        let case = outputs(case, &zip(&a, &b, $T::checked_div_euclid));
        let division = outputs(case, &zip(&a, &b, $T::checked_rem_euclid));
        let case = Case::of(&DIVISION_BY_CONSTANTS).input(&edges).items([edges.len()]);
        let case = outputs(case, &map(&edges, |a| a.checked_div(3)));
        let by_constants = outputs(case, &map(&edges, |_| None::<$T>));
        let case = of_two(&WITH_COUNTS, &c, &counts);
        let case = outputs(case, &zip(&c, &counts, $T::checked_pow));
        let case = outputs(case, &zip(&c, &counts, $T::checked_shl));
        let with_counts = outputs(case, &zip(&c, &counts, $T::checked_shr));
        let case = Case::of(&OF_ONE).input(&edges).items([edges.len()]);
        let case = outputs(case, &map(&edges, $T::checked_neg));
        let case = outputs(case, &map(&edges, $T::checked_ilog2));
        let of_one = outputs(case, &map(&edges, $T::checked_ilog10));
        let logarithm = outputs(of_two(&LOGARITHM, &a, &b), &zip(&a, &b, $T::checked_ilog));
        vec![arithmetic, division, by_constants, with_counts, of_one, logarithm]
    }
}
