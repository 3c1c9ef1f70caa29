//! `as` between all scalar types: integers wrap or extend by the sign of the source, floats saturate.

use super::case::Case;
use super::edge::{Edge, map};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$T| in [
        on_i8: i8, on_i16: i16, on_i32: i32, on_i64: i64, on_isize: isize,
        on_u8: u8, on_u16: u16, on_u32: u32, on_u64: u64, on_usize: usize,
        on_f32: f32, on_f64: f64,
    ]

    #[kernel]
    pub fn to_signed(
        x: &[$T],
        as_i8: &mut [i8], as_i16: &mut [i16], as_i32: &mut [i32], as_i64: &mut [i64], as_isize: &mut [isize],
    ) {
        let i = global_id(0);
        as_i8[i] = x[i] as i8;
        as_i16[i] = x[i] as i16;
        as_i32[i] = x[i] as i32;
        as_i64[i] = x[i] as i64;
        as_isize[i] = x[i] as isize;
    }

    #[kernel]
    pub fn to_unsigned(
        x: &[$T],
        as_u8: &mut [u8], as_u16: &mut [u16], as_u32: &mut [u32], as_u64: &mut [u64], as_usize: &mut [usize],
    ) {
        let i = global_id(0);
        as_u8[i] = x[i] as u8;
        as_u16[i] = x[i] as u16;
        as_u32[i] = x[i] as u32;
        as_u64[i] = x[i] as u64;
        as_usize[i] = x[i] as usize;
    }

    #[kernel]
    pub fn to_f32(x: &[$T], as_f32: &mut [f32]) {
        let i = global_id(0);
        as_f32[i] = x[i] as f32;
    }

    #[kernel]
    pub fn to_f64(x: &[$T], as_f64: &mut [f64]) {
        let i = global_id(0);
        as_f64[i] = x[i] as f64;
    }

    pub fn cases() -> Vec<Case> {
        let x = $T::edges();
        let items = [x.len()];
        vec![
            Case::of(&TO_SIGNED)
                .input(&x)
                .output(&map(&x, |x| x as i8))
                .output(&map(&x, |x| x as i16))
                .output(&map(&x, |x| x as i32))
                .output(&map(&x, |x| x as i64))
                .output(&map(&x, |x| x as isize))
                .items(items),
            Case::of(&TO_UNSIGNED)
                .input(&x)
                .output(&map(&x, |x| x as u8))
                .output(&map(&x, |x| x as u16))
                .output(&map(&x, |x| x as u32))
                .output(&map(&x, |x| x as u64))
                .output(&map(&x, |x| x as usize))
                .items(items),
            Case::of(&TO_F32).input(&x).output(&map(&x, |x| x as f32)).items(items),
            Case::of(&TO_F64).input(&x).output(&map(&x, |x| x as f64)).items(items),
        ]
    }
}
