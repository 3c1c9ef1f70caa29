//! Blocks of images that the work-items of a subgroup read and write together, as foreign modules may.

use crate::driver::{Gpu, changed, set, set_group_size};
use level_zero_sys::*;

const BLOCKS: &[u8] = include_bytes!("../modules/image_blocks.spv");

/// Copies a block of an image whose bytes are counted up to another one: how that ends, what is in the second row of the block, and the other image.
fn copied(
    gpu: &Gpu,
    layout: ze_image_format_layout_t,
    size: [u32; 2],
    bytes: usize,
    at: [i32; 2],
) -> (Result<(), ze_result_t>, Vec<u32>, Vec<u8>) {
    let format = (layout, ze_image_format_type_t::ZE_IMAGE_FORMAT_TYPE_UINT);
    let [from, to] = [(); 2].map(|()| gpu.image(ze_image_type_t::ZE_IMAGE_TYPE_2D, format, size));
    let counted = gpu.buffer(&(0..bytes).map(|k| k as u8).collect::<Vec<_>>());
    let (zeros, seen) = (gpu.buffer(&vec![0_u8; bytes]), gpu.buffer(&[0_u32; 16]));
    let upload = |image, buffer: u64| {
        // SAFETY: the handles are live, and the buffer has as many bytes as the image.
        unsafe {
            crate::driver::api()
                .zeCommandListAppendImageCopyFromMemory(
                    gpu.list,
                    image,
                    buffer as *const _,
                    std::ptr::null(),
                    ze_event_handle_t::NULL,
                    0,
                    std::ptr::null_mut(),
                )
                .into_result()
                .unwrap();
        }
    };
    upload(from, counted.pointer as u64);
    upload(to, zeros.pointer as u64);
    let kernel = gpu.kernel(BLOCKS, "copy");
    set(kernel, 0, from).unwrap();
    set(kernel, 1, to).unwrap();
    set(kernel, 2, at[0]).unwrap();
    set(kernel, 3, at[1]).unwrap();
    set(kernel, 4, seen.pointer).unwrap();
    set_group_size(kernel, [16, 1, 1]).unwrap();
    let result = gpu.launch(kernel, [1, 1, 1]);
    if result.is_ok() {
        // SAFETY: as for the upload.
        unsafe {
            crate::driver::api()
                .zeCommandListAppendImageCopyToMemory(
                    gpu.list,
                    zeros.pointer as u64 as *mut _,
                    to,
                    std::ptr::null(),
                    ze_event_handle_t::NULL,
                    0,
                    std::ptr::null_mut(),
                )
                .into_result()
                .unwrap();
        }
    }
    (result, seen.read(), zeros.read())
}

const WORDS: ze_image_format_layout_t = ze_image_format_layout_t::ZE_IMAGE_FORMAT_LAYOUT_32;

/// The number of the four bytes from one on.
fn word(at: usize) -> u32 {
    u32::from_le_bytes([0, 1, 2, 3].map(|k| (at + k) as u8))
}

#[test]
fn rows_are_read_by_bytes() {
    let gpu = Gpu::new();
    let (result, seen, copy) = copied(&gpu, WORDS, [20, 3], 240, [4, 1]);
    assert_eq!(result, Ok(()));
    assert_eq!(seen, (0..16).map(|lane| word(164 + 4 * lane)).collect::<Vec<_>>());
    let inside = |k: usize| k >= 80 && (4..68).contains(&(k % 80));
    assert_eq!(copy, (0..240).map(|k| if inside(k) { k as u8 } else { 0 }).collect::<Vec<_>>());
    // Texels of one byte.
    let bytes = ze_image_format_layout_t::ZE_IMAGE_FORMAT_LAYOUT_8;
    let (result, seen, _) = copied(&gpu, bytes, [66, 2], 132, [2, 0]);
    assert_eq!((result, seen[15]), (Ok(()), word(66 + 62)));
}

#[test]
fn beyond_the_edge_texels_of_four_bytes_are_those_of_the_edge() {
    let gpu = Gpu::new();
    let (result, seen, copy) = copied(&gpu, WORDS, [4, 2], 32, [-4, 1]);
    assert_eq!(result, Ok(()));
    let expected: Vec<u32> = (0..16_i32).map(|lane| word(16 + 4 * (lane - 1).clamp(0, 3) as usize)).collect();
    assert_eq!(seen, expected);
    assert_eq!(copy, (0..32).map(|k| if k < 16 { 0 } else { k }).collect::<Vec<u8>>());
}

#[test]
fn what_is_undefined_is_diagnosed() {
    let gpu = Gpu::new();
    let bytes = ze_image_format_layout_t::ZE_IMAGE_FORMAT_LAYOUT_8;
    let large = ze_image_format_layout_t::ZE_IMAGE_FORMAT_LAYOUT_32_32;
    for (layout, size, count, at) in [
        (bytes, [66, 2], 132, [3, 0]),
        (bytes, [66, 2], 132, [0, 1]),
        (bytes, [66, 2], 132, [-1, 0]),
        (bytes, [66, 2], 132, [i32::MAX, 0]),
        (large, [20, 3], 480, [0, 0]),
    ] {
        let (result, ..) = copied(&gpu, layout, size, count, at);
        assert_eq!(result, Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST), "{layout:?} at {at:?}");
        assert!(gpu.last_error().contains("kernel `copy`"), "{}", gpu.last_error());
    }
}

#[test]
fn other_images_and_coordinates_are_refused() {
    let check = |first, change: fn(&mut [u32]), expected| {
        let error = Gpu::new().module(&changed(BLOCKS, &[first], change)).unwrap_err();
        assert!(error.contains(expected), "{error}");
    };
    let (type_image, read, write) = (10 << 16 | 25, 5 << 16 | 5577, 4 << 16 | 5578);
    // A depth, an array, one that is only written, and one that is only read.
    check(type_image, |ty| ty[4] = 1, "a 2D image that is no depth and no array");
    check(type_image, |ty| ty[5] = 1, "a 2D image that is no depth and no array");
    check(type_image, |ty| ty[9] = 1, "that may be accessed so");
    check(write, |write| write[1] -= 1, "that may be accessed so");
    // At one coordinate, which is the first parameter that is a number.
    check(read, |read| read[4] = read[3] + 2, "two coordinates");
}
