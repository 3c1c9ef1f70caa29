//! Copies that the work-items of a work-group make together.

use crate::driver::{Gpu, changed, set, set_group_size, set_local, words};
use level_zero_sys::ze_result_t;

const COPIES: &[u8] = include_bytes!("../modules/copies.spv");

/// Runs a kernel of one group on the numbers from 1 on, with so many bytes of local memory.
fn run(
    gpu: &Gpu,
    name: &str,
    [size, bytes]: [usize; 2],
    [count, stride]: [u64; 2],
) -> (Result<(), ze_result_t>, Vec<u32>) {
    let out = gpu.buffer(&[0_u32; 40]);
    let numbers = gpu.buffer(&(1..=40).collect::<Vec<u32>>());
    let kernel = gpu.kernel(COPIES, name);
    set(kernel, 0, out.pointer).unwrap();
    set(kernel, 1, numbers.pointer).unwrap();
    set_local(kernel, 2, bytes).unwrap();
    set(kernel, 3, count).unwrap();
    set(kernel, 4, stride).unwrap();
    set_group_size(kernel, [size as u32, 1, 1]).unwrap();
    (gpu.launch(kernel, [1, 1, 1]), out.read())
}

#[test]
fn the_stride_is_that_in_global_memory() {
    let gpu = Gpu::new();
    for size in [1, 5, 16, 33] {
        for (count, stride) in [(40, 1), (20, 2), (14, 3), (1, 40), (0, 0), (3, 19)] {
            let taken = |k: &u32| k.is_multiple_of(stride.max(1)) && u64::from(k / stride.max(1)) < count;
            let expected: Vec<u32> = (0..40).map(|k| if taken(&k) { k + 1 } else { 0 }).collect();
            let found = run(&gpu, "strided", [size, 160], [count, stride.into()]);
            assert_eq!(found, (Ok(()), expected), "{count} by {stride} in a group of {size}");
        }
    }
}

#[test]
fn elements_that_are_not_there_and_copies_to_which_not_all_come_are_diagnosed() {
    let gpu = Gpu::new();
    // Beyond the buffer, beyond the local memory, and where the offset is too large for its type.
    for (bytes, sizes) in
        [(160, [41, 1]), (160, [21, 2]), (156, [40, 1]), (160, [3, 1 << 62]), (160, [u64::MAX, 1])]
    {
        let (result, _) = run(&gpu, "strided", [16, bytes], sizes);
        let wraps = sizes == [3, 1 << 62];
        let expected = if wraps { Ok(()) } else { Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST) };
        assert_eq!(result, expected, "{sizes:?}");
        assert!(wraps || gpu.last_error().contains("kernel `strided`"), "{}", gpu.last_error());
    }
    let (result, _) = run(&gpu, "some", [16, 160], [4, 1]);
    assert_eq!(result, Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST));
    let error = gpu.last_error();
    assert!(error.contains("without the others of its subgroup"), "{error}");
    assert_eq!(run(&gpu, "some", [4, 160], [4, 1]).0, Ok(()));
}

#[test]
fn other_scopes_memory_and_types_are_refused() {
    let check = |first: &[u32], change: fn(&mut [u32]), expected| {
        let error = Gpu::new().module(&changed(COPIES, first, change)).unwrap_err();
        assert!(error.contains(expected), "{error}");
    };
    let (copy, wait, type_pointer) = (9 << 16 | 259, 4 << 16 | 260, 4 << 16 | 32);
    // The scope is the only constant with the value 2; from local memory to local memory; by numbers of 32 bits; without an event.
    let words = words(COPIES);
    let scope =
        words.windows(4).find(|words| words[0] == 4 << 16 | 43 && words[3] == 2).expect("it is there");
    check(scope, |constant| constant[3] = 3, "must be Workgroup");
    check(&[copy], |copy| copy[5] = copy[4], "between Workgroup and CrossWorkgroup memory");
    check(&[copy], |copy| copy[6] = copy[3], "counts by 64 bits");
    check(&[copy], |copy| copy[7] = copy[3], "counts by 64 bits");
    check(&[copy], |copy| copy[8] = copy[3], "an event");
    check(&[wait], |wait| wait[3] = wait[2], "a pointer type");
    check(&[type_pointer], |pointer| pointer[3] = 0, "a type");
}
