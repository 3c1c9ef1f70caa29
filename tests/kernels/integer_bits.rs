//! Integers as rows of bits and of bytes, and half of their sums.

use super::case::Case;
use super::edge::{Edge, map, pairs, zip};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$T| in [
        on_i8: i8, on_i16: i16, on_i32: i32, on_i64: i64, on_isize: isize,
        on_u8: u8, on_u16: u16, on_u32: u32, on_u64: u64, on_usize: usize,
    ]

    #[kernel]
    pub fn reversal(a: &[$T], bytes: &mut [$T], bits: &mut [$T]) {
        let i = global_id(0);
        bytes[i] = a[i].swap_bytes();
        bits[i] = a[i].reverse_bits();
    }

    #[kernel]
    pub fn byte_order(a: &[$T], to_be: &mut [$T], to_le: &mut [$T], from_be: &mut [$T], from_le: &mut [$T]) {
        let i = global_id(0);
        to_be[i] = a[i].to_be();
        to_le[i] = a[i].to_le();
        from_be[i] = $T::from_be(a[i]);
        from_le[i] = $T::from_le(a[i]);
    }

    #[kernel]
    pub fn middle(a: &[$T], b: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i].midpoint(b[i]);
    }

    pub fn cases() -> Vec<Case> {
        let (a, b) = pairs::<$T>();
        // No two of its bytes and no two of its halves are alike.
        let pattern = 0x0123_4567_89ab_cdef_u64 as $T;
        let values: Vec<$T> = $T::edges().into_iter().chain([pattern, !pattern, pattern << 1]).collect();
        vec![
            Case::of(&REVERSAL)
                .input(&values)
                .output(&map(&values, $T::swap_bytes))
                .output(&map(&values, $T::reverse_bits))
                .items([values.len()]),
            Case::of(&BYTE_ORDER)
                .input(&values)
                .output(&map(&values, $T::to_be))
                .output(&map(&values, $T::to_le))
                .output(&map(&values, $T::from_be))
                .output(&map(&values, $T::from_le))
                .items([values.len()]),
            Case::of(&MIDDLE)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, $T::midpoint))
                .items([a.len()]),
        ]
    }
}
