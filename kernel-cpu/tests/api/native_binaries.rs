//! Modules that leave the driver as native binaries, and come back.

use crate::driver::{Gpu, KERNELS, api, create_kernel, set, set_group_size};
use level_zero_sys::*;
use std::ptr::null_mut;

fn binary(module: ze_module_handle_t) -> Vec<u8> {
    let mut size = 0;
    // SAFETY: the first call asks for the size, the second has as much room.
    unsafe {
        api().zeModuleGetNativeBinary(module, &mut size, null_mut()).into_result().unwrap();
        let mut bytes = vec![0_u8; size];
        api().zeModuleGetNativeBinary(module, &mut size, bytes.as_mut_ptr()).into_result().unwrap();
        bytes
    }
}

impl Gpu {
    fn native(&self, bytes: &[u8]) -> Result<ze_module_handle_t, String> {
        self.build(&ze_module_desc_t {
            format: ze_module_format_t::ZE_MODULE_FORMAT_NATIVE,
            inputSize: bytes.len(),
            pInputModule: bytes.as_ptr(),
            ..Default::default()
        })
    }

    /// What the kernel `collatz` of a module makes of some numbers.
    fn collatz(&self, module: ze_module_handle_t) -> Vec<u32> {
        let numbers = self.buffer(&(0..256).collect::<Vec<u32>>());
        let kernel = create_kernel(module, "collatz").unwrap();
        set(kernel, 0, numbers.pointer).unwrap();
        set_group_size(kernel, [64, 1, 1]).unwrap();
        self.launch(kernel, [4, 1, 1]).unwrap();
        numbers.read()
    }
}

#[test]
fn a_binary_is_the_module_again() {
    let gpu = Gpu::new();
    for spirv in KERNELS {
        let module = gpu.module(spirv).unwrap();
        let bytes = binary(module);
        let again = gpu.native(&bytes).unwrap();
        assert_eq!(gpu.collatz(again), gpu.collatz(module));
        assert_eq!(binary(again), bytes);
    }
}

/// What the kernel of a module writes of its constants.
fn constants(gpu: &Gpu, module: ze_module_handle_t) -> Vec<u64> {
    let words = gpu.buffer(&[0_u64; 9]);
    let kernel = create_kernel(module, "constants").unwrap();
    set(kernel, 0, words.pointer).unwrap();
    gpu.launch(kernel, [1, 1, 1]).unwrap();
    words.read()
}

#[test]
fn a_binary_has_the_values_of_constants() {
    let gpu = Gpu::new();
    let spirv = include_bytes!("../modules/constants.spv");
    let plain = gpu.module(spirv).unwrap();
    let defaults = constants(&gpu, plain);
    let doubled = u64::from(3_000_000_000_u32.wrapping_mul(2));
    let bits = [0x3e00, u64::from(2.5_f32.to_bits()), 3.5_f64.to_bits()];
    let expected =
        [1, 200, 40_000, 3_000_000_000, 10_000_000_000_000_000_000, bits[0], bits[1], bits[2], doubled];
    assert_eq!(defaults, expected);
    assert_eq!(constants(&gpu, gpu.native(&binary(plain)).unwrap()), defaults);
    // Each constant is set, of whatever width.
    let values = [0, 0x7f, 0x1234, 21, 5 << 40, 0x4000, u64::from(0.25_f32.to_bits()), 8.0_f64.to_bits()];
    let mut pointers: Vec<_> = values.iter().map(|value| std::ptr::from_ref(value).cast()).collect();
    let ids = [1_u32, 2, 3, 4, 5, 6, 7, 8];
    let given = ze_module_constants_t {
        numConstants: 8,
        pConstantIds: ids.as_ptr(),
        pConstantValues: pointers.as_mut_ptr(),
    };
    let set = gpu.build(&ze_module_desc_t {
        format: ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV,
        inputSize: spirv.len(),
        pInputModule: spirv.as_ptr(),
        pConstants: &given,
        ..Default::default()
    });
    let set = set.unwrap();
    let expected: Vec<u64> = values.into_iter().chain([42]).collect();
    assert_eq!(constants(&gpu, set), expected);
    let again = gpu.native(&binary(set)).unwrap();
    assert_eq!(constants(&gpu, again), expected, "the values are part of the binary");
}

