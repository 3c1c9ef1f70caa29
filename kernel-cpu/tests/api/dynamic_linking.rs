//! Modules that are linked when the host has them already (`zeModuleDynamicLink`), and what they say of themselves.

use crate::driver::{Gpu, Outcome, api, build_log, create_kernel, renamed, set, set_group_size, words};
use level_zero_sys::*;
use std::ptr::{null_mut, without_provenance_mut};

const MAIN: &[u8] = include_bytes!("../modules/link_main.spv");
const LIBRARY: &[u8] = include_bytes!("../modules/link_library.spv");
const VARIABLE: &[u8] = include_bytes!("../modules/link_variable.spv");

const UNLINKED: ze_result_t = ze_result_t::ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED;
const LINK_FAILURE: ze_result_t = ze_result_t::ZE_RESULT_ERROR_MODULE_LINK_FAILURE;

/// Links modules; the outcome and the log.
fn link(modules: &[ze_module_handle_t]) -> (Outcome, String) {
    let (mut modules, mut log) = (modules.to_vec(), ze_module_build_log_handle_t::NULL);
    // SAFETY: the array has as many handles, and the log is a live variable.
    let result = unsafe { api().zeModuleDynamicLink(modules.len() as u32, modules.as_mut_ptr(), &mut log) };
    let text = if log.is_null() { String::new() } else { build_log(log) };
    (result.into_result(), text)
}

#[track_caller]
fn links(modules: &[ze_module_handle_t]) {
    assert_eq!(link(modules), (Ok(()), String::new()));
}

/// Checks that modules cannot be linked, and that the log says why.
#[track_caller]
fn fails(modules: &[ze_module_handle_t], expected: &[&str]) {
    let (result, log) = link(modules);
    assert_eq!(result, Err(LINK_FAILURE), "{log}");
    for expected in expected {
        assert!(log.contains(expected), "{log}");
    }
}

fn destroy(module: ze_module_handle_t) {
    // SAFETY: the handle is one of the driver, and not used again but to be refused.
    unsafe { api().zeModuleDestroy(module) }.into_result().unwrap();
}

/// Launches the kernel that counts by the library.
fn counted(gpu: &Gpu, module: ze_module_handle_t) -> Vec<i32> {
    let kernel = create_kernel(module, "counted").unwrap();
    set_group_size(kernel, [5, 1, 1]).unwrap();
    let y = gpu.buffer(&[1, 7, 100_000, 3, 9]);
    set(kernel, 0, y.pointer).unwrap();
    gpu.launch(kernel, [1, 1, 1]).unwrap();
    y.read()
}

/// Launches the kernel that calls the library, which calls back.
fn applied(gpu: &Gpu, module: ze_module_handle_t) -> Vec<f32> {
    let kernel = create_kernel(module, "apply").unwrap();
    set_group_size(kernel, [3, 1, 1]).unwrap();
    let (table, y) = (gpu.buffer(&[10.0_f32, 20.0, 30.0, 40.0]), gpu.buffer(&[0.0_f32, 1.0, 2.0]));
    set(kernel, 0, table.pointer).unwrap();
    set(kernel, 1, y.pointer).unwrap();
    set(kernel, 2, 2_i32).unwrap();
    gpu.launch(kernel, [1, 1, 1]).unwrap();
    y.read()
}

const COUNTED: [i32; 5] = [3, 70, 5, 10, 79];
const APPLIED: [f32; 3] = [30.0, 41.0, 12.0];

fn has_imports(module: ze_module_handle_t) -> bool {
    let mut properties = ze_module_properties_t::default();
    // SAFETY: the properties are a live variable.
    unsafe { api().zeModuleGetProperties(module, &mut properties) }.into_result().unwrap();
    properties.flags == ze_module_property_flags_t::ZE_MODULE_PROPERTY_FLAG_IMPORTS
}

