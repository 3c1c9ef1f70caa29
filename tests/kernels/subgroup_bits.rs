//! Reductions and scans of bits over subgroups, for every type that they take.

use super::case::Case;
use super::folding::{self, Among};
use super::for_types::for_types;
use kernel_runtime::Bits;
use kernel_runtime::prelude::*;

for_types! { |$T| in [on_bool: bool, on_i8: i8, on_u16: u16, on_i32: i32, on_u32: u32, on_u64: u64]
    #[kernel(subgroup_size = 16)]
    pub fn conjunctions(x: &[$T], all: &mut [$T], up_to: &mut [$T], before: &mut [$T]) {
        let i = global_id(0);
        all[i] = subgroup::reduce_and(x[i]);
        up_to[i] = subgroup::scan_inclusive_and(x[i]);
        before[i] = subgroup::scan_exclusive_and(x[i]);
    }

    #[kernel(subgroup_size = 16)]
    pub fn disjunctions(x: &[$T], all: &mut [$T], up_to: &mut [$T], before: &mut [$T]) {
        let i = global_id(0);
        all[i] = subgroup::reduce_or(x[i]);
        up_to[i] = subgroup::scan_inclusive_or(x[i]);
        before[i] = subgroup::scan_exclusive_or(x[i]);
    }

    #[kernel(subgroup_size = 16)]
    pub fn parities(x: &[$T], all: &mut [$T], up_to: &mut [$T], before: &mut [$T]) {
        let i = global_id(0);
        all[i] = subgroup::reduce_xor(x[i]);
        up_to[i] = subgroup::scan_inclusive_xor(x[i]);
        before[i] = subgroup::scan_exclusive_xor(x[i]);
    }

    pub fn cases() -> Vec<Case> {
        let among = Among::Subgroup;
        let (none, all) = (<$T as Bits>::NONE, <$T as Bits>::ALL);
        let bits = |count| (0..count).map(|k| folding::Pattern::pattern(k)).collect::<Vec<$T>>();
        let mut cases = folding::cases(&CONJUNCTIONS, among, bits, all, |a, b| a & b);
        cases.extend(folding::cases(&DISJUNCTIONS, among, bits, none, |a, b| a | b));
        cases.extend(folding::cases(&PARITIES, among, bits, none, |a, b| a ^ b));
        cases
    }
}
