//! Images whose texels are halves to a kernel, as foreign modules may have them.

use crate::driver::{Gpu, changed, set, set_group_size};
use level_zero_sys::*;

const HALVES: &[u8] = include_bytes!("../modules/half_images.spv");

/// The first words of the declaration of the vector of four halves: its opcode and its id.
const OP_TYPE_VECTOR: u32 = 4 << 16 | 23;
const V4HALF: u32 = 7;

type Layout = ze_image_format_layout_t;
type Type = ze_image_format_type_t;

/// Copies the texel of an image of one format to one of another: how that ends, the texel as a half, and the bytes of the copy.
fn copied(from: (Layout, Type), texel: u32, to: (Layout, Type)) -> (Result<(), ze_result_t>, u16, u32) {
    let gpu = Gpu::new();
    let [src, dst] = [from, to].map(|format| gpu.image(ze_image_type_t::ZE_IMAGE_TYPE_2D, format, [1, 1]));
    let (texel, copy, first) = (gpu.buffer(&[texel]), gpu.buffer(&[0_u32]), gpu.buffer(&[0_u16]));
    let none = ze_event_handle_t::NULL;
    let (before, after) = (texel.pointer as u64 as *const _, copy.pointer as u64 as *mut _);
    let (null, events) = (std::ptr::null(), std::ptr::null_mut());
    // SAFETY: the handles are live, and the buffer has at least as many bytes as the image.
    let sent = unsafe {
        crate::driver::api()
            .zeCommandListAppendImageCopyFromMemory(gpu.list, src, before, null, none, 0, events)
    };
    assert_eq!(sent.into_result(), Ok(()));
    let kernel = gpu.kernel(HALVES, "copy");
    set(kernel, 0, src).unwrap();
    set(kernel, 1, dst).unwrap();
    set(kernel, 2, first.pointer).unwrap();
    set_group_size(kernel, [1, 1, 1]).unwrap();
    let result = gpu.launch(kernel, [1, 1, 1]);
    if result.is_err() {
        assert!(
            gpu.last_error().contains("an image or a sampler that is another one"),
            "{}",
            gpu.last_error()
        );
        return (result, 0, 0);
    }
    // SAFETY: as for the upload.
    let taken = unsafe {
        crate::driver::api().zeCommandListAppendImageCopyToMemory(gpu.list, after, dst, null, none, 0, events)
    };
    assert_eq!(taken.into_result(), Ok(()));
    gpu.synchronize().unwrap();
    (result, first.read()[0], copy.read()[0])
}

const HALF: (Layout, Type) = (Layout::ZE_IMAGE_FORMAT_LAYOUT_16, Type::ZE_IMAGE_FORMAT_TYPE_FLOAT);
const SINGLE: (Layout, Type) = (Layout::ZE_IMAGE_FORMAT_LAYOUT_32, Type::ZE_IMAGE_FORMAT_TYPE_FLOAT);
const BYTE: (Layout, Type) = (Layout::ZE_IMAGE_FORMAT_LAYOUT_8, Type::ZE_IMAGE_FORMAT_TYPE_UNORM);
const INTEGER: (Layout, Type) = (Layout::ZE_IMAGE_FORMAT_LAYOUT_16, Type::ZE_IMAGE_FORMAT_TYPE_UINT);

#[test]
fn texels_are_converted_from_and_to_their_format() {
    assert_eq!(copied(HALF, 0x3c01, HALF), (Ok(()), 0x3c01, 0x3c01));
    // 255 of 255 is one, half of it is 127.5 of 255, and more than one is one.
    assert_eq!(copied(BYTE, 255, HALF), (Ok(()), 0x3c00, 0x3c00));
    assert_eq!(copied(HALF, 0x3800, BYTE), (Ok(()), 0x3800, 128));
    assert_eq!(copied(HALF, 0x4000, BYTE), (Ok(()), 0x4000, 255));
}

#[test]
fn floats_of_32_bits_and_integers_are_no_halves() {
    let lost = ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST;
    for other in [SINGLE, INTEGER] {
        assert_eq!(copied(other, 0, HALF).0, Err(lost));
        assert_eq!(copied(HALF, 0, other).0, Err(lost));
    }
}

#[test]
fn a_texel_is_four_halves() {
    let pair = changed(HALVES, &[OP_TYPE_VECTOR, V4HALF], |vector| vector[3] = 2);
    let error = Gpu::new().module(&pair).unwrap_err();
    assert!(error.contains("four halves"), "{error}");
}
