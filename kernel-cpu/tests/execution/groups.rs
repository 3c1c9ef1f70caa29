//! What the work-items of a subgroup and of a work-group do together.

use crate::driver::{Gpu, changed, set, set_group_size, words};
use level_zero_sys::ze_result_t;

const GROUPS: &[u8] = include_bytes!("../modules/groups.spv");

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

/// How many work-items a subgroup has here.
const SUBGROUP: usize = 16;

/// What a kernel of `uniform_groups` leaves for each work-item: a reduction and both scans of its subgroup, and of its work-group.
fn expected(words: &[u32], neutral: u32, combine: fn(u32, u32) -> u32) -> Vec<u32> {
    let of_group = |group: &[u32], place: usize| {
        let total = |words: &[u32]| words.iter().copied().fold(neutral, combine);
        [total(group), total(&group[..=place]), total(&group[..place])]
    };
    let of_item = |item: usize| {
        let start = item / SUBGROUP * SUBGROUP;
        let subgroup = &words[start..words.len().min(start + SUBGROUP)];
        [of_group(subgroup, item - start), of_group(words, item)].concat()
    };
    (0..words.len()).flat_map(of_item).collect()
}

#[test]
fn uniform_groups_multiply_and_combine_bits() {
    const MODULE: &[u8] = include_bytes!("../modules/uniform_groups.spv");
    /// A kernel with what makes its values of words, what changes nothing, and how two are combined.
    type Case = (&'static str, fn(u32) -> u32, u32, fn(u32, u32) -> u32);
    let float = |word: u32| f32::to_bits(if word.is_multiple_of(7) { -2.0 } else { 1.0 });
    let cases: [Case; 8] = [
        ("product", |word| word, 1, u32::wrapping_mul),
        ("float_product", float, 1.0_f32.to_bits(), |a, b| (f32::from_bits(a) * f32::from_bits(b)).to_bits()),
        ("bits_and", |word| word | 0xff, u32::MAX, |a, b| a & b),
        ("bits_or", |word| word & 0xf0f0, 0, |a, b| a | b),
        ("bits_xor", |word| word, 0, |a, b| a ^ b),
        ("all_true", |word| u32::from(!word.is_multiple_of(5)), 1, |a, b| a & b),
        ("any_true", |word| u32::from(word.is_multiple_of(19)), 0, |a, b| a | b),
        ("parity", |word| word & 1, 0, |a, b| a ^ b),
    ];
    let gpu = Gpu::new();
    for (name, of_word, neutral, combine) in cases {
        for size in [1, 16, 37, 200_u32] {
            let words: Vec<u32> =
                (0..size).map(|i| of_word(i.wrapping_mul(2_654_435_761) >> 7 | 1)).collect();
            let (from, to) = (gpu.buffer(&words), gpu.buffer(&vec![7_u32; 6 * words.len()]));
            let kernel = gpu.kernel(MODULE, name);
            set(kernel, 0, from.pointer).unwrap();
            set(kernel, 1, to.pointer).unwrap();
            set_group_size(kernel, [size, 1, 1]).unwrap();
            gpu.launch(kernel, [1, 1, 1]).unwrap();
            assert_eq!(to.read(), expected(&words, neutral, combine), "{name} of {size}");
        }
    }
}
