//! Images of the memory of others, and how texels are in memory.

use crate::driver::{Gpu, Outcome, api, later};
use level_zero_sys::*;
use std::ptr::null_mut;

const NULL_POINTER: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
const INVALID: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);

#[test]
fn views_redescribe_the_texels_of_an_image() {
    use ze_image_format_layout_t as Layout;
    use ze_image_format_type_t as Type;
    type Create = unsafe extern "C" fn(
        ze_context_handle_t,
        ze_device_handle_t,
        *const ze_image_desc_t,
        ze_image_handle_t,
        *mut ze_image_handle_t,
    ) -> ze_result_t;
    let create: Create = later("zeImageViewCreateExt");
    let gpu = Gpu::new();
    let format = (Layout::ZE_IMAGE_FORMAT_LAYOUT_32, Type::ZE_IMAGE_FORMAT_TYPE_UINT);
    let image = gpu.image(ze_image_type_t::ZE_IMAGE_TYPE_2D, format, [4, 2]);
    // Two numbers of 16 bits for each of 32.
    let mut descriptor = ze_image_desc_t {
        type_: ze_image_type_t::ZE_IMAGE_TYPE_2D,
        format: ze_image_format_t {
            layout: Layout::ZE_IMAGE_FORMAT_LAYOUT_16,
            type_: Type::ZE_IMAGE_FORMAT_TYPE_UINT,
            x: ze_image_format_swizzle_t::ZE_IMAGE_FORMAT_SWIZZLE_R,
            y: ze_image_format_swizzle_t::ZE_IMAGE_FORMAT_SWIZZLE_0,
            z: ze_image_format_swizzle_t::ZE_IMAGE_FORMAT_SWIZZLE_0,
            w: ze_image_format_swizzle_t::ZE_IMAGE_FORMAT_SWIZZLE_1,
        },
        width: 8,
        height: 2,
        depth: 1,
        ..Default::default()
    };
    let mut view = ze_image_handle_t::NULL;
    let (mut of_view, mut of_image) = <(ze_image_memory_properties_exp_t, _)>::default();
    let (mut id_of_view, mut id_of_image) = <(ze_image_allocation_ext_properties_t, _)>::default();
    let texels: [u32; 8] = std::array::from_fn(|i| 0x0002_0001 * i as u32 + 0x0100_0000);
    let mut halves = [0_u16; 16];
    // SAFETY: pointers are to live variables or null, and what is wrong with the rest the driver must notice.
    unsafe {
        let (context, device) = (gpu.context, gpu.device);
        create(context, device, &descriptor, image, &mut view).into_result().unwrap();
        api().zeImageGetMemoryPropertiesExp(image, &mut of_image).into_result().unwrap();
        api().zeImageGetMemoryPropertiesExp(view, &mut of_view).into_result().unwrap();
        api().zeImageGetAllocPropertiesExt(context, image, &mut id_of_image).into_result().unwrap();
        api().zeImageGetAllocPropertiesExt(context, view, &mut id_of_view).into_result().unwrap();
        assert_eq!((of_image.size, of_image.rowPitch, of_image.slicePitch), (32, 16, 32));
        assert_eq!((of_view.size, of_view.rowPitch, of_view.slicePitch), (32, 16, 32));
        assert_eq!(id_of_image.id, id_of_view.id);
        // What is written through one is read through the other, also when the first is gone.
        let (from, to) = (texels.as_ptr().cast(), halves.as_mut_ptr().cast());
        api()
            .zeCommandListAppendImageCopyFromMemory(
                gpu.list,
                image,
                from,
                std::ptr::null(),
                ze_event_handle_t::NULL,
                0,
                null_mut(),
            )
            .into_result()
            .unwrap();
        api().zeImageDestroy(image).into_result().unwrap();
        api()
            .zeCommandListAppendImageCopyToMemory(
                gpu.list,
                to,
                view,
                std::ptr::null(),
                ze_event_handle_t::NULL,
                0,
                null_mut(),
            )
            .into_result()
            .unwrap();
        let expected: Vec<u16> = texels.iter().flat_map(|&word| [word as u16, (word >> 16) as u16]).collect();
        assert_eq!(halves[..], expected);

        assert_eq!(
            create(context, device, &descriptor, image, &mut view.clone()).into_result(),
            INVALID,
            "it is gone"
        );
        assert_eq!(
            create(context, device, std::ptr::null(), view, &mut view.clone()).into_result(),
            NULL_POINTER
        );
        assert_eq!(create(context, device, &descriptor, view, null_mut()).into_result(), NULL_POINTER);
        descriptor.height = 3;
        let size = Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
        assert_eq!(create(context, device, &descriptor, view, &mut view.clone()).into_result(), size);
        let plane = ze_image_view_planar_exp_desc_t::default();
        descriptor.pNext = (&raw const plane).cast();
        let unsupported = Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
        assert_eq!(create(context, device, &descriptor, view, &mut view.clone()).into_result(), unsupported);
        assert_eq!(api().zeImageGetMemoryPropertiesExp(view, null_mut()).into_result(), NULL_POINTER);
        assert_eq!(api().zeImageGetAllocPropertiesExt(context, view, null_mut()).into_result(), NULL_POINTER);
        api().zeImageDestroy(view).into_result().unwrap();
    }
}

#[test]
fn rows_of_images_have_no_gaps() {
    type Function = unsafe extern "C" fn(
        ze_context_handle_t,
        ze_device_handle_t,
        usize,
        usize,
        u32,
        *mut usize,
    ) -> ze_result_t;
    let pitch: Function = later("zeMemGetPitchFor2dImage");
    let gpu = Gpu::new();
    let ask = |width, height, texel| {
        let mut found = 0;
        // SAFETY: the pointer is to a live variable.
        let result = unsafe { pitch(gpu.context, gpu.device, width, height, texel, &mut found) };
        result.into_result().map(|()| found)
    };
    assert_eq!(ask(33, 2, 4), Ok(132));
    assert_eq!(ask(0, 2, 4), Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE));
    assert_eq!(ask(usize::MAX, 2, 4), Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE));
    // SAFETY: the driver must notice that there is no room for the answer.
    let refused = unsafe { pitch(gpu.context, gpu.device, 4, 4, 4, null_mut()) };
    assert_eq!(refused.into_result(), NULL_POINTER);
}
