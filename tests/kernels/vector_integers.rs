//! Operators and methods of vectors of integers.

use super::case::Case;
use super::edge::{lane_pairs, map, zip};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$V| in [
        on_i8x4: i8x4, on_u8x3: u8x3, on_i16x8: i16x8, on_u16x2: u16x2, on_i32x3: i32x3, on_u32x16: u32x16, on_i64x3: i64x3,
        on_usizex4: usizex4,
    ]

    #[kernel(overflow = "wrap")]
    pub fn arithmetic(a: &[$V], b: &[$V], sum: &mut [$V], difference: &mut [$V], product: &mut [$V]) {
        let i = global_id(0);
        sum[i] = a[i] + b[i];
        difference[i] = a[i] - b[i];
        product[i] = a[i] * b[i][0];
    }

    #[kernel]
    pub fn division(a: &[$V], b: &[$V], quotient: &mut [$V], rest: &mut [$V]) {
        let i = global_id(0);
        quotient[i] = a[i] / b[i];
        rest[i] = a[i] % b[i];
    }

    #[kernel]
    pub fn bits(a: &[$V], b: &[$V], and: &mut [$V], or: &mut [$V], xor: &mut [$V], not: &mut [$V]) {
        let i = global_id(0);
        and[i] = a[i] & b[i];
        or[i] = a[i][0] | b[i];
        xor[i] = a[i] ^ b[i][0];
        not[i] = !a[i];
    }

    /// The counts are masked by the width.
    #[kernel(overflow = "wrap")]
    pub fn shifts(a: &[$V], b: &[$V], left: &mut [$V], right: &mut [$V], wrapping: &mut [$V]) {
        let i = global_id(0);
        left[i] = a[i] << b[i];
        right[i] = a[i] >> b[i][0];
        wrapping[i] = a[i].wrapping_shl(37).wrapping_shr(3);
    }

    #[kernel]
    pub fn methods(
        a: &[$V], b: &[$V],
        least: &mut [$V], greatest: &mut [$V], sum: &mut [$V], difference: &mut [$V], wrapped: &mut [$V], turned: &mut [$V],
    ) {
        let i = global_id(0);
        least[i] = a[i].min(b[i]);
        greatest[i] = a[i].max(b[i]);
        sum[i] = a[i].saturating_add(b[i]);
        difference[i] = a[i].saturating_sub(b[i]);
        wrapped[i] = a[i].wrapping_add(b[i]).wrapping_mul(a[i]).wrapping_sub(b[i].wrapping_neg());
        turned[i] = a[i].rotate_left(5).rotate_right(13);
    }

    fn wrapping(a: $V, b: $V) -> $V {
        $V::from_array(std::array::from_fn(|lane| {
            a[lane].wrapping_add(b[lane]).wrapping_mul(a[lane]).wrapping_sub(b[lane].wrapping_neg())
        }))
    }

    pub fn cases() -> Vec<Case> {
        let (a, b): (Vec<$V>, Vec<$V>) = lane_pairs();
        let divisor = zip(&a, &b, |a, b| {
            $V::from_array(std::array::from_fn(|lane| a[lane].checked_div(b[lane]).map_or(3, |_| b[lane])))
        });
        let items = [a.len()];
        let splat = $V::splat;
        let left = |a: $V, b: $V| {
            $V::from_array(std::array::from_fn(|lane| a[lane].wrapping_shl(b[lane] as u32)))
        };
        let right = |a: $V, b: $V| a.wrapping_shr(b[0] as u32);
        vec![
            Case::of(&ARITHMETIC)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| a.wrapping_add(b)))
                .output(&zip(&a, &b, |a, b| a.wrapping_sub(b)))
                .output(&zip(&a, &b, |a, b| a.wrapping_mul(splat(b[0]))))
                .items(items),
            Case::of(&DIVISION)
                .input(&a)
                .input(&divisor)
                .output(&zip(&a, &divisor, |a, b| a / b))
                .output(&zip(&a, &divisor, |a, b| a % b))
                .items(items),
            Case::of(&BITS)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| a & b))
                .output(&zip(&a, &b, |a, b| a[0] | b))
                .output(&zip(&a, &b, |a, b| a ^ b[0]))
                .output(&map(&a, |a| !a))
                .items(items),
            Case::of(&SHIFTS)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, left))
                .output(&zip(&a, &b, right))
                .output(&map(&a, |a| a.wrapping_shl(37).wrapping_shr(3)))
                .items(items),
            Case::of(&METHODS)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, $V::min))
                .output(&zip(&a, &b, $V::max))
                .output(&zip(&a, &b, $V::saturating_add))
                .output(&zip(&a, &b, $V::saturating_sub))
                .output(&zip(&a, &b, wrapping))
                .output(&map(&a, |a| a.rotate_left(5).rotate_right(13)))
                .items(items),
        ]
    }
}
