//! `KERNEL_CHECK=memory`: reads of what nobody has written, accesses outside of allocations, and what is left behind.

mod driver;

use driver::{Gpu, api, set, set_group_size};
use level_zero_sys::*;
use std::ffi::c_void;
use std::process::Command;
use std::ptr::null_mut;

const RACES: &[u8] = include_bytes!("modules/races.spv");

/// The size of the memory of each test, in bytes.
const SIZE: usize = 1024;

const IN_ARGUMENT: &str = "argument 0 (in an allocation of 1024 bytes)";

/// A context of a driver that checks memory.
fn gpu() -> Gpu {
    kernel_cpu::set_checks(kernel_cpu::Checks { races: false, memory: true }).unwrap();
    Gpu::new()
}

/// Device memory that nobody has written.
fn device_memory(gpu: &Gpu) -> *mut c_void {
    let mut pointer = null_mut();
    let descriptor = ze_device_mem_alloc_desc_t::default();
    // SAFETY: the handles are live, and the pointers are to live variables.
    unsafe {
        let made = api().zeMemAllocDevice(gpu.context, &descriptor, SIZE, 64, gpu.device, &mut pointer);
        made.into_result().unwrap();
    }
    pointer
}

fn fill(gpu: &Gpu, memory: *mut c_void, range: std::ops::Range<usize>) {
    let at = memory.wrapping_byte_add(range.start);
    let byte = [7_u8];
    // SAFETY: the memory is live and has these bytes.
    unsafe {
        let (event, none) = (ze_event_handle_t::NULL, null_mut());
        let filled = api().zeCommandListAppendMemoryFill(
            gpu.list,
            at,
            byte.as_ptr().cast(),
            1,
            range.len(),
            event,
            0,
            none,
        );
        filled.into_result().unwrap();
    }
}

fn copy(gpu: &Gpu, to: *mut c_void, from: *const c_void, size: usize) {
    // SAFETY: both have so many bytes.
    unsafe {
        let event = ze_event_handle_t::NULL;
        let copied = api().zeCommandListAppendMemoryCopy(gpu.list, to, from, size, event, 0, null_mut());
        copied.into_result().unwrap();
    }
}

/// Launches a kernel on memory; what is wrong with that, if anything is.
fn launch(gpu: &Gpu, name: &str, memory: *mut c_void, by: u32, size: u32, groups: u32) -> Result<(), String> {
    let kernel = gpu.kernel(RACES, name);
    set(kernel, 0, memory).unwrap();
    set(kernel, 1, by).unwrap();
    set_group_size(kernel, [size, 1, 1]).unwrap();
    gpu.launch(kernel, [groups, 1, 1]).map_err(|_| without_offsets(&gpu.last_error()))
}

/// A text without the offsets of instructions and addresses.
fn without_offsets(text: &str) -> String {
    let digits = |text: &str| text.trim_start_matches(|c: char| c.is_ascii_hexdigit()).to_owned();
    let mut parts = text.split("word ");
    let first = parts.next().unwrap_or_default().to_owned();
    let text = parts
        .fold(first, |text, part| text + "word _" + part.trim_start_matches(|c: char| c.is_ascii_digit()));
    let mut parts = text.split("0x");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "0x_" + &digits(part))
}

/// The message of the kernel `shift`, which reads its word and writes it, for a work-item that reads a byte which nobody has written.
fn shift(item: u32, byte: u32) -> Result<(), String> {
    Err(format!(
        "kernel `shift`, work-item ({item}, 0, 0): it reads 4 bytes at races.cl:3:12, and nobody has written byte {byte} of {IN_ARGUMENT}"
    ))
}

