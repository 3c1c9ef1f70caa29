//! Handles, pointers and values that the driver must not accept.

use crate::driver::{Gpu, KERNELS, api, create_kernel, set, set_group_size, set_local};
use level_zero_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

const NULL_HANDLE: Result<(), ze_result_t> = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
const NULL_POINTER: Result<(), ze_result_t> = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
const INVALID: Result<(), ze_result_t> = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);

#[test]
fn handles_that_are_null_foreign_or_stale() {
    let gpu = Gpu::new();
    let kernel = gpu.kernel(KERNELS[0], "spin");
    let mut properties = ze_kernel_properties_t::default();
    // SAFETY: pointers are to live variables; the handles are wrong on purpose, which the driver must notice.
    unsafe {
        assert_eq!(api().zeKernelDestroy(ze_kernel_handle_t::NULL).into_result(), NULL_HANDLE);
        // Of another kind, in both directions, and from nowhere.
        assert_eq!(api().zeKernelDestroy(ze_kernel_handle_t(gpu.context.0)).into_result(), INVALID);
        assert_eq!(api().zeContextDestroy(ze_context_handle_t(kernel.0)).into_result(), INVALID);
        let local = 0_u64;
        let stray = ze_kernel_handle_t((&raw const local).cast_mut().cast());
        assert_eq!(api().zeKernelGetProperties(stray, &mut properties).into_result(), INVALID);
        assert_eq!(api().zeDeviceGetStatus(ze_device_handle_t(gpu.driver.0)).into_result(), INVALID);
        // Stale, also when the place has been used again.
        api().zeKernelDestroy(kernel).into_result().unwrap();
        assert_eq!(api().zeKernelDestroy(kernel).into_result(), INVALID);
        let other = gpu.kernel(KERNELS[0], "spin");
        assert_ne!(other, kernel);
        assert_eq!(api().zeKernelGetProperties(kernel, &mut properties).into_result(), INVALID);
        assert_eq!(api().zeKernelGetProperties(other, null_mut()).into_result(), NULL_POINTER);
        assert_eq!(api().zeDriverGet(null_mut(), null_mut()).into_result(), NULL_POINTER);
        assert_eq!(
            api().zeModuleCreate(gpu.context, gpu.device, null(), null_mut(), null_mut()).into_result(),
            NULL_POINTER
        );
    }
}

#[test]
fn arguments_have_an_index_and_a_size() {
    let gpu = Gpu::new();
    let kernel = gpu.kernel(KERNELS[0], "group_sum");
    let words = gpu.buffer(&[0_u32; 16]);
    let size = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
    assert_eq!(set(kernel, 0, 0_u32), size);
    assert_eq!(set(kernel, 3, 0_u64), Err(ze_result_t::ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX));
    assert_eq!(set(kernel, 2, 0_u64), INVALID, "a Workgroup pointer has a size but no value");
    assert_eq!(set_local(kernel, 2, 0), size);
    set(kernel, 0, words.pointer).unwrap();
    set(kernel, 1, words.pointer).unwrap();
    assert_eq!(gpu.launch(kernel, [1, 1, 1]), INVALID, "the last argument was never set");
    set_local(kernel, 2, 64).unwrap();
    assert_eq!(gpu.launch(kernel, [1, 1, 1]), Ok(()));
    let spin = gpu.kernel(KERNELS[0], "spin");
    assert_eq!(set(spin, 1, 0_u64), size);
    assert_eq!(
        create_kernel(gpu.module(KERNELS[0]).unwrap(), "spun"),
        Err(ze_result_t::ZE_RESULT_ERROR_INVALID_KERNEL_NAME)
    );
}

#[test]
fn pointers_are_aligned_as_the_module_says() {
    let gpu = Gpu::new();
    let kernel = gpu.kernel(KERNELS[0], "collatz");
    let words = gpu.buffer(&[0_u32; 1024]);
    let first = words.pointer as u64;
    for offset in 1..4 {
        let refused = set(kernel, 0, first + offset);
        assert_eq!(refused, Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT), "{offset}");
    }
    assert_eq!([0, 4, 8].map(|offset| set(kernel, 0, first + offset)), [Ok(()); 3]);
}

