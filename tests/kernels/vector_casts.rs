//! Conversions between vectors of different scalars, as by `as`; halves by way of `f32`.

use super::case::Case;
use super::edge::{Edge, map};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$V| in [
        on_i8x4: i8x4, on_i32x4: i32x4, on_u8x4: u8x4, on_usizex4: usizex4, on_f16x4: f16x4, on_bf16x4: bf16x4, on_f32x4: f32x4,
        on_f64x4: f64x4,
    ]

    #[kernel]
    pub fn to_integers(
        x: &[$V], as_i8: &mut [i8x4], as_u16: &mut [u16x4], as_i32: &mut [i32x4], as_u64: &mut [u64x4], as_isize: &mut [isizex4],
    ) {
        let i = global_id(0);
        as_i8[i] = x[i].cast::<i8>();
        as_u16[i] = x[i].cast();
        as_i32[i] = x[i].cast::<i32>();
        as_u64[i] = x[i].cast();
        as_isize[i] = x[i].cast();
    }

    #[kernel]
    pub fn to_floats(x: &[$V], single: &mut [f32x4], half: &mut [f16x4], brain: &mut [bf16x4]) {
        let i = global_id(0);
        single[i] = x[i].cast::<f32>();
        half[i] = x[i].cast();
        brain[i] = x[i].cast();
    }

    #[kernel]
    pub fn to_double(x: &[$V], double: &mut [f64x4]) {
        let i = global_id(0);
        double[i] = x[i].cast();
    }

    pub fn cases() -> Vec<Case> {
        let x = $V::edges();
        // By way of `f32` as the conversion is defined; that of a double is rounded once on devices, which only few numbers show.
        let items = [x.len()];
        vec![
            Case::of(&TO_INTEGERS)
                .input(&x)
                .output(&map(&x, |x| x.cast::<i8>()))
                .output(&map(&x, |x| x.cast::<u16>()))
                .output(&map(&x, |x| x.cast::<i32>()))
                .output(&map(&x, |x| x.cast::<u64>()))
                .output(&map(&x, |x| x.cast::<isize>()))
                .items(items),
            Case::of(&TO_FLOATS)
                .input(&x)
                .output(&map(&x, |x| x.cast::<f32>()))
                .output(&map(&x, |x| x.cast::<f16>()))
                .output(&map(&x, |x| x.cast::<bf16>()))
                .items(items),
            Case::of(&TO_DOUBLE).input(&x).output(&map(&x, |x| x.cast::<f64>())).items(items),
        ]
    }
}