#[test]
fn device_memory_is_written_by_fills_copies_and_kernels() {
    let gpu = gpu();
    assert_eq!(launch(&gpu, "shift", device_memory(&gpu), 0, 16, 1), shift(0, 0));
    let memory = device_memory(&gpu);
    fill(&gpu, memory, 0..62);
    assert_eq!(launch(&gpu, "shift", memory, 0, 15, 1), Ok(()));
    // What is found is written too, by the same launch.
    assert_eq!(launch(&gpu, "shift", memory, 0, 16, 1), shift(15, 62));
    copy(&gpu, memory.wrapping_byte_add(64), [1_u8; 64].as_ptr().cast(), 64);
    assert_eq!(launch(&gpu, "shift", memory, 0, 16, 2), Ok(()));
    assert_eq!(launch(&gpu, "shift", memory, 0, 16, 3), shift(32, 128));
    // Each work-item writes its word.
    assert_eq!(launch(&gpu, "same", memory, 1, 16, 5), Ok(()));
    assert_eq!(launch(&gpu, "shift", memory, 0, 16, 5), Ok(()));
    assert_eq!(launch(&gpu, "shift", memory, 0, 16, 6), shift(80, 320));
}

#[test]
fn a_copy_is_as_written_as_what_it_is_of() {
    let gpu = gpu();
    let (memory, other) = (device_memory(&gpu), device_memory(&gpu));
    fill(&gpu, other, 0..SIZE);
    fill(&gpu, memory, 0..33);
    copy(&gpu, other, memory, 64);
    assert_eq!(launch(&gpu, "shift", other, 0, 8, 1), Ok(()));
    assert_eq!(launch(&gpu, "shift", other, 0, 16, 1), shift(8, 33));
    // The same by a kernel, whose work-items copy 16 bytes each, here from 64 bytes behind.
    let memory = device_memory(&gpu);
    fill(&gpu, memory, 64..82);
    assert_eq!(launch(&gpu, "copy_memory", memory, 16, 4, 1), Ok(()));
    assert_eq!(launch(&gpu, "shift", memory, 0, 4, 1), Ok(()));
    assert_eq!(launch(&gpu, "shift", memory, 0, 5, 1), shift(4, 18));
}

#[test]
fn what_is_read_is_told_by_bytes_and_whatever_reads_it() {
    let gpu = gpu();
    let memory = device_memory(&gpu);
    fill(&gpu, memory, 0..3);
    let of = |name: &str, item, access, byte| {
        Err(format!(
            "kernel `{name}`, work-item ({item}, 0, 0): it {access} at word _ in `{name}`, and nobody has written byte {byte} of {IN_ARGUMENT}"
        ))
    };
    let name = "short_of_bytes";
    assert_eq!(launch(&gpu, name, memory, 64, 1, 1), Ok(()));
    assert_eq!(launch(&gpu, name, memory, 64, 2, 1), of(name, 1, "reads 2 bytes", 3));
    // An atomic on a word may be one on a part of it.
    let other = device_memory(&gpu);
    assert_eq!(launch(&gpu, "atomics", other, 0, 4, 1), of("atomics", 0, "updates atomically 4 bytes", 0));
    let other = device_memory(&gpu);
    fill(&gpu, other, 1..2);
    assert_eq!(launch(&gpu, "atomics", other, 0, 4, 1), Ok(()));
    // An asynchronous copy of 64 bytes.
    let text = launch(&gpu, "copy_wait", memory, 0, 16, 1).unwrap_err();
    assert_eq!(
        text,
        format!(
            "kernel `copy_wait`, work-item (0, 0, 0): a copy by its group reads 4 bytes at word _ in `copy_wait`, and nobody has written \
             byte 3 of {IN_ARGUMENT}"
        )
    );
}

#[test]
fn local_memory_is_new_in_each_group() {
    let gpu = gpu();
    let memory = device_memory(&gpu);
    assert_eq!(launch(&gpu, "local_barrier", memory, 1, 16, 4), Ok(()));
    assert_eq!(
        launch(&gpu, "local_barrier", memory, 16, 16, 2),
        Err("kernel `local_barrier`, work-item (0, 0, 0): it reads 4 bytes at word _ in `local_barrier`, and nobody has written byte 64 of \
             local memory"
            .into())
    );
}

#[test]
fn the_host_may_write_what_is_its_own_too() {
    let gpu = gpu();
    let shared = gpu.buffer(&[0_u32; SIZE / 4]);
    assert_eq!(launch(&gpu, "shift", shared.pointer.cast(), 0, 16, 4), Ok(()));
}

