//! Reductions and scans over subgroups, for every type that they take.

use super::case::Case;
use super::folding::{self, Among};
use super::for_types::for_types;
use kernel_core::{bf16, f16};
use kernel_runtime::prelude::*;

for_types! { |$T| in [
        on_i8: i8, on_u8: u8, on_i16: i16, on_u16: u16, on_i32: i32, on_u32: u32, on_i64: i64, on_u64: u64,
        on_usize: usize, on_f32: f32, on_f64: f64, on_f16: f16, on_bf16: bf16,
    ]
    #[kernel(subgroup_size = 16)]
    pub fn sums(x: &[$T], all: &mut [$T], up_to: &mut [$T], before: &mut [$T]) {
        let i = global_id(0);
        all[i] = subgroup::reduce_add(x[i]);
        up_to[i] = subgroup::scan_inclusive_add(x[i]);
        before[i] = subgroup::scan_exclusive_add(x[i]);
    }

    #[kernel(subgroup_size = 16)]
    pub fn products(x: &[$T], all: &mut [$T], up_to: &mut [$T], before: &mut [$T]) {
        let i = global_id(0);
        all[i] = subgroup::reduce_mul(x[i]);
        up_to[i] = subgroup::scan_inclusive_mul(x[i]);
        before[i] = subgroup::scan_exclusive_mul(x[i]);
    }

    #[kernel(subgroup_size = 16)]
    pub fn least(x: &[$T], all: &mut [$T], up_to: &mut [$T], before: &mut [$T]) {
        let i = global_id(0);
        all[i] = subgroup::reduce_min(x[i]);
        up_to[i] = subgroup::scan_inclusive_min(x[i]);
        before[i] = subgroup::scan_exclusive_min(x[i]);
    }

    #[kernel(subgroup_size = 16)]
    pub fn greatest(x: &[$T], all: &mut [$T], up_to: &mut [$T], before: &mut [$T]) {
        let i = global_id(0);
        all[i] = subgroup::reduce_max(x[i]);
        up_to[i] = subgroup::scan_inclusive_max(x[i]);
        before[i] = subgroup::scan_exclusive_max(x[i]);
    }

    pub fn cases() -> Vec<Case> {
        let (among, summands, factors) = (Among::Subgroup, folding::summands::<$T>, folding::factors::<$T>);
        let (zero, one) = (<$T as Number>::ZERO, <$T as Number>::ONE);
        let (least, greatest) = (<$T as Number>::LEAST, <$T as Number>::GREATEST);
        let mut cases = folding::cases(&SUMS, among, summands, zero, |a, b| a + b);
        cases.extend(folding::cases(&PRODUCTS, among, factors, one, |a, b| a * b));
        cases.extend(folding::cases(&LEAST, among, summands, greatest, |a, b| if b < a { b } else { a }));
        cases.extend(folding::cases(&GREATEST, among, summands, least, |a, b| if b > a { b } else { a }));
        cases
    }
}
