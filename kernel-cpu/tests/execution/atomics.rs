//! Atomics that other compilers emit, and those that the environment does not have.

use crate::driver::{Gpu, api, set, set_group_size};
use kernel_core::f16;
use level_zero_sys::{
    ZE_FLOAT_ATOMICS_EXT_NAME, ze_device_fp_atomic_ext_flags_t, ze_device_module_properties_t,
    ze_driver_extension_properties_t, ze_float_atomic_ext_properties_t,
};

const ATOMICS: &[u8] = include_bytes!("../modules/atomics.spv");

#[test]
fn halves_are_updated_in_their_own_precision() {
    let gpu = Gpu::new();
    let half = f16::from_f32;
    let x: Vec<f16> = (0..24_i16).map(|k| half(f32::from(k * 7 % 24) / 4.0 - 2.0)).collect();
    let sum: f32 = x.iter().map(|value| value.to_f32()).sum();
    let y = gpu.buffer(&[half(1.0), half(0.0), half(0.0), half(9.0)]);
    let z = gpu.buffer(&[f32::NAN, f32::NAN]);
    let input = gpu.buffer(&x);
    let kernel = gpu.kernel(ATOMICS, "halves");
    set(kernel, 0, input.pointer).unwrap();
    set(kernel, 1, y.pointer).unwrap();
    set(kernel, 2, z.pointer).unwrap();
    set_group_size(kernel, [24, 1, 1]).unwrap();
    gpu.launch(kernel, [1, 1, 1]).unwrap();
    assert_eq!(y.read(), [half(1.0 + sum), half(-2.0), half(3.75), half(0.5)]);
    assert_eq!(z.read(), [-2.0, 3.75], "a number takes the place of what is none");
    assert_eq!(input.read(), [half(0.5); 24]);
}

#[test]
fn counters_and_flags() {
    let gpu = Gpu::new();
    let c = gpu.buffer(&[10_u32, 100, 0, 0, 5]);
    let kernel = gpu.kernel(ATOMICS, "counters");
    set(kernel, 0, c.pointer).unwrap();
    set_group_size(kernel, [8, 1, 1]).unwrap();
    gpu.launch(kernel, [1, 1, 1]).unwrap();
    let after = c.read();
    assert_eq!((after[0], after[1], after[2], after[4]), (18, 92, 0, 7));
    // One at least finds the flag as it was; how many do depends on when it is cleared.
    assert!((41..=56).contains(&after[3]), "{after:?}");
}

#[test]
fn what_the_environment_does_not_have_is_refused() {
    let gpu = Gpu::new();
    let modules: [(&[u8], &str); 4] = [
        (include_bytes!("../modules/atomic_short.spv"), "integers of 32 and 64 bits"),
        (include_bytes!("../modules/atomic_float_bits.spv"), "the atomic operation and what it works on"),
        (include_bytes!("../modules/atomic_float_exchange.spv"), "the atomic operation and what it works on"),
        (include_bytes!("../modules/atomic_integer_sum.spv"), "the atomic operation and what it works on"),
    ];
    for (module, expected) in modules {
        let log = gpu.module(module).unwrap_err();
        assert!(log.contains(expected), "{log}");
    }
}

#[test]
fn the_device_says_which_floats_it_updates() {
    use ze_device_fp_atomic_ext_flags_t as Flags;
    let gpu = Gpu::new();
    let (mut count, mut extensions) = (0, vec![ze_driver_extension_properties_t::default(); 32]);
    let mut atomics = ze_float_atomic_ext_properties_t::default();
    let mut module = ze_device_module_properties_t { pNext: (&raw mut atomics).cast(), ..Default::default() };
    // SAFETY: the handles come from the driver, and all pointers are to live variables; the array is as long as the count says.
    unsafe {
        api()
            .zeDriverGetExtensionProperties(gpu.driver, &mut count, std::ptr::null_mut())
            .into_result()
            .unwrap();
        assert!(count as usize <= extensions.len());
        api()
            .zeDriverGetExtensionProperties(gpu.driver, &mut count, extensions.as_mut_ptr())
            .into_result()
            .unwrap();
        api().zeDeviceGetModuleProperties(gpu.device, &mut module).into_result().unwrap();
    }
    let name = ZE_FLOAT_ATOMICS_EXT_NAME.to_string_lossy();
    assert!(extensions.iter().take(count as usize).any(|found| found.name.to_string_lossy() == name));
    let all = Flags::ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE
        | Flags::ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD
        | Flags::ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX
        | Flags::ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_LOAD_STORE
        | Flags::ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_ADD
        | Flags::ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX;
    assert_eq!([atomics.fp16Flags, atomics.fp32Flags, atomics.fp64Flags].map(|flags| flags.0), [all.0; 3]);
}
