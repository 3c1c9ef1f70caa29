//! The families of methods of integers that wrap, saturate, tell of an overflow or take one for a fault, lane by lane.

use super::case::{Case, ExpectedFault};
use super::edge::{Edge, lane_pairs, map, zip};
use super::for_types::for_types;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

for_types! { |$V| in [on_i8x4: i8x4, on_u16x3: u16x3, on_i32x2: i32x2, on_u32x8: u32x8, on_i64x3: i64x3, on_usizex2: usizex2]

    #[kernel]
    pub fn saturated(a: &[$V], b: &[$V], product: &mut [$V], power: &mut [$V], quotient: &mut [$V]) {
        let i = global_id(0);
        product[i] = a[i].saturating_mul(b[i]);
        power[i] = a[i].saturating_pow(b[i].count_ones()[0]);
        quotient[i] = a[i].saturating_div(b[i] | 1);
    }

    #[kernel]
    pub fn wrapped(a: &[$V], b: &[$V], power: &mut [$V], quotient: &mut [$V], rest: &mut [$V], euclidean: &mut [$V]) {
        let i = global_id(0);
        let divisor = b[i] | 1;
        power[i] = a[i].wrapping_pow(5).wrapping_add(a[i].wrapping_pow(b[i].trailing_zeros()[1]));
        quotient[i] = a[i].wrapping_div(divisor);
        rest[i] = a[i].wrapping_rem(divisor);
        euclidean[i] = a[i].wrapping_div_euclid(divisor) ^ a[i].wrapping_rem_euclid(divisor);
    }

    /// Of lanes that do not fit the complement, so that the masks are seen.
    #[kernel]
    pub fn overflown(
        a: &[$V], b: &[$V], sum: &mut [$V], difference: &mut [$V], product: &mut [$V], opposite: &mut [$V], power: &mut [$V],
    ) {
        let i = global_id(0);
        let (value, mask) = a[i].overflowing_add(b[i]);
        sum[i] = mask.select(!value, value);
        let (value, mask) = a[i].overflowing_sub(b[i]);
        difference[i] = mask.select(!value, value);
        let (value, mask) = a[i].overflowing_mul(b[i]);
        product[i] = mask.select(!value, value);
        let (value, mask) = a[i].overflowing_neg();
        opposite[i] = mask.select(!value, value);
        let (value, mask) = a[i].overflowing_pow(b[i].count_ones()[0]);
        power[i] = mask.select(!value, value);
    }

    #[kernel]
    pub fn rearranged(a: &[$V], n: u32, reversed: &mut [$V], swapped: &mut [$V], up: &mut [$V], down: &mut [$V]) {
        let i = global_id(0);
        reversed[i] = a[i].reverse_bits();
        swapped[i] = a[i].swap_bytes();
        up[i] = a[i].unbounded_shl(n);
        down[i] = a[i].unbounded_shr(n);
    }

    #[kernel]
    pub fn of_two(a: &[$V], b: &[$V], middle: &mut [$V], limited: &mut [$V], apart: &mut [$V]) {
        let i = global_id(0);
        middle[i] = a[i].midpoint(b[i]);
        limited[i] = a[i].clamp(a[i].min(b[i]), b[i]);
        apart[i] = a[i].abs_diff(b[i]).cast();
    }

    #[kernel]
    pub fn roots(a: &[$V], root: &mut [$V], binary: &mut [$V], decimal: &mut [$V]) {
        let i = global_id(0);
        root[i] = a[i].isqrt();
        binary[i] = a[i].ilog2().cast();
        decimal[i] = a[i].ilog10().cast();
    }

    /// A fault if a lane of any of these does not fit.
    #[kernel]
    pub fn strict(a: &[$V], b: &[$V], sum: &mut [$V], product: &mut [$V], power: &mut [$V]) {
        let i = global_id(0);
        sum[i] = a[i].strict_add(b[i]).strict_sub(b[i]);
        product[i] = a[i].strict_mul(b[i]);
        power[i] = b[i].strict_pow(2).pow(1);
    }

    fn marked((value, mask): ($V, Mask<{ $V::LANES }>)) -> $V {
        mask.select(!value, value)
    }

    pub fn cases() -> Vec<Case> {
        let (a, b): (Vec<$V>, Vec<$V>) = lane_pairs();
        let odd = map(&b, |b| b | 1);
        let edges = $V::edges();
        let items = [a.len()];
        // Roots and logarithms are of positive numbers.
        let positive = map(&edges, |x| x.simd_lt($V::splat(1)).select($V::splat(1), x));
        let small = map(&a, |a| a % 8);
        let factor = map(&b, |b| b % 5);
        let rearranged = |n: u32| {
            Case::of(&REARRANGED)
                .input(&edges)
                .scalar(n)
                .output(&map(&edges, $V::reverse_bits))
                .output(&map(&edges, $V::swap_bytes))
                .output(&map(&edges, |x| x.unbounded_shl(n)))
                .output(&map(&edges, |x| x.unbounded_shr(n)))
                .items([edges.len()])
                .label(format!("shifted by {n}"))
        };
        let most = edges.iter().map(|x| x.reduce_max()).max().expect("there are edges");
        let greatest = $V::from_array(std::array::from_fn(|lane| if lane == 1 { most } else { 1 }));
        vec![
            Case::of(&SATURATED)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, $V::saturating_mul))
                .output(&zip(&a, &b, |a, b| a.saturating_pow(b[0].count_ones())))
                .output(&zip(&a, &odd, $V::saturating_div))
                .items(items),
            Case::of(&WRAPPED)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| a.wrapping_pow(5).wrapping_add(a.wrapping_pow(b[1].trailing_zeros()))))
                .output(&zip(&a, &odd, $V::wrapping_div))
                .output(&zip(&a, &odd, $V::wrapping_rem))
                .output(&zip(&a, &odd, |a, b| a.wrapping_div_euclid(b) ^ a.wrapping_rem_euclid(b)))
                .items(items),
            Case::of(&OVERFLOWN)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| marked(a.overflowing_add(b))))
                .output(&zip(&a, &b, |a, b| marked(a.overflowing_sub(b))))
                .output(&zip(&a, &b, |a, b| marked(a.overflowing_mul(b))))
                .output(&map(&a, |a| marked(a.overflowing_neg())))
                .output(&zip(&a, &b, |a, b| marked(a.overflowing_pow(b[0].count_ones()))))
                .items(items),
            rearranged(3),
            rearranged(200),
            Case::of(&OF_TWO)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, $V::midpoint))
                .output(&zip(&a, &b, $V::min))
                .output(&zip(&a, &b, |a, b| -> $V { a.abs_diff(b).cast() }))
                .items(items),
            Case::of(&ROOTS)
                .input(&positive)
                .output(&map(&positive, $V::isqrt))
                .output(&map(&positive, |x| -> $V { x.ilog2().cast() }))
                .output(&map(&positive, |x| -> $V { x.ilog10().cast() }))
                .items([positive.len()]),
            Case::of(&STRICT)
                .input(&small)
                .input(&factor)
                .output(&small)
                .output(&zip(&small, &factor, |a, b| a * b))
                .output(&map(&factor, |b| b * b))
                .items([small.len()]),
            Case::of(&STRICT)
                .input(&[greatest])
                .input(&[greatest])
                .output(&[greatest])
                .unwritten([0])
                .output(&[greatest])
                .unwritten([0])
                .output(&[greatest])
                .unwritten([0])
                .faults(ExpectedFault::new(FaultKind::AdditionOverflow).at("strict_add"))
                .items([1])
                .label("one lane does not fit"),
        ]
    }
}

/// A mask.
type Mask<const N: usize> = Vector<bool, N>;
