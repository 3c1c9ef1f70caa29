//! The private memory of a work-item is its own: no other one can read or write it, whichever way a pointer comes by its address.

use crate::driver::{Gpu, set, set_group_size, set_local};
use level_zero_sys::ze_result_t;

const LOST: Result<(), ze_result_t> = Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST);

/// The kernels with nothing but their arrays in memory, and with every local there.
const OPTIMIZED: &[u8] = include_bytes!("../modules/private.spv");
const PLAIN: &[u8] = include_bytes!("../modules/private_o0.spv");

/// Four work-items, which are neighbours in a subgroup.
const ITEMS: u32 = 4;

/// What a kernel writes to a buffer of zeros, or the text of its fault.
fn run(spirv: &[u8], name: &str, number: i64, addresses: bool) -> Result<Vec<u32>, String> {
    let gpu = Gpu::new();
    let out = gpu.buffer(&[0_u32; 16]);
    let kernel = gpu.kernel(spirv, name);
    set(kernel, 0, out.pointer).unwrap();
    set(kernel, 1, number).unwrap();
    if addresses {
        set_local(kernel, 2, 8 * ITEMS as usize).unwrap();
    }
    set_group_size(kernel, [ITEMS, 1, 1]).unwrap();
    match gpu.launch(kernel, [1, 1, 1]) {
        Ok(()) => Ok(out.read()),
        lost => {
            assert_eq!(lost, LOST);
            Err(gpu.last_error())
        }
    }
}

fn is_fault(result: Result<Vec<u32>, String>, what: &str) {
    let error = result.expect_err(what);
    assert!(
        error.contains("not in the memory of the work-item") || error.contains("in no memory of the kernel"),
        "{what}: {error}"
    );
}

/// The kernels that access elements of an array, the last index that each may use, and what work-item 2 has at index 0.
const KERNELS: [(&str, i64, u32); 9] = [
    ("element", 3, 102),
    ("odd", 2, 2),
    ("generic_pointer", 3, 2),
    ("number", 3, 2),
    ("vector", 0, 2 ^ 5),
    ("vector_store", 0, 2),
    ("member", 3, 102),
    ("parts", 3, 0.5_f32.to_bits()),
    ("atomic_add", 3, 2),
];

#[test]
fn an_array_ends_before_the_memory_of_the_next_work_item() {
    for (name, last, first) in KERNELS {
        for spirv in [OPTIMIZED, PLAIN] {
            let found = run(spirv, name, 0, false).unwrap();
            match name {
                // The sum with an element that the kernel chooses by what it has written.
                "parts" | "vector_store" => {}
                _ => assert_eq!(found[2], first, "{name}"),
            }
            run(spirv, name, last, false).unwrap();
            // Beyond all that the work-item has of its own, but not beyond what the work-items beside it have.
            for index in [48, -48] {
                is_fault(run(spirv, name, index, false), &format!("{name} {index}"));
            }
        }
        // Here the array is all that it has.
        for index in [last + 1, last + 2, -1] {
            // What comes before an array in its structure is not told apart from the array.
            if name != "member" || index > 0 {
                is_fault(run(OPTIMIZED, name, index, false), &format!("{name} {index}"));
            }
        }
    }
}

#[test]
fn copies_end_there_too() {
    for spirv in [OPTIMIZED, PLAIN] {
        let found = run(spirv, "copied_from", 0, false).unwrap();
        assert_eq!(found[8..12], [2, 3, 4, 5]);
        run(spirv, "copied_to", 0, false).unwrap();
        for name in ["copied_from", "copied_to"] {
            for index in [48, -48] {
                is_fault(run(spirv, name, index, false), &format!("{name} {index}"));
            }
        }
    }
    for name in ["copied_from", "copied_to"] {
        for index in [1, 4, -1] {
            is_fault(run(OPTIMIZED, name, index, false), &format!("{name} {index}"));
        }
    }
}

#[test]
fn a_pointer_to_private_memory_means_nothing_to_another_work_item() {
    for spirv in [OPTIMIZED, PLAIN] {
        for (name, addresses) in [("handed", true), ("shuffled", false)] {
            let found = run(spirv, name, 0, addresses).unwrap();
            assert_eq!(found[..4], [1, 2, 3, 4], "{name}: its own");
            for by in [1, 2, 3] {
                is_fault(run(spirv, name, by, addresses), &format!("{name} {by}"));
            }
        }
    }
}
