//! The methods that all integer types have.

use super::case::Case;
use super::edge::{map, pairs, pairs_where, zip};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$T| in [
        on_i8: i8, on_i16: i16, on_i32: i32, on_i64: i64, on_isize: isize,
        on_u8: u8, on_u16: u16, on_u32: u32, on_u64: u64, on_usize: usize,
    ]

    #[kernel]
    pub fn sums(a: &[$T], b: &[$T], sum: &mut [$T], difference: &mut [$T], least: &mut [$T], greatest: &mut [$T]) {
        let i = global_id(0);
        sum[i] = a[i].saturating_add(b[i]);
        difference[i] = a[i].saturating_sub(b[i]);
        least[i] = a[i].min(b[i]);
        greatest[i] = a[i].max(b[i]);
    }

    #[kernel]
    pub fn euclid(a: &[$T], b: &[$T], quotient: &mut [$T], remainder: &mut [$T]) {
        let i = global_id(0);
        quotient[i] = a[i].div_euclid(b[i]);
        remainder[i] = a[i].rem_euclid(b[i]);
    }

    #[kernel]
    pub fn rotations(a: &[$T], count: &[u32], left: &mut [$T], right: &mut [$T]) {
        let i = global_id(0);
        left[i] = a[i].rotate_left(count[i]);
        right[i] = a[i].rotate_right(count[i]);
    }

    #[kernel]
    pub fn counts(a: &[$T], ones: &mut [u32], zeros: &mut [u32], leading: &mut [u32], trailing: &mut [u32]) {
        let i = global_id(0);
        ones[i] = a[i].count_ones();
        zeros[i] = a[i].count_zeros();
        leading[i] = a[i].leading_zeros() * 100 + a[i].leading_ones();
        trailing[i] = a[i].trailing_zeros() * 100 + a[i].trailing_ones();
    }

    pub fn cases() -> Vec<Case> {
        let (a, b) = pairs::<$T>();
        let (c, d) = pairs_where::<$T>(|a, b| a.checked_div(b).is_some());
        let shifts = |count: u32| a.iter().map(|_| count).collect::<Vec<_>>();
        let mut cases = vec![
            Case::of(&SUMS)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| a.saturating_add(b)))
                .output(&zip(&a, &b, |a, b| a.saturating_sub(b)))
                .output(&zip(&a, &b, |a, b| a.min(b)))
                .output(&zip(&a, &b, |a, b| a.max(b)))
                .items([a.len()]),
            Case::of(&EUCLID)
                .input(&c)
                .input(&d)
                .output(&zip(&c, &d, |a, b| a.div_euclid(b)))
                .output(&zip(&c, &d, |a, b| a.rem_euclid(b)))
                .items([c.len()]),
            Case::of(&COUNTS)
                .input(&a)
                .output(&map(&a, |a| a.count_ones()))
                .output(&map(&a, |a| a.count_zeros()))
                .output(&map(&a, |a| a.leading_zeros() * 100 + a.leading_ones()))
                .output(&map(&a, |a| a.trailing_zeros() * 100 + a.trailing_ones()))
                .items([a.len()]),
        ];
        for count in [0, 1, 7, <$T>::BITS - 1, <$T>::BITS, 1000] {
            cases.push(
                Case::of(&ROTATIONS)
                    .input(&a)
                    .input(&shifts(count))
                    .output(&map(&a, |a| a.rotate_left(count)))
                    .output(&map(&a, |a| a.rotate_right(count)))
                    .items([a.len()])
                    .label(format!("by {count}")),
            );
        }
        cases
    }
}