fn kernel_count(module: ze_module_handle_t) -> u32 {
    let mut count = 0;
    // SAFETY: the count is a live variable, and no names are asked for.
    unsafe { api().zeModuleGetKernelNames(module, &mut count, null_mut()) }.into_result().unwrap();
    count
}

#[test]
fn modules_have_kernels_once_they_are_linked() {
    let gpu = Gpu::new();
    for swapped in [false, true] {
        let [main, library] = [MAIN, LIBRARY].map(|module| gpu.module(module).unwrap());
        assert_eq!((kernel_count(main), kernel_count(library)), (2, 0));
        assert!(has_imports(main) && has_imports(library));
        for name in ["apply", "counted", "other"] {
            assert_eq!(create_kernel(main, name).unwrap_err(), UNLINKED);
        }
        links(&if swapped { [library, main] } else { [main, library] });
        assert_eq!(applied(&gpu, main), APPLIED);
        assert_eq!(counted(&gpu, main), COUNTED);
        let other = create_kernel(main, "other").unwrap_err();
        assert_eq!(other, ze_result_t::ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
        // What is linked stays so, whatever it is listed with, and whatever ends.
        links(&[main, library, main]);
        links(&[main]);
        destroy(library);
        assert_eq!(counted(&gpu, main), COUNTED);
    }
}

#[test]
fn the_build_log_names_what_is_missing() {
    let gpu = Gpu::new();
    let descriptor = ze_module_desc_t {
        format: ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV,
        inputSize: MAIN.len(),
        pInputModule: MAIN.as_ptr(),
        ..Default::default()
    };
    let (mut module, mut log) = (ze_module_handle_t::NULL, ze_module_build_log_handle_t::NULL);
    // SAFETY: the descriptor is of live bytes, and the pointers are to live variables.
    unsafe { api().zeModuleCreate(gpu.context, gpu.device, &descriptor, &mut module, &mut log) }
        .into_result()
        .unwrap();
    let log = build_log(log);
    for expected in ["`noise` is imported, but no module of the program exports it", "`count`", "linked"] {
        assert!(log.contains(expected), "{log}");
    }
}

#[test]
fn what_nobody_exports_is_named_and_nothing_is_linked() {
    let gpu = Gpu::new();
    let main = gpu.module(MAIN).unwrap();
    let missing = [
        "module 0",
        "`noise` is imported, but no module of the program exports it",
        "`count` is imported, but no module of the program exports it",
    ];
    // A module exports nothing to itself, however often it is listed.
    fails(&[main], &missing);
    fails(&[main, main], &missing);
    let half = gpu.module(&renamed(LIBRARY, "count", "other")).unwrap();
    fails(&[main, half], &[missing[2]]);
    // One that could be linked is not, if another one cannot be.
    let others = [("twice", "thric"), ("noise", "nois2"), ("count", "coun2")];
    let lonely = others.iter().fold(LIBRARY.to_vec(), |module, (from, to)| renamed(&module, from, to));
    let [whole, lonely] = [LIBRARY, &lonely].map(|module| gpu.module(module).unwrap());
    fails(&[main, whole, lonely], &["module 2", "`thric` is imported"]);
    assert_eq!(create_kernel(main, "counted").unwrap_err(), UNLINKED);
    links(&[main, whole]);
    assert_eq!(counted(&gpu, main), COUNTED);
}

#[test]
fn an_import_that_two_modules_export_is_ambiguous() {
    let gpu = Gpu::new();
    let [main, library, again] = [MAIN, LIBRARY, LIBRARY].map(|module| gpu.module(module).unwrap());
    let twice = ["two modules of the program export `noise`", "two modules of the program export `count`"];
    fails(&[main, library, again], &twice);
    assert_eq!(create_kernel(main, "counted").unwrap_err(), UNLINKED);
    links(&[again, main]);
    assert_eq!(applied(&gpu, main), APPLIED);
}

/// Two modules with the same kernels, each of which the same library calls back.
#[test]
fn a_module_is_linked_once() {
    let gpu = Gpu::new();
    let [main, library, second] = [MAIN, LIBRARY, MAIN].map(|module| gpu.module(module).unwrap());
    links(&[main, library]);
    // The library keeps the function of the first one, which the second one exports too.
    links(&[second, library]);
    destroy(main);
    assert_eq!(applied(&gpu, second), APPLIED);
    let third = gpu.module(MAIN).unwrap();
    fails(&[third, second], &["`noise` is imported"]);
    links(&[third, library, second]);
    assert_eq!(applied(&gpu, third), APPLIED);
}

#[test]
fn kernels_of_modules_that_are_linked_keep_apart() {
    let gpu = Gpu::new();
    let other = renamed(MAIN, "twice", "thric");
    let [main, library, other] = [MAIN, LIBRARY, &other].map(|module| gpu.module(module).unwrap());
    links(&[other, library, main]);
    for module in [main, other] {
        assert_eq!(kernel_count(module), 2);
        assert_eq!(applied(&gpu, module), APPLIED);
    }
}

#[test]
fn an_import_has_the_type_of_the_export() {
    let gpu = Gpu::new();
    let swapped = renamed(&renamed(LIBRARY, "count", "other"), "noise", "count");
    let swapped = renamed(&swapped, "other", "noise");
    let [main, library] = [MAIN, &swapped].map(|module| gpu.module(module).unwrap());
    fails(&[main, library], &["is imported with another type than the one that it is exported with"]);
}

#[test]
fn a_program_can_be_linked_with_another_module() {
    let gpu = Gpu::new();
    let program = gpu.program(&[(crate::driver::KERNELS[0], None), (MAIN, None)]).unwrap();
    assert_eq!(create_kernel(program, "write_at").unwrap_err(), UNLINKED);
    let library = gpu.module(LIBRARY).unwrap();
    links(&[library, program]);
    create_kernel(program, "write_at").unwrap();
    assert_eq!(counted(&gpu, program), COUNTED);
}

#[test]
fn modules_without_imports_need_no_link() {
    let gpu = Gpu::new();
    let module = gpu.module(crate::driver::KERNELS[0]).unwrap();
    create_kernel(module, "write_at").unwrap();
    assert!(!has_imports(module));
    links(&[module]);
    links(&[module, gpu.module(VARIABLE).unwrap()]);
}

/// Each module would have a variable of its own, where all should have the same.
#[test]
fn variables_are_those_of_one_program() {
    let gpu = Gpu::new();
    let [main, variable] = [MAIN, VARIABLE].map(|module| gpu.module(module).unwrap());
    fails(&[main, variable], &["variables in global memory"]);
    let program = gpu.program(&[(&renamed(MAIN, "noise", "nois2"), None), (VARIABLE, None)]).unwrap();
    assert_eq!(create_kernel(program, "counted").unwrap_err(), UNLINKED);
}

#[test]
fn hostile_lists_are_refused() {
    let gpu = Gpu::new();
    let main = gpu.module(MAIN).unwrap();
    let ended = gpu.module(LIBRARY).unwrap();
    destroy(ended);
    let made_up = ze_module_handle_t(without_provenance_mut(0x1234_5604));
    let refused =
        |modules: &[ze_module_handle_t], code| assert_eq!(link(modules), (Err(code), String::new()));
    refused(&[main, ended], ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
    refused(&[made_up], ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
    refused(&[main, ze_module_handle_t::NULL], ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    refused(&[main; 257], ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
    links(&[]);
    // SAFETY: null is refused, and a log need not be asked for.
    let results = unsafe {
        let mut lonely = [main];
        [
            api().zeModuleDynamicLink(1, null_mut(), null_mut()),
            api().zeModuleDynamicLink(1, lonely.as_mut_ptr(), null_mut()),
        ]
    };
    assert_eq!(results, [ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER, LINK_FAILURE]);
}

#[test]
fn many_threads_link_the_same_modules() {
    let gpu = Gpu::new();
    let handles = [MAIN, LIBRARY].map(|module| gpu.module(module).unwrap().0.addr());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(move || {
                links(&handles.map(|handle| ze_module_handle_t(without_provenance_mut(handle))))
            });
        }
    });
    assert_eq!(counted(&gpu, ze_module_handle_t(without_provenance_mut(handles[0]))), COUNTED);
}

/// What modules say that they import and export.
fn inspect(flags: u32, modules: &[ze_module_handle_t]) -> Result<String, ze_result_t> {
    let mut descriptor = ze_linkage_inspection_ext_desc_t {
        flags: ze_linkage_inspection_ext_flags_t(flags),
        ..Default::default()
    };
    let (mut modules, mut log) = (modules.to_vec(), ze_module_build_log_handle_t::NULL);
    let count = modules.len() as u32;
    // SAFETY: the array has as many handles, and the pointers are to live variables.
    unsafe { api().zeModuleInspectLinkageExt(&mut descriptor, count, modules.as_mut_ptr(), &mut log) }
        .into_result()?;
    Ok(build_log(log))
}

#[test]
fn imports_and_exports_are_listed() {
    let gpu = Gpu::new();
    let [main, library] = [MAIN, LIBRARY].map(|module| gpu.module(module).unwrap());
    let plain = gpu.module(include_bytes!("../modules/tables.spv")).unwrap();
    assert_eq!(inspect(1, &[main, plain]).unwrap(), "imports:\n  count\n  noise\n");
    assert_eq!(inspect(2, &[main]).unwrap(), "unresolvable imports:\n  count\n  noise\n");
    assert_eq!(inspect(2, &[main, library]).unwrap(), "unresolvable imports:\n");
    assert_eq!(inspect(4, &[library]).unwrap(), "exports:\n  count\n  noise\n  primes\n");
    let all = inspect(7, &[library]).unwrap();
    assert_eq!(
        all,
        "imports:\n  twice\nunresolvable imports:\n  twice\nexports:\n  count\n  noise\n  primes\n"
    );
    assert_eq!(inspect(0, &[main]).unwrap(), "");
    assert_eq!(inspect(8, &[main]), Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION));
    assert_eq!(
        inspect(1, &[ze_module_handle_t::NULL]),
        Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE)
    );
    let mut modules = [main];
    let (mut descriptor, mut log) =
        (ze_linkage_inspection_ext_desc_t::default(), ze_module_build_log_handle_t::NULL);
    // SAFETY: null is refused, and the other pointers are to live variables.
    let results = unsafe {
        [
            api().zeModuleInspectLinkageExt(null_mut(), 1, modules.as_mut_ptr(), &mut log),
            api().zeModuleInspectLinkageExt(&mut descriptor, 1, null_mut(), &mut log),
            api().zeModuleInspectLinkageExt(&mut descriptor, 1, modules.as_mut_ptr(), null_mut()),
        ]
    };
    assert_eq!(results, [ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER; 3]);
}

#[test]
fn mutated_modules_are_refused_or_linked() {
    let gpu = Gpu::new();
    let (mut state, mut linked) = (0x9e37_79b9_7f4a_7c15_u64, 0);
    let mut below = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound as u64) as usize
    };
    for round in 0..2000 {
        let mut modules = [words(MAIN), words(LIBRARY)];
        let module = &mut modules[round % 2];
        let word = below(module.len());
        match below(3) {
            0 => module[word] ^= 1 << below(32),
            1 => module[word] = below(200) as u32,
            _ => module[word] = u32::MAX >> below(32),
        }
        let bytes =
            modules.map(|module| module.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>());
        let built: Vec<_> = bytes.iter().filter_map(|module| gpu.module(module).ok()).collect();
        linked += u32::from(built.len() == 2 && link(&built).0.is_ok());
        built.into_iter().for_each(destroy);
    }
    assert!((100..1900).contains(&linked), "{linked} of 2000 are linked");
}