#[test]
fn sizes_of_groups_and_launches() {
    let gpu = Gpu::new();
    let kernel = gpu.kernel(KERNELS[0], "collatz");
    let words = gpu.buffer(&[0_u32; 1024]);
    set(kernel, 0, words.pointer).unwrap();
    let dimension = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
    for size in [[0, 1, 1], [1, 1, 0], [1025, 1, 1], [32, 33, 1], [u32::MAX; 3]] {
        assert_eq!(set_group_size(kernel, size), dimension, "{size:?}");
    }
    set_group_size(kernel, [1024, 1, 1]).unwrap();
    assert_eq!(gpu.launch(kernel, [1, 1, 1]), Ok(()));
    let width = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION);
    assert_eq!(gpu.launch(kernel, [0, 1, 1]), width);
    assert_eq!(gpu.launch(kernel, [u32::MAX; 3]), width);
}

#[test]
fn a_module_tells_what_it_holds() {
    let gpu = Gpu::new();
    let module = gpu.module(KERNELS[0]).unwrap();
    let mut count = 0;
    // SAFETY: the first call asks for the count, the second has as much room; names live as long as the
    // module.
    let names: Vec<String> = unsafe {
        api().zeModuleGetKernelNames(module, &mut count, null_mut()).into_result().unwrap();
        let mut names = vec![null(); count as usize];
        api().zeModuleGetKernelNames(module, &mut count, names.as_mut_ptr()).into_result().unwrap();
        names.iter().map(|&name| std::ffi::CStr::from_ptr(name).to_str().unwrap().to_owned()).collect()
    };
    assert!(names.contains(&"collatz".into()) && names.contains(&"atomics".into()));
    let properties = |name: &str| {
        let mut properties = ze_kernel_properties_t::default();
        let kernel = create_kernel(module, name).unwrap();
        // SAFETY: the structure is live and tagged.
        unsafe { api().zeKernelGetProperties(kernel, &mut properties).into_result().unwrap() };
        properties
    };
    assert_eq!((properties("leak").numKernelArgs, properties("leak").localMemSize), (1, 64));
    let saxpy = properties("saxpy_checked");
    assert_eq!((saxpy.numKernelArgs, saxpy.maxSubgroupSize), (6, 16));
    // Which size is better for a loop without accesses depends on the processor.
    let spin = properties("spin");
    assert!(matches!(spin.maxSubgroupSize, 16 | 32), "{}", spin.maxSubgroupSize);
    assert_eq!(spin.maxSubgroupSize * spin.maxNumSubgroups, saxpy.maxSubgroupSize * saxpy.maxNumSubgroups);
}

#[test]
fn pointers_tell_what_they_point_into() {
    let gpu = Gpu::new();
    let words = gpu.buffer(&[0_u32; 100]);
    let (mut properties, mut device) =
        (ze_memory_allocation_properties_t::default(), ze_device_handle_t::NULL);
    let (mut base, mut size) = (null_mut(), 0);
    // SAFETY: all pointers are to live variables.
    unsafe {
        let inside = words.pointer.add(99).cast_const().cast();
        api()
            .zeMemGetAllocProperties(gpu.context, inside, &mut properties, &mut device)
            .into_result()
            .unwrap();
        assert_eq!((properties.type_, device), (ze_memory_type_t::ZE_MEMORY_TYPE_SHARED, gpu.device));
        api().zeMemGetAddressRange(gpu.context, inside, &mut base, &mut size).into_result().unwrap();
        assert_eq!((base.cast(), size), (words.pointer, 400));
        let outside = (&raw const size).cast();
        api()
            .zeMemGetAllocProperties(gpu.context, outside, &mut properties, &mut device)
            .into_result()
            .unwrap();
        assert_eq!(properties.type_, ze_memory_type_t::ZE_MEMORY_TYPE_UNKNOWN);
        // Only the start of an allocation can be freed, and only once.
        assert_eq!(api().zeMemFree(gpu.context, words.pointer.add(1).cast()).into_result(), INVALID);
        assert_eq!(api().zeMemFree(gpu.context, words.pointer.cast()).into_result(), Ok(()));
        assert_eq!(api().zeMemFree(gpu.context, words.pointer.cast()).into_result(), INVALID);
        let descriptor = Default::default();
        let alloc = |size, align, to| {
            api().zeMemAllocDevice(gpu.context, &descriptor, size, align, gpu.device, to).into_result()
        };
        assert_eq!(alloc(0, 8, &mut base), Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE));
        assert_eq!(alloc(8, 3, &mut base), Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT));
        assert_eq!(alloc(usize::MAX, 8, &mut base), Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE));
    }
}

