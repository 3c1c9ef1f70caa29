//! Handles, pointers and values that the driver must not accept.

mod driver;

use driver::{Gpu, KERNELS, api, create_kernel, set, set_group_size, set_local};
use level_zero_sys::*;
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
    assert_eq!((properties("saxpy_checked").numKernelArgs, properties("spin").maxSubgroupSize), (6, 16));
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
    // SAFETY: these functions look at nothing.
    unsafe {
        let function = api().physical_mem.pfnDestroy.unwrap();
        assert_eq!(function(gpu.context, ze_physical_mem_handle_t::NULL).into_result(), unsupported);
        let function = api().module.pfnGetNativeBinary.unwrap();
        assert_eq!(function(ze_module_handle_t::NULL, null_mut(), null_mut()).into_result(), unsupported);
    }
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
