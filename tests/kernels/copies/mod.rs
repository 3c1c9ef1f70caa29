//! Where Rust copies a value and where it refers to one: each function changes a place after it has been read, and the host tells what must come of it.
#![allow(
    unused_assignments,
    clippy::mut_range_bound,
    reason = "what is changed after it has been copied is often not read again"
)]

pub mod closures;
pub mod expressions;
pub mod iterators;
pub mod patterns;
pub mod slices;

use super::case::Case;
use kernel_core::{Element, KernelDescriptor};
use kernel_runtime::prelude::*;

/// The arrays that all functions get.
fn inputs() -> Vec<[i32; 4]> {
    (0..64).map(|i| [i - 5, i & 7, 3 + (i >> 3), 20 - i]).collect()
}

/// A function that calls others of such an array.
macro_rules! all {
    ($count:literal: $($function:ident)*) => {
        #[device]
        fn all(x: [i32; 4]) -> [i32; $count] {
            [$($function(x)),*]
        }
    };
}
use all;

/// Both in one number, which does not overflow.
#[device]
fn mix(one: i32, other: i32) -> i32 {
    ((one * 31) & 0xffff) + other % 1000
}

#[device(impl)]
#[derive(Clone, Copy)]
struct Inner {
    pair: (i32, i32),
    list: [i32; 3],
}

#[device]
impl Inner {
    fn taken(mut self, by: i32) -> i32 {
        self.pair.0 += by;
        self.list[1] += by;
        self.pair.0 + self.list[1] * 3
    }
}

/// The case of a kernel that calls such a function.
fn case_of<const N: usize>(kernel: &'static KernelDescriptor, all: fn([i32; 4]) -> [i32; N]) -> Case
where
    [i32; N]: Element,
{
    let x = inputs();
    let expected: Vec<_> = x.iter().map(|x| all(*x)).collect();
    Case::of(kernel).input(&x).output(&expected).items([x.len()])
}

pub fn cases() -> Vec<Case> {
    let mut cases = vec![closures::case(), expressions::case(), iterators::case(), patterns::case()];
    cases.extend(slices::cases());
    cases
}