#[test]
fn what_is_not_implemented_says_so() {
    let gpu = Gpu::new();
    let unsupported = Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    let mut properties = ze_pci_ext_properties_t::default();
    // SAFETY: the structure is live and tagged.
    let asked = unsafe { api().zeDevicePciGetPropertiesExt(gpu.device, &mut properties).into_result() };
    assert_eq!(asked, unsupported, "a processor is no PCI device");
}

#[test]
fn there_is_no_fabric() {
    let gpu = Gpu::new();
    let (none, stray) = (ze_fabric_vertex_handle_t::NULL, ze_fabric_vertex_handle_t(gpu.device.0));
    let (no_edge, stray_edge) = (ze_fabric_edge_handle_t::NULL, ze_fabric_edge_handle_t(gpu.device.0));
    let (mut count, mut vertex, mut device) = (7, stray, gpu.device);
    let (mut other, mut edge) = (none, no_edge);
    let mut of_vertex = ze_fabric_vertex_exp_properties_t::default();
    let mut of_edge = ze_fabric_edge_exp_properties_t::default();
    let api = api();
    // SAFETY: pointers are to live variables or null, and handles are wrong on purpose.
    unsafe {
        assert_eq!(api.zeFabricVertexGetExp(gpu.driver, &mut count, null_mut()).into_result(), Ok(()));
        assert_eq!(count, 0);
        let no_driver = ze_driver_handle_t::NULL;
        assert_eq!(api.zeFabricVertexGetExp(no_driver, &mut count, null_mut()).into_result(), NULL_HANDLE);
        assert_eq!(api.zeFabricVertexGetExp(gpu.driver, null_mut(), null_mut()).into_result(), NULL_POINTER);
        let no_vertex = Err(ze_result_t::ZE_RESULT_EXP_ERROR_DEVICE_IS_NOT_VERTEX);
        assert_eq!(api.zeDeviceGetFabricVertexExp(gpu.device, &mut vertex).into_result(), no_vertex);
        assert_eq!(api.zeDeviceGetFabricVertexExp(gpu.device, null_mut()).into_result(), NULL_POINTER);
        let no_device = ze_device_handle_t::NULL;
        assert_eq!(api.zeDeviceGetFabricVertexExp(no_device, &mut vertex).into_result(), NULL_HANDLE);
        for (vertex, expected) in [(none, NULL_HANDLE), (stray, INVALID)] {
            let sub = api.zeFabricVertexGetSubVerticesExp(vertex, &mut count, null_mut());
            assert_eq!(sub.into_result(), expected);
            assert_eq!(api.zeFabricVertexGetPropertiesExp(vertex, &mut of_vertex).into_result(), expected);
            assert_eq!(api.zeFabricVertexGetDeviceExp(vertex, &mut device).into_result(), expected);
            let edges = api.zeFabricEdgeGetExp(stray, vertex, &mut count, &mut edge);
            assert_eq!(edges.into_result(), expected);
        }
        for (edge, expected) in [(no_edge, NULL_HANDLE), (stray_edge, INVALID)] {
            let ends = api.zeFabricEdgeGetVerticesExp(edge, &mut vertex, &mut other);
            assert_eq!(ends.into_result(), expected);
            assert_eq!(api.zeFabricEdgeGetPropertiesExp(edge, &mut of_edge).into_result(), expected);
        }
    }
}

