//! Counts of other types than that of what is shifted: all of the count matters, also what a cast to the other type would lose.

use super::super::case::Case;
use super::super::edge::{Edge, cross, zip};
use super::super::for_types::for_types;
use super::wrapping;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

for_types! { |$T| in [by_i8: i8, by_u8: u8, by_i16: i16, by_i64: i64, by_u64: u64, by_usize: usize]

    #[kernel(overflow = "check")]
    pub fn narrow(a: &[u8], count: &[$T], result: &mut [u8]) {
        let i = global_id(0);
        result[i] = a[i] << count[i];
    }

    #[kernel(overflow = "check")]
    pub fn wide(a: &[i64], count: &[$T], result: &mut [i64]) {
        let i = global_id(0);
        result[i] = a[i] >> count[i];
    }

    pub fn cases() -> Vec<Case> {
        let mut counts = $T::edges();
        counts.extend([6, 8, 31, 32, 63, 64]);
        let (bytes, by) = cross(&[1_u8, 0x81, 255], &counts);
        let (longs, by_too) = cross(&[i64::MIN, -1, 12], &counts);
        let shifted = |a: u8, count: $T| {
            (a.wrapping_shl(count as u32), !(0..8).contains(&(count as i128)))
        };
        let shifted_back = |a: i64, count: $T| {
            (a.wrapping_shr(count as u32), !(0..64).contains(&(count as i128)))
        };
        vec![
            wrapping(
                Case::of(&NARROW).input(&bytes).input(&by),
                FaultKind::LeftShiftOverflow,
                &zip(&bytes, &by, shifted),
            ),
            wrapping(
                Case::of(&WIDE).input(&longs).input(&by_too),
                FaultKind::RightShiftOverflow,
                &zip(&longs, &by_too, shifted_back),
            ),
        ]
    }
}