#[test]
fn texels_are_written_by_copies_and_kernels() {
    let gpu = gpu();
    let layout = (
        ze_image_format_layout_t::ZE_IMAGE_FORMAT_LAYOUT_32,
        ze_image_format_type_t::ZE_IMAGE_FORMAT_TYPE_UINT,
    );
    let [image, other] = [(); 2].map(|()| gpu.image(ze_image_type_t::ZE_IMAGE_TYPE_2D, layout, [64, 1]));
    let launch = |name: &str, from: ze_image_handle_t, by: u32| {
        let kernel = gpu.kernel(RACES, name);
        set(kernel, 0, image).unwrap();
        set(kernel, 1, from).unwrap();
        set(kernel, 2, by).unwrap();
        set_group_size(kernel, [16, 1, 1]).unwrap();
        gpu.launch(kernel, [1, 1, 1]).map_err(|_| without_offsets(&gpu.last_error()))
    };
    let unwritten = |byte| {
        Err(format!(
            "kernel `texels_shifted`, work-item (0, 0, 0): it reads 4 bytes at word _ in `texels_shifted`, and nobody has written byte \
             {byte} of argument 1 (an image of 256 bytes)"
        ))
    };
    assert_eq!(launch("texels_shifted", other, 0), unwritten(0));
    // SAFETY: the image has 64 texels of four bytes, and so have the words.
    unsafe {
        let (words, event) = ([5_u32; 64], ze_event_handle_t::NULL);
        let region = ze_image_region_t { originX: 0, originY: 0, originZ: 0, width: 16, height: 1, depth: 1 };
        let copied = api().zeCommandListAppendImageCopyFromMemory(
            gpu.list,
            other,
            words.as_ptr().cast(),
            &region,
            event,
            0,
            null_mut(),
        );
        copied.into_result().unwrap();
    }
    assert_eq!(launch("texels_shifted", other, 0), Ok(()));
    assert_eq!(launch("texels_shifted", other, 16), unwritten(64));
}

#[test]
fn what_is_outside_is_told_with_its_distance() {
    let gpu = gpu();
    let memory = device_memory(&gpu);
    fill(&gpu, memory, 0..SIZE);
    let of = |where_: &str| {
        Err(format!(
            "kernel `shift`, work-item (0, 0, 0), races.cl:3:12: the instruction at word _ reads 4 bytes at 0x_, which are in no live allocation: they \
             begin {where_} one of 1024 bytes"
        ))
    };
    assert_eq!(launch(&gpu, "shift", memory, 256, 1, 1), of("0 bytes after the end of"));
    assert_eq!(launch(&gpu, "shift", memory, 300, 1, 1), of("176 bytes after the end of"));
    let shifted = |bytes: isize| memory.wrapping_byte_offset(bytes);
    assert_eq!(launch(&gpu, "shift", shifted(4), 255, 1, 1), of("0 bytes after the end of"));
    assert_eq!(launch(&gpu, "shift", shifted(2), 255, 1, 1), of("at byte 1022 of"));
}

/// Set for the process that `what_is_left_behind_is_told` starts.
const CHILD: &str = "KERNEL_CPU_TEST_CHILD";

/// What runs in the child process.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let first = gpu();
    let freed = device_memory(&first);
    device_memory(&first);
    first.module(RACES).unwrap();
    first.events(3);
    // SAFETY: nothing uses the memory any more.
    unsafe { api().zeMemFree(first.context, freed).into_result().unwrap() };
    drop(first);
    let second = std::mem::ManuallyDrop::new(gpu());
    std::mem::forget(second.buffer(&[1_u8; 77]));
    let third = std::mem::ManuallyDrop::new(gpu());
    kernel_cpu::context_lasts(third.context);
    device_memory(&third);
}

#[test]
fn what_is_left_behind_is_told() {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture"])
        .env(CHILD, "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = without_offsets(&String::from_utf8_lossy(&output.stderr));
    let names = "`shift`, `same`, `local_none`, `local_barrier` and 22 more kernels";
    let expected = format!(
        "kernel-cpu: a context is destroyed, and the host has not freed 3 of what was made in it:\n  \
         1024 bytes of device memory at 0x_\n  a module with {names}\n  a pool of 3 events\n\
         kernel-cpu: the process ends, and has neither destroyed a context nor freed 1 of what was made in it:\n  \
         77 bytes of shared memory at 0x_\n"
    );
    assert_eq!(text, expected);
}
