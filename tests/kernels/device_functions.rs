//! Functions that kernels call, in the same and in other modules, and that the host calls as they are.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;
use library::nested::cube as third_power;
use library::{clamped, halve};

mod library {
    use kernel_runtime::prelude::*;

    #[device]
    pub fn clamped(x: i32, low: i32, high: i32) -> i32 {
        if x < low {
            return low;
        }
        if x > high { high } else { x }
    }

    #[device]
    pub fn halve(x: f32) -> f32 {
        nested::scale(x, 0.5)
    }

    pub mod nested {
        use kernel_runtime::prelude::*;

        #[device]
        pub fn scale(x: f32, factor: f32) -> f32 {
            x * factor
        }

        #[device]
        pub fn cube(x: f32) -> f32 {
            x * x * x
        }
    }
}

/// Calls itself nowhere, but another function that is written after it.
#[device]
fn polynomial(x: f32) -> f32 {
    third_power(x) - twice(x) + halve(x)
}

#[device]
fn twice(x: f32) -> f32 {
    x + x
}

/// Takes slices, loops, and returns from the middle.
#[device]
fn position(needle: u8, haystack: &[u8]) -> usize {
    for k in 0..haystack.len() {
        if haystack[k] == needle {
            return k;
        }
    }
    haystack.len()
}

/// Writes through a slice.
#[device]
fn store(values: &mut [u32], index: usize, value: u32) {
    values[index] = value;
}

#[kernel]
pub fn chain(x: &[f32], result: &mut [f32]) {
    let i = global_id(0);
    result[i] = polynomial(x[i]);
}

#[kernel]
pub fn other_module(x: &[i32], result: &mut [i32]) {
    let i = global_id(0);
    result[i] = clamped(x[i], -3, 4) + clamped(x[i] * 2, 0, library::clamped(i as i32, 1, 5));
}

#[kernel]
pub fn slices(needles: &[u8], haystack: &[u8], positions: &mut [usize], stored: &mut [u32]) {
    let i = global_id(0);
    positions[i] = position(needles[i], haystack);
    store(stored, i, positions[i] as u32 + 1);
}

pub fn cases() -> Vec<Case> {
    let x = [-2.5_f32, 0.0, 0.1, 3.0, 1e10, f32::INFINITY];
    let integers: Vec<i32> = (-8..9).collect();
    let haystack = *b"level zero";
    let needles = *b"lvzo!";
    let positions = map(&needles, |needle| position(needle, &haystack));
    let sums: Vec<i32> =
        (0..).zip(&integers).map(|(i, &x)| clamped(x, -3, 4) + clamped(x * 2, 0, clamped(i, 1, 5))).collect();
    vec![
        Case::of(&CHAIN).input(&x).output(&map(&x, polynomial)).items([x.len()]),
        Case::of(&OTHER_MODULE).input(&integers).output(&sums).items([integers.len()]),
        Case::of(&SLICES)
            .input(&needles)
            .input(&haystack)
            .output(&positions)
            .output(&map(&positions, |position| position as u32 + 1))
            .items([needles.len()]),
    ]
}
