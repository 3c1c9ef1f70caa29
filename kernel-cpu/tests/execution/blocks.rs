//! Blocks that the work-items of a subgroup read and write together.

use crate::driver::{Gpu, changed, set, set_group_size};
use level_zero_sys::ze_result_t;

const BLOCKS: &[u8] = include_bytes!("../modules/blocks.spv");

/// Runs a kernel of one group on the numbers from 1 on, which it copies to zeros.
fn run(gpu: &Gpu, name: &str, size: u32, [to, from]: [usize; 2]) -> (Result<(), ze_result_t>, Vec<u32>) {
    let out = gpu.buffer(&vec![0_u32; to]);
    let numbers = gpu.buffer(&(1..=from as u32).collect::<Vec<_>>());
    let kernel = gpu.kernel(BLOCKS, name);
    set(kernel, 0, out.pointer).unwrap();
    set(kernel, 1, numbers.pointer).unwrap();
    set_group_size(kernel, [size, 1, 1]).unwrap();
    (gpu.launch(kernel, [1, 1, 1]), out.read())
}

#[test]
fn lanes_are_a_subgroup_apart() {
    let gpu = Gpu::new();
    assert_eq!(run(&gpu, "copy", 16, [32, 32]), (Ok(()), (1..=32).collect()));
    // Of a subgroup that is not whole, those who are there access what is theirs.
    let mut expected = vec![0; 32];
    for i in [0, 1, 2, 16, 17, 18] {
        expected[i] = i as u32 + 1;
    }
    assert_eq!(run(&gpu, "copy", 3, [32, 32]), (Ok(()), expected));
}

#[test]
fn blocks_beyond_an_allocation_and_those_to_which_not_all_come_are_diagnosed() {
    let gpu = Gpu::new();
    for sizes in [[32, 31], [31, 32]] {
        let (result, _) = run(&gpu, "copy", 16, sizes);
        assert_eq!(result, Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST), "{sizes:?}");
        let error = gpu.last_error();
        assert!(error.contains("kernel `copy`"), "{error}");
    }
    // The driver keeps the last error, so this is not a test of its own.
    let (result, _) = run(&gpu, "some", 16, [32, 32]);
    assert_eq!(result, Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST));
    let error = gpu.last_error();
    assert!(error.contains("without the others of its subgroup"), "{error}");
    assert_eq!(run(&gpu, "some", 4, [4, 4]), (Ok(()), vec![1, 2, 3, 4]));
}

#[test]
fn other_data_and_other_memory_are_refused() {
    let check = |first, change: fn(&mut [u32]), expected| {
        let error = Gpu::new().module(&changed(BLOCKS, &[first], change)).unwrap_err();
        assert!(error.contains(expected), "{error}");
    };
    let type_int = 4 << 16 | 21;
    let type_vector = 4 << 16 | 23;
    let type_pointer = 4 << 16 | 32;
    // Integers of 8 bits, three of them, and pointers to local memory, which are the second type of pointer.
    check(type_int, |ty| ty[2] = 8, "1, 2, 4 or 8 integers of 16 or 32 bits");
    check(type_vector, |ty| ty[3] = 3, "1, 2, 4 or 8 integers of 16 or 32 bits");
    check(type_pointer, |ty| ty[6] = 4, "CrossWorkgroup memory");
}
