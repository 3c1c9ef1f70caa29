//! Each operator on each type of integer, for every pair of edges.

use super::super::case::{Case, ExpectedFault};
use super::super::edge::{Edge, cross, map, pairs, zip};
use super::super::for_types::for_types;
use super::wrapping;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

for_types! { |$T| in [
        on_i8: i8, on_i16: i16, on_i32: i32, on_i64: i64, on_isize: isize,
        on_u8: u8, on_u16: u16, on_u32: u32, on_u64: u64, on_usize: usize,
    ]

    #[kernel(overflow = "check")]
    pub fn add(a: &[$T], b: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i] + b[i];
    }

    #[kernel(overflow = "check")]
    pub fn sub(a: &[$T], b: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i] - b[i];
    }

    #[kernel(overflow = "check")]
    pub fn mul(a: &[$T], b: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i] * b[i];
    }

    #[kernel(overflow = "check")]
    pub fn shl(a: &[$T], count: &[u32], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i] << count[i];
    }

    #[kernel(overflow = "check")]
    pub fn shr(a: &[$T], count: &[u32], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i] >> count[i];
    }

    /// As without the check where nothing overflows, and where the author asks for it.
    #[kernel(overflow = "wrap")]
    pub fn unchecked(a: &[$T], b: &[$T], sum: &mut [$T], product: &mut [$T]) {
        let i = global_id(0);
        sum[i] = a[i] + b[i];
        product[i] = a[i] * b[i];
    }

    /// What goes with the fault: the operands, extended to 64 bits.
    fn values_case() -> Case {
        let (one, other): ($T, $T) = ($T::MIN, $T::MAX);
        Case::of(&SUB)
            .input(&[one])
            .input(&[other])
            .output(&[one.wrapping_sub(other)])
            .unwritten([0])
            .items([1])
            .faults(
                ExpectedFault::new(FaultKind::SubtractionOverflow)
                    .values([one as i64 as u64, other as i64 as u64])
                    .global_id([0, 0, 0])
                    .at("a[i] - b[i]"),
            )
            .label("operands")
    }

    pub fn cases() -> Vec<Case> {
        let (a, b) = pairs::<$T>();
        let edges = $T::edges();
        let counts = [0, 1, <$T>::BITS - 1, <$T>::BITS, <$T>::BITS + 1, 1000, u32::MAX];
        let (shifted, count) = cross(&edges, &counts);
        let of_two = |case: Case| case.input(&a).input(&b);
        let of_shift = |case: Case| case.input(&shifted).input(&count);
        vec![
            wrapping(of_two(Case::of(&ADD)), FaultKind::AdditionOverflow, &zip(&a, &b, $T::overflowing_add)),
            wrapping(of_two(Case::of(&SUB)), FaultKind::SubtractionOverflow, &zip(&a, &b, $T::overflowing_sub)),
            wrapping(of_two(Case::of(&MUL)), FaultKind::MultiplicationOverflow, &zip(&a, &b, $T::overflowing_mul)),
            wrapping(
                of_shift(Case::of(&SHL)),
                FaultKind::LeftShiftOverflow,
                &zip(&shifted, &count, $T::overflowing_shl),
            ),
            wrapping(
                of_shift(Case::of(&SHR)),
                FaultKind::RightShiftOverflow,
                &zip(&shifted, &count, $T::overflowing_shr),
            ),
            of_two(Case::of(&UNCHECKED))
                .output(&zip(&a, &b, $T::wrapping_add))
                .output(&zip(&a, &b, $T::wrapping_mul))
                .items([a.len()]),
            Case::of(&ADD)
                .input(&[1 as $T, 2, 3])
                .input(&map(&[1_u8, 1, 1], |one| one as $T))
                .output(&[2 as $T, 3, 4])
                .items([3])
                .label("nothing overflows"),
            values_case(),
        ]
    }
}
