//! Whether a crate's kernels check for overflow where rustc has its other code do so, however the crate is built.
//!
//! It prints what rustc does, `checked` or `wrapping`, and fails if a kernel does the other.

use device_library::doubled;
use kernel_runtime::prelude::*;
use std::hint::black_box;
use std::panic;
use std::process::ExitCode;

/// Names nothing but what comes with the runtime.
#[kernel]
fn by_intrinsics(x: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    if i < x.len() && i < result.len() {
        result[i] = x[i] * 2;
    }
}

/// Names nothing at all, so that there is no chain.
#[kernel(unsafe(races(result)))]
fn by_nothing(x: u32, result: &mut [u32; 1]) {
    result[0] = x * 2;
}

#[device]
fn twice(value: u32) -> u32 {
    value * 2
}

/// Names a device function of this crate.
#[kernel(unsafe(races(result)))]
fn by_function(x: u32, result: &mut [u32; 1]) {
    result[0] = twice(x);
}

/// Names one of another crate, which may be built otherwise.
#[kernel(unsafe(races(result)))]
fn by_other_crate(x: u32, result: &mut [u32; 1]) {
    result[0] = doubled(x);
}

#[kernel(T = [u32], unsafe(races(result)))]
fn generic<T: Integer>(x: T, result: &mut [T; 1]) {
    result[0] = x * (T::ONE + T::ONE);
}

#[kernel(overflow = "check", unsafe(races(result)))]
fn always(x: u32, result: &mut [u32; 1]) {
    result[0] = x * 2;
}

#[kernel(overflow = "wrap", unsafe(races(result)))]
fn never(x: u32, result: &mut [u32; 1]) {
    result[0] = x * 2;
}

/// Whether rustc checks the arithmetic of this crate.
fn is_checked() -> bool {
    panic::set_hook(Box::new(|_| {}));
    let is_checked = panic::catch_unwind(|| black_box(u8::MAX) + black_box(1)).is_err();
    drop(panic::take_hook());
    is_checked
}

fn main() -> ExitCode {
    let is_checked = is_checked();
    println!("{}", if is_checked { "checked" } else { "wrapping" });
    let kernels = [
        (&BY_INTRINSICS, is_checked),
        (&BY_NOTHING, is_checked),
        (&BY_FUNCTION, is_checked),
        (&BY_OTHER_CRATE, is_checked),
        (&GENERIC_U32, is_checked),
        (&ALWAYS, true),
        (&NEVER, false),
    ];
    let mut code = ExitCode::SUCCESS;
    for (kernel, expected) in kernels {
        if kernel.fault_sites.is_empty() == expected {
            println!("{} is not", kernel.name);
            code = ExitCode::FAILURE;
        }
    }
    code
}
