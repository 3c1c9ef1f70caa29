//! Barriers and local memory.

use crate::driver::{Gpu, KERNELS, set, set_group_size, set_local};
use level_zero_sys::ze_result_t;

#[test]
fn work_items_meet_in_groups_of_any_size() {
    let gpu = Gpu::new();
    let input: Vec<u32> = (0..3000).map(|i| i * 17 + 3).collect();
    let source = gpu.buffer(&input);
    for spirv in KERNELS {
        let kernel = gpu.kernel(spirv, "group_sum");
        for size in [1, 7, 16, 17, 100, 250, 256, 1000] {
            let groups = input.len() / size;
            let sums = gpu.buffer(&vec![0_u32; groups]);
            set(kernel, 0, source.pointer).unwrap();
            set(kernel, 1, sums.pointer).unwrap();
            set_local(kernel, 2, 4 * size).unwrap();
            set_group_size(kernel, [size as u32, 1, 1]).unwrap();
            gpu.launch(kernel, [groups as u32, 1, 1]).unwrap();
            let expected: Vec<u32> = input.chunks_exact(size).map(|group| group.iter().sum()).collect();
            assert_eq!(sums.read(), expected, "groups of {size}");
        }
    }
}

#[test]
fn local_memory_does_not_leak_from_group_to_group() {
    let gpu = Gpu::new();
    for spirv in KERNELS {
        let out = gpu.buffer(&[0_u32; 64 * 16]);
        let kernel = gpu.kernel(spirv, "leak");
        set(kernel, 0, out.pointer).unwrap();
        set_group_size(kernel, [16, 1, 1]).unwrap();
        gpu.launch(kernel, [64, 1, 1]).unwrap();
        assert_eq!(out.read(), [0xcbcb_cbcb; 64 * 16]);
    }
}

/// Launches one group of a kernel with one buffer, which must be diagnosed as a divergent barrier.
fn diverges(name: &str, size: u32) -> String {
    let gpu = Gpu::new();
    let mut error = String::new();
    for spirv in KERNELS {
        let out = gpu.buffer(&vec![0_u32; size as usize]);
        let kernel = gpu.kernel(spirv, name);
        set(kernel, 0, out.pointer).unwrap();
        set_group_size(kernel, [size, 1, 1]).unwrap();
        let result = gpu.launch(kernel, [1, 1, 1]);
        assert_eq!(result, Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST));
        error = gpu.last_error();
        // The device is there again.
        set_group_size(kernel, [1, 1, 1]).unwrap();
        assert_eq!(gpu.launch(kernel, [1, 1, 1]), Ok(()));
    }
    error
}

/// One test, since the text of the last fault is the process's.
#[test]
fn barriers_that_not_all_reach_are_diagnosed() {
    let error = diverges("some_return", 16);
    assert!(
        error.contains("kernel `some_return`") && error.contains("others of its work-group are done"),
        "{error}"
    );
    // The same across subgroups, the second of which is whole.
    let error = diverges("some_return", 32);
    assert!(error.contains("others of its work-group are done"), "{error}");
    // Different barriers, within a subgroup and between subgroups.
    let error = diverges("two_barriers", 24);
    assert!(error.contains("others of its work-group at the one at word"), "{error}");
}
