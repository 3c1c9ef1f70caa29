//! Memory of the program that becomes memory of the driver at its address (ZE_extension_external_memmap_sysmem).
#![cfg(target_os = "linux")]

mod assemble;
mod driver;

use assemble::{Assembly, prepare};
use driver::{Gpu, Outcome, api, create_kernel};
use level_zero_sys::*;
use std::ffi::c_void;
use std::ptr::null_mut;

const PAGE: usize = 4096;

/// Pages of words.
#[repr(align(4096))]
#[derive(Clone, Copy)]
struct Page([u32; PAGE / 4]);

/// `ZE_HOST_MEM_ALLOC_FLAG_MEM_READ_ONLY`.
const READ_ONLY: u32 = 1 << 4;

fn import(gpu: &Gpu, start: *mut c_void, bytes: usize, flags: u32) -> Outcome<*mut c_void> {
    let memory = ze_external_memmap_sysmem_ext_desc_t {
        pSystemMemory: start,
        size: bytes as u64,
        ..Default::default()
    };
    let descriptor = ze_host_mem_alloc_desc_t {
        pNext: (&raw const memory).cast(),
        flags: ze_host_mem_alloc_flags_t(flags),
        ..Default::default()
    };
    let mut pointer = null_mut();
    // SAFETY: all pointers are to live variables, and the tests keep what is imported.
    unsafe { api().zeMemAllocHost(gpu.context, &descriptor, bytes, 0, &mut pointer).into_result() }?;
    Ok(pointer)
}

fn free(gpu: &Gpu, pointer: *mut c_void) -> Outcome {
    // SAFETY: no kernel uses it.
    unsafe { api().zeMemFree(gpu.context, pointer).into_result() }
}

/// A kernel that leaves the word of its number, and one more.
fn next_words() -> Vec<u8> {
    let mut assembly = Assembly::new(&[], &[]);
    assembly.begin();
    let (word, one, u32) = (assembly.word(1, 0), assembly.constant(1), assembly.u32);
    let next = assembly.builder.i_add(u32, None, word, one).unwrap();
    assembly.store(1, 0, next);
    assembly.end()
}

#[test]
fn kernels_work_on_memory_of_the_program() {
    let gpu = Gpu::new();
    let mut from = vec![Page([7; PAGE / 4]); 3];
    let mut to = vec![Page([0; PAGE / 4]); 3];
    let kernel = create_kernel(gpu.module(&next_words()).unwrap(), "k").unwrap();
    for round in 0..2 {
        from[2].0[5] = 100 + round;
        let pointers = [from.as_mut_ptr(), to.as_mut_ptr()].map(|start| {
            let pointer = import(&gpu, start.cast(), 3 * PAGE, 0).unwrap();
            assert_eq!(pointer, start.cast());
            pointer
        });
        let mut properties = ze_memory_allocation_properties_t::default();
        // SAFETY: all pointers are to live variables.
        let asked = unsafe {
            api().zeMemGetAllocProperties(gpu.context, pointers[0].cast_const(), &mut properties, null_mut())
        };
        asked.into_result().unwrap();
        assert_eq!(properties.type_.0, 4, "ZE_MEMORY_TYPE_HOST_IMPORTED");
        prepare(kernel, pointers[0].cast(), pointers[1].cast(), 64);
        gpu.launch(kernel, [3 * PAGE as u32 / 4 / 64, 1, 1]).unwrap();
        assert_eq!((to[0].0[0], to[2].0[5]), (8, 101 + round));
        pointers.into_iter().for_each(|pointer| free(&gpu, pointer).unwrap());
        // It is the program's alone again.
        assert_eq!(free(&gpu, pointers[0]), Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT));
        assert!(gpu.launch(kernel, [1, 1, 1]).is_err(), "kernels must not access it any more");
    }
}

#[test]
fn memory_that_may_only_be_read_is_only_read() {
    let gpu = Gpu::new();
    static TABLE: Page = Page([3; PAGE / 4]);
    let table = (&raw const TABLE).cast_mut().cast();
    let kernel = create_kernel(gpu.module(&next_words()).unwrap(), "k").unwrap();
    let to = gpu.buffer(&[0_u32; PAGE / 4]);
    let refused = import(&gpu, table, PAGE, 0);
    assert_eq!(refused, Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT), "{}", gpu.last_error());
    let table = import(&gpu, table, PAGE, READ_ONLY).unwrap();
    prepare(kernel, table.cast(), to.pointer, 64);
    gpu.launch(kernel, [4, 1, 1]).unwrap();
    assert_eq!(to.read()[..256], [4; 256]);
    prepare(kernel, to.pointer, table.cast(), 64);
    assert!(gpu.launch(kernel, [1, 1, 1]).is_err(), "a kernel must not write there");
    free(&gpu, table).unwrap();
}

#[test]
fn what_cannot_be_imported_is_refused() {
    let gpu = Gpu::new();
    let mut pages = vec![Page([1; PAGE / 4]); 4];
    let start: *mut c_void = pages.as_mut_ptr().cast();
    let invalid = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_eq!(import(&gpu, null_mut(), PAGE, 0), Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER));
    assert_eq!(import(&gpu, start.wrapping_byte_add(8), PAGE, 0), invalid);
    assert!(gpu.last_error().contains("whole pages"), "{}", gpu.last_error());
    assert_eq!(import(&gpu, start, PAGE + 8, 0), invalid);
    assert!(import(&gpu, start, 0, 0).is_err());
    // Nothing is there, or not to the end.
    assert_eq!(import(&gpu, std::ptr::without_provenance_mut(PAGE), PAGE, 0), invalid);
    assert_eq!(import(&gpu, start, 1 << 46, 0), invalid);
    assert_eq!(import(&gpu, std::ptr::without_provenance_mut(usize::MAX - PAGE + 1), PAGE, 0), invalid);
    assert_eq!(import(&gpu, start, usize::MAX - PAGE + 1, 0), invalid);
    // What is there already.
    let middle = import(&gpu, start.wrapping_byte_add(PAGE), PAGE, 0).unwrap();
    for (first, count) in [(0, 4), (1, 1), (1, 2), (0, 2)] {
        let again = import(&gpu, start.wrapping_byte_add(first * PAGE), count * PAGE, 0);
        assert_eq!(again, invalid);
        assert!(gpu.last_error().contains("already"), "{}", gpu.last_error());
    }
    for first in [0, 2] {
        let other = import(&gpu, start.wrapping_byte_add(first * PAGE), PAGE, 0).unwrap();
        free(&gpu, other).unwrap();
    }
    free(&gpu, middle).unwrap();
    // Sizes that contradict each other.
    let memory = ze_external_memmap_sysmem_ext_desc_t {
        pSystemMemory: start,
        size: PAGE as u64,
        ..Default::default()
    };
    let descriptor = ze_host_mem_alloc_desc_t { pNext: (&raw const memory).cast(), ..Default::default() };
    let mut pointer = null_mut();
    // SAFETY: all pointers are to live variables.
    let sizes = unsafe { api().zeMemAllocHost(gpu.context, &descriptor, 2 * PAGE, 0, &mut pointer) };
    assert_eq!(sizes, ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
    // SAFETY: as above.
    let alignment = unsafe { api().zeMemAllocHost(gpu.context, &descriptor, PAGE, 1 << 40, &mut pointer) };
    assert_eq!(alignment, ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
    assert!(pointer.is_null());
}