#[test]
fn hints_of_what_is_done_anyway_are_taken() {
    let gpu = Gpu::new();
    let kernel = gpu.kernel(KERNELS[0], "spin");
    let mut properties = ze_scheduling_hint_exp_properties_t::default();
    let next = (&raw mut properties).cast();
    let mut of_device = ze_device_properties_t { pNext: next, ..Default::default() };
    let hint = |kernel, flags| {
        let mut hint = ze_scheduling_hint_exp_desc_t {
            flags: ze_scheduling_hint_exp_flags_t(flags),
            ..Default::default()
        };
        // SAFETY: the structure is live and tagged.
        unsafe { api().zeKernelSchedulingHintExp(kernel, &mut hint).into_result() }
    };
    // SAFETY: the structures are live and tagged.
    unsafe {
        api().zeDeviceGetProperties(gpu.device, &mut of_device).into_result().unwrap();
        assert_eq!(api().zeKernelSchedulingHintExp(kernel, null_mut()).into_result(), NULL_POINTER);
    }
    let oldest_first = ze_scheduling_hint_exp_flags_t::ZE_SCHEDULING_HINT_EXP_FLAG_OLDEST_FIRST;
    assert_eq!(properties.schedulingHintFlags, oldest_first);
    assert_eq!([hint(kernel, 0), hint(kernel, 1)], [Ok(()); 2]);
    let unsupported = Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
    assert_eq!([hint(kernel, 2), hint(kernel, 4)], [unsupported; 2]);
    let invalid = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
    assert_eq!([hint(kernel, 3), hint(kernel, 8)], [invalid; 2]);
    assert_eq!(hint(ze_kernel_handle_t::NULL, 0), NULL_HANDLE);
}

#[test]
fn images_and_samplers_that_cannot_be() {
    let gpu = Gpu::new();
    let size = Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    let format = ze_image_format_t {
        layout: ze_image_format_layout_t::ZE_IMAGE_FORMAT_LAYOUT_8,
        type_: ze_image_format_type_t::ZE_IMAGE_FORMAT_TYPE_UNORM,
        x: ze_image_format_swizzle_t::ZE_IMAGE_FORMAT_SWIZZLE_R,
        y: ze_image_format_swizzle_t::ZE_IMAGE_FORMAT_SWIZZLE_0,
        z: ze_image_format_swizzle_t::ZE_IMAGE_FORMAT_SWIZZLE_0,
        w: ze_image_format_swizzle_t::ZE_IMAGE_FORMAT_SWIZZLE_1,
    };
    let of = |width, height, format| ze_image_desc_t {
        type_: ze_image_type_t::ZE_IMAGE_TYPE_2D,
        format,
        width,
        height,
        depth: 1,
        ..Default::default()
    };
    let mut image = ze_image_handle_t::NULL;
    // SAFETY: pointers are to live variables, or null, which the driver must notice.
    let mut create = |descriptor: &ze_image_desc_t| unsafe {
        api().zeImageCreate(gpu.context, gpu.device, descriptor, &mut image).into_result()
    };
    for (width, height) in [(0, 1), (1, 0), (1 << 40, 1), (16385, 1), (1, u32::MAX)] {
        assert_eq!(create(&of(width, height, format)), size);
    }
    let float = ze_image_format_t { type_: ze_image_format_type_t::ZE_IMAGE_FORMAT_TYPE_FLOAT, ..format };
    let unsupported = Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
    assert_eq!(create(&of(1, 1, float)), unsupported);
    // A channel that the texels do not have may be named, or be anything; what there is cannot be left out.
    let named = ze_image_format_swizzle_t::ZE_IMAGE_FORMAT_SWIZZLE_G;
    let anything = ze_image_format_swizzle_t::ZE_IMAGE_FORMAT_SWIZZLE_X;
    let arranged = ze_image_format_t { y: named, z: anything, ..format };
    assert_eq!(create(&of(1, 1, arranged)), Ok(()));
    assert_eq!(create(&of(1, 1, ze_image_format_t { x: named, ..format })), unsupported);
    assert_eq!(create(&of(1, 1, ze_image_format_t { w: named, ..format })), unsupported);
    let properties = |format| {
        let mut properties = ze_image_properties_t::default();
        // SAFETY: the handle is live, and the pointers are to live variables.
        unsafe { api().zeImageGetProperties(gpu.device, &of(1, 1, format), &mut properties).into_result() }
    };
    assert_eq!(properties(ze_image_format_t { y: format.x, z: format.x, w: format.x, ..format }), Ok(()));
    assert_eq!(properties(float), unsupported);
    let odd = ze_image_desc_t { type_: ze_image_type_t(99), ..of(1, 1, format) };
    assert_eq!(create(&odd), Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION));
    assert_eq!(create(&of(4, 4, format)), Ok(()));
    let region =
        |x, width| ze_image_region_t { originX: x, width, height: 1, depth: 1, ..Default::default() };
    // SAFETY: as above; the bytes are as many as the image has.
    unsafe {
        let list = gpu.list;
        let mut bytes = [0_u8; 16];
        let none = ze_event_handle_t::NULL;
        let mut copy = |region: &ze_image_region_t| {
            let to = bytes.as_mut_ptr().cast();
            api()
                .zeCommandListAppendImageCopyToMemory(list, to, image, region, none, 0, null_mut())
                .into_result()
        };
        for (x, width) in [(0, 0), (0, 5), (4, 1), (u32::MAX, 2)] {
            assert_eq!(copy(&region(x, width)), Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE));
        }
        assert_eq!(copy(&region(1, 3)), Ok(()));
        gpu.synchronize().unwrap();
        assert_eq!(api().zeImageDestroy(image).into_result(), Ok(()));
        assert_eq!(api().zeImageDestroy(image).into_result(), INVALID);
        assert_eq!(api().zeSamplerDestroy(ze_sampler_handle_t(image.0)).into_result(), INVALID);
        let descriptor =
            ze_sampler_desc_t { addressMode: ze_sampler_address_mode_t(9), ..Default::default() };
        let mut sampler = ze_sampler_handle_t::NULL;
        let created = api().zeSamplerCreate(gpu.context, gpu.device, &descriptor, &mut sampler);
        assert_eq!(created.into_result(), Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION));
    }
}

