//! The methods of integers whose results the author vouches for, in `unsafe`: nothing is checked and nothing faults.
#![allow(clippy::undocumented_unsafe_blocks, reason = "the lint does not see the comments in a macro")]

use super::case::Case;
use super::edge::zip;
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$T| in [
        on_i8: i8, on_i16: i16, on_i32: i32, on_i64: i64, on_isize: isize,
        on_u8: u8, on_u16: u16, on_u32: u32, on_u64: u64, on_usize: usize,
    ]

    #[kernel]
    pub fn of_two(a: &[$T], b: &[$T], sum: &mut [$T], difference: &mut [$T], product: &mut [$T]) {
        let i = global_id(0);
        // SAFETY: every launch passes numbers whose sum, difference and product fit.
        unsafe {
            sum[i] = a[i].unchecked_add(b[i]);
            difference[i] = a[i].unchecked_sub(b[i]);
            product[i] = a[i].unchecked_mul(b[i]);
        }
    }

    #[kernel]
    pub fn shifts(a: &[$T], count: &[u32], left: &mut [$T], right: &mut [$T]) {
        let i = global_id(0);
        // SAFETY: every launch passes counts below the width.
        unsafe {
            left[i] = a[i].unchecked_shl(count[i]);
            right[i] = a[i].unchecked_shr(count[i]);
        }
    }

    pub fn cases() -> Vec<Case> {
        let a: Vec<$T> = vec![0, 1, 7, 11, 15, $T::MAX, $T::MAX, $T::MIN, $T::MIN];
        let b: Vec<$T> = vec![0, 1, 3, 11, 8, 0, 0, 0, 0];
        let counts: Vec<u32> = vec![0, 1, 3, $T::BITS - 1, 4, 1, $T::BITS - 1, 1, $T::BITS - 1];
        vec![
            Case::of(&OF_TWO)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, $T::wrapping_add))
                .output(&zip(&a, &b, $T::wrapping_sub))
                .output(&zip(&a, &b, $T::wrapping_mul))
                .items([a.len()]),
            Case::of(&SHIFTS)
                .input(&a)
                .input(&counts)
                .output(&zip(&a, &counts, $T::wrapping_shl))
                .output(&zip(&a, &counts, $T::wrapping_shr))
                .items([a.len()]),
        ]
    }
}
