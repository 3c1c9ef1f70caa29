//! What vectors of unsigned integers have beside: multiples and powers of two, and sums with signed integers.

use super::case::Case;
use super::edge::{Edge, lane_pairs, map, zip};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$V| in [on_u8x16: u8x16, on_u32x3: u32x3, on_u64x4: u64x4]

    #[kernel]
    pub fn divided(a: &[$V], b: &[$V], up: &mut [$V], next: &mut [$V], multiple: &mut [$V]) {
        let i = global_id(0);
        let divisor = b[i] | 1;
        up[i] = a[i].div_ceil(divisor);
        next[i] = (a[i] / 2).next_multiple_of(divisor / 4 + 1);
        multiple[i] = a[i].is_multiple_of(b[i]).select(a[i], b[i]);
    }

    #[kernel]
    pub fn powers(a: &[$V], next: &mut [$V], is_one: &mut [$V]) {
        let i = global_id(0);
        next[i] = (a[i] / 2).next_power_of_two();
        is_one[i] = a[i].is_power_of_two().select(a[i], !a[i]);
    }

    #[kernel]
    pub fn with_signed(a: &[$V], b: &[$V], wrapped: &mut [$V], above: &mut [$V], below: &mut [$V]) {
        let i = global_id(0);
        let b = b[i].cast_signed();
        wrapped[i] = a[i].wrapping_add_signed(b) ^ a[i].wrapping_sub_signed(b);
        above[i] = a[i].saturating_add_signed(b);
        below[i] = a[i].saturating_sub_signed(b);
    }

    pub fn cases() -> Vec<Case> {
        let edges = $V::edges();
        let (a, b): (Vec<$V>, Vec<$V>) = lane_pairs();
        let items = [a.len()];
        vec![
            Case::of(&DIVIDED)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| a.div_ceil(b | 1)))
                .output(&zip(&a, &b, |a, b| (a / 2).next_multiple_of((b | 1) / 4 + 1)))
                .output(&zip(&a, &b, |a, b| a.is_multiple_of(b).select(a, b)))
                .items(items),
            Case::of(&POWERS)
                .input(&edges)
                .output(&map(&edges, |x| (x / 2).next_power_of_two()))
                .output(&map(&edges, |x| x.is_power_of_two().select(x, !x)))
                .items([edges.len()]),
            Case::of(&WITH_SIGNED)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| a.wrapping_add(b) ^ a.wrapping_sub(b)))
                .output(&zip(&a, &b, |a, b| a.saturating_add_signed(b.cast_signed())))
                .output(&zip(&a, &b, |a, b| a.saturating_sub_signed(b.cast_signed())))
                .items(items),
        ]
    }
}
