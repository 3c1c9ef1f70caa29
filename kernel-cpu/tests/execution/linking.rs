//! Programs of several modules, which import what others export.

use crate::driver::{Gpu, KERNELS, api, changed, create_kernel, renamed, set, set_group_size, words};
use level_zero_sys::*;
use std::ptr::{null, null_mut};

const MAIN: &[u8] = include_bytes!("../modules/link_main.spv");
const LIBRARY: &[u8] = include_bytes!("../modules/link_library.spv");

fn plain<'m>(modules: &[&'m [u8]]) -> Vec<(&'m [u8], Option<&'m ze_module_constants_t>)> {
    modules.iter().map(|module| (*module, None)).collect()
}

#[test]
fn modules_call_each_other_whatever_their_order() {
    for modules in [[MAIN, LIBRARY], [LIBRARY, MAIN]] {
        let gpu = Gpu::new();
        let module = gpu.program(&plain(&modules)).unwrap();
        let kernel = create_kernel(module, "apply").unwrap();
        set_group_size(kernel, [6, 1, 1]).unwrap();
        let (table, y) =
            (gpu.buffer(&[10.0_f32, 20.0, 30.0, 40.0]), gpu.buffer(&[0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.5]));
        set(kernel, 0, table.pointer).unwrap();
        set(kernel, 1, y.pointer).unwrap();
        set(kernel, 2, 2_i32).unwrap();
        gpu.launch(kernel, [1, 1, 1]).unwrap();
        // Twice the half of each, and the number two further in the table.
        assert_eq!(y.read(), [30.0, 41.0, 12.0, 23.0, 34.0, 45.5]);

        let kernel = create_kernel(module, "counted").unwrap();
        set_group_size(kernel, [5, 1, 1]).unwrap();
        let y = gpu.buffer(&[1, 7, 100_000, 3, 9]);
        set(kernel, 0, y.pointer).unwrap();
        gpu.launch(kernel, [1, 1, 1]).unwrap();
        assert_eq!(y.read(), [3, 70, 5, 10, 79]);
    }
}

#[test]
fn a_program_of_one_module_is_that_module() {
    let gpu = Gpu::new();
    let module = gpu.program(&plain(&[KERNELS[0]])).unwrap();
    create_kernel(module, "write_at").unwrap();
}

#[test]
fn modules_that_share_nothing_keep_all_their_kernels() {
    let gpu = Gpu::new();
    let straight: &[u8] = include_bytes!("../modules/straight.spv");
    let module = gpu.program(&plain(&[KERNELS[0], MAIN, LIBRARY, straight])).unwrap();
    for name in ["write_at", "apply", "counted"] {
        create_kernel(module, name).unwrap();
    }
}

/// It is built, and could be linked with another one later (dynamic_linking.rs).
#[test]
fn an_import_that_nobody_exports_leaves_no_kernels() {
    let gpu = Gpu::new();
    let other = renamed(LIBRARY, "count", "other");
    for modules in [&[MAIN][..], &[MAIN, &other]] {
        let module = gpu.program(&plain(modules)).unwrap();
        let error = create_kernel(module, "counted").unwrap_err();
        assert_eq!(error, ze_result_t::ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);
    }
}

#[test]
fn a_name_that_two_modules_export_is_refused() {
    let error = Gpu::new().program(&plain(&[MAIN, LIBRARY, LIBRARY])).unwrap_err();
    assert!(error.contains("two modules of the program export `"), "{error}");
}

#[test]
fn an_import_has_the_type_of_the_export() {
    // What is imported as a function of a number is exported as one of a pointer too.
    let swapped = renamed(&renamed(LIBRARY, "count", "other"), "noise", "count");
    let error = Gpu::new().program(&plain(&[MAIN, &swapped])).unwrap_err();
    let expected = "`count` is imported with another type than the one that it is exported with";
    assert!(error.contains(expected), "{error}");
}

/// Two kernels with a constant each, both of which have the number 5.
#[test]
fn constants_are_numbered_by_each_module() {
    let gpu = Gpu::new();
    let [first, second] = [("one", 11_u64), ("two", 22)].map(|(name, value)| {
        let module = renamed(include_bytes!("../modules/link_constant.spv"), "xyz", name);
        (module, value)
    });
    let (ids, values) =
        ([5], [&first.1, &second.1].map(|value| [std::ptr::from_ref(value).cast::<std::ffi::c_void>()]));
    let given = values.each_ref().map(|values| ze_module_constants_t {
        numConstants: 1,
        pConstantIds: ids.as_ptr(),
        pConstantValues: values.as_ptr().cast_mut(),
    });
    for (constants, expected) in
        [([Some(&given[0]), Some(&given[1])], [11, 22]), ([None, Some(&given[1])], [7, 22])]
    {
        let module = gpu.program(&[(&first.0, constants[0]), (&second.0, constants[1])]).unwrap();
        for (name, expected) in ["one", "two"].into_iter().zip(expected) {
            let kernel = create_kernel(module, name).unwrap();
            let y = gpu.buffer(&[0_u32]);
            set(kernel, 0, y.pointer).unwrap();
            gpu.launch(kernel, [1, 1, 1]).unwrap();
            assert_eq!(y.read(), [expected]);
        }
    }
}

