//! Accesses that a kernel may not make are diagnosed, and touch nothing.

use crate::driver::{Gpu, KERNELS, set, set_group_size};
use level_zero_sys::{ze_kernel_handle_t, ze_result_t};

const LOST: Result<(), ze_result_t> = Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST);

/// Runs a kernel in one group of `items`, for both compilations; returns what came of it and the text of the
/// fault.
fn run(
    name: &str,
    items: u32,
    arguments: impl Fn(&Gpu, ze_kernel_handle_t) -> Result<(), ze_result_t>,
) -> String {
    let gpu = Gpu::new();
    for spirv in KERNELS {
        let kernel = gpu.kernel(spirv, name);
        set_group_size(kernel, [items, 1, 1]).unwrap();
        arguments(&gpu, kernel).unwrap();
    }
    gpu.last_error()
}

#[test]
fn writes_beside_a_buffer() {
    for index in [4_i64, -1, 1 << 40, i64::MIN / 4, 1 << 62] {
        let error = run("write_at", 1, |gpu, kernel| {
            let words = gpu.buffer(&[7_u32; 4]);
            set(kernel, 0, words.pointer)?;
            set(kernel, 1, index)?;
            // Four times 2^62 wraps around to the first word, as in C.
            let expected = if index == 1 << 62 { (Ok(()), [1, 7, 7, 7]) } else { (LOST, [7; 4]) };
            assert_eq!((gpu.launch(kernel, [1, 1, 1]), &words.read()[..]), (expected.0, &expected.1[..]));
            Ok(())
        });
        if index != 1 << 62 {
            assert!(error.contains("kernel `write_at`, work-item (0, 0, 0)"), "{error}");
            assert!(error.contains("writes 4 bytes at") && error.contains("no live allocation"), "{error}");
        }
    }
}

#[test]
fn null_and_freed_pointers() {
    let error = run("read_at", 5, |gpu, kernel| {
        let out = gpu.buffer(&[0_u32; 5]);
        set(kernel, 0, std::ptr::null::<u32>())?;
        set(kernel, 1, 0_i64)?;
        set(kernel, 2, out.pointer)?;
        assert_eq!(gpu.launch(kernel, [1, 1, 1]), LOST);
        let freed = gpu.buffer(&[1_u32; 100]).pointer;
        set(kernel, 0, freed)?;
        assert_eq!(gpu.launch(kernel, [1, 1, 1]), LOST);
        assert_eq!(out.read(), [0; 5]);
        Ok(())
    });
    assert!(error.contains("reads 4 bytes"), "{error}");
}

#[test]
fn local_and_private_arrays_end_somewhere() {
    let error = run("local_at", 3, |gpu, kernel| {
        let out = gpu.buffer(&[0_u32; 3]);
        set(kernel, 0, out.pointer)?;
        set(kernel, 1, 3_u32)?;
        gpu.launch(kernel, [1, 1, 1])?;
        assert_eq!(out.read(), [5; 3]);
        set(kernel, 1, 4_u32)?;
        assert_eq!(gpu.launch(kernel, [1, 1, 1]), LOST);
        Ok(())
    });
    // Without optimisation the pointers are generic.
    assert!(
        error.contains("not in the local memory") || error.contains("in no memory of the kernel"),
        "{error}"
    );
    let error = run("private_at", 3, |gpu, kernel| {
        let out = gpu.buffer(&[0_u32; 3]);
        set(kernel, 0, out.pointer)?;
        set(kernel, 1, 2_u32)?;
        gpu.launch(kernel, [1, 1, 1])?;
        assert_eq!(out.read(), [140 - 4 + 100; 3]);
        set(kernel, 1, 100_000_u32)?;
        assert_eq!(gpu.launch(kernel, [1, 1, 1]), LOST);
        Ok(())
    });
    assert!(
        error.contains("not in the memory of the work-item") || error.contains("in no memory of the kernel"),
        "{error}"
    );
}

#[test]
fn atomics_must_be_aligned() {
    let error = run("misaligned", 1, |gpu, kernel| {
        let words = gpu.buffer(&[0_u32; 4]);
        set(kernel, 0, words.pointer)?;
        assert_eq!(gpu.launch(kernel, [1, 1, 1]), LOST);
        assert_eq!(words.read(), [0; 4]);
        Ok(())
    });
    assert!(error.contains("needs 4-byte alignment"), "{error}");
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
struct FaultRecord {
    count: u32,
    site: u32,
    values: [u64; 2],
    global_id: [u64; 3],
}

#[test]
fn kernels_with_checks_of_their_own_record_faults() {
    run("saxpy_checked", 64, |gpu, kernel| {
        let zero = FaultRecord { count: 0, site: 0, values: [0; 2], global_id: [0; 3] };
        let record = gpu.buffer(&[zero]);
        let (x, y) = (gpu.buffer(&[2.0_f32; 1000]), gpu.buffer(&[1.0_f32; 990]));
        set(kernel, 0, 3.0_f32)?;
        set(kernel, 1, x.pointer)?;
        set(kernel, 2, 1000_u64)?;
        set(kernel, 3, y.pointer)?;
        set(kernel, 4, 990_u64)?;
        set(kernel, 5, record.pointer)?;
        gpu.launch(kernel, [16, 1, 1])?;
        assert_eq!(y.read(), [7.0; 990]);
        let found = record.read()[0];
        assert_eq!((found.count, found.site, found.values[1]), (1024 - 990, 7, 990));
        assert!((990..1024).contains(&found.values[0]) && found.global_id == [found.values[0], 0, 0]);
        Ok(())
    });
}
