//! What the work-items of a subgroup and of a work-group do together.

mod driver;

use driver::{Gpu, changed, set, set_group_size, words};
use level_zero_sys::ze_result_t;

const GROUPS: &[u8] = include_bytes!("modules/groups.spv");

/// Runs a kernel of one group on zeros, with a number.
fn run(gpu: &Gpu, name: &str, size: u32, number: u32) -> (Result<(), ze_result_t>, Vec<u32>) {
    let out = gpu.buffer(&vec![0_u32; size as usize]);
    let kernel = gpu.kernel(GROUPS, name);
    set(kernel, 0, out.pointer).unwrap();
    set(kernel, 1, number).unwrap();
    set_group_size(kernel, [size, 1, 1]).unwrap();
    (gpu.launch(kernel, [1, 1, 1]), out.read())
}

#[test]
fn shuffles_by_a_window_take_from_two_values() {
    for by in [0, 1, 5, 15] {
        let expected: Vec<u32> = (0..16_u32)
            .map(|lane| {
                let down = if lane + by < 16 { lane + by } else { 100 + lane + by - 16 };
                let up = if lane >= by { lane - by } else { 100 + 16 + lane - by };
                (down * 100 + up) * 100 + (lane ^ by)
            })
            .collect();
        assert_eq!(run(&Gpu::new(), "windows", 16, by), (Ok(()), expected), "by {by}");
    }
}

/// Each scan starts from the one before, and subgroups run one after the other between two of them.
#[test]
fn scans_follow_each_other() {
    for size in [1, 16, 17, 100, 1024] {
        for times in [0, 1, 2, 5] {
            let mut expected: Vec<u32> = (0..size).collect();
            for _ in 0..times {
                let mut sum = 0_u32;
                for value in &mut expected {
                    sum = sum.wrapping_add(*value);
                    *value = sum;
                }
            }
            let found = run(&Gpu::new(), "rounds", size, times);
            assert_eq!(found, (Ok(()), expected), "{times} times for {size}");
        }
    }
}

#[test]
fn what_not_all_come_to_is_diagnosed() {
    let gpu = Gpu::new();
    let (result, _) = run(&gpu, "some", 16, 0);
    assert_eq!(result, Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST));
    let error = gpu.last_error();
    assert!(
        error.contains("kernel `some`") && error.contains("without the others of its subgroup"),
        "{error}"
    );
    // All that there are come.
    assert_eq!(run(&gpu, "some", 4, 0), (Ok(()), vec![4; 4]));
}

#[test]
fn other_scopes_and_operations_are_refused() {
    // OpConstant for the scope Subgroup, by its length and opcode; the value is the last word.
    let words = words(GROUPS);
    let scope =
        words.windows(4).find(|words| words[0] == 4 << 16 | 43 && words[3] == 3).expect("it is there");
    let device = changed(GROUPS, scope, |constant| constant[3] = 1);
    let error = Gpu::new().module(&device).unwrap_err();
    assert!(error.contains("must be Workgroup or Subgroup"), "{error}");
    // OpGroupIAdd with an operation that is for clusters.
    let add = words.windows(6).find(|words| words[0] == 6 << 16 | 264 && words[4] == 0).expect("it is there");
    let clustered = changed(GROUPS, &add[..5], |add| add[4] = 3);
    let error = Gpu::new().module(&clustered).unwrap_err();
    assert!(error.contains("group operation"), "{error}");
}
