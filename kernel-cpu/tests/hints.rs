//! What modules say that changes nothing of what they compute.

mod driver;

use driver::{Gpu, create_kernel, set, set_group_size};
use level_zero_sys::ze_module_handle_t;

const ALIASING: &[u8] = include_bytes!("modules/aliasing.spv");

fn expect_increment(gpu: &Gpu, module: ze_module_handle_t) {
    let (from, to) = (gpu.buffer(&[5_u32, 6, 7, u32::MAX]), gpu.buffer(&[0_u32; 4]));
    let kernel = create_kernel(module, "increment").unwrap();
    set(kernel, 0, from.pointer).unwrap();
    set(kernel, 1, to.pointer).unwrap();
    set_group_size(kernel, [4, 1, 1]).unwrap();
    gpu.launch(kernel, [1, 1, 1]).unwrap();
    assert_eq!(to.read(), [6, 7, 8, 0]);
}

#[test]
fn accesses_may_be_said_not_to_overlap() {
    let gpu = Gpu::new();
    expect_increment(&gpu, gpu.module(ALIASING).unwrap());
}

#[test]
fn what_is_said_of_accesses_is_linked_with_them() {
    let gpu = Gpu::new();
    let library: &[u8] = include_bytes!("modules/link_library.spv");
    let main: &[u8] = include_bytes!("modules/link_main.spv");
    let program = gpu.program(&[(main, None), (ALIASING, None), (library, None)]).unwrap();
    expect_increment(&gpu, program);
}

#[test]
fn sums_may_be_said_to_be_reassociable() {
    let gpu = Gpu::new();
    let (from, to) = (gpu.buffer(&[0.5_f32, 2.0, 1e-10, f32::INFINITY]), gpu.buffer(&[0.0_f32; 4]));
    let kernel = gpu.kernel(include_bytes!("modules/fast_math.spv"), "reassociable");
    set(kernel, 0, from.pointer).unwrap();
    set(kernel, 1, to.pointer).unwrap();
    set_group_size(kernel, [4, 1, 1]).unwrap();
    gpu.launch(kernel, [1, 1, 1]).unwrap();
    // The driver adds in the order of the module all the same.
    assert_eq!(to.read(), [0.5, 2.0, 0.0, f32::INFINITY]);
}
