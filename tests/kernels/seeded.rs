//! Cases of kernels whose work-items each start from a number.

use super::case::Case;
use kernel_core::KernelDescriptor;
use kernel_runtime::prelude::*;

/// The number that a program starts from, for a work-item: small ones and large ones.
#[device]
pub fn seed(index: u32) -> u32 {
    index.wrapping_mul(2_654_435_761) >> (index % 23)
}

/// The results of a program for so many numbers; some end its loops late, and none of them is a fault.
pub fn case_of(kernel: &'static KernelDescriptor, check: fn(u32) -> u32) -> Case {
    let expected: Vec<u32> = (0..48).map(check).collect();
    Case::of(kernel).output(&expected).items([expected.len()])
}

/// The same, of a program whose results are of 64 bits.
pub fn case_of_words(kernel: &'static KernelDescriptor, run: fn(u32) -> u64) -> Case {
    let expected: Vec<u64> = (0..48).map(run).collect();
    Case::of(kernel).output(&expected).items([expected.len()])
}

/// The results of a program for numbers small and large.
pub fn case_by_seed<const N: usize>(kernel: &'static KernelDescriptor, run: fn(u32) -> [u32; N]) -> Case {
    let seeds: Vec<u32> = (0..32).map(seed).collect();
    let expected: Vec<_> = seeds.iter().map(|&seed| run(seed)).collect();
    Case::of(kernel).input(&seeds).output(&expected).items([expected.len()])
}