#[test]
fn values_of_constants_have_as_many_bytes_as_the_constants() {
    let gpu = Gpu::new();
    let spirv = include_bytes!("../modules/constants.spv");
    let values = [0_u64, 0x7f, 0x1234, 21, 5 << 40, 0x4000, 0.25_f32.to_bits().into(), 8.0_f64.to_bits()];
    // One after the other, as the runtime of SYCL has them, behind each of which is what it does not mean.
    let mut packed = Vec::new();
    let places: Vec<usize> = values
        .iter()
        .zip([1, 1, 2, 4, 8, 2, 4, 8])
        .map(|(value, size)| {
            packed.extend_from_slice(&value.to_le_bytes()[..size]);
            packed.len() - size
        })
        .collect();
    packed.extend([0xff; 8]);
    let mut pointers: Vec<_> = places.iter().map(|&place| packed[place..].as_ptr().cast()).collect();
    // Of what is no constant of the module nothing is read.
    pointers.push(std::ptr::without_provenance(1));
    let ids = [1_u32, 2, 3, 4, 5, 6, 7, 8, 9];
    let given = ze_module_constants_t {
        numConstants: 9,
        pConstantIds: ids.as_ptr(),
        pConstantValues: pointers.as_mut_ptr(),
    };
    let set = gpu.build(&ze_module_desc_t {
        format: ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV,
        inputSize: spirv.len(),
        pInputModule: spirv.as_ptr(),
        pConstants: &given,
        ..Default::default()
    });
    let expected: Vec<u64> = values.into_iter().chain([42]).collect();
    assert_eq!(constants(&gpu, set.unwrap()), expected);
}

#[test]
fn what_is_no_binary_is_refused() {
    let gpu = Gpu::new();
    let module = gpu.module(KERNELS[0]).unwrap();
    let good = binary(module);
    let refused = |bytes: &[u8], why: &str| {
        let error = gpu.native(bytes).unwrap_err();
        assert!(error.contains("INVALID_NATIVE_BINARY") && error.contains(why), "{error}");
    };
    refused(&good[..good.len() - 1], "should have");
    refused(&good[..20], "longer than 20");
    refused(KERNELS[0], "no native binary of this driver");
    for position in (0..good.len()).step_by(97) {
        let mut changed = good.clone();
        changed[position] ^= 0x40;
        assert!(gpu.native(&changed).is_err(), "byte {position}");
    }
    let error = gpu.native(&[]).unwrap_err();
    assert!(error.contains("INVALID_SIZE"), "{error}");
    let mut size = 1;
    let mut byte = 0;
    // SAFETY: pointers are to live variables or null, and handles are wrong on purpose.
    unsafe {
        let get = |module, size, to| api().zeModuleGetNativeBinary(module, size, to).into_result();
        let null_handle = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
        assert_eq!(get(ze_module_handle_t::NULL, &raw mut size, null_mut()), null_handle);
        let null_pointer = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        assert_eq!(get(module, null_mut(), null_mut()), null_pointer);
        let too_small = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
        assert_eq!(get(module, &raw mut size, &raw mut byte), too_small);
        assert_eq!((size, byte), (good.len(), 0));
    }
}

#[test]
fn a_module_in_a_binary_is_as_hostile_as_any() {
    let gpu = Gpu::new();
    let good = binary(gpu.module(KERNELS[0]).unwrap());
    // The checksum is made right, so that the module in the binary has to be looked at.
    for position in (40..good.len()).step_by(61) {
        let mut changed = good.clone();
        changed[position] ^= 0x11;
        let checksum = changed[40..].iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        changed[32..40].copy_from_slice(&checksum.to_le_bytes());
        if let Err(error) = gpu.native(&changed) {
            assert!(error.contains("MODULE_BUILD_FAILURE"), "byte {position}: {error}");
        }
    }
}