#[test]
fn malformed_programs_are_refused() {
    let gpu = Gpu::new();
    let sizes = [MAIN.len(), LIBRARY.len()];
    let mut modules = [MAIN.as_ptr(), LIBRARY.as_ptr()];
    let whole = ze_module_program_exp_desc_t {
        count: 2,
        inputSizes: sizes.as_ptr(),
        pInputModules: modules.as_mut_ptr(),
        ..Default::default()
    };
    let build = |program: ze_module_program_exp_desc_t| {
        gpu.build(&ze_module_desc_t {
            format: ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV,
            pNext: (&raw const program).cast(),
            ..Default::default()
        })
    };
    let refused = |program, code: ze_result_t| {
        let error = build(program).unwrap_err();
        assert!(error.starts_with(&format!("{code:?}")), "{error}");
    };
    build(whole).unwrap();
    for count in [0, 257, u32::MAX] {
        refused(ze_module_program_exp_desc_t { count, ..whole }, ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
    }
    let null_pointer = ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    refused(ze_module_program_exp_desc_t { inputSizes: null(), ..whole }, null_pointer);
    refused(ze_module_program_exp_desc_t { pInputModules: std::ptr::null_mut(), ..whole }, null_pointer);
    let mut half = [MAIN.as_ptr(), null()];
    refused(ze_module_program_exp_desc_t { pInputModules: half.as_mut_ptr(), ..whole }, null_pointer);
    let odd = [MAIN.len(), LIBRARY.len() - 1];
    let program = ze_module_program_exp_desc_t { inputSizes: odd.as_ptr(), ..whole };
    let error = build(program).unwrap_err();
    assert!(error.contains("BUILD_FAILURE: module 1: error: a module is a sequence of words"), "{error}");
}

#[test]
fn mutated_programs_are_refused_or_built() {
    let gpu = Gpu::new();
    let (mut state, mut built) = (0x9e37_79b9_7f4a_7c15_u64, 0);
    let mut below = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound as u64) as usize
    };
    for round in 0..3000 {
        let mut modules = [words(MAIN), words(LIBRARY)];
        let module = &mut modules[round % 2];
        for _ in 0..=below(3) {
            let word = below(module.len());
            match below(4) {
                0 => module[word] ^= 1 << below(32),
                1 => module[word] = below(200) as u32,
                2 => module[word] = u32::MAX >> below(32),
                _ => module.truncate(word.max(1)),
            }
        }
        let bytes =
            modules.map(|module| module.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>());
        built += u32::from(gpu.program(&plain(&[&bytes[0], &bytes[1]])).is_ok());
    }
    assert!((100..2900).contains(&built), "{built} of 3000 programs are built");
}

/// Compilers make up what the pointers of functions lead to that they only see declared.
#[test]
fn pointers_of_an_import_may_lead_to_something_else() {
    const OPAQUE: &[u8] = include_bytes!("../modules/link_opaque.spv");
    const TYPED: &[u8] = include_bytes!("../modules/link_typed.spv");
    for modules in [[OPAQUE, TYPED], [TYPED, OPAQUE]] {
        let gpu = Gpu::new();
        let module = gpu.program(&plain(&modules)).unwrap();
        let kernel = create_kernel(module, "opaque").unwrap();
        let to = gpu.buffer(&[100_u32]);
        set(kernel, 0, to.pointer).unwrap();
        gpu.launch(kernel, [1, 1, 1]).unwrap();
        // The first call makes 6 of the kernel's own 3 and returns 106; the second one makes 112 of it.
        assert_eq!(to.read(), [212]);
    }
    // Memory of another kind stays another kind. The first pointer type is that of the first parameter.
    let elsewhere = changed(OPAQUE, &[4 << 16 | 32], |words| words[2] = 4);
    let gpu = Gpu::new();
    let refused = gpu.program(&plain(&[&elsewhere, TYPED])).unwrap_err();
    assert!(refused.contains("`twice` is imported with another type"), "{refused}");
}

#[test]
fn the_host_finds_variables_that_are_exported() {
    const VARIABLE: &[u8] = include_bytes!("../modules/link_variable.spv");
    let gpu = Gpu::new();
    let module = gpu.program(&plain(&[MAIN, VARIABLE])).unwrap();
    let (mut size, mut pointer) = (0, null_mut());
    let invalid_name = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);
    // SAFETY: names end with NUL, and the other pointers are null or to live variables.
    unsafe {
        let find = |name: &std::ffi::CStr, size, pointer| {
            api().zeModuleGetGlobalPointer(module, name.as_ptr(), size, pointer).into_result()
        };
        find(c"calls", &mut size, &mut pointer).unwrap();
        find(c"calls", null_mut(), null_mut()).unwrap();
        assert_eq!(find(c"count", &mut size, null_mut()), invalid_name, "that is a function");
        assert_eq!(find(c"", &mut size, null_mut()), invalid_name);
        let nameless = api().zeModuleGetGlobalPointer(module, null(), &mut size, &mut pointer);
        assert_eq!(nameless.into_result(), Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER));
    }
    assert_eq!(size, 4);
    let calls = pointer.cast::<i32>();
    // SAFETY: the variable is as large as that, and no kernel is running.
    unsafe {
        assert_eq!(calls.replace(1000), 0);
    }
    let kernel = create_kernel(module, "counted").unwrap();
    set_group_size(kernel, [5, 1, 1]).unwrap();
    let y = gpu.buffer(&[1, 7, 100_000, 3, 9]);
    set(kernel, 0, y.pointer).unwrap();
    gpu.launch(kernel, [1, 1, 1]).unwrap();
    // SAFETY: as above.
    assert_eq!(unsafe { calls.read() }, 1005);
}
