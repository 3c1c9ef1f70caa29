//! A module is checked when it is created, in time proportional to its size, and a kernel is compiled when it is first asked for.

mod driver;
mod generate;

use driver::{Gpu, create_kernel, set};
use level_zero_sys::ze_result_t;
use std::time::{Duration, Instant};

/// What building a small module may take at the most: products that nothing bounds take hours, and the driver may be neither optimised nor alone.
const SHORT: Duration = Duration::from_secs(60);

fn refused(spirv: &[u8], reason: &str) {
    let start = Instant::now();
    let error = Gpu::new().module(spirv).unwrap_err();
    assert!(start.elapsed() < SHORT, "{} bytes took {:?}", spirv.len(), start.elapsed());
    assert!(error.contains("MODULE_BUILD_FAILURE") && error.contains(reason), "{error}");
}

/// What a kernel of a module computes of a number.
fn result(spirv: &[u8], name: &str, number: u32) -> u32 {
    let gpu = Gpu::new();
    let start = Instant::now();
    let kernel = create_kernel(gpu.module(spirv).unwrap(), name).unwrap();
    assert!(start.elapsed() < SHORT, "{} bytes took {:?}", spirv.len(), start.elapsed());
    let out = gpu.buffer(&[0_u32]);
    set(kernel, 0, out.pointer).unwrap();
    set(kernel, 1, number).unwrap();
    gpu.launch(kernel, [1, 1, 1]).unwrap();
    out.read()[0]
}

#[test]
fn functions_that_call_each_other_twice_are_not_written_out_to_be_refused() {
    // As many kernels as fit are fine, each with a thousand calls.
    assert_eq!(result(&generate::doubling(20, 10), "k19", 3), 3 + 512);
    for (kernels, levels) in [(50, 16), (50, 40), (400, 60)] {
        refused(&generate::doubling(kernels, levels), "with everything inlined");
    }
}

#[test]
fn calls_are_as_deep_as_they_like() {
    for levels in [1, 64, 5_000, 50_000] {
        assert_eq!(result(&generate::chain(levels), "k0", 3), 4);
    }
}

#[test]
fn only_kernels_that_are_asked_for_are_compiled() {
    let gpu = Gpu::new();
    let spirv = generate::kernels(200, 300);
    let start = Instant::now();
    let module = gpu.module(&spirv).unwrap();
    let checked = start.elapsed();
    let start = Instant::now();
    for kernel in 0..200 {
        create_kernel(module, &format!("k{kernel}")).unwrap();
    }
    let compiled = start.elapsed();
    let start = Instant::now();
    for kernel in 0..200 {
        create_kernel(module, &format!("k{kernel}")).unwrap();
    }
    let found = start.elapsed();
    // What is compiled stays so: the second time, kernels cost a fraction of what they cost first.
    assert!(found * 4 < compiled, "checked in {checked:?}, compiled in {compiled:?}, found in {found:?}");
    let unknown = create_kernel(module, "k200").unwrap_err();
    assert_eq!(unknown, ze_result_t::ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
}

#[test]
fn threads_that_ask_for_one_kernel_get_the_same() {
    let gpu = Gpu::new();
    let module = gpu.module(&generate::kernels(2, 2_000)).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || create_kernel(module, ["k0", "k1"][thread % 2]).unwrap());
        }
    });
}

#[test]
fn a_kernel_that_is_wrong_is_found_before_any_is_asked_for() {
    refused(&generate::second_is_wrong(), "floats are needed (OpFAdd at word");
}

#[test]
fn what_only_inlining_shows_is_told_when_the_kernel_is_created() {
    let gpu = Gpu::new();
    let module = gpu.module(&generate::nested_loops(6_000, false)).unwrap();
    let error = create_kernel(module, "k0").unwrap_err();
    assert_eq!(error, ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    let text = gpu.last_error();
    assert!(text.contains("kernel `k0`: too large for this driver: the control flow"), "{text}");
}

#[test]
fn calls_one_after_the_other_share_private_memory() {
    assert_eq!(result(&generate::arrays(300, 256), "k0", 3), 3 + 300);
    refused(&generate::arrays(2, 1 << 15), "private memory");
}

#[test]
fn products_of_two_lists_are_bounded() {
    assert_eq!(result(&generate::entry_points(20_000), "k19999", 3), 3);
    assert_eq!(result(&generate::decorations(100), "k0", 3), 3);
    refused(&generate::decorations(2_000), "groups of decorations");
    assert_eq!(result(&generate::empty_structs(1_000, 8), "k0", 3), 3);
    assert_eq!(result(&generate::exchanges(5_000), "k0", 3), 5_000);
    for of_constants in [false, true] {
        assert_eq!(
            result(&generate::large_values(100, of_constants), "k0", 3),
            [3, 0][usize::from(of_constants)]
        );
        refused(&generate::large_values(50_000, of_constants), "copied between values");
    }
}
