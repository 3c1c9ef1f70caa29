//! Device functions and constants of another crate, by the names under which it exports them and by others.

use super::case::{Case, ExpectedFault};
use super::edge::map;
use device_library::polynomial as poly;
use device_library::{GAIN, amplified, larger_neighbour, one_half as half};
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

#[kernel]
pub fn functions(x: &[f32], result: &mut [f32]) {
    let i = global_id(0);
    let cubic = poly::cubic(x[i], [1.0, 0.5, -2.0, 0.25]);
    result[i] = amplified(half(x[i])) + cubic * GAIN + device_library::cubic(GAIN, [0.5; 4]);
}

fn functions_on_host(x: f32) -> f32 {
    amplified(half(x)) + poly::cubic(x, [1.0, 0.5, -2.0, 0.25]) * GAIN + device_library::cubic(GAIN, [0.5; 4])
}

/// A slice goes through, and the fault of an index beyond its end is reported where the other crate has it.
#[kernel]
pub fn slices(x: &[f32], index: &[usize], result: &mut [f32]) {
    let i = global_id(0);
    result[i] = larger_neighbour(x, index[i]);
}

pub fn cases() -> Vec<Case> {
    let x = [-3.5_f32, 0.0, 0.1, 2.0, 1e8, f32::INFINITY, f32::NAN];
    let values = [5.0_f32, 1.0, 4.0, 2.0];
    let indices = [3_usize, 0, 1, 2];
    vec![
        Case::of(&FUNCTIONS).input(&x).output(&map(&x, functions_on_host)).items([x.len()]),
        Case::of(&SLICES)
            .input(&values)
            .input(&indices)
            .output(&map(&indices, |index| larger_neighbour(&values, index)))
            .items([indices.len()]),
        Case::of(&SLICES)
            .input(&values)
            .input(&[2_usize, 9])
            .output(&[2.0_f32, 0.0])
            .unwritten([1])
            .items([2])
            .faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).values([8, 4]).at("values[index - 1]"))
            .label("fault"),
    ]
}
