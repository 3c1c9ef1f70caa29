//! `-` of the signed integers, which wraps at the least value.

use super::case::Case;
use super::edge::{Edge, map};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$T| in [on_i8: i8, on_i16: i16, on_i32: i32, on_i64: i64, on_isize: isize]

    #[kernel(overflow = "wrap")]
    pub fn negate(a: &[$T], negated: &mut [$T]) {
        let i = global_id(0);
        negated[i] = -a[i];
    }

    pub fn cases() -> Vec<Case> {
        let a = $T::edges();
        vec![Case::of(&NEGATE).input(&a).output(&map(&a, $T::wrapping_neg)).items([a.len()])]
    }
}