/// Builds a module with flags; what the call returns, and the build log.
fn build(gpu: &Gpu, spirv: &[u8], flags: &std::ffi::CStr) -> (Result<(), ze_result_t>, String) {
    let descriptor = ze_module_desc_t {
        format: ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV,
        inputSize: spirv.len(),
        pInputModule: spirv.as_ptr(),
        pBuildFlags: flags.as_ptr(),
        ..Default::default()
    };
    let (mut module, mut log) = (ze_module_handle_t::NULL, ze_module_build_log_handle_t::NULL);
    // SAFETY: the descriptor is of live bytes, and the pointers are to live variables.
    let built = unsafe { api().zeModuleCreate(gpu.context, gpu.device, &descriptor, &mut module, &mut log) };
    assert!(!log.is_null(), "every build has a log");
    (built.into_result(), crate::driver::build_log(log))
}

#[test]
fn every_build_has_a_log() {
    let gpu = Gpu::new();
    let refused = Err(ze_result_t::ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    let text = "error: a module is a sequence of words of 4 bytes, and this one has 1023 bytes".to_owned();
    assert_eq!(build(&gpu, &KERNELS[0][..1023], c""), (refused, text.clone()));
    assert_eq!(gpu.last_error(), text);
    let (outcome, log) = build(&gpu, &[], c"");
    assert_eq!(outcome, Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE));
    assert_eq!(log, "error: the module is empty");
    assert_eq!(build(&gpu, KERNELS[0], c"-ze-opt-disable -ze-opt-level=1 -g"), (Ok(()), String::new()));
    let ignored = "warning: `-ze-fast` is no build flag, and is ignored\n";
    assert_eq!(build(&gpu, KERNELS[0], c"-ze-fast"), (Ok(()), ignored.to_owned()));
    let (outcome, log) = build(&gpu, &[0; 32], c"-ze-fast");
    assert_eq!(outcome, refused);
    assert!(log.starts_with(ignored) && log[ignored.len()..].starts_with("error: "), "{log}");
}

#[test]
fn the_device_has_what_it_says() {
    let gpu = Gpu::new();
    let mut properties = ze_device_properties_t::default();
    let mut memory = ze_device_memory_properties_t::default();
    let mut caches = [ze_device_cache_properties_t::default(); 8];
    let mut count = caches.len() as u32;
    // SAFETY: the structures are tagged and live, and there is room for as many as the counts say.
    unsafe {
        api().zeDeviceGetProperties(gpu.device, &mut properties).into_result().unwrap();
        api().zeDeviceGetMemoryProperties(gpu.device, &mut 1, &mut memory).into_result().unwrap();
        let cached = api().zeDeviceGetCacheProperties(gpu.device, &mut count, caches.as_mut_ptr());
        cached.into_result().unwrap();
    }
    assert_eq!(properties.maxMemAllocSize, memory.totalSize);
    if cfg!(target_os = "linux") {
        // No machine has as much as the driver once said.
        assert!(((16 << 20)..1 << 40).contains(&memory.totalSize), "{}", memory.totalSize);
    }
    assert!(caches[..count as usize].iter().all(|cache| cache.cacheSize != 0));
    let threads = properties.numEUsPerSubslice * properties.numThreadsPerEU;
    assert_eq!(threads as usize, std::thread::available_parallelism().unwrap().get());
    let (descriptor, mut pointer) = (Default::default(), null_mut());
    // SAFETY: as above.
    let allocated = unsafe {
        let size = properties.maxMemAllocSize as usize + 1;
        api().zeMemAllocDevice(gpu.context, &descriptor, size, 0, gpu.device, &mut pointer).into_result()
    };
    assert_eq!(allocated, Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE));
}

#[test]
fn the_last_error_is_that_of_the_last_call_that_failed_in_this_thread() {
    let gpu = Gpu::new();
    let kernel = gpu.kernel(KERNELS[0], "write_at");
    set(kernel, 0, null_mut::<u32>()).unwrap();
    set(kernel, 1, 0_i64).unwrap();
    gpu.launch(kernel, [1, 1, 1]).unwrap_err();
    assert!(gpu.last_error().starts_with("kernel `write_at`"), "{}", gpu.last_error());
    std::thread::scope(|scope| {
        let (driver, device, context, list) = (gpu.driver, gpu.device, gpu.context, gpu.list);
        let handles = [driver.0.addr(), device.0.addr(), context.0.addr(), list.0.addr()];
        let other = scope.spawn(move || {
            let [driver, device, context, list] = handles.map(std::ptr::without_provenance_mut);
            let gpu = Gpu {
                driver: ze_driver_handle_t(driver),
                device: ze_device_handle_t(device),
                context: ze_context_handle_t(context),
                list: ze_command_list_handle_t(list),
            };
            let text = gpu.last_error();
            std::mem::forget(gpu);
            text
        });
        assert_eq!(other.join().unwrap(), "", "another thread had no error");
    });
    set(kernel, 9, 0_u32).unwrap_err();
    let text = gpu.last_error();
    assert!(text.contains("ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX"), "{text}");
    let mut properties = ze_pci_ext_properties_t::default();
    // SAFETY: the structure is live and tagged.
    unsafe { api().zeDevicePciGetPropertiesExt(gpu.device, &mut properties).into_result().unwrap_err() };
    assert!(gpu.last_error().contains("ZE_RESULT_ERROR_UNSUPPORTED_FEATURE"), "{}", gpu.last_error());
}

#[test]
fn there_is_no_more_memory_than_the_device_has() {
    let gpu = Gpu::new();
    let mut memory = ze_device_memory_properties_t::default();
    // SAFETY: there is room for one.
    unsafe { api().zeDeviceGetMemoryProperties(gpu.device, &mut 1, &mut memory) }.into_result().unwrap();
    // More than half of it, which the system gives out without having it.
    let allocate = |pointer: &mut *mut c_void| {
        let (descriptor, size) = (Default::default(), memory.totalSize as usize / 2 + 1);
        // SAFETY: pointers are to live variables, and handles are the driver's.
        unsafe { api().zeMemAllocDevice(gpu.context, &descriptor, size, 64, gpu.device, pointer) }
            .into_result()
    };
    let (mut first, mut second) = (null_mut(), null_mut());
    allocate(&mut first).unwrap();
    assert_eq!(allocate(&mut second), Err(ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY));
    assert!(second.is_null());
    // SAFETY: both were allocated in the context.
    unsafe {
        api().zeMemFree(gpu.context, first).into_result().unwrap();
        allocate(&mut second).unwrap();
        api().zeMemFree(gpu.context, second).into_result().unwrap();
    }
}
